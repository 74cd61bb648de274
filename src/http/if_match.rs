//! `If-Match`: the version of a thing that a change is meant for, so that two people who edit it at once do not
//! overwrite each other.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::IF_MATCH;
use actix_web::{FromRequest, HttpRequest};

use crate::error::Error;

/// The versions that a request names; `None` without the header, when whatever version there is will be changed.
pub struct IfMatch(Option<String>);

impl IfMatch {
    /// 412 with this message unless the request is meant for the present version.
    pub fn check(&self, version: i64, message: &'static str) -> Result<(), Error> {
        let Some(named) = &self.0 else { return Ok(()) };
        // A proxy that compresses an answer marks its tag as weak.
        let number = |tag: &str| tag.trim_start_matches("W/").trim_matches('"').parse::<i64>().ok();
        let is_meant = named.split(',').map(str::trim).any(|tag| tag == "*" || number(tag) == Some(version));
        if is_meant { Ok(()) } else { Err(Error::Outdated(message)) }
    }
}

impl FromRequest for IfMatch {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let values: Vec<String> =
            request.headers().get_all(IF_MATCH).map(|value| value.to_str().unwrap_or_default().to_owned()).collect();
        ready(Ok(Self((!values.is_empty()).then(|| values.join(",")))))
    }
}

/// The header by which a client learns the version.
#[must_use]
pub fn version_tag(version: i64) -> (&'static str, String) {
    ("ETag", format!("\"{version}\""))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    async fn is_meant(header: Option<&str>) -> bool {
        let request =
            header.map_or_else(TestRequest::default, |value| TestRequest::default().insert_header((IF_MATCH, value)));
        let found = IfMatch::from_request(&request.to_http_request(), &mut Payload::None).await.unwrap();
        found.check(7, "changed").is_ok()
    }

    #[actix_web::test]
    async fn only_the_present_version_is_changed() {
        for header in [None, Some("*"), Some("\"7\""), Some("W/\"7\""), Some("7"), Some("\"5\", \"7\"")] {
            assert!(is_meant(header).await, "{header:?}");
        }
        for header in [Some(""), Some("\"6\""), Some("\"77\""), Some("seven")] {
            assert!(!is_meant(header).await, "{header:?}");
        }
    }
}
