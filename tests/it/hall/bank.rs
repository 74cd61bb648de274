//! The bank of a grade as a client sees it, and a second implementation of grading that checks the server's.

use std::collections::BTreeMap;

use serde_json::Value;

/// Questions by id.
pub struct Bank {
    pub questions: Vec<Value>,
}

impl Bank {
    pub fn new(questions: Vec<Value>) -> Self {
        Self { questions }
    }

    pub fn ids(&self) -> Vec<String> {
        self.questions.iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect()
    }

    pub fn question(&self, id: &str) -> &Value {
        self.questions.iter().find(|question| question["id"] == id).unwrap_or_else(|| panic!("no question {id}"))
    }

    /// The letter of the right answer.
    pub fn key(&self, id: &str) -> &str {
        self.question(id)["answer"].as_str().unwrap()
    }

    /// A letter that is not the right answer.
    pub fn wrong(&self, id: &str) -> &'static str {
        if self.key(id) == "A" { "B" } else { "A" }
    }

    /// 1 to 5.
    pub fn difficulty(&self, id: &str) -> u64 {
        self.question(id)["difficulty"].as_u64().unwrap()
    }

    /// How many questions of a paper each difficulty has, from 1 to 5.
    pub fn mix(&self, paper: &[String]) -> [usize; 5] {
        [1, 2, 3, 4, 5].map(|difficulty| paper.iter().filter(|id| self.difficulty(id) == difficulty).count())
    }

    /// Some questions of a paper that are worth exactly so many points together.
    pub fn worth(&self, paper: &[String], points: u64) -> Vec<String> {
        // By points reached so far: the questions that reach them.
        let mut reached: BTreeMap<u64, Vec<String>> = BTreeMap::from([(0, Vec::new())]);
        for id in paper {
            for (sum, taken) in reached.clone() {
                reached.entry(sum + self.difficulty(id)).or_insert_with(|| [taken, vec![id.clone()]].concat());
            }
        }
        reached.remove(&points).unwrap_or_else(|| panic!("no questions worth {points}"))
    }
}

/// Questions of staff as readers of the bank get them: without what only authors need.
pub fn plain(mut questions: Vec<Value>) -> Vec<Value> {
    questions.retain(|question| question["type"] == "multiple-choice");
    for question in &mut questions {
        question.as_object_mut().unwrap().remove("fixedOptions");
    }
    questions
}

/// Asserts that a result is correctly graded from these choices on this paper.
#[track_caller]
pub fn assert_result(result: &Value, bank: &Bank, paper: &[String], choices: &BTreeMap<String, String>) {
    let right: Vec<&String> =
        paper.iter().filter(|id| choices.get(*id).is_some_and(|choice| choice == bank.key(id))).collect();
    let points = |ids: &mut dyn Iterator<Item = &String>| ids.map(|id| bank.difficulty(id)).sum::<u64>();
    let (earned, max) = (points(&mut right.iter().copied()), points(&mut paper.iter()));
    assert_eq!(result["score"], ((1200 * earned + max) / (2 * max) + 200).clamp(200, 800), "{result}");
    assert_eq!(result["correctAnswers"], right.len());
    assert_eq!(result["totalQuestions"], paper.len());
    let tenths = (2000 * right.len() + paper.len()) / (2 * paper.len());
    assert_eq!(
        result["accuracy"].as_f64().unwrap().to_string(),
        (f64::from(u32::try_from(tenths).unwrap()) / 10.0).to_string()
    );
    assert!(result["timeTaken"].as_u64().is_some(), "{result}");
    assert_lines(result, bank, paper, choices);
    assert_breakdown(&result["topicBreakdown"], "topic", bank, paper, &right);
    assert_breakdown(&result["difficultyBreakdown"], "difficulty", bank, paper, &right);
    for line in result["topicBreakdown"].as_array().unwrap() {
        let (correct, total) = (line["correct"].as_u64().unwrap(), line["total"].as_u64().unwrap());
        assert_eq!(line["percentage"], (200 * correct + total) / (2 * total), "{line}");
    }
}

#[track_caller]
fn assert_lines(result: &Value, bank: &Bank, paper: &[String], choices: &BTreeMap<String, String>) {
    let lines = result["answers"].as_array().unwrap();
    let ids: Vec<&str> = lines.iter().map(|line| line["questionId"].as_str().unwrap()).collect();
    assert_eq!(ids, paper, "one line for each question, in the order of the paper");
    for (line, id) in lines.iter().zip(paper) {
        let selected = choices.get(id).map_or("", String::as_str);
        assert_eq!(line["selected"], selected, "{line}");
        assert_eq!(line["correct"], bank.key(id), "{line}");
        assert_eq!(line["isCorrect"], selected == bank.key(id), "{line}");
    }
}

#[track_caller]
fn assert_breakdown(lines: &Value, by: &str, bank: &Bank, paper: &[String], right: &[&String]) {
    let name = |id: &String| bank.question(id)[by].to_string();
    let mut expected: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for id in paper {
        let counts = expected.entry(name(id)).or_default();
        counts.0 += u64::from(right.contains(&id));
        counts.1 += 1;
    }
    let counts = |line: &Value| (line["correct"].as_u64().unwrap(), line["total"].as_u64().unwrap());
    let lines = lines.as_array().unwrap().iter().map(|line| (line[by].to_string(), counts(line)));
    let found: Vec<_> = lines.filter(|(_, (_, total))| *total > 0).collect();
    assert_eq!(found.len(), expected.len(), "each {by} once: {found:?}");
    assert_eq!(BTreeMap::from_iter(found), expected);
}
