//! Drawing the questions of a paper: how many of each difficulty, chosen at random, and what replaces missing ones.

pub mod by_topic;
mod flow;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use serde::{Deserialize, Serialize};

use super::question::{Difficulty, KeyedQuestion};

/// The shortest paper. A test with fewer questions is refused as `invalid_test`.
pub const PAPER_MIN: usize = 10;
/// The longest paper of a standard test.
pub const PAPER_MAX: usize = 40;

/// How many questions a standard test has when nobody says: two for three minutes, 10 to 40.
#[must_use]
pub fn default_question_count(duration_minutes: u32) -> usize {
    // Two thirds, rounded half up, in integers: the pages compute the same number.
    let count = (u64::from(duration_minutes) * 4 + 3) / 6;
    usize::try_from(count).unwrap_or(PAPER_MAX).clamp(PAPER_MIN, PAPER_MAX)
}

/// How many questions of each difficulty, 1 to 5 by position. In JSON an object with the keys `1` to `5`; a missing key
/// means 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, u16>", into = "BTreeMap<u8, usize>")]
pub struct Targets(pub [usize; Difficulty::COUNT]);

impl TryFrom<BTreeMap<String, u16>> for Targets {
    type Error = &'static str;

    fn try_from(counts: BTreeMap<String, u16>) -> Result<Self, Self::Error> {
        let names = ["1", "2", "3", "4", "5"];
        if counts.keys().any(|name| !names.contains(&name.as_str())) {
            return Err("a difficulty is 1 to 5");
        }
        Ok(Self(names.map(|name| counts.get(name).copied().unwrap_or(0).into())))
    }
}

impl From<Targets> for BTreeMap<u8, usize> {
    fn from(targets: Targets) -> Self {
        Difficulty::all().map(Difficulty::number).zip(targets.0).collect()
    }
}

impl Targets {
    /// The quota of a standard test with `count` questions: 30 % of difficulty 5 and 20 % of difficulty 4, both
    /// rounded half up, and the rest in equal parts of 1, 2 and 3, with any remainder to the easier ones.
    #[must_use]
    pub const fn standard(count: usize) -> Self {
        let fifth = (count * 3 + 5) / 10;
        let fourth = (count * 2 + 5) / 10;
        let rest = count - fifth - fourth;
        let (each, left) = (rest / 3, rest % 3);
        Self([each + (left > 0) as usize, each + (left > 1) as usize, each, fourth, fifth])
    }

    /// How many of these questions each difficulty has.
    #[must_use]
    pub fn of(questions: &[Arc<KeyedQuestion>]) -> Self {
        let mut counts = Self::default();
        for question in questions {
            if let Some(count) = counts.0.get_mut(usize::from(question.difficulty.number()) - 1) {
                *count += 1;
            }
        }
        counts
    }

    /// What is left of them without so many questions; none where these are more.
    #[must_use]
    pub fn without(self, there: Self) -> Self {
        let mut left = self;
        for (count, there) in left.0.iter_mut().zip(there.0) {
            *count = count.saturating_sub(there);
        }
        left
    }

    /// The number of questions in all.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }
}

/// Draws a paper from `pool` at random and in random order, without repeats and without questions in `seen`.
///
/// When a difficulty has too few questions, the nearest one that has some left fills in, of two the easier. So the
/// paper is shorter than requested only when the whole pool is too small.
pub fn draw<R: Rng>(
    pool: &[Arc<KeyedQuestion>],
    targets: Targets,
    seen: &HashSet<&str>,
    random: &mut R,
) -> Vec<Arc<KeyedQuestion>> {
    let mut shelves = shelves(pool, seen);
    let (mut paper, missing) = take_wanted(&mut shelves, targets, random);
    // The nearest difficulties stand in for one that the bank lacks: a test of full length matters more than its exact
    // mix.
    for (level, mut short) in missing.0.into_iter().enumerate() {
        for near in nearest(level) {
            if let Some(shelf) = shelves.get_mut(near) {
                short -= draw_from(shelf, short, &mut paper, random);
            }
        }
    }
    // The questions were drawn by difficulty, and must not be asked in that order.
    paper.shuffle(random);
    paper
}

/// Draws like [`draw`], but fills nothing in from other difficulties, and in no particular order.
pub fn draw_exactly<R: Rng>(pool: &[Arc<KeyedQuestion>], targets: Targets, random: &mut R) -> Vec<Arc<KeyedQuestion>> {
    take_wanted(&mut shelves(pool, &HashSet::new()), targets, random).0
}

/// The questions of the pool by difficulty.
type Shelves<'a> = [Vec<&'a Arc<KeyedQuestion>>; Difficulty::COUNT];

fn shelves<'a>(pool: &'a [Arc<KeyedQuestion>], seen: &HashSet<&str>) -> Shelves<'a> {
    let mut shelves = Shelves::default();
    for question in pool.iter().filter(|question| !seen.contains(&*question.id)) {
        if let Some(shelf) = shelves.get_mut(usize::from(question.difficulty.number()) - 1) {
            shelf.push(question);
        }
    }
    shelves
}

/// Takes the wanted number from each shelf; the second value says how many are missing.
fn take_wanted<R: Rng>(
    shelves: &mut Shelves<'_>,
    targets: Targets,
    random: &mut R,
) -> (Vec<Arc<KeyedQuestion>>, Targets) {
    let mut paper = Vec::with_capacity(targets.total());
    let mut missing = Targets::default();
    for ((shelf, wanted), short) in shelves.iter_mut().zip(targets.0).zip(&mut missing.0) {
        *short = wanted - draw_from(shelf, wanted, &mut paper, random);
    }
    (paper, missing)
}

/// Moves up to `wanted` random questions from the shelf to the paper, and returns how many.
fn draw_from<R: Rng>(
    shelf: &mut Vec<&Arc<KeyedQuestion>>,
    wanted: usize,
    paper: &mut Vec<Arc<KeyedQuestion>>,
    random: &mut R,
) -> usize {
    let chosen: Vec<Arc<KeyedQuestion>> = shelf.sample(random, wanted).map(|question| Arc::clone(question)).collect();
    // The shelf may be drawn from again, in place of another difficulty.
    shelf.retain(|question| !chosen.iter().any(|taken| taken.id == question.id));
    let moved = chosen.len();
    paper.extend(chosen);
    moved
}

/// The other difficulties by distance, of two the easier first.
fn nearest(level: usize) -> impl Iterator<Item = usize> {
    (1..Difficulty::COUNT)
        .flat_map(move |distance| [level.checked_sub(distance), Some(level + distance)])
        .flatten()
        .filter(|near| *near < Difficulty::COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Choice;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    fn pool(counts: [usize; 5]) -> Vec<Arc<KeyedQuestion>> {
        let mut questions = Vec::new();
        for (index, count) in counts.into_iter().enumerate() {
            for number in 0..count {
                let difficulty = Difficulty::new(index as i64 + 1).unwrap();
                let id = format!("d{}-{number}", index + 1);
                questions.push(Arc::new(KeyedQuestion {
                    id: id.as_str().into(),
                    topic: "T".into(),
                    difficulty,
                    answer: Choice::A.into(),
                    options: None,
                    version: None,
                    order: None,
                }));
            }
        }
        questions
    }

    #[test]
    fn the_number_of_questions_follows_the_duration() {
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/golden/question_counts.json")).unwrap();
        for case in golden["cases"].as_array().unwrap() {
            let minutes = u32::try_from(case["minutes"].as_u64().unwrap()).unwrap();
            assert_eq!(case["questions"], default_question_count(minutes), "{minutes} minutes");
        }
        for (minutes, expected) in [(0, 10), (14, 10), (71, 40), (u32::MAX, 40)] {
            assert_eq!(default_question_count(minutes), expected, "{minutes} minutes");
        }
    }

    fn mix(paper: &[Arc<KeyedQuestion>]) -> [usize; 5] {
        let mut counts = [0; 5];
        for question in paper {
            counts[usize::from(question.difficulty.number()) - 1] += 1;
        }
        counts
    }

    #[test]
    fn the_standard_quota_is_the_specifications() {
        assert_eq!(Targets::standard(20).0, [4, 3, 3, 4, 6]);
        for count in 10..=40 {
            assert_eq!(Targets::standard(count).total(), count);
        }
        assert_eq!(Targets::standard(10).0, [2, 2, 1, 2, 3]);
        assert_eq!(Targets::standard(40).0, [7, 7, 6, 8, 12]);
    }

    #[test]
    fn a_paper_meets_its_targets_without_repeats_or_seen_questions() {
        let pool = pool([20, 20, 20, 20, 30]);
        let mut random = StdRng::seed_from_u64(7);
        let first = draw(&pool, Targets::standard(20), &HashSet::new(), &mut random);
        assert_eq!(mix(&first), [4, 3, 3, 4, 6]);
        let seen: HashSet<&str> = first.iter().map(|question| &*question.id).collect();
        let second = draw(&pool, Targets([0, 1, 3, 6, 10]), &seen, &mut random);
        assert_eq!(mix(&second), [0, 1, 3, 6, 10]);
        assert!(second.iter().all(|question| !seen.contains(&*question.id)));
    }

    #[test]
    fn a_small_bank_is_filled_from_the_nearest_difficulty() {
        let pool = pool([9, 9, 9, 9, 2]);
        let mut random = StdRng::seed_from_u64(7);
        let paper = draw(&pool, Targets([0, 0, 0, 4, 6]), &HashSet::new(), &mut random);
        assert_eq!(mix(&paper), [0, 0, 0, 8, 2]);
        let everything = draw(&pool, Targets([0, 0, 0, 0, 40]), &HashSet::new(), &mut random);
        assert_eq!(everything.len(), 38);
    }
}
