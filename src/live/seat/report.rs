//! A seat's report to proctors: whether its row has changed since the last one, and the student's presence and
//! troubles.

use domain::attempt::{Presence, Troubles};
use domain::time::moment::Moment;

/// Changes of the focus, and of what the page reports, that one seat records; more say nothing new.
const FOCUS_CHANGES_MAX: u32 = 1_000;

/// What is to be reported.
pub(super) struct Report {
    has_new_row: bool,
    focus_changes: u32,
    trouble_changes: u32,
    /// Changes of the student that are in no batch yet.
    taken: u32,
    /// Those in the batch that is committed now.
    batched: u32,
}

impl Report {
    /// Of a new seat, whose row nobody has seen.
    pub(super) const fn new() -> Self {
        Self { has_new_row: true, focus_changes: 0, trouble_changes: 0, taken: 0, batched: 0 }
    }

    /// Something that the row shows has changed.
    pub(super) const fn renew(&mut self) {
        self.has_new_row = true;
    }

    /// The same, if that is so.
    pub(super) const fn renew_if(&mut self, is_changed: bool) {
        self.has_new_row |= is_changed;
    }

    pub(super) const fn has_new_row(&self) -> bool {
        self.has_new_row
    }

    /// The row is reported as it is now.
    pub(super) const fn told(&mut self) {
        self.has_new_row = false;
    }

    /// Notes that the student is there, and whether their page has lost the focus.
    pub(super) fn see(&mut self, presence: &mut Presence, now: Moment, away: bool) {
        presence.see(now);
        presence.turn(away);
        self.has_new_row = true;
    }

    /// The page says whether it has lost the focus. Returns whether that is news to be recorded.
    #[must_use]
    pub(super) fn turn(&mut self, presence: &mut Presence, now: Moment, away: bool) -> bool {
        let is_news = presence.away != away && self.focus_changes < FOCUS_CHANGES_MAX;
        if is_news {
            self.see(presence, now, away);
            self.focus_changes += 1;
        }
        is_news
    }

    /// The page says what is wrong with the computer. Returns whether that is news to be recorded, so that a seat that
    /// is built again knows it.
    #[must_use]
    pub(super) fn take_troubles(&mut self, presence: &mut Presence, now: Moment, troubles: Troubles) -> bool {
        if presence.troubles == troubles {
            return false;
        }
        presence.see(now);
        presence.troubles = troubles;
        self.has_new_row = true;
        let is_recorded = self.trouble_changes < FOCUS_CHANGES_MAX;
        self.trouble_changes += u32::from(is_recorded);
        is_recorded
    }

    /// Counts a change of the student that is to be stored.
    pub(super) const fn take_change(&mut self) {
        self.taken = self.taken.saturating_add(1);
        self.has_new_row = true;
    }

    /// All changes so far are in the batch that is committed now.
    pub(super) fn stage(&mut self) {
        self.batched = self.batched.saturating_add(std::mem::take(&mut self.taken));
    }

    /// Shows proctors how many changes cannot be stored, until [`Self::settle`].
    pub(super) const fn show_unstored(&mut self, presence: &mut Presence) {
        presence.refused = self.taken.saturating_add(self.batched);
        self.has_new_row = true;
    }

    /// Shows proctors that everything is stored again.
    pub(super) fn settle(&mut self, presence: &mut Presence) {
        self.batched = 0;
        self.has_new_row |= std::mem::take(&mut presence.refused) > 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Moment {
        Moment::from_milliseconds(0)
    }

    #[test]
    fn changes_that_cannot_be_stored_are_shown_until_they_are() {
        let (mut report, mut presence) = (Report::new(), Presence::since(now()));
        report.take_change();
        report.stage();
        report.take_change();
        report.show_unstored(&mut presence);
        assert_eq!(presence.refused, 2);
        report.told();
        report.settle(&mut presence);
        assert!(presence.refused == 0 && report.has_new_row());
        report.told();
        report.stage();
        report.settle(&mut presence);
        assert!(!report.has_new_row(), "nothing was shown");
    }

    #[test]
    fn a_page_that_never_stops_turning_is_not_recorded_for_ever() {
        let (mut report, mut presence) = (Report::new(), Presence::since(now()));
        let recorded =
            (0..3 * FOCUS_CHANGES_MAX).filter(|turn| report.turn(&mut presence, now(), turn % 2 == 0)).count();
        assert_eq!((recorded, presence.away_count), (FOCUS_CHANGES_MAX as usize, FOCUS_CHANGES_MAX / 2));
        let troubles = [Troubles::of_names(["clock"]), Troubles::NONE];
        let turns = (0..3 * FOCUS_CHANGES_MAX as usize).map(|turn| troubles[turn % 2]);
        let recorded = turns.filter(|troubles| report.take_troubles(&mut presence, now(), *troubles)).count();
        assert_eq!((recorded, presence.troubles), (FOCUS_CHANGES_MAX as usize, Troubles::NONE));
    }
}
