//! The last import of a roster, taken back: exactly, once, and only until somebody has entered.

use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::{Value, json};

use super::entrant::access_codes;
use super::{School, candidate_path, path, send};
use crate::hall::{Answer, eventually};

async fn undo(school: &School, sitting: &Value) -> Answer {
    school.admin.post_json(&format!("{}/candidates/undo", path(sitting)), &json!({})).await
}

async fn last_import(school: &School, sitting: &Value) -> Value {
    school.admin.get(&format!("{}/candidates", path(sitting))).await.json()["lastImport"].clone()
}

fn first() -> Value {
    json!([
        { "email": "ada@exam.test", "externalId": "7", "name": "Ada", "room": "B12", "seat": "1", "factor": 150, "note": "by the door" },
        { "email": "bo@exam.test", "name": "Bo", "room": "B12", "seat": "2" },
        { "email": "cy@exam.test", "name": "Cy", "room": "B13", "extraMinutes": 10, "startsAt": "2100-01-01T09:00:00.000Z" },
    ])
}

/// The wrong list: without Cy, with another Ada, and with Di in a new room.
fn wrong() -> Value {
    json!([
        { "email": "ada.l@exam.test", "externalId": "7", "name": "Ada L", "room": "Z9", "seat": "9", "factor": 125, "note": "" },
        { "email": "bo@exam.test" },
        { "email": "di@exam.test", "name": "Di", "room": "Z9" },
    ])
}

#[tokio::test]
async fn an_import_is_taken_back_as_if_it_had_not_been() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    undo(&school, &sitting).await.assert_error(409, "There is no import to undo");
    school.enrol(&sitting, first()).await;
    access_codes(&school, &sitting).await;
    let (before, rooms) = (school.candidates(&sitting).await, school.read(&sitting).await["rooms"].clone());
    assert!(before.iter().all(|one| one["hasAccessCode"] == true));
    school.enrol(&sitting, wrong()).await;
    assert_eq!(school.candidates(&sitting).await.len(), 3);
    let told = last_import(&school, &sitting).await;
    let counts = ["added", "updated", "removed"].map(|name| told[name].clone());
    assert_eq!(counts, [json!(1), json!(2), json!(1)], "{told}");
    assert_eq!(told["by"], "admin@exam.test");
    let answer = undo(&school, &sitting).await;
    assert_eq!(answer.json(), json!({ "removed": 1, "restored": 1, "returned": 1, "kept": 0 }));
    assert_eq!(school.candidates(&sitting).await, before, "also the codes on their slips");
    assert_eq!(school.read(&sitting).await["rooms"], rooms, "the room that it had made is gone");
    assert_eq!(last_import(&school, &sitting).await, Value::Null);
    undo(&school, &sitting).await.assert_error(409, "There is no import to undo");
    let record = format!("/api/live/candidates/{}/events", before[0]["id"].as_str().unwrap());
    let events = school.admin.get(&record).await.json()["events"].clone();
    let undone = "import undone: 1 removed, 1 changed back, 1 brought back";
    let is_it =
        |event: &Value| event["kind"] == "roster" && event["detail"] == undone && event["by"] == "admin@exam.test";
    assert!(events.as_array().unwrap().iter().any(is_it), "{events}");
    // Of a list that changes nothing, nothing can be taken back.
    school.enrol(&sitting, json!(before)).await;
    assert_eq!(last_import(&school, &sitting).await, Value::Null);
}

#[tokio::test]
async fn what_was_done_by_hand_since_stays() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, first()).await;
    school.enrol(&sitting, wrong()).await;
    let candidate = json!({ "email": "ed@exam.test", "room": "Z9" });
    let added = school.admin.post_json(&format!("{}/candidates", path(&sitting)), &candidate).await;
    assert_eq!(added.status, 200);
    let version = school.read(&sitting).await["version"].clone();
    let of_version = async |version: Value| {
        let request = school.admin.request(Method::POST, &format!("{}/candidates/undo", path(&sitting)));
        Answer::to(request.header("if-match", format!("\"{version}\""))).await
    };
    of_version(json!(1)).await.assert_error(412, "Sitting has changed");
    assert_eq!(of_version(version).await.status, 200);
    let names: Vec<Value> = school.candidates(&sitting).await.iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["Ada", "Bo", "Cy", "ed@exam.test"]);
    let rooms = school.read(&sitting).await["rooms"].clone();
    assert!(rooms.as_array().unwrap().iter().any(|room| room["name"] == "Z9"), "somebody is in it");
}

#[tokio::test]
async fn what_was_changed_or_removed_by_hand_since_stays_so() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, first()).await;
    let mut list = wrong();
    list[1]["seat"] = json!("8");
    school.enrol(&sitting, list).await;
    let ada = school.candidate(&sitting, "Ada L").await;
    let change = json!({ "extraMinutes": 30, "note": "needs a lift" });
    assert_eq!(send(&school.admin, Method::PATCH, &candidate_path(&sitting, &ada), &change).await.status, 200);
    let bo = school.candidate(&sitting, "Bo").await;
    assert_eq!(send(&school.admin, Method::DELETE, &candidate_path(&sitting, &bo), &json!({})).await.status, 200);
    let di = school.candidate(&sitting, "Di").await;
    let seat = json!({ "seat": "12" });
    assert_eq!(send(&school.admin, Method::PATCH, &candidate_path(&sitting, &di), &seat).await.status, 200);
    let answer = undo(&school, &sitting).await;
    assert_eq!(answer.json(), json!({ "removed": 0, "restored": 1, "returned": 1, "kept": 3 }));
    let after = school.candidates(&sitting).await;
    let names: Vec<&Value> = after.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["Ada", "Cy", "Di"]);
    let told = ["email", "seat", "note"].map(|field| after[0][field].clone());
    assert_eq!(told, ["ada@exam.test", "1", "needs a lift"].map(|text| json!(text)));
    assert_eq!(after[0]["extraMinutes"], 30);
    assert_eq!(after[0]["factor"], 150);
}

/// How many rosters of before an import the server keeps.
async fn kept(school: &School) -> i64 {
    let connection = Database::connect(school.hall.database_url()).await.unwrap();
    let text = "SELECT COUNT(*) FROM former_rosters";
    let statement = Statement::from_string(connection.get_database_backend(), text);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    connection.close().await.unwrap();
    row.try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn what_a_roster_was_is_forgotten_once_it_can_not_come_back() {
    let school = School::open().await;
    let (entered, empty) = (school.sitting(20, json!({})).await, school.sitting(20, json!({})).await);
    for sitting in [&entered, &empty] {
        school.enrol(sitting, first()).await;
    }
    assert_eq!(kept(&school).await, 2);
    let bo = school.candidate(&entered, "Bo").await;
    school.enter(&entered, &bo).await;
    assert_eq!(kept(&school).await, 1);
    // Nobody comes to the other one.
    school.advance(20 + 24 * 60);
    let forgotten = eventually("it is forgotten", async || Some(kept(&school).await).filter(|count| *count == 0));
    school.as_time_passes(forgotten).await;
}

#[tokio::test]
async fn nobody_comes_back_who_is_there_already() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, first()).await;
    school.enrol(&sitting, wrong()).await;
    let again = json!({ "email": "cy@exam.test", "name": "Cy again" });
    assert_eq!(school.admin.post_json(&format!("{}/candidates", path(&sitting)), &again).await.status, 200);
    undo(&school, &sitting).await.assert_error(409, "The roster has changed since the import");
    let cy = school.candidate(&sitting, "Cy again").await;
    assert_eq!(send(&school.admin, Method::DELETE, &candidate_path(&sitting, &cy), &json!({})).await.status, 200);
    assert_eq!(undo(&school, &sitting).await.status, 200);
    assert_eq!(school.candidate(&sitting, "Cy").await["extraMinutes"], 10);
}

#[tokio::test]
async fn it_is_too_late_once_somebody_has_entered_or_time_counts() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({})).await;
    school.enrol(&sitting, first()).await;
    school.enrol(&sitting, wrong()).await;
    assert_ne!(last_import(&school, &sitting).await, Value::Null);
    let bo = school.candidate(&sitting, "Bo").await;
    school.enter(&sitting, &bo).await;
    // What there was to undo is forgotten at the first entry.
    undo(&school, &sitting).await.assert_error(409, "There is no import to undo");
    assert_eq!(last_import(&school, &sitting).await, Value::Null);

    let later = school.sitting(20, json!({})).await;
    school.enrol(&later, first()).await;
    school.advance(21);
    undo(&school, &later).await.assert_error(409, "Sitting has begun");
    assert_eq!(last_import(&school, &later).await, Value::Null);
}

#[tokio::test]
async fn accommodations_that_were_copied_since_count() {
    let school = School::open().await;
    let sitting = school.sitting(40, json!({})).await;
    school
        .enrol(
            &sitting,
            json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]),
        )
        .await;
    school.enrol(&sitting, json!([{ "email": "bo@exam.test", "name": "Bo" }])).await;
    let needs =
        send(&school.admin, Method::PUT, "/api/admin/accommodations/ada%40exam.test", &json!({ "factor": 125 })).await;
    assert_eq!(needs.status, 200, "{}", needs.text());
    school.advance(15);
    // The doors open with this change, while Ada is not on the roster.
    assert_eq!(undo(&school, &sitting).await.status, 200);
    assert_eq!(school.candidate(&sitting, "Ada").await["factor"], 125);
}
