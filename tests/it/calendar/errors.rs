//! Errors: their order, their two phases, and each situation with its code.

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Client, event, found, invalid, mistyped, refused};
use crate::hall::Hall;

#[tokio::test]
async fn what_is_missing_comes_first() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    for (path, names) in [
        ("/events", json!(["title", "start_date", "end_date"])),
        ("/venues", json!(["venue"])),
        ("/organizers", json!(["organizer"])),
        ("/categories", json!(["name"])),
        ("/tags", json!(["name"])),
    ] {
        let missing =
            refused(&anyone.post(path, &json!({ "status": "nonsense" })).await, 400, "rest_missing_callback_param");
        assert_eq!(missing["data"]["params"], names);
    }
    let some = refused(
        &manager.post("/events", &json!({ "title": null, "start_date": "2027-01-01" })).await,
        400,
        "rest_missing_callback_param",
    );
    assert_eq!(some["data"]["params"], json!(["title", "end_date"]));
}

#[tokio::test]
async fn rules_go_before_types_and_both_before_rights() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    invalid(&anyone.get("/events?page=0&featured=maybe").await, &["page"]);
    mistyped(&anyone.get("/events?featured=maybe").await, &[("featured", "boolean")]);
    invalid(&anyone.post("/events", &event(json!({ "title": "", "status": "nonsense" }))).await, &["title", "status"]);
    mistyped(
        &anyone.post("/events", &event(json!({ "all_day": "yes", "sticky": "" }))).await,
        &[("all_day", "boolean"), ("sticky", "boolean")],
    );
    refused(&anyone.post("/events", &event(json!({}))).await, 401, "rest_forbidden");
    mistyped(&manager.post("/events", &event(json!({ "image": 28 }))).await, &[("image", "string")]);
    mistyped(
        &manager.post("/events", &event(json!({ "start_date": 1_799_571_600 }))).await,
        &[("start_date", "string")],
    );
    mistyped(&manager.post("/events", &event(json!({ "image": null }))).await, &[("image", "string")]);
    mistyped(
        &manager.post("/venues", &json!({ "venue": "A", "show_map": true, "show_map_link": 1 })).await,
        &[("show_map", "string"), ("show_map_link", "string")],
    );
}

#[tokio::test]
async fn unknown_events_are_told_from_other_records() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let venue = manager.make("/venues", &json!({ "venue": "Hall" })).await;
    let other = format!("/events/{}", venue["id"]);
    for path in ["/events/999999", "/events/99999999999999999999999"] {
        refused(&anyone.get(path).await, 404, "rest-event-not-found");
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            refused(&manager.send(method.clone(), path, &json!({})).await, 404, "rest-event-not-found");
            refused(&anyone.send(method, path, &json!({})).await, 401, "rest_forbidden");
        }
    }
    refused(&anyone.get(&other).await, 400, "rest-invalid-event-id");
    refused(&manager.delete(&other).await, 400, "rest-invalid-event-id");
    invalid(&anyone.get("/events/by-slug/nothing").await, &["slug"]);
    invalid(&anyone.delete("/events/by-slug/nothing").await, &["slug"]);
    refused(&manager.post("/events/by-slug/nothing", &json!({})).await, 404, "rest-event-not-found");
}

#[tokio::test]
async fn unknown_venues_organizers_and_terms_are_invalid() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let made = manager.event(json!({})).await;
    for group in ["venues", "organizers", "categories", "tags"] {
        // Terms have numbers of their own.
        let other = if ["categories", "tags"].contains(&group) { json!(0) } else { made["id"].clone() };
        for number in [json!(999_999), json!(0), other] {
            let path = format!("/{group}/{number}");
            invalid(&anyone.get(&path).await, &["id"]);
            for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                invalid(&anyone.send(method, &path, &json!({})).await, &["id"]);
            }
        }
    }
    for path in ["/venues/by-slug/nothing", "/organizers/by-slug/nothing"] {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            invalid(&anyone.send(method, path, &json!({})).await, &["slug"]);
        }
    }
}

#[tokio::test]
async fn the_trash_is_reached_once() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let event = manager.event(json!({})).await;
    let venue = manager.make("/venues", &json!({ "venue": "Hall" })).await;
    let organizer = manager.make("/organizers", &json!({ "organizer": "Ada" })).await;
    for (path, code) in [
        (format!("/events/{}", event["id"]), "event-is-in-trash"),
        (format!("/venues/{}", venue["id"]), "venue-is-in-trash"),
        (format!("/organizers/{}", organizer["id"]), "organizer-is-in-trash"),
    ] {
        let gone = found(&manager.delete(&format!("{path}?force=true")).await, 200);
        assert_eq!(gone["status"], "trash");
        assert!(gone["slug"].as_str().unwrap().ends_with("__trashed"), "{gone}");
        refused(&manager.delete(&path).await, 410, code);
    }
    for client in [&anyone, &manager] {
        refused(&client.get(&format!("/events/{}", event["id"])).await, 403, "event-no-longer-available");
        refused(&client.get(&format!("/venues/{}", venue["id"])).await, 403, "venue-not-accessible");
    }
    invalid(&manager.delete("/events/by-slug/exam").await, &["slug"]);
    refused(&manager.delete("/events/by-slug/exam__trashed").await, 410, "event-is-in-trash");
    let restored = manager.change(&format!("/events/{}", event["id"]), &json!({ "status": "publish" })).await;
    assert_eq!((&restored["status"], &restored["slug"]), (&json!("publish"), &json!("exam")));
}

#[tokio::test]
async fn a_page_past_the_end_of_records_is_not_there() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    manager
        .event(json!({ "venue": { "venue": "Hall" }, "organizer": [{ "organizer": "Ada" }], "tags": ["red"] }))
        .await;
    for (group, code) in [
        ("events", "event-archive-page-not-found"),
        ("venues", "venue-archive-page-not-found"),
        ("organizers", "organizer-archive-page-not-found"),
    ] {
        refused(&anyone.get(&format!("/{group}?page=2")).await, 404, code);
        assert_eq!(anyone.get(&format!("/{group}?search=nothing-like-it")).await.status, 200);
    }
    let terms = anyone.read("/tags?page=7").await;
    assert_eq!((&terms["tags"], &terms["total"]), (&json!([]), &json!(1)));
    assert!(terms["previous_rest_url"].as_str().unwrap().ends_with("page=6"), "{terms}");
}

#[tokio::test]
async fn blank_titles_are_empty_content() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    refused(&manager.post("/events", &event(json!({ "title": "   " }))).await, 400, "empty_content");
    refused(&manager.post("/venues", &json!({ "venue": " <b></b> " })).await, 400, "empty_content");
    refused(&manager.post("/organizers", &json!({ "organizer": " " })).await, 400, "empty_content");
    refused(&manager.post("/tags", &json!({ "name": " " })).await, 400, "empty_content");
    let made = manager.event(json!({})).await;
    refused(&manager.post(&format!("/events/{}", made["id"]), &json!({ "title": " " })).await, 400, "empty_content");
}

#[tokio::test]
async fn extensions_that_are_not_here() {
    let hall = Hall::open().await;
    let anyone = Client::anonymous(&hall);
    let body = refused(&anyone.get("/events?ticketed=true").await, 400, "rest_invalid_param");
    assert_eq!(body["data"]["details"]["ticketed"]["code"], "event-tickets-not-active");
    assert_eq!(anyone.get("/events?ticketed=false").await.status, 200);
    refused(&anyone.get("?namespace=other/v1").await, 404, "rest_invalid_namespace");
    assert_eq!(anyone.get("?namespace=tribe/events/v1").await.status, 200);
}

#[tokio::test]
async fn each_value_of_a_list_is_checked() {
    let hall = Hall::open().await;
    let anyone = Client::anonymous(&hall);
    for (query, name) in [
        ("page=0", "page"),
        ("page=x", "page"),
        ("per_page=-1", "per_page"),
        ("start_date=nonsense", "start_date"),
        ("end_date=", "end_date"),
        ("starts_after=2027-13-01", "starts_after"),
        ("ends_before=x", "ends_before"),
        ("search=", "search"),
        ("categories=nothing", "categories"),
        ("tags[]=1", "tags"),
        ("venue=7", "venue"),
        ("organizer=x", "organizer"),
        ("include=0", "include"),
        ("include[]=a", "include"),
        ("post_parent=9", "post_parent"),
        ("status=", "status"),
        ("geoloc_lat=north", "geoloc_lat"),
    ] {
        invalid(&anyone.get(&format!("/events?{query}")).await, &[name]);
    }
    for (query, name) in [("event=0", "event"), ("event=x", "event"), ("search=0", "search"), ("page=0", "page")] {
        invalid(&anyone.get(&format!("/venues?{query}")).await, &[name]);
        invalid(&anyone.get(&format!("/organizers?{query}")).await, &[name]);
    }
    for (query, name) in [
        ("include=9", "include"),
        ("exclude=nothing", "exclude"),
        ("parent=0", "parent"),
        ("post=9", "post"),
        ("search=", "search"),
    ] {
        invalid(&anyone.get(&format!("/categories?{query}")).await, &[name]);
    }
    mistyped(&anyone.get("/tags?hide_empty=perhaps").await, &[("hide_empty", "boolean")]);
    assert_eq!(anyone.get("/tags?order=sideways&orderby=nothing&parent=0").await.status, 200);
}

#[tokio::test]
async fn each_value_of_a_write_is_checked() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let rows: [(&str, Value); 27] = [
        ("title", json!("0")),
        ("title", json!(5)),
        ("description", json!("")),
        ("excerpt", json!("0")),
        ("slug", json!("")),
        ("author", json!(999)),
        ("author", json!("me")),
        ("date", json!("")),
        ("date_utc", json!("month 13")),
        ("status", json!("published")),
        ("timezone", json!("Mars/Olympus")),
        ("start_date", json!("2027-13-01")),
        ("end_date", json!("")),
        ("image", json!("")),
        ("image", json!("0")),
        ("image", json!("28")),
        ("image", json!("http://a.example/b.png")),
        ("website", json!("www.foo.com")),
        ("venue", json!("Just a name")),
        ("venue", json!({ "city": "Nameless" })),
        ("venue", json!(999)),
        ("venue", json!(["5x"])),
        ("organizer", json!([{ "phone": "1" }])),
        ("organizer", json!([1, 2])),
        ("categories", json!([{ "name": "Object" }])),
        ("tags", json!([true])),
        ("exam", json!({ "templateId": "nonsense" })),
    ];
    for (name, value) in rows {
        invalid(&manager.post("/events", &event(json!({ name: value }))).await, &[name]);
    }
    for (name, value) in [
        ("website", json!("foo")),
        ("image", json!("28")),
        ("geo_lat", json!(91)),
        ("geo_lng", json!("east")),
        ("venue", json!("")),
    ] {
        let mut body = json!({ "venue": "Hall" });
        body[name] = value;
        invalid(&manager.post("/venues", &body).await, &[name]);
    }
    mistyped(
        &manager.post("/categories", &json!({ "name": "Term", "parent": "text" })).await,
        &[("parent", "integer")],
    );
    for (name, value) in [("parent", json!(999)), ("slug", json!("")), ("description", json!(""))] {
        let mut body = json!({ "name": "Term" });
        body[name] = value;
        invalid(&manager.post("/categories", &body).await, &[name]);
    }
    assert_eq!(manager.names("/events?start_date=2020-01-01").await, Vec::<String>::new());
}
