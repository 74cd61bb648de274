//! The calendar's own envelope of errors, `{code, message, data}`, and the way its JSON is written. It is apart from
//! `crate::error`, whose bodies clients of this interface do not know.

use std::io;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::error::Error;

pub const JSON: &str = "application/json; charset=UTF-8";
/// The message for a parameter that breaks its rule.
pub const INVALID: &str = "Invalid parameter.";
/// Seconds after which a client should try again if something is unavailable, as in `crate::error`.
const RETRY_SECONDS: &str = "5";

/// The refusal of a request.
#[derive(Clone, Debug)]
pub struct CalendarError {
    pub status: StatusCode,
    /// The part that clients rely on.
    pub code: &'static str,
    /// The part for people.
    pub message: String,
    more: More,
}

/// The details that some codes add to the status.
#[derive(Clone, Debug, Default)]
enum More {
    #[default]
    Nothing,
    Missing(Vec<&'static str>),
    Invalid(Vec<ParameterFault>),
    Json(String),
    Term(i64),
}

/// What is wrong with one parameter.
#[derive(Clone, Debug)]
pub struct ParameterFault {
    pub name: &'static str,
    /// The code and the message of a reason, if it has its own. Without them, the parameter breaks its rule.
    pub detail: Option<(&'static str, String)>,
}

impl ParameterFault {
    /// A parameter that breaks its rule.
    #[must_use]
    pub const fn of(name: &'static str) -> Self {
        Self { name, detail: None }
    }

    fn reason(&self) -> &str {
        self.detail.as_ref().map_or(INVALID, |(_, message)| message)
    }
}

impl CalendarError {
    /// An error without details.
    #[must_use]
    pub fn new(status: StatusCode, code: &'static str, message: &str) -> Self {
        Self { status, code, message: message.to_owned(), more: More::Nothing }
    }

    /// 404 `rest_no_route`.
    #[must_use]
    pub fn no_route() -> Self {
        Self::new(StatusCode::NOT_FOUND, "rest_no_route", "No route was found matching the URL and request method.")
    }

    /// 400 `rest_missing_callback_param`, with the names of all missing parameters.
    #[must_use]
    pub fn missing(names: Vec<&'static str>) -> Self {
        let message = format!("Missing parameter(s): {}", names.join(", "));
        Self {
            more: More::Missing(names),
            ..Self::new(StatusCode::BAD_REQUEST, "rest_missing_callback_param", &message)
        }
    }

    /// 400 `rest_invalid_param`, with all parameters that are wrong.
    #[must_use]
    pub fn invalid(faults: Vec<ParameterFault>) -> Self {
        let names: Vec<&str> = faults.iter().map(|fault| fault.name).collect();
        let message = format!("Invalid parameter(s): {}", names.join(", "));
        Self { more: More::Invalid(faults), ..Self::new(StatusCode::BAD_REQUEST, "rest_invalid_param", &message) }
    }

    /// 400 `rest_invalid_json`.
    #[must_use]
    pub fn bad_json(reason: &str) -> Self {
        Self {
            more: More::Json(reason.to_owned()),
            ..Self::new(StatusCode::BAD_REQUEST, "rest_invalid_json", "Invalid JSON body passed.")
        }
    }

    /// `rest_forbidden`: 401 for a visitor, 403 for a caller without the right.
    #[must_use]
    pub fn forbidden(is_known: bool) -> Self {
        let status = if is_known { StatusCode::FORBIDDEN } else { StatusCode::UNAUTHORIZED };
        Self::new(status, "rest_forbidden", "Sorry, you are not allowed to do that.")
    }

    /// 400 `term_exists`. The number of the term that has the name is in `data` and beside it.
    #[must_use]
    pub fn term_exists(term: i64, is_top_level: bool) -> Self {
        let message = "A term with the name provided already exists in this taxonomy.";
        let message =
            if is_top_level { message } else { "A term with the name provided already exists with this parent." };
        Self { more: More::Term(term), ..Self::new(StatusCode::BAD_REQUEST, "term_exists", message) }
    }

    #[must_use]
    pub fn response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        match self.status {
            StatusCode::UNAUTHORIZED => drop(response.insert_header((WWW_AUTHENTICATE, "Bearer"))),
            StatusCode::SERVICE_UNAVAILABLE => drop(response.insert_header((RETRY_AFTER, RETRY_SECONDS))),
            _ => {}
        }
        response.insert_header((CONTENT_TYPE, JSON)).body(json(self))
    }
}

impl<E: Into<Error>> From<E> for CalendarError {
    /// An internal error is logged here, once; the caller does not see its cause.
    fn from(error: E) -> Self {
        let error = error.into();
        let code = match &error {
            Error::TooLarge => "rest_body_too_large",
            Error::TooSlow => "rest_body_too_slow",
            Error::Unavailable(_) | Error::NoDatabase => "rest_unavailable",
            Error::ReadOnly => "rest_read_only",
            Error::Internal(cause) => {
                tracing::error!(error = ?cause, "the calendar failed");
                "rest_failed"
            }
            Error::NotFound(_) => return Self::no_route(),
            Error::Unauthorized => return Self::forbidden(false),
            Error::Forbidden(_) => return Self::forbidden(true),
            _ => "rest_bad_request",
        };
        Self::new(error.status_code(), code, &error.to_string())
    }
}

impl Serialize for CalendarError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", self.code)?;
        map.serialize_entry("message", &self.message)?;
        map.serialize_entry("data", &ErrorData(self))?;
        if let More::Term(term) = self.more {
            map.serialize_entry("additional_data", &[term])?;
        }
        map.end()
    }
}

/// The `data` of an error.
struct ErrorData<'a>(&'a CalendarError);

impl Serialize for ErrorData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("status", &self.0.status.as_u16())?;
        match &self.0.more {
            More::Nothing => {}
            More::Missing(names) => map.serialize_entry("params", names)?,
            More::Invalid(faults) => {
                map.serialize_entry("params", &Reasons(faults))?;
                map.serialize_entry("details", &ErrorDetails(faults))?;
            }
            More::Json(reason) => {
                // The number of a syntax error in PHP, which clients know.
                map.serialize_entry("json_error_code", &4)?;
                map.serialize_entry("json_error_message", reason)?;
            }
            More::Term(term) => map.serialize_entry("term_id", term)?,
        }
        map.end()
    }
}

struct Reasons<'a>(&'a [ParameterFault]);

impl Serialize for Reasons<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|fault| (fault.name, fault.reason())))
    }
}

/// An object with the reasons that have a code of their own; an empty list if there are none, as PHP writes an empty
/// array.
struct ErrorDetails<'a>(&'a [ParameterFault]);

impl Serialize for ErrorDetails<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |fault: &ParameterFault| {
            let (code, message) = fault.detail.clone()?;
            Some((fault.name, Detail { code, message, data: About { param: fault.name } }))
        };
        let told: Vec<_> = self.0.iter().filter_map(of).collect();
        if told.is_empty() { serializer.collect_seq(std::iter::empty::<()>()) } else { serializer.collect_map(told) }
    }
}

#[derive(Serialize)]
struct Detail {
    code: &'static str,
    message: String,
    data: About,
}

#[derive(Serialize)]
struct About {
    param: &'static str,
}

/// JSON as the original writes it: slashes are escaped, so that it may stand within a page.
#[must_use]
pub fn json(value: &impl Serialize) -> Vec<u8> {
    let mut written = Vec::with_capacity(512);
    let mut serializer = serde_json::Serializer::with_formatter(&mut written, EscapedSlashes);
    if let Err(error) = value.serialize(&mut serializer) {
        tracing::error!(%error, "an answer of the calendar cannot be written");
    }
    written
}

struct EscapedSlashes;

impl Formatter for EscapedSlashes {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        for (index, part) in fragment.split('/').enumerate() {
            if index > 0 {
                writer.write_all(b"\\/")?;
            }
            writer.write_all(part.as_bytes())?;
        }
        Ok(())
    }
}
