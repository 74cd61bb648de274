//! Why a call of the external data provider failed, and which error the caller gets. Messages of the service are passed
//! on only with 400, 404 and 409; all other failures are 502, 503 or 504, since they may reveal its inner workings.

use std::time::Duration;

use actix_web::http::StatusCode as Told;
use reqwest::StatusCode;
use serde::Deserialize;
use thiserror::Error as ThisError;

use crate::error::{Error, UNAVAILABLE};
use crate::outgoing::kind::Judgement;

/// The message of 502.
pub const FAILED: &str = "External data provider failed";
/// The message of 504.
pub const TIMED_OUT: &str = "External data provider timed out";
/// The message of a 404 that has none of its own.
const NOT_FOUND: &str = "Not found";
/// Characters of a message that is passed on. It is meant to be one sentence for people to read.
const MESSAGE_CHARACTERS_MAX: usize = 500;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum ProviderFailure {
    /// An argument cannot be part of an address, so the service cannot have what it names.
    #[error("it cannot be addressed")]
    Unaddressable,
    /// Too many calls are waiting already.
    #[error("too many calls are waiting")]
    Busy,
    /// No answer came in time.
    #[error("no answer in time")]
    Slow,
    /// Nothing was sent.
    #[error("no connection: {0}")]
    NotConnected(String),
    /// The connection broke before the answer was complete.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// The answer does not follow the contract.
    #[error("the answer is not as the contract has it")]
    Unreadable,
    /// A status other than 2xx, with the service's message and its `Retry-After`.
    #[error("status {0}")]
    Status(StatusCode, Option<String>, Option<Duration>),
}

impl ProviderFailure {
    /// Returns whether another attempt may succeed. A call that never arrived can always be repeated, any other only
    /// when it is repeatable.
    pub fn may_pass(&self, is_repeatable: bool) -> bool {
        match self {
            Self::NotConnected(_) => true,
            Self::Broken(_) => is_repeatable,
            Self::Status(status, ..) => {
                is_repeatable && status.is_server_error() && *status != StatusCode::NOT_IMPLEMENTED
            }
            Self::Unaddressable | Self::Busy | Self::Slow | Self::Unreadable => false,
        }
    }

    /// Returns whether the service has answered as the contract allows. It may also have answered that it has no such
    /// call.
    pub fn is_an_answer(&self) -> bool {
        use StatusCode as S;
        matches!(
            self,
            Self::Status(
                S::BAD_REQUEST
                    | S::NOT_FOUND
                    | S::CONFLICT
                    | S::METHOD_NOT_ALLOWED
                    | S::NOT_IMPLEMENTED
                    | S::PAYLOAD_TOO_LARGE
                    | S::UNPROCESSABLE_ENTITY,
                ..
            )
        )
    }

    /// Returns whether the service has answered that there is no such thing (404).
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Status(StatusCode::NOT_FOUND, ..))
    }

    /// Returns whether the service has answered that the present state forbids it (409).
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Status(StatusCode::CONFLICT, ..))
    }

    /// Returns whether the service has answered that it has no such call (405 or 501).
    pub fn has_no_such_call(&self) -> bool {
        matches!(self, Self::Status(StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED, ..))
    }

    /// The status of the answer, if there was one.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Status(status, ..) => Some(status.as_u16()),
            _ => None,
        }
    }
}

impl From<ProviderFailure> for Error {
    fn from(failure: ProviderFailure) -> Self {
        match failure {
            ProviderFailure::Unaddressable => Self::Passed(Told::NOT_FOUND, NOT_FOUND.to_owned()),
            ProviderFailure::Busy => Self::Unavailable(UNAVAILABLE),
            ProviderFailure::Slow => Self::GatewayTimeout(TIMED_OUT),
            ProviderFailure::Status(StatusCode::BAD_REQUEST, Some(message), _) => {
                Self::Passed(Told::BAD_REQUEST, message)
            }
            ProviderFailure::Status(StatusCode::CONFLICT, Some(message), _) => Self::Passed(Told::CONFLICT, message),
            ProviderFailure::Status(StatusCode::NOT_FOUND, message, _) => {
                Self::Passed(Told::NOT_FOUND, message.unwrap_or_else(|| NOT_FOUND.to_owned()))
            }
            ProviderFailure::NotConnected(_)
            | ProviderFailure::Broken(_)
            | ProviderFailure::Unreadable
            | ProviderFailure::Status(..) => Self::BadGateway(FAILED),
        }
    }
}

impl From<Result<(), ProviderFailure>> for Judgement {
    fn from(result: Result<(), ProviderFailure>) -> Self {
        use StatusCode as S;
        match result {
            Ok(()) => Self::Accepted,
            Err(ProviderFailure::Status(
                status @ (S::BAD_REQUEST | S::CONFLICT | S::PAYLOAD_TOO_LARGE | S::UNPROCESSABLE_ENTITY),
                message,
                _,
            )) => Self::Refused(message.unwrap_or_else(|| format!("status {}", status.as_u16()))),
            Err(ProviderFailure::Status(status, _, retry_after)) => {
                Self::Again { reason: format!("status {}", status.as_u16()), retry_after }
            }
            Err(failure) => Self::Again { reason: failure.to_string(), retry_after: None },
        }
    }
}

/// Returns the message of an error's body, if it can be shown to people.
pub fn message(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Refusal {
        error: String,
    }
    serde_json::from_slice(body).ok().and_then(|Refusal { error }| sentence(&error))
}

/// Returns a text of another service if it can be shown to people: neither empty nor long, and without control
/// characters.
pub fn sentence(text: &str) -> Option<String> {
    let text = text.trim();
    let is_sound =
        !text.is_empty() && text.chars().count() <= MESSAGE_CHARACTERS_MAX && !text.chars().any(char::is_control);
    is_sound.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::ResponseError;

    fn told(status: u16, body: &str) -> (u16, String) {
        let failure = ProviderFailure::Status(StatusCode::from_u16(status).unwrap(), message(body.as_bytes()), None);
        let error = Error::from(failure);
        (error.status_code().as_u16(), error.to_string())
    }

    #[test]
    fn what_the_contract_knows_is_passed_on() {
        for status in [400, 404, 409] {
            assert_eq!(told(status, r#"{"error":"No such thing"}"#), (status, "No such thing".to_owned()));
        }
        assert_eq!(told(404, "<html>"), (404, "Not found".to_owned()));
        let long = format!(r#"{{"error":"{}"}}"#, "x".repeat(501));
        for body in [
            "<html>",
            "",
            "{}",
            r#"{"error":5}"#,
            r#"{"error":" "}"#,
            r#"{"error":"a\u0000b"}"#,
            r#"{"error":"a\nb"}"#,
            &long,
        ] {
            assert_eq!(told(400, body), (502, FAILED.to_owned()), "{body}");
            assert_eq!(told(409, body), (502, FAILED.to_owned()), "{body}");
        }
        for status in [301, 401, 403, 405, 410, 413, 429, 500, 501, 503] {
            assert_eq!(told(status, r#"{"error":"Secret"}"#), (502, FAILED.to_owned()), "{status}");
        }
        assert_eq!(Error::from(ProviderFailure::Slow).status_code().as_u16(), 504);
        assert_eq!(Error::from(ProviderFailure::Busy).status_code().as_u16(), 503);
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let status = |code| ProviderFailure::Status(StatusCode::from_u16(code).unwrap(), None, None);
        for code in [500, 502, 503, 504] {
            assert!(status(code).may_pass(true) && !status(code).may_pass(false), "{code}");
        }
        for code in [400, 401, 404, 409, 429, 501] {
            assert!(!status(code).may_pass(true), "{code}");
        }
        let (lost, broken) = (ProviderFailure::NotConnected(String::new()), ProviderFailure::Broken(String::new()));
        assert!(lost.may_pass(false) && broken.may_pass(true) && !broken.may_pass(false));
        assert!(!ProviderFailure::Slow.may_pass(true) && !ProviderFailure::Unreadable.may_pass(true));
    }

    #[test]
    fn what_is_sent_is_accepted_refused_or_waits() {
        let sent = |code, message: Option<&str>, after| {
            Judgement::from(Err(ProviderFailure::Status(
                StatusCode::from_u16(code).unwrap(),
                message.map(str::to_owned),
                after,
            )))
        };
        assert_eq!(Judgement::from(Ok(())), Judgement::Accepted);
        assert_eq!(sent(422, Some("Bad"), None), Judgement::Refused("Bad".to_owned()));
        assert_eq!(sent(413, None, None), Judgement::Refused("status 413".to_owned()));
        let after = Some(Duration::from_secs(7));
        assert_eq!(sent(503, None, after), Judgement::Again { reason: "status 503".to_owned(), retry_after: after });
        for code in [401, 404, 429, 500] {
            assert!(matches!(sent(code, Some("Not now"), None), Judgement::Again { .. }), "{code}");
        }
        assert!(matches!(Judgement::from(Err(ProviderFailure::Slow)), Judgement::Again { retry_after: None, .. }));
    }
}
