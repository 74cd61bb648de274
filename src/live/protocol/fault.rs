//! The error codes of `live.md` 1.5: on the socket a frame, and for some a close; by HTTPS a status.

use domain::attempt::CommandRefusal;

use crate::error::Error;

/// A code of `live.md` 1.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Not JSON, no known `type`, a field of the wrong type.
    BadMessage,
    /// A command before `start`.
    NotStarted,
    /// A second `start`.
    AlreadyStarted,
    /// A grade outside 1 to 10.
    InvalidGrade,
    /// Mode, duration, count, ids.
    InvalidTest,
    /// `TEST_GATE=sign-in`, and nobody is.
    SignInRequired,
    /// There is no such session.
    UnknownSession,
    /// The token is not that of the session.
    BadToken,
    /// There is no such template.
    TemplateNotFound,
    /// Not on the paper, or of a finished stage.
    UnknownQuestion,
    /// Not `A` to `D` or null.
    InvalidAnswer,
    /// A drawing over its limit.
    TooLarge,
    /// A proctor has paused the test.
    Paused,
    /// After the deadline and its grace.
    Late,
    /// The test is over.
    AlreadySubmitted,
    /// Too many commands.
    RateLimited,
    /// Not saved yet.
    StorageUnavailable,
    /// A proctor's command before `watch`.
    NotWatching,
    /// A proctor who may not see the grade.
    Forbidden,
    /// A failure inside.
    Internal,
}

impl Code {
    /// As in the `error` frame.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BadMessage => "bad_message",
            Self::NotStarted => "not_started",
            Self::AlreadyStarted => "already_started",
            Self::InvalidGrade => "invalid_grade",
            Self::InvalidTest => "invalid_test",
            Self::SignInRequired => "sign_in_required",
            Self::UnknownSession => "unknown_session",
            Self::BadToken => "bad_token",
            Self::TemplateNotFound => "template_not_found",
            Self::UnknownQuestion => "unknown_question",
            Self::InvalidAnswer => "invalid_answer",
            Self::TooLarge => "too_large",
            Self::Paused => "paused",
            Self::Late => "late",
            Self::AlreadySubmitted => "already_submitted",
            Self::RateLimited => "rate_limited",
            Self::StorageUnavailable => "storage_unavailable",
            Self::NotWatching => "not_watching",
            Self::Forbidden => "forbidden",
            Self::Internal => "internal",
        }
    }

    /// The close code of a socket, for those that close it at once.
    #[must_use]
    pub const fn close_code(self) -> Option<u16> {
        match self {
            Self::SignInRequired => Some(4401),
            Self::BadToken => Some(4403),
            Self::UnknownSession | Self::TemplateNotFound => Some(4404),
            _ => None,
        }
    }
}

/// What is wrong with a frame or a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which kind.
    pub code: Code,
    /// What is wrong, in a sentence.
    pub error: String,
    /// The command's number, when it could be read.
    pub seq: Option<u64>,
}

impl Fault {
    /// Without a number.
    pub fn new(code: Code, error: impl Into<String>) -> Self {
        Self { code, error: error.into(), seq: None }
    }

    /// Of the command with this number.
    #[must_use]
    pub fn of(self, seq: u64) -> Self {
        Self { seq: Some(seq), ..self }
    }

    /// The store could not be reached.
    #[must_use]
    pub fn storage() -> Self {
        Self::new(Code::StorageUnavailable, "The server cannot save at the moment; it keeps trying")
    }

    /// There is no such session.
    #[must_use]
    pub fn unknown_session() -> Self {
        Self::new(Code::UnknownSession, "There is no such session")
    }

    /// There is no such template.
    #[must_use]
    pub fn template_not_found() -> Self {
        Self::new(Code::TemplateNotFound, "There is no such template")
    }

    /// A failure inside, which has been logged.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(Code::Internal, "Internal server error")
    }
}

impl From<CommandRefusal> for Fault {
    fn from(refusal: CommandRefusal) -> Self {
        match refusal {
            CommandRefusal::UnknownQuestion => {
                Self::new(Code::UnknownQuestion, "The question is not on the paper, or its stage is finished")
            }
            CommandRefusal::Paused => Self::new(Code::Paused, "The test is paused: send this again when it goes on"),
            CommandRefusal::Late => Self::new(Code::Late, "The time is up"),
            CommandRefusal::AlreadySubmitted => Self::new(Code::AlreadySubmitted, "The test has been submitted"),
            CommandRefusal::NoSecondStage => Self::new(Code::InvalidTest, "Only an adaptive test has a second stage"),
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault.code {
            Code::SignInRequired => Self::Unauthorized,
            Code::UnknownSession => Self::NotFound("Session not found"),
            Code::TemplateNotFound => Self::NotFound("Not found"),
            Code::BadToken => Self::Forbidden("Wrong token"),
            Code::StorageUnavailable => Self::Unavailable("The server cannot save at the moment"),
            Code::RateLimited => Self::TooMany(1),
            Code::Internal => Self::internal(fault.error),
            _ => Self::Invalid(fault.error),
        }
    }
}
