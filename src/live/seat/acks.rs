//! The acknowledgements of one channel (a socket or an HTTPS request): which commands it has carried, and how many of
//! them are saved.
//!
//! `saved` is cumulative, but covers only the commands that this channel carried. A command that was refused has an
//! answer of its own (docs/decisions/0006-a-refused-command-has-its-own-answer.md). A command that is still being done,
//! such as `submit`, keeps `saved` below its own number.

/// The account of one channel.
#[derive(Debug, Default)]
pub struct Acks {
    carried: u64,
    staged: u64,
    saved: u64,
    held: Vec<u64>,
    /// The lowest number that is carried and not yet in a batch. It may be lower than numbers in the batch, since
    /// commands need not arrive in the order of their numbers.
    unstaged: Option<u64>,
    is_staging: bool,
}

impl Acks {
    /// A command was applied, or a later one had superseded it already.
    pub fn carry(&mut self, seq: u64) {
        self.carried = self.carried.max(seq);
        self.unstaged = Some(self.unstaged.map_or(seq, |lowest| lowest.min(seq)));
    }

    /// A command has begun that takes time.
    pub fn hold(&mut self, seq: u64) {
        self.held.push(seq);
    }

    /// Such a command was done or refused, and has been answered on its own.
    pub fn release(&mut self, seq: u64, is_done: bool) {
        if is_done {
            self.carried = self.carried.max(seq);
        }
        if let Some(index) = self.held.iter().position(|held| *held == seq) {
            self.held.swap_remove(index);
            // Numbers above it that were saved and could not be acknowledged are acknowledged with the next batch.
            self.is_staging |= self.staged > self.saved;
        }
    }

    /// Everything carried so far is in the batch that is committed now.
    pub fn stage(&mut self) {
        self.staged = self.carried;
        self.is_staging |= self.unstaged.take().is_some();
    }

    /// That batch is committed: returns the number to acknowledge, if the batch had any command of this channel. A
    /// command that was repeated and changed nothing is acknowledged too. The number stays below every command that is
    /// still being done.
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

    /// The highest number that is saved together with all commands of the channel below it; 0 if there is none.
    #[must_use]
    pub const fn saved(&self) -> u64 {
        self.saved
    }

    /// The highest number that is not acknowledged yet; `None` if there is none.
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
