//! The key, and what those meet who don't have it.

use reqwest::Method;
use serde_json::{Value, json};

use super::{KEY, Service};
use crate::hall::{Answer, Hall};

/// Every route of the contract with a body that is refused and what whoever has the key is answered.
pub fn routes() -> Vec<(Method, &'static str, String, Option<Value>, u16)> {
    let unknown = "00000000-0000-4000-8000-000000000000";
    let route = |method: Method, pattern: &'static str, status| {
        let path = pattern
            .replace("{id}", unknown)
            .replace("{email}", "nobody%40exam.test")
            .replace("{managerEmail}", "nobody%40exam.test");
        let path = path.replace("{questionId}", "none").replace("{grade}", "5");
        let body = [Method::PUT, Method::POST, Method::PATCH].contains(&method).then(|| json!({}));
        (method, pattern, path, body, status)
    };
    let mut routes = vec![
        route(Method::GET, "/questions", 400),
        route(Method::PUT, "/questions/override", 400),
        route(Method::POST, "/questions/import", 400),
        route(Method::POST, "/users", 400),
        route(Method::GET, "/users/{email}", 404),
        route(Method::PATCH, "/users/{email}", 400),
        route(Method::GET, "/sessions/{id}", 404),
        route(Method::PUT, "/sessions/{id}", 400),
        route(Method::GET, "/reviews", 200),
        route(Method::PUT, "/reviews/{questionId}", 400),
        route(Method::GET, "/edit-log", 200),
        route(Method::POST, "/edit-log", 400),
        route(Method::GET, "/assignments", 200),
        route(Method::GET, "/assignments/{email}", 404),
        route(Method::PUT, "/assignments/{email}", 400),
        route(Method::DELETE, "/assignments/{email}", 200),
        route(Method::GET, "/manager-assignments", 200),
        route(Method::PUT, "/manager-assignments/{email}", 400),
        route(Method::DELETE, "/manager-assignments/{email}", 200),
        route(Method::GET, "/grade-approvals", 200),
        route(Method::PUT, "/grade-approvals/{grade}/{managerEmail}", 400),
    ];
    let mut of_grade = route(Method::GET, "/questions", 200);
    of_grade.2 += "?grade=5";
    routes.push(of_grade);
    routes
}

async fn ask(
    hall: &Hall,
    (method, _, path, body, _): &(Method, &str, String, Option<Value>, u16),
    keys: &[&str],
) -> Answer {
    let mut request = hall.anonymous().request(method.clone(), &format!("/v1{path}"));
    for key in keys {
        request = request.header("x-api-key", *key);
    }
    match body {
        Some(body) => Answer::to(request.json(body)).await,
        None => Answer::to(request).await,
    }
}

#[tokio::test]
async fn each_route_is_for_those_who_have_the_key() {
    let service = Service::open().await;
    let (longer, shorter) = (format!("{KEY}x"), &KEY[..KEY.len() - 1]);
    for route in routes() {
        for keys in [&[] as &[&str], &[""], &["wrong"], &[&longer], &[shorter], &[KEY, KEY], &[KEY, "wrong"]] {
            let answer = ask(&service.hall, &route, keys).await;
            assert_eq!(
                (answer.status, answer.text().as_str()),
                (401, r#"{"error":"Unauthorized"}"#),
                "{} {} with {keys:?}",
                route.0,
                route.2
            );
        }
        let answer = ask(&service.hall, &route, &[KEY]).await;
        assert_eq!(answer.status, route.4, "{} {}: {}", route.0, route.2, answer.text());
    }
}

#[tokio::test]
async fn neither_sign_in_nor_api_token_is_a_key() {
    let service = Service::open().await;
    let (cookie, token) = (service.hall.cookie("admin@exam.test").await, service.hall.token("admin").await);
    let signed_in = service.hall.anonymous().request(Method::GET, "/v1/assignments").header("cookie", cookie);
    Answer::to(signed_in).await.assert_error(401, "Unauthorized");
    service.hall.bearer(&token).get("/v1/assignments").await.assert_error(401, "Unauthorized");
    service.hall.bearer(KEY).get("/v1/assignments").await.assert_error(401, "Unauthorized");
}

#[tokio::test]
async fn without_a_key_there_is_only_the_document() {
    let hall = Hall::open().await;
    for route in routes() {
        for keys in [&[] as &[&str], &[""], &[KEY]] {
            ask(&hall, &route, keys).await.assert_error(404, "Not found");
        }
    }
    Answer::to(hall.anonymous().request(Method::DELETE, "/v1/reviews").header("x-api-key", KEY))
        .await
        .assert_error(404, "Not found");
    assert_eq!(hall.anonymous().get("/v1/openapi.json").await.status, 200);
}

#[tokio::test]
async fn a_body_is_read_only_of_who_has_the_key() {
    let service = Service::open().await;
    let request = service
        .hall
        .anonymous()
        .request(Method::PUT, "/v1/questions/override")
        .header("x-api-key", "wrong")
        .body("x".repeat(12 * 1_024 * 1_024));
    // The connection may be closed before all of it is sent.
    let status = Answer::status_unless_cut(request).await;
    assert!(matches!(status, None | Some(401)), "{status:?}");
    assert_eq!(service.get("/reviews").await.status, 200);
}

#[tokio::test]
async fn other_methods_and_paths_are_errors_in_the_same_shape() {
    let service = Service::open().await;
    service.delete("/reviews").await.assert_error(405, "Method not allowed");
    assert_eq!(service.delete("/reviews").await.header("allow"), "GET, HEAD");
    service.get("/nothing").await.assert_error(404, "Not found");
    service.get("/questions/override").await.assert_error(405, "Method not allowed");
}

#[tokio::test]
async fn no_page_of_another_site_is_let_in() {
    let service = Hall::with(&[("PROVIDER_API_KEY", KEY), ("ALLOWED_ORIGINS", "https://friend.example")]).await;
    for origin in ["https://evil.example", "https://friend.example"] {
        let asked = service.anonymous().request(Method::OPTIONS, "/v1/users").header("origin", origin);
        let answer = Answer::to(
            asked.header("access-control-request-method", "POST").header("access-control-request-headers", "x-api-key"),
        )
        .await;
        assert!(
            answer.status >= 400 || !answer.header("access-control-allow-headers").to_lowercase().contains("x-api-key"),
            "{origin}: {:?}",
            answer.headers
        );
    }
}
