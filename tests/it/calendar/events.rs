//! One event: updates that keep what is not sent, linked records, and terms by name.

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Client, SITE, event, found, invalid};
use crate::hall::Hall;

fn path(event: &Value) -> String {
    format!("/events/{}", event["id"])
}

#[tokio::test]
async fn the_three_methods_and_both_addresses_change_the_same() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({})).await;
    for (number, method) in [Method::POST, Method::PUT, Method::PATCH].into_iter().enumerate() {
        for path in [path(&made), "/events/by-slug/exam".to_owned()] {
            let title = format!("Title {number} {path}");
            let changed = found(&manager.send(method.clone(), &path, &json!({ "title": title })).await, 200);
            assert_eq!(
                (&changed["title"], &changed["slug"], changed.get("json_ld")),
                (&json!(title), &json!("exam"), None)
            );
        }
    }
}

#[tokio::test]
async fn what_is_not_sent_stays() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .event(json!({
            "description": "Text", "excerpt": "Short", "cost": "$10", "website": "https://a.example", "featured": true, "sticky": true, "show_map": true,
            "show_map_link": true, "image": "https://a.example/b.png", "timezone": "Europe/Paris", "all_day": true, "status": "private",
            "date": "2020-01-01 10:00", "venue": { "venue": "Hall" }, "organizer": [{ "organizer": "Ada" }], "tags": ["red"], "categories": ["Maths"],
        }))
        .await;
    let mut changed = manager.change(&path(&made), &json!({ "title": "Other", "venue": null, "tags": null })).await;
    assert_eq!(changed["title"], "Other");
    let object = changed.as_object_mut().unwrap();
    for key in ["title", "modified", "modified_utc"] {
        object.insert(key.to_owned(), made[key].clone());
    }
    assert_eq!(changed, made);
}

#[tokio::test]
async fn one_date_alone_is_applied() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "timezone": "America/New_York" })).await;
    let later = manager.change(&path(&made), &json!({ "end_date": "2027-01-01 12:00" })).await;
    assert_eq!((&later["start_date"], &later["end_date"]), (&made["start_date"], &json!("2027-01-01 12:00:00")));
    assert_eq!(later["utc_end_date"], "2027-01-01 17:00:00");
    let past = manager.change(&path(&made), &json!({ "start_date": "2027-01-02 09:00" })).await;
    assert_eq!(past["end_date"], "2027-01-02 09:00:00");
    let elsewhere = manager.change(&path(&made), &json!({ "timezone": "UTC" })).await;
    assert_eq!(
        (&elsewhere["start_date"], &elsewhere["utc_start_date"]),
        (&json!("2027-01-02 09:00:00"), &json!("2027-01-02 09:00:00"))
    );
    let whole = manager.change(&path(&made), &json!({ "all_day": "1" })).await;
    assert_eq!(
        (&whole["start_date"], &whole["end_date"]),
        (&json!("2027-01-02 00:00:00"), &json!("2027-01-02 23:59:59"))
    );
}

#[tokio::test]
async fn a_relative_date_is_that_of_the_events_zone() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let far = manager.event(json!({ "timezone": "UTC+14" })).await;
    let now = manager.change(&path(&far), &json!({ "start_date": "now", "end_date": "+1 day" })).await;
    assert_eq!((&now["timezone"], &now["utc_start_date"]), (&json!("UTC+14"), &now["modified_utc"]));
    let reset = manager.change(&path(&far), &json!({ "timezone": "" })).await;
    assert_eq!((&reset["timezone"], &reset["start_date"]), (&json!("UTC"), &now["start_date"]));
}

#[tokio::test]
async fn any_status_follows_any() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({})).await;
    for status in ["draft", "private", "trash", "pending", "auto-draft", "publish", "trash", "publish"] {
        assert_eq!(manager.change(&path(&made), &json!({ "status": status })).await["status"], status);
    }
    assert_eq!(
        manager.change(&path(&made), &json!({ "status": "publish", "date": "+1 week" })).await["status"],
        "future"
    );
    assert_eq!(manager.read(&path(&made)).await["slug"], "exam");
}

#[tokio::test]
async fn a_draft_stays_one() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "status": "draft" })).await;
    assert_eq!(manager.change(&path(&made), &json!({ "title": "Still a draft" })).await["status"], "draft");
}

#[tokio::test]
async fn venues_come_in_many_forms() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let (one, two) = (
        manager.make("/venues", &json!({ "venue": "One" })).await,
        manager.make("/venues", &json!({ "venue": "Two" })).await,
    );
    let id = one["id"].clone();
    for sent in [
        id.clone(),
        json!(id.to_string()),
        json!({ "id": id }),
        json!([id, two["id"]]),
        json!([{ "id": id }]),
        json!(format!("{id},{}", two["id"])),
        json!([{ "venue": "One" }]),
    ] {
        assert_eq!(manager.event(json!({ "venue": sent })).await["venue"]["id"], id, "{sent}");
    }
    for sent in [json!(0), json!(""), json!([]), json!(null), json!("0")] {
        assert_eq!(manager.event(json!({ "venue": sent })).await["venue"], json!([]), "{sent}");
    }
    let made = manager.event(json!({ "venue": { "venue": "Three", "city": "Ghent", "show_map": "false" } })).await;
    assert_eq!(
        (&made["venue"]["city"], &made["venue"]["show_map"], &made["venue"]["status"]),
        (&json!("Ghent"), &json!(false), &json!("publish"))
    );
    let replaced = manager.change(&path(&made), &json!({ "venue": two["id"] })).await;
    assert_eq!(replaced["venue"]["id"], two["id"]);
    assert_eq!(manager.change(&path(&made), &json!({ "venue": "" })).await["venue"], json!([]));
    invalid(
        &manager.post("/events", &event(json!({ "venue": { "venue": "Bad", "website": "foo" } }))).await,
        &["venue"],
    );
    invalid(&manager.post("/events", &event(json!({ "venue": replaced["id"] }))).await, &["venue"]);
}

#[tokio::test]
async fn organizers_come_in_many_forms() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let (one, two) = (
        manager.make("/organizers", &json!({ "organizer": "One" })).await,
        manager.make("/organizers", &json!({ "organizer": "Two" })).await,
    );
    let (a, b) = (one["id"].clone(), two["id"].clone());
    for (sent, expected) in [
        (a.clone(), vec!["One"]),
        (json!([b, a]), vec!["Two", "One"]),
        (json!([a, a, { "id": a }]), vec!["One"]),
        (json!({ "id": b }), vec!["Two"]),
        (json!({ "organizer": "Three" }), vec!["Three"]),
        (json!([a, { "organizer": "Four", "email": "four@exam.test" }]), vec!["One", "Four"]),
        (json!(format!("{b},{a}")), vec!["Two", "One"]),
        (json!([]), vec![]),
        (json!(""), vec![]),
    ] {
        let made = manager.event(json!({ "organizer": sent })).await;
        let names: Vec<&str> = made["organizer"]
            .as_array()
            .unwrap()
            .iter()
            .map(|organizer| organizer["organizer"].as_str().unwrap())
            .collect();
        assert_eq!(names, expected, "{sent}");
    }
    let made = manager.event(json!({ "organizer": [a] })).await;
    assert_eq!(manager.change(&path(&made), &json!({ "organizer": [] })).await["organizer"], json!([]));
}

#[tokio::test]
async fn inline_data_reuses_and_never_overwrites() {
    let hall = Hall::open().await;
    let (manager, reviewer) = (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await);
    let hall_venue = manager.make("/venues", &json!({ "venue": "Hall", "city": "Ghent" })).await;
    let again = manager.event(json!({ "venue": { "venue": "Hall", "city": "Brussels" } })).await;
    assert_eq!((&again["venue"]["id"], &again["venue"]["city"]), (&hall_venue["id"], &json!("Ghent")));
    let own = reviewer.event(json!({ "venue": { "venue": "Hall" } })).await;
    assert_ne!(own["venue"]["id"], hall_venue["id"], "a reviewer may not edit it");
    assert_eq!(own["venue"]["status"], "draft");
    let second = reviewer.event(json!({ "venue": { "venue": "Hall" } })).await;
    assert_eq!(second["venue"]["id"], own["venue"]["id"]);
    let shown =
        manager.event(json!({ "venue": { "venue": "As shown", "show_map": false, "show_map_link": true } })).await;
    assert_eq!((&shown["venue"]["show_map"], &shown["venue"]["show_map_link"]), (&json!(false), &json!(true)));
    let routed = manager.make("/venues", &json!({ "venue": "Hall" })).await;
    assert_ne!(routed["id"], hall_venue["id"], "the own route always makes one");
}

#[tokio::test]
async fn terms_are_found_or_made() {
    let hall = Hall::open().await;
    let (manager, reviewer) = (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await);
    let tag = manager.make("/tags", &json!({ "name": "Red Ink", "slug": "ink" })).await;
    for sent in [
        tag["id"].clone(),
        json!("ink"),
        json!("Red Ink"),
        json!("red ink"),
        json!([tag["id"].to_string()]),
        json!(["ink", "Red Ink", tag["id"]]),
    ] {
        let made = manager.event(json!({ "tags": sent })).await;
        assert_eq!((made["tags"].as_array().unwrap().len(), &made["tags"][0]["id"]), (1, &tag["id"]), "{sent}");
    }
    assert_eq!(manager.event(json!({ "tags": [999_999] })).await["tags"], json!([]));
    let signed = manager.event(json!({ "tags": [format!("+{}", tag["id"]), "-5"] })).await;
    assert_eq!(
        (&signed["tags"][0]["name"], &signed["tags"][1]["name"]),
        (&json!(format!("+{}", tag["id"])), &json!("-5")),
        "a sign makes no number"
    );
    let made = reviewer.event(json!({ "tags": "new one,ink", "categories": ["Science"] })).await;
    let names: Vec<&str> = made["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!((names, &made["categories"][0]["slug"]), (vec!["new one", "Red Ink"], &json!("science")));
    assert_eq!(manager.event(json!({ "tags": ["<b>R</b> & D"] })).await["tags"][0]["name"], "R &amp; D");
    let cleared = reviewer.change(&path(&made), &json!({ "tags": [], "categories": "" })).await;
    assert_eq!((&cleared["tags"], &cleared["categories"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn whole_numbers_and_broken_lines_are_shown_as_people_write_them() {
    let hall = Hall::open().await;
    let made = Client::of(&hall, "manager")
        .await
        .event(json!({ "cost": [10.0, 1e6], "title": "One<br>Two<BR />Three" }))
        .await;
    assert_eq!((&made["cost_details"]["values"], &made["title"]), (&json!(["10", "1000000"]), &json!("One Two Three")));
}

#[tokio::test]
async fn sent_whole_it_comes_back_whole() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .event(
            json!({ "description": "One\n\nTwo", "cost": "$10 - $20", "tags": ["red"], "venue": { "venue": "Hall" } }),
        )
        .await;
    let keys = [
        "title",
        "description",
        "slug",
        "status",
        "timezone",
        "all_day",
        "start_date",
        "end_date",
        "cost",
        "website",
        "featured",
        "date",
    ];
    let whole: Value = Value::Object(keys.iter().map(|key| ((*key).to_owned(), made[key].clone())).collect());
    let mut again = manager.change(&path(&made), &whole).await;
    for key in ["modified", "modified_utc"] {
        again[key] = made[key].clone();
    }
    assert_eq!(again, made);
}

/// What a client that sends everything back as it was shown can send.
fn shown(made: &Value) -> Value {
    let left_out = [
        "id",
        "author",
        "rest_url",
        "url",
        "global_id",
        "global_id_lineage",
        "categories",
        "tags",
        "custom_fields",
        "json_ld",
    ];
    let is_sent = |(key, value): &(&String, &Value)| !left_out.contains(&key.as_str()) && **value != "";
    Value::Object(
        made.as_object().unwrap().iter().filter(is_sent).map(|(key, value)| (key.clone(), value.clone())).collect(),
    )
}

#[tokio::test]
async fn a_link_that_follows_from_the_rest_goes_on_following() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "exam": { "grade": 4 } })).await;
    let mut whole = shown(&made);
    manager.change(&path(&made), &whole).await;
    whole["exam"] = json!({ "grade": 7, "durationMinutes": 45 });
    let changed = manager.change(&path(&made), &whole).await;
    assert_eq!(changed["website"], format!("{SITE}/test/7?minutes=45&event={}", made["id"]));
    let without = manager.change(&path(&made), &json!({ "exam": {}, "website": changed["website"] })).await;
    assert_eq!(without["website"], without["url"]);
    let moved = manager.change(&path(&made), &json!({ "website": without["website"], "slug": "moved" })).await;
    assert_eq!(moved["website"], format!("{SITE}/event/moved/"));
    let own = manager.change(&path(&made), &json!({ "website": "https://a.example/" })).await;
    let kept = manager.change(&path(&made), &json!({ "website": own["website"], "exam": { "grade": 5 } })).await;
    assert_eq!(kept["website"], "https://a.example/");
}

#[tokio::test]
async fn a_draft_and_its_places_can_be_sent_back_as_they_were_shown() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let venue = json!({ "venue": "Hall", "status": "draft", "image": "https://a.example/hall.png" });
    let made = manager.event(json!({ "status": "draft", "venue": venue, "organizer": [{ "organizer": "Ada", "status": "draft" }], "excerpt": "Short." })).await;
    let mut again = manager.change(&path(&made), &shown(&made)).await;
    let venue_path = format!("/venues/{}", made["venue"]["id"]);
    let mut shown_venue = manager.read(&venue_path).await;
    for key in ["show_map", "show_map_link"] {
        shown_venue[key] = json!(shown_venue[key].to_string());
    }
    shown_venue["image"] = shown_venue["image"]["url"].clone();
    shown_venue.as_object_mut().unwrap().retain(|key, _| !["author", "json_ld"].contains(&key.as_str()));
    manager.change(&venue_path, &shown_venue).await;
    for key in ["modified", "modified_utc", "date", "date_utc"] {
        again[key] = made[key].clone();
    }
    assert_eq!(again, made);
}

#[tokio::test]
async fn a_picture_is_taken_away_as_it_is_shown_to_be_missing() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "image": "https://a.example/a.png" })).await;
    let same = manager.change(&path(&made), &json!({ "image": made["image"] })).await;
    assert_eq!(same["image"]["url"], "https://a.example/a.png");
    assert_eq!(manager.change(&path(&made), &json!({ "title": "Kept" })).await["image"], same["image"]);
    assert_eq!(manager.change(&path(&made), &json!({ "image": false })).await["image"], false);
    super::client::invalid(&manager.post(&path(&made), &json!({ "image": {} })).await, &["image"]);
    super::client::mistyped(&manager.post(&path(&made), &json!({ "image": true })).await, &[("image", "string")]);
}

#[tokio::test]
async fn a_form_empties_a_list_by_an_empty_item() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager
        .event(json!({ "organizer": [{ "organizer": "Ada" }], "venue": { "venue": "Hall" }, "tags": ["red"] }))
        .await;
    let emptied = found(&manager.post_form(&path(&made), "organizer[]=&venue[]=&tags[]=").await, 200);
    assert_eq!((&emptied["organizer"], &emptied["venue"], &emptied["tags"]), (&json!([]), &json!([]), &json!([])));
}

#[tokio::test]
async fn too_much_is_refused_before_it_is_read() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let names = |count: usize| (0..count).map(|number| format!("name {number}")).collect::<Vec<_>>();
    for (field, many) in [
        ("tags", json!(names(101))),
        ("categories", json!(names(20_000).join(","))),
        ("organizer", json!([5; 21].to_vec())),
    ] {
        super::client::invalid(&anyone.post("/events", &event(json!({ field: many }))).await, &[field]);
    }
    assert_eq!(manager.event(json!({ "tags": names(100) })).await["tags"].as_array().unwrap().len(), 100);
    // As entities they are longer than is shown.
    let quotes = format!("x{}", "\"".repeat(60_000));
    super::client::invalid(&manager.post("/events", &event(json!({ "description": quotes }))).await, &["description"]);
    let quotes = format!("x{}", "\"".repeat(6_000));
    super::client::invalid(
        &manager.post("/venues", &json!({ "venue": "Hall", "description": quotes })).await,
        &["description"],
    );
    super::client::invalid(
        &manager.post("/events", &event(json!({ "venue": { "venue": "Hall", "description": quotes } }))).await,
        &["venue"],
    );
}

#[tokio::test]
async fn a_name_is_not_another_one_that_becomes_the_same_slug() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    for name in ["Node", "Node+", "C", "2027"] {
        manager.make("/tags", &json!({ "name": name })).await;
    }
    let made = manager.event(json!({ "tags": ["Node+", "C++", "c", "2027", "node-2", "999999"] })).await;
    let names: Vec<&str> = made["tags"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["2027", "C", "C++", "Node+"]);
}
