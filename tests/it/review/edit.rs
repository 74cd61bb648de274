//! Edits: what they change, what they log, and what they leave as it is.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{edit, found, reviewer};
use crate::hall::{Caller, Hall, answer, eventually, time_of};

async fn question(hall: &Hall, id: &str) -> Value {
    hall.bank(5).await.question(id).clone()
}

async fn log(caller: &Caller) -> Vec<Value> {
    found(&caller.get("/api/review/edit?grade=5").await)["editLog"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_edit_is_served_and_logged_field_by_field() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let rita = reviewer(&hall, &admin, "rita@exam.test", &[5]).await;
    let before = question(&hall, "g5-001").await;
    let options = json!([before["options"][0], "A new second option", before["options"][2]]);
    let updates = json!({ "question": "How much is it?", "answer": "A", "explanation": before["explanation"], "options": options });
    let body = json!({ "questionId": "g5-001", "grade": 5, "comment": " It was unclear ", "updates": updates });
    let edited = found(&rita.post_json("/api/review/edit", &body).await);
    assert_eq!((edited.as_object().unwrap().len(), &edited["ok"]), (2, &json!(true)));
    let mut expected = before.clone();
    (expected["question"], expected["answer"], expected["options"]) = (json!("How much is it?"), json!("A"), options);
    assert_eq!(question(&hall, "g5-001").await, expected, "and nothing else");
    let mut logged = log(&rita).await;
    time_of(&logged[0]["editedAt"].take());
    let mut changes = vec![
        json!({ "field": "Question", "before": before["question"], "after": "How much is it?" }),
        json!({ "field": "Option B", "before": before["options"][1], "after": "A new second option" }),
        json!({ "field": "Option D", "before": before["options"][3], "after": "" }),
        json!({ "field": "Answer", "before": before["answer"], "after": "A" }),
    ];
    changes.retain(|change| change["before"] != change["after"]);
    let entry = json!({
        "id": edited["editId"], "questionId": "g5-001", "grade": 5, "editedBy": "rita@exam.test", "editedByName": "rita", "editedAt": null,
        "changes": changes, "comment": "It was unclear",
    });
    assert_eq!(logged, [entry]);
}

#[tokio::test]
async fn another_server_serves_the_edited_question() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    assert_eq!(question(&hall, "g5-001").await, question(&other, "g5-001").await);
    let admin = hall.signed_in("admin").await;
    found(&edit(&admin, "g5-001", json!({ "question": "Edited elsewhere?" })).await);
    assert_eq!(question(&hall, "g5-001").await["question"], "Edited elsewhere?", "at once where it was edited");
    eventually("the other server has it", async || {
        (question(&other, "g5-001").await["question"] == "Edited elsewhere?").then_some(())
    })
    .await;
    let shown = found(&other.signed_in("admin").await.get("/api/review/questions?grade=5").await);
    assert_eq!(shown["questions"][0]["question"], "Edited elsewhere?");
}

#[tokio::test]
async fn tests_that_have_begun_keep_their_key() {
    let hall = Hall::open().await;
    let (bank, admin) = (hall.bank(5).await, hall.signed_in("admin").await);
    let mut finished = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    for id in finished.paper.clone() {
        finished.answer(&id, bank.key(&id)).await;
    }
    finished.submit().await;
    let stored = hall.stored_session(&finished.session_id).await;
    let mut running = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    for id in finished.paper.iter().chain(&running.paper).collect::<std::collections::BTreeSet<_>>() {
        found(
            &edit(&admin, id, json!({ "answer": bank.wrong(id), "question": format!("{id} is another question now") }))
                .await,
        );
    }
    assert_eq!(hall.stored_session(&finished.session_id).await, stored, "a finished session stays as it was");
    for id in running.paper.clone() {
        running.send(answer(&id, bank.key(&id))).await;
    }
    running.settle().await;
    let submitted = running.submit().await;
    assert_eq!(
        (&submitted["result"]["correctAnswers"], &submitted["result"]["score"]),
        (&json!(10), &json!(800)),
        "graded by the key of its start"
    );
    let changed = hall.bank(5).await;
    let mut next = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    for id in next.paper.clone() {
        next.send(answer(&id, changed.key(&id))).await;
    }
    next.settle().await;
    assert_eq!(next.submit().await["result"]["correctAnswers"], 10, "a test that begins now has the new key");
    assert!(running.paper.iter().all(|id| changed.key(id) == bank.wrong(id)));
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let before = question(&hall, "g5-001").await;
    let good = json!({ "questionId": "g5-001", "grade": 5, "comment": "", "updates": { "question": "Another?" } });
    let wrong = [
        ("grade", json!(11), 400, "Invalid grade"),
        ("grade", json!("5"), 400, "Invalid grade"),
        ("questionId", json!(["g5-001"]), 400, "Invalid questionId"),
        ("questionId", json!("g4-001"), 404, "Question not found"),
        ("questionId", json!("nothing"), 404, "Question not found"),
        ("comment", json!(5), 400, "Invalid comment"),
        ("comment", json!("x".repeat(10_001)), 400, "Invalid comment"),
        ("updates", Value::Null, 400, "Invalid updates"),
        ("updates", json!([]), 400, "Invalid updates"),
        ("updates", json!("question"), 400, "Invalid updates"),
        ("updates", json!({}), 400, "No changes"),
        (
            "updates",
            json!({ "question": before["question"], "options": before["options"], "answer": before["answer"] }),
            400,
            "No changes",
        ),
        ("updates", json!({ "grade": 6 }), 400, "Invalid updates"),
        ("updates", json!({ "question": "Another?", "id": "g5-002" }), 400, "Invalid updates"),
        ("updates", json!({ "answer": "E" }), 400, "Invalid updates"),
        ("updates", json!({ "answer": null }), 400, "Invalid updates"),
        ("updates", json!({ "options": ["1", "2"], "answer": "C" }), 400, "Invalid updates"),
        ("updates", json!({ "options": ["1"], "answer": "A" }), 400, "Invalid updates"),
        ("updates", json!({ "options": ["1", "2", "3", "4", "5"] }), 400, "Invalid updates"),
        ("updates", json!({ "options": ["1", "", "3", "4"] }), 400, "Invalid updates"),
        ("updates", json!({ "options": ["2", "２", "3", "4"] }), 400, "Invalid updates"),
        ("updates", json!({ "options": { "A": "1" } }), 400, "Invalid updates"),
        ("updates", json!({ "question": "" }), 400, "Invalid updates"),
        ("updates", json!({ "question": 5 }), 400, "Invalid updates"),
        ("updates", json!({ "image": "a\u{1b}b" }), 400, "Invalid updates"),
        ("updates", json!({ "image": "/api/admin/export" }), 400, "Invalid updates"),
        ("updates", json!({ "explanation": "x".repeat(32_768) }), 400, "Invalid updates"),
    ];
    for (field, value, status, message) in wrong {
        let mut body = good.clone();
        body[field] = value;
        admin.post_json("/api/review/edit", &body).await.assert_error(status, message);
    }
    assert_eq!(
        (question(&hall, "g5-001").await, log(&admin).await.len()),
        (before, 0),
        "and nothing was changed or logged"
    );
    found(
        &edit(&admin, "g5-001", json!({ "explanation": "x".repeat(32_767), "image": "https://exam.example/a.png", "imageDescription": "An apple", "question": "Zwei\nZeilen, 数学 🙂" })).await,
    );
    let mut without_comment = good;
    without_comment.as_object_mut().unwrap().remove("comment");
    found(&admin.post_json("/api/review/edit", &without_comment).await);
    assert_eq!(log(&admin).await.len(), 2);
}

#[tokio::test]
async fn an_edit_of_what_somebody_else_has_changed_is_refused() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let stored = question(&hall, "g5-001").await;
    let edit_seen = async |seen: Value, updates: Value| {
        let body = json!({ "questionId": "g5-001", "grade": 5, "before": seen, "updates": updates });
        admin.post_json("/api/review/edit", &body).await
    };
    let mut seen = json!({});
    for name in ["question", "answer", "explanation", "options", "image", "imageDescription"] {
        seen[name] = stored[name].clone();
    }
    found(&edit_seen(seen.clone(), json!({ "explanation": "First" })).await);
    for updates in [json!({ "explanation": "Second" }), json!({ "question": "Another?" })] {
        edit_seen(seen.clone(), updates).await.assert_error(409, "Question has changed");
    }
    found(&edit_seen(json!({ "explanation": " First\r\n" }), json!({ "explanation": "Second" })).await);
    found(&edit_seen(Value::Null, json!({ "explanation": "Third" })).await);
    for wrong in [json!("Third"), json!({ "grade": 5 }), json!({ "options": "1" }), json!({ "question": 5 })] {
        edit_seen(wrong, json!({ "explanation": "Fourth" })).await.assert_error(400, "Invalid before");
    }
    let mut expected = stored;
    expected["explanation"] = json!("Third");
    assert_eq!(question(&hall, "g5-001").await, expected);
    assert_eq!(log(&admin).await.len(), 3);
}

mod own_tables {
    use super::*;

    #[tokio::test]
    async fn two_who_edit_at_once_lose_nothing() {
        const EDITS: usize = 12;
        let hall = Hall::open().await;
        let other = hall.beside().await;
        let admins = [hall.signed_in("admin").await, other.signed_in("admin").await];
        let before = question(&hall, "g5-001").await;
        let edits = (0..EDITS).map(|number| {
            let caller = admins[number % 2].clone();
            async move {
                found(&edit(&caller, "g5-001", json!({ "question": format!("Version {number}") })).await);
                found(&edit(&caller, "g5-001", json!({ "explanation": format!("Why {number}") })).await);
            }
        });
        futures_util::future::join_all(edits).await;
        let after = eventually("both servers have the last version", async || {
            let (here, there) = (question(&hall, "g5-001").await, question(&other, "g5-001").await);
            (here == there).then_some(here)
        })
        .await;
        let log = log(&admins[0]).await;
        assert_eq!(log.len(), 2 * EDITS, "every edit is logged");
        for (label, name) in [("Question", "question"), ("Explanation", "explanation")] {
            let steps: BTreeMap<String, String> = log
                .iter()
                .flat_map(|entry| entry["changes"].as_array().unwrap())
                .filter(|change| change["field"] == label)
                .map(|change| {
                    (change["before"].as_str().unwrap().to_owned(), change["after"].as_str().unwrap().to_owned())
                })
                .collect();
            let mut text = before[name].as_str().unwrap();
            for _ in 0..EDITS {
                text = steps.get(text).unwrap_or_else(|| panic!("nobody has seen {text:?}: {steps:?}"));
            }
            assert_eq!(after[name], text, "the chain of what was seen and what was left ends at what stands there");
        }
    }
}
