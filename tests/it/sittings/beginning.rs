//! The beginning, the release, and a second sitting for those who missed the first.

use reqwest::Method;
use serde_json::{Value, json};

use super::{PATH, School, path};
use crate::hall::{Answer, time_of};

async fn post(school: &School, sitting: &Value, what: &str) -> Answer {
    Answer::to(school.admin.request(Method::POST, &format!("{}/{what}", path(sitting)))).await
}

#[tokio::test]
async fn the_first_beginning_holds() {
    let school = School::open().await;
    let sitting = school.sitting(40, json!({ "start": "proctor" })).await;
    let begin = |version: &'static str| {
        Answer::to(school.admin.request(Method::POST, &format!("{}/begin", path(&sitting))).header("if-match", version))
    };
    begin("\"7\"").await.assert_error(412, "Sitting has changed");
    assert_eq!(school.read(&sitting).await["begunAt"], Value::Null);
    let answers = futures_util::future::join_all((0..8).map(|_| begin("\"1\""))).await;
    let first = answers[0].json()["sitting"].clone();
    assert_eq!(
        (&first["state"], &first["version"], first["openedAt"].is_string()),
        (&json!("running"), &json!(2), true)
    );
    for answer in answers {
        assert_eq!(
            (answer.status, &answer.json()["sitting"]["begunAt"]),
            (200, &first["begunAt"]),
            "{}",
            answer.text()
        );
    }
    school.advance(5);
    assert_eq!(begin("\"1\"").await.json()["sitting"]["begunAt"], first["begunAt"]);
}

#[tokio::test]
async fn what_the_clock_has_begun_is_not_begun_again() {
    let school = School::open().await;
    let sitting = school.sitting(1, json!({})).await;
    school.advance(5);
    assert_eq!(school.read(&sitting).await["state"], "running");
    let begun = post(&school, &sitting, "begin").await.json()["sitting"].clone();
    assert_eq!(begun["begunAt"], sitting["startsAt"]);
    let early = school.sitting(60, json!({})).await;
    let begun = post(&school, &early, "begin").await.json()["sitting"].clone();
    assert_eq!(begun["state"], "running");
    assert!(time_of(&begun["begunAt"]) < time_of(&early["startsAt"]));
}

#[tokio::test]
async fn a_release_shows_all_results_once_nobody_is_at_work() {
    let school = School::open().await;
    let sitting = school.sitting(1, json!({})).await;
    school
        .enrol(
            &sitting,
            json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]),
        )
        .await;
    post(&school, &sitting, "release").await.assert_error(409, "Sitting has not begun");
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    school.advance(2);
    post(&school, &sitting, "release").await.assert_error(409, "Sitting has candidates at work");
    student.begin().await;
    student.submit().await;
    let dry = post(&school, &sitting, "release?dryRun=true").await.json();
    assert_eq!((&dry["reaches"], &dry["sitting"]["releasedAt"]), (&json!(1), &Value::Null));
    let done = post(&school, &sitting, "release?force=true").await.json();
    assert_eq!((&done["reaches"], &done["sitting"]["state"]), (&json!(1), &json!("ended")));
    assert_eq!((&done["sitting"]["released"], &done["sitting"]["counts"]["absent"]), (&json!(true), &json!(1)));
    school.advance(5);
    assert_eq!(post(&school, &sitting, "release").await.json(), done, "a repeat changes nothing");
    let late =
        school.admin.post_json(&format!("{}/candidates", path(&sitting)), &json!({ "email": "cy@exam.test" })).await;
    late.assert_error(409, "Sitting has ended");
    let list = format!("{}/candidates", path(&sitting));
    super::send(&school.admin, Method::PUT, &list, &json!([])).await.assert_error(409, "Sitting has ended");
}

#[tokio::test]
async fn those_who_were_absent_get_a_second_sitting() {
    let school = School::open().await;
    let starts_at = school.at(10);
    let rooms = json!([{ "name": "B12", "proctors": ["p@exam.test"], "endsAt": school.at(90) }]);
    let sitting =
        school.sitting(10, json!({ "startsAt": starts_at, "rooms": rooms, "entryUntil": school.at(20) })).await;
    school
        .enrol(
            &sitting,
            json!([
                { "email": "ada@exam.test", "name": "Ada" },
                { "email": "bo@exam.test", "name": "Bo", "room": "B12", "seat": "2", "factor": 150, "startsAt": school.at(15) },
            ]),
        )
        .await;
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    school.advance(11);
    student.begin().await;
    student.submit().await;
    post(&school, &sitting, "make-up").await.assert_error(409, "Sitting has no absent candidates");
    school.advance(10 * 24 * 60);
    let second = post(&school, &sitting, "make-up").await;
    assert_eq!(second.status, 200, "{}", second.text());
    let second = second.json()["sitting"].clone();
    let weeks = time_of(&second["startsAt"]) - time_of(&sitting["startsAt"]);
    assert_eq!((weeks.num_milliseconds(), &second["state"]), (14 * 24 * 3_600_000, &json!("draft")));
    assert_eq!(
        (&second["name"], &second["rooms"][0]["proctors"]),
        (&json!("Finals (make-up)"), &json!(["p@exam.test"]))
    );
    assert_ne!((&second["code"], &second["rooms"][0]["id"]), (&sitting["code"], &sitting["rooms"][0]["id"]));
    assert_eq!((time_of(&second["entryUntil"]) - time_of(&sitting["entryUntil"])), weeks);
    let bo = &school.candidates(&second).await[0];
    assert_eq!(
        (&bo["name"], &bo["room"], &bo["seat"], &bo["factor"]),
        (&json!("Bo"), &json!("B12"), &json!("2"), &json!(150))
    );
    assert_eq!(school.candidates(&second).await.len(), 1);
    let named = json!({ "candidates": [ada["id"]], "name": "Again", "startsAt": school.at(60) });
    let third = school.admin.post_json(&format!("{}/make-up", path(&sitting)), &named).await.json()["sitting"].clone();
    assert_eq!((&third["name"], school.candidates(&third).await[0]["name"].clone()), (&json!("Again"), json!("Ada")));
    for unknown in [json!([]), json!([sitting["id"]]), json!("all")] {
        let answer =
            school.admin.post_json(&format!("{}/make-up", path(&sitting)), &json!({ "candidates": unknown })).await;
        answer.assert_error(400, "Invalid candidates");
    }
    assert_eq!(school.admin.get(PATH).await.json()["sittings"].as_array().unwrap().len(), 3);
}
