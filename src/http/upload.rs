//! A file in a multipart form, with the same limits as every other body.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Ready, ready};
use std::rc::Rc;

use actix_multipart::{Multipart, MultipartError};
use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpRequest};
use futures_util::StreamExt;

use super::body::{self, BodyKind, Intake};
use crate::error::Error;

/// Bytes of a form besides its file: other parts, and the boundaries between all of them.
const REST_BYTES_MAX: usize = 64 * 1_024;

/// Bytes of a field beside the file.
const FIELD_BYTES_MAX: usize = 4 * 1_024;

/// The texts of fields of a form, by name.
pub type FormFields = HashMap<&'static str, String>;

/// A form that has not been read yet.
pub struct Upload {
    headers: HeaderMap,
    payload: Payload,
}

/// What a request has brought that may be a form with files or a body of its own.
pub enum Uploaded {
    /// The files of a form, which are not empty.
    Files(Vec<Vec<u8>>),
    /// The body, and whether it says that it is JSON.
    Body(Vec<u8>, bool),
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
    /// The files of a form, whatever their names, or the whole body of a request that is no form.
    ///
    /// # Errors
    /// 400 `Invalid file` if a form is malformed, or has no file or more than `files_max`; 413, 408, or 503 if there is
    /// no room.
    pub async fn files_or_body(self, files_max: usize, bytes_max: usize) -> Result<Uploaded, Error> {
        let kind = self.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.trim().to_ascii_lowercase().starts_with("multipart/form-data") {
            let is_json = kind.to_ascii_lowercase().contains("json");
            let body = body::read(self.payload, bytes_max, BodyKind::Other).await?;
            return Ok(Uploaded::Body(body.to_vec(), is_json));
        }
        let intake = Intake::of(bytes_max + REST_BYTES_MAX, BodyKind::Other);
        let counted = Rc::new(RefCell::new(CountedForm { intake, refusal: None }));
        let counting = Rc::clone(&counted);
        let mut form = Multipart::new(
            &self.headers,
            self.payload.map(move |chunk| chunk.and_then(|chunk| counting.borrow_mut().count(chunk))),
        );
        let refused = |_: MultipartError| counted.borrow_mut().refusal.take().unwrap_or_else(|| Error::invalid("file"));
        let mut files = Vec::new();
        while let Some(part) = Intake::within_window(form.next()).await? {
            let mut part = part.map_err(&refused)?;
            let is_file = part.content_disposition().is_some_and(|about| about.get_filename().is_some());
            let mut bytes = Vec::new();
            while let Some(chunk) = Intake::within_window(part.next()).await? {
                let chunk = chunk.map_err(&refused)?;
                bytes.extend_from_slice(&chunk);
            }
            if is_file && !bytes.is_empty() {
                files.push(bytes);
            }
        }
        if files.is_empty() || files.len() > files_max {
            Err(Error::invalid("file"))
        } else {
            Ok(Uploaded::Files(files))
        }
    }

    /// The first part of that name that is not empty, or an empty one if there is no other. The rest of the form is
    /// read and ignored.
    ///
    /// # Errors
    /// 400 `Invalid <name>` if the form has no such part or is malformed; 413, 408, or 503 if there is no room.
    pub async fn file(self, name: &str, bytes_max: usize) -> Result<Vec<u8>, Error> {
        self.file_with(name, &[], bytes_max).await.map(|(file, _)| file)
    }

    /// The same, and the texts of these fields as far as the form has them.
    ///
    /// # Errors
    /// The same, and 400 `Invalid <field>` for one that is long or no text.
    pub async fn file_with(
        self,
        name: &str,
        fields: &[&'static str],
        bytes_max: usize,
    ) -> Result<(Vec<u8>, FormFields), Error> {
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
        find(form, name, fields, bytes_max, refused).await
    }
}

async fn find(
    mut form: Multipart,
    name: &str,
    fields: &[&'static str],
    bytes_max: usize,
    refused: impl Fn(MultipartError) -> Error,
) -> Result<(Vec<u8>, FormFields), Error> {
    let (mut file, mut found): (Option<Vec<u8>>, _) = (None, FormFields::new());
    while let Some(part) = Intake::within_window(form.next()).await? {
        let mut part = part.map_err(&refused)?;
        // A browser sends an empty part for a field without a file.
        let is_wanted = file.as_ref().is_none_or(Vec::is_empty) && part.name() == Some(name);
        let field = fields.iter().find(|field| part.name() == Some(**field)).copied();
        let mut bytes = Vec::new();
        while let Some(chunk) = Intake::within_window(part.next()).await? {
            let chunk = chunk.map_err(&refused)?;
            if is_wanted || field.is_some() {
                bytes.extend_from_slice(&chunk);
            }
        }
        if bytes.len() > bytes_max {
            return Err(Error::TooLarge);
        }
        if is_wanted {
            file = Some(bytes);
        } else if let Some(field) = field {
            let text = String::from_utf8(bytes).ok().filter(|text| text.len() <= FIELD_BYTES_MAX);
            found.insert(field, text.ok_or_else(|| Error::invalid(field))?);
        }
    }
    Ok((file.ok_or_else(|| Error::invalid(name))?, found))
}

impl FromRequest for Upload {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Ok(Self { headers: request.headers().clone(), payload: payload.take() }))
    }
}
