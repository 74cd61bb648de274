//! What must never be in a log of a server whose data is elsewhere: the key, addresses of people, bodies.

use reqwest::Method;
use serde_json::json;

use super::review;
use crate::hall::{Browser, External, KEY, Process, Told};

#[tokio::test]
async fn a_log_of_everything_has_no_secret() {
    let external = External::open().await;
    let mut hall = external.hall_with(&[("LOG", "trace")]).await;
    hall.stop().await;
    let process = Process::serve(hall.settings()).await;
    external.user("ada@exam.test", "admin");
    let mut ada = Browser::at("http://exam.localhost", process.base());
    ada.sign_in_locally_well("ada@exam.test").await;
    assert!(ada.me().await.is_some());
    assert_eq!(ada.get("/api/admin/questions?grade=5").await.status, 200);
    external.on("PUT /v1/reviews/x5-001", Told::error(500, "Secret cause"));
    assert_eq!(ada.fetch(Method::POST, "/api/review/submit", Some(&review("x5-001"))).await.status, 502);
    external.on("PUT /v1/assignments/bob%40exam.test", Told::page(500));
    let body = json!({ "email": "bob@exam.test", "name": "Bob Builder", "grades": [1] });
    assert_eq!(ada.fetch(Method::POST, "/api/admin/review/assignments", Some(&body)).await.status, 502);
    external.on(
        "GET /v1/assignments",
        Told::Json(200, json!([{ "email": "eve@exam.test" }, { "email": "r@exam.test", "grades": [1] }])),
    );
    assert_eq!(ada.get("/api/admin/review/assignments").await.status, 200);
    let log = process.log();
    for told in
        ["reviews/{questionId}", "assignments/{email}", "500", "entries of the external data provider are left out"]
    {
        assert!(log.contains(told), "{told} is not told: {log}");
    }
    for secret in [
        KEY,
        "ada@exam.test",
        "ada%40exam.test",
        "bob@exam.test",
        "bob%40exam.test",
        "eve@exam.test",
        "Bob Builder",
        "Secret cause",
        "Good.",
        "1 + 1?",
    ] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "{secret} is in the log: {}", line.unwrap_or_default());
    }
    process.terminate().await;
}

#[tokio::test]
async fn a_server_starts_without_the_service_and_says_so_once() {
    let mut external = External::open().await;
    external.always(Some(Told::error(500, "Oh")));
    let mut hall = external.hall().await;
    hall.stop().await;
    external.close().await;
    let mut settings = hall.settings().clone();
    settings.remove("ADMIN_EMAIL");
    let process = Process::serve(&settings).await;
    for grade in 1..=3 {
        assert_eq!(process.anonymous().get(&format!("/api/questions?grade={grade}")).await.status, 502);
    }
    assert_eq!(process.anonymous().get("/healthz").await.status, 200);
    let log = process.log();
    assert_eq!(log.matches("the external data provider fails").count(), 1, "{log}");
    assert_eq!(log.matches("the next one to sign in becomes admin").count(), 1, "{log}");
    assert!(!log.contains("a bank is not ready"), "{log}");
    process.terminate().await;
}
