//! A JSON answer that thousands request at once: it is serialised, compressed and hashed once, and sent to each as it
//! is.

use std::io::Write;

use actix_web::http::header::{AcceptEncoding, CACHE_CONTROL, VARY};
use actix_web::web::{Bytes, Header};
use actix_web::{HttpRequest, HttpResponse};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::encoding::{self, BROTLI, GZIP};
use crate::error::Error;
use crate::redis::{Redis, SharedBody};

/// Of at most 11; higher qualities take much longer and save little.
const BROTLI_QUALITY: i32 = 9;
const BROTLI_WINDOW_BITS: i32 = 22;

/// A JSON text in every encoding in which it may be sent.
#[derive(Debug)]
pub struct ReadyResponse {
    plain: Bytes,
    gzip: Bytes,
    brotli: Bytes,
    /// Hash of the JSON, for the entity tags.
    tag: String,
}

impl ReadyResponse {
    /// Compresses the JSON, or finds it in Redis compressed by another server. With no name it stays in this server.
    pub async fn of(plain: Vec<u8>, shared: Option<(&Redis, &str)>) -> Result<Self, Error> {
        let tag = hash(&plain);
        if let Some((redis, name)) = shared
            && let Some(found) = redis.find_body(name).await.filter(|found| found.plain == plain)
        {
            return Ok(Self::ready(found, tag));
        }
        let body =
            actix_web::web::block(move || compress(plain)).await.map_err(Error::internal)?.map_err(Error::internal)?;
        if let Some((redis, name)) = shared {
            redis.keep_body(name, &body).await;
        }
        Ok(Self::ready(body, tag))
    }

    fn ready(body: SharedBody, tag: String) -> Self {
        Self { plain: body.plain.into(), gzip: body.gzip.into(), brotli: body.brotli.into(), tag }
    }

    /// Bytes of memory in all encodings.
    #[must_use]
    pub fn size(&self) -> usize {
        self.plain.len() + self.gzip.len() + self.brotli.len()
    }

    /// 304 if the client has this answer, otherwise 200 in the best encoding that it accepts. An answer that only some
    /// callers may have is not public, and shared caches must not keep it.
    #[must_use]
    pub fn respond(
        &self,
        request: &HttpRequest,
        accepted: Option<Header<AcceptEncoding>>,
        is_public: bool,
    ) -> HttpResponse {
        let (varying, keeping) = if is_public {
            ("Accept-Encoding", "no-cache")
        } else {
            ("Accept-Encoding, Authorization, Cookie", "private, no-cache")
        };
        encoding::respond(
            request,
            self.choose(accepted),
            &self.tag,
            "application/json",
            &[(VARY, varying), (CACHE_CONTROL, keeping)],
        )
    }

    fn choose(&self, accepted: Option<Header<AcceptEncoding>>) -> (&'static str, Bytes) {
        match encoding::best(accepted) {
            BROTLI => (BROTLI, self.brotli.clone()),
            GZIP => (GZIP, self.gzip.clone()),
            plain => (plain, self.plain.clone()),
        }
    }
}

/// A hash that distinguishes bodies in entity tags.
#[must_use]
pub fn hash(body: &[u8]) -> String {
    Sha256::digest(body).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn compress(plain: Vec<u8>) -> std::io::Result<SharedBody> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&plain)?;
    let mut compressed = Vec::new();
    let parameters =
        brotli::enc::BrotliEncoderParams { quality: BROTLI_QUALITY, lgwin: BROTLI_WINDOW_BITS, ..Default::default() };
    brotli::BrotliCompress(&mut plain.as_slice(), &mut compressed, &parameters)?;
    Ok(SharedBody { gzip: gzip.finish()?, brotli: compressed, plain })
}
