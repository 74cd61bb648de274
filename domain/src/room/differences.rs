//! The differences that are sent to watchers who know the rows already: the fields that have changed, for rows that
//! have numbers.
//!
//! Most changes say how far a student is. They are kept apart as the row's progress, so that a watcher can have them
//! for the rows in view alone. All other fields are sent to every watcher at once.

mod fields;

use std::collections::{HashMap, VecDeque};

use serde::Serialize;
use uuid::Uuid;

use super::Room;
use super::counts::RoomCounts;
use super::row::{SessionRow, SessionState};
use crate::time::moment::Moment;
pub use fields::NumberedRow;
use fields::{ChangedFields, RowProgress, is_same_progress};

/// How old the progress of a row may become for watchers who do not have the row in view.
const PROGRESS_SHARED_AFTER_MILLISECONDS: i64 = 30_000;
/// Steps that are kept for watchers who are behind. A watcher who lacks more gets whole rows.
const STEPS_MAX: usize = 200;
/// Bytes of the steps that are kept, without the progress.
const STEPS_BYTES_MAX: usize = 4 * 1_024 * 1_024;
/// Bytes of progress in the steps that are kept. The oldest is dropped first: a watcher with a view does not need it.
const PROGRESS_BYTES_MAX: usize = 4 * 1_024 * 1_024;

/// The changes of a room, step by step.
#[derive(Debug)]
pub struct Differences {
    /// By number. Those who have left leave their numbers.
    rows: Vec<Option<Box<ToldRow>>>,
    numbers: HashMap<Uuid, u32>,
    /// Rows whose progress is to be shared with everyone.
    due: VecDeque<DueProgress>,
    steps: VecDeque<DifferenceStep>,
    steps_bytes: usize,
    /// Bytes of progress in the steps.
    progress_bytes: usize,
    /// The first step that still has its progress.
    progress_from: u64,
    /// The index of the next step.
    next: u64,
    /// The number of the last change of the room that is in a step.
    until: u64,
    counts: RoomCounts,
}

/// A row whose progress not everyone knows.
#[derive(Debug)]
struct DueProgress {
    number: u32,
    /// When it is to be shared.
    at: Moment,
    /// The number of the last change of the room that everyone knew, this row's progress included.
    known: u64,
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

    /// Without the progress.
    fn bytes(&self) -> usize {
        let new: usize = self.new.iter().map(|(_, text)| text.len()).sum();
        new + self.removed.len() * size_of::<Uuid>() + self.shared.len()
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
            progress_bytes: 0,
            progress_from: 0,
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
        if known < room.known_from {
            // So many have left that the room does not remember all of them.
            let gone: Vec<Uuid> = self.numbers.keys().filter(|id| !room.places.contains_key(id)).copied().collect();
            gone.iter().for_each(|id| self.remove(*id));
            step.removed = gone;
        }
        for (id, row) in room.changed_after(known) {
            match (row, self.numbers.get(&id)) {
                (Some(row), Some(number)) => self.change(*number, row, (now, known), &mut step),
                (Some(row), None) => {
                    let number = self.add(id, row);
                    step.new.push((id, text(&NumberedRow { n: number, row })));
                }
                (None, Some(_)) => {
                    self.remove(id);
                    step.removed.push(id);
                }
                (None, None) => {}
            }
        }
        self.share_due(now, &mut step);
        if step.is_empty() {
            return;
        }
        self.next += 1;
        self.steps_bytes += step.bytes();
        self.progress_bytes += step.progress.len();
        self.steps.push_back(step);
        self.forget_old_steps();
    }

    /// Keeps the last step whole, and of those before it what the limits allow.
    fn forget_old_steps(&mut self) {
        while self.steps.len() > STEPS_MAX || self.steps_bytes > STEPS_BYTES_MAX && self.steps.len() > 1 {
            if let Some(step) = self.steps.pop_front() {
                self.steps_bytes -= step.bytes();
                self.progress_bytes -= step.progress.len();
            }
        }
        self.progress_from = self.progress_from.max(self.first());
        while self.progress_bytes > PROGRESS_BYTES_MAX && self.progress_from + 1 < self.next {
            let index = usize::try_from(self.progress_from - self.first()).unwrap_or(usize::MAX);
            if let Some(step) = self.steps.get_mut(index) {
                self.progress_bytes -= std::mem::take(&mut step.progress).len();
            }
            self.progress_from += 1;
        }
    }

    /// The index of the first step that is kept.
    fn first(&self) -> u64 {
        self.next - self.steps.len() as u64
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

    /// The steps from that one on; `None` if it is not kept any more, or not with its progress.
    #[must_use]
    pub fn steps_from(
        &self,
        index: u64,
        has_progress: bool,
    ) -> Option<impl Iterator<Item = &DifferenceStep> + use<'_>> {
        if has_progress && index < self.progress_from {
            return None;
        }
        let lacking = usize::try_from(self.next.checked_sub(index)?).ok()?;
        let skipped = self.steps.len().checked_sub(lacking)?;
        Some(self.steps.range(skipped..))
    }

    /// The number of the room's last change that is in a step.
    #[must_use]
    pub const fn until(&self) -> u64 {
        self.until
    }

    /// The same without changes whose progress is only known to those who have the row in view.
    #[must_use]
    pub fn shared_until(&self) -> u64 {
        self.due.front().map_or(self.until, |due| due.known)
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
        self.counts.add(&row.attempt);
        let progress = text(&RowProgress { number, row: &row.attempt });
        let told = ToldRow { row: row.clone(), progress, progress_at: self.until, is_due: false };
        self.rows.push(Some(Box::new(told)));
        self.numbers.insert(id, number);
        number
    }

    fn remove(&mut self, id: Uuid) {
        let number = self.numbers.remove(&id).and_then(|number| usize::try_from(number).ok());
        if let Some(told) = number.and_then(|number| self.rows.get_mut(number)).and_then(Option::take) {
            self.counts.remove(&told.row.attempt);
        }
    }

    fn change(&mut self, number: u32, row: &SessionRow, (now, known): (Moment, u64), step: &mut DifferenceStep) {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(told) = self.rows.get_mut(index).and_then(Option::as_mut) else { return };
        self.counts.remove(&told.row.attempt);
        self.counts.add(&row.attempt);
        let fields = ChangedFields { number, before: &told.row, after: row };
        let is_shared = fields.has_any();
        if is_shared {
            append(&mut step.shared, &text(&fields));
        }
        // A student without a socket shows in no other way that they are at work. What a test ended with, and the
        // questions of its next stage, everyone wants to know at once.
        let is_final = told.row.attempt.state != row.attempt.state && row.attempt.state == SessionState::Submitted;
        if is_same_progress(&told.row.attempt, &row.attempt) {
            let is_last = is_final || told.row.attempt.connected && !row.attempt.connected;
            if is_last && told.is_due {
                append(&mut step.shared, &told.progress);
            }
        } else {
            told.progress = text(&RowProgress { number, row: &row.attempt });
            told.progress_at = self.until;
            if !row.attempt.connected || is_final || told.row.attempt.total != row.attempt.total {
                append(&mut step.shared, &told.progress);
            } else {
                append(&mut step.progress, &told.progress);
                if !std::mem::replace(&mut told.is_due, true) {
                    let at = now.plus(PROGRESS_SHARED_AFTER_MILLISECONDS);
                    self.due.push_back(DueProgress { number, at, known });
                }
            }
        }
        told.row = row.clone();
    }

    fn share_due(&mut self, now: Moment, step: &mut DifferenceStep) {
        while let Some(DueProgress { number, .. }) = self.due.pop_front_if(|due| due.at <= now) {
            let index = usize::try_from(number).unwrap_or(usize::MAX);
            if let Some(told) = self.rows.get_mut(index).and_then(Option::as_mut) {
                told.is_due = false;
                append(&mut step.shared, &told.progress);
            }
        }
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
