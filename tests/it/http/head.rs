//! `HEAD` is answered wherever `GET` is, with the same headers and without a body.

use reqwest::Method;
use serde_json::json;

use crate::hall::{Answer, Caller, Hall};

/// Headers that differ between any two answers.
const OF_THE_MOMENT: [&str; 2] = ["date", "x-request-id"];
/// What these tell changes from one request to the next: a file of the audit is itself an entry of it.
const CHANGING: [&str; 4] = ["/metrics", "/api/admin/audit", "/api/admin/audit/export", "/api/admin/health"];

fn headers(answer: &Answer) -> Vec<(String, String)> {
    let mut headers: Vec<(String, String)> = answer
        .headers
        .iter()
        .filter(|(name, _)| !OF_THE_MOMENT.contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    headers
}

async fn assert_same(caller: &Caller, path: &str) {
    let ask = async |method| Answer::to(caller.request(method, path).header("accept-encoding", "br")).await;
    let (get, head) = (ask(Method::GET).await, ask(Method::HEAD).await);
    assert_eq!(head.status, get.status, "{path}");
    assert!(head.body.is_empty(), "{path}: {}", head.text());
    // Browsers' and tests' sign-ins are new each time.
    let without =
        |answer: &Answer| headers(answer).into_iter().filter(|(name, _)| name != "set-cookie").collect::<Vec<_>>();
    if !CHANGING.contains(&path) {
        assert_eq!(without(&head), without(&get), "{path}");
    }
}

#[tokio::test]
async fn every_get_has_a_head() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let stored = hall.anonymous().post_json("/api/sessions", &super::bodies::session(&hall, 0).await).await.json();
    let session_id = stored["sessionId"].as_str().unwrap().to_owned();
    let document = hall.anonymous().get("/api/openapi.json").await.json();
    let mut paths: Vec<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, operations)| operations.get("get").is_some())
        .map(|(path, _)| {
            path.replace("{id}", &session_id).replace("{sessionId}", &session_id).replace("{email}", "a%40exam.test")
        })
        .collect();
    assert!(paths.len() > 25, "{paths:?}");
    paths.extend(
        [
            "/",
            "/test/5",
            "/t/x",
            "/report/x",
            "/api/docs",
            "/api/docs/",
            "/icon.svg",
            "/service-worker.js",
            "/nothing",
            "/api/questions?grade=5",
            "/api/live/sessions?grade=5",
            "/api/review/questions?grade=5",
            "/api/admin/questions?grade=5",
            "/wp-json/",
            "/wp-json/tribe/events/v1",
            "/wp-json/tribe/events/v1/doc",
            "/wp-json/tribe/events/v1/events",
            "/wp-json/tribe/events/v1/events/999",
            "/v1/openapi.json",
        ]
        .map(str::to_owned),
    );
    for path in &paths {
        assert_same(&admin, path).await;
        assert_same(&hall.anonymous(), path).await;
    }
}

#[tokio::test]
async fn head_opens_no_socket_and_changes_nothing() {
    let hall = Hall::open().await;
    let request = hall.anonymous().request(Method::HEAD, "/api/live").header("connection", "upgrade");
    let request = request.header("upgrade", "websocket").header("sec-websocket-version", "13");
    let answer = Answer::to(request.header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")).await;
    assert_eq!(answer.status, 400);
    let wrong = Answer::to(hall.anonymous().request(Method::HEAD, "/auth/sign-out")).await;
    assert_eq!((wrong.status, wrong.header("allow")), (405, "POST"));
    let wrong = hall.anonymous().post_json("/healthz", &json!({})).await;
    assert_eq!((wrong.status, wrong.header("allow")), (405, "GET, HEAD"));
}

#[tokio::test]
async fn pages_of_allowed_sites_read_the_headers_that_clients_need() {
    let hall = Hall::with(&[("ALLOWED_ORIGINS", "https://lms.example")]).await;
    let exposed = async |path: &str| {
        let answer = hall.anonymous().get_with(path, "origin", "https://lms.example").await;
        let values = answer.headers.get_all("access-control-expose-headers").iter();
        values.map(|value| value.to_str().unwrap().to_lowercase()).collect::<Vec<_>>().join(", ")
    };
    let (own, calendar) = (exposed("/healthz").await, exposed("/wp-json/tribe/events/v1/events").await);
    for name in ["content-disposition", "etag", "retry-after", "link", "x-request-id"] {
        assert!(own.split(", ").any(|exposed| exposed == name), "{name}: {own}");
        assert!(calendar.split(", ").any(|exposed| exposed == name), "{name}: {calendar}");
    }
    for name in ["x-tec-total", "x-tec-totalpages", "allow"] {
        assert!(calendar.split(", ").any(|exposed| exposed == name), "{name}: {calendar}");
    }
}
