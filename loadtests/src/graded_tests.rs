//! Graded tests as the server would store them, made by a seeded generator, and the statistics that they must give.

use crate::failure::Failure;
use entities::{session, session_body};
use sea_orm::ActiveValue::Set;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Two runs make the same tests.
const SEED: u64 = 2_026;
/// When the first test ended.
const BEGIN_MILLISECONDS: i64 = 1_767_600_000_000;
/// Time between the ends of two tests.
const STEP_MILLISECONDS: i64 = 977;

/// A question with its attempts and right answers so far.
struct BankQuestion {
    id: String,
    topic: String,
    answer: String,
    difficulty: u32,
    attempts: u64,
    correct: u64,
}

/// Makes tests from the bank of one grade.
pub struct GradedTests {
    grade: u8,
    questions: Vec<BankQuestion>,
    random: fastrand::Rng,
    sessions: i64,
    bytes: usize,
}

impl GradedTests {
    pub fn new(grade: u8, bank: &[Value]) -> Result<Self, Failure> {
        let text = |question: &Value, name: &str| question.get(name).and_then(Value::as_str).map(str::to_owned);
        let question = |question: &Value| {
            let difficulty = question
                .get("difficulty")
                .and_then(Value::as_u64)
                .and_then(|difficulty| u32::try_from(difficulty).ok())?;
            let (id, topic, answer) = (text(question, "id")?, text(question, "topic")?, text(question, "answer")?);
            Some(BankQuestion { id, topic, answer, difficulty, attempts: 0, correct: 0 })
        };
        let questions = bank
            .iter()
            .map(question)
            .collect::<Option<Vec<_>>>()
            .ok_or("the bank has no answers: use the token of an admin")?;
        Ok(Self { grade, questions, random: fastrand::Rng::with_seed(SEED), sessions: 0, bytes: 0 })
    }

    /// Bytes of the results and keys made so far.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The next test, of `length` questions, as rows to insert.
    pub fn session(&mut self, length: usize) -> (session::ActiveModel, session_body::ActiveModel) {
        let ability = self.random.f64() * 4.0 - 2.0;
        self.random.shuffle(&mut self.questions);
        let (mut answers, mut keys, mut topics) = (Vec::new(), Vec::new(), BTreeMap::<&str, (u32, u32)>::new());
        let (mut earned, mut possible, mut right) = (0, 0, 0);
        for question in self.questions.iter_mut().take(length) {
            let is_correct =
                self.random.f64() < 1.0 / (1.0 + (f64::from(question.difficulty) / 2.0 - 1.5 - ability).exp());
            let selected = if is_correct {
                question.answer.as_str()
            } else {
                wrong_option(&question.answer, self.random.u8(0..4))
            };
            answers.push(json!({
                "questionId": question.id, "selected": selected, "correct": question.answer, "isCorrect": is_correct,
                "timeTaken": self.random.u32(5..240),
            }));
            keys.push(json!({
                "id": question.id, "topic": question.topic, "difficulty": question.difficulty,
                "answer": question.answer,
            }));
            let (points, correct) = if is_correct { (question.difficulty, 1) } else { (0, 0) };
            let topic = topics.entry(&question.topic).or_default();
            *topic = (topic.0 + correct, topic.1 + 1);
            (earned, possible, right) = (earned + points, possible + question.difficulty, right + correct);
            question.attempts += 1;
            question.correct += u64::from(is_correct);
        }
        let topics: Vec<Value> =
            topics.into_iter().map(|(topic, (correct, total))| topic_line(topic, correct, total)).collect();
        let (total, score) = (u32::try_from(length).unwrap_or(u32::MAX), 200 + 600 * earned / possible.max(1));
        let result = json!({
            "score": score, "correctAnswers": right, "totalQuestions": total,
            "accuracy": f64::from(right * 1_000 / total.max(1)) / 10.0,
            "timeTaken": 2_000, "topicBreakdown": topics, "difficultyBreakdown": [], "answers": answers,
        });
        self.rows(&result, &Value::from(keys), [score, right, total])
    }

    fn rows(
        &mut self,
        result: &Value,
        keys: &Value,
        numbers: [u32; 3],
    ) -> (session::ActiveModel, session_body::ActiveModel) {
        let session_id = Uuid::from_u64_pair(self.random.u64(..), self.random.u64(..));
        let completed_at_ms = BEGIN_MILLISECONDS + self.sessions * STEP_MILLISECONDS;
        let (result, graded_by) = (result.to_string(), keys.to_string());
        let [score, correct_answers, total_questions] = numbers.map(|number| i32::try_from(number).unwrap_or(i32::MAX));
        self.sessions += 1;
        self.bytes += result.len() + graded_by.len();
        let row = session::ActiveModel {
            session_id: Set(session_id),
            grade: Set(self.grade.into()),
            started_at_ms: Set(completed_at_ms - 2_000_000),
            completed_at_ms: Set(completed_at_ms),
            webhook_sent: Set(false),
            report_url: Set(format!("https://exam.example/report/{session_id}")),
            verified: Set(true),
            score: Set(score),
            correct_answers: Set(correct_answers),
            total_questions: Set(total_questions),
            time_taken: Set(2_000),
            event_id: Set(None),
            template_id: Set(None),
            sitting_id: Set(None),
            origin: Set("live".to_owned()),
            account: Set(None),
            student: Set(String::new()),
            student_id: Set(None),
            search_text: Set(String::new()),
            ..Default::default()
        };
        let body = session_body::ActiveModel {
            session_id: Set(session_id),
            annotations: Set("{}".to_owned()),
            result: Set(result),
            drawings: Set(None),
            graded_by: Set(graded_by),
            ..Default::default()
        };
        (row, body)
    }

    /// Counts the questions whose figures in an answer differ from those of the tests made.
    pub fn wrong(&self, answer: &Value, sessions: u32, tolerance: f64) -> u64 {
        let figures: BTreeMap<&str, (u64, f64)> =
            answer.get("items").and_then(Value::as_array).into_iter().flatten().filter_map(figure).collect();
        let attempted: Vec<&BankQuestion> = self.questions.iter().filter(|question| question.attempts > 0).collect();
        let is_right = |question: &&&BankQuestion| {
            let share = question.correct as f64 / question.attempts as f64;
            figures
                .get(question.id.as_str())
                .is_some_and(|(attempts, p)| *attempts == question.attempts && (p - share).abs() < tolerance)
        };
        let right = attempted.iter().filter(is_right).count();
        let is_counted = answer.get("sessions").and_then(Value::as_u64) == Some(sessions.into());
        (attempted.len().max(figures.len()) - right) as u64 + u64::from(!is_counted)
    }
}

fn figure(item: &Value) -> Option<(&str, (u64, f64))> {
    Some((item.get("questionId")?.as_str()?, (item.get("attempts")?.as_u64()?, item.get("pValue")?.as_f64()?)))
}

fn topic_line(topic: &str, correct: u32, total: u32) -> Value {
    json!({ "topic": topic, "correct": correct, "total": total, "percentage": 100 * correct / total.max(1) })
}

/// One of the three wrong options, or no choice.
fn wrong_option(answer: &str, place: u8) -> &'static str {
    let others = ["A", "B", "C", "D"].into_iter().filter(|option| *option != answer);
    others.chain([""]).nth(place.into()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_must_match_the_generated_tests() {
        let bank: Vec<Value> = (0..5)
            .map(|number| json!({ "id": format!("q{number}"), "topic": "T", "difficulty": 3, "answer": "B" }))
            .collect();
        let mut tests = GradedTests::new(5, &bank).unwrap();
        for _ in 0..50 {
            drop(tests.session(2));
        }
        let item = |question: &BankQuestion| {
            let share = question.correct as f64 / question.attempts as f64;
            json!({ "questionId": question.id, "attempts": question.attempts, "pValue": share })
        };
        let mut answer = json!({ "sessions": 50, "items": tests.questions.iter().map(item).collect::<Vec<_>>() });
        assert_eq!(tests.questions.iter().map(|question| question.attempts).sum::<u64>(), 100);
        assert_eq!((tests.wrong(&answer, 50, 0.001), tests.wrong(&answer, 51, 0.001)), (0, 1));
        answer["items"][0]["attempts"] = json!(0);
        assert_eq!(tests.wrong(&answer, 50, 0.001), 1);
        assert_eq!(wrong_option("A", 0), "B");
        assert_eq!(wrong_option("A", 3), "");
    }
}
