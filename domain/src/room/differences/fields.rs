//! The fields of a row as JSON: those that differ, those of its progress, and all of them with the row's number.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::room::row::{AttemptRow, RosterRow, SessionRow};

/// A row with the number under which its differences come.
#[derive(Serialize)]
pub struct NumberedRow<'a> {
    /// The number.
    pub n: u32,
    /// The row itself.
    #[serde(flatten)]
    pub row: &'a SessionRow,
}

/// How far the student of a row is, and when something was heard last.
pub(super) struct RowProgress<'a> {
    pub(super) number: u32,
    pub(super) row: &'a AttemptRow,
}

impl Serialize for RowProgress<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let AttemptRow { answered, marked, current_question_id, progress, at, last_seen_at, .. } = self.row;
        let mut map = serializer.serialize_map(Some(7))?;
        map.serialize_entry("n", &self.number)?;
        map.serialize_entry("answered", answered)?;
        map.serialize_entry("marked", marked)?;
        map.serialize_entry("currentQuestionId", current_question_id)?;
        map.serialize_entry("progress", progress)?;
        map.serialize_entry("at", at)?;
        map.serialize_entry("lastSeenAt", last_seen_at)?;
        map.end()
    }
}

pub(super) fn is_same_progress(before: &AttemptRow, after: &AttemptRow) -> bool {
    before.last_seen_at == after.last_seen_at
        && before.answered == after.answered
        && before.marked == after.marked
        && before.at == after.at
        && before.current_question_id == after.current_question_id
        && before.progress == after.progress
}

/// The fields that differ, without those of the progress.
pub(super) struct ChangedFields<'a> {
    pub(super) number: u32,
    pub(super) before: &'a SessionRow,
    pub(super) after: &'a SessionRow,
}

/// Calls `$each!(name, field)` for each field of the attempt that is no progress. The pattern fails to compile when a
/// field is missing.
macro_rules! for_each_field_of_attempt {
    ($row:expr, $each:ident) => {
        let AttemptRow {
            session_id: _,
            student: _,
            account: _,
            grade: _,
            template_id: _,
            mode: _,
            state: _,
            standing: _,
            taken_over_at: _,
            connected: _,
            stage: _,
            total: _,
            started_at: _,
            deadline: _,
            away: _,
            away_count: _,
            trouble: _,
            refused: _,
            score: _,
            version: _,
            late: _,
            sitting_id: _,
            candidate_id: _,
            ready: _,
            form: _,
            // Of the progress.
            answered: _,
            marked: _,
            current_question_id: _,
            progress: _,
            at: _,
            last_seen_at: _,
        } = $row;
        $each!("sessionId", session_id);
        $each!("student", student);
        $each!("account", account);
        $each!("grade", grade);
        $each!("templateId", template_id);
        $each!("mode", mode);
        $each!("state", state);
        $each!("standing", standing);
        $each!("takenOverAt", taken_over_at);
        $each!("connected", connected);
        $each!("stage", stage);
        $each!("total", total);
        $each!("startedAt", started_at);
        $each!("deadline", deadline);
        $each!("away", away);
        $each!("awayCount", away_count);
        $each!("trouble", trouble);
        $each!("refused", refused);
        $each!("score", score);
        $each!("version", version);
        $each!("late", late);
        $each!("sittingId", sitting_id);
        $each!("candidateId", candidate_id);
        $each!("ready", ready);
        $each!("form", form);
    };
}

/// The same for the fields of the roster.
macro_rules! for_each_field_of_roster {
    ($row:expr, $each:ident) => {
        let RosterRow {
            room: _,
            seat: _,
            factor: _,
            extra_minutes: _,
            note: _,
            attendance: _,
            attendance_by: _,
            admitted_by: _,
            wrong_codes: _,
        } = $row;
        $each!("room", room);
        $each!("seat", seat);
        $each!("factor", factor);
        $each!("extraMinutes", extra_minutes);
        $each!("note", note);
        $each!("attendance", attendance);
        $each!("attendanceBy", attendance_by);
        $each!("admittedBy", admitted_by);
        $each!("wrongCodes", wrong_codes);
    };
}

impl ChangedFields<'_> {
    pub(super) fn has_any(&self) -> bool {
        let (before, after) = (&self.before.attempt, &self.after.attempt);
        macro_rules! differs {
            ($name:literal, $field:ident) => {
                if before.$field != after.$field {
                    return true;
                }
            };
        }
        for_each_field_of_attempt!(after, differs);
        self.before.roster != self.after.roster
    }
}

impl Serialize for ChangedFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("n", &self.number)?;
        let (before, after) = (&self.before.attempt, &self.after.attempt);
        macro_rules! entry_of_attempt {
            ($name:literal, $field:ident) => {
                if before.$field != after.$field {
                    map.serialize_entry($name, &after.$field)?;
                }
            };
        }
        for_each_field_of_attempt!(after, entry_of_attempt);
        // A row that is on a roster stays on it: a room has a roster from its first row on, or never.
        if let (Some(before), Some(after)) = (&self.before.roster, &self.after.roster) {
            macro_rules! entry_of_roster {
                ($name:literal, $field:ident) => {
                    if before.$field != after.$field {
                        map.serialize_entry($name, &after.$field)?;
                    }
                };
            }
            for_each_field_of_roster!(after, entry_of_roster);
        }
        map.end()
    }
}
