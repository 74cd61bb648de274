//! What one road, a socket or an HTTPS request, has carried, and how much of it is saved.
//!
//! `saved` is cumulative and speaks of the commands that the road took: one that was refused has its own answer, and
//! one that is still being done, such as `submit`, holds `saved` below itself.

/// One road's account.
#[derive(Debug, Default)]
pub struct Acks {
    carried: u64,
    staged: u64,
    saved: u64,
    held: Vec<u64>,
    /// The lowest number that is carried and not yet in a batch: it may be lower than what the batch has.
    unstaged: Option<u64>,
    is_staging: bool,
}

impl Acks {
    /// A command was applied, or was superseded already.
    pub fn carry(&mut self, seq: u64) {
        self.carried = self.carried.max(seq);
        self.unstaged = Some(self.unstaged.map_or(seq, |lowest| lowest.min(seq)));
    }

    /// A command has begun that takes its time.
    pub fn hold(&mut self, seq: u64) {
        self.held.push(seq);
    }

    /// It has been done or refused, and was answered by itself.
    pub fn release(&mut self, seq: u64, is_done: bool) {
        if is_done {
            self.carried = self.carried.max(seq);
        }
        if let Some(index) = self.held.iter().position(|held| *held == seq) {
            self.held.swap_remove(index);
            // What was saved above it, and could not be told, is told with the next batch.
            self.is_staging |= self.staged > self.saved;
        }
    }

    /// Everything carried so far is in the batch that is now committed.
    pub fn stage(&mut self) {
        self.staged = self.carried;
        self.is_staging |= self.unstaged.take().is_some();
    }

    /// That batch is committed. The number to tell, when anything was carried in it: also a command that came
    /// again and changed nothing is answered. Nothing is told that would speak of a lower number still under way.
    pub fn settle(&mut self) -> Option<u64> {
        let under_way = self.held.iter().copied().chain(self.unstaged).min();
        let below = under_way.map_or(u64::MAX, |lowest| lowest.saturating_sub(1));
        let safe = self.staged.min(below);
        if safe == 0 || safe < self.saved {
            return None;
        }
        let is_news = self.is_staging && (safe > self.saved || safe == self.staged);
        self.is_staging &= safe < self.staged;
        self.saved = safe;
        is_news.then_some(safe)
    }

    /// The highest number that is saved, with all below it that the road took; 0 when there is none.
    #[must_use]
    pub const fn saved(&self) -> u64 {
        self.saved
    }

    /// The highest number whose saving is still to be told; `None` when there is none.
    #[must_use]
    pub fn outstanding(&self) -> Option<u64> {
        let held = self.held.iter().copied().max();
        held.max((self.unstaged.is_some() || self.is_staging).then_some(self.carried))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(road: &mut Acks) -> Option<u64> {
        road.stage();
        road.settle()
    }

    #[test]
    fn only_what_was_staged_is_saved() {
        let mut road = Acks::default();
        road.carry(1);
        road.carry(2);
        road.stage();
        road.carry(3);
        assert_eq!((road.settle(), road.outstanding()), (Some(2), Some(3)));
        assert_eq!((commit(&mut road), road.outstanding()), (Some(3), None));
        assert_eq!(commit(&mut road), None);
    }

    #[test]
    fn a_command_that_comes_again_is_answered_again() {
        let mut road = Acks::default();
        for seq in [7, 3] {
            road.carry(seq);
            assert_eq!(commit(&mut road), Some(7));
        }
    }

    #[test]
    fn a_command_that_is_being_done_holds_saved_below_it() {
        let mut road = Acks::default();
        road.carry(9);
        road.hold(10);
        road.carry(11);
        assert_eq!((commit(&mut road), road.outstanding()), (Some(9), Some(11)));
        road.release(10, false);
        assert_eq!(commit(&mut road), Some(11), "refused, and all others are saved");
        road.hold(12);
        road.release(12, true);
        assert_eq!((commit(&mut road), road.saved()), (None, 12), "its own answer was enough");
    }

    #[test]
    fn a_lower_number_that_comes_during_a_commit_is_not_covered_by_it() {
        let mut road = Acks::default();
        road.carry(12);
        road.stage();
        road.carry(7);
        assert_eq!(road.settle(), Some(6));
        assert_eq!(commit(&mut road), Some(12));
        road.carry(13);
        road.stage();
        road.carry(7);
        assert_eq!(road.settle(), None, "12 was told, and would now speak of the second 7 too");
        assert_eq!(commit(&mut road), Some(13));
        road.hold(5);
        road.carry(14);
        assert_eq!(commit(&mut road), None);
        road.release(5, true);
        assert_eq!(commit(&mut road), Some(14));
    }
}
