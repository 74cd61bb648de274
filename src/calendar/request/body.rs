//! Reads a request's body, in any form that clients send, together with its query and its path.

use actix_multipart::Multipart;
use actix_web::http::header::{CONTENT_TYPE, HeaderMap};
use actix_web::web::{Bytes, Payload};
use actix_web::{HttpRequest, error::PayloadError};
use futures_util::{StreamExt, stream};
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::form;
use super::sent::SentParameters;
use super::table::ParameterTable;
use crate::calendar::answer::error::CalendarError;
use crate::calendar::answer::values::NO_TIME;
use crate::http::body::{self, BodyKind};

/// Bytes of a body: a description and an excerpt of full length fit in, even with every character escaped.
const BODY_BYTES_MAX: usize = 1_024 * 1_024;
/// Bytes in which a multipart form is handed to its reader, whose buffer holds 64 KiB at most.
const CHUNK_BYTES: usize = 16 * 1_024;

/// Reads all parameters of a request. 400 `rest_invalid_json`, 413 for a large body, 408 for a slow one, or 503 if the
/// server has no room for it.
pub async fn gather(
    request: &HttpRequest,
    payload: Payload,
    place: Option<String>,
    table: ParameterTable,
) -> Result<SentParameters, CalendarError> {
    let query = form::read(form_urlencoded::parse(request.query_string().as_bytes()).into_owned());
    let body = body::read(payload, BODY_BYTES_MAX, BodyKind::Other).await?;
    let (json, form) = match content_type(request.headers()).as_str() {
        _ if body.is_empty() => (Map::new(), Map::new()),
        "application/json" => (json(&body)?, Map::new()),
        // The original takes a body without a type for a form as well.
        "" | "application/x-www-form-urlencoded" => {
            (Map::new(), form::read(form_urlencoded::parse(&body).into_owned()))
        }
        "multipart/form-data" => (Map::new(), multipart(request.headers(), &body).await),
        _ => (Map::new(), Map::new()),
    };
    let sources = [json, form, query].into_iter().map(|source| source.into_iter().filter(is_said).collect());
    Ok(SentParameters::new(sources.collect(), place, table))
}

/// Returns whether the field says anything. A draft that is sent back as it was shown has no publication time, which is
/// the same as none sent.
fn is_said((name, value): &(String, Value)) -> bool {
    !(matches!(name.as_str(), "date" | "date_utc") && *value == NO_TIME)
}

/// The type without its parameters. Every kind of JSON counts as JSON.
fn content_type(headers: &HeaderMap) -> String {
    let sent = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = sent.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind.starts_with("application/") && kind.ends_with("+json") { "application/json".to_owned() } else { kind }
}

/// The fields of a JSON object. Other JSON has no parameters.
fn json(body: &[u8]) -> Result<Map<String, Value>, CalendarError> {
    match serde_json::from_slice(body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Ok(Map::new()),
        Err(_) => Err(CalendarError::bad_json("Syntax error")),
    }
}

/// The fields of a multipart form, without its files. If the form breaks off, the fields before that count.
async fn multipart(headers: &HeaderMap, body: &Bytes) -> Map<String, Value> {
    let chunks: Vec<Result<Bytes, PayloadError>> =
        body.chunks(CHUNK_BYTES).map(|chunk| Ok(body.slice_ref(chunk))).collect();
    let mut parts = Multipart::new(headers, stream::iter(chunks));
    let mut fields = Vec::new();
    while let Some(Ok(mut part)) = parts.next().await {
        let is_file =
            part.content_disposition().is_some_and(|it| it.get_filename().is_some() || it.get_filename_ext().is_some());
        let name = part.name().map(str::to_owned);
        let mut bytes = Vec::new();
        while let Some(Ok(chunk)) = part.next().await {
            bytes.extend_from_slice(&chunk);
        }
        if let Some(name) = name.filter(|_| !is_file) {
            fields.push((name, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    form::read(fields.into_iter())
}
