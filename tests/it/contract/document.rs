//! `/v1/openapi.json`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::keys::routes;
use crate::either_database::operations::edge::api_document::assert_no_reference_is_broken;
use crate::hall::Hall;

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let of = |(path, item): (&String, &'_ Value)| {
        let path = path.clone();
        item.as_object()
            .unwrap()
            .keys()
            .map(move |method| format!("{} {path}", method.to_uppercase()))
            .collect::<Vec<_>>()
    };
    let names = paths.iter().flat_map(of);
    names
        .map(|name| {
            let (method, path) = name.split_once(' ').unwrap();
            let operation = &paths[path][method.to_lowercase()];
            (name, operation)
        })
        .collect()
}

#[tokio::test]
async fn it_has_every_route_and_says_what_each_needs() {
    let hall = Hall::open().await;
    let answer = hall.anonymous().get("/v1/openapi.json").await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").starts_with("application/json"));
    let document = answer.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(document["servers"][0]["url"], "/v1");
    let scheme = &document["components"]["securitySchemes"]["key"];
    assert_eq!(
        (&scheme["type"], &scheme["in"], &scheme["name"]),
        (&"apiKey".into(), &"header".into(), &"X-API-Key".into())
    );
    let described: BTreeSet<String> =
        operations(&document).into_iter().map(|(name, _)| name).filter(|name| name != "GET /openapi.json").collect();
    let tested: BTreeSet<String> =
        routes().into_iter().map(|(method, pattern, ..)| format!("{method} {pattern}")).collect();
    assert_eq!(described, tested);
    for (name, operation) in operations(&document) {
        assert!(operation["summary"].is_string(), "{name}");
        let needs_key = operation["security"][0].get("key").is_some();
        assert_eq!(needs_key, name != "GET /openapi.json", "{name}");
        assert_eq!(operation["responses"].get("401").is_some(), needs_key, "{name}");
        let takes_body = ["PUT", "POST", "PATCH"].iter().any(|method| name.starts_with(method));
        assert_eq!(operation.get("requestBody").is_some(), takes_body, "{name}");
        let has_parameters = operation["parameters"]
            .as_array()
            .map_or(0, |parameters| parameters.iter().filter(|parameter| parameter["in"] == "path").count());
        assert_eq!(has_parameters, name.matches('{').count(), "{name}");
    }
    assert_no_reference_is_broken(&document, &document);
}

#[tokio::test]
async fn the_documents_do_not_mix() {
    let hall = Hall::with(&[("PROVIDER_API_KEY", super::KEY)]).await;
    let document = hall.anonymous().get("/api/openapi.json").await.json();
    for path in document["paths"].as_object().unwrap().keys() {
        assert!(!path.starts_with("/v1") && !["/questions", "/reviews"].contains(&path.as_str()), "{path}");
    }
    let contract = hall.anonymous().get("/v1/openapi.json").await.json();
    assert!(
        contract["paths"].as_object().unwrap().keys().all(|path| !path.starts_with("/api") && !path.starts_with("/v1"))
    );
}

#[tokio::test]
async fn the_description_tells_what_an_implementer_needs() {
    let hall = Hall::open().await;
    let document = hall.anonymous().get("/v1/openapi.json").await.json();
    let text = document["info"]["description"].as_str().unwrap();
    for word in [
        "X-API-Key",
        "Content-Type: application/json",
        "\"error\"",
        "verified",
        "drawings",
        "ISO 8601",
        "lastLoginAt",
        "at least once",
        "If-None-Match",
        "repeated",
        "MiB",
    ] {
        assert!(text.contains(word), "{word}");
    }
}
