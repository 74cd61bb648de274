//! The list of events: defaults, every filter, and the order.

use serde_json::json;

use super::client::{Client, invalid};
use crate::hall::Hall;

const WINDOW: &str = "start_date=2027-01-01&end_date=2027-12-31";

#[tokio::test]
async fn pages_are_ten_and_at_most_fifty() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for number in 0..12 {
        manager.event(json!({ "title": format!("Exam {number:02}") })).await;
    }
    let list = manager.read(&format!("/events?{WINDOW}")).await;
    assert_eq!(
        (list["events"].as_array().unwrap().len(), &list["total"], &list["total_pages"]),
        (10, &json!(12), &json!(2))
    );
    let all = manager.read(&format!("/events?{WINDOW}&per_page=1000")).await;
    assert_eq!((all["events"].as_array().unwrap().len(), &all["total_pages"]), (12, &json!(1)));
    assert!(all["rest_url"].as_str().unwrap().contains("per_page=50&"), "{}", all["rest_url"]);
}

#[tokio::test]
async fn without_dates_it_is_from_yesterday_for_two_years() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for day in ["-2 days", "-1 day", "now", "+23 months", "+25 months"] {
        manager.event(json!({ "title": day, "start_date": day, "end_date": day })).await;
    }
    assert_eq!(manager.names("/events").await, ["-1 day", "now", "+23 months"]);
    let rest_url = manager.read("/events").await["rest_url"].as_str().unwrap().to_owned();
    let shape = regex::Regex::new(r"events/\?page=1&per_page=10&start_date=\d{4}-\d\d-\d\d 00:00:00&end_date=\d{4}-\d\d-\d\d 23:59:59&status=any$").unwrap();
    assert!(shape.is_match(&rest_url), "{rest_url}");
    assert_eq!(manager.names("/events?starts_after=-1%20day").await, ["now", "+23 months", "+25 months"]);
    assert_eq!(manager.names("/events?starts_before=-1%20day").await, ["-2 days", "-1 day"]);
}

#[tokio::test]
async fn windows_compare_instants_by_days_of_the_site() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let late = json!({ "title": "late", "start_date": "2027-01-12 22:00", "end_date": "2027-01-12 23:00", "timezone": "America/New_York" });
    manager.event(late).await;
    manager.event(json!({ "title": "long", "start_date": "2027-01-10 09:00", "end_date": "2027-01-15 09:00" })).await;
    for (query, expected) in [
        ("start_date=2027-01-13&end_date=2027-01-13", vec!["late"]),
        ("start_date=2027-01-12&end_date=2027-01-12", vec![]),
        // What runs on is found by its start.
        ("start_date=2027-01-10&end_date=2027-01-10", vec!["long"]),
        ("start_date=2027-01-11&end_date=2027-01-12", vec![]),
        ("start_date=2027-01-10T12:00:00&end_date=2027-01-11", vec!["long"]),
        ("start_date=2027-01-10T12:00:00&end_date=2027-01-11&strict_dates=true", vec![]),
        ("ends_after=2027-01-14", vec!["long"]),
        ("ends_before=2027-01-13", vec!["late"]),
        ("ends_before=2027-01-15", vec!["long", "late"]),
        ("starts_after=2027-01-10&start_date=2027-01-01", vec!["late"]),
    ] {
        assert_eq!(manager.names(&format!("/events?{query}")).await, expected, "{query}");
    }
}

#[tokio::test]
async fn the_order_is_that_of_the_clocks() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for (title, start, zone) in [
        ("b", "2027-01-01 10:00", "Asia/Tokyo"),
        ("c", "2027-01-01 11:00", "UTC"),
        ("a", "2027-01-01 09:00", "America/New_York"),
    ] {
        manager.event(json!({ "title": title, "start_date": start, "end_date": start, "timezone": zone, "sticky": title == "c" })).await;
    }
    assert_eq!(manager.names(&format!("/events?{WINDOW}&order=desc&orderby=title")).await, ["a", "b", "c"]);
}

#[tokio::test]
async fn words_are_searched() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    manager.event(json!({ "title": "Algebra final", "description": "Bring a Ruler" })).await;
    manager.event(json!({ "title": "Geometry", "excerpt": "final & ruler" })).await;
    manager.event(json!({ "title": "History" })).await;
    for (search, expected) in [
        ("ruler", vec!["Algebra final", "Geometry"]),
        ("RULER%20final", vec!["Algebra final", "Geometry"]),
        ("ruler%20-geometry", vec!["Algebra final"]),
        ("x%20ruler", vec!["Algebra final", "Geometry"]),
        ("isto", vec!["History"]),
        ("%22final%20ruler%22", vec![]),
        ("%26", vec!["Geometry"]),
        ("100%25", vec![]),
    ] {
        assert_eq!(manager.names(&format!("/events?{WINDOW}&search={search}")).await, expected, "{search}");
    }
}

#[tokio::test]
async fn terms_venues_and_organizers_filter() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let parent = manager.make("/categories", &json!({ "name": "Science" })).await;
    let child = manager.make("/categories", &json!({ "name": "Maths", "parent": parent["id"] })).await;
    let one = manager.event(json!({ "title": "one", "categories": [child["id"]], "tags": ["red"], "venue": { "venue": "A" }, "organizer": [{ "organizer": "Ada" }, { "organizer": "Bob" }] })).await;
    let two = manager.event(json!({ "title": "two", "categories": ["Science"], "tags": ["blue"], "venue": { "venue": "B" }, "featured": true })).await;
    manager.event(json!({ "title": "three", "tags": ["日本"] })).await;
    let (venue_a, venue_b, ada) = (&one["venue"]["id"], &two["venue"]["id"], &one["organizer"][0]["id"]);
    for (query, expected) in [
        ("categories=science".to_owned(), vec!["one", "two"]),
        ("categories=maths".to_owned(), vec!["one"]),
        (format!("categories={}", parent["id"]), vec!["one", "two"]),
        ("tags=red,blue".to_owned(), vec!["one", "two"]),
        ("tags[]=red".to_owned(), vec!["one"]),
        ("tags=日本".to_owned(), vec!["three"]),
        (format!("venue={venue_a}"), vec!["one"]),
        (format!("venue={venue_a},{venue_b}"), vec!["one", "two"]),
        (format!("venue[]={venue_b}"), vec!["two"]),
        (format!("organizer={ada}"), vec!["one"]),
        ("featured=true".to_owned(), vec!["two"]),
        ("featured=0".to_owned(), vec!["one", "three"]),
        (format!("categories=science&venue={venue_b}&tags=blue&featured=1"), vec!["two"]),
        ("categories=maths&tags=blue".to_owned(), vec![]),
    ] {
        assert_eq!(manager.names(&format!("/events?{WINDOW}&{query}")).await, expected, "{query}");
    }
    let list = manager.read(&format!("/events?{WINDOW}&venue={venue_a}")).await;
    assert!(
        list["rest_url"].as_str().unwrap().ends_with(&format!("&status=any&venue={venue_a}")),
        "{}",
        list["rest_url"]
    );
    assert!(list["rest_url"].as_str().unwrap().contains("2027-01-01+00%3A00%3A00"), "{}", list["rest_url"]);
}

#[tokio::test]
async fn included_ones_are_found_whatever_their_dates() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let old = manager
        .event(json!({ "title": "old", "start_date": "2001-01-01", "end_date": "2001-01-01", "date": "2020-01-02" }))
        .await;
    let older = manager
        .event(json!({ "title": "older", "start_date": "2002-01-01", "end_date": "2002-01-01", "date": "2020-01-01" }))
        .await;
    let draft = manager.event(json!({ "title": "draft", "status": "draft" })).await;
    let venue = manager.make("/venues", &json!({ "venue": "Hall" })).await;
    let hidden = manager.event(json!({ "title": "hidden", "hide_from_listings": true })).await;
    let ids = [&old, &older, &draft, &venue, &hidden].map(|record| record["id"].to_string()).join(",");
    assert_eq!(anyone.names(&format!("/events?include={ids}&start_date=2027-01-01")).await, ["older", "old"]);
    invalid(&anyone.get(&format!("/events?include={ids}&start_date=nonsense")).await, &["start_date"]);
    assert_eq!(manager.names(&format!("/events?include={ids}")).await, ["older", "old", "draft"]);
    assert_eq!(manager.read(&format!("/events/{}", hidden["id"])).await["hide_from_listings"], true);
    assert_eq!(manager.names(&format!("/events?{WINDOW}&status=publish,draft")).await, ["draft"]);
    assert_eq!(manager.names(&format!("/events?include={}", venue["id"])).await, Vec::<String>::new());
}

#[tokio::test]
async fn nothing_belongs_to_another_event() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({})).await;
    assert_eq!(manager.read(&format!("/events?{WINDOW}&post_parent={}", made["id"])).await["total"], 0);
}

#[tokio::test]
async fn places_on_the_globe_filter_when_any_is_known() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    manager.event(json!({ "title": "somewhere", "venue": { "venue": "A" } })).await;
    let near = format!("/events?{WINDOW}&geoloc_lat=51.05&geoloc_lng=3.72");
    for path in [format!("/events?{WINDOW}&geoloc=true"), near.clone()] {
        assert_eq!(manager.names(&path).await, ["somewhere"], "without data they say nothing");
    }
    manager.event(json!({ "title": "ghent", "venue": { "venue": "B", "geo_lat": 51.06, "geo_lng": "3.73" } })).await;
    manager.event(json!({ "title": "kyoto", "venue": { "venue": "C", "geo_lat": 35.01, "geo_lng": 135.77 } })).await;
    assert_eq!(manager.names(&near).await, ["ghent"]);
    assert_eq!(manager.names(&format!("/events?{WINDOW}&geoloc=true")).await, ["ghent", "kyoto"]);
    assert_eq!(manager.names(&format!("/events?{WINDOW}&geoloc=false")).await, ["somewhere"]);
}
