//! The answers of live tests in as few bytes as they need: a hundred thousand tests of forty questions are 16 MB.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::SchoolYear;
use crate::correction::CorrectionKind;
use crate::item_statistics::ItemResponse;
use crate::question::Key;

/// Answers that are kept of one grade: those of a hundred thousand tests of forty questions, 16 MB. The tests that were
/// added first have them; earlier ones say little about the students of today.
pub const ANSWERS_MAX: usize = 4_000_000;
/// Questions of one grade that are measured together. Each takes 2 KB while it is.
pub const QUESTIONS_MAX: usize = 20_000;

/// The answers of one grade's live tests. Tests are added one by one, in an order in which those of a school year come
/// together.
#[derive(Debug)]
pub struct LiveAnswers {
    places: HashMap<String, u32>,
    /// The place of the question twice, and one more if the answer is right.
    marks: Vec<u32>,
    /// Where the marks of each test end.
    ends: Vec<u32>,
    /// For each school year, where its tests begin.
    years: Vec<(SchoolYear, usize)>,
    /// A test that is read twice counts once.
    seen: HashSet<u128>,
    answers_max: usize,
}

impl Default for LiveAnswers {
    fn default() -> Self {
        Self::with_room(ANSWERS_MAX)
    }
}

impl LiveAnswers {
    fn with_room(answers_max: usize) -> Self {
        Self {
            places: HashMap::new(),
            marks: Vec::new(),
            ends: Vec::new(),
            years: Vec::new(),
            seen: HashSet::new(),
            answers_max,
        }
    }

    /// Adds a test, in the order of its paper. `key` is the key of a question today, if it still exists: an
    /// answer that was graded by another one says nothing about the question as it is. Returns false when there is no
    /// room for it, and none for any after it.
    pub fn add<'k>(
        &mut self,
        test_id: u128,
        year: SchoolYear,
        responses: &[ItemResponse<'_>],
        key: impl Fn(&str) -> Option<&'k Key>,
    ) -> bool {
        if self.marks.len() + responses.len() > self.answers_max {
            return false;
        }
        if !self.seen.insert(test_id) {
            return true;
        }
        let first = self.marks.len();
        // What follows the last answer was not reached, which tells of the time and not of the question.
        let reached = responses.iter().rposition(|response| response.selected.is_some()).map_or(0, |last| last + 1);
        for response in responses.iter().take(reached).filter(|response| counts(response, &key)) {
            if let Some(place) = self.place(&response.question_id) {
                let is_again = self.marks.iter().skip(first).any(|mark| mark / 2 == place);
                if !is_again {
                    self.marks.push(2 * place + u32::from(response.is_correct));
                }
            }
        }
        if self.marks.len() > first {
            if self.years.last().is_none_or(|(last, _)| *last != year) {
                self.years.push((year, self.ends.len()));
            }
            self.ends.push(u32::try_from(self.marks.len()).unwrap_or(u32::MAX));
        }
        true
    }

    fn place(&mut self, question_id: &str) -> Option<u32> {
        if let Some(place) = self.places.get(question_id) {
            return Some(*place);
        }
        let place = u32::try_from(self.places.len()).ok().filter(|_| self.places.len() < QUESTIONS_MAX)?;
        self.places.insert(question_id.to_owned(), place);
        Some(place)
    }

    /// How many tests there are.
    #[must_use]
    pub fn tests(&self) -> usize {
        self.ends.len()
    }

    /// How many questions there are.
    #[must_use]
    pub fn questions(&self) -> usize {
        self.places.len()
    }

    /// The tests of each school year, by their places.
    #[must_use]
    pub fn years(&self) -> Vec<(SchoolYear, Range<usize>)> {
        let ends = self.years.iter().skip(1).map(|(_, begin)| *begin).chain([self.ends.len()]);
        self.years.iter().zip(ends).map(|((year, begin), end)| (*year, *begin..end)).collect()
    }

    /// The ids of the questions, by their places.
    pub(super) fn ids(&self) -> Vec<String> {
        let mut ids: Vec<(u32, &String)> = self.places.iter().map(|(id, place)| (*place, id)).collect();
        ids.sort_unstable();
        ids.into_iter().map(|(_, id)| id.clone()).collect()
    }

    /// The marks of each of these tests.
    pub(super) fn marks_of(&self, tests: Range<usize>) -> impl Iterator<Item = Answered<'_>> {
        let begins = [0].into_iter().chain(self.ends.iter().copied()).skip(tests.start);
        let ends = self.ends.iter().copied().skip(tests.start).take(tests.len());
        begins.zip(ends).map(|(begin, end)| Answered(self.marks.get(begin as usize..end as usize).unwrap_or_default()))
    }
}

/// The answers of one test.
#[derive(Clone, Copy)]
pub(super) struct Answered<'a>(&'a [u32]);

impl Answered<'_> {
    /// The place of each question, and whether it is right.
    pub(super) fn iter(self) -> impl Iterator<Item = (usize, bool)> {
        self.0.iter().map(|mark| ((mark / 2) as usize, mark % 2 == 1))
    }
}

/// Whether an answer says how difficult its question is: not if a correction has credited everyone or dropped the
/// question, and not if it was graded by another key than today's.
fn counts<'k>(response: &ItemResponse<'_>, key: impl Fn(&str) -> Option<&'k Key>) -> bool {
    let is_void = matches!(response.correction, Some(CorrectionKind::All | CorrectionKind::Drop));
    let is_of_key = match (key(&response.question_id), &response.key) {
        (Some(today), Some(then)) => today == then,
        _ => true,
    };
    !is_void && is_of_key
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::correction::AnswerSet;
    use crate::question::{Choice, Selected};

    const YEAR: SchoolYear = SchoolYear(2025);
    const KEYS: [Key; 2] = [Key::Choice(Choice::A), Key::Choice(Choice::B)];

    fn response(id: &str, selected: Option<Choice>) -> ItemResponse<'_> {
        ItemResponse {
            question_id: Cow::Borrowed(id),
            points: 1,
            selected: selected.map(Selected::from),
            key: Some(Choice::A.into()),
            is_correct: selected == Some(Choice::A),
            time_taken_seconds: None,
            correction: None,
            also_right: AnswerSet::default(),
        }
    }

    fn told(answers: &LiveAnswers) -> Vec<Vec<(String, bool)>> {
        let ids = answers.ids();
        let test = |test: Answered<'_>| test.iter().map(|(place, right)| (ids[place].clone(), right)).collect();
        answers.marks_of(0..answers.tests()).map(test).collect()
    }

    fn right(id: &str) -> (String, bool) {
        (id.to_owned(), true)
    }

    fn wrong(id: &str) -> (String, bool) {
        (id.to_owned(), false)
    }

    #[test]
    fn what_was_passed_over_is_wrong_and_what_was_not_reached_says_nothing() {
        let mut answers = LiveAnswers::default();
        let paper =
            [response("a", Some(Choice::A)), response("b", None), response("c", Some(Choice::B)), response("d", None)];
        assert!(answers.add(1, YEAR, &paper, |_| None));
        assert!(answers.add(2, YEAR, &[response("a", None), response("b", None)], |_| None));
        assert_eq!(told(&answers), [[right("a"), wrong("b"), wrong("c")]]);
    }

    #[test]
    fn a_test_and_a_question_in_it_count_once() {
        let mut answers = LiveAnswers::default();
        for _ in 0..2 {
            answers.add(1, YEAR, &[response("a", Some(Choice::A)), response("a", Some(Choice::B))], |_| None);
        }
        assert_eq!(told(&answers), [[right("a")]]);
    }

    #[test]
    fn what_a_correction_has_made_void_and_what_another_key_has_graded_is_left_out() {
        let mut answers = LiveAnswers::default();
        let with = |id, correction| ItemResponse { correction: Some(correction), ..response(id, Some(Choice::A)) };
        use CorrectionKind::{All, Also, Drop};
        let paper = [with("a", All), with("b", Drop), with("c", CorrectionKind::Key), with("d", Also)];
        let [of_a, of_b] = &KEYS;
        answers.add(1, YEAR, &paper, |_| Some(of_a));
        answers.add(2, YEAR, &[response("a", Some(Choice::B)), response("b", Some(Choice::A))], |id| {
            Some(if id == "a" { of_b } else { of_a })
        });
        assert_eq!(told(&answers), [vec![right("c"), right("d")], vec![right("b")]]);
    }

    #[test]
    fn there_is_room_for_so_many_and_no_more() {
        let mut answers = LiveAnswers::with_room(3);
        let paper = [response("a", Some(Choice::A)), response("b", Some(Choice::A))];
        assert!(answers.add(1, YEAR, &paper, |_| None));
        assert!(!answers.add(2, YEAR, &paper, |_| None));
        assert_eq!(answers.tests(), 1);
    }

    #[test]
    fn the_tests_of_each_year_are_known() {
        let mut answers = LiveAnswers::default();
        for (id, year) in [(1, 2026), (2, 2026), (3, 2024)] {
            answers.add(id, SchoolYear(year), &[response("a", Some(Choice::A))], |_| None);
        }
        assert_eq!(answers.years(), [(SchoolYear(2026), 0..2), (SchoolYear(2024), 2..3)]);
        assert_eq!(answers.marks_of(2..3).count(), 1);
    }
}
