//! A file in a multipart form, within the limits of every body.

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

use super::body::Intake;
use crate::error::Error;

/// What a form may bring besides the file: other parts, and what stands around all of them.
const REST_BYTES_MAX: usize = 64 * 1_024;

/// A form that has not been read yet.
pub struct Upload {
    headers: HeaderMap,
    payload: Payload,
}

/// What comes of a form, counted before it is taken apart: much can stand around and between its parts.
struct CountedForm {
    intake: Intake,
    /// Why no more is taken.
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
    /// The first file part of that name that is not empty, or an empty one when there is no other; the rest of the form
    /// is read and passed over.
    ///
    /// # Errors
    /// 400 `Invalid <name>` when there is none or the body is no such form; 413, 408, or 503 when there is no room.
    pub async fn file(self, name: &str, bytes_max: usize) -> Result<Vec<u8>, Error> {
        let announced = self.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|length| length > bytes_max + REST_BYTES_MAX) {
            return Err(Error::TooLarge);
        }
        let counted =
            Rc::new(RefCell::new(CountedForm { intake: Intake::of(bytes_max + REST_BYTES_MAX), refusal: None }));
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
        // A browser sends an empty part for a field that nobody has filled.
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
