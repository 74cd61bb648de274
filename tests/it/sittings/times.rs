//! Times that are changed, or written down, close to a beginning.

use std::time::Duration;

use chrono::TimeDelta;
use examhall::database::Database;
use examhall::store::{attempt_starts, sittings};
use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::Entrant;
use super::{School, candidate_path, path, send};
use crate::hall::{Answer, eventually, time_of};

async fn post(school: &School, path: &str) -> Value {
    let answer = Answer::to(school.admin.request(Method::POST, path)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sitting"].clone()
}

/// A sitting in 20 minutes, for which Ada waits.
async fn planned(changes: Value) -> (School, Value, Entrant) {
    let school = School::open().await;
    let sitting = school.sitting(20, changes).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.hall.cookie("head@exam.test").await;
    let enter = json!({ "sittingId": sitting["id"] });
    let ada = Entrant::signed_in(&school.hall, "ada@exam.test", enter).await;
    (school, sitting, ada)
}

async fn change(school: &School, sitting: &Value, changes: Value) -> Answer {
    let candidate = school.candidate(sitting, "Ada").await;
    send(&school.admin, Method::PATCH, &candidate_path(sitting, &candidate), &changes).await
}

/// The moments of the events of that kind.
async fn events(school: &School, ada: &Entrant, kind: &str) -> Vec<Value> {
    let live = school.admin.get(&format!("/api/live/sessions/{}/events", ada.session_id)).await.json();
    let of_kind = live["events"].as_array().unwrap().iter().filter(|event| event["kind"] == kind);
    of_kind.map(|event| event["at"].clone()).collect()
}

#[tokio::test]
async fn time_that_is_given_right_after_the_beginning_counts() {
    let (school, sitting, mut ada) = planned(json!({ "start": "proctor" })).await;
    let other = school.sitting(30, json!({ "name": "Other" })).await;
    school.enrol(&other, json!([{ "email": "bo@exam.test", "name": "Bo" }])).await;
    let bo = Entrant::signed_in(&school.hall, "bo@exam.test", json!({ "sittingId": other["id"] })).await;
    let begun = post(&school, &format!("{}/begin", path(&sitting))).await["begunAt"].clone();
    ada.socket.expect("begin").await;
    // Her row has no times yet.
    assert_eq!(change(&school, &sitting, json!({ "extraMinutes": 15 })).await.status, 200);
    eventually("the new deadline", async || {
        let time = ada.socket.until("time").await;
        (time_of(&time["deadline"]) - time_of(&begun) == TimeDelta::minutes(60)).then_some(())
    })
    .await;
    assert_eq!(events(&school, &ada, "started").await, std::slice::from_ref(&begun));
    // The seat hands in by that time, and not by the first one.
    school.advance(50);
    let resumed = ada.resume("resumed").await;
    assert_eq!((&resumed["state"], &resumed["startedAt"]), (&json!("active"), &begun));
    // The next look at what has begun writes down his beginning, and hers no second time.
    eventually("a look at what has begun", async || {
        Some(events(&school, &bo, "started").await).filter(|events| events.len() == 1)
    })
    .await;
    assert_eq!(events(&school, &ada, "started").await, [begun]);
}

#[tokio::test]
async fn times_of_an_older_version_are_not_written() {
    let (school, sitting, ada) = planned(json!({ "start": "proctor" })).await;
    let database = Database::open(school.hall.database_url(), 2, 1).await.unwrap();
    let now = school.hall.clock.now();
    let find = async || attempt_starts::find_sittings_without(&database, now).await.unwrap();
    let mut known = sittings::find(&database, super::id(&sitting)).await.unwrap().unwrap();
    assert!(find().await.is_empty(), "who waits for a proctor has not begun");
    known.begun_at = Some(now);
    known.version -= 1;
    attempt_starts::write_begun(&database, &known, now).await.unwrap();
    assert!(events(&school, &ada, "started").await.is_empty(), "another version may say something else");
    known.version += 1;
    attempt_starts::write_begun(&database, &known, now).await.unwrap();
    assert_eq!(events(&school, &ada, "started").await.len(), 1);
    database.close().await;
}

#[tokio::test]
async fn rooms_and_candidates_with_starts_of_their_own_are_found_when_they_begin() {
    let school = School::open().await;
    let rooms = json!([{ "name": "B12" }, { "name": "B13", "startsAt": school.at(15) }]);
    let sitting = school.sitting(20, json!({ "rooms": rooms })).await;
    let people = json!([
        { "email": "ada@exam.test", "name": "Ada", "room": "B12" }, { "email": "bo@exam.test", "name": "Bo", "room": "B13" },
        { "email": "cy@exam.test", "name": "Cy", "room": "B13", "startsAt": school.at(10) },
    ]);
    school.enrol(&sitting, people).await;
    let _students = school.enter_all(&sitting).await;
    let database = Database::open(school.hall.database_url(), 2, 1).await.unwrap();
    let before = async |minutes: i64| {
        let moment = school.hall.clock.now().plus(minutes * 60_000);
        !attempt_starts::find_sittings_without(&database, moment).await.unwrap().is_empty()
    };
    let found = [before(9).await, before(11).await];
    assert_eq!(found, [false, true]);
    school.execute("UPDATE candidates SET starts_at_ms = NULL WHERE name = $1", vec!["Cy".into()]).await.unwrap();
    assert_eq!([before(14).await, before(16).await], [false, true]);
    school.execute("UPDATE rooms SET starts_at_ms = NULL WHERE name = $1", vec!["B13".into()]).await.unwrap();
    assert_eq!([before(19).await, before(21).await], [false, true]);
    school
        .execute("UPDATE sittings SET start = 'proctor' WHERE id = $1", vec![super::id(&sitting).into()])
        .await
        .unwrap();
    assert!(!before(21).await);
    let hall = "UPDATE rooms SET begun_at_ms = 1 WHERE name = $1";
    school.execute(hall, vec!["B12".into()]).await.unwrap();
    assert!(before(0).await);
    database.close().await;
}

#[tokio::test]
async fn a_beginning_by_the_clock_that_is_near_holds() {
    let (school, sitting, mut ada) = planned(json!({})).await;
    school.hall.clock.advance(Duration::from_secs(20 * 60 - 3));
    let answer = Answer::to(school.admin.request(Method::POST, &format!("{}/begin", path(&sitting)))).await;
    assert_eq!((answer.status, &answer.json()["sitting"]["begunAt"]), (200, &Value::Null), "{}", answer.text());
    assert_eq!(ada.socket.expect("begin").await["startedAt"], sitting["startsAt"]);
    let again = post(&school, &format!("{}/begin", path(&sitting))).await;
    assert_eq!(again["begunAt"], sitting["startsAt"]);
}

#[tokio::test]
async fn whoever_waits_for_the_sitting_reads_the_clock_afterwards() {
    let (school, sitting, mut ada) = planned(json!({ "start": "proctor" })).await;
    let held = school.hold(&sitting).await;
    let begin = format!("{}/begin", path(&sitting));
    let (begun, freed) = tokio::join!(post(&school, &begin), async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        school.advance(5);
        let freed = school.hall.clock.now().utc();
        held.commit().await.unwrap();
        freed
    });
    assert!(time_of(&begun["begunAt"]) >= freed - TimeDelta::milliseconds(1), "nobody loses the wait");
    ada.socket.expect("begin").await;
    // A postponement that waits until the exam has begun comes too late.
    let other = school.sitting(20, json!({ "name": "Other" })).await;
    let held = school.hold(&other).await;
    let later = school.at(60);
    let (answer, ()) = tokio::join!(school.patch(&other, json!({ "startsAt": later })), async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        school.advance(21);
        held.commit().await.unwrap();
    });
    answer.assert_error(409, "Sitting has begun");
}

#[tokio::test]
async fn a_start_of_ones_own_is_settled_like_that_of_all() {
    let (school, sitting, mut ada) = planned(json!({})).await;
    school.hall.clock.advance(Duration::from_secs(20 * 60 - 4));
    let later = json!({ "startsAt": school.at(10) });
    change(&school, &sitting, later).await.assert_error(409, "Sitting has begun");
    assert_eq!(ada.socket.expect("begin").await["startedAt"], sitting["startsAt"]);
}

#[tokio::test]
async fn an_end_that_has_passed_hands_in_for_nobody() {
    let (school, sitting, mut ada) = planned(json!({ "rooms": [{ "name": "B12" }] })).await;
    school.advance(30);
    ada.socket.expect("begin").await;
    let past = school.at(-1);
    school.patch(&sitting, json!({ "endsAt": past })).await.assert_error(400, "Invalid endsAt");
    let rooms = json!({ "rooms": [{ "name": "B12", "endsAt": past }] });
    school.patch(&sitting, rooms).await.assert_error(400, "Invalid rooms");
    change(&school, &sitting, json!({ "endsAt": past })).await.assert_error(400, "Invalid endsAt");
    assert_eq!(ada.resume("resumed").await["state"], "active");
    assert_eq!(school.patch(&sitting, json!({ "endsAt": school.at(5) })).await.status, 200);
    let resumed = eventually("the end of all", async || {
        let resumed = ada.resume("resumed").await;
        (time_of(&resumed["deadline"]) - time_of(&sitting["startsAt"]) < TimeDelta::minutes(20)).then_some(resumed)
    })
    .await;
    assert_eq!(resumed["state"], "active");
}

#[tokio::test]
async fn what_attempts_have_copies_of_or_have_shown_stays() {
    let (school, sitting, mut ada) = planned(json!({ "results": "now" })).await;
    let hook = school.patch(&sitting, json!({ "webhookUrl": "https://lms.test/hook" })).await;
    hook.assert_error(409, "Candidate has entered");
    assert_eq!(school.patch(&sitting, json!({ "results": "held" })).await.status, 200, "nobody has seen any");
    assert_eq!(school.patch(&sitting, json!({ "results": "now" })).await.status, 200);
    school.advance(21);
    ada.socket.until("begin").await;
    assert!(!ada.submit(1).await["result"].is_null());
    let held = school.patch(&sitting, json!({ "results": "held" })).await;
    held.assert_error(409, "Sitting has begun");
}
