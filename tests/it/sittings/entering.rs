//! Entering, waiting and beginning, on both roads.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::{Entrant, access_codes, knock};
use super::{School, candidate_path, path};
use crate::hall::{Answer, eventually, time_of};

const KEY: &str = "0123456789abcdef";

/// A sitting in 40 minutes, whose doors open in 10, with Ada and Bo.
async fn planned(school: &School, changes: Value) -> Value {
    let sitting = school.sitting(40, changes).await;
    let people =
        json!([{ "email": "ada@exam.test", "name": "Ada", "seat": "14" }, { "externalId": "7", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    sitting
}

async fn ada(school: &School, sitting: &Value) -> Entrant {
    let enter = json!({ "sittingId": sitting["id"], "key": KEY });
    Entrant::signed_in(&school.hall, "ada@exam.test", enter).await
}

async fn begin(school: &School, sitting: &Value) -> Value {
    let answer = Answer::to(school.admin.request(Method::POST, &format!("{}/begin", path(sitting)))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sitting"].clone()
}

#[tokio::test]
async fn a_candidate_enters_waits_and_begins() {
    let school = School::open().await;
    let sitting = planned(&school, json!({})).await;
    let codes = access_codes(&school, &sitting).await;
    let enter = json!({ "code": sitting["code"], "access": codes["Bo"].to_lowercase(), "key": KEY });
    let mut early = knock(&school.hall.base(), &[], enter.clone()).await;
    let refusal = early.expect_error("not_open").await;
    assert_eq!(time_of(&sitting["startsAt"]) - time_of(&refusal["doorsAt"]), chrono::TimeDelta::minutes(30));
    school.advance(11);
    let mut bo = Entrant::enter(&school.hall, enter).await;
    let waiting = &bo.waiting;
    let seen = json!({
        "name": waiting["name"], "room": waiting["room"], "seat": waiting["seat"], "minutes": waiting["minutes"],
        "sitting": waiting["sitting"], "start": waiting["start"], "startsAt": waiting["startsAt"],
    });
    let expected = json!({
        "name": "Bo", "room": null, "seat": null, "minutes": 45.0,
        "sitting": "Finals", "start": "clock", "startsAt": sitting["startsAt"],
    });
    assert_eq!(seen, expected);
    assert!(!waiting.to_string().contains("g5-"), "{waiting}");
    let answer = json!({ "type": "answer", "seq": 1, "questionId": "g5-001", "selected": "A" });
    bo.socket.send(&answer).await;
    bo.socket.expect_error("not_begun").await;
    bo.socket.send(&json!({ "type": "ready", "seq": 2, "sha256": "0".repeat(64) })).await;
    let again = bo.socket.expect("waiting").await;
    assert_eq!(again["sealed"], bo.waiting["sealed"]);
    bo.socket.expect_error("bad_message").await;
    bo.prepare().await;
    assert_eq!(school.candidate(&sitting, "Bo").await["state"], "waiting");
    school.advance(29);
    let begun = bo.socket.expect("begin").await;
    assert_eq!((&begun["startedAt"], begun["keys"].as_object().unwrap().len()), (&sitting["startsAt"], 1));
    let questions = bo.open("1", &begun["keys"]);
    assert_eq!(questions.len(), 10);
    assert!(questions.iter().all(|question| question["options"].as_array().unwrap().len() == 4));
    bo.answer(3, &questions[0], "A").await;
    let time = bo.socket.until("time").await;
    assert_eq!(time_of(&time["deadline"]) - time_of(&sitting["startsAt"]), chrono::TimeDelta::minutes(45));
    assert_eq!(school.candidate(&sitting, "Bo").await["state"], "active");
    let explained = school.explain(&sitting, &school.candidate(&sitting, "Bo").await).await;
    assert_eq!(explained["deadline"]["value"], time["deadline"], "{explained}");
    let open = format!("/api/sittings/{}/paper/1?open", sitting["id"].as_str().unwrap());
    assert_eq!(bo.caller().get(&open).await.status, 200);
    bo.submit(4).await;
    assert_eq!(school.candidate(&sitting, "Bo").await["state"], "submitted");
    // Others may still have to write the paper.
    bo.caller().get(&open).await.assert_fault(409, "The test has been submitted", "already_submitted");
    let over = bo.resume("resumed").await;
    assert_eq!((&over["state"], &over["keys"]), (&json!("submitted"), &json!({})), "{over}");
    assert_eq!((&over["sittingId"], &over["held"]), (&sitting["id"], &json!(true)), "{over}");
}

#[tokio::test]
async fn whoever_comes_back_waits_again_or_is_at_work() {
    let school = School::open().await;
    let sitting = planned(&school, json!({})).await;
    school.advance(11);
    let mut first = ada(&school, &sitting).await;
    assert_eq!(first.waiting["seat"], "14");
    let mut again = ada(&school, &sitting).await;
    assert_eq!((&again.session_id, &again.token), (&first.session_id, &first.token), "the same key");
    first.socket.until("superseded").await;
    let enter = json!({ "sittingId": sitting["id"], "key": "another key of hers" });
    let mut tablet = Entrant::signed_in(&school.hall, "ada@exam.test", enter).await;
    assert_eq!(tablet.session_id, first.session_id, "one attempt each");
    assert_ne!(tablet.token, first.token);
    again.socket.until("superseded").await;
    tablet.prepare().await;
    let resumed = tablet.resume("waiting").await;
    assert_eq!((&resumed["token"], &resumed["ready"]), (&json!(tablet.token), &json!(true)));
    let open = format!("/api/sittings/{}/paper/1?open", sitting["id"].as_str().unwrap());
    tablet.caller().get(&open).await.assert_fault(409, "The exam has not begun", "not_begun");
    school.advance(30);
    let begun = tablet.socket.expect("begin").await;
    let questions = tablet.open("1", &begun["keys"]);
    tablet.answer(5, &questions[2], "C").await;
    let resumed = tablet.resume("resumed").await;
    assert_eq!((&resumed["keys"], &resumed["sealed"]), (&begun["keys"], &tablet.waiting["sealed"]));
    assert_eq!((&resumed["answers"][0]["selected"], &resumed["state"]), (&json!("C"), &json!("active")));
    assert_eq!(resumed["startedAt"], sitting["startsAt"]);
    let clear = tablet.caller().get(&open).await;
    assert_eq!((clear.status, clear.json()), (200, json!(questions)));
    let stranger = school.hall.bearer("nobody's token").get(&open).await;
    assert_eq!(stranger.status, 403, "{}", stranger.text());
    assert_eq!(school.hall.anonymous().get(&open).await.status, 401);
}

#[tokio::test]
async fn what_changes_reaches_those_who_wait() {
    let school = School::open().await;
    let sitting = planned(&school, json!({})).await;
    school.advance(11);
    let mut ada = ada(&school, &sitting).await;
    let later = school.at(60);
    school.patch(&sitting, json!({ "startsAt": later })).await;
    assert_eq!(ada.socket.expect("waiting").await["startsAt"], later);
    let candidate = school.candidate(&sitting, "Ada").await;
    let more = json!({ "factor": 150, "seat": "2" });
    super::send(&school.admin, Method::PATCH, &candidate_path(&sitting, &candidate), &more).await;
    let told = ada.socket.expect("waiting").await;
    assert_eq!((&told["minutes"], &told["seat"], &told["token"]), (&json!(67.5), &json!("2"), &json!(ada.token)));
    school.advance(35);
    ada.socket.expect_silence(Duration::from_millis(500)).await;
    let begun = begin(&school, &sitting).await;
    assert_eq!(ada.socket.expect("begin").await["startedAt"], begun["begunAt"]);
    let resumed = ada.resume("resumed").await;
    let minutes = time_of(&resumed["deadline"]) - time_of(&begun["begunAt"]);
    assert_eq!(minutes, chrono::TimeDelta::seconds(67 * 60 + 30));
}

#[tokio::test]
async fn who_is_late_begins_at_once() {
    let school = School::open().await;
    let sitting = planned(&school, json!({ "entryUntil": school.at(50) })).await;
    school.advance(45);
    let mut ada = ada(&school, &sitting).await;
    assert_eq!(ada.socket.expect("begin").await["startedAt"], sitting["startsAt"]);
    let time = ada.socket.until("time").await;
    assert_eq!(time_of(&time["deadline"]) - time_of(&sitting["startsAt"]), chrono::TimeDelta::minutes(45));
    let codes = access_codes(&school, &sitting).await;
    school.advance(6);
    let late = json!({ "sittingId": sitting["id"], "access": codes["Bo"] });
    knock(&school.hall.base(), &[], late).await.expect_error("entry_closed").await;
}

#[tokio::test]
async fn others_are_not_expected() {
    let school = School::open().await;
    let sitting = planned(&school, json!({})).await;
    let other = school.sitting(40, json!({ "name": "Other" })).await;
    let codes = access_codes(&school, &sitting).await;
    school.advance(11);
    let base = school.hall.base();
    let cookie = school.hall.cookie("cy@exam.test").await;
    for enter in [
        json!({ "sittingId": sitting["id"] }),
        json!({ "sittingId": sitting["id"], "access": "2222-2222" }),
        json!({ "sittingId": other["id"], "access": codes["Bo"] }),
        json!({ "sittingId": "no id", "access": codes["Bo"] }),
        json!({ "code": "22222", "access": codes["Bo"] }),
        json!({ "code": sitting["code"], "access": "not a code" }),
    ] {
        for headers in [&[][..], &[("cookie", &*cookie)]] {
            knock(&base, headers, enter.clone()).await.expect_error("not_expected").await;
        }
    }
    knock(&base, &[], json!({ "access": codes["Bo"] })).await.expect_error("bad_message").await;
    let enter = json!({ "type": "enter", "sittingId": sitting["id"], "access": "2222-2222" });
    let refused = school.hall.anonymous().post_json("/api/live", &enter).await;
    assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("not_expected")));
}

#[tokio::test]
async fn guesses_are_slowed_and_nobody_is_kept_out() {
    let school = School::open().await;
    let sitting = planned(&school, json!({})).await;
    let codes = access_codes(&school, &sitting).await;
    school.advance(11);
    let anyone = school.hall.anonymous();
    let mut refusals = std::collections::BTreeSet::new();
    for _ in 0..70 {
        let guess = json!({ "type": "enter", "code": sitting["code"], "access": "2222-2223" });
        let refused = school.as_time_passes(anyone.post_json("/api/live", &guess)).await.json();
        refusals.insert(refused["code"].as_str().unwrap().to_owned());
    }
    assert_eq!(refusals.into_iter().collect::<Vec<_>>(), ["not_expected", "rate_limited"]);
    let enter = json!({ "code": sitting["code"], "access": codes["Bo"] });
    school.as_time_passes(Entrant::enter(&school.hall, enter)).await.prepare().await;
}

#[tokio::test]
async fn the_same_over_https() {
    let school = School::open().await;
    let sitting = planned(&school, json!({ "start": "proctor" })).await;
    let codes = access_codes(&school, &sitting).await;
    let enter = json!({ "type": "enter", "sittingId": sitting["id"], "access": codes["Bo"], "key": KEY });
    let early = school.hall.anonymous().post_json("/api/live", &enter).await;
    assert_eq!((early.status, &early.json()["code"]), (403, &json!("not_open")), "{}", early.text());
    assert_eq!(early.json()["doorsAt"], sitting["doorsAt"]);
    school.advance(11);
    let entered = school.hall.anonymous().post_json("/api/live", &enter).await;
    let waiting = entered.json();
    assert_eq!((entered.status, &waiting["type"], &waiting["beginsAt"]), (200, &json!("waiting"), &Value::Null));
    let again = school.hall.anonymous().post_json("/api/live", &enter).await.json();
    assert_eq!((&again["type"], &again["token"]), (&json!("waiting"), &waiting["token"]));
    let bo = school.hall.bearer(waiting["token"].as_str().unwrap());
    let live = format!("/api/live/{}", waiting["sessionId"].as_str().unwrap());
    let commands = json!({ "commands": [{ "type": "ready", "seq": 1, "sha256": waiting["sealed"][0]["sha256"] }] });
    let performed = bo.post_json(&format!("{live}/commands"), &commands).await.json();
    assert_eq!((&performed["saved"], &performed["state"]), (&json!(1), &json!("waiting")));
    let path = format!("{live}?wait=begin");
    let awaited = bo.get(&path);
    let (awaited, begun) = tokio::join!(awaited, async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        begin(&school, &sitting).await
    });
    let resumed = awaited.json();
    assert_eq!((&resumed["type"], &resumed["startedAt"]), (&json!("resumed"), &begun["begunAt"]), "{resumed}");
    assert!(resumed["keys"]["1"].is_string());
    let commands = json!({ "commands": [{ "type": "answer", "seq": 2, "questionId": resumed["questionIds"][0], "selected": "B" }] });
    assert_eq!(bo.post_json(&format!("{live}/commands"), &commands).await.json()["saved"], 2);
    bo.get(&format!("{live}?wait=long")).await.assert_some_error(400);
}

#[tokio::test]
async fn a_restart_costs_those_who_wait_nothing() {
    let mut school = School::open().await;
    let sitting = planned(&school, json!({})).await;
    school.advance(11);
    let mut ada = ada(&school, &sitting).await;
    ada.prepare().await;
    school.hall.restart().await;
    ada.base = school.hall.base();
    assert_eq!(ada.resume("waiting").await["ready"], false);
    // Begun while no server was there: the seat is built after the beginning, before its row says so or after.
    school.hall.stop().await;
    school.advance(30);
    school.hall.begin().await;
    ada.base = school.hall.base();
    let begun = ada.resume("resumed").await;
    assert_eq!(begun["startedAt"], sitting["startsAt"]);
    let questions = ada.open("1", &begun["keys"]);
    ada.answer(7, &questions[0], "D").await;
    let admin = school.hall.signed_in("admin").await;
    let history = format!("/api/live/sessions/{}/events", ada.session_id);
    let started = eventually("the beginning on the record", async || {
        let events = admin.get(&history).await.json();
        let started = events["events"].as_array()?.iter().find(|event| event["kind"] == "started")?.clone();
        Some(started["at"].clone())
    });
    assert_eq!(started.await, sitting["startsAt"]);
    assert_eq!(ada.resume("resumed").await["deadline"], begun["deadline"]);
}

#[tokio::test]
async fn time_that_is_added_reaches_those_at_work() {
    let school = School::open().await;
    let sitting = planned(&school, json!({})).await;
    school.advance(35);
    let mut ada = ada(&school, &sitting).await;
    school.advance(6);
    ada.socket.expect("begin").await;
    // Their rows have times of their own from here on.
    let written = eventually("the row's times", async || {
        let found = school.candidate(&sitting, "Ada").await;
        let live = school.admin.get(&format!("/api/live/sessions/{}/events", ada.session_id)).await.json();
        let is_written = live["events"].as_array()?.iter().any(|event| event["kind"] == "started");
        is_written.then_some(found)
    });
    let candidate = written.await;
    let more = json!({ "extraMinutes": 15 });
    super::send(&school.admin, Method::PATCH, &candidate_path(&sitting, &candidate), &more).await;
    let deadline = eventually("the new deadline", async || {
        let time = ada.socket.until("time").await;
        let added = time_of(&time["deadline"]) - time_of(&sitting["startsAt"]);
        (added == chrono::TimeDelta::minutes(60)).then_some(time["deadline"].clone())
    });
    let deadline = deadline.await;
    assert_eq!(ada.resume("resumed").await["deadline"], deadline);
    let explained = school.explain(&sitting, &candidate).await;
    assert_eq!(explained["deadline"]["value"], deadline);
}
