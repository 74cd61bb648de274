//! Categories and tags.

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Client, found, invalid, refused};
use crate::hall::Hall;

#[tokio::test]
async fn they_are_made_changed_and_deleted_for_good() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for group in ["categories", "tags"] {
        let made = manager.make(&format!("/{group}"), &json!({ "name": "Red", "description": "Colour" })).await;
        let path = format!("/{group}/{}", made["id"]);
        for method in [Method::POST, Method::PUT, Method::PATCH] {
            let changed = found(&manager.send(method, &path, &json!({ "name": "Blue" })).await, 200);
            assert_eq!(
                (&changed["name"], &changed["slug"], &changed["description"]),
                (&json!("Blue"), &json!("red"), &json!("Colour"))
            );
            assert!(changed.get("_links").is_some());
        }
        assert_eq!(manager.read(&path).await["name"], "Blue");
        assert_eq!(found(&manager.delete(&path).await, 200)["name"], "Blue");
        invalid(&manager.delete(&path).await, &["id"]);
    }
}

#[tokio::test]
async fn names_and_slugs_that_are_taken() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let first = manager.make("/categories", &json!({ "name": "Red" })).await;
    let exists = refused(&manager.post("/categories", &json!({ "name": "RED" })).await, 400, "term_exists");
    assert_eq!((&exists["data"]["term_id"], &exists["additional_data"]), (&first["id"], &json!([first["id"]])));
    let below = manager.make("/categories", &json!({ "name": "Red", "parent": first["id"] })).await;
    assert_eq!(below["slug"], "red-red");
    let again = refused(
        &manager.post("/categories", &json!({ "name": "Red", "parent": first["id"] })).await,
        400,
        "term_exists",
    );
    assert_eq!((&again["data"]["term_id"], &again["additional_data"]), (&below["id"], &json!([below["id"]])));
    assert_eq!(manager.make("/categories", &json!({ "name": "Other", "slug": "red" })).await["slug"], "red-2");
    let path = format!("/categories/{}", below["id"]);
    refused(&manager.post(&path, &json!({ "slug": "red" })).await, 400, "duplicate_term_slug");
    assert_eq!(manager.change(&path, &json!({ "name": "Other" })).await["name"], "Other");
    invalid(
        &manager.post(&format!("/categories/{}", first["id"]), &json!({ "parent": below["id"] })).await,
        &["parent"],
    );
    assert_eq!(manager.change(&path, &json!({ "parent": 0 })).await["parent"], 0);
    refused(
        &manager.post("/tags", &json!({ "name": "T", "parent": first["id"] })).await,
        400,
        "rest_taxonomy_not_hierarchical",
    );
}

#[tokio::test]
async fn what_is_below_moves_up_and_events_lose_it() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let top = manager.make("/categories", &json!({ "name": "Top" })).await;
    let middle = manager.make("/categories", &json!({ "name": "Middle", "parent": top["id"] })).await;
    let bottom = manager.make("/categories", &json!({ "name": "Bottom", "parent": middle["id"] })).await;
    assert_eq!(bottom["url"], "http://exam.localhost/events/category/top/middle/bottom/");
    let event = manager.event(json!({ "categories": [middle["id"]] })).await;
    manager.delete(&format!("/categories/{}", middle["id"])).await;
    assert_eq!(manager.read(&format!("/categories/{}", bottom["id"])).await["parent"], top["id"]);
    assert_eq!(manager.read(&format!("/events/{}", event["id"])).await["categories"], json!([]));
}

#[tokio::test]
async fn lists_hide_what_no_published_event_has() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let top = manager.make("/categories", &json!({ "name": "Top" })).await;
    let child = manager.make("/categories", &json!({ "name": "Child", "parent": top["id"] })).await;
    manager.make("/categories", &json!({ "name": "Empty" })).await;
    let draft = manager.event(json!({ "status": "draft", "categories": ["Drafted"], "tags": ["drafted"] })).await;
    let other = manager.event(json!({ "categories": [child["id"]], "tags": ["b", "a"] })).await;
    manager.make("/tags", &json!({ "name": "日" })).await;
    for (path, expected) in [
        ("/categories".to_owned(), vec!["Child", "Top"]),
        ("/categories?hide_empty=false".to_owned(), vec!["Child", "Drafted", "Empty", "Top"]),
        (format!("/categories?parent={}", top["id"]), vec!["Child"]),
        (format!("/categories?event={}", draft["id"]), vec!["Drafted"]),
        (format!("/tags?post={}", draft["id"]), vec!["drafted"]),
        (format!("/tags?post={}&event={}", other["id"], draft["id"]), vec!["drafted"]),
        ("/tags".to_owned(), vec!["a", "b"]),
        ("/tags?order=DESC".to_owned(), vec!["b", "a"]),
        ("/tags?order=anything".to_owned(), vec!["b", "a"]),
        ("/tags?hide_empty=0&search=RAFT".to_owned(), vec!["drafted"]),
        ("/tags?hide_empty=0&slug=DRAFTED".to_owned(), vec!["drafted"]),
        ("/tags?hide_empty=0&slug=a,b".to_owned(), vec![]),
        ("/tags?hide_empty=0&slug=%E6%97%A5".to_owned(), vec!["日"]),
        ("/categories?hide_empty=0&orderby=count&order=desc&per_page=1".to_owned(), vec!["Child"]),
        ("/categories?hide_empty=0&orderby=id".to_owned(), vec!["Top", "Child", "Empty", "Drafted"]),
        ("/categories?hide_empty=0&orderby=nothing".to_owned(), vec!["Child", "Drafted", "Empty", "Top"]),
    ] {
        assert_eq!(anyone.names(&path).await, expected, "{path}");
    }
    assert_eq!(anyone.read("/categories").await["total"], 2);
}

#[tokio::test]
async fn numbers_are_included_and_excluded() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let mut ids = Vec::new();
    for name in ["a", "b", "c"] {
        ids.push(manager.make("/tags", &json!({ "name": name })).await["id"].clone());
    }
    let path = |query: String| format!("/tags?hide_empty=false&{query}");
    assert_eq!(manager.names(&path(format!("include={},{}", ids[2], ids[0]))).await, ["a", "c"]);
    assert_eq!(manager.names(&path(format!("include={},{}&orderby=include", ids[2], ids[0]))).await, ["c", "a"]);
    assert_eq!(manager.names(&path(format!("exclude[]={}", ids[1]))).await, ["a", "c"]);
    assert_eq!(manager.names(&path("include=a".to_owned())).await, Vec::<String>::new());
    assert_eq!(manager.names(&path("exclude=a".to_owned())).await, ["a", "b", "c"]);
}

#[tokio::test]
async fn links_keep_every_filter() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for name in ["aa", "ab", "b"] {
        manager.make("/tags", &json!({ "name": name })).await;
    }
    let list = manager.read("/tags?hide_empty=false&search=a&per_page=1").await;
    let base = "http://exam.localhost/wp-json/tribe/events/v1/tags/";
    assert_eq!((&list["rest_url"], &list["total"]), (&json!(base), &json!(2)));
    let next = list["next_rest_url"].as_str().unwrap();
    assert!(
        next.starts_with(base)
            && next.ends_with("&page=2")
            && next.contains("search=a")
            && next.contains("hide_empty=false"),
        "{next}"
    );
    assert_eq!(list.get("previous_rest_url"), None::<&Value>);
    let second = manager.names(next.strip_prefix("http://exam.localhost/wp-json/tribe/events/v1").unwrap()).await;
    assert_eq!(second, ["ab"]);
}
