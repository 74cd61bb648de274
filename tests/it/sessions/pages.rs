//! `GET /api/sessions` with conditions and by pages.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::{create, honest, sit};
use crate::hall::{Bank, Caller, Hall};

struct Stored {
    hall: Hall,
    admin: Caller,
    bank: Bank,
}

impl Stored {
    async fn open() -> Self {
        let hall = Hall::open().await;
        let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
        Self { hall, admin, bank }
    }

    async fn client(&self, annotations: Value) -> String {
        let mut body = honest(&self.bank);
        body["annotations"] = annotations;
        create(&self.hall.anonymous(), &body).await
    }

    async fn asked(&self, query: &str) -> Value {
        let answer = self.admin.get(&format!("/api/sessions{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
        assert_eq!((answer.header("cache-control"), answer.header("x-robots-tag")), ("no-store", "noindex"));
        answer.json()
    }

    /// The ids that a query gives, with the total.
    async fn found(&self, query: &str) -> (BTreeSet<String>, u64) {
        let page = self.asked(query).await;
        (ids(&page["sessions"]), page["total"].as_u64().unwrap())
    }
}

fn ids(sessions: &Value) -> BTreeSet<String> {
    sessions.as_array().unwrap().iter().map(|entry| entry["sessionId"].as_str().unwrap().to_owned()).collect()
}

fn set(ids: &[&String]) -> (BTreeSet<String>, u64) {
    (ids.iter().map(|id| (*id).clone()).collect(), ids.len() as u64)
}

#[tokio::test]
async fn the_plain_list_is_what_it_was() {
    let stored = Stored::open().await;
    let id = stored.client(json!({ "event": 23 })).await;
    let session = stored.hall.stored_session(&id).await;
    let expected = format!(
        r#"[{{"sessionId":"{id}","grade":5,"timestamp":{},"score":800,"correctAnswers":10,"totalQuestions":10,"reportUrl":"http://exam.localhost/report/{id}","webhookSent":false,"version":1}}]"#,
        session["timestamp"]
    );
    for query in ["", "?", "?event=", "?event=&grade="] {
        assert_eq!(stored.admin.get(&format!("/api/sessions{query}")).await.text(), expected, "{query}");
    }
}

#[tokio::test]
async fn an_entry_says_who_sat_what() {
    let stored = Stored::open().await;
    let student = stored.hall.signed_in("student").await;
    let id = sit(&stored.hall, &student, json!({ "annotations": { "name": "Ada", "studentId": "s-17", "event": 23 } }))
        .await;
    let session = stored.hall.stored_session(&id).await;
    let page = stored.asked("?page=1").await;
    let expected = json!({ "sessions": [{
        "sessionId": id, "grade": 5, "timestamp": session["timestamp"], "startedAt": session["startedAt"],
        "score": session["result"]["score"], "correctAnswers": session["result"]["correctAnswers"], "totalQuestions": 10,
        "timeTaken": session["result"]["timeTaken"], "reportUrl": session["reportUrl"], "webhookSent": false, "version": 1,
        "student": "Ada", "studentId": "s-17", "account": "student@exam.test", "origin": "live", "verified": true,
        "templateId": null, "event": 23,
    }], "page": 1, "perPage": 50, "total": 1 });
    assert_eq!(page, expected);
}

#[tokio::test]
async fn pages_hold_every_session_once() {
    let stored = Stored::open().await;
    let mut all = BTreeSet::new();
    for _ in 0..23 {
        all.insert(stored.client(json!({})).await);
    }
    let mut seen = Vec::new();
    for page in 1..=5 {
        let answer = stored.asked(&format!("?page={page}&perPage=5")).await;
        assert_eq!((&answer["total"], &answer["perPage"], &answer["page"]), (&json!(23), &json!(5), &json!(page)));
        assert_eq!(answer["sessions"].as_array().unwrap().len(), if page < 5 { 5 } else { 3 });
        seen.extend(ids(&answer["sessions"]));
    }
    assert_eq!((seen.len(), seen.into_iter().collect::<BTreeSet<_>>()), (23, all));
    assert_eq!(stored.asked("?page=6&perPage=5").await["sessions"], json!([]));
    assert_eq!(stored.asked("?perPage=500").await["sessions"].as_array().unwrap().len(), 23);
}

#[tokio::test]
async fn a_person_is_found_by_name_id_and_account() {
    let stored = Stored::open().await;
    let nguyen = stored.client(json!({ "name": "Nguyễn Thị Minh Khai", "studentId": "100%" })).await;
    let ada = stored.client(json!({ "studentId": "s_17" })).await;
    let student = stored.hall.signed_in("student").await;
    let live = sit(&stored.hall, &student, json!({ "annotations": { "name": "ADA" } })).await;
    for (q, expected) in [
        ("nguyen", set(&[&nguyen])),
        ("MINH%20kHAI", set(&[&nguyen])),
        ("Nguy%E1%BB%85n", set(&[&nguyen])),
        ("100%25", set(&[&nguyen])),
        ("%25", set(&[&nguyen])),
        ("_", set(&[&ada])),
        ("s_17", set(&[&ada])),
        ("ada", set(&[&live])),
        ("Student@Exam", set(&[&live])),
        ("nobody", set(&[])),
        ("khai%20100", set(&[])),
    ] {
        assert_eq!(stored.found(&format!("?q={q}")).await, expected, "{q}");
    }
}

#[tokio::test]
async fn conditions_hold_together() {
    let stored = Stored::open().await;
    let mut other = honest(&stored.hall.bank(6).await);
    other["grade"] = json!(6);
    let sixth = create(&stored.hall.anonymous(), &other).await;
    let early = stored.client(json!({ "event": "23" })).await;
    let live = sit(&stored.hall, &stored.hall.anonymous(), json!({ "annotations": { "event": 23 } })).await;
    stored.hall.clock.advance(Duration::from_secs(7_200));
    let late = stored.client(json!({ "event": 24 })).await;
    let time = stored.hall.stored_session(&late).await["timestamp"].as_str().unwrap().to_owned();
    let day = &time[..10];
    for (query, expected) in [
        ("?grade=6".to_owned(), set(&[&sixth])),
        ("?grade=5&origin=client".to_owned(), set(&[&early, &late])),
        ("?origin=live".to_owned(), set(&[&live])),
        ("?origin=all".to_owned(), set(&[&sixth, &early, &live, &late])),
        (format!("?from={time}"), set(&[&late])),
        (format!("?to={time}"), set(&[&sixth, &early, &live])),
        (format!("?to={day}&from=2020-01-01&grade=5&origin=client"), set(&[&early, &late])),
        (format!("?from={}", time.replace('Z', "+00:00")), set(&[&late])),
        ("?to=2020-01-01".to_owned(), set(&[])),
        ("?event=23&page=1".to_owned(), set(&[&live])),
        ("?event=23&page=1&origin=all".to_owned(), set(&[&live, &early])),
        ("?event=24&page=1&origin=client".to_owned(), set(&[&late])),
        ("?template=00000000-0000-4000-8000-000000000000".to_owned(), set(&[])),
    ] {
        assert_eq!(stored.found(&query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn an_event_lists_its_live_sessions() {
    let stored = Stored::open().await;
    let client = stored.client(json!({ "event": 23 })).await;
    let live = sit(&stored.hall, &stored.hall.anonymous(), json!({ "annotations": { "event": 23 } })).await;
    let of = async |query: &str| ids(&stored.asked(query).await);
    assert_eq!(of("?event=23").await, set(&[&live]).0);
    assert_eq!(of("?event=23&origin=all").await, set(&[&live, &client]).0);
    assert_eq!(of("?event=23&origin=client").await, set(&[&client]).0);
    let entry = &stored.asked("?event=23").await[0];
    assert_eq!((&entry["origin"], &entry["event"]), (&json!("live"), &json!(23)));
}

#[tokio::test]
async fn a_template_lists_its_sessions() {
    let stored = Stored::open().await;
    let config = json!({
        "name": "=Final", "grades": [5], "mode": "standard", "durationMinutes": 30,
        "standardTargets": { "1": 2, "2": 2, "3": 2, "4": 2, "5": 2 },
    });
    let made = stored.admin.post_json("/api/admin/test-templates", &config).await.json();
    let template = made["template"]["id"].as_str().unwrap().to_owned();
    let started = stored.hall.anonymous().post_json("/api/live", &json!({ "templateId": template })).await.json();
    let id = started["sessionId"].as_str().unwrap().to_owned();
    let submit = json!({ "commands": [{ "type": "submit", "seq": 1 }] });
    stored
        .hall
        .bearer(started["token"].as_str().unwrap())
        .post_json(&format!("/api/live/{id}/commands"), &submit)
        .await;
    stored.client(json!({})).await;
    assert_eq!(stored.found(&format!("?template={template}")).await, set(&[&id]));
    let table = stored.admin.get(&format!("/api/admin/results?template={template}")).await.text();
    assert!(table.contains(",'=Final,") && table.contains(&template), "{table}");
}

#[tokio::test]
async fn each_wrong_parameter_is_named() {
    let stored = Stored::open().await;
    for (query, name) in [
        ("page=0", "page"),
        ("page=x", "page"),
        ("perPage=501", "perPage"),
        ("perPage=-1", "perPage"),
        ("grade=11", "grade"),
        ("from=yesterday", "from"),
        ("to=2026-13-01", "to"),
        ("event=-1", "event"),
        ("template=seven", "template"),
        ("origin=lms", "origin"),
        ("q=%00", "q"),
    ] {
        let answer = stored.admin.get(&format!("/api/sessions?{query}")).await;
        answer.assert_error(400, &format!("Invalid {name}"));
    }
    let long = "x".repeat(201);
    stored.admin.get(&format!("/api/sessions?q={long}")).await.assert_error(400, "Invalid q");
    stored.admin.get("/api/sessions?grade=5&grade=6").await.assert_error(400, "Invalid query");
}
