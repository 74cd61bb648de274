//! Receipts of running tests, and of those that were handed in: each is of one state that is saved.

use std::time::Duration;

use domain::session::VersionReason;
use reqwest::Method;
use serde_json::{Value, json};

use super::{answer_all, short_test};
use crate::hall::{Answer, Candidate, Hall, answer, drawing_hash};

const MINUTE: Duration = Duration::from_secs(61);

fn drawing(number: usize) -> Value {
    json!({ "v": 1, "size": [1100, 640], "items": [{ "n": number, "ink": "x".repeat(number * 1_000) }] })
}

fn drawn(question_id: &str, drawing: &Value) -> Value {
    json!({ "type": "drawing", "questionId": question_id, "drawing": drawing })
}

async fn ask(hall: &Hall, student: &mut Candidate) -> Value {
    student.socket().send(&json!({ "type": "receipt" })).await;
    let frame = student.socket().until("receipt").await;
    let content = hall.verified(frame["receipt"].as_str().unwrap()).await;
    assert_eq!((&content["seq"], &content["at"]), (&frame["seq"], &frame["at"]), "{frame}");
    content
}

#[tokio::test]
async fn a_receipt_says_what_is_saved() {
    let hall = Hall::open().await;
    let mut student = hall.sit(short_test()).await;
    let paper = student.paper.clone();
    student.answer(&paper[0], "B").await;
    student.answer(&paper[1], "A").await;
    student.send(json!({ "type": "answer", "questionId": paper[1], "selected": null })).await;
    student.send(drawn(&paper[2], &drawing(3))).await;
    student.send(drawn(&paper[3], &drawing(1))).await;
    student.send(json!({ "type": "drawing", "questionId": paper[3], "drawing": null })).await;
    student.settle().await;
    let content = ask(&hall, &mut student).await;
    let untouched = paper[2..].iter().map(|id| json!([id, null, 0]));
    let answers: Vec<Value> =
        [json!([paper[0], "B", 1]), json!([paper[1], null, 3])].into_iter().chain(untouched).collect();
    let expected = json!({
        "iss": "http://exam.localhost", "sessionId": student.session_id, "version": null, "seq": 6,
        "at": content["at"], "deadline": student.started["deadline"], "answers": answers,
        "drawings": [[paper[2], drawing_hash(&drawing(3))]],
    });
    assert_eq!(content, expected);
    // There is one a minute, on whatever road, also after another connection.
    student.socket().send(&json!({ "type": "receipt" })).await;
    let refused = student.socket().expect_error("rate_limited").await;
    assert_eq!(refused.get("seq"), None);
    let path = format!("/api/live/{}/receipt", student.session_id);
    let refused = student.caller().get(&path).await;
    assert_eq!(
        (refused.status, refused.header("retry-after"), &refused.json()["code"]),
        (429, "60", &json!("rate_limited"))
    );
    hall.clock.advance(MINUTE);
    let by_https = student.caller().get(&path).await;
    assert_eq!((by_https.status, &by_https.json()["type"]), (200, &json!("receipt")), "{}", by_https.text());
    let later = hall.verified(by_https.json()["receipt"].as_str().unwrap()).await;
    assert_eq!((&later["answers"], &later["drawings"]), (&content["answers"], &content["drawings"]));
    assert_eq!(hall.bearer("wrong").get(&path).await.status, 403);
    assert_eq!(hall.anonymous().get(&path).await.status, 401);
}

#[tokio::test]
async fn a_receipt_never_pairs_an_older_drawing_with_a_newer_number() {
    let hall = Hall::open().await;
    let mut student = hall.sit(short_test()).await;
    let question = student.paper[0].clone();
    let mut by_seq = Vec::new();
    for round in 0..6 {
        hall.clock.advance(MINUTE);
        // Drawings that come before the question for a receipt, while it is answered, and after it.
        for number in 0..8 {
            let one = drawing(1 + round * 8 + number);
            let seq = student.send(drawn(&question, &one)).await;
            by_seq.push((seq, drawing_hash(&one)));
            if number == 3 {
                student.socket().send(&json!({ "type": "receipt" })).await;
            }
        }
        let frame = loop {
            let frame = student.socket().hear().await;
            let crate::hall::Heard::Frame(frame) = frame else { panic!("{frame:?}") };
            if frame["type"] == "receipt" || frame["code"] == "rate_limited" {
                break frame;
            }
        };
        if frame["type"] == "error" {
            // It may be that the drawings never stand still: that is told, and nothing wrong is signed.
            continue;
        }
        let content = hall.verified(frame["receipt"].as_str().unwrap()).await;
        let seq = content["seq"].as_u64().unwrap();
        assert!(seq >= by_seq[by_seq.len() - 5].0, "everything before it is saved: {content}");
        let hash = &by_seq.iter().rfind(|(at, _)| *at <= seq).unwrap().1;
        assert_eq!(content["drawings"], json!([[question, hash]]), "of {seq}");
        student.resume().await;
        student.settle().await;
    }
}

#[tokio::test]
async fn the_end_brings_the_receipt_of_what_was_handed_in() {
    let mut hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut student = hall.sit(short_test()).await;
    let paper = student.paper.clone();
    answer_all(&mut student, &bank, &paper[..4]).await;
    student.send(drawn(&paper[1], &drawing(2))).await;
    let submitted = student.submit().await;
    let jws = submitted["receipt"].as_str().unwrap().to_owned();
    let content = hall.verified(&jws).await;
    let stored = hall.stored_session(&student.session_id).await;
    let choices: Vec<Value> =
        content["answers"].as_array().unwrap().iter().map(|one| json!([one[0], one[1]])).collect();
    let lines = stored["result"]["answers"].as_array().unwrap().iter();
    assert_eq!(choices, lines.map(|line| json!([line["questionId"], line["selected"]])).collect::<Vec<_>>());
    assert_eq!(content["drawings"], json!([[paper[1], drawing_hash(&stored["drawings"][&paper[1]])]]));
    assert_eq!((&content["version"], &content["at"]), (&json!(1), &stored["completedAt"]));
    let fields: Vec<&String> = content.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["answers", "at", "deadline", "drawings", "iss", "seq", "sessionId", "version"], "no score");
    assert_eq!(hall.receipt(&student.caller(), &student.session_id, "").await, jws);

    // Whoever has lost the answer gets the same, also of another seat.
    hall.restart().await;
    student.move_to(&hall.base());
    let again = student.try_post(&json!({ "commands": [{ "type": "submit", "seq": 900 }] })).await.json();
    assert_eq!((&again["replies"][0]["type"], &again["replies"][0]["receipt"]), (&json!("submitted"), &json!(jws)));
    let path = format!("/api/live/{}/receipt", student.session_id);
    let over = student.caller().get(&path).await;
    assert_eq!((over.status, &over.json()["code"]), (409, &json!("already_submitted")));

    // A later version has a receipt of its own, and the earlier one stays as it is.
    hall.change_result(&student.session_id, VersionReason::KeyCorrected, |result| result.score = 640).await;
    let second = hall.receipt(&student.caller(), &student.session_id, "").await;
    let content_of_second = hall.verified(&second).await;
    assert_eq!((&content_of_second["version"], &content_of_second["answers"]), (&json!(2), &content["answers"]));
    assert_eq!(hall.receipt(&student.caller(), &student.session_id, "?version=1").await, jws);
    let unknown = hall.final_receipt(&student.caller(), &student.session_id, "?version=3").await;
    unknown.assert_error(404, "Version not found");
    let proof = student.caller().get(&format!("/api/sessions/{}/receipt.tlog-proof", student.session_id)).await;
    proof.assert_error(404, "The test is in no log");
}

#[tokio::test]
async fn a_receipt_that_is_made_later_says_nothing_of_the_run_after_it() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut student = hall.sit(short_test()).await;
    let (first, second) = (student.paper[0].clone(), student.paper[1].clone());
    student.answer(&first, "B").await;
    let given = hall.verified(student.submit().await["receipt"].as_str().unwrap()).await;
    let (id, caller) = (student.session_id.clone(), student.caller());
    hall.alter("DELETE FROM receipts WHERE version = 1").await;
    // Before the test goes on all of it is known.
    let again = hall.verified(&hall.receipt(&caller, &id, "?version=1").await).await;
    assert_eq!(again, given);
    hall.alter("DELETE FROM receipts WHERE version = 1").await;
    let order = json!({ "id": uuid::Uuid::new_v4().to_string(), "type": "reopen", "minutes": 7, "force": true });
    let reopened = admin.post_json(&format!("/api/live/sessions/{id}/orders"), &order).await;
    assert_eq!(reopened.status, 200, "{}", reopened.text());
    student.resume().await;
    student.answer(&first, "C").await;
    student.answer(&second, "D").await;
    let of_second = hall.verified(student.submit().await["receipt"].as_str().unwrap()).await;
    let answers = |content: &Value| json!([content["answers"][0], content["answers"][1]]);
    assert_eq!((&of_second["version"], of_second["deadline"].is_string()), (&json!(2), true));
    let of_first = hall.verified(&hall.receipt(&caller, &id, "?version=1").await).await;
    assert_eq!(answers(&of_first), json!([[first, "B", 0], [second, null, 0]]));
    assert_eq!((&of_first["seq"], &of_first["deadline"]), (&json!(0), &Value::Null), "{of_first}");
    // What follows from the last end has its numbers.
    hall.alter("DELETE FROM receipts WHERE version = 2").await;
    hall.change_result(&id, VersionReason::KeyCorrected, |result| result.score = 640).await;
    for query in ["?version=3", "?version=2"] {
        let content = hall.verified(&hall.receipt(&caller, &id, query).await).await;
        assert_eq!(answers(&content), answers(&of_second), "{query}");
        assert_eq!((&content["seq"], &content["deadline"]), (&of_second["seq"], &of_second["deadline"]), "{query}");
    }
}

#[tokio::test]
async fn a_corrected_key_changes_nothing_of_what_was_handed_in() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut student = hall.sit(short_test()).await;
    let first = student.paper[0].clone();
    student.answer(&first, "B").await;
    student.submit().await;
    hall.change_result(&student.session_id, VersionReason::KeyCorrected, |result| result.score = 640).await;
    let order = json!({ "id": "r1", "type": "reopen", "force": true });
    let reopened = admin.post_json(&format!("/api/live/sessions/{}/orders", student.session_id), &order).await;
    assert_eq!(reopened.status, 200, "{}", reopened.text());
    student.resume().await;
    student.answer(&first, "C").await;
    // The test goes on before anybody has asked for the receipt of the second version.
    let mut said = Vec::new();
    for version in 1..=2 {
        let jws = hall.receipt(&admin, &student.session_id, &format!("?version={version}")).await;
        said.push(hall.verified(&jws).await);
    }
    let of_commands = |content: &Value| json!([content["answers"], content["seq"], content["deadline"]]);
    assert_eq!((&said[1]["version"], of_commands(&said[1])), (&json!(2), of_commands(&said[0])));
}

#[tokio::test]
async fn a_receipt_is_for_the_student_and_for_staff_of_the_grade() {
    let hall = Hall::open().await;
    let mut student = hall.sit(short_test()).await;
    student.submit().await;
    let id = student.session_id.clone();
    for caller in [student.caller(), hall.staff_of("reviewer", 5).await, hall.signed_in("admin").await] {
        let answer = hall.final_receipt(&caller, &id, "").await;
        assert_eq!((answer.status, answer.header("cache-control"), answer.header("etag")), (200, "no-store", "\"1\""));
        assert!(answer.header("content-disposition").contains(&format!("receipt-{id}-1.jwt")));
    }
    let mut other = hall.sit(short_test()).await;
    other.submit().await;
    let refusal = "Receipts are for the student and for staff of the grade";
    for caller in [other.caller(), hall.staff_of("reviewer", 6).await, hall.signed_in("student").await] {
        hall.final_receipt(&caller, &id, "").await.assert_error(403, refusal);
    }
    hall.final_receipt(&hall.anonymous(), &id, "").await.assert_error(401, "Unauthorized");
    hall.final_receipt(&student.caller(), &uuid::Uuid::new_v4().to_string(), "")
        .await
        .assert_error(404, "Session not found");
    for version in ["0", "x", "-1"] {
        let answer = hall.final_receipt(&student.caller(), &id, &format!("?version={version}")).await;
        answer.assert_error(400, "Invalid version");
    }
}

#[tokio::test]
async fn a_former_key_stays_listed() {
    let hall = Hall::open().await;
    let mut student = hall.sit(short_test()).await;
    student.answer(&student.paper[0].clone(), "C").await;
    let jws = student.submit().await["receipt"].as_str().unwrap().to_owned();
    let former = hall.receipt_keys().await;
    assert_eq!(former.len(), 1);
    let own = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let next = Hall::with_store_of(&hall, &[("RECEIPT_KEY", own)]).await;
    let keys = next.receipt_keys().await;
    assert_eq!((keys.len(), &keys[1]), (2, &former[0]));
    assert_eq!(next.verified(&jws).await["version"], 1);
    assert_eq!(next.receipt(&student.caller(), &student.session_id, "").await, jws, "it stays as it was given out");
    let mut other = next.sit(short_test()).await;
    let with_new_key = other.submit().await["receipt"].as_str().unwrap().to_owned();
    next.verified(&with_new_key).await;
    let list = Answer::to(next.anonymous().request(Method::GET, "/.well-known/jwks.json")).await;
    assert_eq!(list.header("cache-control"), "public, max-age=300");
    let first = &list.json()["keys"][0];
    let known: Vec<&Value> = ["kty", "crv", "alg", "use"].map(|name| &first[name]).into();
    assert_eq!(json!(known), json!(["OKP", "Ed25519", "EdDSA", "sig"]));
}

#[tokio::test]
async fn a_device_that_comes_later_gets_receipts_of_the_same_state() {
    let hall = Hall::open().await;
    let mut student = hall.sit(short_test()).await;
    let question = student.paper[0].clone();
    student.answer(&question, "A").await;
    hall.clock.advance(MINUTE);
    let resumed = student.resume().await;
    let mut changed = answer(&question, "D");
    changed["line"] = resumed["line"].clone();
    student.send(changed).await;
    student.settle().await;
    let content = ask(&hall, &mut student).await;
    assert_eq!(content["answers"][0], json!([question, "D", 2]));
}
