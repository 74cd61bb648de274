//! What managers change is on the record: who, before and after.

use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::{Entrant, access_codes};
use super::{School, candidate_path, path, send};

const ADMIN: &str = "admin@exam.test";

/// Kind and detail of what an admin has done, in order.
async fn record(school: &School, candidate: &Value) -> Vec<(String, String)> {
    let path = format!("/api/live/candidates/{}/events", candidate["id"].as_str().unwrap());
    let events = school.admin.get(&path).await.json()["events"].clone();
    let text = |event: &Value, name: &str| event[name].as_str().unwrap().to_owned();
    let theirs = events.as_array().unwrap().iter().filter(|event| event["by"] == ADMIN);
    theirs.map(|event| (text(event, "kind"), text(event, "detail"))).collect()
}

#[tokio::test]
async fn changes_of_managers_leave_who_when_and_what() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({ "rooms": [{ "name": "B12" }] })).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let ada = school.candidate(&sitting, "Ada").await;
    let later = school.at(25);
    school.patch(&sitting, json!({ "startsAt": later, "rooms": [{ "name": "B12", "factor": 110 }] })).await;
    let change = json!({ "factor": 150, "room": "B12", "note": "By the door" });
    send(&school.admin, Method::PATCH, &candidate_path(&sitting, &ada), &change).await;
    // The same again changes nothing.
    send(&school.admin, Method::PATCH, &candidate_path(&sitting, &ada), &change).await;
    let mut student = school.enter(&sitting, &ada).await;
    let register = "/api/admin/accommodations/ada%40exam.test?apply=all";
    send(&school.admin, Method::PUT, register, &json!({ "extraMinutes": 5 })).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "seat": "4" }, { "email": "cy@exam.test" }])).await;
    super::delete(&school.admin, &candidate_path(&sitting, &school.candidate(&sitting, "cy@exam.test").await)).await;
    school.advance(26);
    student.begin().await;
    student.submit().await;
    assert_eq!(school.release(&sitting).await.status, 200);
    let text = |kind: &str, detail: &str| (kind.to_owned(), detail.to_owned());
    let was = sitting["startsAt"].as_str().unwrap();
    let recorded = record(&school, &ada).await;
    let mut expected = vec![
        text("roster", "2 added, 0 updated, 0 removed"),
        ("plan".to_owned(), format!("startsAt {was} to {later}")),
        text("candidate", "room none to B12; factor none to 150; another note"),
        text("accommodation", "accommodation extraMinutes none to 5"),
        text("roster", "1 added, 1 updated, 1 removed"),
        text("candidate", "seat none to 4"),
        text("roster", "cy@exam.test (cy@exam.test): removed"),
        text("release", "not released to released"),
    ];
    // She came into the room when it had its factor already, which stands on the record of the room all the same.
    expected.insert(2, text("plan", "room B12: factor none to 110"));
    assert_eq!(recorded, expected);
    assert_eq!(school.admin.get(&path(&sitting)).await.json()["sitting"]["released"], true);
}

#[tokio::test]
async fn who_has_called_a_sitting_off_is_on_record() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let ada = school.candidate(&sitting, "Ada").await;
    school.advance(40);
    school.enter(&sitting, &ada).await;
    assert_eq!(super::delete(&school.admin, &path(&sitting)).await.status, 200);
    let expected = [("roster", "1 added, 0 updated, 0 removed"), ("call_off", "not called off to called off")];
    let expected = expected.map(|(kind, detail)| (kind.to_owned(), detail.to_owned()));
    assert_eq!(record(&school, &ada).await, expected);
}

#[tokio::test]
async fn who_is_signed_in_while_the_code_of_another_is_typed_is_on_record() {
    let school = School::open().await;
    let sitting = school.sitting(40, json!({})).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "externalId": "7", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let codes = access_codes(&school, &sitting).await;
    school.advance(11);
    school.hall.cookie("head@exam.test").await;
    let enter = |name: &str| json!({ "sittingId": sitting["id"], "access": codes[name] });
    Entrant::signed_in(&school.hall, "rita@exam.test", enter("Bo")).await;
    Entrant::signed_in(&school.hall, "rita@exam.test", enter("Bo")).await;
    Entrant::enter(&school.hall, enter("Bo")).await;
    Entrant::signed_in(&school.hall, "ada@exam.test", enter("Ada")).await;
    Entrant::signed_in(&school.hall, "ada@exam.test", enter("Ada")).await;
    let entries = async |name: &str| {
        let candidate = school.candidate(&sitting, name).await;
        let path = format!("/api/live/candidates/{}/events", candidate["id"].as_str().unwrap());
        let events = school.admin.get(&path).await.json()["events"].clone();
        let theirs =
            events.as_array().unwrap().iter().filter(|event| event["kind"] == "entered" || event["kind"] == "token");
        theirs.map(|event| event["detail"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let rita = "while rita@exam.test was signed in";
    assert_eq!(
        entries("Bo").await,
        [format!("websocket, {rita}"), format!("entered again, {rita}"), "entered again".to_owned()]
    );
    assert_eq!(entries("Ada").await, ["websocket, ada@exam.test", "entered again"]);
}
