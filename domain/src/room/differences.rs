//! What a watcher who knows the rows is told of a change: the fields that differ, for rows that have numbers.
//!
//! Most changes say how far a student is. They are kept apart as the row's progress, so that a watcher can have them
//! for the rows in view alone. All other fields are told to every watcher at once.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use uuid::Uuid;

use super::Room;
use super::counts::RoomCounts;
use super::row::{SessionRow, SessionState};
use crate::time::moment::Moment;

/// How old the progress may become that those know who do not have the row in view.
const PROGRESS_SHARED_AFTER_MILLISECONDS: i64 = 30_000;
/// Steps that are kept for watchers who are behind. Who lacks more gets whole rows.
const STEPS_MAX: usize = 100;
/// The same in bytes.
const STEPS_BYTES_MAX: usize = 4 * 1_024 * 1_024;

/// The changes of a room, step by step.
#[derive(Debug)]
pub struct Differences {
    /// By number.
    rows: Vec<Option<ToldRow>>,
    numbers: HashMap<Uuid, u32>,
    /// Rows whose progress is to be shared with everyone at that moment, unless it has been.
    due: VecDeque<(Moment, u32)>,
    steps: VecDeque<DifferenceStep>,
    steps_bytes: usize,
    /// The index of the next step.
    next: u64,
    /// The number of the last change of the room that is in a step.
    until: u64,
    counts: RoomCounts,
}

/// A row as it was told last.
#[derive(Debug)]
struct ToldRow {
    row: SessionRow,
    /// Its progress, as JSON.
    progress: String,
    /// The number of the change that brought it.
    progress_at: u64,
    is_due: bool,
}

/// Some changes, as JSON.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct DifferenceStep {
    /// The number of the room's last change in it.
    pub until: u64,
    /// Rows that are new, whole and with their numbers.
    pub new: Vec<(Uuid, String)>,
    /// Sessions that have left the room; in a sitting's room, candidates.
    pub removed: Vec<Uuid>,
    /// What everyone is told, separated by commas.
    pub shared: String,
    /// The progress of rows that is not in `shared`, separated by commas.
    pub progress: String,
}

impl DifferenceStep {
    fn is_empty(&self) -> bool {
        self.new.is_empty() && self.removed.is_empty() && self.shared.is_empty() && self.progress.is_empty()
    }

    fn bytes(&self) -> usize {
        let new: usize = self.new.iter().map(|(_, text)| text.len()).sum();
        new + self.removed.len() * size_of::<Uuid>() + self.shared.len() + self.progress.len()
    }
}

impl Differences {
    /// All rows of the room, from which differences are told from now on.
    #[must_use]
    pub fn of(room: &Room) -> Self {
        let mut differences = Self {
            rows: Vec::new(),
            numbers: HashMap::new(),
            due: VecDeque::new(),
            steps: VecDeque::new(),
            steps_bytes: 0,
            next: 0,
            until: room.seq(),
            counts: RoomCounts::default(),
        };
        for (id, row) in room.changed_after(0) {
            if let Some(row) = row {
                differences.add(id, row);
            }
        }
        differences
    }

    /// Takes what has changed in the room since the last call into the next step.
    pub fn go_on(&mut self, room: &Room, now: Moment) {
        let mut step = DifferenceStep::default();
        let known = std::mem::replace(&mut self.until, room.seq());
        for (id, row) in room.changed_after(known) {
            match (row, self.numbers.get(&id)) {
                (Some(row), Some(number)) => self.change(*number, row, now, &mut step),
                (Some(row), None) => {
                    let number = self.add(id, row);
                    step.new.push((id, text(&NumberedRow { n: number, row })));
                }
                (None, _) => {
                    self.remove(id);
                    step.removed.push(id);
                }
            }
        }
        self.share_due(now, &mut step);
        if step.is_empty() {
            return;
        }
        step.until = self.until;
        self.next += 1;
        self.steps_bytes += step.bytes();
        self.steps.push_back(step);
        while self.steps.len() > STEPS_MAX || self.steps_bytes > STEPS_BYTES_MAX && self.steps.len() > 1 {
            self.steps_bytes -= self.steps.pop_front().map_or(0, |step| step.bytes());
        }
    }

    /// The number of a row.
    #[must_use]
    pub fn number(&self, id: Uuid) -> Option<u32> {
        self.numbers.get(&id).copied()
    }

    /// The index of the step that comes next.
    #[must_use]
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// The steps from that one on; `None` if it is not kept any more.
    #[must_use]
    pub fn steps_from(&self, index: u64) -> Option<impl Iterator<Item = &DifferenceStep>> {
        let lacking = usize::try_from(self.next.checked_sub(index)?).ok()?;
        let skipped = self.steps.len().checked_sub(lacking)?;
        Some(self.steps.range(skipped..))
    }

    /// The number of the room's last change that is in a step.
    #[must_use]
    pub const fn until(&self) -> u64 {
        self.until
    }

    /// The progress of a row as JSON, if it has changed after that number.
    #[must_use]
    pub fn progress_after(&self, number: u32, seq: u64) -> Option<&str> {
        let told = self.rows.get(usize::try_from(number).ok()?)?.as_ref()?;
        (told.progress_at > seq).then_some(&*told.progress)
    }

    /// What can be counted in the whole room.
    #[must_use]
    pub const fn counts(&self) -> &RoomCounts {
        &self.counts
    }

    /// A number is never given again, so an old one is not taken for that of another row.
    fn add(&mut self, id: Uuid, row: &SessionRow) -> u32 {
        let number = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        self.counts.add(row);
        let progress = text(&RowProgress { number, row });
        self.rows.push(Some(ToldRow { row: row.clone(), progress, progress_at: self.until, is_due: false }));
        self.numbers.insert(id, number);
        number
    }

    fn remove(&mut self, id: Uuid) {
        let number = self.numbers.remove(&id).and_then(|number| usize::try_from(number).ok());
        if let Some(told) = number.and_then(|number| self.rows.get_mut(number)).and_then(Option::take) {
            self.counts.remove(&told.row);
        }
    }

    fn change(&mut self, number: u32, row: &SessionRow, now: Moment, step: &mut DifferenceStep) {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(told) = self.rows.get_mut(index).and_then(Option::as_mut) else { return };
        self.counts.remove(&told.row);
        self.counts.add(row);
        let fields = ChangedFields { number, before: &told.row, after: row };
        let is_shared = fields.has_any();
        if is_shared {
            append(&mut step.shared, &text(&fields));
        }
        if !is_same_progress(&told.row, row) {
            told.progress = text(&RowProgress { number, row });
            told.progress_at = self.until;
            // A student without a socket shows in no other way that they are at work. What a test ended with, and the
            // questions of its next stage, everyone wants to know at once.
            let is_final = told.row.state != row.state && row.state == SessionState::Submitted;
            if !row.connected || is_final || told.row.total != row.total {
                append(&mut step.shared, &told.progress);
            } else {
                append(&mut step.progress, &told.progress);
                if !std::mem::replace(&mut told.is_due, true) {
                    self.due.push_back((now.plus(PROGRESS_SHARED_AFTER_MILLISECONDS), number));
                }
            }
        }
        told.row = row.clone();
    }

    fn share_due(&mut self, now: Moment, step: &mut DifferenceStep) {
        while let Some((_, number)) = self.due.pop_front_if(|(at, _)| *at <= now) {
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            if let Some(told) = self.rows.get_mut(index).and_then(Option::as_mut) {
                told.is_due = false;
                append(&mut step.shared, &told.progress);
            }
        }
    }
}

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
struct RowProgress<'a> {
    number: u32,
    row: &'a SessionRow,
}

impl Serialize for RowProgress<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let SessionRow { answered, marked, current_question_id, progress, at, last_seen_at, .. } = self.row;
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

fn is_same_progress(before: &SessionRow, after: &SessionRow) -> bool {
    before.last_seen_at == after.last_seen_at
        && before.answered == after.answered
        && before.marked == after.marked
        && before.at == after.at
        && before.current_question_id == after.current_question_id
        && before.progress == after.progress
}

/// The fields that differ, without those of the progress.
struct ChangedFields<'a> {
    number: u32,
    before: &'a SessionRow,
    after: &'a SessionRow,
}

/// Calls `$each!(name, field)` for each field that is no progress. The pattern fails to compile when a field is
/// missing.
macro_rules! for_each_field {
    ($row:expr, $each:ident) => {
        let SessionRow {
            session_id: _,
            student: _,
            account: _,
            grade: _,
            template_id: _,
            mode: _,
            state: _,
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
            sitting_id: _,
            candidate_id: _,
            ready: _,
            room: _,
            seat: _,
            factor: _,
            note: _,
            attendance: _,
            attendance_by: _,
            admitted_by: _,
            wrong_codes: _,
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
        $each!("sittingId", sitting_id);
        $each!("candidateId", candidate_id);
        $each!("ready", ready);
        $each!("room", room);
        $each!("seat", seat);
        $each!("factor", factor);
        $each!("note", note);
        $each!("attendance", attendance);
        $each!("attendanceBy", attendance_by);
        $each!("admittedBy", admitted_by);
        $each!("wrongCodes", wrong_codes);
    };
}

impl ChangedFields<'_> {
    fn has_any(&self) -> bool {
        macro_rules! differs {
            ($name:literal, $field:ident) => {
                if self.before.$field != self.after.$field {
                    return true;
                }
            };
        }
        for_each_field!(self.after, differs);
        false
    }
}

impl Serialize for ChangedFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("n", &self.number)?;
        macro_rules! entry {
            ($name:literal, $field:ident) => {
                if self.before.$field != self.after.$field {
                    map.serialize_entry($name, &self.after.$field)?;
                }
            };
        }
        for_each_field!(self.after, entry);
        map.end()
    }
}

/// Rows have no map with other keys than texts, so this can't fail.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn append(list: &mut String, entry: &str) {
    if !list.is_empty() {
        list.push(',');
    }
    list.push_str(entry);
}
