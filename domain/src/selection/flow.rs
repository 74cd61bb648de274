//! How many questions of each topic and difficulty a paper takes, when both are wanted: as many as the stock allows
//! together, found as a flow. It knows nothing of questions, only numbers.

use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use super::Targets;
use crate::question::Difficulty;

/// Numbers by difficulty; a place in them is called a level.
pub(super) type ByLevel = [usize; Difficulty::COUNT];

/// One topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TopicRow {
    /// Its questions of each difficulty.
    pub(super) stock: ByLevel,
    /// How many of them are to be taken.
    pub(super) wanted: usize,
}

/// Returns how many questions of each difficulty to take of each row: never more than there are, and of no row more
/// than it wants.
///
/// `loads` is what the paper has of each difficulty already. With `bounds` no difficulty gets more than its bound, and
/// the total is the largest that is possible. Without them each row gets what it wants as far as it has stock, and the
/// difficulties are as even as possible: the sum of the squares of their loads is the smallest.
pub(super) fn fill<R: Rng>(rows: &[TopicRow], loads: Targets, bounds: Option<Targets>, random: &mut R) -> Vec<ByLevel> {
    let mut filling = Filling { rows, taken: vec![ByLevel::default(); rows.len()], loads: loads.0, bounds };
    let wanted = rows.iter().enumerate().flat_map(|(row, of_topic)| std::iter::repeat_n(row, of_topic.wanted));
    let mut wanted: Vec<usize> = wanted.collect();
    wanted.shuffle(random);
    // Each is tried once: where no way is found, what is taken later opens none, since no way leads out of the levels
    // that were reached.
    for row in wanted {
        filling.take_one(row, random);
    }
    filling.taken
}

/// Rows that are being filled.
struct Filling<'a> {
    rows: &'a [TopicRow],
    taken: Vec<ByLevel>,
    loads: ByLevel,
    bounds: Option<Targets>,
}

/// A part of a way on which a level can get one question more: this row takes one there, in place of one at the level
/// before, if there is any.
#[derive(Clone, Copy)]
struct Step {
    row: usize,
    level: usize,
    before: Option<usize>,
}

impl Filling<'_> {
    /// Takes one question more of a row, if need be by exchanging others for questions of the same rows and other
    /// levels.
    fn take_one<R: Rng>(&mut self, row: usize, random: &mut R) {
        let steps = self.steps(row, random);
        let ranked = steps.iter().filter_map(|step| Some((self.rank(step)?, *step)));
        let Some((_, mut step)) = ranked.min_by_key(|(rank, _)| *rank) else { return };
        if let Some(load) = self.loads.get_mut(step.level) {
            *load += 1;
        }
        loop {
            if let Some(taken) = self.cell(step.row, step.level) {
                *taken += 1;
            }
            let Some(before) = step.before else { return };
            if let Some(taken) = self.cell(step.row, before) {
                *taken -= 1;
            }
            let Some(previous) = steps.iter().find(|previous| previous.level == before) else { return };
            step = *previous;
        }
    }

    /// The levels that one question more of a row could go to, each with the last part of a shortest way there. What is
    /// reached directly comes first; otherwise the order is random.
    fn steps<R: Rng>(&self, row: usize, random: &mut R) -> Vec<Step> {
        let mut levels: Vec<usize> = (0..Difficulty::COUNT).collect();
        levels.shuffle(random);
        let direct = levels.iter().filter(|level| self.has_spare(row, **level));
        let mut steps: Vec<Step> = direct.map(|level| Step { row, level: *level, before: None }).collect();
        let mut next = 0;
        while let Some(at) = steps.get(next).map(|step| step.level) {
            next += 1;
            for level in levels.iter().copied() {
                if steps.iter().any(|step| step.level == level) {
                    continue;
                }
                let movers: Vec<usize> = (0..self.rows.len())
                    .filter(|row| self.taken(*row, at) > 0 && self.has_spare(*row, level))
                    .collect();
                if let Some(row) = movers.choose(random) {
                    steps.push(Step { row: *row, level, before: Some(at) });
                }
            }
        }
        steps
    }

    /// How well a way ends at a level, the lowest best; `None` if the level takes no more.
    fn rank(&self, step: &Step) -> Option<(usize, usize)> {
        let load = self.loads.get(step.level).copied().unwrap_or_default();
        match self.bounds {
            Some(bounds) => bounds.0.get(step.level).is_some_and(|bound| load < *bound).then_some((0, 0)),
            // Of levels that have equally many the one of which the topic itself has fewest.
            None => Some((load, self.taken(step.row, step.level))),
        }
    }

    fn has_spare(&self, row: usize, level: usize) -> bool {
        let stock = self.rows.get(row).and_then(|row| row.stock.get(level));
        stock.is_some_and(|stock| self.taken(row, level) < *stock)
    }

    fn taken(&self, row: usize, level: usize) -> usize {
        self.taken.get(row).and_then(|row| row.get(level)).copied().unwrap_or_default()
    }

    fn cell(&mut self, row: usize, level: usize) -> Option<&mut usize> {
        self.taken.get_mut(row)?.get_mut(level)
    }
}

#[cfg(test)]
mod tests;
