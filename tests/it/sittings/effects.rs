//! Orders answer what they have done, and whom they have left as they were.

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, candidate_path, send};
use crate::hall::Candidate;

/// A sitting with Ada and Bo at work.
async fn at_work() -> (School, Value, Vec<Candidate>) {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let mut students = school.enter_all(&sitting).await;
    school.advance(6);
    for student in &mut students {
        student.begin().await;
    }
    (school, sitting, students)
}

#[tokio::test]
async fn whom_an_order_does_not_change_is_named_with_the_reason() {
    let (school, sitting, students) = at_work().await;
    let own = candidate_path(&sitting, &school.candidate(&sitting, "Ada").await);
    let ended = send(&school.admin, Method::PATCH, &own, &json!({ "endsAt": school.at(20) })).await;
    assert_eq!(ended.status, 200, "{}", ended.text());
    let room = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
    let order = async |path: &str, order: Value| -> Value {
        let answer = school.admin.post_json(path, &order).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let id_of = |name: &str| {
        let named = |student: &&Candidate| student.started["name"] == name;
        students.iter().find(named).map(|student| student.session_id.clone()).unwrap()
    };
    let left = |name: &str, reason: &str| json!({ "sessionId": id_of(name), "student": name, "reason": reason });
    let extend = json!({ "id": "a", "type": "extend", "minutes": 10 });
    let extended = order(&room, extend.clone()).await;
    assert_eq!(extended, json!({ "count": 1, "unchangedCount": 1, "unchanged": [left("Ada", "own_end")] }));
    assert_eq!(order(&room, extend).await, extended, "a repeat gets the same answer");
    let own_orders = format!("/api/live/sessions/{}/orders", id_of("Bo"));
    assert_eq!(order(&own_orders, json!({ "id": "b", "type": "pause" })).await, json!({ "count": 1 }));
    let paused = order(&room, json!({ "id": "c", "type": "pause" })).await;
    assert_eq!(paused, json!({ "count": 1, "unchangedCount": 1, "unchanged": [left("Bo", "as_ordered")] }));
}

#[tokio::test]
async fn a_change_of_times_says_whom_it_has_reached() {
    let (school, sitting, mut students) = at_work().await;
    let path = format!("/api/admin/sittings/{}", sitting["id"].as_str().unwrap());
    let (ada, bo) = (school.candidate(&sitting, "Ada").await, school.candidate(&sitting, "Bo").await);
    let (ada, bo) = (candidate_path(&sitting, &ada), candidate_path(&sitting, &bo));
    let change = async |path: &str, fields: Value| -> Value {
        let answer = send(&school.admin, Method::PATCH, path, &fields).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["ends"].clone()
    };
    let moved = json!({ "count": 1, "unchangedCount": 0, "unchanged": [] });
    let unmoved = |ends: &Value, student: &str, reason: &str| {
        let named = &ends["unchanged"];
        assert_eq!(
            (&ends["unchangedCount"], &named[0]["student"], &named[0]["reason"]),
            (&json!(1), &json!(student), &json!(reason)),
            "{ends}"
        );
    };
    assert_eq!(change(&ada, json!({ "endsAt": school.at(20) })).await, moved);
    assert_eq!(change(&ada, json!({ "note": "sits in front" })).await, Value::Null, "no time has changed");
    assert_eq!(change(&path, json!({ "name": "Another name" })).await, Value::Null);
    let ends = change(&path, json!({ "endsAt": school.at(25) })).await;
    assert_eq!(ends["count"], 1);
    unmoved(&ends, "Ada", "own_end");
    assert_eq!(change(&bo, json!({ "extraMinutes": 5 })).await, moved, "a shared end leaves room for it");
    unmoved(&change(&ada, json!({ "extraMinutes": 5 })).await, "Ada", "own_end");
    assert_eq!(change(&path, json!({ "endsAt": school.at(1_000) })).await["count"], 1);
    let ends = change(&path, json!({ "endsAt": null })).await;
    assert_eq!((&ends["count"], &ends["unchangedCount"]), (&json!(0), &json!(2)));
    let reasons = [&ends["unchanged"][0]["reason"], &ends["unchanged"][1]["reason"]];
    assert_eq!(reasons, ["own_end", "ends_before"], "{ends}");
    students.pop().unwrap().submit().await;
}

#[tokio::test]
async fn pauses_and_minutes_are_in_what_staff_are_told_of_ends() {
    let school = School::open().await;
    let rooms = json!({ "rooms": [{ "name": "A", "proctors": [] }] });
    let sitting = school.sitting(5, rooms).await;
    let people =
        json!([{ "email": "ada@exam.test", "name": "Ada", "room": "A" }, { "email": "bo@exam.test", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let id = sitting["id"].as_str().unwrap();
    let orders = format!("/api/live/rooms/orders?sittingId={id}");
    school.advance(6);
    let order = async |path: &str, order: Value| {
        let answer = school.admin.post_json(path, &order).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    order(&orders, json!({ "id": "a", "type": "extend", "minutes": 10 })).await;
    order(&format!("{orders}&room=A"), json!({ "id": "b", "type": "pause" })).await;
    school.advance(3);
    let minutes = |value: &Value| value["grantedMs"].as_i64().unwrap() as f64 / 60_000.0;
    let told = school.admin.get(&format!("/api/admin/sittings/{id}")).await.json()["sitting"].clone();
    assert_eq!((minutes(&told), minutes(&told["rooms"][0]).round()), (10.0, 13.0));
    let roster = school.admin.get(&format!("/api/admin/sittings/{id}/candidates")).await.json();
    let of = |name: &str| {
        let is_named = |one: &&Value| one["name"] == name;
        minutes(roster["candidates"].as_array().unwrap().iter().find(is_named).unwrap()).round()
    };
    assert_eq!((of("Ada"), of("Bo")), (13.0, 10.0));
}
