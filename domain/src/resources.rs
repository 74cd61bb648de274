//! What providers are given and give: the specification's resources as values, in the JSON that the routes of this
//! service and the external contract share (`assessment.md` 2.5 to 2.8).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::access::{Grades, Identity, User};
use crate::grade::Grade;
use crate::review::{ApprovalStatus, Change, ReviewStatus, Updates};
use crate::time::moment::Moment;

/// Where a row stands among others by a moment in milliseconds and, at the same moment, by its identifier.
pub type RowPosition = (i64, Uuid);

/// How many questions were new, and how many were there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteCounts {
    /// New ones.
    pub added: usize,
    /// Overwritten ones.
    pub updated: usize,
    /// A sentence for each row that an external service has not taken.
    pub errors: Vec<String>,
}

/// What someone has decided on a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Identifier of the question.
    pub question_id: String,
    /// The decision.
    pub status: ReviewStatus,
    /// The reviewer's e-mail.
    pub reviewed_by: String,
    /// The reviewer's name at that time.
    pub reviewed_by_name: String,
    /// When.
    pub reviewed_at: Moment,
    /// May be empty.
    pub note: String,
}

/// A review as JSON, below its question's id; of a question that was never reviewed only the status.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionReview {
    /// `approved`, `flagged` or `pending`.
    pub status: ReviewStatus,
    /// The reviewer's e-mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed_by: Option<String>,
    /// The reviewer's name at that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewed_by_name: Option<String>,
    /// When; ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub reviewed_at: Option<Moment>,
    /// May be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl QuestionReview {
    /// Of a question that was never reviewed.
    pub const NONE: Self = Self {
        status: ReviewStatus::Pending,
        reviewed_by: None,
        reviewed_by_name: None,
        reviewed_at: None,
        note: None,
    };

    /// The review of that question; `None` when it says nothing of when or by whom, as of one that was never reviewed.
    #[must_use]
    pub fn of(self, question_id: String) -> Option<Review> {
        Some(Review {
            question_id,
            status: self.status,
            reviewed_by: self.reviewed_by?,
            reviewed_by_name: self.reviewed_by_name.unwrap_or_default(),
            reviewed_at: self.reviewed_at?,
            note: self.note.unwrap_or_default(),
        })
    }
}

impl From<Review> for QuestionReview {
    fn from(review: Review) -> Self {
        Self {
            status: review.status,
            reviewed_by: Some(review.reviewed_by),
            reviewed_by_name: Some(review.reviewed_by_name),
            reviewed_at: Some(review.reviewed_at),
            note: Some(review.note),
        }
    }
}

/// An edit as it is logged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// Identifier of the edit.
    pub id: Uuid,
    /// Identifier of the question.
    pub question_id: String,
    /// Grade of the question when it was edited.
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    pub grade: Grade,
    /// The editor's e-mail.
    pub edited_by: String,
    /// The editor's name at that time.
    #[serde(default)]
    pub edited_by_name: String,
    /// When; ISO 8601.
    #[schema(value_type = String)]
    pub edited_at: Moment,
    /// Field by field.
    pub changes: Vec<Change>,
    /// May be empty.
    #[serde(default)]
    pub comment: String,
}

impl Edit {
    /// Where it stands.
    #[must_use]
    pub const fn place(&self) -> RowPosition {
        (self.edited_at.milliseconds(), self.id)
    }
}

/// What someone asks to be changed.
pub struct EditRequest<'a> {
    /// Identifier of the question.
    pub question_id: &'a str,
    /// Its grade.
    pub grade: Grade,
    /// The fields.
    pub updates: Updates,
    /// Why; may be empty.
    pub comment: String,
    /// Who asks.
    pub editor: &'a Identity,
}

/// Someone's grades.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    /// In lower case.
    pub email: String,
    /// As shown.
    #[serde(default)]
    pub name: String,
    /// At least one.
    #[schema(value_type = Vec<u8>)]
    pub grades: Grades,
    /// The admin's e-mail.
    #[serde(default)]
    pub assigned_by: String,
    /// When; ISO 8601.
    #[serde(default)]
    #[schema(value_type = String)]
    pub assigned_at: Moment,
}

/// What a manager has decided on a grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// 1 to 10.
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    pub grade: Grade,
    /// In lower case.
    pub manager_email: String,
    /// The manager's name at that time.
    #[serde(default)]
    pub manager_name: String,
    /// The decision.
    pub status: ApprovalStatus,
    /// Absent when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub comment: String,
    /// When; ISO 8601.
    #[schema(value_type = String)]
    pub decided_at: Moment,
}

/// What a list shows of a session (`assessment.md` 2.4).
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    /// Identifier.
    pub session_id: Uuid,
    /// 1 to 10.
    pub grade: i16,
    /// When the test ended; ISO 8601.
    #[schema(value_type = String)]
    pub timestamp: Moment,
    /// 200 to 800.
    pub score: i32,
    /// Answered correctly.
    pub correct_answers: i32,
    /// Questions of the test.
    pub total_questions: i32,
    /// Link of the report.
    pub report_url: String,
    /// Whether the receiver of the webhook has answered 2xx.
    pub webhook_sent: bool,
}

impl SessionSummary {
    /// Where it stands.
    #[must_use]
    pub const fn place(&self) -> RowPosition {
        (self.timestamp.milliseconds(), self.session_id)
    }
}

/// What came of a change to a user.
#[derive(Debug)]
pub enum UserChangeOutcome {
    /// The user as they are now, or were before they were deleted.
    Done(User),
    /// There is no such user.
    Unknown,
    /// It would leave no admin.
    LastAdmin,
}
