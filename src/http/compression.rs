//! Compresses answers that no handler has compressed: JSON and other text above a size, in whole or while it is
//! streamed. Pages and banks are compressed once, by their handlers.

use std::io::Write;
use std::pin::Pin;

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY,
};
use actix_web::web::{Bytes, Header, block};
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;

use super::encoding::{BROTLI, GZIP, PLAIN, best};

/// Bytes of an answer that is compressed: a smaller one fits into a packet or two anyway.
const COMPRESSED_BYTES_MIN: u64 = 1_024;
/// Bytes that are compressed at once by the worker, in a millisecond or less. More go to a thread of their own, because
/// the worker has live sockets to serve.
const INLINE_BYTES_MAX: usize = 32 * 1_024;
/// Of at most 9 and 11. These take a fraction of the time of the best, and save nearly as much.
const GZIP_LEVEL: u32 = 4;
const BROTLI_QUALITY: u32 = 4;
const BROTLI_WINDOW_BITS: u32 = 19;
/// Bytes that a compressor of brotli gathers.
const BUFFER_BYTES: usize = 4 * 1_024;

/// Marks an answer that carries a secret. It is sent as it is: the length of a compressed answer tells how much of it
/// repeats what its caller has sent, and so a secret could be guessed letter by letter (BREACH).
struct CarriesSecret;

/// Keeps an answer with a secret, such as a token, from being compressed.
#[must_use]
pub fn with_secret(mut response: HttpResponse) -> HttpResponse {
    response.extensions_mut().insert(CarriesSecret);
    response
}

/// Compresses an answer in the best encoding that its caller accepts, if it is worth it.
pub async fn compress(
    accepted: Option<Header<AcceptEncoding>>,
    mut response: ServiceResponse<BoxBody>,
) -> ServiceResponse<BoxBody> {
    if !is_compressible(&response) {
        return response;
    }
    vary(response.headers_mut());
    let encoding = best(accepted);
    if encoding == PLAIN {
        return response;
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    weaken(headers);
    let (request, response) = response.into_parts();
    let (head, body) = response.into_parts();
    let body = match body.try_into_bytes() {
        Ok(bytes) => match Compressor::new(encoding).add(bytes, true).await {
            Ok((_, compressed)) => BoxBody::new(compressed),
            Err(error) => return ServiceResponse::from_err(error, request),
        },
        Err(body) => streamed(body, Compressor::new(encoding)),
    };
    ServiceResponse::new(request, head.set_body(body))
}

/// A body that was streamed, compressed chunk by chunk. What its source sends is sent on at once.
fn streamed(body: BoxBody, compressor: Compressor) -> BoxBody {
    let chunks = stream::try_unfold(Some((body, compressor)), |state| async {
        let Some((mut body, compressor)) = state else { return Ok::<_, actix_web::Error>(None) };
        let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_next(context)).await;
        let chunk = next.transpose().map_err(actix_web::error::ErrorInternalServerError)?;
        let is_last = chunk.is_none();
        let (compressor, compressed) = compressor.add(chunk.unwrap_or_default(), is_last).await?;
        Ok(Some((compressed, (!is_last).then_some((body, compressor)))))
    });
    BoxBody::new(actix_web::body::BodyStream::new(Box::pin(chunks)))
}

fn is_compressible(response: &ServiceResponse<BoxBody>) -> bool {
    let (status, headers) = (response.status(), response.headers());
    let is_long = match response.response().body().size() {
        BodySize::None => false,
        BodySize::Sized(bytes) => bytes >= COMPRESSED_BYTES_MIN,
        BodySize::Stream => true,
    };
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or_default();
    is_long
        && !matches!(status, StatusCode::SWITCHING_PROTOCOLS | StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
        && !headers.contains_key(CONTENT_ENCODING)
        && !headers.contains_key(CONTENT_RANGE)
        && !text(CACHE_CONTROL).contains("no-transform")
        && is_text(text(CONTENT_TYPE))
        && response.response().extensions().get::<CarriesSecret>().is_none()
}

fn is_text(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_named = ["application/json", "application/xml", "application/javascript", "application/openmetrics-text"]
        .contains(&kind.as_str());
    is_named || kind.starts_with("text/") || kind.ends_with("+json") || kind.ends_with("+xml")
}

/// Tells caches that the answer depends on what its caller accepts.
fn vary(headers: &mut HeaderMap) {
    let known: Vec<&str> = headers.get_all(VARY).filter_map(|value| value.to_str().ok()).collect();
    let is_there = known.iter().flat_map(|value| value.split(',')).any(|name| {
        let name = name.trim();
        name == "*" || name.eq_ignore_ascii_case("accept-encoding")
    });
    if !is_there {
        let all = known.into_iter().chain(["Accept-Encoding"]).collect::<Vec<_>>().join(", ");
        if let Ok(all) = HeaderValue::try_from(all) {
            headers.insert(VARY, all);
        }
    }
}

/// The entity tag was that of other bytes with the same meaning.
fn weaken(headers: &mut HeaderMap) {
    let weak = headers.get(ETAG).and_then(|tag| tag.to_str().ok()).filter(|tag| tag.starts_with('"'));
    if let Some(weak) = weak.and_then(|tag| HeaderValue::try_from(format!("W/{tag}")).ok()) {
        headers.insert(ETAG, weak);
    }
}

enum Compressor {
    Gzip(Box<GzEncoder<Vec<u8>>>),
    Brotli(Box<CompressorWriter<Vec<u8>>>),
}

impl Compressor {
    fn new(encoding: &str) -> Self {
        if encoding == BROTLI {
            let compressor = CompressorWriter::new(Vec::new(), BUFFER_BYTES, BROTLI_QUALITY, BROTLI_WINDOW_BITS);
            return Self::Brotli(Box::new(compressor));
        }
        debug_assert_eq!(encoding, GZIP);
        Self::Gzip(Box::new(GzEncoder::new(Vec::new(), Compression::new(GZIP_LEVEL))))
    }

    /// Compresses bytes, and ends the content after the last ones.
    async fn add(self, bytes: Bytes, is_last: bool) -> Result<(Self, Bytes), actix_web::Error> {
        let added = if bytes.len() > INLINE_BYTES_MAX {
            block(move || self.added(&bytes, is_last)).await?
        } else {
            self.added(&bytes, is_last)
        };
        Ok(added?)
    }

    fn added(mut self, bytes: &[u8], is_last: bool) -> std::io::Result<(Self, Bytes)> {
        let compressed = match &mut self {
            Self::Gzip(compressor) => {
                compressor.write_all(bytes)?;
                if is_last {
                    compressor.try_finish()?;
                } else {
                    compressor.flush()?;
                }
                std::mem::take(compressor.get_mut())
            }
            Self::Brotli(compressor) => {
                compressor.write_all(bytes)?;
                if is_last {
                    let idle = CompressorWriter::new(Vec::new(), 0, 0, BROTLI_WINDOW_BITS);
                    std::mem::replace(&mut **compressor, idle).into_inner()
                } else {
                    compressor.flush()?;
                    std::mem::take(compressor.get_mut())
                }
            }
        };
        Ok((self, compressed.into()))
    }
}
