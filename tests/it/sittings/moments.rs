//! A server that stops at each moment at which a sitting is changed: whoever comes back has the right paper, the right
//! start and the right deadline.

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::entrant::Entrant;
use super::{School, candidate_path, path, send};
use crate::hall::{Answer, time_of};

const MINUTES: i64 = 45;

/// A sitting in 40 minutes with so many candidates, who all wait.
async fn waiting(count: usize, changes: Value, room: Option<&str>) -> (School, Value, Vec<Entrant>) {
    let school = School::open().await;
    let sitting = school.sitting(40, changes).await;
    let email = |number: usize| format!("c{number}@exam.test");
    let row = |number: usize| json!({ "email": email(number), "name": email(number), "room": room });
    school.enrol(&sitting, (0..count).map(row).collect()).await;
    school.advance(11);
    // The first one to sign in becomes admin.
    school.hall.cookie("head@exam.test").await;
    let enter = |number: usize| {
        let (hall, sitting) = (&school.hall, &sitting);
        async move { Entrant::signed_in(hall, &email(number), json!({ "sittingId": sitting["id"] })).await }
    };
    let mut entrants = Vec::new();
    for first in (0..count).step_by(20) {
        entrants.extend(join_all((first..count.min(first + 20)).map(enter)).await);
    }
    (school, sitting, entrants)
}

/// The server stops and starts again; everyone comes back and is answered so.
async fn stopped(school: &mut School, entrants: &mut [Entrant], kind: &str) -> Vec<Value> {
    school.hall.restart().await;
    school.admin = school.hall.signed_in("admin").await;
    let base = school.hall.base();
    let resuming = entrants.iter_mut().map(|entrant| {
        entrant.base.clone_from(&base);
        entrant.resume(kind)
    });
    join_all(resuming).await
}

/// Whether someone at work has this start, so many minutes, and the paper that is stored; they can answer it.
async fn assert_at_work(school: &School, sitting: &Value, entrant: &mut Entrant, start: &Value, minutes: i64) {
    let resumed = entrant.resume("resumed").await;
    assert_eq!(&resumed["startedAt"], start);
    assert_eq!(time_of(&resumed["deadline"]) - time_of(start), TimeDelta::minutes(minutes), "{resumed}");
    let stored = school.sealed_questions(sitting).await;
    let ids: Vec<&Value> = stored.as_array().unwrap().iter().map(|question| &question["id"]).collect();
    assert_eq!(resumed["questionIds"].as_array().unwrap().iter().collect::<Vec<_>>(), ids);
    if !entrant.sealed.is_empty() {
        let opened = entrant.open("1", &resumed["keys"]);
        assert_eq!(opened.iter().map(|question| &question["id"]).collect::<Vec<_>>(), ids, "the paper of the browser");
    }
    entrant.answer(900, &stored[0], "B").await;
}

fn begun_at(frame: &Value) -> DateTime<Utc> {
    time_of(&frame["startedAt"])
}

#[tokio::test]
async fn postponed_by_ten_minutes_while_two_hundred_wait() {
    let (mut school, sitting, mut entrants) = waiting(200, json!({}), None).await;
    let planned = time_of(&sitting["startsAt"]);
    let later = super::time(planned + TimeDelta::minutes(10));
    assert_eq!(school.patch(&sitting, json!({ "startsAt": later })).await.status, 200);
    for waiting in stopped(&mut school, &mut entrants, "waiting").await {
        assert_eq!((&waiting["startsAt"], &waiting["minutes"]), (&json!(later), &json!(45.0)));
    }
    school.advance(30);
    assert!(school.hall.clock.now().utc() > planned, "the first start has passed");
    let states = school.candidates(&sitting).await;
    assert!(states.iter().all(|one| one["state"] == "waiting"));
    school.advance(10);
    let begun = join_all(entrants.iter_mut().map(|entrant| entrant.socket.until("begin"))).await;
    assert!(begun.iter().all(|begun| begun["startedAt"] == later.as_str()));
    for resumed in stopped(&mut school, &mut entrants, "resumed").await {
        assert_eq!((&resumed["startedAt"], resumed["keys"]["1"].is_string()), (&json!(later), true));
        assert_eq!(time_of(&resumed["deadline"]) - begun_at(&resumed), TimeDelta::minutes(MINUTES));
    }
    for entrant in entrants.iter_mut().take(5) {
        assert_at_work(&school, &sitting, entrant, &json!(later), MINUTES).await;
    }
}

#[tokio::test]
async fn begun_early_by_a_proctor() {
    let (mut school, sitting, mut entrants) = waiting(20, json!({ "start": "proctor" }), None).await;
    let orders = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
    let done = school.admin.post_json(&orders, &json!({ "id": "b", "type": "begin" })).await;
    assert_eq!(done.json(), json!({ "count": 1 }), "{}", done.text());
    stopped(&mut school, &mut entrants, "resumed").await;
    let begun = school.read(&sitting).await["begunAt"].clone();
    assert!(time_of(&begun) < time_of(&sitting["startsAt"]));
    for entrant in &mut entrants {
        assert_at_work(&school, &sitting, entrant, &begun, MINUTES).await;
    }
}

#[tokio::test]
async fn redrawn_while_the_doors_are_open() {
    let (mut school, sitting, mut entrants) = waiting(20, json!({}), None).await;
    for entrant in &mut entrants {
        entrant.prepare().await;
    }
    let before = school.sealed_questions(&sitting).await;
    let template = format!("/api/admin/test-templates/{}", school.template);
    for change in ["generate", "swap"] {
        let list = school.admin.get(&template).await.json()["template"]["standardQuestions"].clone();
        let swap = json!({ "bucket": { "kind": "standard" }, "questionId": list[0]["id"] });
        let answer = school.admin.post_json(&format!("{template}/{change}?force=true"), &swap).await;
        assert_eq!(answer.status, 200, "{change}: {}", answer.text());
    }
    assert_ne!(school.sealed_questions(&sitting).await, before);
    let told = stopped(&mut school, &mut entrants, "waiting").await;
    for (entrant, waiting) in entrants.iter_mut().zip(told) {
        assert_eq!(waiting["ready"], false, "the paper that they have is an old one");
        assert_ne!(waiting["sealed"], entrant.waiting["sealed"]);
        entrant.waiting = waiting;
        entrant.prepare().await;
    }
    school.advance(30);
    for entrant in &mut entrants {
        assert_eq!(entrant.socket.until("begin").await["startedAt"], sitting["startsAt"]);
        assert_at_work(&school, &sitting, entrant, &sitting["startsAt"], MINUTES).await;
    }
}

#[tokio::test]
async fn extra_time_while_they_are_at_work() {
    let (mut school, sitting, mut entrants) = waiting(20, json!({}), None).await;
    school.advance(30);
    for entrant in &mut entrants {
        entrant.socket.until("begin").await;
    }
    let mut minutes = Vec::new();
    for (index, entrant) in entrants.iter().enumerate() {
        let candidate = school.candidate(&sitting, entrant.waiting["name"].as_str().unwrap()).await;
        let (more, given) = match index % 3 {
            0 => (json!({ "extraMinutes": 15 }), 60),
            1 => (json!({ "factor": 200 }), 90),
            _ => (json!({ "seat": "7" }), MINUTES),
        };
        let answer = send(&school.admin, Method::PATCH, &candidate_path(&sitting, &candidate), &more).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        minutes.push(given);
    }
    stopped(&mut school, &mut entrants, "resumed").await;
    for (entrant, minutes) in entrants.iter_mut().zip(minutes) {
        assert_at_work(&school, &sitting, entrant, &sitting["startsAt"], minutes).await;
    }
}

#[tokio::test]
async fn moved_to_another_room() {
    let rooms = json!([{ "name": "B12" }, { "name": "B13" }, { "name": "B14" }]);
    let (mut school, sitting, mut entrants) = waiting(9, json!({ "rooms": rooms }), Some("B12")).await;
    let start = sitting["startsAt"].clone();
    let later = super::time(time_of(&start) + TimeDelta::minutes(10));
    let rooms = json!([{ "name": "B12" }, { "name": "B13", "startsAt": later }, { "name": "B14" }]);
    assert_eq!(school.patch(&sitting, json!({ "rooms": rooms })).await.status, 200);
    let move_to = async |school: &School, entrant: &Entrant, room: &str| -> Answer {
        let candidate = school.candidate(&sitting, entrant.waiting["name"].as_str().unwrap()).await;
        send(&school.admin, Method::PATCH, &candidate_path(&sitting, &candidate), &json!({ "room": room })).await
    };
    // While they wait, into a room that begins later.
    for entrant in &entrants[..3] {
        assert_eq!(move_to(&school, entrant, "B13").await.status, 200);
    }
    let told = stopped(&mut school, &mut entrants, "waiting").await;
    for (index, waiting) in told.iter().enumerate() {
        let expected = if index < 3 { ("B13", json!(later)) } else { ("B12", start.clone()) };
        assert_eq!((waiting["room"].as_str().unwrap(), waiting["startsAt"].clone()), expected);
    }
    school.advance(30);
    for entrant in &mut entrants[3..] {
        assert_eq!(entrant.socket.until("begin").await["startedAt"], start);
    }
    // At work, into one with the same times; one with others is refused, also by a list.
    for entrant in &entrants[3..6] {
        assert_eq!(move_to(&school, entrant, "B14").await.status, 200);
    }
    move_to(&school, &entrants[6], "B13").await.assert_error(409, "Sitting has begun");
    stopped(&mut school, &mut entrants[3..], "resumed").await;
    for entrant in &mut entrants[3..] {
        assert_at_work(&school, &sitting, entrant, &start, MINUTES).await;
    }
    school.advance(10);
    stopped(&mut school, &mut entrants[..3], "resumed").await;
    for entrant in &mut entrants {
        entrant.base = school.hall.base();
    }
    for entrant in &mut entrants[..3] {
        assert_at_work(&school, &sitting, entrant, &json!(later), MINUTES).await;
    }
    let name = entrants[3].waiting["name"].clone();
    assert_eq!(school.candidate(&sitting, name.as_str().unwrap()).await["room"], "B14");
    assert_eq!(school.admin.get(&path(&sitting)).await.json()["sitting"]["counts"]["active"], 9);
}
