//! Bodies that are no bodies, on every route that takes one.

use reqwest::Method;
use serde_json::json;

use super::Service;
use crate::hall::Answer;

const ID: &str = "00000000-0000-4000-8000-000000000000";

fn writes() -> [(Method, String); 9] {
    [
        (Method::PUT, "/questions/override".to_owned()),
        (Method::POST, "/questions/import".to_owned()),
        (Method::POST, "/users".to_owned()),
        (Method::PATCH, "/users/ada@exam.test".to_owned()),
        (Method::PUT, format!("/sessions/{ID}")),
        (Method::PUT, "/reviews/g5-001".to_owned()),
        (Method::POST, "/edit-log".to_owned()),
        (Method::PUT, "/assignments/ada@exam.test".to_owned()),
        (Method::PUT, "/grade-approvals/5/ada@exam.test".to_owned()),
    ]
}

#[tokio::test]
async fn what_is_not_json_is_refused() {
    let service = Service::open().await;
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (method, path) in writes() {
        for body in ["", "{", "<html></html>", "null", "[]", "7", "{\"a\":\"\u{0}\"}", &nested] {
            let answer = service.send_text(method.clone(), &path, body).await;
            answer.assert_some_error(400);
            assert_eq!(answer.json()["error"], "Invalid body", "{method} {path}: {body:.20}");
        }
    }
}

#[tokio::test]
async fn what_is_too_large_is_refused() {
    let service = Service::open().await;
    for (method, path) in writes() {
        let mebibytes = match path.as_str() {
            "/questions/import" => 65,
            "/questions/override" | "/edit-log" => 10,
            path if path.starts_with("/sessions") => 10,
            _ => 2,
        };
        let body = json!({ "x": "x".repeat(mebibytes * 1_024 * 1_024) }).to_string();
        let request = service
            .hall
            .anonymous()
            .request(method.clone(), &format!("/v1{path}"))
            .header("x-api-key", super::KEY)
            .body(body);
        // The connection may be closed before all of it is sent.
        let status = Answer::status_unless_cut(request).await;
        assert!(matches!(status, None | Some(413)), "{method} {path}: {status:?}");
    }
    assert_eq!(service.get("/reviews").await.status, 200);
}
