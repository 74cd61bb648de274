//! What is fixed when an attempt starts, and how it can end. What happens in between is in `domain/src/attempt.rs`.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Mode;
use crate::calculator::Calculator;
use crate::form::FormLetter;
use crate::grade::Grade;
use crate::mark::MarkScale;
use crate::question_types::QuestionTypes;
use crate::time::moment::Moment;

/// What ended an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = EndReason)]
pub enum Reason {
    /// The student submitted it.
    Student,
    /// The time was up.
    Deadline,
    /// A proctor ended it.
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

    /// Parses a reason's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Student, Self::Deadline, Self::Proctor].into_iter().find(|reason| reason.name() == name)
    }
}

/// Whose attempt it is, in which sitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SittingPlace {
    /// The sitting.
    pub sitting_id: Uuid,
    /// The candidate, who has one attempt there.
    pub candidate_id: Uuid,
}

/// What is fixed at the start and never changes.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The attempt's id; the stored session keeps it.
    pub session_id: Uuid,
    /// The grade of the test.
    pub grade: Grade,
    /// One stage or two.
    pub mode: Mode,
    /// The duration in whole minutes, without extensions.
    pub duration_minutes: u32,
    /// The calculator that the student may use.
    pub calculator: Calculator,
    /// The types of questions that stage 2 is drawn from, unless a template has fixed it.
    pub types: QuestionTypes,
    /// Whether stage 2 shows options in an order of the attempt's own, unless a template has fixed it.
    pub shuffles: bool,
    /// The caller's `annotations`, a JSON object as text.
    pub annotations: Box<str>,
    /// Where the webhook is sent when the test ends.
    pub webhook_url: Option<Box<str>>,
    /// The base URL of the report's link.
    pub base_url: Box<str>,
    /// The template that the test was started from.
    pub template_id: Option<Uuid>,
    /// The name that proctors see for the student.
    pub student: Arc<str>,
    /// The e-mail of the person who was signed in at the start.
    pub account: Option<Arc<str>>,
    /// Its place in a sitting; `None` for a test that anyone may take at any time.
    pub sitting: Option<SittingPlace>,
    /// Which form of the template it is of; `None` where there is only one.
    pub form: Option<FormLetter>,
    /// By which scale its result is marked; `None` in a sitting, which has one for all.
    pub mark_scale: Option<Arc<MarkScale>>,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// What ended it.
    pub reason: Reason,
    /// When it ended.
    pub at: Moment,
}
