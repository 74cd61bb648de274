//! The versions of a result: each stays as it was, changes follow one another, and everything shows the newest.

use std::time::{Duration, Instant};

use domain::session::VersionReason;
use examhall::database::Database;
use examhall::sessions::versions::{NewVersion, append_many};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{create, honest, sit};
use crate::hall::{Answer, CHANGED_BY, Caller, Hall, eventually};

/// What staff see of a session.
async fn read(caller: &Caller, id: &str, query: &str) -> Answer {
    caller.get(&format!("/api/sessions/{id}{query}")).await
}

async fn versions(caller: &Caller, id: &str) -> Vec<Value> {
    let answer = read(caller, id, "/versions").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["versions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn each_earlier_result_stays_as_it_was() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let first = read(&admin, &id, "").await.json();
    assert_eq!((&first["version"], first.get("reason"), first.get("previous")), (&json!(1), None, None));
    assert_eq!(hall.change_result(&id, VersionReason::KeyCorrected, |result| result.score = 640).await, 2);
    let second = read(&admin, &id, "").await.json();
    assert_eq!(hall.change_result(&id, VersionReason::Reverted, |result| result.score = 800).await, 3);
    let third = read(&hall.anonymous(), &id, "").await.json();
    assert_eq!(
        (&third["version"], &third["reason"], &third["previous"], &third["result"]["score"]),
        (&json!(3), &json!("reverted"), &json!({ "version": 2, "score": 640 }), &json!(800))
    );
    for (number, stored) in [(1, &first), (2, &second)] {
        assert_eq!(&read(&admin, &id, &format!("?version={number}")).await.json(), stored, "{number}");
    }
    assert_eq!(read(&admin, &id, "?version=3").await.json()["version"], 3);
    let payload = read(&admin, &id, "?version=2&payload=1").await.json();
    assert_eq!((&payload["event"], &payload["result"]["score"]), (&json!("result.changed"), &json!(640)));
    assert_eq!(read(&admin, &id, "?version=1&payload=1").await.json()["event"], "test.completed");
    read(&admin, &id, "?version=4").await.assert_error(404, "Version not found");
    for wrong in ["0", "-1", "one", "99999999999"] {
        read(&admin, &id, &format!("?version={wrong}")).await.assert_error(400, "Invalid version");
    }
    for other in [hall.anonymous(), hall.signed_in("student").await, hall.staff_of("reviewer", 6).await] {
        for number in [1, 3] {
            let refused = read(&other, &id, &format!("?version={number}")).await;
            refused.assert_error(403, "Versions are for staff of the grade");
        }
    }
}

#[tokio::test]
async fn staff_of_the_grade_see_why_when_and_by_whom() {
    let hall = Hall::open().await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    hall.change_result(&id, VersionReason::LateWork, |result| (result.score, result.correct_answers) = (700, 9)).await;
    let reviewer = hall.staff_of("reviewer", 5).await;
    let answer = read(&reviewer, &id, "/versions").await;
    assert_eq!((answer.header("etag"), answer.header("cache-control")), ("\"2\"", "no-store"));
    let listed = versions(&reviewer, &id).await;
    let stored = read(&reviewer, &id, "").await.json();
    assert_eq!(listed.len(), 2);
    let digests: Vec<&str> = listed.iter().map(|one| one["digest"].as_str().unwrap()).collect();
    assert!(digests.iter().all(|digest| digest.len() == 64) && digests[0] != digests[1], "{digests:?}");
    assert_eq!(
        listed[0],
        json!({
            "version": 1, "at": stored["completedAt"], "reason": "submitted", "by": null, "comment": null,
            "score": 800, "correctAnswers": 10, "digest": digests[0],
        })
    );
    let rest: Vec<&Value> =
        ["version", "reason", "by", "comment", "score", "correctAnswers"].map(|name| &listed[1][name]).into();
    assert_eq!(json!(rest), json!([2, "late_work", CHANGED_BY, "As agreed", 700, 9]));
    hall.anonymous().get(&format!("/api/sessions/{id}/versions")).await.assert_error(401, "Unauthorized");
    read(&hall.signed_in("student").await, &id, "/versions").await.assert_error(403, "Forbidden");
    read(&hall.staff_of("reviewer", 6).await, &id, "/versions").await.assert_error(403, "Not assigned to this grade");
    for unknown in [Uuid::new_v4().to_string(), "seven".to_owned()] {
        read(&reviewer, &unknown, "/versions").await.assert_error(404, "Session not found");
    }
}

#[tokio::test]
async fn changes_at_once_are_each_made_of_what_the_others_left() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let longer = || hall.change_result(&id, VersionReason::LateWork, |result| result.time_taken += 1);
    let mut numbers = join_all((0..8).map(|_| longer())).await;
    numbers.sort_unstable();
    assert_eq!(numbers, Vec::from_iter(2..=9));
    for number in 1..=9 {
        let stored = read(&admin, &id, &format!("?version={number}")).await.json();
        assert_eq!(stored["result"]["timeTaken"], 320 + number, "{number}");
    }
}

#[tokio::test]
async fn a_change_of_another_version_than_the_newest_changes_nothing() {
    let hall = Hall::open().await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let change =
        |expected| hall.change_result_of(&id, Some(expected), VersionReason::LateWork, |result| result.score = 500);
    assert!(change(1).await.unwrap().is_some());
    let refused = change(1).await.unwrap_err();
    assert_eq!(refused.to_string(), "Session has changed");
    assert_eq!(hall.stored_session(&id).await["version"], 2);
    let unknown = Uuid::new_v4().to_string();
    let missing = hall.change_result_of(&unknown, None, VersionReason::LateWork, |_| {}).await.unwrap_err();
    assert_eq!(missing.to_string(), "Session not found");
}

#[tokio::test]
async fn of_many_those_change_that_are_to() {
    let hall = Hall::open().await;
    let (anonymous, body) = (hall.anonymous(), honest(&hall.bank(5).await));
    let mut ids: Vec<Uuid> = Vec::new();
    for _ in 0..5 {
        ids.push(create(&anonymous, &body).await.parse().unwrap());
    }
    ids.sort_unstable();
    let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
    let asked = [ids.clone(), vec![Uuid::new_v4(), ids[0]]].concat();
    let transaction = database.begin_alone().await.unwrap();
    let mut seen = Vec::new();
    let appended = append_many(&transaction, false, &asked, |session| {
        seen.push(session.session_id);
        let mut result = session.result.inside_the_server().clone();
        result.score = 400;
        let new = NewVersion::of_result(VersionReason::KeyCorrected, hall.clock.now(), result);
        Ok((session.session_id != ids[2]).then_some(new))
    })
    .await
    .unwrap();
    transaction.commit().await.unwrap();
    database.close().await;
    assert_eq!((&seen, appended.len()), (&ids, 4));
    for id in &ids {
        let (score, version) = if *id == ids[2] { (800, 1) } else { (400, 2) };
        let stored = hall.stored_session(&id.to_string()).await;
        assert_eq!((&stored["result"]["score"], &stored["version"]), (&json!(score), &json!(version)));
    }
}

#[tokio::test]
async fn drawings_that_stay_are_not_read() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut body = honest(&hall.bank(5).await);
    body["drawings"] = json!({ "g5-001": { "strokes": [[1, 2], [3, 4]] } });
    let id: Uuid = create(&hall.anonymous(), &body).await.parse().unwrap();
    let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
    let transaction = database.begin_alone().await.unwrap();
    let appended = append_many(&transaction, false, &[id], |session| {
        assert!(session.drawings.is_none(), "of a thousand tests they may be gigabytes");
        let result = session.result.inside_the_server().clone();
        Ok(Some(NewVersion::of_result(VersionReason::KeyCorrected, hall.clock.now(), result)))
    })
    .await
    .unwrap();
    transaction.commit().await.unwrap();
    database.close().await;
    assert_eq!(appended, [(id, 2)]);
    for number in [1, 2] {
        let stored = read(&admin, &id.to_string(), &format!("?version={number}")).await.json();
        assert_eq!((&stored["version"], &stored["drawings"]), (&json!(number), &body["drawings"]));
    }
}

#[tokio::test]
async fn statistics_lists_and_tables_show_the_newest() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let id = sit(&hall, &admin, json!({ "annotations": { "name": "Ada" } })).await;
    let answer = hall.stored_session(&id).await["result"]["answers"][0].clone();
    let was_right = answer["isCorrect"].as_bool().unwrap();
    let solved = async || {
        let items = admin.get("/api/admin/items?grade=5").await.json();
        let mut items = items["items"].as_array().unwrap().iter();
        items.find(|item| item["questionId"] == answer["questionId"]).unwrap()["pValue"].as_f64()
    };
    assert_eq!(solved().await, Some(if was_right { 1.0 } else { 0.0 }));
    hall.change_result(&id, VersionReason::KeyCorrected, |result| {
        (result.score, result.correct_answers) = (437, 7);
        let line = &mut result.answers[0];
        (line.is_correct, line.correct) = (!was_right, if was_right { "B" } else { "A" }.to_owned());
    })
    .await;
    let list = admin.get("/api/sessions?page=1").await.json();
    assert_eq!((&list["sessions"][0]["score"], &list["sessions"][0]["version"]), (&json!(437), &json!(2)));
    let row = &admin.get("/api/manager/results?grade=5").await.json()["rows"][0];
    assert_eq!((&row["score"], &row["right"], &row["version"]), (&json!(437), &json!(7), &json!(2)));
    for table in ["/api/admin/results", "/api/manager/results.csv?grade=5"] {
        let table = admin.get(table).await.text();
        assert!(table.contains("437"), "{table}");
    }
    // What was counted a short time ago is shown for five seconds.
    let now = Some(if was_right { 0.0 } else { 1.0 });
    eventually("the answers are counted again", async || (solved().await == now).then_some(())).await;
}

#[tokio::test]
async fn the_report_says_that_it_was_changed_at_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let report = format!("/api/report/{id}/pdf");
    let before = hall.anonymous().get(&report).await.body;
    hall.change_result(&id, VersionReason::KeyCorrected, |result| result.score = 700).await;
    let after = hall.anonymous().get(&report).await.body;
    assert_ne!(before, after, "a report that was made before is not given out again");
    let first = admin.get(&format!("{report}?version=1")).await;
    assert_eq!((first.status, &first.body), (200, &before));
    let refused = hall.anonymous().get(&format!("{report}?version=1")).await;
    refused.assert_error(403, "Versions are for staff of the grade");
    admin.get(&format!("{report}?version=3")).await.assert_error(404, "Version not found");
    let head = Answer::to(admin.request(Method::HEAD, &format!("{report}?version=2"))).await;
    assert_eq!(head.status, 200);
}

#[tokio::test]
async fn a_recent_report_is_given_out_while_the_store_is_away() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let named = admin.request(Method::PATCH, "/api/admin/school").json(&json!({ "name": "Trường Lê Lợi" }));
    assert_eq!(Answer::to(named).await.status, 200);
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    hall.change_result(&id, VersionReason::KeyCorrected, |result| result.score = 700).await;
    let report = format!("/api/report/{id}/pdf");
    let before = hall.anonymous().get(&report).await;
    assert_eq!(before.status, 200, "{}", before.text());
    for table in ["sessions", "school"] {
        hall.alter(&format!("ALTER TABLE {table} RENAME TO {table}_away")).await;
    }
    // Longer than the school's settings are kept.
    let until = Instant::now() + Duration::from_secs(4);
    while Instant::now() < until {
        let answer = hall.anonymous().get(&report).await;
        assert_eq!((answer.status, &answer.body), (200, &before.body));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for table in ["sessions", "school"] {
        hall.alter(&format!("ALTER TABLE {table}_away RENAME TO {table}")).await;
    }
    hall.change_result(&id, VersionReason::Reverted, |result| result.score = 800).await;
    assert_ne!(hall.anonymous().get(&report).await.body, before.body);
}
