//! `/api/openapi.json` and `/api/docs/`.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::Value;

use crate::hall::Hall;

const ROUTES: [(&str, &str); 31] = [
    ("get", "/api/questions"),
    ("post", "/api/sessions"),
    ("get", "/api/sessions"),
    ("get", "/api/sessions/{}"),
    ("get", "/api/live"),
    ("post", "/api/live"),
    ("get", "/api/live/{}"),
    ("post", "/api/live/{}/commands"),
    ("get", "/api/live/sessions/{}/events"),
    ("get", "/api/admin/questions"),
    ("get", "/api/admin/export"),
    ("get", "/api/admin/results"),
    ("post", "/api/admin/import"),
    ("get", "/api/admin/webhooks"),
    ("post", "/api/admin/webhooks/{}/replay"),
    ("get", "/api/admin/webhooks/key"),
    ("get", "/api/test-templates/{}"),
    ("get", "/api/admin/test-templates"),
    ("post", "/api/admin/test-templates"),
    ("get", "/api/admin/test-templates/{}"),
    ("put", "/api/admin/test-templates/{}"),
    ("delete", "/api/admin/test-templates/{}"),
    ("post", "/api/admin/test-templates/{}/generate"),
    ("get", "/api/admin/test-templates/{}/swap"),
    ("post", "/api/admin/test-templates/{}/swap"),
    ("get", "/api/openapi.json"),
    ("get", "/healthz"),
    ("get", "/readyz"),
    ("get", "/metrics"),
    ("get", "/api/docs/"),
    ("get", "/api/docs"),
];

async fn document(hall: &Hall) -> Value {
    let answer = hall.anonymous().get("/api/openapi.json").await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").starts_with("application/json"));
    answer.json()
}

#[tokio::test]
async fn every_route_is_described() {
    let hall = Hall::open().await;
    let document = document(&hall).await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"), "{}", document["openapi"]);
    let parameter = Regex::new(r"\{[^}]*\}").unwrap();
    let mut described = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            described.insert((method.clone(), parameter.replace_all(path, "{}").into_owned()));
        }
    }
    // The page that shows the document and the document itself need not describe themselves.
    for (method, path) in
        ROUTES.into_iter().filter(|(_, path)| !path.starts_with("/api/docs") && *path != "/api/openapi.json")
    {
        assert!(described.contains(&(method.to_owned(), path.to_owned())), "{method} {path}: {described:?}");
    }
}

#[tokio::test]
async fn every_operation_says_what_it_answers() {
    let hall = Hall::open().await;
    let document = document(&hall).await;
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(!operation["responses"].as_object().unwrap().is_empty(), "{method} {path}");
            assert!(operation["summary"].is_string() || operation["description"].is_string(), "{method} {path}");
        }
    }
    assert_no_reference_is_broken(&document, &document);
}

/// Every `$ref` of the part leads to something in the document.
pub fn assert_no_reference_is_broken(document: &Value, part: &Value) {
    match part {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
            }
            fields.values().for_each(|field| assert_no_reference_is_broken(document, field));
        }
        Value::Array(items) => items.iter().for_each(|item| assert_no_reference_is_broken(document, item)),
        _ => {}
    }
}

#[tokio::test]
async fn the_page_needs_nothing_from_elsewhere() {
    let hall = Hall::open().await;
    let page = hall.anonymous().get("/api/docs/").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").starts_with("text/html"));
    let mut loaded = 0;
    for link in Regex::new(r#"(?:src|href)="([^"]+)""#).unwrap().captures_iter(&page.text()) {
        let link = &link[1];
        assert!(!link.contains("//") && !link.starts_with("data:text"), "{link}");
        let path = if link.starts_with('/') {
            link.to_owned()
        } else {
            format!("/api/docs/{}", link.trim_start_matches("./"))
        };
        assert_eq!(hall.anonymous().get(&path).await.status, 200, "{path}");
        loaded += 1;
    }
    assert!(loaded > 0, "a page without scripts shows nothing: {}", page.text());
}

#[tokio::test]
async fn the_page_is_found_without_its_slash() {
    let hall = Hall::open().await;
    let answer = hall.anonymous().get("/api/docs").await;
    assert!(
        answer.status == 200 || (answer.status / 100 == 3 && answer.header("location").ends_with("/api/docs/")),
        "{} {:?}",
        answer.status,
        answer.headers
    );
}
