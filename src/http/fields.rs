//! Small JSON bodies, read field by field, so that the error names the field that is wrong: serde's own
//! error for a wrong type gives a line and a column, but no field.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use domain::sitting::values::FieldChange;
use domain::{json_limits, text};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::body::Body;
use crate::error::Error;

/// Bytes of such a body.
const FIELDS_BYTES_MAX: usize = 1_024 * 1_024;

pub struct JsonFields(Map<String, Value>);

impl JsonFields {
    /// 400 `Invalid body` unless the body is a JSON object within the limits of `domain/src/json_limits.rs`.
    pub fn read(body: &[u8]) -> Result<Self, Error> {
        let text = std::str::from_utf8(body).ok().filter(|text| json_limits::is_acceptable(text));
        text.and_then(|text| serde_json::from_str(text).ok()).map(Self).ok_or_else(|| Error::invalid("body"))
    }

    /// `None` if the field is absent or null; 400 `Invalid <name>` if it has another type.
    pub fn optional<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        let value = self.0.get(name).filter(|value| !value.is_null());
        value.map(|value| T::deserialize(value).map_err(|_| Error::invalid(name))).transpose()
    }

    /// What the body says about a field that may be empty: nothing if it is absent, and that it is to become empty if
    /// it is null; 400 `Invalid <name>` if it is refused by `parse`.
    pub fn change<T>(&self, name: &str, parse: impl FnOnce(&Value) -> Option<T>) -> Result<FieldChange<T>, Error> {
        match self.0.get(name) {
            None => Ok(FieldChange::Keep),
            Some(Value::Null) => Ok(FieldChange::Clear),
            Some(value) => parse(value).map(FieldChange::Set).ok_or_else(|| Error::invalid(name)),
        }
    }

    /// The whole body.
    #[must_use]
    pub fn into_value(self) -> Value {
        Value::Object(self.0)
    }

    /// 400 `Invalid <name>` if the field is absent, null or of another type.
    pub fn required<T: DeserializeOwned>(&self, name: &str) -> Result<T, Error> {
        self.optional(name)?.ok_or_else(|| Error::invalid(name))
    }

    /// 400 `Invalid <name>` if the field is absent, not a text, or refused by `parse`.
    pub fn parsed<T>(&self, name: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        self.0.get(name).and_then(Value::as_str).and_then(parse).ok_or_else(|| Error::invalid(name))
    }

    /// A note or a comment, empty if the field is absent or null; 400 `Invalid <name>` if it is not a text, too long,
    /// or has control characters.
    pub fn note(&self, name: &str) -> Result<String, Error> {
        let written: Option<String> = self.optional(name)?;
        text::note(&written.unwrap_or_default()).ok_or_else(|| Error::invalid(name))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl FromRequest for JsonFields {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = Body::<FIELDS_BYTES_MAX>::from_request(request, payload);
        Box::pin(async { Self::read(&body.await?.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_names_the_field() {
        let fields = JsonFields::read(br#"{"grade":5,"note":null,"name":"A"}"#).unwrap();
        assert_eq!(fields.required::<i64>("grade").unwrap(), 5);
        assert_eq!(fields.optional::<String>("note").unwrap(), None);
        assert_eq!(fields.required::<i64>("name").unwrap_err().to_string(), "Invalid name");
        assert_eq!(fields.required::<i64>("note").unwrap_err().to_string(), "Invalid note");
        assert_eq!((fields.note("note").unwrap(), fields.note("name").unwrap().as_str()), (String::new(), "A"));
        assert_eq!(fields.note("grade").unwrap_err().to_string(), "Invalid grade");
        assert_eq!(fields.parsed("name", |_| None::<u8>).unwrap_err().to_string(), "Invalid name");
        for body in [&b""[..], b"[]", b"7", b"{", b"\xff", br#"{"a":"\u0000"}"#] {
            assert!(JsonFields::read(body).is_err());
        }
    }
}
