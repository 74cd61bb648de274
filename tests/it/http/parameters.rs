//! Parameters that a route does not have are refused by name, on every route of the API's document.

use reqwest::Method;
use serde_json::json;

use crate::hall::{Answer, Hall};

/// Identity providers, caches and messengers add to these.
const TOLERANT: [&str; 9] = [
    "/auth/callback",
    "/auth/sign-in",
    "/media/{digest}",
    "/api/school/crest",
    "/api/report/{id}/pdf",
    "/api/sittings/{id}/calendar.ics",
    "/healthz",
    "/readyz",
    "/metrics",
];

#[tokio::test]
async fn every_route_refuses_a_parameter_that_it_does_not_have() {
    let hall = Hall::open().await;
    let (nobody, admin) = (hall.anonymous(), hall.signed_in("admin").await);
    let document = admin.get("/api/openapi.json").await.json();
    let (mut refused, mut with_code) = (0, 0);
    let name = regex::Regex::new(r"\{[^}]*\}").unwrap();
    for (pattern, operations) in document["paths"].as_object().unwrap() {
        let path = name.replace_all(pattern, "x").into_owned();
        for (method, operation) in operations.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            for caller in [&nobody, &admin] {
                let answer = Answer::to(caller.request(method.clone(), &format!("{path}?limit=2"))).await;
                let name = format!("{method} {pattern}: {} {}", answer.status, answer.text());
                if TOLERANT.contains(&pattern.as_str()) {
                    assert!(!answer.text().contains("Invalid limit"), "{name}");
                    continue;
                }
                assert_eq!((answer.status, &answer.json()["error"]), (400, &json!("Invalid limit")), "{name}");
                assert!(operation["responses"]["400"].is_object(), "{name}");
                refused += 1;
                with_code += usize::from(answer.json()["code"] == "bad_message");
            }
        }
    }
    assert!(refused > 200 && with_code > 10, "{refused} {with_code}");
}

#[tokio::test]
async fn the_first_unknown_parameter_is_named_and_nothing_is_done() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for (query, named) in [
        ("limit=2", "limit"),
        ("page=1&Page=2&limit=2", "Page"),
        ("per_page=2", "per_page"),
        ("origin=all&%6Cimit=2", "limit"),
        ("%E1%BB%9F=1", "\u{1edf}"),
        ("%00=1", "query"),
        ("=1", "query"),
    ] {
        let answer = admin.get(&format!("/api/sessions?{query}")).await;
        answer.assert_error(400, &format!("Invalid {named}"));
    }
    for added in ["_=1764", "utm_source=mail", "fbclid=a", "gclid=a", "zarsrc=1"] {
        let answer = admin.get(&format!("/api/sessions?page=1&{added}")).await;
        assert_eq!(answer.status, 200, "{added}: {}", answer.text());
    }
    let long = "a".repeat(101);
    admin.get(&format!("/api/sessions?{long}=1")).await.assert_error(400, "Invalid query");
    let invited = admin.request(Method::PUT, "/api/admin/users/nora@exam.test?dryRun=true");
    Answer::to(invited.json(&json!({ "role": "reviewer" }))).await.assert_error(400, "Invalid dryRun");
    let users = admin.get("/api/admin/users").await.text();
    assert!(!users.contains("nora@exam.test"), "{users}");
}

#[tokio::test]
async fn others_tolerate_what_they_do_not_know() {
    let hall = Hall::open().await;
    let nobody = hall.anonymous();
    // A link to a page carries what others have added to it, and the calendar has rules of its own.
    for path in ["/?utm_source=mail", "/verify?x=1", "/wp-json/tribe/events/v1/events?limit=2"] {
        assert_eq!(nobody.get(path).await.status, 200, "{path}");
    }
    nobody.get("/api/nothing?limit=2").await.assert_error(404, "Not found");
}
