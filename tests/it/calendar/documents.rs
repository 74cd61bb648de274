//! The index and the document: both from the tables by which requests are checked.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Client, SITE, found, keys, refused};
use crate::hall::{Answer, Hall};

#[tokio::test]
async fn the_index_has_every_route() {
    let hall = Hall::open().await;
    let anyone = Client::anonymous(&hall);
    let answer = anyone.get("/").await;
    assert_eq!(keys(&answer.text()), ["namespace", "routes", "_links"]);
    let index = found(&answer, 200);
    assert_eq!(index["_links"], json!({ "up": [{ "href": format!("{SITE}/wp-json/") }] }));
    let routes = index["routes"].as_object().unwrap();
    let (id, slug) = ("(?P<id>\\d+)", "(?P<slug>[^/]+)");
    let mut expected = vec![String::new(), "/doc".to_owned()];
    for group in ["events", "venues", "organizers"] {
        expected.extend([format!("/{group}"), format!("/{group}/{id}"), format!("/{group}/by-slug/{slug}")]);
    }
    for group in ["categories", "tags"] {
        expected.extend([format!("/{group}"), format!("/{group}/{id}")]);
    }
    let mut expected: Vec<String> = expected.into_iter().map(|route| format!("/tribe/events/v1{route}")).collect();
    expected.sort_unstable();
    assert_eq!(routes.keys().cloned().collect::<Vec<_>>(), expected);
    assert_eq!(routes["/tribe/events/v1"]["endpoints"][0]["args"]["namespace"]["default"], "tribe/events/v1");
    let events = &routes["/tribe/events/v1/events"];
    assert_eq!((&events["namespace"], &events["methods"]), (&json!("tribe/events/v1"), &json!(["GET", "POST"])));
    assert_eq!(events["endpoints"][0]["args"]["page"]["default"], 1);
    assert_eq!(
        (&events["endpoints"][1]["methods"], &events["endpoints"][1]["args"]["start_date"]["required"]),
        (&json!(["POST"]), &json!(true))
    );
    assert_eq!(events["_links"]["self"][0]["href"], format!("{SITE}/wp-json/tribe/events/v1/events"));
    let one = &routes[&format!("/tribe/events/v1/events/{id}")];
    assert_eq!(
        (&one["methods"], &one["endpoints"][1]["args"]["title"]["required"]),
        (&json!(["GET", "POST", "PUT", "PATCH", "DELETE"]), &json!(false))
    );
    let help = anyone.read("?context=help").await;
    assert_eq!((&help["methods"], help.get("routes")), (&json!(["GET"]), None));
}

#[tokio::test]
async fn the_root_has_the_namespace() {
    let hall = Hall::open().await;
    for path in ["/wp-json/", "/wp-json"] {
        let root = found(&Answer::to(hall.anonymous().request(Method::GET, path)).await, 200);
        assert_eq!(
            (&root["namespaces"], &root["url"], &root["home"]),
            (&json!(["tribe/events/v1"]), &json!(SITE), &json!(SITE))
        );
        assert_eq!((&root["gmt_offset"], &root["timezone_string"]), (&json!(0), &json!("UTC")));
        assert_eq!(root["routes"], Client::anonymous(&hall).read("/").await["routes"]);
    }
    let described = found(&Answer::to(hall.anonymous().request(Method::OPTIONS, "/wp-json/")).await, 200);
    assert_eq!((&described["methods"], described.get("_links")), (&json!(["GET"]), None));
    refused(&Answer::to(hall.anonymous().request(Method::POST, "/wp-json/")).await, 404, "rest_no_route");
    let wrong = hall.anonymous().request(Method::GET, "/wp-json/").header("authorization", "Bearer eh_nobody");
    assert_eq!(Answer::to(wrong).await.status, 401);
}

#[tokio::test]
async fn the_document_is_openapi() {
    let hall = Hall::open().await;
    let document = Client::anonymous(&hall).read("/doc").await;
    assert_eq!((&document["openapi"], &document["info"]["version"]), (&json!("3.0.0"), &json!("1.0.0")));
    assert_eq!(document["servers"], json!([{ "url": format!("{SITE}/wp-json/tribe/events/v1") }]));
    let schemas: Vec<&String> = document["components"]["schemas"].as_object().unwrap().keys().collect();
    assert_eq!(schemas, ["CostDetails", "DateDetails", "Event", "Image", "ImageSize", "Organizer", "Term", "Venue"]);
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 14);
    for (path, methods) in [
        ("/doc", vec!["get"]),
        ("/events", vec!["get", "post"]),
        ("/events/{id}", vec!["delete", "get", "post"]),
        ("/organizers/by-slug/{slug}", vec!["delete", "get", "post"]),
        ("/tags/{id}", vec!["delete", "get", "post"]),
    ] {
        assert_eq!(paths[path].as_object().unwrap().keys().collect::<Vec<_>>(), methods, "{path}");
    }
    let parameters = paths["/events"]["get"]["parameters"].as_array().unwrap();
    let include = parameters.iter().find(|parameter| parameter["name"] == "include").unwrap();
    assert_eq!(
        (&include["style"], &include["explode"], &include["schema"]["type"]),
        (&json!("form"), &json!(false), &json!("array"))
    );
    let body = &paths["/events/{id}"]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"];
    assert_eq!(body["all_day"]["type"], "boolean");
    let create = &paths["/events"]["post"];
    let required = &create["requestBody"]["content"]["application/json"]["schema"]["required"];
    assert_eq!(
        (&create["operationId"], required),
        (&json!("createEvent"), &json!(["title", "start_date", "end_date"]))
    );
    assert!(create["responses"]["201"].is_object() && create["responses"]["401"].is_object());
    assert_eq!(paths["/doc"]["get"]["security"], json!([]));
    assert_eq!(paths["/events/by-slug/{slug}"]["get"]["operationId"], "readEventBySlug");
}

/// Whether a value is what a schema of the document says; keys may be absent, and none is there that it does not name.
fn fits(document: &Value, schema: &Value, value: &Value) -> bool {
    if let Some(reference) = schema["$ref"].as_str() {
        return fits(document, document.pointer(reference.trim_start_matches('#')).unwrap(), value);
    }
    if let Some(either) = schema["oneOf"].as_array() {
        return either.iter().any(|one| fits(document, one, value));
    }
    match schema["type"].as_str().unwrap() {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean() && schema["enum"].as_array().is_none_or(|known| known.contains(value)),
        "array" => value.as_array().is_some_and(|items| {
            let is_short = schema["maxItems"].as_u64().is_none_or(|most| items.len() as u64 <= most);
            is_short && items.iter().all(|item| fits(document, &schema["items"], item))
        }),
        "object" => value.as_object().is_some_and(|fields| {
            let is_known = |(name, field): (&String, &Value)| {
                schema["properties"].get(name).is_some_and(|schema| fits(document, schema, field))
            };
            schema["properties"].is_null() || fields.iter().all(is_known)
        }),
        kind => panic!("no value is of type {kind}"),
    }
}

#[tokio::test]
async fn the_schemas_have_the_keys_of_answers() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let document = manager.read("/doc").await;
    let (link, image) = ("https://hall.example", "https://hall.example/a.png");
    let venue = json!({
        "venue": "Great Hall", "description": "Large", "image": image, "address": "1 Street", "city": "Ghent", "country": "Belgium",
        "province": "East Flanders", "state": "X", "zip": "9000", "phone": "1", "website": link, "geo_lat": "51.05", "geo_lng": "3.7166",
    });
    let organizer = json!({ "organizer": "Ada", "description": "Wrote", "image": image, "phone": "1", "website": link, "email": "ada@exam.test" });
    let made = manager
        .event(json!({
            "venue": venue, "organizer": [organizer], "categories": ["maths"], "tags": ["red"], "cost": "$10", "image": image, "exam": { "grade": 5 },
        }))
        .await;
    let event = manager.read(&format!("/events/{}", made["id"])).await;
    let venue = manager.read(&format!("/venues/{}", event["venue"]["id"])).await;
    let organizer = manager.read(&format!("/organizers/{}", event["organizer"][0]["id"])).await;
    let category = manager.read(&format!("/categories/{}", event["categories"][0]["id"])).await;
    let tag = manager.read(&format!("/tags/{}", event["tags"][0]["id"])).await;
    let schemas = &document["components"]["schemas"];
    for (name, schema, whole) in [
        ("Event", &schemas["Event"], &event),
        ("Venue", &schemas["Venue"], &venue),
        ("Organizer", &schemas["Organizer"], &organizer),
        ("Term", &schemas["Term"], &category),
        ("a term of an event", &schemas["Event"]["properties"]["categories"]["items"], &event["categories"][0]),
        ("Image", &schemas["Image"], &event["image"]),
        ("DateDetails", &schemas["DateDetails"], &event["start_date_details"]),
        ("CostDetails", &schemas["CostDetails"], &event["cost_details"]),
    ] {
        let documented: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(documented, whole.as_object().unwrap().keys().collect::<Vec<_>>(), "{name}");
        assert!(fits(&document, schema, whole), "{name}: {whole}");
    }
    let bare = manager.event(json!({})).await;
    for (name, part) in [
        ("Event", &made),
        ("Event", &bare),
        ("Venue", &made["venue"]),
        ("Organizer", &made["organizer"][0]),
        ("Term", &tag),
    ] {
        assert!(fits(&document, &schemas[name], part), "{name}: {part}");
    }
    assert!(!fits(&document, &schemas["Term"], &made["tags"][0]) && !fits(&document, &schemas["Venue"], &json!([])));
}

/// Parameters of which every value is taken: they mean something, or nothing.
const FREE: [&str; 7] = ["has_events", "ical", "only_with_upcoming", "order", "orderby", "password", "strict_dates"];

/// What a parameter must refuse: for most a word, which is no number, no date, no truth, and no slug that exists.
fn wrong(name: &str) -> &'static str {
    match name {
        "search" | "slug" => "0",
        "ticketed" => "true",
        _ => "nonsense",
    }
}

/// The parameters that a refusal names.
fn named(answer: &Answer) -> Vec<String> {
    let body = refused(answer, 400, "rest_invalid_param");
    body["data"]["params"].as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn every_documented_parameter_is_checked_or_free() {
    let hall = Hall::open().await;
    let anyone = Client::anonymous(&hall);
    let document = anyone.read("/doc").await;
    let event = Client::of(&hall, "manager").await.event(json!({})).await;
    let one = format!("/events/{}", event["id"]);
    let (mut checked, mut free) = (0, BTreeSet::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        let address = if path == "/events/{id}" { &one } else { path };
        let parameters =
            item["get"]["parameters"].as_array().unwrap().iter().filter(|parameter| parameter["in"] == "query");
        for name in parameters.map(|parameter| parameter["name"].as_str().unwrap()).filter(|_| !address.contains('{')) {
            let answer = anyone.get(&format!("{address}?{name}={}", wrong(name))).await;
            if FREE.contains(&name) {
                found(&answer, 200);
                free.insert(name);
            } else {
                assert_eq!(named(&answer), [name], "{path}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 50, "{checked}");
    assert_eq!(free.into_iter().collect::<Vec<_>>(), FREE);
}

#[tokio::test]
async fn every_documented_field_is_checked() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let document = manager.read("/doc").await;
    let event = manager.event(json!({ "venue": { "venue": "Hall" }, "organizer": [{ "organizer": "Ada" }], "categories": ["maths"], "tags": ["red"] })).await;
    let mut checked = 0;
    for (group, id) in [
        ("events", &event["id"]),
        ("venues", &event["venue"]["id"]),
        ("organizers", &event["organizer"][0]["id"]),
        ("categories", &event["categories"][0]["id"]),
        ("tags", &event["tags"][0]["id"]),
    ] {
        let body = &document["paths"][format!("/{group}/{{id}}")]["post"]["requestBody"]["content"]["application/json"]
            ["schema"]["properties"];
        for name in body.as_object().unwrap().keys() {
            // Neither a number nor a text, nor what any object of the interface has.
            let answer = manager.post(&format!("/{group}/{id}"), &json!({ name: { "wrong": [] } })).await;
            assert_eq!(named(&answer), [name.as_str()], "{group}");
            checked += 1;
        }
    }
    assert!(checked >= 60, "{checked}");
}
