//! Unknown routes, wrong methods and odd paths: each gets the error it should, as JSON.

use reqwest::Method;

use super::{create, honest};
use crate::hall::{Answer, Hall};

#[tokio::test]
async fn unknown_routes_are_not_found() {
    let hall = Hall::open().await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/sessions/a/b",
        "/api/questions/5",
        "/nothing",
        "/api/live/a/b",
        "/API/questions?grade=5",
        "//api/questions",
        "/.env",
        "/v1/questions?grade=5",
    ] {
        hall.anonymous().get(path).await.assert_error(404, "Not found");
    }
    let posted = hall.anonymous().post_text("/api/nothing", "{").await;
    posted.assert_error(404, "Not found");
}

#[tokio::test]
async fn wrong_methods_are_not_allowed() {
    let hall = Hall::open().await;
    let wrong = [
        (Method::POST, "/api/questions?grade=5"),
        (Method::DELETE, "/api/questions"),
        (Method::PUT, "/api/sessions"),
        (Method::DELETE, "/api/sessions/9d0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5"),
        (Method::PATCH, "/api/live"),
        (Method::GET, "/api/live/9d0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5/commands"),
        (Method::POST, "/api/admin/webhooks"),
        (Method::DELETE, "/healthz"),
    ];
    for (method, path) in wrong {
        let answer = Answer::to(hall.anonymous().request(method.clone(), path)).await;
        assert_eq!(
            (answer.status, answer.text().as_str()),
            (405, r#"{"error":"Method not allowed"}"#),
            "{method} {path}"
        );
    }
}

#[tokio::test]
async fn odd_paths_harm_nobody() {
    let hall = Hall::open().await;
    for id in [
        "%00",
        "%FF",
        "%2e%2e",
        "%2F",
        "..%2f..%2fetc%2fpasswd",
        "%",
        "%zz",
        "'%20OR%201=1",
        "%F0%9F%A6%80",
        &"9".repeat(4_000),
    ] {
        let answer = hall.anonymous().get(&format!("/api/sessions/{id}")).await;
        assert!([400, 404].contains(&answer.status), "{id}: {} {}", answer.status, answer.text());
        answer.assert_some_error(answer.status);
    }
    for query in ["?payload=%00", "?payload=%FF", "?payload", "?payload=2", "?%"] {
        let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
        let answer = hall.anonymous().get(&format!("/api/sessions/{id}{query}")).await;
        assert!([200, 400].contains(&answer.status), "{query}: {} {}", answer.status, answer.text());
    }
}

#[tokio::test]
async fn an_encoded_path_is_the_same_path() {
    let hall = Hall::open().await;
    let id = create(&hall.anonymous(), &honest(&hall.bank(5).await)).await;
    let encoded: String = id.bytes().map(|byte| format!("%{byte:02X}")).collect();
    assert_eq!(hall.anonymous().get(&format!("/api/sessions/{encoded}")).await.status, 200);
}
