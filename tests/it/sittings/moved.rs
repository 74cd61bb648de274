//! What changes while candidates wait, and a server does not hear of it in time.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::entrant::Entrant;
use super::{School, id, path};
use crate::hall::{Answer, time_of};

/// A sitting in 40 minutes, whose doors open in 10, in which Ada waits.
async fn waiting(school: &School, changes: Value) -> (Value, Entrant) {
    let sitting = school.sitting(40, changes).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    school.advance(35);
    let ada = Entrant::signed_in(&school.hall, "ada@exam.test", json!({ "sittingId": sitting["id"] })).await;
    (sitting, ada)
}

#[tokio::test]
async fn a_server_that_has_not_looked_does_not_begin() {
    let school = School::open().await;
    school.hall.cookie("head@exam.test").await;
    // The server looks each second anyway, so it may have looked in between; not each time.
    for _ in 0..3 {
        let (sitting, mut ada) = waiting(&school, json!({})).await;
        // Another server has put the beginning off, and the clock of this one goes on without it, as after a stop.
        let put_off = "UPDATE sittings SET starts_at_ms = starts_at_ms + 600000, version = version + 1 WHERE id = $1";
        school.execute(put_off, vec![id(&sitting).into()]).await.unwrap();
        school.advance(6);
        let standing = ada.caller().get(&format!("/api/live/{}", ada.session_id)).await.json();
        assert_eq!((&standing["type"], &standing["keys"]), (&json!("waiting"), &Value::Null), "{standing}");
        let starts_at = loop {
            let told = ada.socket.expect("waiting").await;
            if told["startsAt"] != sitting["startsAt"] {
                break told["startsAt"].clone();
            }
        };
        assert_eq!(time_of(&starts_at) - time_of(&sitting["startsAt"]), chrono::TimeDelta::minutes(10));
        let answer = json!({ "type": "answer", "seq": 1, "questionId": "g5-001", "selected": "A" });
        ada.socket.send(&answer).await;
        ada.socket.expect_error("not_begun").await;
        school.advance(10);
        assert_eq!(ada.socket.expect("begin").await["startedAt"], starts_at);
    }
}

#[tokio::test]
async fn a_seat_that_read_the_old_paper_gets_the_new_one() {
    let mut school = School::open().await;
    let (sitting, mut ada) = waiting(&school, json!({})).await;
    let mut sealed = school.sealed_questions(&sitting).await;
    let ids = |list: &Value| list.as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
    let new = ids(&sealed);
    // As the attempt was before the paper was sealed anew: the seat is built of one and the other.
    sealed.as_array_mut().unwrap().reverse();
    let session: Uuid = ada.session_id.parse().unwrap();
    school.hall.stop().await;
    let as_before = "UPDATE attempts SET paper = $1 WHERE session_id = $2";
    school.execute(as_before, vec![sealed.to_string().into(), session.into()]).await.unwrap();
    school.hall.begin().await;
    ada.base = school.hall.base();
    ada.resume("waiting").await;
    school.advance(6);
    ada.socket.until("begin").await;
    assert_eq!(Value::Array(new), ada.resume("resumed").await["questionIds"]);
}

#[tokio::test]
async fn a_roster_that_could_not_be_read_is_read_again() {
    let school = School::open().await;
    let (sitting, mut ada) = waiting(&school, json!({})).await;
    school.hall.alter("ALTER TABLE candidates RENAME TO hidden_candidates").await;
    school.execute("UPDATE hidden_candidates SET factor = 200 WHERE name = $1", vec!["Ada".into()]).await.unwrap();
    let changed = "UPDATE sittings SET version = version + 1 WHERE id = $1";
    school.execute(changed, vec![id(&sitting).into()]).await.unwrap();
    // Two looks: the roster cannot be read meanwhile, and nothing else says so.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    school.hall.alter("ALTER TABLE hidden_candidates RENAME TO candidates").await;
    assert_eq!(ada.socket.expect("waiting").await["minutes"], 90.0);
}

#[tokio::test]
async fn an_old_paper_never_gets_the_address_of_a_new_one() {
    let school = School::open().await;
    let (sitting, mut ada) = waiting(&school, json!({})).await;
    let other = school.hall.beside().await;
    let read = async |url: &str| other.anonymous().get(url).await;
    let old = ada.waiting["sealed"][0]["url"].as_str().unwrap().to_owned();
    let first = read(&old).await;
    assert_eq!((first.status, first.header("cache-control")), (200, "public, max-age=31536000, immutable"));
    let generate = format!("/api/admin/test-templates/{}/generate?force=true", school.template);
    assert_eq!(Answer::to(school.admin.request(Method::POST, &generate)).await.status, 200);
    let told = ada.socket.expect("waiting").await;
    let new = told["sealed"][0]["url"].as_str().unwrap().to_owned();
    assert_ne!(new, old);
    // The other server believes what it has read for a second.
    let second = read(&new).await;
    assert_eq!((second.status, second.body != first.body), (200, true));
    assert_eq!(second.header("etag").trim_matches('"'), told["sealed"][0]["sha256"]);
    for gone in [old.as_str(), &format!("/api/sittings/{}/paper/1?v=", sitting["id"].as_str().unwrap())] {
        let missing = read(gone).await;
        missing.assert_fault(404, "Not found", "unknown_session");
        assert_eq!(missing.header("cache-control"), "no-store");
    }
    let unnamed = read(new.split('?').next().unwrap()).await;
    assert!(unnamed.body == second.body && !unnamed.header("cache-control").contains("immutable"));
}

#[tokio::test]
async fn who_is_ended_while_waiting_gets_nothing_of_the_paper() {
    for results in ["now", "held"] {
        let mut school = School::open().await;
        let (sitting, mut ada) = waiting(&school, json!({ "results": results })).await;
        let orders = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
        let finish = json!({ "type": "finish", "id": "f1", "sessionId": ada.session_id });
        let done = school.admin.post_json(&orders, &finish).await;
        assert_eq!((done.status, done.json()["count"].clone()), (200, json!(1)), "{}", done.text());
        let submitted = ada.socket.until("submitted").await;
        assert_eq!((&submitted["result"], &submitted["held"]), (&Value::Null, &json!(true)), "{results}");
        let report = format!("/api/sessions/{}", ada.session_id);
        for is_new in [false, true] {
            if is_new {
                school.hall.restart().await;
                ada.base = school.hall.base();
            }
            let live = ada.caller().get(&format!("/api/live/{}", ada.session_id)).await.json();
            for standing in [ada.resume("resumed").await, live] {
                let seen = (&standing["state"], &standing["questionIds"], &standing["keys"], &standing["held"]);
                assert_eq!(seen, (&json!("submitted"), &json!([]), &Value::Null, &json!(true)), "{standing}");
                assert!(!standing.to_string().contains("g5-"), "{standing}");
            }
            school.hall.anonymous().get(&report).await.assert_error(403, "Results are not released");
        }
        // Nor when the others begin: the keys are theirs.
        school.advance(6);
        let standing = ada.resume("resumed").await;
        assert_eq!((&standing["questionIds"], &standing["keys"]), (&json!([]), &Value::Null), "{standing}");
        school.admin = school.hall.signed_in("admin").await;
        assert_eq!(
            Answer::to(school.admin.request(Method::POST, &format!("{}/release", path(&sitting)))).await.status,
            200
        );
        let shown = crate::hall::eventually("the result", async || {
            Some(school.hall.anonymous().get(&report).await).filter(|answer| answer.status == 200)
        });
        assert_eq!(shown.await.json()["result"]["score"], 200);
    }
}
