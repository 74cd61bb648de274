//! Late work in a sitting: its proctors see and decide, and no score is told before the release to those who may not
//! know it.

use serde_json::{Value, json};

use super::School;
use crate::hall::{Caller, Candidate, Hall, Proctor, answer, eventually};

/// Someone without a role, who is named as the proctor of room B12.
const PROCTOR: &str = "student@exam.test";

/// A sitting whose only candidate was offline at the end.
struct Sitting {
    school: School,
    sitting: Value,
    ada: Candidate,
    proctor: Caller,
}

impl Sitting {
    /// In this room of two, of which the proctor has B12.
    async fn over(room: &str) -> Self {
        let school = School::open().await;
        let rooms = json!([{ "name": "B12", "proctors": [PROCTOR] }, { "name": "B13", "proctors": ["q@exam.test"] }]);
        let sitting = school.sitting(20, json!({ "rooms": rooms })).await;
        school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada", "room": room }])).await;
        let mut ada = school.enter(&sitting, &school.candidate(&sitting, "Ada").await).await;
        school.advance(21);
        ada.begin().await;
        let resumed = ada.resume().await;
        ada.paper = crate::hall::ids(&resumed["questionIds"]);
        let first = ada.paper[0].clone();
        ada.answer(&first, "A").await;
        ada.cut();
        school.advance(50);
        let path = format!("/api/sessions/{}", ada.session_id);
        eventually("the test has ended", async || {
            Some(school.admin.get(&path).await).filter(|answer| answer.status == 200)
        })
        .await;
        let proctor = school.hall.signed_in("student").await;
        Self { school, sitting, ada, proctor }
    }

    fn path(&self) -> String {
        format!("/api/live/sessions/{}/late", self.ada.session_id)
    }

    /// Sends what she had answered while she was offline.
    async fn send(&mut self) {
        self.send_some(1..10).await;
    }

    async fn send_some(&mut self, places: std::ops::Range<usize>) {
        let ids = self.ada.paper[places].to_vec();
        let seqs: Vec<u64> = ids.iter().map(|id| self.ada.act(answer(id, "B"))).collect();
        let performed = self.ada.post(&seqs).await;
        assert!(performed["replies"].as_array().unwrap().iter().all(|reply| reply["kept"] == true), "{performed}");
    }
}

#[tokio::test]
async fn a_proctor_without_a_role_decides_without_learning_a_score() {
    let mut late = Sitting::over("B12").await;
    late.send().await;
    let seen = late.proctor.get(&late.path()).await;
    assert_eq!((seen.status, &seen.json()["score"]), (200, &Value::Null), "{}", seen.text());
    assert_eq!(seen.json()["changes"].as_array().unwrap().len(), 9);
    let of_admin = late.school.admin.get(&late.path()).await.json();
    assert!(of_admin["score"]["after"].is_u64(), "staff of the grade are above the embargo: {of_admin}");
    let body = json!({ "decision": "accept", "comment": "", "seen": 9 });
    let decided = late.proctor.post_json(&late.path(), &body).await;
    assert_eq!((decided.status, &decided.json()["version"]), (200, &json!(2)), "{}", decided.text());
    assert_eq!(decided.json()["score"], Value::Null);
    let room = json!({ "sittingId": late.sitting["id"], "room": "B12" });
    let token = late.school.hall.token("student").await;
    let rows = Proctor::roster(&late.school.hall.base(), &token, &room).await;
    let row = rows.values().next().unwrap();
    assert_eq!((&row["late"]["accepted"], &row["score"]), (&json!(9), &Value::Null), "{row}");
    // The result is held, and the release tells of the newest alone.
    late.school.hall.anonymous().get(&format!("/api/sessions/{}", late.ada.session_id)).await.assert_some_error(403);
    assert_eq!(late.school.release(&late.sitting).await.status, 200);
    let told = late.school.hall.anonymous().get(&format!("/api/sessions/{}", late.ada.session_id)).await.json();
    assert_eq!((&told["version"], &told["reason"]), (&json!(2), &json!("late_work")));
}

#[tokio::test]
async fn the_proctor_of_another_room_may_not() {
    let mut late = Sitting::over("B13").await;
    late.send().await;
    let body = json!({ "decision": "accept", "comment": "" });
    let reviewer = late.school.hall.staff_of("reviewer", 5).await;
    for other in [&late.proctor, &reviewer] {
        other.get(&late.path()).await.assert_some_error(403);
        other.post_json(&late.path(), &body).await.assert_some_error(403);
    }
    let manager = late.school.hall.staff_of("manager", 5).await;
    assert_eq!(manager.post_json(&late.path(), &body).await.status, 200, "who manages the sitting");
}

#[tokio::test]
async fn what_comes_after_the_release_counts_as_after_the_key() {
    let mut late = Sitting::over("B12").await;
    late.send_some(1..5).await;
    assert_eq!(late.school.admin.get(&late.path()).await.json()["releasedAt"], Value::Null);
    assert_eq!(late.school.release(&late.sitting).await.status, 200);
    late.school.advance(1);
    let accept = json!({ "decision": "accept", "force": true });
    let before = late.school.admin.post_json(&late.path(), &accept).await;
    assert_eq!((before.status, &before.json()["accepted"]), (200, &json!(4)), "{}", before.text());
    late.send_some(5..10).await;
    let seen = late.school.admin.get(&late.path()).await.json();
    assert_eq!(seen["answersSeenAt"], Value::Null, "the student has not looked");
    assert_eq!(seen["releasedAt"], late.school.read(&late.sitting).await["releasedAt"]);
    late.school.admin.post_json(&late.path(), &json!({ "decision": "accept" })).await.assert_fault(
        409,
        "The results were released before this work came: accept it with force",
        "answers_seen",
    );
    let forced = late.school.admin.post_json(&late.path(), &accept).await;
    assert_eq!((forced.status, &forced.json()["accepted"]), (200, &json!(9)), "{}", forced.text());
    let versions = late.school.admin.get(&format!("/api/sessions/{}/versions", late.ada.session_id)).await.json();
    assert_eq!(versions["versions"][1]["comment"], Value::Null, "force was not needed");
    assert_eq!(versions["versions"][2]["comment"], "Accepted after the results had been released");
    let record = late.school.admin.get(&format!("/api/live/sessions/{}/events", late.ada.session_id)).await.json();
    let last = record["events"].as_array().unwrap().last().unwrap();
    assert_eq!(last["detail"], "9 changes; although the results had been released");
}

#[tokio::test]
async fn a_server_that_only_reads_shows_what_was_released() {
    let late = Sitting::over("B12").await;
    assert_eq!(late.school.release(&late.sitting).await.status, 200);
    let reader = Hall::with_store_of(&late.school.hall, &[("READ_ONLY", "true")]).await;
    let shown = reader.anonymous().get(&format!("/api/sessions/{}", late.ada.session_id)).await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    assert_eq!(late.school.admin.get(&late.path()).await.json()["answersSeenAt"], Value::Null);
}

#[tokio::test]
async fn a_decision_and_the_release_at_once_tell_the_newest_once() {
    let mut late = Sitting::over("B12").await;
    late.send().await;
    let body = json!({ "decision": "accept", "comment": "" });
    let path = late.path();
    let (decided, released) =
        tokio::join!(late.school.admin.post_json(&path, &body), late.school.release(&late.sitting));
    assert_eq!((decided.status, released.status), (200, 200), "{} {}", decided.text(), released.text());
    let told = late.school.hall.anonymous().get(&format!("/api/sessions/{}", late.ada.session_id)).await.json();
    assert_eq!(told["version"], 2);
}
