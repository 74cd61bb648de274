//! Single candidates, and what holds for each of them.

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, candidate_path, delete, path, send};
use crate::hall::{Answer, time_of};

async fn add(school: &School, sitting: &Value, fields: Value) -> Answer {
    school.admin.post_json(&format!("{}/candidates", path(sitting)), &fields).await
}

async fn change(school: &School, sitting: &Value, candidate: &Value, fields: Value) -> Answer {
    send(&school.admin, Method::PATCH, &candidate_path(sitting, candidate), &fields).await
}

async fn added(school: &School, sitting: &Value, fields: Value) -> Value {
    let answer = add(school, sitting, fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["candidate"].clone()
}

#[tokio::test]
async fn someone_who_comes_unannounced_is_added_also_while_the_sitting_runs() {
    let school = School::open().await;
    let sitting = school.sitting(-5, json!({})).await;
    let ada = added(&school, &sitting, json!({ "email": "Ada@exam.test", "room": "B12" })).await;
    assert_eq!(
        (&ada["email"], &ada["name"], &ada["room"]),
        (&json!("ada@exam.test"), &json!("ada@exam.test"), &json!("B12"))
    );
    assert_eq!(school.candidates(&sitting).await, std::slice::from_ref(&ada));
    let again = add(&school, &sitting, json!({ "email": "ADA@exam.test" })).await;
    again.assert_error(409, "Candidate is on the roster already");
    let moment = school.at(5);
    for (fields, name) in [
        (json!({}), "email"),
        (json!({ "email": "nobody" }), "email"),
        (json!({ "email": "x@exam.test", "factor": 401 }), "factor"),
        (json!({ "email": "x@exam.test", "extraMinutes": 1.5 }), "extraMinutes"),
        (json!({ "email": "x@exam.test", "startsAt": "9:00" }), "startsAt"),
        (json!({ "email": "x@exam.test", "startsAt": moment, "endsAt": moment }), "endsAt"),
        (json!({ "email": "x@exam.test", "room": "" }), "room"),
    ] {
        add(&school, &sitting, fields).await.assert_error(400, &format!("Invalid {name}"));
    }
}

#[tokio::test]
async fn a_candidate_is_changed_and_cleared() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let ada = added(&school, &sitting, json!({ "email": "ada@exam.test", "externalId": "7", "name": "Ada" })).await;
    added(&school, &sitting, json!({ "email": "bo@exam.test" })).await;
    let own = json!({ "factor": 150, "extraMinutes": 5, "startsAt": school.at(30), "seat": "4", "room": "B13", "note": "alone" });
    let changed = change(&school, &sitting, &ada, own.clone()).await.json()["candidate"].clone();
    for (name, value) in own.as_object().unwrap() {
        assert_eq!(changed[name], *value, "{name}");
    }
    let cleared =
        json!({ "factor": null, "startsAt": null, "seat": null, "room": null, "note": "", "externalId": null });
    let cleared = change(&school, &sitting, &ada, cleared).await.json()["candidate"].clone();
    let mut expected = ada.clone();
    expected["extraMinutes"] = json!(5);
    expected.as_object_mut().unwrap().remove("externalId");
    assert_eq!(cleared, expected);
    change(&school, &sitting, &ada, json!({ "email": "bo@exam.test" }))
        .await
        .assert_error(409, "Candidate is on the roster already");
    change(&school, &sitting, &ada, json!({ "email": null })).await.assert_error(400, "Invalid email");
    let request = school.admin.request(Method::PATCH, &candidate_path(&sitting, &ada)).header("if-match", "\"1\"");
    Answer::to(request.json(&json!({ "seat": "9" }))).await.assert_error(412, "Sitting has changed");
}

#[tokio::test]
async fn nobody_is_removed_who_has_entered_or_whose_time_counts() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({})).await;
    let ada = added(&school, &sitting, json!({ "email": "ada@exam.test" })).await;
    let bo = added(&school, &sitting, json!({ "email": "bo@exam.test" })).await;
    let cy = added(&school, &sitting, json!({ "email": "cy@exam.test" })).await;
    school.enter(&sitting, &ada).await;
    delete(&school.admin, &candidate_path(&sitting, &ada)).await.assert_error(409, "Candidate has entered");
    assert_eq!(delete(&school.admin, &candidate_path(&sitting, &cy)).await.status, 200);
    delete(&school.admin, &candidate_path(&sitting, &cy)).await.assert_error(404, "Not found");
    change(&school, &sitting, &ada, json!({ "email": "other@exam.test" }))
        .await
        .assert_error(409, "Candidate has entered");
    school.advance(21);
    delete(&school.admin, &candidate_path(&sitting, &bo)).await.assert_error(409, "Sitting has begun");
    change(&school, &sitting, &ada, json!({ "startsAt": school.at(60) })).await.assert_error(409, "Sitting has begun");
    let more = change(&school, &sitting, &ada, json!({ "extraMinutes": 10, "room": "B13" })).await;
    assert_eq!(more.status, 200, "time is added and people are moved while they are at work: {}", more.text());
}

#[tokio::test]
async fn a_candidate_is_removed_from_the_version_that_is_meant() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let ada = added(&school, &sitting, json!({ "email": "ada@exam.test" })).await;
    let remove = async |version: &Value| {
        let request = school.admin.request(Method::DELETE, &candidate_path(&sitting, &ada));
        Answer::to(request.header("if-match", format!("\"{version}\""))).await
    };
    remove(&json!(1)).await.assert_error(412, "Sitting has changed");
    assert_eq!(school.candidates(&sitting).await.len(), 1);
    let version = school.read(&sitting).await["version"].clone();
    assert_eq!(remove(&version).await.status, 200);
    assert!(school.candidates(&sitting).await.is_empty());
}

#[tokio::test]
async fn nobody_is_removed_from_a_sitting_that_was_called_off() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let ada = added(&school, &sitting, json!({ "email": "ada@exam.test" })).await;
    let bo = added(&school, &sitting, json!({ "email": "bo@exam.test" })).await;
    school.advance(40);
    school.enter(&sitting, &ada).await;
    assert_eq!(delete(&school.admin, &path(&sitting)).await.status, 200);
    delete(&school.admin, &candidate_path(&sitting, &bo)).await.assert_error(409, "Sitting has ended");
    assert_eq!(school.candidates(&sitting).await.len(), 2, "the record of it stays");
}

#[tokio::test]
async fn a_removal_opens_doors_that_are_due() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    let needs = async |factor: u32| {
        let body = json!({ "factor": factor });
        let put = send(&school.admin, Method::PUT, "/api/admin/accommodations/ada%40exam.test", &body).await;
        assert_eq!(put.status, 200, "{}", put.text());
    };
    needs(150).await;
    let ada = added(&school, &sitting, json!({ "email": "ada@exam.test" })).await;
    let bo = added(&school, &sitting, json!({ "email": "bo@exam.test" })).await;
    school.advance(40);
    assert_eq!(school.read(&sitting).await["openedAt"], Value::Null, "nobody has come");
    assert_eq!(delete(&school.admin, &candidate_path(&sitting, &bo)).await.status, 200);
    assert_ne!(school.read(&sitting).await["openedAt"], Value::Null);
    needs(200).await;
    assert_eq!(school.explain(&sitting, &ada).await["factor"]["value"], 150, "a copy, made when the doors opened");
}

#[tokio::test]
async fn every_value_says_where_it_comes_from() {
    let school = School::open().await;
    let rooms = json!([{ "name": "B12", "extraMinutes": 5, "startsAt": school.at(70) }]);
    let ends_at = school.at(120);
    let sitting = school.sitting(60, json!({ "rooms": rooms, "endsAt": ends_at })).await;
    let accommodation = json!({ "factor": 120, "extraMinutes": 0 });
    let put = send(&school.admin, Method::PUT, "/api/admin/accommodations/ada%40exam.test", &accommodation).await;
    assert_eq!(put.status, 200, "{}", put.text());
    let ada = added(&school, &sitting, json!({ "email": "ada@exam.test", "room": "B12" })).await;
    let bo = added(&school, &sitting, json!({ "email": "bo@exam.test", "room": "B12", "factor": 200 })).await;
    let cy = added(&school, &sitting, json!({ "email": "cy@exam.test", "endsAt": school.at(80) })).await;
    let of = |value: Value, source: &str| json!({ "value": value, "source": source });
    let explained = school.explain(&sitting, &ada).await;
    for (name, expected) in [
        ("start", of(json!(school.at(70)), "room")),
        ("begin", of(json!(school.at(70)), "room")),
        ("minutes", of(json!(45), "template")),
        ("factor", of(json!(120), "accommodation")),
        ("extra", of(json!(0), "accommodation")),
        ("end", of(json!(ends_at), "sitting")),
        // 54 minutes from minute 70; the hard end at 120 has moved to 129.
        ("deadline", of(json!(school.at(124)), "room")),
    ] {
        if expected["value"].is_number() {
            assert_eq!(explained[name], expected, "{name}");
        } else {
            let difference =
                (time_of(&explained[name]["value"]) - time_of(&expected["value"])).num_milliseconds().abs();
            assert!(difference < 10_000 && explained[name]["source"] == expected["source"], "{name}: {explained}");
        }
    }
    let explained = school.explain(&sitting, &bo).await;
    assert_eq!((&explained["factor"]["source"], &explained["extra"]), (&json!("candidate"), &of(json!(5), "room")));
    let explained = school.explain(&sitting, &cy).await;
    assert_eq!(
        (&explained["deadline"]["source"], &explained["deadline"]["value"]),
        (&json!("candidate"), &cy["endsAt"])
    );
    let unknown = format!("{}/candidates/{}/explain", path(&sitting), sitting["id"].as_str().unwrap());
    school.admin.get(&unknown).await.assert_error(404, "Not found");
}

#[tokio::test]
async fn extensions_and_pauses_are_part_of_the_deadline() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({ "start": "proctor", "endsAt": school.at(40) })).await;
    let ada = added(&school, &sitting, json!({ "email": "ada@exam.test" })).await;
    assert_eq!(school.explain(&sitting, &ada).await["deadline"], Value::Null, "nobody has begun it");
    let begun =
        school.admin.post_json(&format!("{}/begin", path(&sitting)), &json!({})).await.json()["sitting"].clone();
    let mut student = school.enter(&sitting, &ada).await;
    let before = time_of(&school.explain(&sitting, &ada).await["deadline"]["value"]);
    let orders = format!("/api/live/sessions/{}/orders", student.session_id);
    let order = async |order: Value| {
        let answer = school.admin.post_json(&orders, &order).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    order(json!({ "id": "1", "type": "pause" })).await;
    student.socket().until("paused").await;
    assert_eq!(school.candidate(&sitting, "ada@exam.test").await["state"], "paused");
    school.advance(7);
    order(json!({ "id": "2", "type": "unpause" })).await;
    order(json!({ "id": "3", "type": "extend", "minutes": 10 })).await;
    let explained = school.explain(&sitting, &ada).await;
    let paused = explained["pausedMilliseconds"].as_i64().unwrap();
    assert!((420_000..430_000).contains(&paused), "{explained}");
    assert_eq!((&explained["extendedMinutes"], &begun["state"]), (&json!(10), &json!("running")));
    // The hard end, which is the sitting's, moves with both.
    let after = time_of(&explained["deadline"]["value"]);
    assert_eq!((after - before).num_milliseconds(), paused + 600_000);
    assert_eq!(explained["deadline"]["source"], "sitting");
    assert_eq!(school.candidate(&sitting, "ada@exam.test").await["state"], "active");
}
