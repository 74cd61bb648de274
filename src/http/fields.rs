//! Small JSON bodies, read field by field, so that the error names the field that is wrong: serde's own error for a
//! wrong type gives a line and a column, but no field. [`body!`] writes the struct of such a body, from which both the
//! document and the reader come.

use std::borrow::Cow;
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

    /// A field by its name in the body.
    pub fn field<'a>(&'a self, name: &'a str) -> Field<'a> {
        Field { name: Cow::Borrowed(name), value: self.0.get(name) }
    }

    /// The field that a struct calls `name`, in the way in which `read` reads it.
    pub fn read_field<'a, T>(
        &'a self,
        name: &'static str,
        read: impl FnOnce(Field<'a>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let name = camel_case(name);
        let value = self.0.get(name.as_ref());
        read(Field { name, value })
    }

    /// The whole body.
    #[must_use]
    pub fn into_value(self) -> Value {
        Value::Object(self.0)
    }
}

/// What a body says about one of its fields: a value, null or nothing. Each way to read it answers 400 `Invalid <name>`
/// for what it refuses.
pub struct Field<'a> {
    name: Cow<'a, str>,
    value: Option<&'a Value>,
}

impl Field<'_> {
    /// Returns whether the body has the field, even with null.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        self.value.is_some()
    }

    /// The refusal that names the field.
    #[must_use]
    pub fn invalid(&self) -> Error {
        Error::invalid(&self.name)
    }

    /// `None` if it is absent or null; refused if it has another type.
    pub fn optional<T: DeserializeOwned>(self) -> Result<Option<T>, Error> {
        let value = self.value.filter(|value| !value.is_null());
        value.map(|value| T::deserialize(value).map_err(|_| self.invalid())).transpose()
    }

    /// As [`Self::optional`], and refused as well by `parse`.
    pub fn optional_parsed<T: DeserializeOwned, P>(
        self,
        parse: impl FnOnce(T) -> Option<P>,
    ) -> Result<Option<P>, Error> {
        let Self { name, value } = self;
        let written = Field { name: Cow::Borrowed(&name), value }.optional()?;
        written.map(|written| parse(written).ok_or_else(|| Error::invalid(&name))).transpose()
    }

    /// Refused if it is absent, null or of another type.
    pub fn required<T: DeserializeOwned>(self) -> Result<T, Error> {
        let refusal = self.invalid();
        self.optional()?.ok_or(refusal)
    }

    /// `None` if it is absent or null; refused if it is not a text, or refused by `parse`.
    pub fn optional_text<T>(self, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
        if self.value.is_none_or(Value::is_null) { Ok(None) } else { self.parsed(parse).map(Some) }
    }

    /// As [`Self::required`], and refused as well by `parse`.
    pub fn required_parsed<T: DeserializeOwned, P>(self, parse: impl FnOnce(T) -> Option<P>) -> Result<P, Error> {
        let refusal = self.invalid();
        self.optional_parsed(parse)?.ok_or(refusal)
    }

    /// Refused if it is absent, not a text, or refused by `parse`.
    pub fn parsed<T>(self, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        self.value.and_then(Value::as_str).and_then(parse).ok_or_else(|| self.invalid())
    }

    /// `None` if it is absent; refused if it is null, not a text, or refused by `parse`.
    pub fn parsed_if_given<T>(self, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
        if self.is_given() { self.parsed(parse).map(Some) } else { Ok(None) }
    }

    /// Returns whether a value that may be empty stays (absent), goes (null) or becomes another one; refused by
    /// `parse`.
    pub fn change<T>(self, parse: impl FnOnce(&Value) -> Option<T>) -> Result<FieldChange<T>, Error> {
        match self.value {
            None => Ok(FieldChange::Keep),
            Some(Value::Null) => Ok(FieldChange::Clear),
            Some(value) => parse(value).map(FieldChange::Set).ok_or_else(|| self.invalid()),
        }
    }

    /// A note or a comment, empty if it is absent or null; refused if it is not a text, too long, or has control
    /// characters.
    pub fn note(self) -> Result<String, Error> {
        Ok(self.optional_text(text::note)?.unwrap_or_default())
    }
}

/// The name in a body of what a struct calls `name`: `questionId` for `question_id`, as `rename_all` makes it in the
/// document.
fn camel_case(name: &'static str) -> Cow<'static, str> {
    if !name.contains('_') {
        return Cow::Borrowed(name);
    }
    let mut words = name.split('_');
    let mut joined = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut characters = word.chars();
        joined.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        joined.push_str(characters.as_str());
    }
    Cow::Owned(joined)
}

/// Whether the document would name a field otherwise than it is read: it is written as `r#type`, or an attribute gives
/// it a name. [`body!`] refuses such a field.
#[must_use]
pub const fn is_renamed(field: &str, attributes: &[&str]) -> bool {
    let mut is_renamed = begins_with(field.as_bytes(), b"r#");
    let mut rest = attributes;
    while let [attribute, others @ ..] = rest {
        let attribute = attribute.as_bytes();
        is_renamed = is_renamed || (begins_with(attribute, b"schema") && contains(attribute, b"rename"));
        rest = others;
    }
    is_renamed
}

const fn contains(text: &[u8], part: &[u8]) -> bool {
    let mut rest = text;
    while let [_, others @ ..] = rest {
        if begins_with(rest, part) {
            return true;
        }
        rest = others;
    }
    false
}

const fn begins_with(text: &[u8], start: &[u8]) -> bool {
    match (text, start) {
        (_, []) => true,
        ([first, rest @ ..], [wanted, others @ ..]) => *first == *wanted && begins_with(rest, others),
        ([], _) => false,
    }
}

/// Writes the struct of a body once. Its fields stand in the order of the document, each with how it is read; where the
/// document shows another type than that of what is read, `value_type` says so:
///
/// ```ignore
/// body! {
///     /// The body of `POST /api/review/submit`.
///     struct SubmitReview {
///         question_id: String = Field::required,
///         status: ReviewStatus = |field| field.parsed(ReviewStatus::parse),
///         /// At most 10,000 characters.
///         #[schema(value_type = Option<String>)]
///         note: String = Field::note,
///     }
/// }
/// ```
///
/// The schema comes from the struct; `SubmitReview::read` reads the fields in the same order, and its error names the
/// first that is wrong. The compiler reports a field that no handler uses, and one with another name in the document.
/// Readers may need something else than the body, such as the address in the path: `struct Assign with (path: &str)`.
macro_rules! body {
    (
        $(#[$about:meta])*
        $visible:vis struct $body:ident $(with ($($given:ident: $given_type:ty),+))? {
            $($(#[$attribute:meta])* $field_visible:vis $field:ident: $type:ty = $read:expr),+ $(,)?
        }
    ) => {
        #[derive(utoipa::ToSchema)]
        #[schema(rename_all = "camelCase")]
        $(#[$about])*
        $visible struct $body {
            $($(#[$attribute])* $field_visible $field: $type),+
        }

        const _: () = assert!(
            !$crate::http::fields::is_renamed("", &[$(stringify!($about)),*]),
            "the document names fields as they are read"
        );
        $(const _: () = assert!(
            !$crate::http::fields::is_renamed(stringify!($field), &[$(stringify!($attribute)),*]),
            "the document names a field as it is read"
        );)+

        impl $body {
            /// The fields in the order of the document: 400 `Invalid <name>` for the first that is wrong.
            $visible fn read(
                fields: &$crate::http::fields::JsonFields
                $($(, $given: $given_type)+)?
            ) -> Result<Self, $crate::error::Error> {
                Ok(Self { $($field: fields.read_field(stringify!($field), $read)?),+ })
            }
        }
    };
}

pub(crate) use body;

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
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn the_error_names_the_field() {
        let fields = JsonFields::read(br#"{"grade":5,"note":null,"name":"A"}"#).unwrap();
        let field = |name| fields.field(name);
        assert_eq!(field("grade").required::<i64>().unwrap(), 5);
        assert_eq!(field("note").optional::<String>().unwrap(), None);
        assert_eq!(field("name").required::<i64>().unwrap_err().to_string(), "Invalid name");
        assert_eq!(field("note").required::<i64>().unwrap_err().to_string(), "Invalid note");
        assert_eq!((field("note").note().unwrap(), field("name").note().unwrap().as_str()), (String::new(), "A"));
        assert_eq!(field("grade").note().unwrap_err().to_string(), "Invalid grade");
        assert_eq!(field("name").parsed(|_| None::<u8>).unwrap_err().to_string(), "Invalid name");
        for body in [&b""[..], b"[]", b"7", b"{", b"\xff", br#"{"a":"\u0000"}"#] {
            assert!(JsonFields::read(body).is_err());
        }
    }

    body! {
        /// A body of every kind of fields.
        struct Sample with (path: &str) {
            grade_number: u8 = Field::required,
            /// Short.
            #[schema(value_type = Option<String>, max_length = 10_000)]
            note: String = Field::note,
            #[schema(value_type = Option<String>, format = DateTime)]
            ends_at: FieldChange<String> =
                |field| field.change(|value| value.as_str().map(str::to_owned)),
            name: Option<String> = |field| field.parsed_if_given(|name| (name == path).then(|| name.to_owned())),
        }
    }

    #[test]
    fn one_struct_is_the_document_and_the_reader() {
        let schema = serde_json::to_value(Sample::schema()).unwrap();
        let expected = serde_json::json!({
            "type": "object",
            "description": "A body of every kind of fields.",
            "required": ["gradeNumber"],
            "properties": {
                "gradeNumber": { "type": "integer", "format": "int32", "minimum": 0 },
                "note": { "type": ["string", "null"], "maxLength": 10_000, "description": "Short." },
                "endsAt": { "type": ["string", "null"], "format": "date-time" },
                "name": { "type": ["string", "null"] },
            },
        });
        assert_eq!(schema, expected);
        let read = |body: &str| Sample::read(&JsonFields::read(body.as_bytes()).unwrap(), "A");
        let sample = read(r#"{"gradeNumber":5,"endsAt":null}"#).unwrap();
        assert_eq!((sample.grade_number, &*sample.note, sample.name), (5, "", None));
        assert_eq!(sample.ends_at, FieldChange::Clear);
        assert_eq!(read(r#"{"gradeNumber":5,"endsAt":"x"}"#).unwrap().ends_at, FieldChange::Set("x".to_owned()));
        assert_eq!(read(r#"{"gradeNumber":5}"#).unwrap().ends_at, FieldChange::Keep);
        // The first of the document, in whatever order they are sent.
        for (body, refused) in [
            (r#"{"name":"B","endsAt":7,"note":7}"#, "gradeNumber"),
            (r#"{"name":"B","endsAt":7,"note":7,"gradeNumber":5}"#, "note"),
            (r#"{"name":"B","endsAt":7,"gradeNumber":5}"#, "endsAt"),
            (r#"{"name":"B","gradeNumber":5}"#, "name"),
            (r#"{"name":null,"gradeNumber":5}"#, "name"),
        ] {
            assert_eq!(read(body).err().unwrap().to_string(), format!("Invalid {refused}"));
        }
    }

    #[test]
    fn a_field_with_another_name_in_the_document_is_refused() {
        const SHOWN: &str = stringify!(schema(value_type = Option<String>, max_length = 10_000));
        assert!(!is_renamed(stringify!(kind), &[]) && !is_renamed("note", &[stringify!(doc = "To rename."), SHOWN]));
        assert!(is_renamed(stringify!(r#type), &[]));
        assert!(is_renamed("note", &[SHOWN, stringify!(schema(value_type = String, rename = "remark"))]));
        assert!(is_renamed("", &[stringify!(schema(as = Remark, rename_all = "snake_case"))]));
    }

    #[test]
    fn names_are_those_of_the_document() {
        for (name, written) in
            [("grade", "grade"), ("question_id", "questionId"), ("session2_targets_by_band", "session2TargetsByBand")]
        {
            assert_eq!(camel_case(name), written);
        }
    }
}
