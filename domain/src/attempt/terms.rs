//! What is agreed at the start of an attempt, and how it can end: apart from what happens in between.

use std::sync::Arc;

use uuid::Uuid;

use super::Mode;
use crate::grade::Grade;
use crate::time::moment::Moment;

/// Who ended an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The student submitted.
    Student,
    /// The time was up.
    Deadline,
    /// A proctor ordered it.
    Proctor,
}

impl Reason {
    /// `student`, `deadline` or `proctor`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Deadline => "deadline",
            Self::Proctor => "proctor",
        }
    }

    /// The reason of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Student, Self::Deadline, Self::Proctor].into_iter().find(|reason| reason.name() == name)
    }
}

/// What was agreed at the start and never changes.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Also the id of the stored session.
    pub session_id: Uuid,
    /// The grade tested.
    pub grade: Grade,
    /// One stage or two.
    pub mode: Mode,
    /// Whole minutes.
    pub duration_minutes: u32,
    /// The server's time of the start.
    pub started_at: Moment,
    /// The caller's object, as JSON text.
    pub annotations: Box<str>,
    /// Where the completion is told.
    pub webhook_url: Option<Box<str>>,
    /// What the report's link begins with.
    pub base_url: Box<str>,
    /// The template that it was started from.
    pub template_id: Option<Uuid>,
    /// How proctors are told who it is.
    pub student: Arc<str>,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who ended it.
    pub reason: Reason,
    /// When it ended.
    pub at: Moment,
}
