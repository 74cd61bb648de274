//! Venues and organizers: updates, and their lists.

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Client, found};
use crate::hall::Hall;

#[tokio::test]
async fn an_update_keeps_what_is_not_sent() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .make(
            "/venues",
            &json!({ "venue": "Hall", "country": "US", "state": "Ohio", "city": "A", "description": "Text", "show_map": "false", "status": "private" }),
        )
        .await;
    assert_eq!(made["stateprovince"], "Ohio");
    let path = format!("/venues/{}", made["id"]);
    for method in [Method::POST, Method::PUT, Method::PATCH] {
        let changed = found(&manager.send(method, &path, &json!({ "zip": "1", "description": "" })).await, 200);
        for key in [
            "venue",
            "country",
            "state",
            "city",
            "description",
            "show_map",
            "show_map_link",
            "stateprovince",
            "status",
            "slug",
        ] {
            assert_eq!(changed[key], made[key], "{key}");
        }
    }
    let cleared =
        manager.change("/venues/by-slug/hall", &json!({ "city": "", "country": "Canada", "province": "Quebec" })).await;
    assert_eq!((cleared.get("city"), &cleared["stateprovince"]), (None, &json!("Quebec")));
    let derived = manager.change(&path, &json!({ "stateprovince": "Own" })).await;
    assert_eq!(derived["stateprovince"], "Own");
    let organizer = manager.make("/organizers", &json!({ "organizer": "Ada", "email": "a", "phone": "1" })).await;
    let changed = manager.change(&format!("/organizers/{}", organizer["id"]), &json!({ "phone": "" })).await;
    assert_eq!((changed.get("phone"), &changed["email"]), (None::<&Value>, &json!("a")));
}

#[tokio::test]
async fn the_newest_comes_first() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for (name, date) in [("b", "2020-01-02"), ("a", "2020-01-03"), ("c", "2020-01-01")] {
        manager.make("/venues", &json!({ "venue": name, "date": date })).await;
        manager.make("/organizers", &json!({ "organizer": name, "date": date })).await;
    }
    assert_eq!(manager.names("/venues").await, ["a", "b", "c"]);
    assert_eq!(manager.names("/organizers?per_page=2&page=2").await, ["c"]);
}

#[tokio::test]
async fn words_are_found_within_one_field() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    manager.make("/venues", &json!({ "venue": "Great Hall", "city": "Ghent", "country": "Belgium", "phone": "123", "website": "https://venue.example" })).await;
    manager
        .make(
            "/organizers",
            &json!({ "organizer": "Ada Lovelace", "email": "ada@exam.test", "website": "https://ada.example" }),
        )
        .await;
    for (search, count) in [
        ("great", 1),
        ("HALL%20great", 1),
        ("hall%20ghent", 0),
        ("ghent", 1),
        ("belgium", 0),
        ("venue.example", 0),
        ("123", 1),
        ("none", 0),
    ] {
        let list = manager.read(&format!("/venues?search={search}")).await;
        assert_eq!((list["venues"].as_array().unwrap().len(), &list["total"]), (count, &json!(count)), "{search}");
    }
    for (search, count) in [("lovelace", 1), ("ada@exam", 1), ("ada.example", 1), ("charles", 0)] {
        assert_eq!(manager.read(&format!("/organizers?search={search}")).await["total"], count, "{search}");
    }
}

#[tokio::test]
async fn events_tell_which_are_used() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    manager.event(json!({ "start_date": "2001-01-01", "end_date": "2001-01-01", "venue": { "venue": "past" }, "organizer": [{ "organizer": "past" }] })).await;
    let soon =
        manager.event(json!({ "start_date": "+1 week", "end_date": "+1 week", "venue": { "venue": "soon" }, "organizer": [{ "organizer": "soon" }] })).await;
    let draft = json!({ "status": "draft", "start_date": "+1 week", "end_date": "+1 week", "venue": { "venue": "draft" }, "organizer": [{ "organizer": "draft" }] });
    manager.event(draft).await;
    manager.make("/venues", &json!({ "venue": "unused" })).await;
    manager.make("/organizers", &json!({ "organizer": "unused" })).await;
    for group in ["venues", "organizers"] {
        for (query, expected) in [
            (format!("event={}", soon["id"]), vec!["soon"]),
            ("has_events=true".to_owned(), vec!["past", "soon"]),
            ("has_events=".to_owned(), vec!["draft", "unused"]),
            ("has_events=no".to_owned(), vec!["draft", "unused"]),
            ("only_with_upcoming=true".to_owned(), vec!["soon"]),
            ("only_with_upcoming=false".to_owned(), vec!["draft", "past", "soon", "unused"]),
        ] {
            let mut names = anyone.names(&format!("/{group}?{query}")).await;
            names.sort_unstable();
            assert_eq!(names, expected, "{group} {query}");
        }
        let mut names = manager.names(&format!("/{group}?only_with_upcoming=true")).await;
        names.sort_unstable();
        assert_eq!(names, ["draft", "soon"]);
    }
}

#[tokio::test]
async fn their_links_keep_every_filter() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    for number in 0..3 {
        manager.make("/venues", &json!({ "venue": format!("Hall {number}") })).await;
    }
    let list = anyone.read("/venues?search=hall&per_page=1&has_events=false").await;
    let base = "http://exam.localhost/wp-json/tribe/events/v1/venues/";
    assert_eq!(list["next_rest_url"], format!("{base}?per_page=1&search=hall&status=publish&has_events=0&page=2"));
    assert_eq!(list["rest_url"], format!("{base}?page=1&per_page=1&status=publish&has_events=0"));
}

#[tokio::test]
async fn null_is_as_if_a_field_were_not_sent() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let details = ["description", "phone", "website", "image", "date", "date_utc", "status", "author"];
    let of_venues = ["address", "city", "country", "province", "state", "zip", "stateprovince", "show_map"];
    for (path, name, others) in [("/venues", "venue", &of_venues[..]), ("/organizers", "organizer", &["email"][..])] {
        let mut full = json!({ name: "Hall", "description": "Text", "phone": "1", "website": "https://a.example" });
        for field in others.iter().filter(|field| **field != "show_map") {
            full[*field] = json!("X");
        }
        let made = manager.make(path, &full).await;
        let mut empty = json!({ name: null });
        for field in details.iter().chain(others) {
            empty[*field] = Value::Null;
        }
        let kept = manager.change(&format!("{path}/{}", made["id"]), &empty).await;
        for field in [name, "description", "phone", "website", "status", "author"].iter().chain(others) {
            assert_eq!(kept[*field], made[*field], "{field}");
        }
        super::client::refused(&manager.post(path, &empty).await, 400, "rest_missing_callback_param");
        empty[name] = json!("Bare");
        let bare = manager.make(path, &empty).await;
        assert!(bare.get("website").is_none() && bare.get("phone").is_none() && bare["status"] == "publish", "{bare}");
    }
    let made = manager.event(json!({ "website": null })).await;
    assert_eq!(made["website"], made["url"]);
    let linked = manager.event(json!({ "website": "https://a.example" })).await;
    let kept = manager.change(&format!("/events/{}", linked["id"]), &json!({ "website": null })).await;
    assert_eq!(kept["website"], "https://a.example");
}
