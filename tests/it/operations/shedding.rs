//! While answers wait to be saved, work that can wait is refused, and whatever students need is not. Each test holds
//! the database until the save is late enough, which takes most of a second.

use serde_json::json;

use crate::either_database::sessions::honest;
use crate::hall::{Candidate, Hall, Hold, answer, eventually};

/// A small limit; work of the second kind is refused at four times as much.
pub const SOON: (&str, &str) = ("SHED_AFTER_MS", "150");
const FIRST_AFTER_SECONDS: f64 = 0.15;
const SECOND_AFTER_SECONDS: f64 = 0.6;

/// The value of a sample of the metrics, named with its labels.
async fn sample(hall: &Hall, name: &str) -> f64 {
    let text = hall.anonymous().get("/metrics").await.text();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} is not in {text}")).parse().unwrap()
}

/// Sends an answer while nothing can be saved, and waits until it is late. Returns its number.
pub async fn send_late(hall: &Hall, candidate: &mut Candidate) -> (Hold, u64) {
    let on_postgres = "LOCK TABLE journal_entries IN ACCESS EXCLUSIVE MODE";
    let hold = Hold::take(hall, "DELETE FROM journal_entries WHERE seq < 0", on_postgres).await;
    let question = candidate.paper[0].clone();
    let seq = candidate.send(answer(&question, "B")).await;
    eventually("the save is late", async || {
        (sample(hall, "examhall_save_delay_seconds").await >= SECOND_AFTER_SECONDS).then_some(())
    })
    .await;
    (hold, seq)
}

#[tokio::test]
async fn reports_and_exports_wait_for_saves_and_saves_for_nothing() {
    let hall = Hall::with(&[SOON]).await;
    let admin = hall.signed_in("admin").await;
    let mut finished = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    finished.submit().await;
    hall.stored_session(&finished.session_id).await;
    let report = |language: &str| format!("/api/report/{}/pdf?language={language}", finished.session_id);
    let statistics = |grade: u8| format!("/api/admin/items?grade={grade}");
    let export = "/api/admin/export?grade=5";
    for path in [export, &statistics(5), &report("en")] {
        assert_eq!(admin.get(path).await.status, 200, "{path}");
    }

    let mut ada = hall.sit(json!({ "grade": 5 })).await;
    let (hold, seq) = send_late(&hall, &mut ada).await;
    // What was made before is still known, so another grade and another language are asked for.
    let lists = ["/api/sessions", "/api/sessions?page=1", "/api/admin/results", "/api/admin/results?format=xlsx"];
    for path in [export, &statistics(6), &report("vi")].into_iter().chain(lists) {
        let refused = admin.get(path).await;
        refused.assert_error(503, "The server is busy");
        assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1);
    }
    assert!(sample(&hall, "examhall_shed_total{work=\"bulk\"}").await >= 2.0);
    assert!(sample(&hall, "examhall_shed_total{work=\"single\"}").await >= 1.0);
    assert_eq!(admin.get(&report("en")).await.status, 200, "a report that is known costs nothing");
    for path in ["/api/questions?grade=5", "/readyz", "/"] {
        assert_eq!(hall.anonymous().get(path).await.status, 200, "{path}");
    }

    hold.release().await;
    ada.socket().expect_saved(seq).await;
    for path in [export, &statistics(6), &report("vi")].into_iter().chain(lists) {
        let done = async || (admin.get(path).await.status == 200).then_some(());
        eventually("work that has waited is done", done).await;
    }
}

#[tokio::test]
async fn what_can_wait_waits_for_finished_tests_too() {
    let hall = Hall::with(&[SOON]).await;
    let admin = hall.signed_in("admin").await;
    let (client, test) = (hall.anonymous(), honest(&hall.bank(5).await));
    let on_postgres = "LOCK TABLE sessions IN EXCLUSIVE MODE";
    let hold = Hold::take(&hall, "DELETE FROM journal_entries WHERE seq < 0", on_postgres).await;
    let handing_in = tokio::spawn(async move { client.post_json("/api/sessions", &test).await });
    eventually("the finished test is late", async || {
        (sample(&hall, "examhall_save_delay_seconds").await >= FIRST_AFTER_SECONDS).then_some(())
    })
    .await;
    admin.get("/api/admin/export?grade=5").await.assert_error(503, "The server is busy");
    hold.release().await;
    let stored = handing_in.await.unwrap();
    assert_eq!(stored.status, 200, "{}", stored.text());
}

#[tokio::test]
async fn nothing_is_refused_where_nothing_may_be() {
    let hall = Hall::with(&[("SHED_AFTER_MS", "0")]).await;
    let admin = hall.signed_in("admin").await;
    let mut ada = hall.sit(json!({ "grade": 5 })).await;
    let (hold, seq) = send_late(&hall, &mut ada).await;
    assert_eq!(admin.get("/api/admin/items?grade=5").await.status, 200);
    hold.release().await;
    ada.socket().expect_saved(seq).await;
}
