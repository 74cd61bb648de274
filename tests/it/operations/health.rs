//! `/healthz`, `/readyz`, `/metrics` and request ids.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::json;

use crate::hall::{Hall, answer, eventually};

/// The sum over all labels of a measure.
async fn measure(hall: &Hall, name: &str) -> Option<f64> {
    let text = hall.anonymous().get("/metrics").await.text();
    let line = Regex::new(&format!(r"(?m)^{name}(?:\{{[^}}]*\}})? ([0-9.eE+-]+)$")).unwrap();
    let values: Vec<f64> = line.captures_iter(&text).map(|line| line[1].parse().unwrap()).collect();
    (!values.is_empty()).then(|| values.iter().sum())
}

async fn must_measure(hall: &Hall, name: &str) -> f64 {
    measure(hall, name).await.unwrap_or_else(|| panic!("no {name}"))
}

#[tokio::test]
async fn the_outbox_is_measured() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let receiver = crate::hall::Receiver::answering(crate::hall::Reply::Hang).await;
    let mut candidate = hall.sit(json!({ "grade": 5, "webhookUrl": receiver.url() })).await;
    candidate.submit().await;
    eventually("one waits in the outbox", async || {
        // It is counted now and then.
        hall.clock.advance(std::time::Duration::from_secs(5));
        (measure(&hall, "examhall_outbox_depth").await == Some(1.0)).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_admin_sees_the_state_of_the_service() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let answer = admin.get("/api/admin/health").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let health = answer.json();
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&health["database"]["ok"], &health["provider"]["ok"]), (&json!(true), &json!(true)));
    assert!(["sqlite", "postgres"].contains(&health["database"]["kind"].as_str().unwrap()));
    assert_eq!(health["redis"]["configured"], health["redis"]["ok"]);
    assert_eq!(health["servers"].as_array().unwrap().len(), 1, "{health}");
    assert_eq!(health["queues"]["webhooksPending"], 0);
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn the_server_lives_and_is_ready() {
        let hall = Hall::open().await;
        for path in ["/healthz", "/readyz"] {
            let answer = hall.anonymous().get(path).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            answer.json();
        }
    }

    #[tokio::test]
    async fn measures_have_their_names() {
        let hall = Hall::open().await;
        let mut candidate = hall.sit(json!({ "grade": 5 })).await;
        let question = candidate.paper[0].clone();
        candidate.answer(&question, "A").await;
        for name in [
            "examhall_seats",
            "examhall_sockets",
            "examhall_commands_total",
            "examhall_journal_commands_total",
            "examhall_journal_commits_total",
            "examhall_outbox_depth",
            "examhall_http_requests_total",
            "process_resident_memory_bytes",
        ] {
            must_measure(&hall, name).await;
        }
        assert!(must_measure(&hall, "process_resident_memory_bytes").await > 1e6);
    }

    #[tokio::test]
    async fn measures_count_what_happens() {
        let hall = Hall::open().await;
        let mut candidate = hall.sit(json!({ "grade": 5 })).await;
        for id in candidate.paper.clone() {
            candidate.send(answer(&id, "A")).await;
        }
        candidate.settle().await;
        eventually("one seat and one socket are counted", async || {
            (measure(&hall, "examhall_seats").await == Some(1.0)
                && measure(&hall, "examhall_sockets").await == Some(1.0))
            .then_some(())
        })
        .await;
        eventually("the commands are counted", async || {
            (measure(&hall, "examhall_commands_total").await >= Some(20.0)).then_some(())
        })
        .await;
        let (commands, commits) = (
            must_measure(&hall, "examhall_journal_commands_total").await,
            must_measure(&hall, "examhall_journal_commits_total").await,
        );
        assert!(commands >= 20.0 && commits >= 1.0 && commits <= commands, "{commands} in {commits}");
        candidate.cut();
        eventually("the socket is gone", async || {
            (measure(&hall, "examhall_sockets").await == Some(0.0)).then_some(())
        })
        .await;
    }

    #[tokio::test]
    async fn requests_are_counted() {
        let hall = Hall::open().await;
        hall.anonymous().get("/metrics").await;
        let before = must_measure(&hall, "examhall_http_requests_total").await;
        for _ in 0..10 {
            hall.anonymous().get("/api/questions?grade=5").await;
        }
        assert!(must_measure(&hall, "examhall_http_requests_total").await >= before + 10.0);
    }

    #[tokio::test]
    async fn labels_do_not_grow_with_what_callers_invent() {
        let hall = Hall::open().await;
        let lines = async || hall.anonymous().get("/metrics").await.text().lines().count();
        hall.anonymous().get("/api/invented-0").await;
        let before = lines().await;
        for number in 1..200 {
            hall.anonymous().get(&format!("/api/invented-{number}")).await;
            hall.anonymous().get(&format!("/api/sessions/{}", uuid::Uuid::new_v4())).await;
        }
        assert!(lines().await < before + 50, "{before} lines before");
    }

    #[tokio::test]
    async fn every_answer_has_a_request_id() {
        let hall = Hall::open().await;
        let mut ids = BTreeSet::new();
        let paths = [
            "/api/questions?grade=5",
            "/api/questions?grade=0",
            "/api/nothing",
            "/healthz",
            "/api/sessions",
            "/metrics",
        ];
        for path in paths {
            let id = hall.anonymous().get(path).await.header("x-request-id").to_owned();
            assert!(id.len() >= 8, "{path}: {id:?}");
            ids.insert(id);
        }
        assert_eq!(ids.len(), paths.len());
    }

    #[tokio::test]
    async fn a_callers_request_id_cannot_break_the_log() {
        let hall = Hall::open().await;
        let long = "x".repeat(5_000);
        for sent in ["id-from-the-proxy-1", "a b\"c", long.as_str()] {
            let answer = hall.anonymous().get_with("/healthz", "x-request-id", sent).await;
            let id = answer.header("x-request-id");
            assert!((8..=200).contains(&id.len()) && !id.contains(['"', ' ']), "{sent:?} → {id:?}");
        }
    }
}
