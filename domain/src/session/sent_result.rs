//! A result that a client has sent, and how far it is trusted: separate from the stored session, because nothing of it
//! is known to be true.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::RESULT_LINES_MAX;
use crate::correction::{AnswerSet, CorrectionKind};
use crate::question::{KeyedQuestion, TEXT_UNITS_MAX};
use crate::scoring::{self, AnswerLine, DifficultyLine, Response, SCORE_MAX, SCORE_MIN, TestResult, TopicLine};
use crate::text::has_control_beside_lines;

/// The longest text in a result that a client sent, in bytes.
const RESULT_TEXT_BYTES_MAX: usize = 512;

/// A result as a client sends it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentResult {
    score: i64,
    correct_answers: u32,
    total_questions: u32,
    accuracy: Option<f64>,
    time_taken: u32,
    topic_breakdown: Vec<TopicLine>,
    difficulty_breakdown: Vec<DifficultyLine>,
    answers: Vec<SentAnswer>,
}

/// One answer of such a result; `selected` is null or empty when the question was not answered.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SentAnswer {
    question_id: String,
    selected: Option<String>,
    #[serde(default)]
    correct: Option<String>,
    #[serde(default)]
    is_correct: Option<bool>,
    #[serde(default)]
    time_taken: Option<u32>,
    /// Read from other services alone, which have it from here. Whatever else stands there is none.
    #[serde(default)]
    correction: Value,
    #[serde(default)]
    also_correct: Value,
}

/// The decision on a result that a client sent.
#[derive(Debug)]
pub struct Verdict {
    /// The result, graded by the server or as it was sent.
    pub result: TestResult,
    /// Whether the server graded it.
    pub is_verified: bool,
    /// The keys that it was graded with; empty when it was not.
    pub graded_by: Vec<Arc<KeyedQuestion>>,
}

impl SentResult {
    /// Returns whether the counts and text lengths are possible for a test.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        self.has_plausible_counts()
            && self.texts().all(|text| text.len() <= RESULT_TEXT_BYTES_MAX && !has_control_beside_lines(text))
    }

    /// The same for a stored result, whose topics may be as long as those of questions.
    pub(super) fn is_storable(&self) -> bool {
        self.has_plausible_counts()
            && self.texts().all(|text| text.encode_utf16().count() <= TEXT_UNITS_MAX && !text.contains('\0'))
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let of_answers = self
            .answers
            .iter()
            .flat_map(|answer| [Some(&answer.question_id), answer.selected.as_ref(), answer.correct.as_ref()])
            .flatten();
        of_answers.chain(self.topic_breakdown.iter().map(|line| &line.topic))
    }

    fn has_plausible_counts(&self) -> bool {
        let lines = [self.topic_breakdown.len(), self.difficulty_breakdown.len(), self.answers.len()];
        self.correct_answers <= self.total_questions
            && self.accuracy.is_none_or(|percent| (0.0..=100.0).contains(&percent))
            && lines.into_iter().all(|count| count <= RESULT_LINES_MAX)
    }

    /// The questions that it says were asked.
    pub fn question_ids(&self) -> impl Iterator<Item = &str> {
        self.answers.iter().map(|answer| answer.question_id.as_str())
    }

    /// Grades the answers with `key` when it has all their questions and no question occurs twice. Otherwise the result
    /// is kept as it was sent, with the score limited to its scale, and is marked as not verified.
    #[must_use]
    pub fn verify(self, key: &HashMap<&str, &Arc<KeyedQuestion>>) -> Verdict {
        match self.responses(key) {
            Some(responses) => {
                let graded_by = responses.iter().map(|response| Arc::clone(&response.question)).collect();
                Verdict { result: scoring::grade(&responses, self.time_taken), is_verified: true, graded_by }
            }
            None => {
                let result = self.without_corrections().believed();
                Verdict { result, is_verified: false, graded_by: Vec::new() }
            }
        }
    }

    /// The answers as responses to grade; `None` when a question is not in `key`, or there is not exactly one answer
    /// for each question.
    fn responses(&self, key: &HashMap<&str, &Arc<KeyedQuestion>>) -> Option<Vec<Response>> {
        let ids: HashSet<&str> = self.answers.iter().map(|answer| answer.question_id.as_str()).collect();
        let complete = u32::try_from(ids.len()).ok()? == self.total_questions && ids.len() == self.answers.len();
        complete.then(|| self.answers.iter().map(|answer| answer.response(key)).collect()).flatten()
    }

    /// No client corrects a key.
    fn without_corrections(mut self) -> Self {
        for answer in &mut self.answers {
            (answer.correction, answer.also_correct) = (Value::Null, Value::Null);
        }
        self
    }

    pub(super) fn believed(self) -> TestResult {
        let accuracy = self.accuracy.unwrap_or_else(|| scoring::accuracy(self.correct_answers, self.total_questions));
        TestResult {
            score: u32::try_from(self.score.clamp(i64::from(SCORE_MIN), i64::from(SCORE_MAX))).unwrap_or(SCORE_MIN),
            correct_answers: self.correct_answers,
            total_questions: self.total_questions,
            accuracy: (accuracy * 10.0).round() / 10.0,
            time_taken: self.time_taken,
            topic_breakdown: self.topic_breakdown,
            difficulty_breakdown: self.difficulty_breakdown,
            answers: self.answers.into_iter().map(SentAnswer::believed).collect(),
        }
    }
}

impl SentAnswer {
    fn response(&self, key: &HashMap<&str, &Arc<KeyedQuestion>>) -> Option<Response> {
        let question = Arc::clone(key.get(self.question_id.as_str())?);
        let selected = self.selected.as_deref().and_then(|text| question.answer.parse_selected(text));
        Some(Response { question, selected, time_taken: self.time_taken })
    }

    fn believed(self) -> AnswerLine {
        let selected = self.selected.unwrap_or_default();
        let correct = self.correct.unwrap_or_default();
        let is_correct = self.is_correct.unwrap_or(!selected.is_empty() && selected == correct);
        let also = self.also_correct.as_array().into_iter().flatten();
        let also = AnswerSet::of_texts(also.map(|text| text.as_str().unwrap_or_default())).unwrap_or_default();
        AnswerLine {
            question_id: self.question_id,
            selected,
            correct,
            is_correct,
            time_taken: self.time_taken,
            correction: self.correction.as_str().and_then(CorrectionKind::parse),
            also_correct: also.texts(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::NumberKey;
    use crate::question::{Choice, Difficulty, Key};

    fn sent(total: u32, answers: &str) -> SentResult {
        let json = format!(
            r#"{{"score":9000,"correctAnswers":1,"totalQuestions":{total},"timeTaken":60,"topicBreakdown":[],"difficultyBreakdown":[],"answers":{answers}}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    fn verify(result: SentResult) -> (TestResult, bool) {
        verify_by(Choice::B.into(), result)
    }

    fn verify_by(answer: Key, result: SentResult) -> (TestResult, bool) {
        let question = Arc::new(KeyedQuestion {
            id: "q1".into(),
            topic: "T".into(),
            difficulty: Difficulty::new(3).unwrap(),
            answer,
            options: None,
            version: None,
            order: None,
        });
        let verdict = result.verify(&HashMap::from([("q1", &question)]));
        assert_eq!(verdict.is_verified, !verdict.graded_by.is_empty());
        (verdict.result, verdict.is_verified)
    }

    #[test]
    fn a_result_of_the_bank_is_graded_anew() {
        let (result, verified) =
            verify(sent(1, r#"[{"questionId":"q1","selected":"A","correct":"A","isCorrect":true}]"#));
        assert!(verified);
        assert_eq!((result.score, result.correct_answers, result.answers[0].correct.as_str()), (200, 0, "B"));
    }

    #[test]
    fn a_number_is_graded_as_it_was_typed() {
        for (selected, kept, is_correct) in [
            ("\"1/2\"", "1/2", true),
            ("\" 0,5\"", "0,5", true),
            ("\"B\"", "B", false),
            ("\"1234567890123456789012345678901234\"", "", false),
            ("\"\"", "", false),
            ("null", "", false),
        ] {
            let answers =
                format!(r#"[{{"questionId":"q1","selected":{selected},"correct":"{kept}","isCorrect":true}}]"#);
            let (result, verified) = verify_by(NumberKey::exact("0.5").into(), sent(1, &answers));
            let line = &result.answers[0];
            assert!(verified);
            assert_eq!((line.selected.as_str(), line.correct.as_str(), line.is_correct), (kept, "0.5", is_correct));
        }
    }

    #[test]
    fn any_other_is_kept_as_sent_with_its_score_held() {
        for (total, answers) in [
            (1, r#"[{"questionId":"elsewhere","selected":"A","correct":"A","isCorrect":true}]"#),
            (2, r#"[{"questionId":"q1","selected":"B","correct":"B","isCorrect":true}]"#),
            (2, r#"[{"questionId":"q1","selected":"B"},{"questionId":"q1","selected":"B"}]"#),
        ] {
            let (result, verified) = verify(sent(total, answers));
            assert!(!verified, "{answers}");
            assert_eq!(result.score, 800);
        }
    }

    #[test]
    fn corrections_come_from_other_services_alone() {
        let line = r#"[{"questionId":"elsewhere","selected":"A","correct":"B","isCorrect":true,"correction":"also","alsoCorrect":["A"]}]"#;
        let (handed_in, _) = verify(sent(1, line));
        assert_eq!((handed_in.answers[0].correction, handed_in.answers[0].also_correct.len()), (None, 0));
        let stored = sent(1, line).believed();
        let kept = (Some(CorrectionKind::Also), vec!["A".to_owned()]);
        assert_eq!((stored.answers[0].correction, stored.answers[0].also_correct.clone()), kept);
        for other in [r#""correction":7,"alsoCorrect":"A""#, r#""correction":"none","alsoCorrect":[1,"E"]"#] {
            let line = format!(r#"[{{"questionId":"q","selected":"A","correct":"B",{other}}}]"#);
            let read = sent(1, &line).believed();
            assert_eq!((read.answers[0].correction, read.answers[0].also_correct.len()), (None, 0), "{other}");
        }
    }
}
