//! A file in a multipart form, with the same limits as every other body.

use std::cell::RefCell;
use std::future::{Ready, ready};
use std::rc::Rc;

use actix_multipart::{Multipart, MultipartError};
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::{CONTENT_LENGTH, HeaderMap};
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest};
use futures_util::StreamExt;

use super::body::{BodyKind, Intake};
use crate::error::Error;

/// Bytes of a form besides its file: other parts, and the boundaries between all of them.
const REST_BYTES_MAX: usize = 64 * 1_024;

/// A form that has not been read yet.
pub struct Upload {
    headers: HeaderMap,
    payload: Payload,
}

/// Counts the bytes of a form before it is parsed, since much may stand around and between its parts.
struct CountedForm {
    intake: Intake,
    /// The limit that was exceeded; `actix-multipart` itself reports only an overflow.
    refusal: Option<Error>,
}

impl CountedForm {
    fn count(&mut self, chunk: Bytes) -> Result<Bytes, PayloadError> {
        self.intake.count(chunk.len()).map_err(|refusal| {
            self.refusal = Some(refusal);
            PayloadError::Overflow
        })?;
        Ok(chunk)
    }
}

impl Upload {
    /// The first part of that name that is not empty, or an empty one if there is no other. The rest of the form is
    /// read and ignored.
    ///
    /// # Errors
    /// 400 `Invalid <name>` if the form has no such part or is malformed; 413, 408, or 503 if there is no room.
    pub async fn file(self, name: &str, bytes_max: usize) -> Result<Vec<u8>, Error> {
        let announced = self.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|length| length > bytes_max + REST_BYTES_MAX) {
            return Err(Error::TooLarge);
        }
        let intake = Intake::of(bytes_max + REST_BYTES_MAX, BodyKind::Other);
        let counted = Rc::new(RefCell::new(CountedForm { intake, refusal: None }));
        let counting = Rc::clone(&counted);
        let form = Multipart::new(
            &self.headers,
            self.payload.map(move |chunk| chunk.and_then(|chunk| counting.borrow_mut().count(chunk))),
        );
        let refused = |_: MultipartError| counted.borrow_mut().refusal.take().unwrap_or_else(|| Error::invalid(name));
        find(form, name, bytes_max, refused).await
    }
}

async fn find(
    mut form: Multipart,
    name: &str,
    bytes_max: usize,
    refused: impl Fn(MultipartError) -> Error,
) -> Result<Vec<u8>, Error> {
    let mut file: Option<Vec<u8>> = None;
    while let Some(part) = Intake::within_window(form.next()).await? {
        let mut part = part.map_err(&refused)?;
        // A browser sends an empty part for a field without a file.
        let is_wanted = file.as_ref().is_none_or(Vec::is_empty) && part.name() == Some(name);
        let mut bytes = Vec::new();
        while let Some(chunk) = Intake::within_window(part.next()).await? {
            let chunk = chunk.map_err(&refused)?;
            if is_wanted {
                bytes.extend_from_slice(&chunk);
            }
        }
        if bytes.len() > bytes_max {
            return Err(Error::TooLarge);
        }
        if is_wanted {
            file = Some(bytes);
        }
    }
    file.ok_or_else(|| Error::invalid(name))
}

impl FromRequest for Upload {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Ok(Self { headers: request.headers().clone(), payload: payload.take() }))
    }
}
