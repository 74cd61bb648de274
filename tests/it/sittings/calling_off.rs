//! A sitting that is called off after its doors have opened.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use super::{School, delete, path, send};
use crate::hall::{Receiver, eventually};

#[tokio::test]
async fn nobody_begins_one_that_was_called_off() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let sitting = school.sitting(60, json!({ "webhookUrl": receiver.url(), "publish": true })).await;
    let event = format!("/wp-json/tribe/events/v1/events/{}", sitting["eventId"]);
    let roster = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
    school.enrol(&sitting, roster).await;
    school.advance(40);
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    let bank = async || school.hall.bank(5).await.questions.len();
    let before = bank().await;
    assert_eq!(delete(&school.admin, &path(&sitting)).await.status, 200);
    let off = school.read(&sitting).await;
    assert_eq!((&off["state"], &off["publish"]), (&json!("ended"), &json!(false)));
    assert_eq!(school.hall.anonymous().get(&event).await.status, 403);
    assert!(bank().await > before, "its questions are free");
    let template = format!("/api/admin/test-templates/{}", school.template);
    assert_eq!(send(&school.admin, Method::PUT, &template, &json!({ "name": "Another" })).await.status, 200);
    let waiting = student.socket().until("waiting").await;
    assert_eq!(waiting["start"], "proctor", "the page counts down no longer");
    school.advance(25);
    // Past its time: whoever waits goes on waiting, and the record of them stays.
    eventually("the roster says so", async || {
        let ada = school.candidate(&sitting, "Ada").await;
        Some(()).filter(|()| ada["state"] == "waiting" && ada["sessionId"].is_string())
    })
    .await;
    let path_of = format!("{}/begin", path(&sitting));
    let begun = crate::hall::Answer::to(school.admin.request(Method::POST, &path_of)).await;
    assert_eq!(begun.status, 409, "{}", begun.text());
    school.advance(120);
    student.socket().expect_silence(Duration::from_millis(1_500)).await;
    assert_eq!(receiver.calls().len(), 0);
    let make_up = format!("{}/make-up", path(&sitting));
    let again = send(&school.admin, Method::POST, &make_up, &json!({ "start": "clock" })).await;
    assert_eq!(again.status, 200, "{}", again.text());
    let names: Vec<_> =
        school.candidates(&again.json()["sitting"]).await.iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["Ada", "Bo"]);
}

#[tokio::test]
async fn one_that_nobody_has_entered_is_removed_and_one_that_begins_is_not() {
    let school = School::open().await;
    let empty = school.sitting(60, json!({})).await;
    let full = school.sitting(60, json!({})).await;
    for sitting in [&empty, &full] {
        school.enrol(sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    }
    school.advance(40);
    school.enrol(&empty, json!([{ "email": "bo@exam.test" }])).await;
    assert_eq!(school.read(&empty).await["state"], "open");
    assert_eq!(delete(&school.admin, &path(&empty)).await.status, 200);
    school.admin.get(&path(&empty)).await.assert_error(404, "Not found");
    let ada = school.candidate(&full, "Ada").await;
    school.enter(&full, &ada).await;
    school.hall.clock.advance(Duration::from_secs(20 * 60 - 3));
    delete(&school.admin, &path(&full)).await.assert_error(409, "Sitting has candidates at work");
    school.advance(1);
    delete(&school.admin, &path(&full)).await.assert_error(409, "Sitting has candidates at work");
}
