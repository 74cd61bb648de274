//! Races: no list shows an event that has been withdrawn, no request does what is no longer allowed, and readers do not
//! wait for writers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::calendar::status::Status;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::client::{Client, found};
use crate::hall::{Hall, Hold};

/// How long one request is sent before the next, so that it comes first except on a very busy machine.
const AHEAD: Duration = Duration::from_millis(500);
/// How often the wrong request may come first before the test fails.
const TRIES: usize = 5;
const WINDOW: &str = "start_date=2027-01-01&end_date=2027-01-02";

/// Blocks all writes to the calendar.
async fn hold(hall: &Hall) -> Hold {
    Hold::take(hall, "DELETE FROM calendar_days WHERE day < -100000000", "SELECT pg_advisory_xact_lock(7011)").await
}

#[tokio::test]
async fn lists_show_nothing_that_was_taken_back() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let mut paths = Vec::new();
    for number in 0..6 {
        let made = manager.event(json!({ "title": format!("Exam {number}"), "tags": ["race"] })).await;
        paths.push(format!("/events/{}", made["id"]));
    }
    let is_over = AtomicBool::new(false);
    let writing = async {
        join_all(paths.iter().map(|path| async {
            for turn in 0..40 {
                let (status, title) = if turn % 2 == 0 { (Status::Draft, "SECRET") } else { (Status::Publish, "Open") };
                manager.change(path, &json!({ "status": status.name(), "title": title })).await;
            }
        }))
        .await;
        is_over.store(true, Ordering::Relaxed);
    };
    let reading = join_all((0..6).map(|reader| {
        let (anyone, is_over) = (&anyone, &is_over);
        async move {
            while !is_over.load(Ordering::Relaxed) {
                let query = if reader % 2 == 0 { format!("{WINDOW}&tags=race") } else { WINDOW.to_owned() };
                let list = anyone.read(&format!("/events?{query}")).await;
                let events = list["events"].as_array().unwrap();
                assert!(
                    events.iter().all(|event| event["status"] == "publish" && event["title"] != "SECRET"),
                    "{list}"
                );
                assert_eq!(list["total"], json!(events.len()), "{list}");
            }
        }
    }));
    tokio::join!(writing, reading);
}

#[tokio::test]
async fn what_is_published_meanwhile_is_not_deleted_by_its_reviewer() {
    let hall = Hall::open().await;
    let (manager, reviewer) = (Client::of(&hall, "manager").await, Client::of(&hall, "reviewer").await);
    // Who writes for the first time is given a number first, for which they would wait elsewhere.
    manager.event(json!({})).await;
    for (kind, fields) in [("/events", super::client::event(json!({}))), ("/venues", json!({ "venue": "Hall" }))] {
        let mut tries = 0;
        while !is_published_first(&hall, &manager, &reviewer, kind, &fields).await {
            tries += 1;
            assert!(tries < TRIES, "{kind}: the reviewer was always first");
        }
    }
}

/// Publishes a record just before its reviewer deletes it. False when the reviewer came first after all: then deleting
/// is allowed, and the test has shown nothing.
async fn is_published_first(hall: &Hall, manager: &Client, reviewer: &Client, kind: &str, fields: &Value) -> bool {
    let made = reviewer.make(kind, fields).await;
    let path = format!("{kind}/{}", made["id"]);
    let hold = hold(hall).await;
    let publish = json!({ "status": "publish" });
    // The reviewer still finds a draft, and waits behind the manager.
    let deleting = async {
        tokio::time::sleep(AHEAD).await;
        tokio::join!(reviewer.delete(&path), async {
            tokio::time::sleep(AHEAD).await;
            hold.release().await;
        })
    };
    let (published, (deleted, ())) = tokio::join!(manager.post(&path, &publish), deleting);
    if deleted.status == 200 {
        return false;
    }
    assert_eq!(published.status, 200, "{}", published.text());
    super::client::refused(&deleted, 403, "rest_forbidden");
    assert_eq!(found(&manager.get(&path).await, 200)["status"], "publish");
    true
}

#[tokio::test]
async fn reading_goes_on_while_nothing_can_be_written() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let now = hall.clock.now();
    let due = chrono::DateTime::from_timestamp_millis(now.milliseconds() + 60_000)
        .unwrap()
        .format("%Y-%m-%d %H:%M:%S")
        .to_string();
    let made = manager.event(json!({ "date": due, "status": "publish" })).await;
    assert_eq!(made["status"], "future");
    hall.clock.advance(Duration::from_secs(120));
    let hold = hold(&hall).await;
    // As many as there are connections to the store, which waiting writers must not take from readers.
    let writing = join_all((0..20).map(|number| {
        let manager = &manager;
        async move { manager.post("/venues", &json!({ "venue": format!("Hall {number}") })).await }
    }));
    let reading = async {
        for _ in 0..3 {
            hall.clock.advance(Duration::from_secs(2));
            let list =
                timeout(Duration::from_secs(4), anyone.read("/events")).await.expect("reading waits for writing");
            assert_eq!(list["total"], 0);
            timeout(Duration::from_secs(4), anyone.read("/venues")).await.expect("reading waits for writing");
        }
        let shown = anyone.read(&format!("/events/{}", made["id"])).await;
        assert_eq!(shown["status"], "publish", "by the clock it is");
        hold.release().await;
    };
    let (written, ()) = tokio::join!(writing, reading);
    let made_venues = written.iter().filter(|answer| answer.status == 201).count();
    assert!(written.iter().all(|answer| [201, 503].contains(&answer.status)));
    assert!(made_venues > 0);
    assert_eq!(anyone.read("/venues").await["total"], json!(made_venues));
    let is_listed = async {
        loop {
            hall.clock.advance(Duration::from_secs(2));
            if anyone.read(&format!("/events?{WINDOW}")).await["total"] == json!(1) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(Duration::from_secs(30), is_listed).await.expect("it is published as soon as it can be");
}

#[tokio::test]
async fn who_is_deleted_is_nobodys_author() {
    let hall = Hall::open().await;
    let (admin, reviewer) = (hall.signed_in("admin").await, Client::of(&hall, "reviewer").await);
    let draft = reviewer.event(json!({ "title": "Old" })).await;
    let removed =
        crate::hall::Answer::to(admin.request(reqwest::Method::DELETE, "/api/admin/users/reviewer@exam.test")).await;
    assert_eq!(removed.status, 200, "{}", removed.text());
    let again = Client::of(&hall, "reviewer").await;
    let authors = again.event(json!({})).await["author"].clone();
    assert_ne!(authors, draft["author"]);
    super::client::refused(&again.get(&format!("/events/{}", draft["id"])).await, 403, "event-not-accessible");
    let kept: Value = Client(admin).read(&format!("/events/{}", draft["id"])).await;
    assert_eq!(kept["author"], draft["author"]);
}
