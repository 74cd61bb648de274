//! `GET /api/sessions`: the list for admins.

use std::collections::BTreeSet;

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use super::{create, honest};
use crate::hall::{Hall, time_of};

const MANY: usize = 2_500;

#[tokio::test]
async fn only_admins_see_the_list() {
    let hall = Hall::open().await;
    let mut callers = vec![hall.anonymous(), hall.bearer("forged"), hall.bearer("")];
    for role in ["student", "reviewer", "manager"] {
        callers.push(hall.signed_in(role).await);
    }
    for caller in callers {
        caller.get("/api/sessions").await.assert_error(401, "Unauthorized");
    }
    assert_eq!(hall.signed_in("admin").await.get("/api/sessions").await.json(), json!([]));
}

#[tokio::test]
async fn a_token_is_a_password_too() {
    let hall = Hall::open().await;
    let token = hall.token("admin").await;
    let basic = |password: &str| {
        hall.anonymous().request(reqwest::Method::GET, "/api/sessions").basic_auth("anyone", Some(password.to_owned()))
    };
    assert_eq!(basic(&token).send().await.unwrap().status(), 200);
    assert_eq!(basic(&token[1..]).send().await.unwrap().status(), 401);
    for header in ["Bearer", "Basic", "Basic !!!", "Basic OnRva2Vu", "Token x", "Bearer a b"] {
        let request = hall.anonymous().request(reqwest::Method::GET, "/api/sessions").header("authorization", header);
        assert_eq!(request.send().await.unwrap().status(), 401, "{header}");
    }
}

#[tokio::test]
async fn a_summary_has_no_detail() {
    let hall = Hall::open().await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let stored = hall.stored_session(&id).await;
    let list = hall.signed_in("admin").await.get("/api/sessions").await.json();
    let expected = json!({
        "sessionId": id, "grade": 5, "timestamp": stored["timestamp"], "score": 800, "correctAnswers": 10, "totalQuestions": 10,
        "reportUrl": format!("http://exam.localhost/report/{id}"), "webhookSent": false, "version": 1,
    });
    assert_eq!(list, json!([expected]));
}

#[tokio::test]
async fn thousands_are_all_there_newest_first() {
    let hall = Hall::open().await;
    let (anonymous, body) = (hall.anonymous(), honest(&hall.bank(5).await));
    let ids: BTreeSet<String> =
        stream::iter(0..MANY).map(|_| create(&anonymous, &body)).buffer_unordered(32).collect().await;
    assert_eq!(ids.len(), MANY);
    let list = hall.signed_in("admin").await.get("/api/sessions").await.json();
    let list = list.as_array().unwrap();
    let listed: BTreeSet<String> =
        list.iter().map(|summary| summary["sessionId"].as_str().unwrap().to_owned()).collect();
    assert_eq!((list.len(), listed), (MANY, ids));
    let times: Vec<_> = list.iter().map(|summary: &Value| time_of(&summary["timestamp"])).collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older));
}
