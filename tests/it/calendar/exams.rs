//! Where the calendar and the exams meet: events that announce an exam, the sessions of an event, and calendar files.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::client::{API, Client, SITE, event, found, invalid};
use crate::hall::{Answer, Hall};

const TEMPLATE: &str = "5e0c2f0e-6b0f-4d3e-9a51-3a1f6f1c0b11";

#[tokio::test]
async fn an_exam_gives_the_event_its_website() {
    let hall = Hall::open().await;
    let manager = Client::of(&hall, "manager").await;
    let made = manager.event(json!({ "exam": { "templateId": TEMPLATE } })).await;
    assert_eq!(made["exam"], json!({ "templateId": TEMPLATE }));
    assert_eq!(made["website"], format!("{SITE}/t/{TEMPLATE}?event={}", made["id"]));
    let graded = manager.event(json!({ "exam": { "grade": 5, "mode": "adaptive" } })).await;
    assert_eq!(graded["exam"], json!({ "grade": 5, "mode": "adaptive", "durationMinutes": 70 }));
    assert!(
        graded["website"].as_str().unwrap().starts_with(&format!("{SITE}/test/5?mode=adaptive")),
        "{}",
        graded["website"]
    );
    assert!(graded["website"].as_str().unwrap().ends_with(&format!("event={}", graded["id"])));
    let sitting = manager.event(json!({ "exam": { "sittingId": TEMPLATE } })).await;
    assert_eq!(sitting["exam"], json!({ "sittingId": TEMPLATE }));
    assert_eq!(sitting["website"], format!("{SITE}/s/{TEMPLATE}"));
    let shown = Client::anonymous(&hall).read(&format!("/events/{}", sitting["id"])).await;
    assert_eq!(shown["exam"], sitting["exam"], "a sitting has doors of its own");
    let own = manager.event(json!({ "exam": { "grade": "5" }, "website": "https://own.example" })).await;
    assert_eq!(own["website"], "https://own.example");
    let path = format!("/events/{}", made["id"]);
    assert_eq!(manager.change(&path, &json!({ "title": "Kept" })).await["exam"], made["exam"]);
    let cleared = manager.change(&path, &json!({ "exam": {} })).await;
    assert_eq!((cleared.get("exam"), &cleared["website"]), (None, &made["url"]));
    assert_eq!(manager.event(json!({})).await.get("exam"), None::<&Value>);
    for exam in [
        json!("x"),
        json!({ "grade": 11 }),
        json!({ "grade": 5, "mode": "hard" }),
        json!({ "templateId": TEMPLATE, "grade": 5 }),
        json!({ "sittingId": TEMPLATE, "templateId": TEMPLATE }),
        json!({ "sittingId": TEMPLATE, "opensMinutesBefore": 5 }),
        json!({ "sittingId": "x" }),
        json!(7),
    ] {
        invalid(&manager.post("/events", &event(json!({ "exam": exam }))).await, &["exam"]);
    }
    let form = "title=A&start_date=2027-01-01&end_date=2027-01-01&exam[grade]=3&exam[durationMinutes]=45";
    let made = found(&manager.post_form("/events", form).await, 201);
    assert_eq!(made["exam"], json!({ "grade": 3, "mode": "standard", "durationMinutes": 45 }));
    assert_eq!(made["website"], format!("{SITE}/test/3?minutes=45&event={}", made["id"]));
}

#[tokio::test]
async fn sessions_are_found_by_their_event() {
    let hall = Hall::with(&[("DATA_PROVIDER", "local")]).await;
    let (manager, admin) = (Client::of(&hall, "manager").await, hall.signed_in("admin").await);
    let announced = manager.event(json!({ "exam": { "grade": 5 } })).await;
    let mut sessions = Vec::new();
    for annotations in [
        json!({ "event": announced["id"] }),
        json!({ "event": announced["id"].to_string(), "name": "Ada" }),
        json!({ "event": 999 }),
        json!({}),
    ] {
        let mut candidate = hall.sit(json!({ "grade": 5, "mode": "standard", "durationMinutes": 30, "questionCount": 10, "annotations": annotations })).await;
        candidate.submit().await;
        sessions.push(candidate.session_id.clone());
    }
    let of = async |path: &str| {
        let answer = admin.get(path).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let mut found: Vec<String> = answer
            .json()
            .as_array()
            .unwrap()
            .iter()
            .map(|session| session["sessionId"].as_str().unwrap().to_owned())
            .collect();
        found.sort_unstable();
        found
    };
    let mut expected = sessions[..2].to_vec();
    expected.sort_unstable();
    assert_eq!(of(&format!("/api/sessions?event={}", announced["id"])).await, expected);
    assert_eq!(of("/api/sessions?event=12345").await, Vec::<String>::new());
    assert_eq!(of("/api/sessions").await.len(), 4);
    admin.get("/api/sessions?event=x").await.assert_error(400, "Invalid event");
    hall.anonymous().get("/api/sessions?event=x").await.assert_error(401, "Unauthorized");
}

/// The lines of a calendar file, each whole again.
fn lines(answer: &Answer) -> Vec<String> {
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "text/calendar; charset=utf-8"),
        "{}",
        answer.text()
    );
    let text = answer.text();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "lines end in CRLF");
    assert!(text.split("\r\n").all(|line| line.len() <= 75), "lines have 75 bytes at most");
    text.replace("\r\n ", "").split("\r\n").map(str::to_owned).collect()
}

#[tokio::test]
async fn one_event_is_a_calendar_file() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let made = manager
        .event(json!({
            "title": "Maths; & more, \"final\"", "description": format!("Bring a ruler.\n\n{}", "日本語 ".repeat(60)), "timezone": "America/New_York",
            "exam": { "grade": 5 }, "venue": { "venue": "Hall", "city": "Ghent", "geo_lat": 51.05, "geo_lng": 3.72 }, "tags": ["red, blue"],
        }))
        .await;
    let (id, tag) = (made["id"].to_string(), made["tags"][0]["name"].clone());
    let answer = anyone.get(&format!("/events/{id}?ical=1")).await;
    let lines = lines(&answer);
    assert_eq!((lines[0].as_str(), lines[1].as_str()), ("BEGIN:VCALENDAR", "VERSION:2.0"));
    for line in [
        format!("UID:event-{id}@exam.localhost"),
        "DTSTART:20270101T140000Z".to_owned(),
        "DTEND:20270101T150000Z".to_owned(),
        "SUMMARY:Maths\\; & more\\, “final”".to_owned(),
        format!("URL:{SITE}/test/5?minutes=30&event={id}"),
        "LOCATION:Hall\\, Ghent".to_owned(),
        "GEO:51.05;3.72".to_owned(),
        "STATUS:CONFIRMED".to_owned(),
        format!("CATEGORIES:{}", tag.as_str().unwrap().replace(',', "\\,")),
    ] {
        assert!(lines.contains(&line), "{line} is not in {lines:#?}");
    }
    assert!(lines.iter().any(|line| line.starts_with("DESCRIPTION:Bring a ruler.\\n")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("DTSTAMP:")));
    assert_eq!(
        anyone.get(&format!("/events/by-slug/{}?ical=1", made["slug"].as_str().unwrap())).await.body,
        answer.body
    );
    let plain = manager.event(json!({})).await;
    let text = anyone.get(&format!("/events/{}?ical=1", plain["id"])).await.text();
    assert!(!text.contains("\r\nURL"), "it has no page: {text}");
    let draft = manager.event(json!({ "status": "draft" })).await;
    assert_eq!(anyone.get(&format!("/events/{}?ical=1", draft["id"])).await.status, 403);
}

#[tokio::test]
async fn the_list_is_a_feed() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    for number in 0..60 {
        manager
            .event(json!({ "title": format!("Exam {number}"), "tags": [if number % 2 == 0 { "even" } else { "odd" }] }))
            .await;
    }
    manager
        .event(json!({ "title": "Days", "all_day": true, "start_date": "2027-02-01", "end_date": "2027-02-03" }))
        .await;
    manager.event(json!({ "title": "Secret", "status": "private" })).await;
    let window = "ical=1&start_date=2027-01-01&end_date=2027-12-31";
    let all = lines(&anyone.get(&format!("/events?{window}")).await);
    assert_eq!(all.iter().filter(|line| *line == "BEGIN:VEVENT").count(), 61);
    for line in ["DTSTART;VALUE=DATE:20270201", "DTEND;VALUE=DATE:20270204", "SUMMARY:Days"] {
        assert!(all.iter().any(|found| found == line), "{line}");
    }
    assert!(!all.iter().any(|line| line.contains("Secret")));
    let odd = lines(&anyone.get(&format!("/events?{window}&tags=odd")).await);
    assert_eq!(odd.iter().filter(|line| *line == "BEGIN:VEVENT").count(), 30);
    let few = lines(&anyone.get(&format!("/events?{window}&per_page=5&page=2")).await);
    assert_eq!(few.iter().filter(|line| *line == "BEGIN:VEVENT").count(), 5);
    assert_eq!(
        lines(&anyone.get("/events?ical=1&start_date=2030-01-01&end_date=2030-01-02").await)
            .iter()
            .filter(|line| *line == "BEGIN:VEVENT")
            .count(),
        0
    );
}

#[tokio::test]
async fn a_reader_is_told_when_nothing_has_changed() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let made = manager.event(json!({ "venue": { "venue": "Hall" } })).await;
    let path = format!("{API}/events/{}?ical=1", made["id"]);
    let first = anyone.0.get(&path).await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"') && first.header("last-modified").is_empty(), "{tag}");
    let again = anyone.0.get_with(&path, "if-none-match", &tag).await;
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, tag.as_str()));
    hall.clock.advance(Duration::from_secs(5));
    // Times are not asked: what changes at a venue, or leaves a list, makes no event newer.
    let late = "Fri, 31 Dec 2100 00:00:00 GMT";
    manager.change(&format!("/venues/{}", made["venue"]["id"]), &json!({ "venue": "Another hall" })).await;
    let changed = Answer::to(anyone.0.request(Method::GET, &path).header("if-modified-since", late)).await;
    assert_eq!(changed.status, 200);
    let list = format!("{API}/events?ical=1&start_date=2027-01-01&end_date=2027-01-02");
    let before = anyone.0.get(&list).await.header("etag").to_owned();
    manager.delete(&format!("/events/{}", manager.event(json!({})).await["id"])).await;
    assert_eq!(anyone.0.get_with(&list, "if-none-match", &before).await.status, 304);
    manager.change(&format!("/events/{}", made["id"]), &json!({ "title": "Moved" })).await;
    assert_eq!(anyone.0.get_with(&list, "if-none-match", &before).await.status, 200);
    assert_ne!(changed.header("etag"), tag);
    let uid = |answer: &Answer| answer.text().lines().find(|line| line.starts_with("UID:")).map(str::to_owned);
    assert_eq!(uid(&changed), uid(&first));
}
