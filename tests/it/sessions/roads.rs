//! `PUBLIC_ANSWERS=false`: every road on which someone with a session's id could learn the keys of a test that a client
//! handed in. Anybody can hand in a test with the ids of a whole bank, so each of them is closed to all but staff of
//! the grade: the answer to `POST /api/sessions` and to its repeat, the session, its payload, the questions of its
//! report, the report on paper, and the webhook, whose receiver the caller has named. Lists and statistics are for
//! staff alone, and `/v1` is for whoever has the provider's key (`tests/it/rights.rs`, `tests/it/contract/keys.rs`).

use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};

use super::{line, sit};
use crate::hall::{Answer, Bank, Caller, Hall, Receiver};

/// A test with the first forty ids of a bank, all answered `A`, by someone who knows no key.
fn guess(bank: &Bank, webhook_url: &str) -> Value {
    let lines: Vec<Value> = bank.ids()[..40].iter().map(|id| json!({ "questionId": id, "selected": "A" })).collect();
    json!({
        "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "webhookUrl": webhook_url,
        "result": {
            "score": 200, "correctAnswers": 0, "totalQuestions": 40, "timeTaken": 60, "topicBreakdown": [],
            "difficultyBreakdown": [], "answers": lines,
        },
    })
}

/// Names of fields that tell a key, wherever they are.
fn telling(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| {
                // A breakdown's `correct` is a number.
                let tells = matches!(name.as_str(), "isCorrect" | "answer" | "explanation")
                    || (name == "correct" && value.is_string());
                tells.then(|| name.clone()).into_iter().chain(telling(value))
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(telling).collect(),
        _ => Vec::new(),
    }
}

/// Lines of the breakdowns, each of which is a sum over few questions: with one question, it tells the key.
fn sums(value: &Value) -> usize {
    let lines = |name: &str| value["result"][name].as_array().unwrap().len();
    lines("topicBreakdown") + lines("difficultyBreakdown")
}

/// Parts of a report on paper that tell such sums.
fn sums_on_paper(paper: &str) -> Vec<&str> {
    ["By topic", "By difficulty", "earns as many points"].into_iter().filter(|words| paper.contains(words)).collect()
}

async fn on_paper(caller: &Caller, id: &str) -> String {
    let answer = caller.get(&format!("/api/report/{id}/pdf")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.pdf");
    std::fs::write(&file, &answer.body).unwrap();
    let output = Command::new("pdftotext").args(["-layout".as_ref(), file.as_os_str(), "-".as_ref()]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The signs that say which answers were right, with those of the legend.
fn signs(paper: &str) -> usize {
    paper.matches(['✓', '✗']).count()
}

#[tokio::test]
async fn no_road_tells_the_keys_of_a_test_that_was_handed_in() {
    let hall = Hall::with(&[("PUBLIC_ANSWERS", "false"), ("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let receiver = Receiver::open().await;
    let admin = hall.signed_in("admin").await;
    let bank = Bank::new(admin.get("/api/questions?grade=5").await.json().as_array().unwrap().clone());
    let body = guess(&bank, &receiver.url()).to_string();
    let hand_in = || {
        let request = hall.anonymous().request(Method::POST, "/api/sessions").header("idempotency-key", "k".repeat(32));
        Answer::to(request.body(body.clone()))
    };
    let (first, again) = (hand_in().await, hand_in().await);
    assert_eq!((first.status, first.text()), (200, again.text()));
    let id = first.json()["sessionId"].as_str().unwrap().to_owned();
    let session = format!("/api/sessions/{id}");
    let roads = [session.clone(), format!("{session}?payload=1"), format!("/api/report/{id}/questions")];
    let student = hall.signed_in("student").await;
    for caller in [&hall.anonymous(), &student] {
        for road in &roads {
            let answer = caller.get(road).await;
            assert_eq!((answer.status, telling(&answer.json())), (200, Vec::new()), "{road}");
        }
        for road in &roads[..2] {
            assert_eq!(sums(&caller.get(road).await.json()), 0, "{road}");
        }
        let paper = on_paper(caller, &id).await;
        assert_eq!((paper.contains("A: "), signs(&paper)), (true, 0), "{paper}");
        assert_eq!(sums_on_paper(&paper), [""; 0], "{paper}");
        assert!(["B: ", "C: ", "D: "].iter().all(|right| !paper.contains(right)), "all were answered A: {paper}");
    }
    let told = receiver.wait_for(1).await.remove(0).json();
    assert_eq!((&told["verified"], telling(&told), sums(&told)), (&json!(true), Vec::new(), 0));
    let elsewhere = hall.staff_of("reviewer", 6).await;
    let stored = elsewhere.get(&session).await.json();
    assert!(telling(&stored).is_empty() && sums(&stored) == 0, "staff of another grade: {stored}");
    assert!(!elsewhere.get(&roads[2]).await.text().contains("\"explanation\""));
    assert_eq!(signs(&on_paper(&elsewhere, &id).await), 0);
    for caller in [admin, hall.staff_of("reviewer", 5).await] {
        let stored = caller.get(&session).await.json();
        let expected: Vec<Value> =
            bank.ids()[..40].iter().map(|id| line(id, "A", bank.key(id))["isCorrect"].clone()).collect();
        let found: Vec<Value> =
            stored["result"]["answers"].as_array().unwrap().iter().map(|line| line["isCorrect"].clone()).collect();
        assert_eq!(found, expected);
        assert!(sums(&stored) > 2, "{stored}");
        let questions = caller.get(&roads[2]).await.json();
        assert!(questions["questions"][0]["explanation"].is_string(), "{questions}");
        let paper = on_paper(&caller, &id).await;
        assert_eq!((paper.contains("B: "), signs(&paper)), (true, 40 + 2), "{paper}");
        assert_eq!(sums_on_paper(&paper), ["By topic", "By difficulty", "earns as many points"], "{paper}");
    }
    assert_eq!(signs(&on_paper(&student, &id).await), 0, "what staff have been given is not kept for others");
}

#[tokio::test]
async fn whoever_sat_the_exam_sees_what_was_right() {
    let hall = Hall::with(&[("PUBLIC_ANSWERS", "false")]).await;
    let id = sit(&hall, &hall.anonymous(), json!({})).await;
    let stored = hall.anonymous().get(&format!("/api/sessions/{id}")).await.json();
    assert!(stored["result"]["answers"][0]["correct"].is_string(), "{stored}");
    assert!(sums(&stored) > 2, "{stored}");
    let questions = hall.anonymous().get(&format!("/api/report/{id}/questions")).await.json();
    assert!(questions["questions"][0]["explanation"].is_string(), "{questions}");
}
