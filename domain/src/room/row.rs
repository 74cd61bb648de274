//! One row of a room: what proctors see of a session.

mod state;
mod version;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::attempt::{Attempt, Mode, Trouble, Troubles};
use crate::form::FormLetter;
use crate::grade::Grade;
use crate::room::late::LateRow;
use crate::sight::SeenScore;
use crate::time::moment::Moment;
pub use state::{Attendance, RowStanding, SessionState};
pub use version::{RowVersion, VersionedRow};

/// How many characters of a student's name are shown: the name comes from the client, and a row is sent to every
/// watcher.
const STUDENT_CHARACTERS_MAX: usize = 200;

/// What a proctor sees of a session.
// `docs/live-protocol.md#watching-as-a-proctor` explains it. In JSON it is one flat object, and the fields of the
// roster come last. It is only written, never read: servers tell each other of attempts alone, and a field costs the
// writer the same either way, while a reader of flattened fields would have to keep them all first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionRow {
    /// The attempt, or that which is expected of someone without one.
    #[serde(flatten)]
    pub attempt: AttemptRow,
    /// What the roster adds. `None` outside the rooms of sittings.
    #[serde(flatten)]
    pub roster: Option<RosterRow>,
}

/// What a seat or the database reports of an attempt. The texts are shared, so that copies are cheap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptRow {
    /// Identifier of the session; null for a candidate of a sitting who has not entered.
    #[schema(required)]
    pub session_id: Option<Uuid>,
    /// In the room of a sitting the candidate's name; elsewhere the annotation `name`, else `studentId`, else the
    /// e-mail of the signed-in student, else empty.
    #[schema(value_type = String)]
    pub student: Arc<str>,
    /// The e-mail of the signed-in student, whatever the annotations say; null without sign-in.
    // A server of an earlier version leaves it out, and a missing `Option` is `None`.
    #[schema(value_type = Option<String>, required)]
    pub account: Option<Arc<str>>,
    /// 1 to 10.
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    pub grade: Grade,
    /// The template that it was started from; null without one, and in a sitting.
    #[schema(required)]
    pub template_id: Option<Uuid>,
    /// `standard` or `adaptive`.
    pub mode: Mode,
    /// The session's state.
    pub state: SessionState,
    /// Whether the clock stands still: also that of someone who waits, or is expected in a hall that is paused.
    // A server of an earlier version leaves it out, like `taken_over_at`.
    #[serde(default)]
    pub standing: RowStanding,
    /// Whether the student has an open socket.
    pub connected: bool,
    /// The current stage, 1 or 2.
    pub stage: u8,
    /// Questions with a choice.
    pub answered: u32,
    /// Questions flagged for review.
    pub marked: u32,
    /// Questions of the stages so far.
    pub total: u32,
    /// The question that the student opened or answered last; null before the first, and once the test is submitted.
    #[schema(value_type = Option<String>, required)]
    pub current_question_id: Option<Arc<str>>,
    /// A character for each question so far: `-` not opened, `v` opened, `a` answered, `M` flagged for review, `A`
    /// both.
    // This and the next three: a server of an earlier version leaves them out.
    #[serde(default)]
    #[schema(value_type = String)]
    pub progress: Arc<str>,
    /// Where in `progress` the question is that the student opened or answered last, from 0.
    #[schema(required)]
    pub at: Option<u32>,
    /// When the student began, or is to begin.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Moment,
    /// When the time is up; as planned, for those whose time does not count yet.
    #[schema(value_type = String, format = DateTime)]
    pub deadline: Moment,
    /// Whether the page has lost the focus.
    pub away: bool,
    /// How often the page has lost the focus.
    pub away_count: u32,
    /// What the student's page reports about the computer.
    #[serde(default)]
    #[schema(value_type = Vec<Trouble>)]
    pub trouble: Troubles,
    /// How many changes the server has said it cannot store at the moment; 0 as soon as they are stored.
    #[serde(default)]
    pub refused: u32,
    /// When the server last heard from the student; null for a candidate of a sitting who has not entered.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub last_seen_at: Option<Moment>,
    /// When another device of the student's took the test over last; null if none has.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub taken_over_at: Option<Moment>,
    /// 200 to 800; null until the test is submitted, and while the results of its sitting are held.
    #[schema(value_type = Option<i32>, required)]
    pub score: Option<SeenScore>,
    /// Which result of the test has this score, counted from 1; absent without a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version: Option<u32>,
    /// Work that came after the end; absent if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub late: Option<LateRow>,
    /// The sitting that the session belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sitting_id: Option<Uuid>,
    /// The candidate of that sitting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub candidate_id: Option<Uuid>,
    /// Whether the candidate has the sealed paper at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ready: Option<bool>,
    /// Which form of the test it is, `A` to `H`; absent where there is one alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub form: Option<FormLetter>,
}

/// What the roster of a sitting says of a candidate beside the attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RosterRow {
    /// The name of the hall. This and what follows is shown in rooms of sittings only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub room: Option<Arc<str>>,
    /// The seat there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub seat: Option<Arc<str>>,
    /// How much of the usual time the candidate has, in percent.
    // Not required, since only rows of rosters have it.
    #[schema(required = false)]
    pub factor: u32,
    /// Minutes on top of it; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub extra_minutes: Option<u32>,
    /// A note for proctors.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub note: Option<Arc<str>>,
    /// The mark of a proctor: present or absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub attendance: Option<Attendance>,
    /// The proctor who has marked the candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub attendance_by: Option<Arc<str>>,
    /// Who lets the candidate in although the entry is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub admitted_by: Option<Arc<str>>,
    /// How many wrong codes have begun like that of the candidate, once they are no slips any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub wrong_codes: Option<u32>,
}

// Derived, it would be a list of two schemas, and clients that are made from the documents would get two types.
impl PartialSchema for SessionRow {
    fn schema() -> RefOr<Schema> {
        let (mut row, roster) = (AttemptRow::schema(), RosterRow::schema());
        if let (RefOr::T(Schema::Object(row)), RefOr::T(Schema::Object(roster))) = (&mut row, roster) {
            row.description = Some("What a proctor sees of a session.".to_owned());
            row.properties.extend(roster.properties);
        }
        row
    }
}

impl ToSchema for SessionRow {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        AttemptRow::schemas(schemas);
        RosterRow::schemas(schemas);
    }
}

impl AttemptRow {
    /// The row of someone from whom nothing has come yet, with the planned times.
    #[must_use]
    pub fn expected(student: Arc<str>, grade: Grade, mode: Mode, started_at: Moment, deadline: Moment) -> Self {
        Self {
            session_id: None,
            student,
            account: None,
            grade,
            template_id: None,
            mode,
            state: SessionState::Expected,
            standing: RowStanding::Running,
            connected: false,
            stage: 1,
            answered: 0,
            marked: 0,
            total: 0,
            current_question_id: None,
            progress: Arc::default(),
            at: None,
            started_at,
            deadline,
            away: false,
            away_count: 0,
            trouble: Troubles::NONE,
            refused: 0,
            last_seen_at: None,
            taken_over_at: None,
            score: None,
            version: None,
            late: None,
            sitting_id: None,
            candidate_id: None,
            ready: None,
            form: None,
        }
    }

    /// The row of an attempt as it is now. Until it is submitted there is no score, nor a version of the test that has
    /// it.
    #[must_use]
    pub fn of(attempt: &Attempt, connected: bool, scored: Option<(SeenScore, u32)>) -> Self {
        let Attempt { terms, timer, presence, .. } = attempt;
        let at = attempt.current_position();
        let count = |is_counted: fn(&crate::attempt::QuestionCell) -> bool| {
            u32::try_from(attempt.cells().filter(|(_, cell)| is_counted(cell)).count()).unwrap_or(u32::MAX)
        };
        Self {
            session_id: Some(terms.session_id),
            student: Arc::clone(&terms.student),
            account: terms.account.clone(),
            grade: terms.grade,
            template_id: terms.template_id,
            mode: terms.mode,
            state: match attempt.ending() {
                Some(_) => SessionState::Submitted,
                None if timer.is_paused() => SessionState::Paused,
                None => SessionState::Active,
            },
            standing: RowStanding::of(timer.is_paused() && attempt.ending().is_none()),
            connected,
            stage: attempt.stage(),
            answered: count(|cell| cell.selected.is_some()),
            marked: count(|cell| cell.marked),
            total: u32::try_from(attempt.paper().len()).unwrap_or(u32::MAX),
            current_question_id: at.and_then(|at| attempt.paper().get(at)).map(|question| Arc::clone(&question.id)),
            progress: attempt.cells().map(|(_, cell)| cell.sign()).collect::<String>().into(),
            at: at.and_then(|at| u32::try_from(at).ok()),
            started_at: attempt.started_at(),
            deadline: timer.deadline(),
            away: presence.away,
            away_count: presence.away_count,
            trouble: presence.troubles,
            refused: presence.refused,
            last_seen_at: Some(presence.last_seen_at),
            taken_over_at: presence.taken_over_at,
            score: scored.map(|(score, _)| score),
            version: scored.map(|(_, version)| version),
            // It comes after the end, when the database knows more than the seat.
            late: None,
            sitting_id: terms.sitting.map(|place| place.sitting_id),
            candidate_id: terms.sitting.map(|place| place.candidate_id),
            ready: terms.sitting.map(|_| presence.is_ready),
            form: terms.form,
        }
    }
}

/// The name that proctors see: the annotation `name`, else `studentId`, else `owner`, else empty.
#[must_use]
pub fn student(annotations: &str, owner: Option<&str>) -> Arc<str> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Annotations {
        #[serde(default)]
        name: serde_json::Value,
        #[serde(default)]
        student_id: serde_json::Value,
    }
    let found = serde_json::from_str::<Annotations>(annotations).ok();
    let named = found.as_ref().and_then(|found| shown(&found.name).or_else(|| shown(&found.student_id)));
    named.unwrap_or_else(|| owner.unwrap_or_default().to_owned()).into()
}

/// A text that is not blank, or a number, cut to the length that rows allow.
pub(crate) fn shown(value: &serde_json::Value) -> Option<String> {
    let text = match value {
        serde_json::Value::String(text) => text.trim().to_owned(),
        serde_json::Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let text: String = text.chars().take(STUDENT_CHARACTERS_MAX).collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
