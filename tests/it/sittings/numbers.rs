//! A sitting whose paper asks for numbers: the sealed paper tells how a number is read and no key, and the result is
//! held and released like any other.

use serde_json::{Value, json};

use super::School;
use super::entrant::Entrant;

/// Ten questions that ask for numbers, and a template that draws them.
async fn school() -> School {
    let school = School::with(&[("SAMPLE_BANK", "off"), ("PUBLIC_ANSWERS", "false")]).await;
    for place in 0..10 {
        let question = json!({
            "grade": 5, "topic": "Fractions", "difficulty": 2, "type": "number", "answer": "0.5", "unit": "kg",
            "tolerance": "0.25", "language": "vi", "question": format!("How heavy is number {place}?"),
            "explanation": "A half is one divided by two."
        });
        let written = school.admin.post_json("/api/admin/questions", &question).await;
        assert_eq!(written.status, 201, "{}", written.text());
    }
    let config = json!({
        "name": "Numbers", "grades": [5], "mode": "standard", "durationMinutes": 45, "types": "number",
        "standardTargets": { "2": 10 }
    });
    let made = school.admin.post_json("/api/admin/test-templates", &config).await;
    assert_eq!((made.status, &made.json()["shortfalls"]), (200, &json!({})), "{}", made.text());
    School { template: made.json()["template"]["id"].as_str().unwrap().to_owned(), ..school }
}

#[tokio::test]
async fn a_sealed_paper_tells_how_a_number_is_read_and_no_key() {
    let school = school().await;
    let sitting = school.sitting(5, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.hall.cookie("head@exam.test").await;
    let enter = json!({ "sittingId": sitting["id"] });
    let mut ada = Entrant::signed_in(&school.hall, "ada@exam.test", enter).await;
    let seq = ada.prepare().await;
    school.advance(6);
    let begin = ada.socket.until("begin").await;
    let part = begin["keys"].as_object().unwrap().keys().next().unwrap().clone();
    let paper = ada.open(&part, &begin["keys"]);
    assert_eq!(paper.len(), 10);
    for question in &paper {
        let told = ["type", "options", "unit", "language"].map(|name| question[name].clone());
        assert_eq!(told, [json!("number"), json!([]), json!("kg"), json!("vi")], "{question}");
        let keys = ["answer", "tolerance", "forms", "explanation"];
        assert!(keys.iter().all(|name| question.get(name).is_none()), "no key: {question}");
    }
    // As it is read in Vietnamese: the first is a half, and the second two and a half.
    ada.answer(seq + 1, &paper[0], "0,5").await;
    ada.answer(seq + 2, &paper[1], "2 1/2").await;
    let ended = ada.submit(seq + 3).await;
    assert_eq!((&ended["held"], ended.get("result")), (&json!(true), None), "{ended}");
    let path = format!("/api/sessions/{}", ada.session_id);
    assert_eq!(ada.caller().get(&path).await.status, 403);
    let released = school.release_before_all_have_come(&sitting).await;
    assert_eq!(released.status, 200, "{}", released.text());
    let stored = ada.caller().get(&path).await.json();
    let line = |place: usize| -> Value {
        let lines = stored["result"]["answers"].as_array().unwrap();
        lines.iter().find(|line| line["questionId"] == paper[place]["id"]).unwrap().clone()
    };
    assert_eq!((&line(0)["selected"], &line(0)["isCorrect"]), (&json!("0,5"), &json!(true)));
    assert_eq!((&line(1)["selected"], &line(1)["isCorrect"]), (&json!("2 1/2"), &json!(false)));
    assert_eq!(line(2)["selected"], "");
}
