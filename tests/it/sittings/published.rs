//! A sitting and its event in the calendar.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::access_codes;
use super::{School, delete, path, send};
use crate::hall::{Answer, time_of};

const EVENTS: &str = "/wp-json/tribe/events/v1/events";

async fn event(school: &School, id: &Value) -> Answer {
    school.hall.anonymous().get(&format!("{EVENTS}/{id}")).await
}

async fn read(school: &School, id: &Value) -> Value {
    let answer = event(school, id).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// A time as the calendar writes it.
fn told(time: &Value) -> String {
    time.as_str().unwrap()[..19].replace('T', " ")
}

#[tokio::test]
async fn the_event_is_told_on_the_clocks_of_the_school() {
    let school = School::open().await;
    let of_utc = school.sitting(600, json!({ "publish": true })).await;
    assert_eq!(read(&school, &of_utc["eventId"]).await["timezone"], "UTC");
    let zone = json!({ "timeZone": "Asia/Ho_Chi_Minh" });
    assert_eq!(send(&school.admin, Method::PATCH, "/api/admin/school", &zone).await.status, 200);
    let starts_at = json!(school.at(700));
    assert_eq!(school.patch(&of_utc, json!({ "startsAt": starts_at })).await.status, 200);
    for sitting in [school.sitting(600, json!({ "publish": true })).await, of_utc] {
        let event = read(&school, &sitting["eventId"]).await;
        let start = time_of(&school.read(&sitting).await["startsAt"]);
        assert_eq!(event["timezone"], "Asia/Ho_Chi_Minh");
        assert_eq!(event["utc_start_date"], told(&json!(super::time(start))));
        assert_eq!(event["start_date"], told(&json!(super::time(start + TimeDelta::hours(7)))));
    }
}

#[tokio::test]
async fn a_published_sitting_keeps_its_event() {
    let school = School::open().await;
    assert_eq!(school.sitting(500, json!({})).await["eventId"], Value::Null);
    let rooms = json!([{ "name": "B12" }, { "name": "Aula" }]);
    let sitting = school.sitting(600, json!({ "name": "Finals & more", "publish": true, "rooms": rooms })).await;
    assert_eq!(sitting["publish"], true);
    let id = sitting["eventId"].clone();
    let first = read(&school, &id).await;
    assert_eq!(first["exam"], json!({ "sittingId": sitting["id"] }));
    let page = format!("http://exam.localhost/s/{}", sitting["id"].as_str().unwrap());
    assert_eq!((&first["website"], &first["status"]), (&json!(page), &json!("publish")));
    assert_eq!(first["title"], "Finals &#038; more");
    assert_eq!(first["utc_start_date"], told(&sitting["startsAt"]));
    let end = time_of(&sitting["startsAt"]) + TimeDelta::minutes(45);
    assert_eq!(first["utc_end_date"], told(&json!(super::time(end))), "as long as the test takes");
    assert_eq!(first["venue"]["venue"], "Aula, B12");
    // What others add in the calendar stays; name, times and rooms are the sitting's.
    let described = json!({ "description": "Bring a ruler.", "title": "Something else" });
    assert_eq!(send(&school.admin, Method::PATCH, &format!("{EVENTS}/{id}"), &described).await.status, 200);
    let (start, end) = (json!(school.at(700)), json!(school.at(790)));
    let changed = school.patch(&sitting, json!({ "name": "Finals", "startsAt": start, "endsAt": end })).await;
    assert_eq!((changed.status, &changed.json()["sitting"]["eventId"]), (200, &id), "{}", changed.text());
    let second = read(&school, &id).await;
    assert_eq!(second["title"], "Finals");
    assert!(second["description"].as_str().unwrap().contains("ruler"));
    assert_eq!(second["utc_start_date"], told(&start));
    assert_eq!(second["utc_end_date"], told(&end));
    assert_eq!(second["venue"]["id"], first["venue"]["id"]);
    // A change that is refused changes neither.
    school
        .patch(&sitting, json!({ "name": "Never", "endsAt": school.at(1) }))
        .await
        .assert_error(400, "Invalid endsAt");
    let outdated = school.admin.request(Method::PATCH, &path(&sitting)).header("if-match", "\"1\"");
    Answer::to(outdated.json(&json!({ "name": "Never" }))).await.assert_error(412, "Sitting has changed");
    assert_eq!(read(&school, &id).await["title"], "Finals");
    // A list that brings another room.
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada Lovelace", "room": "Gym" }])).await;
    assert_eq!(read(&school, &id).await["venue"]["venue"], "Aula, B12, Gym");
    nothing_is_told(&school, &sitting, &id).await;
}

/// Neither a question nor a code nor a candidate, in any form of the event.
async fn nothing_is_told(school: &School, sitting: &Value, id: &Value) {
    let codes = access_codes(school, sitting).await;
    let sealed = school.admin.get(&format!("/api/admin/test-templates/{}", school.template)).await.json();
    let mut secrets: Vec<String> = codes.into_iter().flat_map(|(name, code)| [name, code]).collect();
    secrets.push(sitting["code"].as_str().unwrap().to_owned());
    secrets.push(school.template.clone());
    for question in sealed["template"]["standardQuestions"].as_array().unwrap() {
        secrets.extend(["id", "question"].map(|name| question[name].to_string().trim_matches('"').to_owned()));
    }
    assert!(secrets.len() > 20);
    for road in [format!("/{id}"), format!("/{id}?ical=1"), String::new(), "?ical=1".to_owned()] {
        let given = school.hall.anonymous().get(&format!("{EVENTS}{road}")).await;
        assert_eq!(given.status, 200, "{}", given.text());
        let text = given.text().replace("\r\n ", "");
        assert!(text.contains("Finals") && text.contains(sitting["id"].as_str().unwrap()), "{road}: {text}");
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{road} tells {secret}: {text}");
        }
    }
    let file = school.hall.anonymous().get(&format!("{EVENTS}/{id}?ical=1")).await.text();
    let page = format!("URL:http://exam.localhost/s/{}", sitting["id"].as_str().unwrap());
    assert!(file.contains("SUMMARY:Finals\r\n") && file.replace("\r\n ", "").contains(&page), "{file}");
}

#[tokio::test]
async fn the_event_goes_with_its_sitting_and_comes_back() {
    let school = School::open().await;
    let sitting = school.sitting(600, json!({ "publish": true })).await;
    let id = sitting["eventId"].clone();
    let off = school.patch(&sitting, json!({ "publish": false })).await.json()["sitting"].clone();
    assert_eq!((&off["publish"], &off["eventId"]), (&json!(false), &Value::Null));
    let gone = event(&school, &id).await;
    assert_eq!((gone.status, &gone.json()["code"]), (403, &json!("event-no-longer-available")));
    school.patch(&sitting, json!({ "name": "Still hidden" })).await;
    assert_eq!(event(&school, &id).await.status, 403);
    let on = school.patch(&sitting, json!({ "publish": true })).await.json()["sitting"].clone();
    assert_eq!(on["eventId"], id, "calendars know it by its number");
    assert_eq!(read(&school, &id).await["title"], "Still hidden");
    // Whoever moves it to the trash in the calendar means it, until the sitting says otherwise.
    assert_eq!(delete(&school.admin, &format!("{EVENTS}/{id}")).await.status, 200);
    assert_eq!(school.patch(&sitting, json!({ "name": "Finals" })).await.status, 200);
    assert_eq!(event(&school, &id).await.status, 403);
    assert_eq!(school.patch(&sitting, json!({ "publish": true })).await.status, 200);
    assert_eq!(read(&school, &id).await["title"], "Finals");
    let make_up = send(&school.admin, Method::POST, &format!("{}/make-up", path(&sitting)), &json!({})).await;
    make_up.assert_error(409, "Sitting has no absent candidates");
    assert_eq!(delete(&school.admin, &path(&sitting)).await.status, 200);
    assert_eq!(event(&school, &id).await.status, 403);
    for wrong in [json!("yes"), json!(1)] {
        let body = json!({ "name": "F", "templateId": school.template, "startsAt": school.at(9), "publish": wrong });
        school.admin.post_json(super::PATH, &body).await.assert_error(400, "Invalid publish");
    }
}

#[tokio::test]
async fn the_document_names_the_event() {
    let school = School::open().await;
    let document = school.hall.anonymous().get("/api/openapi.json").await.json();
    let of = |name: &str| document["components"]["schemas"][name]["properties"].clone();
    assert_eq!(of("Sitting")["publish"]["type"], "boolean");
    assert!(of("Sitting")["eventId"].is_object());
    assert!(of("NewSitting")["publish"].is_object() && of("SittingChange")["publish"].is_object());
}
