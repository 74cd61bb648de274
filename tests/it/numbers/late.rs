//! Numbers that came after the end, and the second stage of a test of numbers.

use std::time::Duration;

use serde_json::json;

use super::{OF_EACH, School, number, practice, types_of, write};
use crate::hall::{answer, eventually};

#[tokio::test]
async fn a_number_that_came_late_is_shown_and_can_count() {
    let school = School::open().await;
    let mut student = school.hall.sit(json!({ "templateId": school.template["id"] })).await;
    student.answer(school.first(), "0.4").await;
    student.cut();
    school.hall.clock.advance(Duration::from_secs(50 * 60));
    let admin = school.hall.signed_in("admin").await;
    let session = format!("/api/sessions/{}", student.session_id);
    eventually("the test has ended", async || Some(admin.get(&session).await).filter(|answer| answer.status == 200))
        .await;
    let seq = student.act(answer(school.first(), "1/2"));
    let posted = student.post(&[seq]).await;
    assert_eq!((&posted["replies"][0]["code"], &posted["replies"][0]["kept"]), (&json!("late"), &json!(true)));
    let path = format!("/api/live/sessions/{}/late", student.session_id);
    let shown = admin.get(&path).await.json();
    assert_eq!(shown["commands"][0]["selected"], "1/2", "{shown}");
    let change = &shown["changes"][0];
    assert_eq!((&change["before"], &change["after"]), (&json!("0.4"), &json!("1/2")), "{shown}");
    // Whoever reads the result of a practice test may see its key, and the page of this student may have done so.
    let accepted = json!({ "decision": "accept", "comment": "I was there", "seen": 1, "force": true });
    let decided = admin.post_json(&path, &accepted).await;
    assert_eq!(decided.status, 200, "{}", decided.text());
    let line = school.line(&admin.get(&session).await.json()["result"]);
    assert_eq!((&line["selected"], &line["isCorrect"]), (&json!("1/2"), &json!(true)));
}

#[tokio::test]
async fn both_stages_have_the_types_that_were_asked_for() {
    let mut school = School::open().await;
    // Stage 1 takes twenty questions, and stage 2 as many of others.
    for place in 0..3 * OF_EACH {
        write(&school.admin, &number(&json!({ "question": format!("Number {place}?"), "difficulty": 4 }))).await;
    }
    let mut adaptive = practice("number");
    adaptive["mode"] = json!("adaptive");
    let mut student = school.hall.sit(adaptive).await;
    assert_eq!(types_of(&school, &student.started).await, ["number"]);
    let first = student.paper.clone();
    for question in &first {
        student.send(answer(question, "1/2")).await;
    }
    student.settle().await;
    // Another server reads from the database what the test was begun with.
    school.hall.restart().await;
    school.admin = school.hall.signed_in("admin").await;
    student.move_to(&school.hall.base());
    student.resume().await;
    let stage = student.next().await;
    assert_eq!(types_of(&school, &stage).await, ["number"]);
    assert!(student.paper.iter().all(|question| !first.contains(question)), "{stage}");
    assert_eq!(student.submit().await["result"]["answers"].as_array().unwrap().len(), 4 * OF_EACH);
}
