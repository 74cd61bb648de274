//! Frames from students as typed messages. Values of these types have been checked: no code behind them reads JSON
//! again.

use std::sync::Arc;

use domain::attempt::{AnswerChange, Mode, Troubles};
use domain::grade::Grade;
use domain::question_types::QuestionTypes;
use domain::sitting::code::{AccessCode, SittingCode};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::fault::Fault;

#[derive(Debug)]
pub enum StudentFrame {
    Start(Box<Start>),
    Enter(Box<Enter>),
    Resume {
        session_id: Uuid,
        token: String,
        /// That the device says it has; 0 for none yet.
        line: Option<u16>,
    },
    Command(StudentCommand),
    /// `sync`, with the number to return as it came.
    Sync(Box<str>),
    Focus {
        /// Whether the page has lost the focus.
        away: bool,
    },
    /// What the page reports about the computer.
    Trouble(Troubles),
    /// Asks for a receipt of what is saved.
    Receipt,
}

/// The body of a request with commands.
#[derive(Clone, Debug)]
pub struct StudentRequest {
    /// Each is a command, or what is wrong with it.
    pub commands: Vec<Result<StudentCommand, Fault>>,
    /// What the page reports about the computer, if it says anything about that.
    pub troubles: Option<Troubles>,
}

/// A command with its number.
#[derive(Clone, Debug)]
pub struct StudentCommand {
    /// Chosen by the client, in the order of the student's actions.
    pub seq: u64,
    /// Of the device; 0 if the client knows no lines.
    pub line: u16,
    /// When the student acted by the server's clock, as the client estimates it. Only shown, and only of late work.
    pub at: Option<Moment>,
    pub action: Action,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// `answer`, `mark`, `eliminate`, `visit` or `drawing`.
    Change {
        question_id: Box<str>,
        change: AnswerChange,
        /// The drawing itself, as JSON; `change` only says whether there is one.
        drawing: Option<Arc<str>>,
    },
    /// `ready`: a part of the sealed paper is there, and this is the SHA-256 of its bytes in hexadecimal digits.
    Ready(Box<str>),
    Next,
    Submit,
}

#[derive(Debug)]
pub struct Start {
    pub test: Test,
    /// An object of the caller's own, as JSON text.
    pub annotations: Box<str>,
    /// Where the end of the test is posted.
    pub webhook_url: Option<Box<str>>,
    /// The beginning of the report's link; `AUTH_URL` if there is none.
    pub base_url: Option<Box<str>>,
    /// Makes the start repeatable (`docs/decisions/0004-start-tokens-from-key-and-salt.md`).
    pub key: Option<String>,
}

impl Start {
    /// Whether a code was typed, which may have to wait for its turn.
    #[must_use]
    pub const fn has_code(&self) -> bool {
        matches!(self.test, Test::OfTemplate { access_code: Some(_), .. })
    }
}

/// What a candidate says to enter a sitting.
#[derive(Debug)]
pub struct Enter {
    pub sitting: SittingName,
    /// The candidate's own code; without one the candidate is known by sign-in.
    pub access: Option<AccessCode>,
    /// Makes the entry repeatable, as with a start.
    pub key: Option<String>,
}

/// How a client names a sitting.
#[derive(Debug)]
pub enum SittingName {
    Id(Uuid),
    Code(SittingCode),
}

#[derive(Debug)]
pub enum Test {
    OfGrade {
        grade: Grade,
        mode: Mode,
        /// As the client has sent it; its range is not checked yet.
        duration_minutes: i64,
        /// As the client has sent it; its range is not checked yet. `None` leaves it to the duration.
        question_count: Option<i64>,
        /// The client's own choice of questions, instead of a count.
        question_ids: Option<Vec<String>>,
        /// Those that the paper is drawn from.
        types: QuestionTypes,
        /// Whether the student sees options in an order of their own.
        shuffle_options: bool,
    },
    /// The fields that describe a test of a grade are ignored.
    OfTemplate {
        template_id: Uuid,
        /// What was typed as the template's code.
        access_code: Option<String>,
    },
}
