//! The only scoring function, in integers, for live exams, stored sessions, reports, webhooks and statistics.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::correction::{CorrectionKind, Ruling};
use super::question::{Difficulty, KeyedQuestion, Selected};
use super::text::same::seen;

/// The lowest score; a test without right answers has it.
pub const SCORE_MIN: u32 = 200;
/// The highest score.
pub const SCORE_MAX: u32 = 800;

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestResult {
    /// 200 to 800.
    #[schema(minimum = 200, maximum = 800)]
    pub score: u32,
    /// Questions answered correctly.
    pub correct_answers: u32,
    /// Questions of the test, without those that a correction has dropped.
    pub total_questions: u32,
    /// Percent with one decimal; a request may leave it out.
    #[schema(required = false)]
    pub accuracy: f64,
    /// Whole seconds.
    pub time_taken: u32,
    /// One line for each topic, in the order of the paper.
    pub topic_breakdown: Vec<TopicLine>,
    /// One line for each difficulty on the paper, easiest first.
    pub difficulty_breakdown: Vec<DifficultyLine>,
    /// One line for each question, in the order of the paper.
    pub answers: Vec<AnswerLine>,
}

impl TestResult {
    /// Returns whether the two are about the same test: the same questions in the same order, with the same
    /// answers. Other services may leave out the times, and may not know the keys.
    #[must_use]
    pub fn has_answers_of(&self, other: &Self) -> bool {
        let is_same = |(one, other): (&AnswerLine, &AnswerLine)| {
            one.question_id == other.question_id && one.selected == other.selected
        };
        self.answers.len() == other.answers.len() && self.answers.iter().zip(&other.answers).all(is_same)
    }
}

/// The result in one topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TopicLine {
    /// The topic.
    pub topic: String,
    /// Questions answered correctly.
    pub correct: u32,
    /// Questions of the topic.
    pub total: u32,
    /// Percent correct, rounded half up.
    pub percentage: u32,
}

/// The result in one difficulty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DifficultyLine {
    /// 1 to 5.
    #[schema(value_type = u8, minimum = 1, maximum = 5)]
    pub difficulty: Difficulty,
    /// Questions answered correctly.
    pub correct: u32,
    /// Questions of the difficulty.
    pub total: u32,
}

/// The result of one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnswerLine {
    /// Identifier of the question.
    pub question_id: String,
    /// `A` to `D`, or the number as it was typed; empty when not answered.
    pub selected: String,
    /// The right option, `A` to `D`, or the right number.
    pub correct: String,
    /// Whether the answer counts as right.
    pub is_correct: bool,
    /// Whole seconds on this question; absent when not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_taken: Option<u32>,
    /// What a correction of the key has made of the question; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub correction: Option<CorrectionKind>,
    /// Options or numbers that a correction has made right too; absent when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_correct: Vec<String>,
}

/// A student's answer to one question of the paper.
#[derive(Clone, Debug)]
pub struct Response {
    /// The question, with the key that it is graded by.
    pub question: Arc<KeyedQuestion>,
    /// The chosen option, or what was typed; `None` when not answered.
    pub selected: Option<Selected>,
    /// Whole seconds on this question; `None` when not known.
    pub time_taken: Option<u32>,
}

/// A response with what counts for its question instead of the key alone.
#[derive(Clone, Copy)]
struct Marked<'a> {
    response: &'a Response,
    ruling: Option<&'a Ruling>,
}

impl Marked<'_> {
    fn is_correct(self) -> bool {
        let Self { response, ruling } = self;
        let selected = response.selected.as_ref();
        let by_key = || selected.is_some_and(|selected| response.question.answer.accepts(selected));
        ruling.map_or_else(by_key, |ruling| ruling.is_right(selected))
    }

    fn counts(self) -> bool {
        self.ruling.is_none_or(Ruling::counts)
    }

    fn difficulty(self) -> Difficulty {
        self.response.question.difficulty
    }
}

/// Each response with its ruling; those that have none are graded by their keys.
fn marked<'a>(responses: &'a [Response], rulings: &'a [Option<Ruling>]) -> impl Iterator<Item = Marked<'a>> {
    let rulings = rulings.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    responses.iter().zip(rulings).map(|(response, ruling)| Marked { response, ruling })
}

/// The earned and the possible points of these responses.
#[must_use]
pub fn points(responses: &[Response]) -> (u32, u32) {
    points_by(responses, &[])
}

/// The same after corrections, of which each question may have a ruling.
#[must_use]
pub fn points_by(responses: &[Response], rulings: &[Option<Ruling>]) -> (u32, u32) {
    marked(responses, rulings).filter(|one| one.counts()).fold((0, 0), |(earned, max), one| {
        let points = one.difficulty().points();
        (earned + if one.is_correct() { points } else { 0 }, max + points)
    })
}

/// The points on the scale from 200 to 800, rounded half up. Integers give the same score on every platform, also
/// exactly at a half.
#[must_use]
pub fn score(earned: u32, max: u32) -> u32 {
    if max == 0 {
        return SCORE_MIN;
    }
    let (earned, max) = (u64::from(earned), u64::from(max));
    // 600 * earned / max, rounded half up. Numerator and denominator are doubled, so that the half is an integer.
    let scaled = (1200 * earned + max) / (2 * max) + u64::from(SCORE_MIN);
    u32::try_from(scaled).unwrap_or(SCORE_MAX).clamp(SCORE_MIN, SCORE_MAX)
}

/// Percent correct with one decimal, rounded half up; 0 for an empty test.
#[must_use]
pub fn accuracy(correct: u32, total: u32) -> f64 {
    if total == 0 {
        return 0.0;
    }
    let (correct, total) = (u64::from(correct), u64::from(total));
    let tenths = (2000 * correct + total) / (2 * total);
    u32::try_from(tenths).map_or(0.0, f64::from) / 10.0
}

/// Grades a whole test; `time_taken` is in whole seconds.
#[must_use]
pub fn grade(responses: &[Response], time_taken: u32) -> TestResult {
    grade_by(responses, &[], time_taken)
}

/// The same after corrections, of which each question may have a ruling. A question that was dropped has a line, and
/// counts nowhere.
#[must_use]
pub fn grade_by(responses: &[Response], rulings: &[Option<Ruling>], time_taken: u32) -> TestResult {
    let (earned, max) = points_by(responses, rulings);
    let counted: Vec<Marked<'_>> = marked(responses, rulings).filter(|one| one.counts()).collect();
    let correct = count(counted.iter().filter(|one| one.is_correct()));
    let total = count(counted.iter());
    TestResult {
        score: score(earned, max),
        correct_answers: correct,
        total_questions: total,
        accuracy: accuracy(correct, total),
        time_taken,
        topic_breakdown: topics(&counted),
        difficulty_breakdown: difficulties(&counted),
        answers: marked(responses, rulings).map(answer_line).collect(),
    }
}

fn topics(counted: &[Marked<'_>]) -> Vec<TopicLine> {
    let mut lines: Vec<TopicLine> = Vec::new();
    for one in counted {
        let topic = &*one.response.question.topic;
        let correct = u32::from(one.is_correct());
        let is_it = |line: &TopicLine| line.topic == topic;
        // The exact text is tried first: nearly always it is found, and the comparison by what readers see costs more.
        let place = lines.iter().position(is_it).or_else(|| {
            let topic = seen(topic);
            lines.iter().position(|line| seen(&line.topic) == topic)
        });
        match place.and_then(|place| lines.get_mut(place)) {
            Some(line) => {
                line.correct += correct;
                line.total += 1;
            }
            None => lines.push(TopicLine { topic: topic.to_owned(), correct, total: 1, percentage: 0 }),
        }
    }
    for line in &mut lines {
        line.percentage = percentage(line.correct, line.total);
    }
    lines
}

/// Percent rounded half up to an integer; 0 when `total` is 0.
fn percentage(correct: u32, total: u32) -> u32 {
    if total == 0 { 0 } else { (200 * correct + total) / (2 * total) }
}

fn difficulties(counted: &[Marked<'_>]) -> Vec<DifficultyLine> {
    let line = |difficulty: Difficulty| {
        let of_it = || counted.iter().filter(move |one| one.difficulty() == difficulty);
        DifficultyLine { difficulty, correct: count(of_it().filter(|one| one.is_correct())), total: count(of_it()) }
    };
    Difficulty::all().map(line).filter(|line| line.total > 0).collect()
}

fn answer_line(marked: Marked<'_>) -> AnswerLine {
    let Marked { response, ruling } = marked;
    let key = ruling.map_or(&response.question.answer, |ruling| &ruling.key);
    AnswerLine {
        question_id: response.question.id.to_string(),
        selected: response.selected.as_ref().map_or("", Selected::text).to_owned(),
        correct: key.letter_or_number().to_owned(),
        is_correct: marked.is_correct(),
        time_taken: response.time_taken,
        correction: ruling.map(|ruling| ruling.kind),
        also_correct: ruling.map(Ruling::also).unwrap_or_default().texts(),
    }
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::NumberKey;
    use crate::question::{Choice, Key};

    #[test]
    fn the_scale_is_rounded_half_up_and_clamped() {
        assert_eq!(score(0, 0), 200);
        assert_eq!(score(0, 65), 200);
        assert_eq!(score(65, 65), 800);
        assert_eq!(score(1, 65), 209, "9.23 above 200");
        assert_eq!(score(1, 16), 238, "37.5 above 200 goes up");
        assert_eq!(score(u32::MAX, 1), 800);
    }

    #[test]
    fn accuracy_has_one_decimal() {
        assert_eq!(accuracy(0, 0), 0.0);
        assert_eq!(accuracy(2, 3), 66.7);
        assert_eq!(accuracy(1, 16), 6.3, "6.25 goes up");
        assert_eq!(accuracy(20, 20), 100.0);
    }

    #[test]
    fn a_whole_test_is_graded() {
        let question = |id: &str, topic: &str, difficulty, answer: Choice| {
            Arc::new(KeyedQuestion {
                id: id.into(),
                topic: topic.into(),
                difficulty: Difficulty::new(difficulty).unwrap(),
                answer: answer.into(),
                options: None,
                version: None,
                order: None,
            })
        };
        let responses = [
            Response {
                question: question("a", "Shapes", 5, Choice::A),
                selected: Some(Choice::A.into()),
                time_taken: Some(4),
            },
            Response { question: question("b", "Numbers", 1, Choice::B), selected: None, time_taken: None },
            Response {
                question: question("c", "Shapes\u{A0}\u{200B}", 2, Choice::C),
                selected: Some(Choice::D.into()),
                time_taken: Some(9),
            },
        ];
        let result = grade(&responses, 61);
        assert_eq!((result.score, result.correct_answers, result.total_questions), (575, 1, 3));
        assert_eq!(result.accuracy, 33.3);
        assert_eq!(
            result.topic_breakdown[0],
            TopicLine { topic: "Shapes".into(), correct: 1, total: 2, percentage: 50 }
        );
        assert_eq!(
            result.difficulty_breakdown.iter().map(|line| line.difficulty.number()).collect::<Vec<_>>(),
            [1, 2, 5]
        );
        assert_eq!(result.answers[1].selected, "");
        assert_eq!(serde_json::to_value(&result.answers[1]).unwrap().get("timeTaken"), None);
    }

    #[test]
    fn a_number_is_graded_by_its_value_and_kept_as_it_was_typed() {
        let line = |typed: &str| {
            let question = Arc::new(KeyedQuestion {
                id: "a".into(),
                topic: "Fractions".into(),
                difficulty: Difficulty::new(5).unwrap(),
                answer: Key::from(NumberKey::exact("0.5")),
                options: None,
                version: None,
                order: None,
            });
            let selected = question.answer.parse_selected(typed);
            let result = grade(&[Response { question, selected, time_taken: None }], 1);
            let AnswerLine { selected, correct, is_correct, .. } = result.answers[0].clone();
            (selected, correct, is_correct, result.score)
        };
        assert_eq!(line(" 2/4 "), ("2/4".to_owned(), "0.5".to_owned(), true, 800));
        assert_eq!(line("0,4"), ("0,4".to_owned(), "0.5".to_owned(), false, 200));
        assert_eq!(line(" "), (String::new(), "0.5".to_owned(), false, 200));
    }
}
