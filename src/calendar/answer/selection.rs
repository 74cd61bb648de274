//! The parameters that change any answer: `_fields` selects keys of it, and `_envelope` puts its status and headers
//! into the body. They are apart because they work on finished answers.

use std::fmt;

use actix_web::HttpResponse;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderMap};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use url::form_urlencoded;

use super::error::{JSON, json};

/// The last value of a parameter in the query; `None` if it is absent or empty.
#[must_use]
pub fn asked(query: &str, name: &str) -> Option<String> {
    let found = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name).last();
    found.map(|(_, value)| value.into_owned()).filter(|value| !value.is_empty())
}

/// The answer in the form that the query asks for.
#[must_use]
pub fn pare(response: HttpResponse, query: &str) -> HttpResponse {
    let fields = asked(query, "_fields");
    let is_enveloped = asked(query, "_envelope").is_some();
    let is_json = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes() == JSON.as_bytes());
    if !is_json || fields.is_none() && !is_enveloped {
        return response;
    }
    let (mut response, body) = response.into_parts();
    let Ok(body) = body.try_into_bytes() else { return response.set_body(BoxBody::new(())) };
    let mut written = body.to_vec();
    if let Some(fields) = fields.filter(|_| response.status().is_success()) {
        written = kept(&written, &fields).unwrap_or(written);
    }
    if is_enveloped {
        written = enveloped(&written, response.status(), response.headers()).unwrap_or(written);
        *response.status_mut() = StatusCode::OK;
    }
    response.set_body(BoxBody::new(written))
}

/// Keeps only these keys, which commas separate.
fn kept(body: &[u8], fields: &str) -> Option<Vec<u8>> {
    let wanted: Vec<&str> = fields.split(',').map(str::trim).collect();
    let mut entries: Entries = serde_json::from_slice(body).ok()?;
    entries.0.retain(|(name, _)| wanted.contains(&name.as_str()));
    serde_json::to_vec(&entries).ok()
}

#[derive(Serialize)]
struct Enveloped<'a> {
    body: &'a RawValue,
    status: u16,
    headers: Headers<'a>,
}

fn enveloped(body: &[u8], status: StatusCode, headers: &HeaderMap) -> Option<Vec<u8>> {
    let body: &RawValue = serde_json::from_slice(body).ok()?;
    Some(json(&Enveloped { body, status: status.as_u16(), headers: Headers(headers) }))
}

struct Headers<'a>(&'a HeaderMap);

impl Serialize for Headers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(
            self.0.iter().map(|(name, value)| (shown(name.as_str()), String::from_utf8_lossy(value.as_bytes()))),
        )
    }
}

/// The name of a header as the original writes it. Within a body it is a key, and keys depend on case.
fn shown(name: &str) -> String {
    let part = |part: &str| match part {
        "tec" | "wp" => part.to_ascii_uppercase(),
        "etag" => "ETag".to_owned(),
        "totalpages" => "TotalPages".to_owned(),
        part => part.split_at_checked(1).map_or_else(String::new, |(first, rest)| first.to_ascii_uppercase() + rest),
    };
    name.split('-').map(part).collect::<Vec<_>>().join("-")
}

/// An object that keeps the order of its keys and the text of its values.
struct Entries(Vec<(String, Box<RawValue>)>);

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order() {
        let body = br#"{"id":1,"b":{"z":"\/","a":2},"a":[1]}"#;
        assert_eq!(kept(body, "a, b,nothing").unwrap(), br#"{"b":{"z":"\/","a":2},"a":[1]}"#);
        assert_eq!(kept(body, "x").unwrap(), b"{}");
        assert_eq!(kept(b"[1]", "x"), None);
    }

    #[test]
    fn the_last_of_a_name_counts() {
        assert_eq!(asked("a=1&_fields=id&_fields=id%2Ctitle", "_fields").as_deref(), Some("id,title"));
        assert_eq!(asked("_envelope=", "_envelope"), None);
    }
}
