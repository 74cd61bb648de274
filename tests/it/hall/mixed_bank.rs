//! A bank whose questions differ in everything that decides how they are shown: they have two to four options, options
//! that keep their order, or none because they ask for numbers.

use domain::question::Question;
use examhall::database::Database;
use examhall::store::questions;
use serde_json::{Value, json};

use super::Hall;

const TOPICS: [&str; 2] = ["Angles", "Sums"];
/// Questions with options of each topic and difficulty, and those that ask for numbers.
const LETTERED: usize = 12;
const NUMBERED: usize = 4;
/// What the text of each option begins with, by its place in the bank.
const OPTIONS: [&str; 4] = ["oak", "elm", "fir", "yew"];
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

/// The questions of a grade 5 that has no others.
fn mixed_bank() -> Vec<Value> {
    let cells = TOPICS.iter().flat_map(|topic| (1..=5).map(move |difficulty| (*topic, difficulty)));
    let mut bank = Vec::new();
    for (topic, difficulty) in cells {
        for place in 0..LETTERED + NUMBERED {
            let number = bank.len() + 1;
            let mut question = if place < LETTERED { lettered(number, place) } else { numbered(number) };
            let common = json!({
                "grade": 5, "topic": topic, "subtopic": "", "difficulty": difficulty, "source": "tests",
                "explanation": "", "image": "", "question": format!("What is asked by number {number}?"),
            });
            question.as_object_mut().unwrap().extend(common.as_object().unwrap().clone());
            bank.push(question);
        }
    }
    bank
}

fn lettered(number: usize, place: usize) -> Value {
    let count = 2 + place % 3;
    let id = format!("L{number:03}");
    let options: Vec<String> = OPTIONS[..count].iter().map(|name| format!("{name}{number}")).collect();
    json!({
        "id": id, "type": "multiple-choice", "options": options, "answer": LETTERS[(place / 3) % count],
        "fixedOptions": place % 5 == 4,
    })
}

fn numbered(number: usize) -> Value {
    json!({
        "id": format!("N{number:03}"), "type": "number", "options": [], "answer": format!("{number}.5"),
        "tolerance": "0", "unit": "", "language": "en",
    })
}

impl Hall {
    /// Stores the mixed bank in a server that has no questions.
    pub async fn store_mixed_bank(&self) -> Vec<Value> {
        let bank = mixed_bank();
        let stored: Vec<Question> = serde_json::from_value(json!(bank)).unwrap();
        let database = Database::open(self.database_url(), 2, 1).await.unwrap();
        questions::put(&database, &stored).await.unwrap();
        database.close().await;
        bank
    }
}
