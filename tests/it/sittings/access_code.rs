//! A new access code for one candidate: who may make it, that it counts and the one of before does not, and that it is
//! on the record.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::{Entrant, access_codes};
use super::{School, delete, id, path, send};
use crate::hall::{Answer, Caller};

/// Someone without a role, who is named as the proctor of room B12.
const PROCTOR: &str = "student@exam.test";
const KEY: &str = "0123456789abcdef";

/// Bo in B12 and Cy in B13, who have slips, and Di without a room; the doors are open.
async fn school() -> (School, Value, Value) {
    let school = School::open().await;
    let rooms = json!([{ "name": "B12", "proctors": [PROCTOR] }, { "name": "B13", "proctors": ["q@exam.test"] }]);
    let sitting = school.sitting(40, json!({ "rooms": rooms })).await;
    let people = json!([
        { "externalId": "7", "name": "Bo", "room": "B12" },
        { "externalId": "8", "name": "Cy", "room": "B13" },
        { "externalId": "9", "name": "Di" },
    ]);
    school.enrol(&sitting, people).await;
    let codes = json!(access_codes(&school, &sitting).await);
    school.advance(11);
    (school, sitting, codes)
}

async fn ask(caller: &Caller, sitting: &Value, candidate: &Value) -> Answer {
    let [sitting, candidate] = [sitting, candidate].map(|one| one["id"].as_str().unwrap());
    let path = format!("/api/sittings/{sitting}/candidates/{candidate}/access-code");
    Answer::to(caller.request(Method::POST, &path)).await
}

/// The new code of a candidate.
async fn made(caller: &Caller, sitting: &Value, candidate: &Value) -> String {
    let answer = ask(caller, sitting, candidate).await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"), "{}", answer.text());
    answer.json()["code"].as_str().unwrap().to_owned()
}

/// The code of the error for someone who enters with this code.
async fn refused(school: &School, sitting: &Value, access: &str) -> Value {
    let enter = json!({ "type": "enter", "sittingId": sitting["id"], "access": access, "key": KEY });
    school.hall.anonymous().post_json("/api/live", &enter).await.json()["code"].clone()
}

#[tokio::test]
async fn a_proctor_tells_one_candidate_a_new_code() {
    let (school, sitting, codes) = school().await;
    let (proctor, bo) = (school.hall.signed_in("student").await, school.candidate(&sitting, "Bo").await);
    let before = codes["Bo"].as_str().unwrap();
    let version = school.read(&sitting).await["version"].clone();
    let (first, second) = (made(&proctor, &sitting, &bo).await, made(&proctor, &sitting, &bo).await);
    assert_eq!(school.read(&sitting).await["version"], version, "nobody else is disturbed");
    assert!(first != second && first != before && second != before, "{first} {second}");
    for void in [before, &first] {
        assert_eq!(refused(&school, &sitting, void).await, "not_expected", "{void}");
    }
    let entered = Entrant::enter(&school.hall, json!({ "sittingId": sitting["id"], "access": second })).await;
    assert_eq!(entered.waiting["name"], "Bo");
    let cy = codes["Cy"].as_str().unwrap();
    Entrant::enter(&school.hall, json!({ "sittingId": sitting["id"], "access": cy })).await;
    let events = proctor.get(&format!("/api/live/candidates/{}/events", bo["id"].as_str().unwrap())).await;
    let of_codes: Vec<Value> = events.json()["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["kind"] == "access_code")
        .map(|event| json!([event["by"], event["detail"]]))
        .collect();
    assert_eq!(of_codes, [json!([PROCTOR, ""]), json!([PROCTOR, ""])], "who made them, and no code");
}

#[tokio::test]
async fn somebody_who_comes_unannounced_is_added_and_enters_by_a_code() {
    let (school, sitting, _) = school().await;
    let body = json!({ "externalId": "walk-in-1", "name": "Eve", "room": "B12", "seat": "31" });
    let added = school.admin.post_json(&format!("{}/candidates", path(&sitting)), &body).await;
    assert_eq!(added.status, 200, "{}", added.text());
    let code = made(&school.admin, &sitting, &added.json()["candidate"]).await;
    let entered = Entrant::enter(&school.hall, json!({ "code": sitting["code"], "access": code })).await;
    assert_eq!((&entered.waiting["name"], &entered.waiting["seat"]), (&json!("Eve"), &json!("31")));
}

#[tokio::test]
async fn a_code_is_made_by_those_who_watch_the_candidate() {
    let (school, sitting, codes) = school().await;
    let proctor = school.hall.signed_in("student").await;
    let [bo, cy, di] = [
        school.candidate(&sitting, "Bo").await,
        school.candidate(&sitting, "Cy").await,
        school.candidate(&sitting, "Di").await,
    ];
    let not_theirs = "Not a proctor of this room";
    let nobody = json!({ "id": uuid::Uuid::new_v4() });
    for other in [&cy, &di, &nobody] {
        ask(&proctor, &sitting, other).await.assert_error(403, not_theirs);
    }
    ask(&school.hall.signed_in("reviewer").await, &sitting, &bo).await.assert_error(403, not_theirs);
    ask(&school.hall.anonymous(), &sitting, &bo).await.assert_error(401, "Unauthorized");
    ask(&school.admin, &sitting, &nobody).await.assert_error(404, "Not found");
    ask(&school.admin, &nobody, &bo).await.assert_error(404, "Not found");
    for name in ["Bo", "Cy"] {
        let access = codes[name].as_str().unwrap();
        Entrant::enter(&school.hall, json!({ "sittingId": sitting["id"], "access": access })).await;
    }
    for other in [&bo, &cy, &di] {
        made(&school.admin, &sitting, other).await;
    }
    // Who is no longer named makes no more.
    let rooms = json!({ "rooms": [{ "name": "B12", "proctors": ["q@exam.test"] }, { "name": "B13" }] });
    assert_eq!(send(&school.admin, Method::PATCH, &path(&sitting), &rooms).await.status, 200);
    ask(&proctor, &sitting, &bo).await.assert_error(403, not_theirs);
    // Nobody enters an exam that was called off.
    assert_eq!(delete(&school.admin, &path(&sitting)).await.status, 200);
    ask(&school.admin, &sitting, &di).await.assert_error(409, "Sitting has ended");
}

/// Makes the code of Bo void while an entry with it waits to be stored.
async fn a_void_code_lets_nobody_in(version_after: &str) {
    let (school, sitting, codes) = school().await;
    // The doors have opened, so that nothing but the entry itself is stored.
    Entrant::enter(&school.hall, json!({ "sittingId": sitting["id"], "access": codes["Cy"] })).await;
    let bo = school.candidate(&sitting, "Bo").await;
    let held = school.hold(&sitting).await;
    let (told, ()) = tokio::join!(refused(&school, &sitting, codes["Bo"].as_str().unwrap()), async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        let changing = format!("UPDATE sittings SET version = {version_after} WHERE id = $1");
        school.within(&held, &changing, vec![id(&sitting).into()]).await;
        let ending = "UPDATE candidates SET access_code_hash = NULL, access_half_hash = NULL WHERE id = $1";
        school.within(&held, ending, vec![id(&bo).into()]).await;
        held.commit().await.unwrap();
    });
    assert_eq!(told, "not_expected", "{version_after}");
    let after = school.candidate(&sitting, "Bo").await;
    assert_eq!((&after["hasAccessCode"], &after["state"]), (&json!(false), &bo["state"]));
}

#[tokio::test]
async fn a_code_that_is_void_by_then_lets_nobody_in() {
    a_void_code_lets_nobody_in("version").await;
}

#[tokio::test]
async fn nor_does_it_where_the_entry_is_decided_anew() {
    a_void_code_lets_nobody_in("version + 1").await;
}
