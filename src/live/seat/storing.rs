//! A seat's work with the database. It does one thing at a time: changes that arrive meanwhile are committed next, and
//! work that must not overtake them waits in a queue.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use actix::prelude::*;
use bytestring::ByteString;
use domain::attempt::{Attempt, CellKey, Comer, Reason};
use domain::time::moment::Moment;
use tokio::sync::oneshot;

use super::Seat;
use super::receipts::AskedReceipt;
use super::requests::Request;
use super::socket::{Attach, Origin};
use super::unsaved::Unsaved;
use crate::live::store::Write;

/// `next` and `submit` that may wait at once; a client needs one.
const INTENTS_MAX: usize = 64;
/// Time without a commit after which the student is told that nothing is saved at the moment.
const STALL_MILLISECONDS: i64 = 2_000;
/// How often the student is told again while still nothing is saved.
const STALL_AGAIN_MILLISECONDS: i64 = 10_000;

/// What waits until the seat is done with the database.
pub(super) enum Intent {
    Attach(Attach, oneshot::Sender<()>),
    Read(Comer, oneshot::Sender<ByteString>),
    Receipt(AskedReceipt),
    Advance {
        seq: u64,
        at: Moment,
        origin: Origin,
    },
    Finish {
        reason: Reason,
        seq: Option<u64>,
        at: Moment,
        origin: Origin,
    },
    /// Late commands: those of the socket, and of this request.
    KeepLate(Option<Box<Request>>),
    VerifyDevice,
    Stop(oneshot::Sender<()>),
}

/// The next step of a seat.
pub(super) type Then = Box<dyn FnOnce(&mut Seat, &mut Context<Seat>)>;

/// A read from the database that an intent needs before it goes on; other intents wait meanwhile.
enum StoreRead {
    UnderWay,
    /// The read is complete, and this is to be done with it.
    Done(Then),
}

/// A seat's changes, intents, commit and read.
#[derive(Default)]
pub(super) struct Storing {
    unsaved: Unsaved,
    intents: VecDeque<Intent>,
    is_committing: bool,
    reading: Option<StoreRead>,
    tell_stall_at: Option<Moment>,
}

impl Storing {
    /// Adds a value that was set.
    pub(super) fn add(&mut self, key: CellKey, drawing: Option<Arc<str>>) {
        self.unsaved.add(key, drawing);
    }

    /// The drawing at this position, if it is set and not committed.
    pub(super) fn unsaved_drawing(&self, position: usize) -> Option<&str> {
        self.unsaved.drawing(position)
    }

    /// Adds an event to the attempt's log.
    pub(super) fn note(&mut self, at: Moment, kind: &'static str, by: impl Into<Cow<'static, str>>, detail: String) {
        self.unsaved.note(at, kind, by, detail);
    }

    /// The student has been sent this notice, and all before it.
    pub(super) fn tell(&mut self, notice_id: i64) {
        self.unsaved.tell(notice_id);
    }

    /// The device with this token is at work, or was so last.
    pub(super) const fn work_at(&mut self, token_hash: [u8; 32], is_at_work: bool) {
        self.unsaved.work_at(token_hash, is_at_work);
    }

    pub(super) fn has_unsaved(&self) -> bool {
        !self.unsaved.is_empty()
    }

    /// Puts it after everything that waits.
    pub(super) fn intend(&mut self, intent: Intent) {
        self.intents.push_back(intent);
    }

    /// Puts it before everything that waits.
    pub(super) fn intend_first(&mut self, intent: Intent) {
        self.intents.push_front(intent);
    }

    /// Whether no more `next` and `submit` of the student's may wait.
    pub(super) fn has_too_many_endings(&self) -> bool {
        self.intents.iter().filter(|intent| takes_unsaved(intent)).count() >= INTENTS_MAX
    }

    /// Whether an end waits.
    pub(super) fn has_end_waiting(&self) -> bool {
        self.intents.iter().any(|intent| matches!(intent, Intent::Finish { .. }))
    }

    /// Forgets a socket that waits for the session. Returns whether it did.
    pub(super) fn forget_socket(&mut self, socket: u64) -> bool {
        let waiting = self.intents.len();
        self.intents.retain(|intent| !matches!(intent, Intent::Attach(attach, _) if attach.socket == socket));
        self.intents.len() < waiting
    }

    /// Whether what comes next puts the unsaved changes into its own commit.
    pub(super) fn takes_unsaved_next(&self) -> bool {
        self.reading.is_none() && self.intents.front().is_some_and(takes_unsaved)
    }

    /// Takes what waits longest; nothing while something is read for the one before.
    pub(super) fn next_intent(&mut self) -> Option<Intent> {
        if self.reading.is_some() { None } else { self.intents.pop_front() }
    }

    /// Whether nothing is under way, and nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        self.intents.is_empty() && !self.is_committing && self.reading.is_none() && self.unsaved.is_empty()
    }

    pub(super) const fn is_committing(&self) -> bool {
        self.is_committing
    }

    /// Begins a commit: returns the unsaved changes, with the values that the attempt has now.
    pub(super) fn begin_commit(&mut self, attempt: &Attempt, now: Moment) -> Vec<Write> {
        self.is_committing = true;
        self.tell_stall_at = Some(now.plus(STALL_MILLISECONDS));
        // Values are read now and not when they were set, so ten changes of one answer are one write.
        self.unsaved.take(attempt)
    }

    pub(super) fn end_commit(&mut self) {
        self.is_committing = false;
        // A read that is late delays the student as well, so its time goes on counting.
        self.tell_stall_at.take_if(|_| self.reading.is_none());
    }

    pub(super) fn begin_read(&mut self, now: Moment) {
        self.reading = Some(StoreRead::UnderWay);
        self.tell_stall_at.get_or_insert(now.plus(STALL_MILLISECONDS));
    }

    /// The read is complete; `then` is called once no commit is in progress.
    pub(super) fn end_read(&mut self, then: Then) {
        self.reading = Some(StoreRead::Done(then));
        self.tell_stall_at.take_if(|_| !self.is_committing);
    }

    /// What is to be done with what has been read.
    pub(super) fn take_read(&mut self) -> Option<Then> {
        match self.reading.take() {
            Some(StoreRead::Done(then)) => Some(then),
            reading => {
                self.reading = reading;
                None
            }
        }
    }

    /// When the student is to be told that nothing is saved.
    pub(super) const fn tell_stall_at(&self) -> Option<Moment> {
        self.tell_stall_at
    }

    /// Whether the student is to be told so now. It is counted as done, until the next time.
    pub(super) fn take_stall(&mut self, now: Moment) -> bool {
        let is_due = self.tell_stall_at.is_some_and(|at| now >= at);
        if is_due {
            self.tell_stall_at = Some(now.plus(STALL_AGAIN_MILLISECONDS));
        }
        is_due
    }
}

/// Whether an intent puts the unsaved changes into its own commit.
const fn takes_unsaved(intent: &Intent) -> bool {
    matches!(intent, Intent::Advance { .. } | Intent::Finish { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Moment {
        Moment::from_milliseconds(0)
    }

    fn finish() -> Intent {
        Intent::Finish { reason: Reason::Proctor, seq: None, at: now(), origin: Origin::Nobody }
    }

    #[test]
    fn what_waits_is_not_begun_while_something_is_read() {
        let mut storing = Storing::default();
        storing.intend(finish());
        assert!(storing.takes_unsaved_next() && storing.has_end_waiting());
        storing.begin_read(now());
        assert!(!storing.takes_unsaved_next() && storing.next_intent().is_none() && storing.take_read().is_none());
        storing.end_read(Box::new(|_, _| {}));
        assert!(storing.next_intent().is_none(), "what was read comes first");
        assert!(storing.take_read().is_some() && storing.take_read().is_none());
        assert!(matches!(storing.next_intent(), Some(Intent::Finish { .. })) && storing.is_idle());
    }

    #[test]
    fn a_stall_is_told_until_neither_a_commit_nor_a_read_is_under_way() {
        let mut storing = Storing::default();
        storing.begin_read(now());
        assert!(
            !storing.take_stall(now().plus(STALL_MILLISECONDS - 1))
                && storing.take_stall(now().plus(STALL_MILLISECONDS))
        );
        assert!(!storing.take_stall(now().plus(STALL_MILLISECONDS)), "told already");
        storing.end_commit();
        assert_eq!(storing.tell_stall_at(), Some(now().plus(STALL_MILLISECONDS + STALL_AGAIN_MILLISECONDS)));
        storing.end_read(Box::new(|_, _| {}));
        assert_eq!(storing.tell_stall_at(), None);
    }
}
