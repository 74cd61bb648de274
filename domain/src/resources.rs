//! The values that the provider's traits exchange: users, reviews, edits, assignments and approvals, in the JSON that
//! the API and the provider contract share. They are here because the store and the external provider both use them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::access::{Grades, Identity, User};
use crate::form::FormLetter;
use crate::grade::Grade;
use crate::review::{ApprovalStatus, Change, ReviewStatus, SeenFields, Updates};
use crate::session::SessionOrigin;
use crate::time::moment::Moment;

/// A row's position in a list sorted by time: milliseconds since 1970, and the identifier among rows of the same
/// moment.
pub type RowPosition = (i64, Uuid);

/// The result of writing questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteCounts {
    /// How many were new.
    pub added: usize,
    /// How many replaced an existing question.
    pub updated: usize,
    /// A sentence for each row that an external service has rejected.
    pub errors: Vec<String>,
}

/// The latest review of a question.
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
    /// When it was decided.
    pub reviewed_at: Moment,
    /// A note; may be empty.
    pub note: String,
}

/// A review as JSON, under its question's id; for a question that was never reviewed only the status.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionReview {
    /// `approved`, `flagged` or `pending`.
    pub status: ReviewStatus,
    /// The reviewer's e-mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reviewed_by: Option<String>,
    /// The reviewer's name at that time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub reviewed_by_name: Option<String>,
    /// When it was decided; ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime, nullable = false)]
    pub reviewed_at: Option<Moment>,
    /// A note; may be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub note: Option<String>,
}

impl QuestionReview {
    /// The state of a question that was never reviewed.
    pub const NONE: Self = Self {
        status: ReviewStatus::Pending,
        reviewed_by: None,
        reviewed_by_name: None,
        reviewed_at: None,
        note: None,
    };

    /// The review as a value; `None` when it lacks the reviewer or the time, as for a question that was never reviewed.
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

/// An entry of the edit log.
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
    #[schema(required = true)]
    pub edited_by_name: String,
    /// When the question was edited; ISO 8601.
    #[schema(value_type = String, format = DateTime)]
    pub edited_at: Moment,
    /// The changed fields.
    pub changes: Vec<Change>,
    /// Why it was edited; may be empty.
    #[serde(default)]
    #[schema(required = true)]
    pub comment: String,
}

impl Edit {
    /// Its position in the log.
    #[must_use]
    pub const fn place(&self) -> RowPosition {
        (self.edited_at.milliseconds(), self.id)
    }
}

/// Who imports questions, as the log of edits names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Importer {
    /// Their e-mail, or [`Importer::SERVER`].
    pub email: String,
    /// Their name; may be empty.
    pub name: String,
}

impl Importer {
    /// Stands in the place of the e-mail when a program imports: the command line, or a caller that names nobody.
    pub const SERVER: &str = "server";
}

/// A request to edit a question.
pub struct EditRequest<'a> {
    /// Identifier of the question.
    pub question_id: &'a str,
    /// Its grade.
    pub grade: Grade,
    /// The fields to change.
    pub updates: Updates,
    /// What the editor has seen of the question.
    pub seen: SeenFields,
    /// Why; may be empty.
    pub comment: String,
    /// The caller who edits.
    pub editor: &'a Identity,
}

/// The grades assigned to a reviewer or manager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assignment {
    /// The e-mail address, in lower case.
    pub email: String,
    /// The name as shown.
    #[serde(default)]
    #[schema(required = true)]
    pub name: String,
    /// At least one grade.
    #[schema(value_type = Vec<Grade>)]
    pub grades: Grades,
    /// E-mail of the admin who assigned them.
    #[serde(default)]
    #[schema(required = true)]
    pub assigned_by: String,
    /// When they were assigned; ISO 8601.
    #[serde(default)]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub assigned_at: Moment,
}

/// A manager's decision on a grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// 1 to 10.
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    pub grade: Grade,
    /// The manager's e-mail, in lower case.
    pub manager_email: String,
    /// The manager's name at that time.
    #[serde(default)]
    #[schema(required = true)]
    pub manager_name: String,
    /// The decision.
    pub status: ApprovalStatus,
    /// A comment; absent when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub comment: String,
    /// When it was decided; ISO 8601.
    #[schema(value_type = String, format = DateTime)]
    pub decided_at: Moment,
    /// The state of the grade's questions at that moment; absent in older decisions.
    #[serde(flatten)]
    #[schema(value_type = DecisionCounts)]
    pub questions: Option<ReviewCounts>,
}

/// How many questions were in each state of review when their grade was decided on: all three numbers, or none.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes fields")]
pub struct DecisionCounts {
    /// Questions of the grade that were approved at that moment; absent, like the other two, in older decisions.
    #[schema(nullable = false)]
    approved: Option<u32>,
    /// Questions that were pending, or had never been reviewed.
    #[schema(nullable = false)]
    pending: Option<u32>,
    /// Questions that were flagged.
    #[schema(nullable = false)]
    flagged: Option<u32>,
}

/// How many questions of a grade are in each state of review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewCounts {
    /// Questions that are approved.
    pub approved: u32,
    /// Questions that are pending, or were never reviewed.
    pub pending: u32,
    /// Questions that are flagged.
    pub flagged: u32,
}

impl ReviewCounts {
    /// Counts each of `questions` questions once. Those without a review are pending.
    #[must_use]
    pub fn of<'a>(questions: usize, reviews: impl IntoIterator<Item = &'a Review>) -> Self {
        let mut counts = Self { pending: u32::try_from(questions).unwrap_or(u32::MAX), ..Self::default() };
        for review in reviews {
            match review.status {
                ReviewStatus::Approved => counts.approved += 1,
                ReviewStatus::Flagged => counts.flagged += 1,
                ReviewStatus::Pending => continue,
            }
            counts.pending = counts.pending.saturating_sub(1);
        }
        counts
    }
}

/// A session as shown in lists.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    /// Identifier of the session.
    pub session_id: Uuid,
    /// 1 to 10.
    #[schema(minimum = 1, maximum = 10)]
    pub grade: i16,
    /// When the test ended; ISO 8601.
    #[schema(value_type = String, format = DateTime)]
    pub timestamp: Moment,
    /// The score, 200 to 800.
    pub score: i32,
    /// Questions answered correctly.
    pub correct_answers: i32,
    /// Questions of the test.
    pub total_questions: i32,
    /// Link to the report.
    pub report_url: String,
    /// Whether the receiver of the webhook has answered 2xx to the newest version.
    pub webhook_sent: bool,
    /// Counts the results that the test has had, from 1.
    #[schema(minimum = 1)]
    pub version: i32,
}

impl SessionSummary {
    /// Its position in the list.
    #[must_use]
    pub const fn place(&self) -> RowPosition {
        (self.timestamp.milliseconds(), self.session_id)
    }
}

/// A session as shown in lists that were asked for with a condition, or by pages.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionEntry {
    /// What every list shows.
    #[serde(flatten)]
    pub summary: SessionSummary,
    /// When the student began; ISO 8601.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Moment,
    /// Whole seconds.
    pub time_taken: i32,
    /// The annotation `name`, else `studentId`, else empty.
    pub student: String,
    /// The annotation `studentId`; null when there is none.
    #[schema(required = true)]
    pub student_id: Option<String>,
    /// E-mail of the person who was signed in when a live exam began, else null.
    #[schema(required = true)]
    pub account: Option<String>,
    /// Who chose the answers: `live` or `client`.
    pub origin: SessionOrigin,
    /// Whether the server graded the test by its own bank.
    pub verified: bool,
    /// The template that a live exam was started from, else null.
    #[schema(required = true)]
    pub template_id: Option<Uuid>,
    /// The calendar event that the annotations name, else null.
    #[schema(required = true)]
    pub event: Option<i64>,
    /// The form of the template that was sat, `A` to `H`; absent for a test without forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, example = "B")]
    pub form: Option<FormLetter>,
}

/// Which sessions a list is about. Each condition that is there must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// Sessions of this grade.
    pub grade: Option<Grade>,
    /// Sessions that ended at this moment or later.
    pub from: Option<Moment>,
    /// Sessions that ended before this moment.
    pub until: Option<Moment>,
    /// Sessions whose annotations name this event of the calendar.
    pub event: Option<i64>,
    /// Live exams that were started from this template.
    pub template_id: Option<Uuid>,
    /// Sessions with this text, as [`searchable`](crate::session::searchable) writes it, in the student's name, their
    /// id or the account.
    pub text: Option<String>,
    /// Sessions of this origin.
    pub origin: Option<SessionOrigin>,
}

/// The result of a change to a user.
#[derive(Debug)]
pub enum UserChangeOutcome {
    /// The user after the change, or before the deletion.
    Done(User),
    /// There is no such user.
    Unknown,
    /// The change would leave no admin.
    LastAdmin,
}
