//! Compresses answers that no handler has compressed: JSON and other text above a size, in whole or while it is
//! streamed. Pages and banks are compressed once, by their handlers.

use std::io::Write;
use std::pin::Pin;

use actix_web::body::{BodySize, BodyStream, BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, Header as _, HeaderMap,
    HeaderValue, VARY,
};
use actix_web::web::{Bytes, BytesMut, Header, block};
use actix_web::{HttpResponse, ResponseError};
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream::{self, StreamExt};

use super::encoding::{BROTLI, GZIP, PLAIN, best};
use crate::error::Error;

/// Bytes of an answer that is compressed: a smaller one fits into a packet or two anyway.
const COMPRESSED_BYTES_MIN: usize = 1_024;
/// Bytes that are compressed at once by the worker, in a millisecond or less. More go to a thread of their own, because
/// the worker has live sockets to serve.
const INLINE_BYTES_MAX: usize = 32 * 1_024;
/// The level of gzip, of at most 9. It takes a fraction of the time of the best level and saves nearly as much.
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
pub async fn compress(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    if !is_compressible(&response) {
        return response;
    }
    let accepted = AcceptEncoding::parse(response.request()).ok().map(Header);
    let (request, response) = response.into_parts();
    let (head, body) = response.into_parts();
    match Beginning::of(body).await {
        Ok(beginning) => ServiceResponse::new(request, answer(accepted, head, beginning).await),
        Err(error) => ServiceResponse::from_err(error, request),
    }
}

/// What is known of a body before its head is sent: all of it, or of a streamed one the first bytes.
struct Beginning {
    bytes: Bytes,
    /// `None` if there is no more.
    rest: Option<BoxBody>,
}

impl Beginning {
    /// Reads a stream until it is known to be long enough. A failure before that can still be answered as one.
    async fn of(body: BoxBody) -> Result<Self, Error> {
        let mut body = match body.try_into_bytes() {
            Ok(bytes) => return Ok(Self { bytes, rest: None }),
            Err(body) => body,
        };
        let mut bytes = BytesMut::new();
        while let Some(chunk) = next(&mut body).await? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() >= COMPRESSED_BYTES_MIN {
                return Ok(Self { bytes: bytes.freeze(), rest: Some(body) });
            }
        }
        Ok(Self { bytes: bytes.freeze(), rest: None })
    }
}

async fn next(body: &mut BoxBody) -> Result<Option<Bytes>, Error> {
    let next = std::future::poll_fn(|context| Pin::new(&mut *body).poll_next(context)).await;
    next.transpose().map_err(|error| Error::internal(error.to_string()))
}

async fn answer(
    accepted: Option<Header<AcceptEncoding>>,
    mut head: HttpResponse<()>,
    Beginning { bytes, rest }: Beginning,
) -> HttpResponse {
    if bytes.len() < COMPRESSED_BYTES_MIN {
        return head.set_body(BoxBody::new(bytes));
    }
    vary(head.headers_mut());
    let encoding = best(accepted);
    let compressed = match (encoding, rest) {
        (PLAIN, None) => return head.set_body(BoxBody::new(bytes)),
        (PLAIN, Some(rest)) => {
            let rest = stream::try_unfold(rest, async |mut rest| {
                Ok::<_, Error>(next(&mut rest).await?.map(|chunk| (chunk, rest)))
            });
            let all = stream::iter([Ok::<_, Error>(bytes)]).chain(rest);
            return head.set_body(BoxBody::new(BodyStream::new(Box::pin(all))));
        }
        (encoding, Some(rest)) => Ok(streamed(bytes, rest, Compressor::new(encoding))),
        (encoding, None) => {
            Compressor::new(encoding).add(bytes, true).await.map(|(_, compressed)| BoxBody::new(compressed))
        }
    };
    match compressed {
        Ok(body) => {
            head.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
            weaken(head.headers_mut());
            head.set_body(body)
        }
        Err(error) => error.error_response(),
    }
}

/// A body that is streamed, compressed chunk by chunk. What its source sends is sent on at once.
fn streamed(first: Bytes, rest: BoxBody, compressor: Compressor) -> BoxBody {
    let chunks = stream::try_unfold(Some((Some(first), rest, compressor)), async |state| {
        let Some((first, mut rest, compressor)) = state else { return Ok::<_, Error>(None) };
        let chunk = if first.is_some() { first } else { next(&mut rest).await? };
        let is_last = chunk.is_none();
        let (compressor, compressed) = compressor.add(chunk.unwrap_or_default(), is_last).await?;
        Ok(Some((compressed, (!is_last).then_some((None, rest, compressor)))))
    });
    BoxBody::new(BodyStream::new(Box::pin(chunks)))
}

fn is_compressible(response: &ServiceResponse<BoxBody>) -> bool {
    let (status, headers) = (response.status(), response.headers());
    let is_long = match response.response().body().size() {
        BodySize::None => false,
        BodySize::Sized(bytes) => bytes >= COMPRESSED_BYTES_MIN as u64,
        BodySize::Stream => true,
    };
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or_default();
    is_long
        && !matches!(status, StatusCode::SWITCHING_PROTOCOLS | StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
        && !headers.contains_key(CONTENT_ENCODING)
        // A range counts the bytes of the plain content.
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
    async fn add(self, bytes: Bytes, is_last: bool) -> Result<(Self, Bytes), Error> {
        let added = if bytes.len() > INLINE_BYTES_MAX {
            block(move || self.added(&bytes, is_last)).await.map_err(Error::internal)?
        } else {
            self.added(&bytes, is_last)
        };
        added.map_err(Error::internal)
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
                    // Only `into_inner` writes the end of the content, and it takes the compressor. Nothing is written
                    // to the other.
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
