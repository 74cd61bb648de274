//! Corrected keys before anybody may know of results: nothing tells students that theirs has changed.

use std::time::Duration;

use domain::session::VersionReason;
use serde_json::{Value, json};
use uuid::Uuid;

use super::receipts::count;
use super::{School, id, path};
use crate::hall::{Candidate, Hall, Receiver, eventually};

const CORRECTIONS: &str = "/api/manager/corrections";

/// Corrects the first question of the paper so that everyone is credited, and waits until all tests have followed.
pub(super) async fn correct(school: &School, sitting: &Value, question: &str) -> Value {
    let body = json!({ "questionId": question, "kind": "all", "scope": { "sittingId": sitting["id"] } });
    let made = school.admin.post_json(CORRECTIONS, &body).await;
    assert_eq!(made.status, 200, "{}", made.text());
    eventually("all tests have followed", async || {
        let list = school.admin.get(CORRECTIONS).await.json();
        let newest = list["corrections"][0].clone();
        (newest["progress"]["finished"] == true).then_some(newest)
    })
    .await
}

pub(super) async fn versions(school: &School, session_id: &str) -> usize {
    let versions = school.admin.get(&format!("/api/sessions/{session_id}/versions")).await.json();
    versions["versions"].as_array().map_or(0, Vec::len)
}

/// How many receipts the log of a sitting has, once it has begun.
async fn log_size(school: &School, sitting: &Value) -> Option<u64> {
    school.hall.clock.advance(Duration::from_secs(16));
    let noted = school.admin.get(&format!("/api/sittings/{}/checkpoint", id(sitting))).await;
    (noted.status == 200).then(|| noted.text().lines().nth(1).unwrap().parse::<u64>().unwrap())
}

async fn reopen(school: &School, session_id: &str) {
    let order = json!({ "id": Uuid::new_v4().to_string(), "type": "reopen", "force": true });
    let reopened = school.admin.post_json(&format!("/api/live/sessions/{session_id}/orders"), &order).await;
    assert_eq!(reopened.status, 200, "{}", reopened.text());
}

/// The student is told of no later version, on any road on which receipts are given.
async fn only_the_first_is_told(student: &Candidate, newest: usize) {
    let (caller, path) = (student.caller(), format!("/api/sessions/{}/receipt", student.session_id));
    let own = caller.get(&path).await;
    assert_eq!((own.status, own.header("etag")), (200, "\"1\""), "{}", own.text());
    for version in 2..=newest {
        caller.get(&format!("{path}?version={version}")).await.assert_error(404, "Version not found");
        caller.get(&format!("{path}.tlog-proof?version={version}")).await.assert_error(404, "Version not found");
    }
}

/// A student who is alone, at work in a sitting.
pub(super) async fn at_work(school: &School, sitting: &Value) -> Candidate {
    school.enrol(sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let mut student = school.enter_all(sitting).await.remove(0);
    school.advance(6);
    student.begin().await;
    student.paper = crate::hall::ids(&student.resume().await["questionIds"]);
    student
}

#[tokio::test]
async fn receipts_tell_nobody_of_a_correction_before_the_release() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let mut student = at_work(&school, &sitting).await;
    let question = student.paper[0].clone();
    student.submit().await;
    let session = student.session_id.clone();
    let size = async || log_size(&school, &sitting).await;
    // One correction before the log has begun, and one after.
    correct(&school, &sitting, &question).await;
    assert_eq!(versions(&school, &session).await, 2);
    school.advance(60);
    eventually("the log has begun", async || size().await).await;
    correct(&school, &sitting, &student.paper[1]).await;
    assert_eq!(versions(&school, &session).await, 3);
    let path = |query: &str| format!("/api/sessions/{session}/receipt{query}");
    let caller = student.caller();
    let own = caller.get(&path("")).await;
    assert_eq!((own.status, own.header("etag")), (200, "\"1\""), "{}", own.text());
    for query in ["?version=2", "?version=3", ".tlog-proof?version=2", ".tlog-proof?version=3", "?version=4"] {
        caller.get(&path(query)).await.assert_error(404, "Version not found");
    }
    // Staff see the results, and so the versions. That they look changes nothing for others.
    assert_eq!(school.admin.get(&path("")).await.header("etag"), "\"3\"");
    assert_eq!(caller.get(&path("")).await.header("etag"), "\"1\"");
    for _ in 0..3 {
        assert_eq!(size().await, Some(1), "a log that grows would tell it too");
    }
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
    assert_eq!(school.release(&sitting).await.status, 200);
    eventually("the log has all versions", async || (size().await == Some(3)).then_some(())).await;
    assert_eq!(caller.get(&path("")).await.header("etag"), "\"3\"");
    assert_eq!(caller.get(&path(".tlog-proof?version=2")).await.status, 200);
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
}

/// Waits until the second version of a test is sealed, and nothing more is to be done.
async fn sealed(school: &School) {
    eventually("the silent version is sealed", async || {
        school.hall.clock.advance(Duration::from_secs(6));
        let sealed = count(&school.hall, "receipts WHERE version = 2 AND seal IS NOT NULL").await;
        (sealed == 1 && count(&school.hall, "receipts_due").await == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_silent_version_is_sealed_before_the_release() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let mut student = at_work(&school, &sitting).await;
    let question = student.paper[0].clone();
    student.submit().await;
    school.advance(60);
    eventually("the log has begun", async || log_size(&school, &sitting).await).await;
    correct(&school, &sitting, &question).await;
    sealed(&school).await;
    only_the_first_is_told(&student, 2).await;
    let session: Uuid = student.session_id.parse().unwrap();
    let named = async || school.hall.check_receipts().await.1;
    assert_eq!(named().await, Vec::<String>::new());
    for (change, back, difference) in [
        (
            "UPDATE sessions SET score = score + 1 WHERE session_id = $1",
            "UPDATE sessions SET score = score - 1 WHERE session_id = $1",
            "version 2: it was altered since it was sealed",
        ),
        (
            "UPDATE receipts SET seal = NULL WHERE session_id = $1 AND version = 2",
            "INSERT INTO receipts_due (session_id, version, sitting_id, due_at_ms) \
             SELECT session_id, 2, sitting_id, 0 FROM sessions WHERE session_id = $1",
            "version 2: it was never sealed",
        ),
        (
            "DELETE FROM receipts WHERE session_id = $1 AND version = 2",
            "INSERT INTO receipts_due (session_id, version, sitting_id, due_at_ms) \
             SELECT session_id, 2, sitting_id, 0 FROM sessions WHERE session_id = $1",
            "version 2: it has no receipt",
        ),
    ] {
        school.execute(change, vec![session.into()]).await.unwrap();
        let lines = named().await;
        assert!(lines.len() == 1 && lines[0].ends_with(difference), "{difference}: {lines:?}");
        school.execute(back, vec![session.into()]).await.unwrap();
        // What waits for its seal is no difference.
        assert_eq!(named().await, Vec::<String>::new(), "{back}");
        sealed(&school).await;
        assert_eq!(log_size(&school, &sitting).await, Some(1), "{back}");
    }
    assert_eq!(school.release(&sitting).await.status, 200);
    eventually("the log has both", async || (log_size(&school, &sitting).await == Some(2)).then_some(())).await;
    assert_eq!(named().await, Vec::<String>::new());
}

#[tokio::test]
async fn no_log_begins_with_a_silent_version() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let mut student = at_work(&school, &sitting).await;
    let question = student.paper[0].clone();
    student.submit().await;
    eventually("the first version is sealed", async || {
        school.hall.clock.advance(Duration::from_secs(6));
        let sealed = count(&school.hall, "receipts WHERE seal IS NOT NULL").await;
        (sealed == 1 && count(&school.hall, "receipts_due").await == 0).then_some(())
    })
    .await;
    // As if an earlier release had stored it, which had no receipts and no logs.
    for table in ["receipts", "sitting_logs"] {
        school.hall.alter(&format!("DELETE FROM {table}")).await;
    }
    school.advance(60);
    correct(&school, &sitting, &question).await;
    sealed(&school).await;
    assert_eq!(log_size(&school, &sitting).await, None);
    assert_eq!(count(&school.hall, "sitting_logs").await, 0);
    let (counts, lines) = school.hall.check_receipts().await;
    assert_eq!((counts.results, lines), (2, Vec::new()), "the first version may be without a seal");
    let session: Uuid = student.session_id.parse().unwrap();
    let change = "UPDATE sessions SET score = score + $2 WHERE session_id = $1";
    school.execute(change, vec![session.into(), 1_i32.into()]).await.unwrap();
    let (_, lines) = school.hall.check_receipts().await;
    assert!(lines.len() == 1 && lines[0].contains("version 2: it was altered"), "{lines:?}");
    school.execute(change, vec![session.into(), (-1_i32).into()]).await.unwrap();
    assert_eq!(school.release(&sitting).await.status, 200);
    eventually("the log has both", async || (log_size(&school, &sitting).await == Some(2)).then_some(())).await;
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
}

#[tokio::test]
async fn what_follows_a_silent_correction_is_as_silent() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let sitting = school.sitting(5, json!({ "webhookUrl": receiver.url() })).await;
    let mut student = at_work(&school, &sitting).await;
    let paper = student.paper.clone();
    let first = student.submit().await["receipt"].as_str().unwrap().to_owned();
    let session = student.session_id.clone();
    receiver.wait_for(1).await;
    correct(&school, &sitting, &paper[0]).await;
    // Another end, and late work: neither number may tell that there was something before it.
    reopen(&school, &session).await;
    student.resume().await;
    student.answer(&paper[1], "B").await;
    let again = student.submit().await;
    assert!(again["held"] == true && again.get("receipt").is_none(), "{again}");
    assert_eq!(versions(&school, &session).await, 3);
    only_the_first_is_told(&student, 3).await;
    school.hall.change_result(&session, VersionReason::LateWork, |result| result.score = 500).await;
    only_the_first_is_told(&student, 4).await;
    // Nor does a seat on another server, which reads what is stored.
    let other = Hall::with_store_of(&school.hall, &[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    student.move_to(&other.base());
    let repeated = student.try_post(&json!({ "commands": [{ "type": "submit", "seq": 900 }] })).await.json();
    student.move_to(&school.hall.base());
    assert_eq!(
        (&repeated["replies"][0]["type"], &repeated["replies"][0]["receipt"]),
        (&json!("submitted"), &json!(first))
    );
    // The log begins with what may be known, and does not grow.
    school.advance(60);
    eventually("the log has begun", async || log_size(&school, &sitting).await).await;
    school.hall.change_result(&session, VersionReason::LateWork, |result| result.score = 510).await;
    for _ in 0..3 {
        assert_eq!(log_size(&school, &sitting).await, Some(1));
    }
    only_the_first_is_told(&student, 5).await;
    receiver.expect_only(&school.hall, 1).await;
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
    assert_eq!(school.release(&sitting).await.status, 200);
    eventually("the log has all versions", async || (log_size(&school, &sitting).await == Some(5)).then_some(())).await;
    let told = school.hall.final_receipt(&student.caller(), &session, "").await;
    assert_eq!((told.status, told.header("etag")), (200, "\"5\""));
    let third = school.hall.verified(&school.hall.receipt(&student.caller(), &session, "?version=3").await).await;
    assert_eq!((&third["answers"][1][1], third["deadline"].is_string()), (&json!("B"), true), "{third}");
    let released = receiver.wait_for(2).await[1].json();
    assert_eq!((&released["event"], &released["version"]), (&json!("result.released"), &json!(5)));
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
}

#[tokio::test]
async fn the_end_of_a_test_that_was_corrected_while_it_went_on_is_as_silent() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let mut student = at_work(&school, &sitting).await;
    let question = student.paper[0].clone();
    student.submit().await;
    reopen(&school, &student.session_id).await;
    student.resume().await;
    correct(&school, &sitting, &question).await;
    let again = student.submit().await;
    assert!(again["held"] == true && again.get("receipt").is_none(), "{again}");
    assert_eq!(versions(&school, &student.session_id).await, 3);
    only_the_first_is_told(&student, 3).await;
}

#[tokio::test]
async fn while_a_reopened_test_goes_on_nobody_is_told_of_its_correction() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let sitting = school.sitting(5, json!({ "webhookUrl": receiver.url(), "results": "now" })).await;
    let mut student = at_work(&school, &sitting).await;
    let question = student.paper[0].clone();
    student.submit().await;
    let session = student.session_id.clone();
    receiver.wait_for(1).await;
    reopen(&school, &session).await;
    correct(&school, &sitting, &question).await;
    assert_eq!(versions(&school, &session).await, 2);
    receiver.expect_only(&school.hall, 1).await;
    student.resume().await;
    student.submit().await;
    eventually("it has ended again", async || (versions(&school, &session).await == 3).then_some(())).await;
    let told = receiver.wait_for(2).await[1].json();
    assert_eq!(
        (&told["event"], &told["version"], &told["reason"]),
        (&json!("result.changed"), &json!(3), &json!("reopened"))
    );
    let line = |told: &Value| {
        told["result"]["answers"]
            .as_array()
            .unwrap()
            .iter()
            .find(|line| line["questionId"] == question.as_str())
            .cloned()
    };
    assert_eq!(line(&told).unwrap()["correction"], "all", "{told}");
    assert_eq!(school.admin.get(&path(&sitting)).await.status, 200);
}

/// What came of a correction and a release: of the second version there is one message, in either order.
async fn the_newest_is_told_once(school: &School, sitting: &Value, student: &Candidate, receiver: &Receiver) -> Value {
    let told = || {
        let later =
            receiver.calls().into_iter().map(|call| call.json()).filter(|call| call["event"] != "test.completed");
        later.map(|call| json!([call["event"], call["version"]])).collect::<Vec<Value>>()
    };
    eventually("the newest is told", async || told().iter().any(|one| one[1] == 2).then_some(())).await;
    receiver.expect_only(&school.hall, 1 + told().len()).await;
    eventually("the log has both", async || (log_size(school, sitting).await == Some(2)).then_some(())).await;
    assert_eq!(school.hall.final_receipt(&student.caller(), &student.session_id, "").await.header("etag"), "\"2\"");
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
    json!(told())
}

#[tokio::test]
async fn a_correction_and_the_release_tell_the_newest_once_in_either_order() {
    // Some seconds: a school for each order, and for each moment at which they meet.
    let before = json!([["result.released", 2]]);
    let after = json!([["result.released", 1], ["result.changed", 2]]);
    for round in 0..5_u64 {
        let receiver = Receiver::open().await;
        let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
        let sitting = school.sitting(5, json!({ "webhookUrl": receiver.url() })).await;
        let mut student = at_work(&school, &sitting).await;
        let question = student.paper[0].clone();
        student.submit().await;
        receiver.wait_for(1).await;
        match round {
            0 => {
                correct(&school, &sitting, &question).await;
                assert_eq!(school.release(&sitting).await.status, 200);
            }
            1 => {
                assert_eq!(school.release(&sitting).await.status, 200);
                correct(&school, &sitting, &question).await;
            }
            _ => {
                let releasing = async {
                    // The release meets the correction at another moment in each round.
                    tokio::time::sleep(Duration::from_millis(15 * (round - 2))).await;
                    school.release(&sitting).await
                };
                let (released, _) = tokio::join!(releasing, correct(&school, &sitting, &question));
                assert_eq!(released.status, 200, "{}", released.text());
            }
        }
        let told = the_newest_is_told_once(&school, &sitting, &student, &receiver).await;
        match round {
            0 => assert_eq!(told, before),
            1 => assert_eq!(told, after),
            _ => assert!(told == before || told == after, "{told}"),
        }
    }
}
