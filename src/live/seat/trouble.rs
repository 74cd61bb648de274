//! What is wrong at the student's place: what their page reports, and what the server cannot store.

use domain::attempt::Troubles;

use super::{FOCUS_CHANGES_MAX, Seat};

/// Counts the changes of a student that are not stored yet.
#[derive(Debug, Default)]
pub(super) struct Unstored {
    /// In no batch yet.
    taken: u32,
    /// In the batch that is committed now.
    batched: u32,
}

impl Unstored {
    pub(super) fn take(&mut self) {
        self.taken = self.taken.saturating_add(1);
    }

    pub(super) fn stage(&mut self) {
        self.batched = self.batched.saturating_add(std::mem::take(&mut self.taken));
    }

    pub(super) fn settle(&mut self) {
        self.batched = 0;
    }

    fn count(&self) -> u32 {
        self.taken.saturating_add(self.batched)
    }
}

impl Seat {
    /// Takes what the page reports now. It is on record, so that a seat that is built again knows it.
    pub(super) fn report(&mut self, troubles: Troubles) {
        let is_news = self.attempt.presence.troubles != troubles;
        if !is_news || self.outcome.is_some() {
            return;
        }
        let now = self.services.clock.now();
        self.attempt.presence.see(now);
        self.attempt.presence.troubles = troubles;
        self.has_new_row = true;
        if self.trouble_changes < FOCUS_CHANGES_MAX {
            self.trouble_changes += 1;
            self.unsaved.note(now, "trouble", "student", troubles.text());
        }
    }

    /// Shows proctors how many changes cannot be stored …
    pub(super) fn show_unstored(&mut self) {
        self.attempt.presence.refused = self.unstored.count();
        self.has_new_row = true;
    }

    /// … until they are.
    pub(super) fn settle_unstored(&mut self) {
        self.unstored.settle();
        self.has_new_row |= std::mem::take(&mut self.attempt.presence.refused) > 0;
    }
}
