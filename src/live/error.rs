//! The errors of live exams over HTTPS: those of all routes, and a `code` beside the sentence, as on the sockets
//! (`docs/live-protocol.md#errors`).

use std::fmt;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::{Error as ActixError, HttpResponse, ResponseError};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use super::protocol::fault::{Code, Fault};
use crate::error::{Error, FORBIDDEN};
use crate::http::fallback::NOT_FOUND;
use crate::sessions::versions::SESSION_CHANGED;
use crate::sittings::SITTING_ENDED;
use crate::templates::NOT_OPEN;

/// The body of every error of a live exam.
#[derive(Serialize, ToSchema)]
pub struct LiveErrorBody {
    /// What is wrong, in one sentence.
    pub error: String,
    /// The same for programs, such as `unknown_session`.
    #[schema(value_type = Code)]
    pub code: String,
    /// With `not_open`: when the doors of the sitting open.
    #[serde(rename = "doorsAt", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime, nullable = false)]
    pub doors_at: Option<Moment>,
    /// With `not_open` of a template that says so itself: when it opens.
    #[serde(rename = "opensAt", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime, nullable = false)]
    pub opens_at: Option<Moment>,
    /// With `closed`: when the template closed.
    #[serde(rename = "closesAt", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime, nullable = false)]
    pub closes_at: Option<Moment>,
}

/// When something opens or has closed that is shut.
#[derive(Clone, Copy, Debug, Default)]
struct ShutTimes {
    doors_at: Option<Moment>,
    opens_at: Option<Moment>,
    closes_at: Option<Moment>,
}

/// An error with the code that the sockets have for it.
#[derive(Debug)]
pub struct LiveError {
    code: Code,
    shut: ShutTimes,
    /// Replaces the sentence of the error when the fault has a better one.
    sentence: Option<String>,
    /// Decides on the status and the headers, and keeps the cause for the log.
    error: ActixError,
}

impl LiveError {
    #[must_use]
    pub fn is(&self, code: Code) -> bool {
        self.code == code
    }

    /// For a request without the session's token.
    #[must_use]
    pub fn without_token() -> Self {
        Self { code: Code::BadToken, shut: ShutTimes::default(), sentence: None, error: Error::Unauthorized.into() }
    }
}

impl fmt::Display for LiveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sentence {
            Some(sentence) => formatter.write_str(sentence),
            None => self.error.fmt(formatter),
        }
    }
}

impl From<Fault> for LiveError {
    fn from(fault: Fault) -> Self {
        let (code, error) = (fault.code, Error::from(fault.clone()));
        let shut = ShutTimes { doors_at: fault.doors_at, opens_at: fault.opens_at, closes_at: fault.closes_at };
        // The other codes have sentences that are contracts of their routes.
        let is_own = matches!(
            code,
            Code::Forbidden
                | Code::BadCode
                | Code::IdReused
                | Code::TooLittleTime
                | Code::NothingToUndo
                | Code::NotSubmitted
                | Code::Released
                | Code::TooOld
                | Code::AnswersSeen
                | Code::AlreadySubmitted
                | Code::EntryClosed
                | Code::NotBegun
                | Code::NotExpected
                | Code::LateAccepted
                | Code::LateWorkChanged
                | Code::NothingLate
                | Code::FileAltered
                | Code::TooLarge
                | Code::FileOfOtherSession
                | Code::FileOfOtherServer
                | Code::FileKnown
                | Code::Closed
                | Code::NotForAccount
                | Code::CodeRequired
                | Code::WrongCode
                | Code::NoAttemptsLeft
        );
        // A template that opens by itself says so in its own words.
        let is_own = is_own || fault.opens_at.is_some();
        Self { code, shut, sentence: is_own.then_some(fault.error), error: error.into() }
    }
}

impl From<Error> for LiveError {
    fn from(error: Error) -> Self {
        Self { code: code_of(&error), shut: ShutTimes::default(), sentence: None, error: error.into() }
    }
}

/// For what an extractor has refused.
impl From<ActixError> for LiveError {
    fn from(error: ActixError) -> Self {
        let code = error.as_error().map_or(Code::BadMessage, code_of);
        Self { code, shut: ShutTimes::default(), sentence: None, error }
    }
}

const fn code_of(error: &Error) -> Code {
    match error {
        Error::Unauthorized => Code::SignInRequired,
        Error::Forbidden(_) => Code::Forbidden,
        Error::NotFound(_) => Code::UnknownSession,
        Error::TooLarge => Code::TooLarge,
        Error::TooMany(_) => Code::RateLimited,
        Error::Unavailable(_) | Error::NoDatabase | Error::BadGateway(_) | Error::GatewayTimeout(_) => {
            Code::StorageUnavailable
        }
        Error::ReadOnly => Code::ReadOnly,
        Error::Failed(_) | Error::NotHere(_) | Error::Internal(_) => Code::Internal,
        Error::Invalid(_)
        | Error::MethodNotAllowed
        | Error::TooSlow
        | Error::Conflict(_)
        | Error::Contradictory(_)
        | Error::Passed(..) => Code::BadMessage,
        Error::Outdated(_) => Code::SessionChanged,
    }
}

impl ResponseError for LiveError {
    fn status_code(&self) -> StatusCode {
        self.error.as_response_error().status_code()
    }

    fn error_response(&self) -> HttpResponse {
        let ShutTimes { doors_at, opens_at, closes_at } = self.shut;
        let (error, code) = (self.to_string(), self.code.name().to_owned());
        let body = LiveErrorBody { error, code, doors_at, opens_at, closes_at };
        let answer = self.error.error_response();
        // None of these bodies can fail to serialise, so the default is never used.
        answer.set_body(BoxBody::new(serde_json::to_string(&body).unwrap_or_default()))
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault.code {
            Code::SignInRequired => Self::Unauthorized,
            Code::UnknownSession => Self::NotFound("Session not found"),
            Code::TemplateNotFound | Code::SittingNotFound => Self::NotFound(NOT_FOUND),
            Code::UnknownCandidate => Self::NotFound("Candidate not found"),
            Code::SittingEnded => Self::Conflict(SITTING_ENDED),
            Code::BadToken => Self::Forbidden("Wrong token"),
            Code::Forbidden
            | Code::BadCode
            | Code::EntryClosed
            | Code::NotExpected
            | Code::Closed
            | Code::NotForAccount
            | Code::CodeRequired
            | Code::WrongCode
            | Code::NoAttemptsLeft => Self::Forbidden(FORBIDDEN),
            Code::NotOpen => Self::Forbidden(NOT_OPEN),
            Code::TooLarge => Self::TooLarge,
            Code::LateWorkChanged => Self::Outdated("More late work has come"),
            Code::SessionChanged => Self::Outdated(SESSION_CHANGED),
            Code::IdReused
            | Code::AlreadySubmitted
            | Code::AnswersSeen
            | Code::FileKnown
            | Code::FileOfOtherServer
            | Code::FileOfOtherSession
            | Code::NotBegun
            | Code::LateAccepted
            | Code::NothingLate
            | Code::NothingToUndo
            | Code::NotSubmitted
            | Code::Released
            | Code::TooLittleTime
            | Code::TooOld => Self::Conflict("The request conflicts with an earlier one"),
            Code::StorageUnavailable => Self::Unavailable("The server cannot save at the moment"),
            Code::ReadOnly => Self::ReadOnly,
            Code::RateLimited => Self::TooMany(1),
            Code::Internal => Self::internal(fault.error),
            _ => Self::Invalid(fault.error),
        }
    }
}
