//! Questions with their reviews, and decisions on them.

use serde_json::{Value, json};

use super::{assert_done, found, reviewer};
use crate::hall::{Caller, Hall, plain, time_of};

const PATH: &str = "/api/review/questions?grade=5";

async fn submit(caller: &Caller, question_id: &str, status: &str, note: &str) {
    let body = json!({ "questionId": question_id, "grade": 5, "status": status, "note": note });
    assert_done(&caller.post_json("/api/review/submit", &body).await);
}

#[tokio::test]
async fn every_question_has_an_entry() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let reviewer = reviewer(&hall, &admin, "Rita@Exam.test", &[5]).await;
    let before = found(&reviewer.get(PATH).await);
    let choices =
        before["questions"].as_array().unwrap().iter().filter(|question| question["type"] == "multiple-choice");
    assert_eq!(plain(choices.cloned().collect()), hall.bank(5).await.questions);
    assert_eq!(before["reviews"].as_object().unwrap().len(), 140);
    assert!(before["reviews"].as_object().unwrap().values().all(|review| *review == json!({ "status": "pending" })));
    submit(&reviewer, "g5-002", "flagged", " Two options\nare right ").await;
    submit(&admin, "g5-003", "approved", "").await;
    let after = found(&reviewer.get(PATH).await);
    let mut review = after["reviews"]["g5-002"].clone();
    time_of(&review["reviewedAt"].take());
    let expected = json!({ "status": "flagged", "reviewedBy": "rita@exam.test", "reviewedByName": "rita", "reviewedAt": null, "note": "Two options\nare right" });
    assert_eq!(review, expected);
    assert_eq!(
        (&after["reviews"]["g5-003"]["status"], &after["reviews"]["g5-003"]["note"]),
        (&json!("approved"), &json!(""))
    );
    assert_eq!((&after["questions"], after["reviews"].as_object().unwrap().len()), (&before["questions"], 140));
}

#[tokio::test]
async fn one_question_is_read_alone() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let reviewer = reviewer(&hall, &admin, "rita@exam.test", &[5]).await;
    submit(&reviewer, "g5-002", "flagged", "").await;
    let all = found(&reviewer.get(PATH).await);
    let one = found(&reviewer.get(&format!("{PATH}&questionId=g5-002")).await);
    let whole = all["questions"].as_array().unwrap().iter().find(|question| question["id"] == "g5-002").unwrap();
    assert_eq!((&one["questions"], one["reviews"].as_object().unwrap().len()), (&json!([whole]), 1));
    assert_eq!(one["reviews"]["g5-002"], all["reviews"]["g5-002"]);
    let none = found(&reviewer.get(&format!("{PATH}&questionId=g6-002")).await);
    assert_eq!(none, json!({ "questions": [], "reviews": {} }), "it is of another grade");
}

#[tokio::test]
async fn a_decision_replaces_the_one_before() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let reviewer = reviewer(&hall, &admin, "rita@exam.test", &[5]).await;
    for (status, note) in [("approved", "good"), ("flagged", "no"), ("pending", "later"), ("approved", "")] {
        submit(&reviewer, "g5-001", status, note).await;
        let review = found(&admin.get(PATH).await)["reviews"]["g5-001"].clone();
        assert_eq!(
            (&review["status"], &review["note"]),
            (&json!(status), &json!(note)),
            "with all its fields, also when it is pending again"
        );
        assert_eq!(review["reviewedBy"], "rita@exam.test");
    }
    submit(&admin, "g5-001", "flagged", "").await;
    assert_eq!(found(&admin.get(PATH).await)["reviews"]["g5-001"]["reviewedBy"], "admin@exam.test");
}

#[tokio::test]
async fn two_who_decide_at_once_leave_one_decision() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let admin = hall.signed_in("admin").await;
    let elsewhere = other.signed_in("admin").await;
    let decide = async |caller: &Caller, status: &str| submit(caller, "g5-001", status, status).await;
    for _ in 0..10 {
        tokio::join!(
            decide(&admin, "approved"),
            decide(&elsewhere, "flagged"),
            decide(&admin, "flagged"),
            decide(&elsewhere, "approved")
        );
        let review = found(&admin.get(PATH).await)["reviews"]["g5-001"].clone();
        assert_eq!(review["status"], review["note"], "one decision, not halves of two: {review}");
    }
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let good = json!({ "questionId": "g5-001", "grade": 5, "status": "approved", "note": "" });
    let wrong = [
        ("grade", json!(0), 400, "Invalid grade"),
        ("grade", json!(11), 400, "Invalid grade"),
        ("grade", json!("5"), 400, "Invalid grade"),
        ("grade", json!(5.5), 400, "Invalid grade"),
        ("grade", Value::Null, 400, "Invalid grade"),
        ("status", json!("Approved"), 400, "Invalid status"),
        ("status", json!("revision_requested"), 400, "Invalid status"),
        ("status", json!(1), 400, "Invalid status"),
        ("status", Value::Null, 400, "Invalid status"),
        ("note", json!(7), 400, "Invalid note"),
        ("note", json!("bell\u{7}"), 400, "Invalid note"),
        ("note", json!("x".repeat(10_001)), 400, "Invalid note"),
        ("questionId", json!(1), 400, "Invalid questionId"),
        ("questionId", Value::Null, 400, "Invalid questionId"),
        ("questionId", json!("g4-001"), 404, "Question not found"),
        ("questionId", json!(""), 404, "Question not found"),
        ("questionId", json!("g5-001' OR '1'='1"), 404, "Question not found"),
    ];
    for (field, value, status, message) in wrong {
        let mut body = good.clone();
        body[field] = value;
        admin.post_json("/api/review/submit", &body).await.assert_error(status, message);
    }
    let reviews = found(&admin.get(PATH).await)["reviews"].clone();
    assert!(reviews.as_object().unwrap().values().all(|review| *review == json!({ "status": "pending" })));
    assert_done(
        &admin
            .post_json("/api/review/submit", &json!({ "questionId": "g5-001", "grade": 5, "status": "approved" }))
            .await,
    );
    assert_done(
        &admin
            .post_json(
                "/api/review/submit",
                &json!({ "questionId": "g5-001", "grade": 5, "status": "flagged", "note": "x".repeat(10_000) }),
            )
            .await,
    );
}
