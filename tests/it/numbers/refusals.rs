//! What is no answer to a question is refused on each road, and changes nothing.

use serde_json::{Value, json};

use super::{OF_EACH, School, id, practice};
use crate::hall::{Candidate, answer};

/// A test with questions of both types, and one of each.
struct Mixed {
    student: Candidate,
    number: String,
    letter: String,
}

impl Mixed {
    async fn of(school: &School) -> Self {
        let bank = school.read("/api/questions?grade=5").await;
        let letters = bank.as_array().unwrap().iter().map(id).take(OF_EACH / 2);
        let numbers = school.numbers.iter().map(id).take(OF_EACH / 2);
        let (letter, number) = (id(&bank[0]).to_owned(), school.first().to_owned());
        let named: Vec<&str> = letters.chain(numbers).collect();
        let student = school.hall.sit(json!({ "grade": 5, "questionIds": named, "types": "all" })).await;
        Self { student, number, letter }
    }

    /// The code of the refusal of this answer over the socket; `None` if it is saved.
    async fn refusal(&mut self, question: &str, selected: &Value) -> Option<Value> {
        let mut command = answer(question, "");
        command["selected"] = selected.clone();
        let seq = self.student.act(command);
        let posted = self.student.post(&[seq]).await;
        let by_https = posted["replies"].get(0).map(|reply| reply["code"].clone());
        // The same number may not be used for two commands, but for the same one on both roads.
        self.student.carry(seq).await;
        match &by_https {
            Some(code) => {
                let error = self.student.socket().until("error").await;
                assert_eq!((&error["code"], &error["seq"]), (code, &json!(seq)), "{selected}");
            }
            None => self.student.socket().expect_saved(seq).await,
        }
        by_https
    }

    async fn selected(&self, question: &str) -> Option<Value> {
        let state = self.student.state().await;
        let rows = state["answers"].as_array().unwrap();
        rows.iter().find(|row| row["questionId"] == question).map(|row| row["selected"].clone())
    }
}

#[tokio::test]
async fn what_is_no_answer_is_refused_and_changes_nothing() {
    let school = School::open().await;
    let mut mixed = Mixed::of(&school).await;
    let (number, letter) = (mixed.number.clone(), mixed.letter.clone());
    assert_eq!(mixed.refusal(&number, &json!("0.5")).await, None);
    assert_eq!(mixed.refusal(&letter, &json!("C")).await, None);
    let invalid = Some(json!("invalid_answer"));
    for refused in ["", " ", "1\u{7}", "1\n2", &"1".repeat(33), &"ạ".repeat(33)] {
        assert_eq!(mixed.refusal(&number, &json!(refused)).await, invalid, "{refused:?}");
    }
    for refused in ["0.5", "1", "E", "a", "AB", "A B"] {
        assert_eq!(
            mixed.refusal(&letter, &json!(refused)).await,
            invalid,
            "a number where a letter is asked: {refused}"
        );
    }
    for wrong in [json!(0.5), json!(["A"]), json!(true)] {
        assert_eq!(mixed.refusal(&number, &wrong).await, Some(json!("bad_message")), "{wrong}");
    }
    assert_eq!((mixed.selected(&number).await, mixed.selected(&letter).await), (Some(json!("0.5")), Some(json!("C"))));
    // As long as an answer may be, in characters and not in bytes.
    let longest = "ạ".repeat(32);
    assert_eq!(mixed.refusal(&number, &json!(longest)).await, None);
    assert_eq!(mixed.selected(&number).await, Some(json!(longest)));
}

#[tokio::test]
async fn letters_where_a_number_is_asked_are_kept_and_are_never_right() {
    let school = School::open().await;
    let mut mixed = Mixed::of(&school).await;
    let number = mixed.number.clone();
    // Whoever types may come by any of these, and what is graded is what stands in the box.
    for typed in ["A", "D", "half", "x = 1/2"] {
        assert_eq!(mixed.refusal(&number, &json!(typed)).await, None, "{typed}");
        assert_eq!(mixed.selected(&number).await, Some(json!(typed)));
    }
    let result = mixed.student.submit().await["result"].clone();
    let line = school.line(&result);
    assert_eq!((&line["selected"], &line["isCorrect"]), (&json!("x = 1/2"), &json!(false)));
}

#[tokio::test]
async fn a_start_names_types_that_there_are() {
    let school = School::open().await;
    for types in [json!("letters"), json!(""), json!("Number")] {
        let refused = school.hall.anonymous().post_json("/api/live", &json!({ "grade": 5, "types": types })).await;
        assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("invalid_test")), "{}", refused.text());
    }
    let refused = school.hall.anonymous().post_json("/api/live", &json!({ "grade": 5, "types": 7 })).await;
    assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("bad_message")), "{}", refused.text());
    let mut adaptive = practice("number");
    adaptive["mode"] = json!("adaptive");
    let student = school.hall.sit(adaptive).await;
    assert_eq!(super::types_of(&school, &student.started).await, ["number"], "the first stage");
}
