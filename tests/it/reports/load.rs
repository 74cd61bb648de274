//! Many who ask at once: a report is made once, everyone gets theirs, and no address keeps another one waiting.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::json;

use super::{Report, open, test};
use crate::hall::{Hall, answer, eventually};

/// Callers of one report at once.
const AT_ONCE: usize = 50;
/// Reports asked for at once, by a school that prints them all.
const SCHOOL: usize = 200;

/// How many reports the server has made.
async fn made(hall: &Hall) -> u64 {
    let metrics = hall.anonymous().get("/metrics").await.text();
    let line = metrics
        .lines()
        .find_map(|line| line.strip_prefix("examhall_reports_made_total "))
        .expect("the server counts its reports");
    line.parse().unwrap()
}

#[tokio::test]
async fn a_report_that_fifty_ask_for_is_made_once() {
    let (hall, bank) = open().await;
    let caller = hall.anonymous();
    let created = caller.post_json("/api/sessions", &test(&bank, 40, json!({ "name": "Ada" }))).await.json();
    let path = format!("/api/report/{}/pdf", created["sessionId"].as_str().unwrap());
    let answers = join_all((0..AT_ONCE).map(|_| caller.get(&path))).await;
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.body == answers[0].body));
    assert_eq!(made(&hall).await, 1);
    caller.get(&path).await;
    assert_eq!(made(&hall).await, 1, "it is kept");
}

#[tokio::test]
async fn two_hundred_reports_at_once_are_all_made_and_disturb_no_exam() {
    let (hall, bank) = open().await;
    let caller = hall.anonymous();
    let mut paths = Vec::new();
    for number in 0..SCHOOL {
        let created = caller
            .post_json("/api/sessions", &test(&bank, 40, json!({ "name": format!("Ada {number}") })))
            .await
            .json();
        paths.push(format!("/api/report/{}/pdf", created["sessionId"].as_str().unwrap()));
    }
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    let asking = join_all(paths.iter().map(|path| caller.get(path)));
    let sitting = async {
        for id in candidate.paper.clone() {
            candidate.send(answer(&id, "A")).await;
            candidate.settle().await;
        }
    };
    let (answers, ()) = futures_util::future::join(asking, sitting).await;
    for answer in &answers {
        assert_eq!((answer.status, answer.body.starts_with(b"%PDF-1.7")), (200, true), "{}", answer.text());
    }
    let report = Report::of_session(&caller, paths[0].split('/').nth(3).unwrap()).await;
    assert!(report.text().contains("Ada 0"));
}

#[tokio::test]
async fn an_address_with_many_reports_keeps_no_other_waiting() {
    let hall = Hall::with(&[("TRUSTED_PROXIES", "127.0.0.1")]).await;
    let (bank, caller) = (hall.bank(5).await, hall.anonymous());
    let mut paths = Vec::new();
    for number in 0..=AT_ONCE {
        let body = test(&bank, 40, json!({ "name": format!("Ada {number}") }));
        let created = caller.post_json("/api/sessions", &body).await.json();
        paths.push(format!("/api/report/{}/pdf", created["sessionId"].as_str().unwrap()));
    }
    let (other, flood) = paths.split_first().unwrap();
    let served = AtomicUsize::new(0);
    let asking = join_all(flood.iter().map(async |path| {
        let answer = caller.get_with(path, "x-forwarded-for", "192.0.2.1").await;
        served.fetch_add(1, Ordering::Relaxed);
        answer
    }));
    let waiting = async {
        eventually("the first report of the many", async || (made(&hall).await > 0).then_some(())).await;
        let answer = caller.get_with(other, "x-forwarded-for", "192.0.2.2").await;
        (answer, served.load(Ordering::Relaxed))
    };
    let (flooded, (answer, before)) = futures_util::future::join(asking, waiting).await;
    assert_eq!(answer.status, 200);
    assert!(flooded.iter().all(|answer| answer.status == 200));
    assert!(before < AT_ONCE / 2, "{before} of {AT_ONCE} came first");
}
