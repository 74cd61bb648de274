//! The logs of sittings: they begin with the end, grow by later versions before anybody asks, and are never
//! contradicted; and whatever was changed in the database is named.

use std::time::Duration;

use domain::session::VersionReason;
use examhall::receipts::note::{LogCheckpoint, LogProof};
use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};

use super::{School, id, path};
use crate::hall::{Call, Caller, Candidate, Hall, Receiver, eventually};

/// Longer than a server waits between two looks at what is due.
const LOOK: Duration = Duration::from_secs(16);

async fn proof(caller: &Caller, session_id: &str, query: &str) -> Option<LogProof> {
    let answer = caller.get(&format!("/api/sessions/{session_id}/receipt.tlog-proof{query}")).await;
    if answer.status == 404 {
        assert!(answer.text().contains("The test is not in the log yet"), "{}", answer.text());
        return None;
    }
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/plain; charset=utf-8"));
    Some(LogProof::parse(&answer.text()).unwrap())
}

async fn checkpoint(hall: &Hall, caller: &Caller, sitting: &Value) -> Option<LogCheckpoint> {
    let answer = caller.get(&format!("/api/sittings/{}/checkpoint", id(sitting))).await;
    if answer.status == 404 {
        answer.assert_error(404, "The log has not begun");
        return None;
    }
    assert_eq!(answer.status, 200, "{}", answer.text());
    Some(LogCheckpoint::opened(&answer.text(), &hall.receipt_keys().await).unwrap())
}

/// The number of rows, read from the database: nobody asks the server.
pub(super) async fn count(hall: &Hall, table: &str) -> i64 {
    let connection = Database::connect(hall.database_url()).await.unwrap();
    let statement = Statement::from_string(connection.get_database_backend(), format!("SELECT COUNT(*) FROM {table}"));
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index::<i64>(0).unwrap()
}

/// Waits for so many leaves, while the server's clock goes on.
pub(super) async fn leaves(school: &School, expected: i64) {
    eventually("the log has its leaves", async || {
        school.hall.clock.advance(LOOK);
        (count(&school.hall, "sitting_leaves").await == expected).then_some(())
    })
    .await;
}

/// An exam that three have written, Bo before Ada.
pub(super) async fn written(school: &School, changes: Value) -> (Value, Vec<Candidate>) {
    let sitting = school.sitting(5, changes).await;
    let roster = json!([
        { "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" },
        { "email": "cy@exam.test", "name": "Cy" },
    ]);
    school.enrol(&sitting, roster).await;
    let mut students = Vec::new();
    for name in ["Bo", "Ada", "Cy"] {
        let candidate = school.candidate(&sitting, name).await;
        students.push(school.enter(&sitting, &candidate).await);
    }
    school.advance(6);
    for student in &mut students {
        student.begin().await;
        student.paper =
            student.resume().await["questionIds"].as_array().map(|ids| crate::hall::ids(&json!(ids))).unwrap();
        let first = student.paper[0].clone();
        student.answer(&first, "B").await;
        student.submit().await;
    }
    (sitting, students)
}

#[tokio::test]
async fn a_log_begins_with_the_end_and_tells_no_score() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let (sitting, students) = written(&school, json!({ "webhookUrl": receiver.url() })).await;
    let hall = &school.hall;
    assert!(checkpoint(hall, &school.admin, &sitting).await.is_none());
    assert!(proof(&students[0].caller(), &students[0].session_id, "").await.is_none());
    school.advance(60);
    leaves(&school, 3).await;
    let noted = checkpoint(hall, &school.admin, &sitting).await.unwrap();
    assert_eq!((noted.origin, noted.size), (format!("exam.localhost/sittings/{}", id(&sitting)), 3));
    let keys = hall.receipt_keys().await;
    // In the order of names.
    for (index, student) in [(1, &students[0]), (0, &students[1]), (2, &students[2])] {
        let jws = hall.receipt(&student.caller(), &student.session_id, "").await;
        let proof = proof(&student.caller(), &student.session_id, "").await.unwrap();
        assert_eq!((proof.index, proof.replaces()), (index, None));
        assert_eq!(proof.verify(&jws, &keys).unwrap().root, noted.root);
        assert_eq!(checkpoint(hall, &student.caller(), &sitting).await.unwrap().root, noted.root);
    }
    let stranger = hall.signed_in("student").await;
    let refused = stranger.get(&format!("/api/sittings/{}/checkpoint", id(&sitting))).await;
    refused.assert_error(403, "Checkpoints are for staff and candidates");
    let results = school.admin.get(&format!("{}/results", path(&sitting))).await.json();
    assert_eq!((&results["log"]["size"], results["log"]["vkey"].is_string()), (&json!(3), true));
    let ended =
        eventually("the event", async || Some(receiver.sitting_events()).filter(|calls| !calls.is_empty())).await;
    receiver.expect_only(hall, 3).await;
    assert_eq!(receiver.sitting_events().len(), 1);
    let ended: Vec<Value> = ended.iter().map(Call::json).collect();
    let told = LogCheckpoint::opened(ended[0]["checkpoint"].as_str().unwrap(), &keys).unwrap();
    assert_eq!((told.root, &ended[0]["sittingId"], &ended[0]["name"]), (noted.root, &sitting["id"], &json!("Finals")));
    assert!(!ended[0].to_string().contains("score"));
    let listed = hall.deliveries(&school.admin).await;
    let about = |event: &str| {
        let found = listed.iter().find(|delivery| delivery["event"] == event).unwrap();
        json!([found["sittingId"], found["sessionId"].is_string()])
    };
    assert_eq!(about("sitting.ended"), json!([sitting["id"], false]));
    assert_eq!(about("test.completed"), json!([null, true]));
    assert_eq!(hall.check_receipts().await.1, Vec::<String>::new());
}

#[tokio::test]
async fn a_later_version_is_appended_before_anybody_asks() {
    let school = School::open().await;
    let (sitting, students) = written(&school, json!({})).await;
    school.advance(60);
    leaves(&school, 3).await;
    let (hall, keys) = (&school.hall, school.hall.receipt_keys().await);
    let before = checkpoint(hall, &school.admin, &sitting).await.unwrap();
    let (bo, cy) = (&students[0], &students[2]);
    for (student, reason) in
        [(bo, VersionReason::LateWork), (cy, VersionReason::LateWork), (bo, VersionReason::Reopened)]
    {
        hall.change_result(&student.session_id, reason, |result| result.score = 500).await;
    }
    leaves(&school, 6).await;
    let after = checkpoint(hall, &school.admin, &sitting).await.unwrap();
    assert_eq!((after.size, after.origin == before.origin), (6, true));
    for (student, version, replaces) in [(bo, 1, None), (bo, 2, Some(1)), (bo, 3, Some(3)), (cy, 2, Some(2))] {
        let query = format!("?version={version}");
        let jws = hall.receipt(&student.caller(), &student.session_id, &query).await;
        let proof = proof(&student.caller(), &student.session_id, &query).await.unwrap();
        assert!(proof.replaces() == replaces || version == 3 && proof.replaces().is_some(), "{version}: {proof:?}");
        assert_eq!(proof.verify(&jws, &keys).unwrap().root, after.root);
        assert_eq!(hall.verified(&jws).await["version"], version);
    }
    assert_eq!(hall.check_receipts().await.1, Vec::<String>::new(), "the first checkpoint still holds");
}

#[tokio::test]
async fn two_servers_append_at_once_and_contradict_nothing() {
    let school = School::open().await;
    let (sitting, students) = written(&school, json!({})).await;
    school.advance(60);
    leaves(&school, 3).await;
    let other = Hall::with_store_of(&school.hall, &[]).await;
    for round in 1..=4 {
        let changes = students.iter().map(|student| {
            school.hall.change_result(&student.session_id, VersionReason::LateWork, |result| result.score = 400)
        });
        join_all(changes).await;
        leaves(&school, 3 + 3 * round).await;
    }
    assert_eq!(checkpoint(&other, &school.admin, &sitting).await.unwrap().size, 15);
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
}

#[tokio::test]
async fn a_test_that_cannot_be_read_costs_no_other_its_place() {
    let school = School::open().await;
    let (sitting, students) = written(&school, json!({})).await;
    let broken = students[1].session_id.clone();
    eventually("each test has its receipt", async || {
        let (made, due) = (count(&school.hall, "receipts").await, count(&school.hall, "receipts_due").await);
        (made == 3 && due == 0).then_some(())
    })
    .await;
    let uuid: uuid::Uuid = broken.parse().unwrap();
    school.execute("UPDATE session_bodies SET result = '{' WHERE session_id = $1", vec![uuid.into()]).await.unwrap();
    // As if an earlier release had stored it, which made no receipts.
    school.hall.alter("DELETE FROM receipts WHERE session_id IN (SELECT session_id FROM sessions)").await;
    school.advance(60);
    leaves(&school, 2).await;
    let (_, lines) = school.hall.check_receipts().await;
    assert!(lines.iter().any(|line| line.contains(&broken) && line.contains("no receipt")), "{lines:?}");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(checkpoint(&school.hall, &school.admin, &sitting).await.unwrap().size, 2);
    for student in [&students[0], &students[2]] {
        assert!(proof(&student.caller(), &student.session_id, "").await.is_some());
    }
}

#[tokio::test]
async fn the_end_of_a_sitting_from_before_there_were_logs_is_no_news() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let (sitting, students) = written(&school, json!({ "webhookUrl": receiver.url() })).await;
    eventually("all receipts are made", async || {
        school.hall.clock.advance(LOOK);
        (count(&school.hall, "sitting_logs").await == 1 && count(&school.hall, "receipts_due").await == 0).then_some(())
    })
    .await;
    // As if an earlier release had stored them, which made no receipts. Nobody has ended the sitting but the time.
    for table in ["receipts", "sitting_logs"] {
        school.hall.alter(&format!("DELETE FROM {table}")).await;
    }
    school.advance(60);
    school.hall.change_result(&students[0].session_id, VersionReason::LateWork, |result| result.score = 500).await;
    leaves(&school, 4).await;
    assert_eq!(checkpoint(&school.hall, &school.admin, &sitting).await.unwrap().size, 4);
    receiver.expect_only(&school.hall, 3).await;
    assert!(receiver.sitting_events().is_empty(), "{:?}", receiver.sitting_events());
}

#[tokio::test]
async fn whatever_is_changed_in_the_database_is_named() {
    let school = School::open().await;
    let (_, students) = written(&school, json!({})).await;
    school.advance(60);
    leaves(&school, 3).await;
    school.hall.change_result(&students[0].session_id, VersionReason::LateWork, |result| result.score = 500).await;
    leaves(&school, 4).await;
    let (counts, lines) = school.hall.check_receipts().await;
    assert_eq!((counts.sittings, counts.results, counts.leaves, lines), (1, 4, 4, Vec::new()));
    let uuid: uuid::Uuid = students[0].session_id.parse().unwrap();
    for (change, back) in [
        (
            "UPDATE sessions SET score = score + 1 WHERE session_id = $1",
            "UPDATE sessions SET score = score - 1 WHERE session_id = $1",
        ),
        (
            "UPDATE sessions SET completed_at_ms = completed_at_ms + 1 WHERE session_id = $1",
            "UPDATE sessions SET completed_at_ms = completed_at_ms - 1 WHERE session_id = $1",
        ),
        (
            "UPDATE session_bodies SET result = replace(result, '\"topicBreakdown\"', '\"topicBreakdowm\"') WHERE session_id = $1",
            "UPDATE session_bodies SET result = replace(result, '\"topicBreakdowm\"', '\"topicBreakdown\"') WHERE session_id = $1",
        ),
        (
            "UPDATE session_bodies SET annotations = annotations || ' ' WHERE session_id = $1",
            "UPDATE session_bodies SET annotations = trim(annotations) WHERE session_id = $1",
        ),
        (
            "UPDATE session_versions SET time_taken = time_taken + 1 WHERE session_id = $1",
            "UPDATE session_versions SET time_taken = time_taken - 1 WHERE session_id = $1",
        ),
        (
            "UPDATE receipts SET jws = jws || 'A' WHERE session_id = $1 AND version = 2",
            "UPDATE receipts SET jws = substr(jws, 1, length(jws) - 1) WHERE session_id = $1 AND version = 2",
        ),
        (
            "UPDATE sitting_leaves SET replaces = 0 WHERE session_id = $1 AND version = 2",
            "UPDATE sitting_leaves SET replaces = 1 WHERE session_id = $1 AND version = 2",
        ),
    ] {
        school.execute(change, vec![uuid.into()]).await.unwrap();
        let (_, lines) = school.hall.check_receipts().await;
        assert!(lines.iter().any(|line| line.contains(&students[0].session_id)), "{change}: {lines:?}");
        school.execute(back, vec![uuid.into()]).await.unwrap();
        assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new(), "{back}");
    }
}

#[tokio::test]
async fn a_log_that_was_altered_is_signed_no_more() {
    let school = School::open().await;
    let (sitting, students) = written(&school, json!({})).await;
    school.advance(60);
    leaves(&school, 3).await;
    let before = checkpoint(&school.hall, &school.admin, &sitting).await.unwrap();
    let uuid: uuid::Uuid = students[0].session_id.parse().unwrap();
    let hash = vec![7_u8; 32];
    let altering = "UPDATE sitting_leaves SET hash = $2 WHERE session_id = $1";
    school.execute(altering, vec![uuid.into(), hash.into()]).await.unwrap();
    school.hall.change_result(&students[2].session_id, VersionReason::LateWork, |result| result.score = 500).await;
    eventually("the new version is put off", async || {
        school.hall.clock.advance(LOOK);
        (count(&school.hall, "receipts_due WHERE due_at_ms > 0").await == 1).then_some(())
    })
    .await;
    school.hall.clock.advance(LOOK);
    assert_eq!(count(&school.hall, "sitting_leaves").await, 3);
    assert_eq!(checkpoint(&school.hall, &school.admin, &sitting).await.unwrap(), before);
    let (_, lines) = school.hall.check_receipts().await;
    for part in ["are not those of its root", "contradict its checkpoint", "is not that of leaf", "not in the log"] {
        assert!(lines.iter().any(|line| line.contains(part)), "{part}: {lines:?}");
    }
}

#[tokio::test]
async fn whoever_comes_after_the_beginning_of_the_log_comes_after_the_others() {
    let school = School::open().await;
    let (sitting, mut students) = written(&school, json!({})).await;
    let waiting = students.remove(1);
    // A test that is stored only when the log has begun: as of a walk-in, or of a server that was away.
    let uuid: uuid::Uuid = waiting.session_id.parse().unwrap();
    let elsewhere = uuid::Uuid::new_v4();
    eventually("all receipts are made", async || {
        school.hall.clock.advance(LOOK);
        (count(&school.hall, "receipts_due").await == 0).then_some(())
    })
    .await;
    let moving = "UPDATE sessions SET sitting_id = $2 WHERE session_id = $1";
    school.execute(moving, vec![uuid.into(), elsewhere.into()]).await.unwrap();
    school.advance(60);
    leaves(&school, 2).await;
    school.execute(moving, vec![uuid.into(), id(&sitting).into()]).await.unwrap();
    let due = "INSERT INTO receipts_due (session_id, version, sitting_id, due_at_ms) VALUES ($1, 1, $2, 0)";
    school.execute(due, vec![uuid.into(), id(&sitting).into()]).await.unwrap();
    leaves(&school, 3).await;
    assert_eq!(proof(&waiting.caller(), &waiting.session_id, "").await.unwrap().index, 2);
}

#[tokio::test]
async fn a_sitting_without_an_end_has_a_log_after_a_quiet_day() {
    let school = School::open().await;
    let (sitting, _) = written(&school, json!({ "start": "own", "doorsAt": school.at(0) })).await;
    eventually("the log has heard of all tests", async || {
        (count(&school.hall, "receipts_due").await == 0).then_some(())
    })
    .await;
    school.advance(12 * 60);
    school.hall.clock.advance(LOOK);
    assert!(checkpoint(&school.hall, &school.admin, &sitting).await.is_none());
    school.advance(13 * 60);
    leaves(&school, 3).await;
    assert_eq!(checkpoint(&school.hall, &school.admin, &sitting).await.unwrap().size, 3);
}
