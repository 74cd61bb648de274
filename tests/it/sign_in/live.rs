//! The gate of live exams, and the cookie that opens it.

use reqwest::Method;
use serde_json::json;

use crate::hall::{Answer, Browser, Hall, LiveSocket};

async fn gated() -> (Hall, Browser) {
    let hall = Hall::with(&[("TEST_GATE", "sign-in")]).await;
    let mut student = Browser::of(&hall);
    student.sign_in_locally_well("student@exam.test").await;
    (hall, student)
}

#[tokio::test]
async fn a_socket_of_someone_signed_in_may_start() {
    let (hall, student) = gated().await;
    let cookie = student.cookie_header_for("/api/live");
    let mut socket =
        LiveSocket::connect(&hall.base(), &[("cookie", &cookie), ("origin", "http://exam.localhost")]).await.unwrap();
    socket.send(&json!({ "type": "start", "grade": 5 })).await;
    socket.expect("started").await;
}

#[tokio::test]
async fn a_socket_of_anyone_else_may_not() {
    let (hall, mut student) = gated().await;
    student.forge("forged");
    let forged = student.cookie_header_for("/api/live");
    let headers: [&[(&str, &str)]; 2] =
        [&[("origin", "http://exam.localhost")], &[("origin", "http://exam.localhost"), ("cookie", &forged)]];
    for headers in headers {
        let mut socket = LiveSocket::connect(&hall.base(), headers).await.unwrap();
        socket.send(&json!({ "type": "start", "grade": 5 })).await;
        socket.expect_error("sign_in_required").await;
        socket.expect_close(4401).await;
    }
}

#[tokio::test]
async fn a_page_of_another_site_gets_no_socket_with_the_cookie() {
    let (hall, student) = gated().await;
    let cookie = student.cookie_header_for("/api/live");
    let refused = LiveSocket::connect(&hall.base(), &[("cookie", &cookie), ("origin", "https://evil.test")]).await;
    assert_eq!(refused.err().expect("it was let in").status(), 403);
}

#[tokio::test]
async fn the_same_by_https() {
    let (hall, mut student) = gated().await;
    let start = json!({ "grade": 5 });
    assert_eq!(hall.anonymous().post_json("/api/live", &start).await.status, 401);
    let foreign = student.with_cookies(Method::POST, "/api/live").header("origin", "https://evil.test").json(&start);
    Answer::to(foreign).await.assert_fault(403, "Cross-site request refused", "forbidden");
    let answer = student.fetch(Method::POST, "/api/live", Some(&start)).await;
    assert_eq!((answer.status, &answer.json()["type"]), (200, &json!("started")), "{}", answer.text());
}

#[tokio::test]
async fn a_student_goes_on_after_the_sign_in_is_over() {
    let (hall, mut student) = gated().await;
    let started = student.fetch(Method::POST, "/api/live", Some(&json!({ "grade": 5 }))).await.json();
    let mut socket = hall.socket().await;
    socket.send(&json!({ "type": "resume", "sessionId": started["sessionId"], "token": started["token"] })).await;
    socket.expect("resumed").await;
}
