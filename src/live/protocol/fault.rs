//! The error codes of the live protocol (`docs/live-protocol.md#errors`). On the socket each is a frame, and for some
//! also a close; over HTTPS it is a status.

use domain::attempt::CommandRefusal;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LiveErrorCode)]
pub enum Code {
    /// Not JSON, no known `type`, or a field of the wrong type.
    BadMessage,
    /// A command before `start` or `resume`.
    NotStarted,
    /// A second `start` or `resume` on one socket.
    AlreadyStarted,
    /// A grade outside 1 to 10.
    InvalidGrade,
    /// The test cannot be made as described, or it has no second stage.
    InvalidTest,
    /// `TEST_GATE=sign-in`, and the caller is not signed in.
    SignInRequired,
    UnknownSession,
    /// Not the token of this session.
    BadToken,
    TemplateNotFound,
    /// The exam of the event that the start names, or of its template's events, has not opened yet, or the template
    /// itself.
    NotOpen,
    /// The template has closed.
    Closed,
    /// The template is for others than the account that is signed in.
    NotForAccount,
    /// The template needs a code, and none was sent.
    CodeRequired,
    /// Not the code of the template.
    WrongCode,
    /// The account has begun as many tests of the template as it may.
    NoAttemptsLeft,
    /// The entry into the sitting is over.
    EntryClosed,
    /// No such sitting, or not on its roster, or a wrong code.
    NotExpected,
    /// Not on the paper, or of a finished stage.
    UnknownQuestion,
    /// Not `A` to `D`, no text of 1 to 32 characters where a number is asked, and not null.
    InvalidAnswer,
    /// A drawing over its limit.
    TooLarge,
    /// A proctor has paused the test. The command may be sent again when it continues.
    Paused,
    /// Before the beginning. The command may be sent again after it.
    NotBegun,
    /// After the deadline and its grace.
    Late,
    AlreadySubmitted,
    /// More late work has come than the caller has seen.
    LateWorkChanged,
    /// The session has another version than the one that is meant.
    SessionChanged,
    /// There is no late work that could be decided about so.
    NothingLate,
    /// Late work of the test that is to go on counts already.
    LateAccepted,
    /// A file with late work has been changed, or its key is not that of its device.
    FileAltered,
    /// A file with late work is of another session than it is handed in for, or of a device that is no longer one of
    /// it.
    FileOfOtherSession,
    /// A file with late work was encrypted for another server.
    FileOfOtherServer,
    /// A file with late work has been handed in before.
    FileKnown,
    /// A device of a newer line has set the value.
    SupersededBy,
    /// Too many commands, or too many starts from one address. They may be sent again.
    RateLimited,
    /// The database cannot be reached. What was sent may or may not be saved.
    StorageUnavailable,
    /// The server only reads for a while, for a maintenance. It may be sent again.
    ReadOnly,
    /// No such sitting, or no such room in it.
    SittingNotFound,
    /// Not on the roster of the room.
    UnknownCandidate,
    /// The sitting is over.
    SittingEnded,
    /// A proctor's command before `watch`.
    NotWatching,
    /// The caller may not watch the grade, or it is not their test.
    Forbidden,
    /// The connection has used the `id` of a proctor's order for another order.
    IdReused,
    /// Minutes that are to be taken would leave somebody less than one.
    TooLittleTime,
    /// No order in the last ten minutes that could be taken back.
    NothingToUndo,
    /// The test that is to go on, or whose late work is asked for, has not ended.
    NotSubmitted,
    /// Its result has been released, or its sitting called off.
    Released,
    /// It ended more than 24 hours ago.
    TooOld,
    /// The student has been shown the right answers: a test would go on, or work that came after would count.
    AnswersSeen,
    /// No proctor's code, or one that has been used or is too old.
    BadCode,
    /// The server has failed and has logged why.
    Internal,
}

impl Code {
    /// The `code` of an `error` frame.
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
            Self::NotOpen => "not_open",
            Self::Closed => "closed",
            Self::NotForAccount => "not_for_account",
            Self::CodeRequired => "code_required",
            Self::WrongCode => "wrong_code",
            Self::NoAttemptsLeft => "no_attempts_left",
            Self::EntryClosed => "entry_closed",
            Self::NotExpected => "not_expected",
            Self::UnknownQuestion => "unknown_question",
            Self::InvalidAnswer => "invalid_answer",
            Self::TooLarge => "too_large",
            Self::Paused => "paused",
            Self::NotBegun => "not_begun",
            Self::Late => "late",
            Self::AlreadySubmitted => "already_submitted",
            Self::LateWorkChanged => "late_work_changed",
            Self::SessionChanged => "session_changed",
            Self::NothingLate => "nothing_late",
            Self::LateAccepted => "late_accepted",
            Self::FileAltered => "file_altered",
            Self::FileOfOtherSession => "file_of_other_session",
            Self::FileOfOtherServer => "file_of_other_server",
            Self::FileKnown => "file_known",
            Self::SupersededBy => "superseded_by",
            Self::RateLimited => "rate_limited",
            Self::StorageUnavailable => "storage_unavailable",
            Self::ReadOnly => "read_only",
            Self::SittingNotFound => "sitting_not_found",
            Self::UnknownCandidate => "unknown_candidate",
            Self::SittingEnded => "sitting_ended",
            Self::NotWatching => "not_watching",
            Self::Forbidden => "forbidden",
            Self::IdReused => "id_reused",
            Self::TooLittleTime => "too_little_time",
            Self::NothingToUndo => "nothing_to_undo",
            Self::NotSubmitted => "not_submitted",
            Self::Released => "released",
            Self::TooOld => "too_old",
            Self::AnswersSeen => "answers_seen",
            Self::BadCode => "bad_code",
            Self::Internal => "internal",
        }
    }

    /// The code with which the socket is closed at once. `None` if it stays open.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: Code,
    /// One sentence for the author of the client.
    pub error: String,
    /// The number of the command, when it could be read.
    pub seq: Option<u64>,
    /// When the doors of a sitting open.
    pub doors_at: Option<Moment>,
    /// When a template opens that has not opened yet.
    pub opens_at: Option<Moment>,
    /// When a template has closed.
    pub closes_at: Option<Moment>,
    /// Of a command that came too late: whether it is kept.
    pub kept: Option<bool>,
}

impl Fault {
    pub fn new(code: Code, error: impl Into<String>) -> Self {
        Self { code, error: error.into(), seq: None, doors_at: None, opens_at: None, closes_at: None, kept: None }
    }

    /// Names the command that the fault is about.
    #[must_use]
    pub fn of(self, seq: u64) -> Self {
        Self { seq: Some(seq), ..self }
    }

    #[must_use]
    pub fn storage() -> Self {
        Self::new(Code::StorageUnavailable, "The server cannot save at the moment; it keeps trying")
    }

    #[must_use]
    pub fn unknown_session() -> Self {
        Self::new(Code::UnknownSession, "There is no such session")
    }

    /// For whoever is on no roster. It does not say why: that would help only those who guess.
    #[must_use]
    pub fn not_expected() -> Self {
        Self::new(Code::NotExpected, "There is no such sitting, or the code is not that of one of its candidates")
    }

    #[must_use]
    pub fn template_not_found() -> Self {
        Self::new(Code::TemplateNotFound, "There is no such template")
    }

    /// For a failure that has been logged already.
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
            CommandRefusal::NotBegun => Self::new(Code::NotBegun, "The exam has not begun"),
            CommandRefusal::Late => Self::new(Code::Late, "The time is up"),
            CommandRefusal::AlreadySubmitted => Self::new(Code::AlreadySubmitted, "The test has been submitted"),
            CommandRefusal::NoSecondStage => Self::new(Code::InvalidTest, "Only an adaptive test has a second stage"),
            CommandRefusal::InvalidAnswer => {
                Self::new(Code::InvalidAnswer, "The question has options: the answer must be A, B, C, D or null")
            }
        }
    }
}
