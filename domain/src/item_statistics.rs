//! What the stored sessions of a grade show about its questions and its tests: difficulty, discrimination, times,
//! chosen options and reliability. The formulas are in `docs/decisions/0012-item-statistics.md`.
//!
//! Sessions are added one by one and not kept. Everything is counted in integers, so neither the order nor the paging
//! of the sessions changes a figure, and the memory used depends only on the number of questions. Of wrong numbers
//! alone, the text is that of the first session.

mod figures;
mod wrong;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::correction::{AnswerSet, CorrectionKind};
use super::grade::Grade;
use super::question::{Choice, Key, Selected};
pub use figures::{GradeItems, ItemFigures, OptionShares};
use wrong::WrongNumbers;
pub use wrong::{WRONG_NUMBERS_KEPT_MAX, WRONG_NUMBERS_TOLD_MAX, WrongNumber};

/// The longest time on a question, in seconds: a longer one counts as an hour. It bounds the table of times that each
/// question has.
pub const SECONDS_MAX: u32 = 3_600;
/// The rest score of a test in which everything else was right. Rest scores are integers, in billionths.
const WHOLE: u128 = 1_000_000_000;
/// Figures are rounded to four decimals.
const PLACES: u64 = 10_000;
/// The place of the count of those who have not answered, behind the four options.
const NOT_ANSWERED: usize = Choice::ALL.len();

/// The outcome of one question in one session.
#[derive(Clone, Debug)]
pub struct ItemResponse<'a> {
    /// Identifier of the question.
    pub question_id: Cow<'a, str>,
    /// The points that a right answer was worth in this session; 0 if the question was dropped.
    pub points: u32,
    /// The chosen option, or what was typed; `None` when not answered.
    pub selected: Option<Selected>,
    /// The key by which it was graded, if that is known.
    pub key: Option<Key>,
    /// Whether it was graded as right; of a question that was dropped, whether its key says so.
    pub is_correct: bool,
    /// Whole seconds, when known.
    pub time_taken_seconds: Option<u32>,
    /// What a correction of the key has made of the question.
    pub correction: Option<CorrectionKind>,
    /// The options or numbers that it has made right beside the key.
    pub also_right: AnswerSet,
}

/// The counts so far.
#[derive(Debug, Default)]
pub struct ItemStatistics {
    sessions: u64,
    items: HashMap<String, Item>,
    /// By the number of questions in the session.
    lengths: BTreeMap<u64, Numbers>,
}

/// The plain numbers of one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemCounts {
    /// Sessions that had it.
    pub asked: u64,
    /// Sessions in which it was answered.
    pub answered: u64,
    /// Sessions in which the answer was right.
    pub right: u64,
    /// How often each option was chosen, by position.
    pub chosen: [u64; 4],
    /// The most frequent wrong numbers; `None` if nobody was asked for a number.
    pub wrong: Option<Vec<WrongNumber>>,
    /// Sessions by the option or the number that each was graded with as the right one.
    pub graded_by: BTreeMap<String, u64>,
    /// Whole seconds; `None` when no time is known.
    pub median_seconds: Option<u64>,
}

/// The counts of one question.
#[derive(Debug, Default)]
struct Item {
    attempts: u64,
    correct: u64,
    /// By option; the fifth count is for unanswered.
    chosen: [u64; 5],
    /// Of those that were asked for a number.
    wrong: Option<WrongNumbers>,
    /// How many sessions were graded with each option or number as the right one.
    graded_by: BTreeMap<String, u64>,
    /// How many sessions took each number of seconds, from 0.
    seconds: Vec<u64>,
    /// How many sessions of each length had the question.
    lengths: BTreeMap<u64, u64>,
    rest: Rest,
}

/// The sessions of one length, summed up by their numbers of right answers.
#[derive(Debug, Default)]
struct Numbers {
    sessions: u128,
    sum: u128,
    sum_of_squares: u128,
}

/// The rest scores of the sessions that had a question, in parts of [`WHOLE`]. A rest score is the share of points
/// earned on the session's other questions.
#[derive(Debug, Default)]
struct Rest {
    sessions: u128,
    correct: u128,
    sum: u128,
    sum_when_correct: u128,
    sum_of_squares: u128,
}

impl ItemStatistics {
    /// Counts a session; one without questions is ignored.
    pub fn add(&mut self, outcomes: &[ItemResponse<'_>]) {
        if outcomes.is_empty() {
            return;
        }
        let (earned, possible) = outcomes.iter().fold((0, 0), |(earned, possible), outcome| {
            (earned + outcome.earned(), possible + u128::from(outcome.points))
        });
        let questions = count(outcomes.iter());
        self.sessions += 1;
        self.lengths.entry(questions).or_default().add(count(outcomes.iter().filter(|outcome| outcome.is_correct)));
        for outcome in outcomes {
            let item = match self.items.get_mut(&*outcome.question_id) {
                Some(item) => item,
                None => self.items.entry(outcome.question_id.clone().into_owned()).or_default(),
            };
            item.add(outcome, questions);
            item.rest.add(outcome.is_correct, earned - outcome.earned(), possible - u128::from(outcome.points));
        }
    }

    /// The plain numbers of a question; `None` if no counted session had it.
    #[must_use]
    pub fn counts(&self, question_id: &str) -> Option<ItemCounts> {
        let item = self.items.get(question_id)?;
        let [a, b, c, d, none] = item.chosen;
        Some(ItemCounts {
            asked: item.attempts,
            answered: item.attempts - none,
            right: item.correct,
            chosen: [a, b, c, d],
            wrong: item.wrong.as_ref().map(WrongNumbers::most_frequent),
            graded_by: item.graded_by.clone(),
            median_seconds: item.median_seconds(),
        })
    }

    /// The figures of everything counted so far.
    #[must_use]
    pub fn figures(&self, grade: Grade) -> GradeItems {
        let items: BTreeMap<&str, &Item> = self.items.iter().map(|(id, item)| (id.as_str(), item)).collect();
        let reliability = self.reliability(&items.values().copied().collect::<Vec<_>>());
        let items = items.into_iter().map(|(id, item)| item.figures(id)).collect();
        GradeItems { grade, sessions: self.sessions, reliability: reliability.map(rounded), items }
    }

    /// The mean reliability over the lengths, weighted by the number of sessions.
    fn reliability(&self, items: &[&Item]) -> Option<f64> {
        let known = self.lengths.iter().filter_map(|(questions, numbers)| {
            Some((numbers.reliability(*questions, items)?, numbers.sessions as f64))
        });
        let (sum, sessions) = known
            .fold((0.0, 0.0), |(sum, sessions), (reliability, weight)| (sum + reliability * weight, sessions + weight));
        (sessions > 0.0).then(|| sum / sessions)
    }
}

impl ItemResponse<'_> {
    fn earned(&self) -> u128 {
        if self.is_correct { self.points.into() } else { 0 }
    }
}

impl Item {
    fn add(&mut self, outcome: &ItemResponse<'_>, questions: u64) {
        self.attempts += 1;
        self.correct += u64::from(outcome.is_correct);
        self.add_answer(outcome);
        self.add_key(outcome.key.as_ref());
        *self.lengths.entry(questions).or_default() += 1;
        if let Some(seconds) = outcome.time_taken_seconds {
            let place = seconds.min(SECONDS_MAX) as usize;
            if self.seconds.len() <= place {
                self.seconds.resize(place + 1, 0);
            }
            if let Some(times) = self.seconds.get_mut(place) {
                *times += 1;
            }
        }
    }

    fn add_answer(&mut self, outcome: &ItemResponse<'_>) {
        let number = outcome.key.as_ref().and_then(Key::number);
        let place = match (&outcome.selected, number) {
            (None, _) => Some(NOT_ANSWERED),
            (Some(Selected::Choice(choice)), None) => Some(*choice as usize),
            _ => None,
        };
        if let Some(chosen) = place.and_then(|place| self.chosen.get_mut(place)) {
            *chosen += 1;
        }
        if let Some(number) = number {
            let wrong = self.wrong.get_or_insert_default();
            let is_wrong = |selected: &&Selected| {
                let key = outcome.key.as_ref();
                !number.is_right(selected.text()) && key.is_none_or(|key| !outcome.also_right.accept(selected, key))
            };
            if let Some(selected) = outcome.selected.as_ref().filter(is_wrong) {
                wrong.add(selected.text(), number);
            }
        }
    }

    fn add_key(&mut self, key: Option<&Key>) {
        let Some(key) = key.map(Key::letter_or_number) else { return };
        if let Some(graded) = self.graded_by.get_mut(key) {
            *graded += 1;
        } else {
            // Each edit of the key is one more, and people make those.
            self.graded_by.insert(key.to_owned(), 1);
        }
    }

    /// The variance of right (1) and wrong (0); `None` after fewer than two attempts, when there is no variance.
    fn variance(&self) -> Option<f64> {
        let (attempts, correct) = (u128::from(self.attempts), u128::from(self.correct));
        (attempts > 1).then(|| (correct * (attempts - correct)) as f64 / (attempts * (attempts - 1)) as f64)
    }

    /// The median time; of two middle times, their mean rounded half up.
    fn median_seconds(&self) -> Option<u64> {
        let known: u64 = self.seconds.iter().sum();
        let low = self.nth_seconds(known.checked_sub(1)? / 2)?;
        let high = self.nth_seconds(known / 2)?;
        Some((low + high).div_ceil(2))
    }

    fn nth_seconds(&self, place: u64) -> Option<u64> {
        let mut passed = 0;
        let seconds = self.seconds.iter().position(|times| {
            passed += times;
            passed > place
        });
        seconds.and_then(|seconds| u64::try_from(seconds).ok())
    }

    fn figures(&self, question_id: &str) -> ItemFigures {
        let [a, b, c, d, none] = self.chosen.map(|chosen| share(chosen, self.attempts));
        let has_options = self.wrong.is_none() || self.chosen.iter().take(NOT_ANSWERED).any(|chosen| *chosen > 0);
        let options = has_options.then_some([a, b, c, d]);
        ItemFigures {
            question_id: question_id.to_owned(),
            attempts: self.attempts,
            p_value: share(self.correct, self.attempts),
            discrimination: self.rest.correlation().map(rounded),
            median_time: self.median_seconds(),
            options: OptionShares::of(options, none),
            wrong: self.wrong.as_ref().map(WrongNumbers::most_frequent),
            graded_by: self.graded_by.clone(),
            measured: None,
        }
    }
}

impl Numbers {
    fn add(&mut self, correct: u64) {
        let correct = u128::from(correct);
        self.sessions += 1;
        self.sum += correct;
        self.sum_of_squares += correct * correct;
    }

    /// KR-20 of the sessions with this number of questions; `None` for one question, for one session, or when all have
    /// the same number of right answers.
    fn reliability(&self, questions: u64, items: &[&Item]) -> Option<f64> {
        let spread = self.sessions * self.sum_of_squares - self.sum * self.sum;
        if questions < 2 || self.sessions < 2 || spread == 0 {
            return None;
        }
        let variance = spread as f64 / (self.sessions * (self.sessions - 1)) as f64;
        let known = items.iter().filter_map(|item| Some((*item.lengths.get(&questions)? as f64, item.variance()?)));
        let (attempts, sum) =
            known.fold((0.0, 0.0), |(attempts, sum), (times, variance)| (attempts + times, sum + times * variance));
        let questions = questions as f64;
        (attempts > 0.0).then(|| questions / (questions - 1.0) * (1.0 - questions * sum / attempts / variance))
    }
}

impl Rest {
    /// A session with only this question has no rest score, and is left out.
    fn add(&mut self, is_correct: bool, earned: u128, possible: u128) {
        if possible == 0 {
            return;
        }
        // Rounded to an integer here, so that no sum depends on the order of the sessions.
        let score = (2 * earned * WHOLE + possible) / (2 * possible);
        self.sessions += 1;
        self.sum += score;
        self.sum_of_squares += score * score;
        if is_correct {
            self.correct += 1;
            self.sum_when_correct += score;
        }
    }

    /// The correlation of right and wrong with the rest score; `None` when either is the same in all sessions.
    fn correlation(&self) -> Option<f64> {
        let of_right = self.sessions * self.correct - self.correct * self.correct;
        let of_rest = self.sessions * self.sum_of_squares - self.sum * self.sum;
        if of_right == 0 || of_rest == 0 {
            return None;
        }
        let (with, without) = (self.sessions * self.sum_when_correct, self.correct * self.sum);
        // Both are unsigned, so the smaller one is subtracted.
        let common = if with >= without { (with - without) as f64 } else { -((without - with) as f64) };
        Some((common / (of_right as f64).sqrt() / (of_rest as f64).sqrt()).clamp(-1.0, 1.0))
    }
}

fn count<T>(things: impl Iterator<Item = T>) -> u64 {
    u64::try_from(things.count()).unwrap_or(u64::MAX)
}

/// The share rounded half up to four decimals, in integers; `whole` is not 0.
fn share(part: u64, whole: u64) -> f64 {
    let (part, whole, places) = (u128::from(part), u128::from(whole.max(1)), u128::from(PLACES));
    ((2 * part * places + whole) / (2 * whole)) as f64 / PLACES as f64
}

/// Adding 0.0 turns a negative zero, which JSON would show as `-0.0`, into zero.
fn rounded(value: f64) -> f64 {
    (value * PLACES as f64).round() / PLACES as f64 + 0.0
}

#[cfg(test)]
mod tests;
