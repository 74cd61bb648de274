//! Requests that another site makes in the name of someone who is signed in here.

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::{first_admin, user_path};
use crate::hall::{Answer, Browser, Hall};

/// For a request with the cookie that does not come from the site itself.
const REFUSED: &str = "Cross-site request refused";

/// Headers by which a request says where it comes from.
type Marks = &'static [(&'static str, &'static str)];

/// From elsewhere, or from nowhere that is told.
const FOREIGN: [Marks; 8] = [
    &[],
    &[("origin", "https://evil.test")],
    &[("origin", "null")],
    &[("origin", "http://exam.localhost.evil.test")],
    &[("origin", "http://exam.localhost:81")],
    &[("sec-fetch-site", "cross-site")],
    &[("sec-fetch-site", "same-site")],
    &[("origin", "https://evil.test"), ("sec-fetch-site", "cross-site")],
];
/// From the site itself.
const OWN: [Marks; 3] = [
    &[("origin", "http://exam.localhost")],
    &[("sec-fetch-site", "same-origin")],
    &[("origin", "http://exam.localhost"), ("sec-fetch-site", "same-origin")],
];

fn marked(request: RequestBuilder, marks: Marks) -> RequestBuilder {
    marks.iter().fold(request, |request, (name, value)| request.header(*name, *value))
}

/// Requests that change something, each to someone who may.
fn changes(admin: &Browser) -> Vec<RequestBuilder> {
    vec![
        token_request(admin),
        admin.with_cookies(Method::PATCH, &user_path("other@exam.test")).json(&json!({ "role": "reviewer" })),
        admin.with_cookies(Method::DELETE, &user_path("nobody@exam.test")),
        admin.with_cookies(Method::PUT, "/api/me/view").json(&json!({ "view": {} })),
        admin.with_cookies(Method::POST, "/api/sessions").json(&json!({})),
        admin.with_cookies(Method::POST, "/api/live").json(&json!({ "grade": 5 })),
        admin.with_cookies(Method::POST, "/auth/sign-out"),
    ]
}

#[tokio::test]
async fn a_change_with_the_cookie_must_come_from_the_site_itself() {
    let hall = Hall::open().await;
    let admin = first_admin(&hall).await;
    Browser::of(&hall).sign_in_locally_well("other@exam.test").await;
    for marks in FOREIGN {
        for request in changes(&admin) {
            let sent = marked(request, marks);
            let shown = format!("{marks:?} {sent:?}");
            let answer = Answer::to(sent).await;
            let of_live_exam = answer.json()["code"] == "forbidden";
            assert_eq!((answer.status, &answer.json()["error"]), (403, &json!(REFUSED)), "{shown}");
            assert_eq!(of_live_exam, shown.contains("/api/live"), "{shown}: {}", answer.text());
            assert!(!answer.headers.contains_key("set-cookie"), "{shown}");
        }
    }
    for marks in OWN {
        for request in changes(&admin) {
            let answer = Answer::to(marked(request, marks)).await;
            assert_ne!(answer.status, 403, "{marks:?}: {}", answer.text());
        }
    }
}

#[tokio::test]
async fn every_change_says_so_in_the_document_with_the_body_of_its_errors() {
    let hall = Hall::open().await;
    let admin = first_admin(&hall).await;
    let document = hall.anonymous().get("/api/openapi.json").await.json();
    let name = regex::Regex::new(r"\{[^}]*\}").unwrap();
    let mut with_code = 0;
    for (pattern, operations) in document["paths"].as_object().unwrap() {
        let path = name.replace_all(pattern, "x").into_owned();
        for (method, operation) in operations.as_object().unwrap().iter().filter(|(method, _)| *method != "get") {
            let method: Method = method.to_uppercase().parse().unwrap();
            let foreign = admin.with_cookies(method.clone(), &path).header("origin", "https://evil.test");
            let answer = Answer::to(foreign).await;
            let shown = format!("{method} {pattern}: {} {}", answer.status, answer.text());
            assert_eq!((answer.status, &answer.json()["error"]), (403, &json!(REFUSED)), "{shown}");
            assert!(operation["responses"]["403"].is_object(), "{shown}");
            let is_live = operation.to_string().contains("LiveErrorBody");
            assert_eq!(answer.json()["code"] == "forbidden", is_live, "{shown}");
            with_code += usize::from(is_live);
        }
    }
    assert!(with_code > 5, "{with_code}");
}

#[tokio::test]
async fn nothing_was_changed_by_what_was_refused() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    Browser::of(&hall).sign_in_locally_well("other@exam.test").await;
    for request in changes(&admin) {
        let answer = Answer::to(request.header("origin", "https://evil.test")).await;
        assert_eq!((answer.status, &answer.json()["error"]), (403, &json!(REFUSED)));
    }
    assert_eq!(super::listed(&mut admin, "other@exam.test").await.unwrap()["role"], "student");
    assert_eq!(admin.get("/api/admin/tokens").await.json(), json!({ "tokens": [] }));
}

#[tokio::test]
async fn reading_is_not_affected() {
    let hall = Hall::open().await;
    let admin = first_admin(&hall).await;
    for marks in FOREIGN {
        let answer = Answer::to(marked(admin.with_cookies(Method::GET, "/api/admin/users"), marks)).await;
        assert_eq!(answer.status, 200, "{marks:?}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_request_without_the_cookie_may_come_from_anywhere() {
    let hall = Hall::open().await;
    let token = hall.signed_in("admin").await;
    for marks in FOREIGN {
        let request = token.request(Method::POST, "/api/admin/tokens").json(&json!({ "name": "x", "role": "student" }));
        assert_eq!(Answer::to(marked(request, marks)).await.status, 200, "{marks:?}");
        let start = hall.anonymous().request(Method::POST, "/api/live").json(&json!({ "grade": 5 }));
        assert_eq!(Answer::to(marked(start, marks)).await.status, 200, "{marks:?}");
    }
}

#[tokio::test]
async fn the_port_belongs_to_the_origin() {
    let hall = Hall::with(&[("AUTH_URL", "https://exam.localhost:8443")]).await;
    let admin = first_admin(&hall).await;
    for (origin, status) in [
        ("https://exam.localhost:8443", 200),
        ("https://exam.localhost", 403),
        ("https://exam.localhost:8444", 403),
        ("http://exam.localhost", 403),
    ] {
        assert_eq!(Answer::to(token_request(&admin).header("origin", origin)).await.status, status, "{origin}");
    }
}

#[tokio::test]
async fn the_scheme_belongs_to_the_origin() {
    // Who can change what travels over http could otherwise act on https in the name of anyone signed in there.
    for (auth_url, foreign) in
        [("https://exam.localhost", "http://exam.localhost"), ("http://exam.localhost", "https://exam.localhost")]
    {
        let hall = Hall::with(&[("AUTH_URL", auth_url)]).await;
        let admin = first_admin(&hall).await;
        Answer::to(token_request(&admin).header("origin", foreign)).await.assert_error(403, REFUSED);
        assert_eq!(Answer::to(token_request(&admin).header("origin", auth_url)).await.status, 200);
    }
}

fn token_request(admin: &Browser) -> RequestBuilder {
    admin.with_cookies(Method::POST, "/api/admin/tokens").json(&json!({ "name": "x", "role": "student" }))
}
