//! `reopen` in a sitting: the end that everyone has, the release, the halls, and whoever still waits.

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::entrant::{Entrant, knock};
use super::{School, candidate_path, delete, path, send};
use crate::hall::{Answer, Caller, Candidate, Proctor, Receiver, eventually};

/// The proctor of room B12, without a role.
const PROCTOR: &str = "student@exam.test";

/// Ada in B12 and Bo in B13, at work for six minutes of a test of 45.
async fn at_work(school: &School, plan: Value) -> (Value, Vec<Candidate>) {
    let mut plan = plan;
    plan["rooms"] = json!([{ "name": "B12", "proctors": [PROCTOR] }, { "name": "B13" }]);
    let sitting = school.sitting(5, plan).await;
    let roster = json!([
        { "email": "ada@exam.test", "name": "Ada", "room": "B12" },
        { "email": "bo@exam.test", "name": "Bo", "room": "B13" },
    ]);
    school.enrol(&sitting, roster).await;
    let mut students = school.enter_all(&sitting).await;
    students.sort_by_key(|student| student.started["name"].to_string());
    school.advance(11);
    for student in &mut students {
        student.begin().await;
    }
    (sitting, students)
}

async fn order(caller: &Caller, session_id: &str, kind: &str, changes: Value) -> Answer {
    let mut order = json!({ "id": Uuid::new_v4().to_string(), "type": kind });
    order.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    caller.post_json(&format!("/api/live/sessions/{session_id}/orders"), &order).await
}

async fn reopened(school: &School, session_id: &str, changes: Value) {
    let answer = order(&school.admin, session_id, "reopen", changes).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "count": 1 })));
}

async fn refused(school: &School, session_id: &str, changes: Value, code: &str) {
    let answer = order(&school.admin, session_id, "reopen", changes).await;
    assert_eq!((answer.status, &answer.json()["code"]), (409, &json!(code)), "{}", answer.text());
}

/// An order to everybody in the sitting.
async fn for_all(school: &School, sitting: &Value, order: Value) {
    let rooms = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
    let answer = school.admin.post_json(&rooms, &order).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

async fn until_versions(school: &School, session_id: &str, count: usize) -> Vec<Value> {
    eventually("the version is stored", async || {
        let answer = school.admin.get(&format!("/api/sessions/{session_id}/versions")).await;
        let versions = (answer.status == 200).then(|| answer.json()["versions"].as_array().unwrap().clone())?;
        Some(versions).filter(|versions| versions.len() == count)
    })
    .await
}

async fn until_submitted(student: &Candidate) -> Value {
    eventually("the test has ended", async || Some(student.state().await).filter(|state| state["state"] == "submitted"))
        .await
}

fn whole_minutes(frame: &Value) -> i64 {
    // Up to a minute of the test's own time may have passed.
    (frame["remainingMs"].as_i64().unwrap_or_else(|| panic!("{frame}")) + 59_000) / 60_000
}

#[tokio::test]
async fn a_held_result_is_reopened_until_it_is_released() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let (sitting, mut students) = at_work(&school, json!({ "webhookUrl": receiver.url() })).await;
    let mut ada = students.remove(0);
    let id = ada.session_id.clone();
    let submitted = ada.submit().await;
    assert!(submitted["held"] == true && submitted.get("result").is_none(), "{submitted}");
    students[0].submit().await;
    receiver.wait_for(2).await;
    // Nobody has seen anything, so nobody has to insist.
    reopened(&school, &id, json!({})).await;
    school.release(&sitting).await.assert_error(409, "Sitting has candidates at work");
    let held = school.hall.anonymous().get(&format!("/api/sessions/{id}")).await;
    assert!([403, 409].contains(&held.status), "{}", held.text());
    assert!(!held.text().contains("score"), "{}", held.text());
    assert_eq!(ada.resume().await["state"], "active");
    let again = ada.submit().await;
    assert!(again["held"] == true && again.get("result").is_none(), "{again}");
    let listed = until_versions(&school, &id, 2).await;
    assert_eq!((&listed[1]["reason"], &listed[1]["comment"]), (&json!("reopened"), &Value::Null));
    for caller in [school.hall.anonymous(), ada.caller(), school.hall.signed_in("student").await] {
        let versions = caller.get(&format!("/api/sessions/{id}/versions")).await;
        assert!([401, 403].contains(&versions.status), "{}", versions.text());
    }
    // Nothing is told of the new result before the release, which tells the newest once.
    receiver.expect_only(&school.hall, 2).await;
    assert_eq!(school.release(&sitting).await.status, 200);
    let calls = receiver.wait_for(4).await;
    let of_ada = calls.iter().map(|call| call.json()).filter(|call| call["sessionId"] == id);
    let told: Vec<Value> = of_ada.map(|call| json!([call["event"], call["version"]])).collect();
    assert_eq!(told, [json!(["test.completed", 1]), json!(["result.released", 2])]);
    for changes in [json!({}), json!({ "minutes": 10, "force": true })] {
        refused(&school, &id, changes, "released").await;
    }
    receiver.expect_only(&school.hall, 4).await;
}

#[tokio::test]
async fn of_a_release_and_a_reopening_at_once_one_comes_first() {
    for _ in 0..4 {
        let school = School::open().await;
        let (sitting, mut students) = at_work(&school, json!({})).await;
        for student in &mut students {
            student.submit().await;
        }
        let id = students[0].session_id.clone();
        let (release, reopening) =
            tokio::join!(school.release(&sitting), order(&school.admin, &id, "reopen", json!({})));
        match (release.status, reopening.status) {
            (200, 409) => assert_eq!(reopening.json()["code"], "released"),
            (409, 200) => {
                release.assert_error(409, "Sitting has candidates at work");
                assert_eq!(students[0].resume().await["state"], "active");
                students[0].submit().await;
                assert_eq!(school.release(&sitting).await.status, 200);
            }
            _ => panic!("{} {}", release.text(), reopening.text()),
        }
    }
}

#[tokio::test]
async fn the_end_that_everyone_has_holds_unless_minutes_say_more() {
    let school = School::open().await;
    let (_, mut students) = at_work(&school, json!({ "endsAt": school.at(30) })).await;
    let mut ada = students.remove(0);
    let id = ada.session_id.clone();
    // Eleven of thirty minutes have passed.
    ada.submit().await;
    school.advance(10);
    reopened(&school, &id, json!({})).await;
    assert_eq!(whole_minutes(&ada.resume().await), 9, "not the 39 that were left of her own");
    ada.submit().await;
    until_versions(&school, &id, 2).await;
    school.advance(15);
    refused(&school, &id, json!({}), "too_little_time").await;
    reopened(&school, &id, json!({ "minutes": 12 })).await;
    let resumed = ada.resume().await;
    assert_eq!((&resumed["state"], whole_minutes(&resumed)), (&json!("active"), 12));
    ada.cut();
    school.advance(13);
    let late = until_submitted(&ada).await;
    assert_eq!(late["reason"], "deadline");
    until_versions(&school, &id, 3).await;
}

#[tokio::test]
async fn an_end_for_everyone_holds_unless_minutes_say_more() {
    let school = School::open().await;
    let (sitting, students) = at_work(&school, json!({})).await;
    for_all(&school, &sitting, json!({ "id": "end", "type": "finish", "sessionId": "*" })).await;
    for student in &students {
        until_submitted(student).await;
    }
    let id = &students[0].session_id;
    refused(&school, id, json!({}), "too_little_time").await;
    reopened(&school, id, json!({ "minutes": 3 })).await;
    let state = students[0].state().await;
    assert_eq!((&state["state"], whole_minutes(&state)), (&json!("active"), 3));
    // The order is not carried out again on whoever was let go on after it.
    school.advance(2);
    assert_eq!(students[0].state().await["state"], "active");
    assert_eq!(students[1].state().await["state"], "submitted");
    school.advance(2);
    until_submitted(&students[0]).await;
    until_versions(&school, id, 2).await;
}

#[tokio::test]
async fn a_pause_of_the_hall_meets_whoever_comes_back() {
    let school = School::open().await;
    let (sitting, mut students) = at_work(&school, json!({})).await;
    let mut ada = students.remove(0);
    ada.submit().await;
    for_all(&school, &sitting, json!({ "id": "stop", "type": "pause", "sessionId": "*", "text": "Fire drill" })).await;
    school.advance(5);
    reopened(&school, &ada.session_id, json!({})).await;
    let resumed = ada.resume().await;
    assert_eq!((&resumed["state"], whole_minutes(&resumed)), (&json!("paused"), 39));
    school.advance(5);
    for_all(&school, &sitting, json!({ "id": "on", "type": "unpause", "sessionId": "*" })).await;
    let unpaused = ada.socket().until("unpaused").await;
    assert_eq!(unpaused["state"], "active");
    assert_eq!(whole_minutes(&ada.socket().sync().await), 39);
    ada.submit().await;
    until_versions(&school, &ada.session_id, 2).await;
}

#[tokio::test]
async fn the_proctor_of_the_hall_reopens_and_nobody_elses() {
    let school = School::open().await;
    let (sitting, mut students) = at_work(&school, json!({})).await;
    let (mut ada, mut bo) = (students.remove(0), students.remove(0));
    ada.submit().await;
    bo.submit().await;
    let room = json!({ "sittingId": sitting["id"], "room": "B12" });
    let token = school.hall.token("student").await;
    let mut proctor = Proctor::watching(&school.hall.base(), &token, &room).await;
    let candidate = school.candidate(&sitting, "Ada").await["id"].as_str().unwrap().to_owned();
    proctor.until("her row is submitted", |proctor| proctor.row(&candidate)["state"] == "submitted").await;
    let other = proctor.command(json!({ "type": "reopen", "sessionId": bo.session_id })).await;
    assert_eq!((&other["type"], &other["code"]), (&json!("error"), &json!("unknown_session")), "{other}");
    assert_eq!(proctor.done(json!({ "type": "reopen", "sessionId": ada.session_id })).await, 1);
    proctor.until("her row goes on", |proctor| proctor.row(&candidate)["state"] != "submitted").await;
    let row = proctor.row(&candidate);
    assert!(row["score"].is_null(), "{row}");
    // By sign-in, on whichever device.
    let enter = json!({ "sittingId": sitting["id"], "key": "of another device of hers" });
    let cookie = school.hall.cookie("ada@exam.test").await;
    let mut socket = knock(&school.hall.base(), &[("cookie", &cookie)], enter).await;
    let resumed = socket.expect("resumed").await;
    assert_eq!((&resumed["sessionId"], &resumed["state"]), (&json!(ada.session_id), &json!("active")));
    assert_ne!(resumed["keys"], json!({}), "the key of the sealed paper comes with it");
    proctor.until("her row is active", |proctor| proctor.row(&candidate)["state"] == "active").await;
    assert_eq!(school.candidate(&sitting, "Ada").await["state"], "active");
    ada.resume().await;
    ada.submit().await;
    proctor.until("and submitted again", |proctor| proctor.row(&candidate)["state"] == "submitted").await;
    proctor.until_alike(&school.hall.base()).await;
}

#[tokio::test]
async fn whoever_was_ended_while_they_waited_waits_again() {
    let school = School::open().await;
    let sitting = school.sitting(40, json!({})).await;
    school
        .enrol(
            &sitting,
            json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]),
        )
        .await;
    school.advance(20);
    school.hall.cookie("head@exam.test").await;
    let enter = json!({ "sittingId": sitting["id"], "key": "sixteen characters" });
    let mut ada = Entrant::signed_in(&school.hall, "ada@exam.test", enter).await;
    ada.prepare().await;
    let id = ada.session_id.clone();
    // Who never entered has no test that could be reopened.
    let bo = school.candidate(&sitting, "Bo").await;
    assert!(bo["sessionId"].is_null(), "{bo}");
    let never = order(&school.admin, &Uuid::new_v4().to_string(), "reopen", json!({})).await;
    assert_eq!((never.status, &never.json()["code"]), (404, &json!("unknown_session")));
    assert_eq!(order(&school.admin, &id, "finish", json!({})).await.status, 200);
    until_versions(&school, &id, 1).await;
    reopened(&school, &id, json!({})).await;
    let waiting = ada.resume("waiting").await;
    assert_eq!(waiting["startsAt"], sitting["startsAt"], "{waiting}");
    school.advance(21);
    let begun = ada.socket.until("begin").await;
    assert_eq!(begun["startedAt"], sitting["startsAt"]);
    let questions = ada.open("1", &begun["keys"]);
    ada.answer(10, &questions[0], "A").await;
    ada.submit(11).await;
    until_versions(&school, &id, 2).await;
}

#[tokio::test]
async fn nobody_is_reopened_in_one_that_was_called_off() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.advance(40);
    let student = school.enter_all(&sitting).await.remove(0);
    assert_eq!(order(&school.admin, &student.session_id, "finish", json!({})).await.status, 200);
    until_versions(&school, &student.session_id, 1).await;
    let off = delete(&school.admin, &path(&sitting)).await;
    assert_eq!(off.status, 200, "{}", off.text());
    refused(&school, &student.session_id, json!({ "minutes": 10, "force": true }), "released").await;
}

#[tokio::test]
async fn what_is_planned_meanwhile_changes_no_paper_and_an_own_end_holds() {
    let school = School::open().await;
    let (sitting, mut students) = at_work(&school, json!({})).await;
    let mut ada = students.remove(0);
    let before = ada.state().await["questionIds"].clone();
    ada.submit().await;
    let own = candidate_path(&sitting, &school.candidate(&sitting, "Ada").await);
    // The template is the sitting's until it ends, and the roster may change.
    let template = format!("/api/admin/test-templates/{}", school.template);
    let changed =
        send(&school.admin, Method::PUT, &template, &json!({ "name": "Another", "durationMinutes": 10 })).await;
    assert!([400, 409].contains(&changed.status), "{}", changed.text());
    let noted = send(&school.admin, Method::PATCH, &own, &json!({ "note": "Closed the tablet" })).await;
    assert_eq!(noted.status, 200, "{}", noted.text());
    reopened(&school, &ada.session_id, json!({ "minutes": 1 })).await;
    let resumed = ada.resume().await;
    assert_eq!((&resumed["questionIds"], whole_minutes(&resumed)), (&before, 40));
    ada.submit().await;
    until_versions(&school, &ada.session_id, 2).await;
}

#[tokio::test]
async fn a_release_tells_of_late_work_that_nobody_has_decided_about() {
    let school = School::open().await;
    let (sitting, mut students) = at_work(&school, json!({})).await;
    let mut ada = students.remove(0);
    ada.cut();
    let ordered = order(&school.admin, &ada.session_id, "finish", json!({})).await;
    assert_eq!(ordered.status, 200, "{}", ordered.text());
    students[0].submit().await;
    let questions = until_submitted(&ada).await["questionIds"].clone();
    let [question, next] = [0, 1].map(|place| questions[place].as_str().unwrap().to_owned());
    let undecided = async || {
        let answer = school.admin.request(Method::POST, &format!("{}/release?dryRun=true", path(&sitting)));
        let answer = Answer::to(answer).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["undecided"].clone()
    };
    assert_eq!(undecided().await, 0);
    let late = ada.act(json!({ "type": "visit", "questionId": question }));
    ada.post(&[late]).await;
    assert_eq!(undecided().await, 0, "a visit is no change");
    let late = ada.act(json!({ "type": "answer", "questionId": question, "selected": "B", "timeTaken": 3 }));
    let told = ada.post(&[late]).await;
    assert_eq!((&told["replies"][0]["code"], &told["replies"][0]["kept"]), (&json!("already_submitted"), &json!(true)));
    assert_eq!(undecided().await, 1);
    // A reopened test takes in what its device still has.
    reopened(&school, &ada.session_id, json!({})).await;
    assert_eq!(undecided().await, 0, "nobody can decide about it");
    ada.resume().await;
    ada.submit().await;
    until_versions(&school, &ada.session_id, 2).await;
    assert_eq!(undecided().await, 0, "what came late stands in the second version");
    reopened(&school, &ada.session_id, json!({})).await;
    let ordered = order(&school.admin, &ada.session_id, "finish", json!({})).await;
    assert_eq!(ordered.status, 200, "{}", ordered.text());
    until_versions(&school, &ada.session_id, 3).await;
    let late = ada.act(json!({ "type": "answer", "questionId": question, "selected": "C", "timeTaken": 4 }));
    ada.post(&[late]).await;
    assert_eq!(undecided().await, 1);
    let decision = json!({ "decision": "decline", "comment": "" });
    let decided = school.admin.post_json(&format!("/api/live/sessions/{}/late", ada.session_id), &decision).await;
    assert_eq!(decided.status, 200, "{}", decided.text());
    assert_eq!(undecided().await, 0);
    // The rest of what a device held comes later, and is no part of that decision.
    let late = ada.act(json!({ "type": "answer", "questionId": next, "selected": "D", "timeTaken": 5 }));
    ada.post(&[late]).await;
    assert_eq!(undecided().await, 1);
    reopened(&school, &ada.session_id, json!({})).await;
    ada.resume().await;
    ada.submit().await;
    until_versions(&school, &ada.session_id, 4).await;
    assert_eq!(undecided().await, 0, "what came late stands in the fourth version");
}

#[tokio::test]
async fn who_was_ended_while_they_waited_has_no_late_work() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.advance(40);
    let mut ada = school.enter_all(&sitting).await.remove(0);
    assert_eq!(order(&school.admin, &ada.session_id, "finish", json!({})).await.status, 200);
    until_versions(&school, &ada.session_id, 1).await;
    let told_by_a_friend = ada.act(json!({ "type": "answer", "questionId": "g5-001", "selected": "B" }));
    let told = ada.post(&[told_by_a_friend]).await;
    assert_eq!((&told["replies"][0]["code"], &told["replies"][0]["kept"]), (&json!("already_submitted"), &Value::Null));
    let late = school.admin.get(&format!("/api/live/sessions/{}/late", ada.session_id)).await;
    assert_eq!((late.status, &late.json()["seen"]), (200, &json!(0)), "{}", late.text());
}
