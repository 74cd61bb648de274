//! `/api/openapi.json` and `/api/docs/`.

use std::{collections::BTreeSet, slice};

use regex::Regex;
use serde_json::Value;

use crate::hall::Hall;

const ROUTES: [(&str, &str); 39] = [
    ("get", "/api/questions"),
    ("post", "/api/sessions"),
    ("get", "/api/sessions"),
    ("get", "/api/sessions/{}"),
    ("get", "/api/sessions/{}/versions"),
    ("get", "/api/live"),
    ("post", "/api/live"),
    ("get", "/api/live/{}"),
    ("post", "/api/live/{}/commands"),
    ("get", "/api/live/mine"),
    ("post", "/api/live/move"),
    ("post", "/api/live/{}/token"),
    ("get", "/api/live/sessions/{}/events"),
    ("post", "/api/live/sessions/{}/orders"),
    ("post", "/api/live/sessions/{}/code"),
    ("post", "/api/live/rooms/orders"),
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
    ("put", "/api/admin/test-templates/{}/questions"),
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

/// Every document of the server, the contract and the calendar included.
async fn documents(hall: &Hall) -> Vec<(&'static str, Value)> {
    let mut documents = Vec::new();
    for path in ["/api/openapi.json", "/v1/openapi.json", "/wp-json/tribe/events/v1/doc"] {
        documents.push((path, hall.anonymous().get(path).await.json()));
    }
    documents
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            found.push((format!("{method} {path}"), operation));
        }
    }
    found
}

#[tokio::test]
async fn every_operation_can_be_generated() {
    let hall = Hall::open().await;
    let id_form = Regex::new("^[a-z]+([A-Z][a-z0-9]*)+$").unwrap();
    for (document, whole) in documents(&hall).await {
        assert!(whole["info"]["license"]["name"].is_string() && whole["servers"][0]["url"].is_string(), "{document}");
        let tags: BTreeSet<&str> =
            whole["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
        assert!(
            whole["tags"].as_array().unwrap().iter().all(|tag| tag["description"].as_str().unwrap().ends_with('.'))
        );
        let (mut ids, mut used) = (BTreeSet::new(), BTreeSet::new());
        for (name, operation) in operations(&whole) {
            let id = operation["operationId"].as_str().unwrap_or_default();
            assert!(
                id_form.is_match(id),
                "{document} {name}: the operation id {id:?} is not a verb and a noun in camelCase"
            );
            assert!(ids.insert(id), "{document} {name}: the operation id {id} occurs twice");
            assert!(
                operation["summary"].as_str().is_some_and(|text| text.ends_with('.')),
                "{document} {name}: no summary"
            );
            assert!(operation["security"].is_array(), "{document} {name}: security");
            let tag = operation["tags"][0].as_str().unwrap();
            assert!(tags.contains(tag), "{document} {name}: the tag {tag} has no sentence");
            used.insert(tag);
            let statuses: Vec<&String> = operation["responses"].as_object().unwrap().keys().collect();
            assert!(statuses.iter().any(|status| status.starts_with('4')), "{document} {name}: no errors");
            for (status, response) in operation["responses"].as_object().unwrap() {
                has_headers(&whole, &format!("{document} {name} {status}"), status, response);
            }
        }
        assert_eq!(used, tags, "{document}");
        assert_no_reference_is_broken(&whole, &whole);
    }
}

fn has_headers(document: &Value, name: &str, status: &str, response: &Value) {
    let response =
        response["$ref"].as_str().map_or(response, |found| document.pointer(found.trim_start_matches('#')).unwrap());
    let needed = match status {
        "302" | "303" => "Location",
        "304" => "ETag",
        "401" => "WWW-Authenticate",
        "405" => "Allow",
        "429" | "503" => "Retry-After",
        _ => return,
    };
    // Whether it is ready is an answer of its own.
    assert!(response["headers"].get(needed).is_some() || name.contains("/readyz"), "{name}: no {needed}");
}

#[tokio::test]
async fn fields_say_what_they_can_be() {
    let hall = Hall::open().await;
    for (document, whole) in documents(&hall).await.into_iter().take(2) {
        for (name, schema) in whole["components"]["schemas"].as_object().unwrap() {
            for (field, value) in schema["properties"].as_object().into_iter().flatten() {
                let is_time =
                    field.ends_with("At") || ["deadline", "serverTime", "timestamp"].contains(&field.as_str());
                // A moment that says where it comes from is an object.
                let is_explained = value.to_string().contains("/ExplainedMoment\"");
                assert!(
                    !is_time || value["format"] == "date-time" || is_explained,
                    "{document} {name}.{field} is no date-time: {value}"
                );
                let bounded = value["$ref"]
                    .as_str()
                    .and_then(|found| whole.pointer(found.trim_start_matches('#')))
                    .unwrap_or(value);
                let is_small = ["grade", "difficulty"].contains(&field.as_str()) && value["type"] != "object";
                assert!(
                    !is_small || bounded["maximum"].is_number(),
                    "{document} {name}.{field} has no bounds: {value}"
                );
            }
        }
        for (name, operation) in operations(&whole) {
            for (kind, content) in operation["responses"]["200"]["content"].as_object().into_iter().flatten() {
                assert!(content["schema"].is_object(), "{document} {name}: {kind} has no schema");
                let is_binary = ["pdf", "sheet", "zip"].iter().any(|name| kind.contains(name));
                assert!(
                    !is_binary || content["schema"]["format"] == "binary",
                    "{document} {name}: a file is not binary"
                );
                let is_file = is_binary || kind.contains("csv") || kind.contains("jwt");
                let headers = &operation["responses"]["200"]["headers"];
                assert_eq!(headers.get("Content-Disposition").is_some(), is_file, "{document} {name}");
            }
        }
    }
}

#[tokio::test]
async fn outsiders_find_everything_that_is_named() {
    let hall = Hall::open().await;
    let sockets = hall.anonymous().get("/api/asyncapi.json").await.json();
    let outside = Regex::new(r"docs/|\.md\b|\[`|\]\(|config/|src/").unwrap();
    for (document, whole) in documents(&hall).await.into_iter().chain([("/api/asyncapi.json", sockets)]) {
        let text = whole.to_string();
        assert!(!outside.is_match(&text), "{document}: {:?}", outside.find(&text).map(|found| &text[found.range()]));
    }
}

#[tokio::test]
async fn the_sockets_are_described() {
    let hall = Hall::open().await;
    let document = hall.anonymous().get("/api/asyncapi.json").await.json();
    assert_eq!(
        (&document["asyncapi"], &document["channels"]["student"]["address"]),
        (&"3.0.0".into(), &"/api/live".into())
    );
    assert_eq!(document["servers"]["hall"]["protocol"], "ws");
    for schema in ["StartOfGrade", "Started", "Roster"] {
        let described = &document["components"]["schemas"][schema];
        // Frames of a room share fields with others, so their own are one part of them.
        let parts = described["allOf"].as_array().map_or(slice::from_ref(described), Vec::as_slice);
        assert!(parts.iter().any(|part| part["properties"]["type"]["enum"].is_array()), "{schema}: {described}");
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
