//! The changes of a seat that are not committed yet. Only the latest value of each key is kept, so a seat never holds
//! more than its paper (docs/decisions/0002-seats-hold-only-what-is-unsaved.md).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use domain::attempt::{Attempt, CellKey, ValueKind};
use domain::time::moment::Moment;

use crate::live::store::{AttemptEvent, Entry, Write};

/// Events that wait at once; while the database is down no more are recorded.
const EVENTS_MAX: usize = 256;

/// Changes waiting for the next batch.
#[derive(Debug, Default)]
pub struct Unsaved {
    keys: Vec<CellKey>,
    drawings: HashMap<usize, Option<Arc<str>>>,
    events: Vec<AttemptEvent>,
    notices_told: Option<i64>,
    device: Option<([u8; 32], bool)>,
}

impl Unsaved {
    /// Adds a value that was set. The attempt holds the value itself, except for the content of a drawing.
    pub fn add(&mut self, key: CellKey, drawing: Option<Arc<str>>) {
        if !self.keys.contains(&key) {
            self.keys.push(key);
        }
        if key.kind == ValueKind::Drawing {
            self.drawings.insert(key.position, drawing);
        }
    }

    /// The drawing at this position, if it is one of the changes.
    #[must_use]
    pub fn drawing(&self, position: usize) -> Option<&str> {
        self.drawings.get(&position).and_then(Option::as_deref)
    }

    /// Adds an event to the attempt's log.
    pub fn note(&mut self, at: Moment, kind: &'static str, by: impl Into<Cow<'static, str>>, detail: String) {
        if self.events.len() < EVENTS_MAX {
            self.events.push(AttemptEvent { at, kind, by: by.into(), detail });
        }
    }

    /// The student has been sent this notice, and all before it.
    pub fn tell(&mut self, notice_id: i64) {
        self.notices_told = self.notices_told.max(Some(notice_id));
    }

    /// The device with this token is at work, or was so last.
    pub const fn work_at(&mut self, token_hash: [u8; 32], is_at_work: bool) {
        self.device = Some((token_hash, is_at_work));
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.events.is_empty() && self.notices_told.is_none() && self.device.is_none()
    }

    /// Takes all changes, with the values that the attempt has now.
    pub fn take(&mut self, attempt: &Attempt) -> Vec<Write> {
        let session_id = attempt.terms.session_id;
        let mut writes = Vec::with_capacity(self.keys.len() + self.events.len());
        for key in std::mem::take(&mut self.keys) {
            let Some(cell) = attempt.cell(key.position) else { continue };
            let value: Option<Arc<str>> = match key.kind {
                ValueKind::Choice => cell.selected.as_ref().map(|selected| Arc::from(selected.text())),
                ValueKind::Mark => cell.marked.then(|| Arc::from("1")),
                ValueKind::Visit => cell.visited.then(|| Arc::from("1")),
                ValueKind::Drawing => self.drawings.remove(&key.position).flatten(),
                ValueKind::Elimination => cell.eliminated.text().map(Arc::from),
            };
            let time_taken = cell.time_taken.filter(|_| key.kind == ValueKind::Choice);
            writes.push(Write::Entry(Entry { session_id, key, stamp: cell.stamp(key.kind), value, time_taken }));
        }
        writes.extend(std::mem::take(&mut self.events).into_iter().map(|event| Write::Event(session_id, event)));
        writes.extend(self.notices_told.take().map(|id| Write::NoticesTold { session_id, id }));
        let device = self.device.take();
        writes.extend(device.map(|(token_hash, is_at_work)| Write::Device { session_id, token_hash, is_at_work }));
        writes
    }
}
