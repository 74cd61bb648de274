//! Finished tests that others keep here.

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Service, session, with, without};

#[tokio::test]
async fn a_session_comes_back_as_it_was_put() {
    let service = Service::open().await;
    let id = Uuid::new_v4().to_string();
    let path = format!("/sessions/{id}");
    service.get(&path).await.assert_error(404, "Session not found");
    service.put(&path, &session(&id)).await.assert_done();
    service.put(&path, &session(&id)).await.assert_done();
    let answer = service.get(&path).await;
    assert_eq!(answer.json(), session(&id));
    assert_eq!((answer.header("cache-control"), answer.header("x-robots-tag")), ("no-store", "noindex"));
    assert_eq!(
        service.hall.anonymous().get(&format!("/api/sessions/{id}")).await.json(),
        without(&session(&id), "account"),
        "it is one of this service's own"
    );
    let replaced = with(&with(&session(&id), "webhookSent", json!(true)), "grade", json!(6));
    service.put(&path, &replaced).await.assert_done();
    assert_eq!(service.read(&path).await, replaced);
    let without_drawings = without(&replaced, "drawings");
    service.put(&path, &without_drawings).await.assert_done();
    assert_eq!(service.read(&path).await, without_drawings);
}

#[tokio::test]
async fn what_may_be_missing_may_be_missing() {
    let service = Service::open().await;
    let id = Uuid::new_v4().to_string();
    let mut small = session(&id);
    let optional = [
        "sessionId",
        "annotations",
        "drawings",
        "verified",
        "origin",
        "account",
        "webhookSent",
        "reportUrl",
        "version",
    ];
    for field in optional.into_iter().chain(["timestamp"]) {
        small.as_object_mut().unwrap().remove(field);
    }
    small["more"] = json!({ "unknown": [1, 2, 3] });
    service.put(&format!("/sessions/{id}"), &small).await.assert_done();
    let stored = service.read(&format!("/sessions/{id}")).await;
    assert_eq!(
        (&stored["sessionId"], &stored["annotations"], &stored["verified"]),
        (&json!(id), &json!({}), &json!(false))
    );
    assert_eq!((&stored["origin"], stored.get("account")), (&json!("client"), Some(&Value::Null)));
    assert_eq!((&stored["timestamp"], &stored["version"]), (&json!("2026-03-02T10:00:00.000Z"), &json!(1)));
    // Some languages write an empty object as an empty list, and topics are as long as those of questions.
    small["annotations"] = json!([]);
    // Nor does what is no address cost a student the result.
    for account in ["", "nobody"] {
        small["account"] = json!(account);
        service.put(&format!("/sessions/{id}"), &small).await.assert_done();
        assert_eq!(service.read(&format!("/sessions/{id}")).await.get("account"), Some(&Value::Null), "{account}");
    }
    small["drawings"] = json!([]);
    small["result"]["topicBreakdown"] =
        json!([{ "topic": "long ".repeat(1_000), "correct": 0, "total": 1, "percentage": 0 }]);
    service.put(&format!("/sessions/{id}"), &small).await.assert_done();
    let stored = service.read(&format!("/sessions/{id}")).await;
    assert_eq!((&stored["annotations"], stored.get("drawings")), (&json!({}), None));
    assert_eq!(stored["result"]["topicBreakdown"], small["result"]["topicBreakdown"]);
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused() {
    let service = Service::open().await;
    let id = Uuid::new_v4().to_string();
    let good = session(&id);
    let path = format!("/sessions/{id}");
    let mut deep = json!(1);
    for _ in 0..40 {
        deep = json!([deep]);
    }
    let wrong: Vec<(&str, Value)> = vec![
        ("sessionId", json!(Uuid::new_v4())),
        ("sessionId", json!("seven")),
        ("sessionId", json!(7)),
        ("grade", json!(11)),
        ("startedAt", json!("then")),
        ("reportUrl", json!("https://exam.example/\u{0}")),
        ("reportUrl", json!("x".repeat(5_000))),
        ("annotations", json!({ "a": "\u{0}" })),
        ("annotations", json!({ "a": deep })),
        ("annotations", json!([1])),
        ("annotations", json!({ "a": "x".repeat(70_000) })),
        ("drawings", json!({ "q": deep })),
        ("drawings", json!({ "q": 7 })),
        ("result", json!({})),
        ("verified", json!("yes")),
        ("origin", json!("lms")),
        ("account", json!(7)),
    ];
    for (field, value) in wrong {
        let expected = if field == "sessionId" { "Invalid sessionId" } else { "Invalid session" };
        service.put(&path, &with(&good, field, value)).await.assert_error(400, expected);
    }
    for field in ["grade", "startedAt", "result"] {
        service.put(&path, &without(&good, field)).await.assert_error(400, "Invalid session");
    }
    service.put(&path, &json!([good])).await.assert_error(400, "Invalid body");
    service.put("/sessions/seven", &good).await.assert_error(400, "Invalid sessionId");
    for unknown in ["seven", "%00", &id] {
        service.get(&format!("/sessions/{unknown}")).await.assert_error(404, "Session not found");
    }
}

#[tokio::test]
async fn a_version_replaces_earlier_ones_alone() {
    let service = Service::open().await;
    let id = Uuid::new_v4().to_string();
    let path = format!("/sessions/{id}");
    let first = session(&id);
    let mut second = with(&with(&first, "version", json!(2)), "reason", json!("key_corrected"));
    second["previous"] = json!({ "version": 1, "score": 500 });
    second["result"]["score"] = json!(640);
    for (put, stored) in [(&first, &first), (&second, &second), (&first, &second), (&second, &second)] {
        service.put(&path, put).await.assert_done();
        assert_eq!(service.read(&path).await, *stored);
    }
    let admin = service.hall.signed_in("admin").await;
    let listed = admin.get(&format!("/api/sessions/{id}/versions")).await.json();
    let scores: Vec<&Value> = listed["versions"].as_array().unwrap().iter().map(|one| &one["score"]).collect();
    assert_eq!(scores, [&json!(500), &json!(640)], "the earlier one is kept");
    let times: Vec<&Value> = listed["versions"].as_array().unwrap().iter().map(|one| &one["at"]).collect();
    assert_eq!(times, [&first["completedAt"], &Value::Null], "the other service does not say when it was changed");
    // Fields of these names that mean something else cost nobody a result.
    for (field, value) in [("version", json!("2b")), ("reason", json!({})), ("previous", json!(7))] {
        let other = Uuid::new_v4().to_string();
        let strange = with(&session(&other), field, value);
        service.put(&format!("/sessions/{other}"), &strange).await.assert_done();
        assert_eq!(service.read(&format!("/sessions/{other}")).await, session(&other), "{field}");
    }
}

#[tokio::test]
async fn the_form_and_the_order_of_options_come_back() {
    let service = Service::open().await;
    let id = Uuid::new_v4().to_string();
    let path = format!("/sessions/{id}");
    let question = session(&id)["result"]["answers"][0]["questionId"].as_str().unwrap().to_owned();
    let in_form = with(&with(&session(&id), "form", json!("B")), "optionOrder", json!({ (question): "CADB" }));
    service.put(&path, &in_form).await.assert_done();
    assert_eq!(service.read(&path).await, in_form);
    let shown = service.hall.anonymous().get(&format!("/api/sessions/{id}")).await.json();
    assert_eq!(shown["result"]["answers"], in_form["result"]["answers"], "letters are those of the bank");
    let admin = service.hall.signed_in("admin").await;
    let results = admin.get("/api/manager/results?grade=5").await.json();
    let row = &results["rows"][0];
    assert_eq!((&row["form"], &row["optionOrder"]), (&in_form["form"], &in_form["optionOrder"]), "{results}");
    // An older server that sends the test again does not know the fields.
    service.put(&path, &with(&session(&id), "webhookSent", json!(true))).await.assert_done();
    assert_eq!(service.read(&path).await, with(&in_form, "webhookSent", json!(true)));
    // Fields of these names that mean something else cost nobody a result.
    for (field, value) in [("form", json!(7)), ("form", json!("Z")), ("optionOrder", json!(["B"]))] {
        let other = Uuid::new_v4().to_string();
        let strange = with(&session(&other), field, value);
        service.put(&format!("/sessions/{other}"), &strange).await.assert_done();
        assert_eq!(service.read(&format!("/sessions/{other}")).await, session(&other), "{field}");
    }
}

#[tokio::test]
async fn of_two_at_once_one_is_there() {
    let service = Service::open().await;
    for _ in 0..5 {
        let id = Uuid::new_v4().to_string();
        let path = format!("/sessions/{id}");
        let both: Vec<Value> = (1..=10).map(|grade| with(&session(&id), "grade", json!(grade))).collect();
        for answer in join_all(both.iter().map(|session| service.put(&path, session))).await {
            answer.assert_done();
        }
        let stored = service.read(&path).await;
        assert!(both.contains(&stored), "{stored}");
    }
}

#[tokio::test]
async fn a_test_graded_here_stays_graded_here() {
    let service = Service::open().await;
    let admin = service.hall.signed_in("admin").await;
    let mut candidate = service.hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    candidate.submit().await;
    let id = candidate.session_id.clone();
    let stored = service.read(&format!("/sessions/{id}")).await;
    assert_eq!((&stored["verified"], &stored["origin"]), (&json!(true), &json!("live")));
    // An older server does not know where the test comes from.
    let sent = without(&without(&stored, "origin"), "account");
    service.put(&format!("/sessions/{id}"), &with(&sent, "webhookSent", json!(true))).await.assert_done();
    assert_eq!(service.read(&format!("/sessions/{id}")).await, with(&stored, "webhookSent", json!(true)));
    let items = admin.get("/api/admin/items?grade=5").await.json();
    let item = items["items"].as_array().unwrap().iter().find(|item| item["questionId"] == question.as_str()).cloned();
    assert_eq!(item.unwrap()["attempts"], 1, "the statistics still count it");
    let other = with(&stored, "result", session(&id)["result"].clone());
    service.put(&format!("/sessions/{id}"), &other).await.assert_done();
    assert_eq!(
        service.read(&format!("/sessions/{id}")).await["result"],
        other["result"],
        "other answers have other keys"
    );
}
