//! The errors of all routes: one variant for each meaning in HTTP, and the answer that a caller gets. The messages are
//! constants beside the features that raise them.

use actix_web::http::StatusCode;
use actix_web::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use thiserror::Error as ThisError;
use utoipa::ToSchema;

use crate::database::failure::DatabaseFailure;

/// The body of every error.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong, in one sentence.
    pub error: String,
    /// `read_only` while the server only reads (`READ_ONLY`); other errors have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub code: Option<&'static str>,
}

#[derive(Debug, ThisError)]
pub enum Error {
    /// 400: the request is malformed; the message names what is wrong.
    #[error("{0}")]
    Invalid(String),
    /// 401: the caller is not signed in, or their credential is not valid.
    #[error("Unauthorized")]
    Unauthorized,
    /// 403: the caller is known, but not allowed.
    #[error("{0}")]
    Forbidden(&'static str),
    /// 404: the thing does not exist.
    #[error("{0}")]
    NotFound(&'static str),
    /// 405: the path exists, but not with this method.
    #[error("Method not allowed")]
    MethodNotAllowed,
    /// 408: the body came too slowly.
    #[error("Request body took too long")]
    TooSlow,
    /// 409: the change conflicts with the present state.
    #[error("{0}")]
    Conflict(&'static str),
    /// 412: the thing is no longer the version that the request names.
    #[error("{0}")]
    Outdated(&'static str),
    /// 413: the body exceeds its limit.
    #[error("Request body too large")]
    TooLarge,
    /// 422: the request is well-formed, but contradicts an earlier one.
    #[error("{0}")]
    Contradictory(&'static str),
    /// 429: too many requests; the number of seconds after which to try again.
    #[error("Too many requests")]
    TooMany(u64),
    /// 500 with a message that the contract prescribes.
    #[error("{0}")]
    Failed(&'static str),
    /// 502: a service that this one calls has failed.
    #[error("{0}")]
    BadGateway(&'static str),
    /// 504: a service that this one calls did not answer in time.
    #[error("{0}")]
    GatewayTimeout(&'static str),
    /// 501: not possible with the configured data provider.
    #[error("{0}")]
    NotHere(&'static str),
    /// An answer of the external data provider that is passed on: 400, 404 or 409 with its own message.
    #[error("{1}")]
    Passed(StatusCode, String),
    /// 503: not now; the caller should try again after a few seconds.
    #[error("{0}")]
    Unavailable(&'static str),
    /// 503: the database is away, busy, full or read only.
    #[error("{UNAVAILABLE}")]
    NoDatabase,
    /// 503: the server only reads (`READ_ONLY`).
    #[error("{READ_ONLY}")]
    ReadOnly,
    /// 500: an internal failure. Its cause is logged, and the caller is not shown it.
    #[error("Internal server error")]
    Internal(#[source] Cause),
}

pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// For a caller whose role is too low.
pub const FORBIDDEN: &str = "Forbidden";
/// For a database that is unavailable.
pub const UNAVAILABLE: &str = "The service is unavailable at the moment";
/// For a change while the server only reads.
pub const READ_ONLY: &str = "Nothing can be saved at the moment: the service is under maintenance and only reads";
/// The same for programs.
pub const READ_ONLY_CODE: &str = "read_only";

/// Sent as `Retry-After` with 503.
const RETRY_SECONDS: u64 = 5;
/// The same while the server only reads: a maintenance takes minutes, and who has been sent away comes all at once.
const READ_ONLY_RETRY_SECONDS: u64 = 30;

impl Error {
    /// 400 `Invalid <field>`.
    #[must_use]
    pub fn invalid(field: &str) -> Self {
        Self::Invalid(format!("Invalid {field}"))
    }

    /// A copy of the error for another of the callers who waited for the same answer. The cause of an internal error
    /// can't be cloned, so it is copied as text.
    #[must_use]
    pub fn shared(&self) -> Self {
        match self {
            Self::NotFound(message) => Self::NotFound(message),
            Self::Forbidden(message) => Self::Forbidden(message),
            Self::Conflict(message) => Self::Conflict(message),
            Self::Unavailable(message) => Self::Unavailable(message),
            Self::NoDatabase => Self::NoDatabase,
            Self::ReadOnly => Self::ReadOnly,
            Self::BadGateway(message) => Self::BadGateway(message),
            Self::GatewayTimeout(message) => Self::GatewayTimeout(message),
            Self::Passed(status, message) => Self::Passed(*status, message.clone()),
            error => Self::internal(format!("{error:?}")),
        }
    }

    /// Returns whether the server itself has failed. Not its own failures are a 500 that the contract prescribes for a
    /// bad request, a 503 that asks to come again later, and those of services that this one calls, which are logged
    /// where they are called.
    #[must_use]
    pub fn is_own_failure(&self) -> bool {
        matches!(self, Self::Internal(_))
    }

    pub fn internal(cause: impl Into<Cause>) -> Self {
        Self::Internal(cause.into())
    }
}

impl From<sea_orm::DbErr> for Error {
    fn from(cause: sea_orm::DbErr) -> Self {
        if DatabaseFailure::of(&cause) == DatabaseFailure::Unavailable {
            tracing::warn!(%cause, "the database is unavailable");
            return Self::NoDatabase;
        }
        Self::internal(cause)
    }
}

impl From<serde_json::Error> for Error {
    fn from(cause: serde_json::Error) -> Self {
        Self::internal(cause)
    }
}

impl ResponseError for Error {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Outdated(_) => StatusCode::PRECONDITION_FAILED,
            Self::BadGateway(_) => StatusCode::BAD_GATEWAY,
            Self::GatewayTimeout(_) => StatusCode::GATEWAY_TIMEOUT,
            Self::NotHere(_) => StatusCode::NOT_IMPLEMENTED,
            Self::Passed(status, _) => *status,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Contradictory(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Failed(_) | Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unavailable(_) | Self::NoDatabase | Self::ReadOnly => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        match self {
            Self::TooMany(seconds) => drop(response.insert_header((RETRY_AFTER, seconds.to_string()))),
            Self::Unavailable(_) | Self::NoDatabase => {
                response.insert_header((RETRY_AFTER, RETRY_SECONDS.to_string()));
            }
            Self::ReadOnly => drop(response.insert_header((RETRY_AFTER, READ_ONLY_RETRY_SECONDS.to_string()))),
            Self::Unauthorized => drop(response.insert_header((WWW_AUTHENTICATE, "Bearer"))),
            _ => {}
        }
        let code = matches!(self, Self::ReadOnly).then_some(READ_ONLY_CODE);
        response.json(ErrorBody { error: self.to_string(), code })
    }
}
