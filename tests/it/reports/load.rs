//! Many who ask at once: a report is made once, and a server that has no time says so.

use futures_util::future::join_all;
use serde_json::json;

use super::{Report, open, test};
use crate::hall::{Hall, answer};

/// Reports asked for at once.
const AT_ONCE: usize = 50;

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
async fn fifty_reports_at_once_disturb_no_exam() {
    let (hall, bank) = open().await;
    let caller = hall.anonymous();
    let mut paths = Vec::new();
    for number in 0..AT_ONCE {
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
        match answer.status {
            200 => assert!(answer.body.starts_with(b"%PDF-1.7")),
            _ => {
                answer.assert_error(503, "The server is busy");
                assert!(!answer.header("retry-after").is_empty());
            }
        }
    }
    assert!(answers.iter().any(|answer| answer.status == 200));
    let report = Report::of_session(&caller, paths[0].split('/').nth(3).unwrap()).await;
    assert!(report.text().contains("Ada 0"));
}
