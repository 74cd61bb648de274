//! Grading: the server computes the result itself wherever it can, and keeps what it cannot check as unverified.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use super::{create, honest, line};
use crate::hall::{Answer, Bank, Hall, assert_result};

#[tokio::test]
async fn a_forged_score_is_replaced_by_the_servers() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let paper: Vec<String> = bank.ids().into_iter().step_by(5).take(20).collect();
    // Every third answer is right, every third wrong and claimed to be right, every third empty.
    let choices: Vec<&str> =
        paper.iter().enumerate().map(|(place, id)| [bank.key(id), bank.wrong(id), ""][place % 3]).collect();
    let id = create(&hall.anonymous(), &forged(&bank, &paper, &choices)).await;
    let stored = hall.stored_session(&id).await;
    assert_eq!(stored["verified"], true);
    let chosen: BTreeMap<String, String> = paper
        .iter()
        .cloned()
        .zip(choices.iter().map(|choice| (*choice).to_owned()))
        .filter(|(_, choice)| !choice.is_empty())
        .collect();
    assert_result(&stored["result"], &bank, &paper, &chosen);
    assert_eq!(stored["result"]["timeTaken"], 321, "what the server cannot know is believed");
}

fn forged(bank: &Bank, paper: &[String], choices: &[&str]) -> Value {
    let mut body = honest(bank);
    let lines: Vec<Value> = paper.iter().zip(choices).map(|(id, choice)| line(id, choice, choice)).collect();
    body["result"]["answers"] = json!(lines);
    body["result"]["totalQuestions"] = json!(paper.len());
    body["result"]["correctAnswers"] = json!(paper.len());
    body["result"]["accuracy"] = json!(100);
    body
}

#[tokio::test]
async fn what_cannot_be_checked_is_kept_unverified() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let other_grade = hall.bank(6).await;
    let changes: [(&str, &str, Value); 4] = [
        ("an unknown question", "/result/answers/3/questionId", json!("no-such-question")),
        ("a question of another grade", "/result/answers/3/questionId", json!(other_grade.ids()[0])),
        ("another count", "/result/totalQuestions", json!(12)),
        ("the same question twice", "/result/answers/3/questionId", json!(bank.ids()[0])),
    ];
    for (what, pointer, value) in changes {
        let mut body = honest(&bank);
        *body.pointer_mut(pointer).unwrap() = value;
        let stored = hall.stored_session(&create(&hall.anonymous(), &body).await).await;
        assert_eq!(stored["verified"], false, "{what}");
        assert_eq!(stored["result"]["answers"], body["result"]["answers"], "{what}");
        assert_eq!(stored["result"]["score"], 800, "{what}");
    }
}

/// An external service retires nothing.
mod own_tables {
    use super::*;

    #[tokio::test]
    async fn a_question_that_was_retired_meanwhile_is_graded() {
        let hall = Hall::open().await;
        let (bank, admin) = (hall.bank(5).await, hall.signed_in("admin").await);
        let body = honest(&bank);
        let asked = |place: usize| body["result"]["answers"][place]["questionId"].as_str().unwrap().to_owned();
        let path = |place: usize| format!("/api/admin/questions/{}", asked(place));
        assert_eq!(Answer::to(admin.request(Method::DELETE, &path(0))).await.status, 200);
        let stored = hall.stored_session(&create(&hall.anonymous(), &body).await).await;
        assert_eq!(stored["verified"], true);
        assert_eq!(stored["result"]["answers"][0]["correct"], bank.key(&asked(0)));
        // The key of one that is for exams alone is told by no grade, retired or not.
        let secure = admin.request(Method::PUT, &format!("{}/secure", path(1))).json(&json!({ "secure": true }));
        assert_eq!(Answer::to(secure).await.status, 200);
        assert_eq!(Answer::to(admin.request(Method::DELETE, &path(1))).await.status, 200);
        let stored = hall.stored_session(&create(&hall.anonymous(), &body).await).await;
        assert_eq!(stored["verified"], false);
    }
}

#[tokio::test]
async fn editing_a_question_later_changes_no_finished_session() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let id = create(&hall.anonymous(), &honest(&bank)).await;
    let before = hall.stored_session(&id).await;
    let question = bank.ids().remove(0);
    let edit =
        json!({ "questionId": question, "grade": 5, "comment": "", "updates": { "answer": bank.wrong(&question) } });
    let edited = hall.signed_in("admin").await.post_json("/api/review/edit", &edit).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
    assert_ne!(hall.bank(5).await.key(&question), bank.key(&question));
    let after = hall.stored_session(&id).await;
    assert_eq!(before["result"], after["result"]);
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn all_wrong_is_200_and_all_right_is_800() {
        let hall = Hall::open().await;
        let bank = hall.bank(5).await;
        let paper = bank.ids()[..10].to_vec();
        let wrong: Vec<&str> = paper.iter().map(|id| bank.wrong(id)).collect();
        for (body, score) in [(forged(&bank, &paper, &wrong), 200), (honest(&bank), 800)] {
            let stored = hall.stored_session(&create(&hall.anonymous(), &body).await).await;
            assert_eq!((&stored["result"]["score"], &stored["verified"]), (&json!(score), &json!(true)));
        }
    }

    #[tokio::test]
    async fn an_unverified_score_is_clamped() {
        let hall = Hall::open().await;
        let bank = hall.bank(5).await;
        for (sent, kept) in [(99_999, 800), (-5, 200), (0, 200), (199, 200), (801, 800), (555, 555)] {
            let mut body = honest(&bank);
            body["result"]["score"] = json!(sent);
            body["result"]["answers"][0]["questionId"] = json!("no-such-question");
            let stored = hall.stored_session(&create(&hall.anonymous(), &body).await).await;
            assert_eq!((&stored["result"]["score"], &stored["verified"]), (&json!(kept), &json!(false)), "{sent}");
        }
    }

    #[tokio::test]
    async fn accuracy_is_computed_when_it_is_left_out() {
        let hall = Hall::open().await;
        let bank = hall.bank(5).await;
        let mut body = honest(&bank);
        body["result"]["answers"] = json!([]);
        body["result"]["correctAnswers"] = json!(2);
        body["result"]["totalQuestions"] = json!(3);
        let stored = hall.stored_session(&create(&hall.anonymous(), &body).await).await;
        assert_eq!((&stored["result"]["accuracy"], &stored["verified"]), (&json!(66.7), &json!(false)));
    }

    #[tokio::test]
    async fn an_empty_test_is_no_accident() {
        let hall = Hall::open().await;
        let mut body = honest(&hall.bank(5).await);
        body["result"] = json!({ "score": 700, "correctAnswers": 0, "totalQuestions": 0, "timeTaken": 0, "topicBreakdown": [], "difficultyBreakdown": [], "answers": [] });
        let stored = hall.stored_session(&create(&hall.anonymous(), &body).await).await;
        assert_eq!(stored["result"]["accuracy"].as_f64(), Some(0.0));
        if stored["verified"] == true {
            assert_eq!(stored["result"]["score"], 200, "a test without answers scores 200");
        }
    }
}
