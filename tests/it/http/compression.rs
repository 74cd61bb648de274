//! JSON and text above 1 KB are compressed for whoever accepts that, unless they carry a secret.

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall};

async fn get(caller: &Caller, path: &str, accepted: &str) -> Answer {
    caller.get_with(path, "accept-encoding", accepted).await
}

fn varies(answer: &Answer) -> bool {
    let values = answer.headers.get_all("vary").iter().map(|value| value.to_str().unwrap().to_lowercase());
    values.collect::<Vec<_>>().join(",").contains("accept-encoding")
}

#[tokio::test]
async fn long_texts_are_compressed_and_short_ones_are_not() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let stored =
        hall.anonymous().post_json("/api/sessions", &super::bodies::session(&hall, 300_000).await).await.json();
    let session = format!("/api/sessions/{}", stored["sessionId"].as_str().unwrap());
    for path in [
        "/api/openapi.json",
        "/wp-json/tribe/events/v1/doc",
        "/api/admin/questions?grade=5",
        "/api/questions?grade=5",
        &session,
    ] {
        let plain = get(&admin, path, "identity").await;
        assert!(plain.body.len() > 1_024 && plain.header("content-encoding").is_empty(), "{path}");
        assert!(varies(&plain), "{path}");
        for encoding in ["br", "gzip"] {
            let answer = get(&admin, path, encoding).await;
            assert_eq!((answer.status, answer.header("content-encoding")), (200, encoding), "{path}");
            assert!(answer.body.len() < plain.body.len() / 2, "{path}: {}", answer.body.len());
            assert_eq!(answer.decoded(), plain.body, "{path}");
            assert!(varies(&answer), "{path}");
            assert_eq!(answer.header("content-length"), answer.body.len().to_string(), "{path}");
        }
    }
    for path in ["/healthz", "/api/me", "/api/nothing", "/wp-json/tribe/events/v1/events"] {
        let answer = get(&admin, path, "br, gzip").await;
        assert!(answer.header("content-encoding").is_empty() && !varies(&answer), "{path}");
    }
    let metrics = get(&hall.anonymous(), "/metrics", "gzip").await;
    assert_eq!(metrics.header("content-encoding"), "gzip");
}

#[tokio::test]
async fn a_streamed_list_is_compressed_as_it_comes() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let body = super::bodies::session(&hall, 0).await;
    let empty = get(&admin, "/api/sessions", "br").await;
    assert_eq!((empty.text().as_str(), empty.header("content-encoding")), ("[]", ""), "a short one is not");
    for _ in 0..20 {
        assert_eq!(hall.anonymous().post_json("/api/sessions", &body).await.status, 200);
    }
    let plain = get(&admin, "/api/sessions", "identity").await;
    assert_eq!(plain.json().as_array().unwrap().len(), 20);
    for encoding in ["br", "gzip"] {
        let answer = get(&admin, "/api/sessions", encoding).await;
        assert_eq!(answer.header("content-encoding"), encoding);
        assert_eq!(answer.decoded(), plain.body);
    }
}

#[tokio::test]
async fn an_answer_with_a_token_is_sent_as_it_is() {
    let hall = Hall::open().await;
    let start = json!({ "grade": 5, "key": "a-key-of-sixteen-letters" });
    let begun: Value = hall.anonymous().post_json("/api/live", &start).await.json();
    let (session_id, token) = (begun["sessionId"].as_str().unwrap(), begun["token"].as_str().unwrap());
    let drawing = json!({ "type": "drawing", "seq": 1, "questionId": begun["questionIds"][0], "drawing": { "d": "x".repeat(5_000) } });
    let path = format!("/api/live/{session_id}");
    let drawn = hall.bearer(token).post_json(&format!("{path}/commands"), &json!({ "commands": [drawing] })).await;
    assert_eq!(drawn.status, 200, "{}", drawn.text());
    let request = hall.anonymous().request(Method::POST, "/api/live").header("accept-encoding", "br, gzip");
    let again = Answer::to(request.json(&start)).await;
    assert_eq!((again.status, again.json()["sessionId"].as_str()), (200, Some(session_id)));
    assert!(again.body.len() > 5_000 && again.header("content-encoding").is_empty(), "{:?}", again.headers);
    let read = get(&hall.bearer(token), &path, "br").await;
    assert_eq!((read.status, read.header("content-encoding")), (200, ""), "it holds the token too");
}

#[tokio::test]
async fn a_known_answer_stays_known() {
    let hall = Hall::open().await;
    let answer = get(&hall.anonymous(), "/api/questions?grade=5", "br").await;
    let request = hall.anonymous().request(Method::GET, "/api/questions?grade=5").header("accept-encoding", "br");
    let again = Answer::to(request.header("if-none-match", answer.header("etag"))).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
}
