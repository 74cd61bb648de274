//! Orders to a room are states of the room: they meet whoever comes later too, and can be taken back.

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, candidate_path, path, send};
use crate::hall::{Candidate, Proctor, eventually, time_of, token};

const FIRE: &str = "Fire alarm";

/// A sitting of 45 minutes that begins in five, with Ada and Bo in B12 and Cy in B13.
async fn planned() -> (School, Value) {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({ "rooms": [{ "name": "B12" }, { "name": "B13" }] })).await;
    let person = |name: &str, room: &str| json!({ "email": format!("{name}@exam.test"), "name": name, "room": room });
    school.enrol(&sitting, json!([person("ada", "B12"), person("bo", "B12"), person("cy", "B13")])).await;
    (school, sitting)
}

async fn enter(school: &School, sitting: &Value, name: &str) -> Candidate {
    school.enter(sitting, &school.candidate(sitting, name).await).await
}

/// What an order for everyone in a room, or in the whole sitting, answers.
async fn order(school: &School, sitting: &Value, room: Option<&str>, id: &str, order: Value) -> Value {
    let room = room.map(|room| format!("&room={room}")).unwrap_or_default();
    let at = format!("/api/live/rooms/orders?sittingId={}{room}", sitting["id"].as_str().unwrap());
    let mut order = order;
    order["id"] = json!(id);
    school.admin.post_json(&at, &order).await.json()
}

fn minutes_between(later: &Value, earlier: &Value) -> i64 {
    ((time_of(later) - time_of(earlier)).num_seconds() + 30).div_euclid(60)
}

/// How much later the deadline is after so many orders, in minutes.
async fn minutes_later(student: &Candidate, orders: i64, before: &Value) -> i64 {
    let since = before["timeVersion"].as_i64().unwrap();
    let told = eventually("the orders arrive", async || {
        Some(student.state().await).filter(|state| state["timeVersion"].as_i64().unwrap() >= since + orders)
    })
    .await;
    minutes_between(&told["deadline"], &before["deadline"])
}

#[tokio::test]
async fn whoever_enters_in_a_pause_or_after_it_has_what_the_others_have() {
    let (school, sitting) = planned().await;
    let mut ada = enter(&school, &sitting, "ada").await;
    school.advance(10);
    ada.begin().await;
    let before = ada.state().await;
    let pause = json!({ "type": "pause", "text": FIRE });
    assert_eq!(order(&school, &sitting, Some("B12"), "pause", pause).await["count"], 1);
    assert_eq!(ada.socket().until("paused").await["text"], FIRE);
    school.advance(10);
    // Through the door in the alarm.
    let mut bo = enter(&school, &sitting, "bo").await;
    assert_eq!(bo.started["paused"]["text"], FIRE, "{}", bo.started);
    bo.begin().await;
    let paused = bo.socket().until("paused").await;
    assert_eq!((&paused["text"], &paused["state"]), (&json!(FIRE), &json!("paused")));
    let resumed = bo.resume().await;
    let told = [&resumed["pauseText"], &resumed["name"], &resumed["title"]];
    assert_eq!(told, [&json!(FIRE), &json!("bo"), &json!("Finals")]);
    // Of another hall.
    let mut cy = enter(&school, &sitting, "cy").await;
    cy.begin().await;
    assert_eq!(cy.state().await["state"], "active");
    school.advance(5);
    assert_eq!(order(&school, &sitting, Some("B12"), "on", json!({ "type": "unpause" })).await["count"], 2);
    let (first, second) = (ada.socket().until("unpaused").await, bo.socket().until("unpaused").await);
    assert_eq!(minutes_between(&first["deadline"], &before["deadline"]), 15);
    assert_eq!(minutes_between(&second["deadline"], &first["deadline"]), 0, "the alarm was not theirs");
    assert_eq!(minutes_between(&cy.state().await["deadline"], &before["deadline"]), 0);
    // After the alarm, and after minutes for everyone in the sitting.
    assert_eq!(order(&school, &sitting, None, "more", json!({ "type": "extend", "minutes": 5 })).await["count"], 3);
    let roster = json!([{ "email": "dan@exam.test", "name": "dan", "room": "B12" }]);
    for person in roster.as_array().unwrap() {
        let added = school.admin.post_json(&format!("{}/candidates", path(&sitting)), person).await;
        assert_eq!(added.status, 200, "{}", added.text());
    }
    let dan = school.candidate(&sitting, "dan").await;
    let explained = school.explain(&sitting, &dan).await;
    assert_eq!(
        (explained["extendedMinutes"].as_i64(), explained["pausedMilliseconds"].as_i64().unwrap() / 60_000),
        (Some(5), 15),
        "{explained}"
    );
    let mut dan = enter(&school, &sitting, "dan").await;
    dan.begin().await;
    let late = dan.state().await;
    assert_eq!(minutes_between(&late["deadline"], &before["deadline"]), 20, "{late}");
    assert_eq!(minutes_later(&ada, 3, &before).await, 20);
    // The row has it too, so that the seat can be built again.
    let mut school = school;
    school.hall.restart().await;
    dan.move_to(&school.hall.base());
    assert_eq!(dan.state().await["deadline"], late["deadline"]);
}

#[tokio::test]
async fn a_pause_before_the_beginning_is_shown_to_those_who_wait_and_takes_nothing() {
    let (school, sitting) = planned().await;
    let mut ada = enter(&school, &sitting, "ada").await;
    assert!(ada.started["paused"].is_null());
    order(&school, &sitting, None, "pause", json!({ "type": "pause", "text": FIRE })).await;
    let waiting = ada.socket().until("waiting").await;
    assert_eq!(waiting["paused"]["text"], FIRE, "{waiting}");
    let mut bo = enter(&school, &sitting, "bo").await;
    assert_eq!(bo.started["paused"]["text"], FIRE);
    school.advance(15);
    for student in [&mut ada, &mut bo] {
        student.begin().await;
        assert_eq!(student.socket().until("paused").await["text"], FIRE);
    }
    assert_eq!(order(&school, &sitting, None, "on", json!({ "type": "unpause" })).await["count"], 2);
    for student in [&mut ada, &mut bo] {
        let unpaused = student.socket().until("unpaused").await;
        assert_eq!(minutes_between(&unpaused["deadline"], &sitting["startsAt"]), 55, "{unpaused}");
    }
}

#[tokio::test]
async fn both_pauses_count_and_who_stays_paused_is_named() {
    let (school, sitting) = planned().await;
    let mut ada = enter(&school, &sitting, "ada").await;
    school.advance(6);
    ada.begin().await;
    let own = format!("/api/live/sessions/{}/orders", ada.session_id);
    let own_order = async |kind: &str| {
        let body = json!({ "id": format!("own {kind}"), "type": kind });
        let answer = school.admin.post_json(&own, &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    assert_eq!(own_order("pause").await, json!({ "count": 1 }));
    let left = |reason: &str| json!([{ "sessionId": ada.session_id, "student": "ada", "reason": reason }]);
    let stopped = order(&school, &sitting, Some("B12"), "stop", json!({ "type": "pause" })).await;
    assert_eq!((&stopped["count"], &stopped["unchanged"]), (&json!(0), &left("as_ordered")));
    let on = order(&school, &sitting, Some("B12"), "on", json!({ "type": "unpause" })).await;
    assert_eq!((&on["count"], &on["unchanged"]), (&json!(0), &left("own_pause")));
    assert_eq!(ada.state().await["state"], "paused");
    assert_eq!(order(&school, &sitting, None, "stop all", json!({ "type": "pause" })).await["unchangedCount"], 1);
    let unpaused = own_order("unpause").await;
    assert_eq!((&unpaused["count"], &unpaused["unchanged"]), (&json!(0), &left("hall_pause")));
    assert_eq!(order(&school, &sitting, None, "go on all", json!({ "type": "unpause" })).await["count"], 1);
    let unpaused = ada.socket().until("unpaused").await;
    assert_eq!(unpaused["state"], "active");
}

#[tokio::test]
async fn an_order_is_taken_back_once_and_minutes_leave_everyone_one() {
    let (school, sitting) = planned().await;
    let mut ada = enter(&school, &sitting, "ada").await;
    school.advance(6);
    ada.begin().await;
    let before = ada.state().await;
    let ordered = async |id: &str, body: Value| order(&school, &sitting, None, id, body).await;
    let undo = json!({ "type": "undo" });
    assert_eq!(ordered("nothing", undo.clone()).await["code"], "nothing_to_undo");
    ordered("give", json!({ "type": "extend", "minutes": 10 })).await;
    ordered("take", json!({ "type": "extend", "minutes": -3 })).await;
    assert_eq!(minutes_later(&ada, 2, &before).await, 7);
    assert_eq!(ordered("too much", json!({ "type": "extend", "minutes": -60 })).await["code"], "too_little_time");
    assert_eq!(ordered("back", undo.clone()).await["undone"], "extend");
    assert_eq!(ordered("back", undo.clone()).await["undone"], "extend", "a repeat does nothing more");
    assert_eq!(minutes_later(&ada, 3, &before).await, 10, "what was refused has changed nothing");
    ordered("stop", json!({ "type": "pause", "text": FIRE })).await;
    ada.socket().until("paused").await;
    assert_eq!(ordered("no stop", undo.clone()).await["undone"], "pause");
    assert_eq!(ada.socket().until("unpaused").await["state"], "active");
    ordered("stop again", json!({ "type": "pause", "text": FIRE })).await;
    ordered("on", json!({ "type": "unpause" })).await;
    ada.socket().until("unpaused").await;
    assert_eq!(ordered("not on", undo.clone()).await["undone"], "unpause");
    let paused = ada.socket().until("paused").await;
    assert_eq!((&paused["state"], &paused["text"]), (&json!("paused"), &json!(FIRE)));
    school.advance(11);
    assert_eq!(ordered("too late", undo).await["code"], "nothing_to_undo");
}

#[tokio::test]
async fn whoever_is_moved_stands_as_the_new_hall_does() {
    let (school, sitting) = planned().await;
    let mut ada = enter(&school, &sitting, "ada").await;
    school.advance(6);
    ada.begin().await;
    let before = ada.state().await;
    let own = candidate_path(&sitting, &school.candidate(&sitting, "ada").await);
    let to = async |room: &str| {
        let moved = send(&school.admin, Method::PATCH, &own, &json!({ "room": room })).await;
        assert_eq!(moved.status, 200, "{}", moved.text());
    };
    order(&school, &sitting, Some("B12"), "stop", json!({ "type": "pause", "text": FIRE })).await;
    ada.socket().until("paused").await;
    school.advance(4);
    to("B13").await;
    let unpaused = ada.socket().until("unpaused").await;
    assert_eq!(minutes_between(&unpaused["deadline"], &before["deadline"]), 4);
    to("B12").await;
    assert_eq!(ada.socket().until("paused").await["text"], FIRE);
    order(&school, &sitting, Some("B12"), "on", json!({ "type": "unpause" })).await;
    assert_eq!(ada.socket().until("unpaused").await["state"], "active");
}

#[tokio::test]
async fn an_order_is_taken_back_from_whom_it_reached_and_only_while_it_stands() {
    let (school, sitting) = planned().await;
    let mut ada = enter(&school, &sitting, "ada").await;
    school.advance(6);
    ada.begin().await;
    let before = ada.state().await;
    let token = token::create(school.hall.settings(), "second@exam.test", "admin").await;
    let other = school.hall.bearer(&token);
    let at = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
    let theirs = async |id: &str, kind: &str| other.post_json(&at, &json!({ "id": id, "type": kind })).await.json();
    let undo = json!({ "type": "undo" });
    // Cy gets the minutes on entering.
    order(&school, &sitting, None, "give", json!({ "type": "extend", "minutes": 10 })).await;
    let mut cy = enter(&school, &sitting, "cy").await;
    cy.begin().await;
    assert_eq!(minutes_between(&cy.state().await["deadline"], &before["deadline"]), 10);
    let undone = order(&school, &sitting, None, "back", undo.clone()).await;
    assert_eq!((&undone["undone"], &undone["count"]), (&json!("extend"), &json!(2)));
    for student in [&ada, &cy] {
        let told = eventually("the minutes go", async || {
            Some(student.state().await).filter(|state| minutes_between(&state["deadline"], &before["deadline"]) == 0)
        });
        told.await;
    }
    // What somebody else has ordered since is not ended by taking back what was before.
    order(&school, &sitting, None, "stop", json!({ "type": "pause" })).await;
    assert_eq!(theirs("on", "unpause").await["count"], 2);
    assert_eq!(theirs("alarm", "pause").await["count"], 2);
    assert_eq!(order(&school, &sitting, None, "not mine", undo).await["code"], "nothing_to_undo");
    assert_eq!(ada.state().await["state"], "paused");
}

#[tokio::test]
async fn proctors_see_the_standing_of_the_hall_and_of_those_who_are_expected() {
    let (school, sitting) = planned().await;
    let room = json!({ "sittingId": sitting["id"], "room": "B12" });
    let token = school.hall.token("admin").await;
    let mut proctor = Proctor::watching(&school.hall.base(), &token, &room).await;
    let head = |proctor: &Proctor| proctor.last.clone();
    assert_eq!(head(&proctor)["standing"]["state"], "running");
    let told = head(&proctor);
    assert_eq!(
        [&told["start"], &told["startsAt"], &told["begun"], &told["perRoom"]],
        [&json!("clock"), &sitting["startsAt"], &json!(false), &json!(false)]
    );
    order(&school, &sitting, Some("B12"), "stop", json!({ "type": "pause", "text": FIRE })).await;
    proctor
        .until("the pause", |proctor| {
            proctor.last["standing"]["text"] == FIRE
                && proctor.rows.values().all(|row| row["standing"] == "paused" && row["state"] == "expected")
        })
        .await;
    let standing = head(&proctor)["standing"].clone();
    assert_eq!((&standing["state"], &standing["minutes"]), (&json!("paused"), &json!(0)));
    let whole = Proctor::watching(&school.hall.base(), &token, &json!({ "sittingId": sitting["id"] })).await;
    let halls = head(&whole)["halls"].clone();
    assert_eq!((halls.as_array().map(Vec::len), &halls[0]["room"]), (Some(1), &json!("B12")));
    assert_eq!(halls[0]["standing"]["text"], FIRE);
}
