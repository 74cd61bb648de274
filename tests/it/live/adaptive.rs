//! Adaptive tests: the second stage by the weighted band of the first.

use std::collections::BTreeSet;

use serde_json::json;

use super::{answer_all, selected};
use crate::hall::{Bank, Candidate, Hall, answer, assert_result};

/// Points of stage 1, the band they belong to, and the second stage's questions by difficulty; 65 points are all.
const BOUNDARIES: [(u64, &str, [usize; 5]); 11] = [
    (65, "90-100", [0, 1, 3, 6, 10]),
    (59, "90-100", [0, 1, 3, 6, 10]),
    (58, "80-90", [1, 2, 4, 6, 7]),
    (52, "80-90", [1, 2, 4, 6, 7]),
    (51, "70-80", [2, 3, 5, 5, 5]),
    (46, "70-80", [2, 3, 5, 5, 5]),
    (45, "60-70", [3, 4, 5, 5, 3]),
    (39, "60-70", [3, 4, 5, 5, 3]),
    (38, "below-60", [6, 5, 5, 3, 1]),
    (1, "below-60", [6, 5, 5, 3, 1]),
    (0, "below-60", [6, 5, 5, 3, 1]),
];

async fn sit(hall: &Hall) -> Candidate {
    hall.sit(json!({ "grade": 8, "mode": "adaptive" })).await
}

#[tokio::test]
async fn a_lower_bound_belongs_to_its_band() {
    let hall = Hall::open().await;
    let bank = hall.bank(8).await;
    for (points, band, mix) in BOUNDARIES {
        let mut candidate = sit(&hall).await;
        let first = candidate.paper.clone();
        answer_all(&mut candidate, &bank, &bank.worth(&first, points)).await;
        let stage = candidate.next().await;
        assert_eq!((&stage["band"], &stage["stage"]), (&json!(band), &json!(2)), "{points} points");
        assert_new_stage(&bank, &first, &candidate.paper, mix);
    }
}

fn assert_new_stage(bank: &Bank, first: &[String], second: &[String], mix: [usize; 5]) {
    let all: BTreeSet<&String> = first.iter().chain(second).collect();
    assert_eq!((second.len(), all.len()), (20, 40), "twenty that the student has not seen");
    assert_eq!(bank.mix(second), mix);
}

#[tokio::test]
async fn unanswered_questions_count_in_the_band() {
    let hall = Hall::open().await;
    let bank = hall.bank(8).await;
    let mut candidate = sit(&hall).await;
    // Three right ones of three given are not a hundred percent.
    for id in candidate.paper.clone().iter().take(3) {
        candidate.answer(id, bank.key(id)).await;
    }
    assert_eq!(candidate.next().await["band"], "below-60");
}

#[tokio::test]
async fn the_first_stage_is_closed_after_next() {
    let hall = Hall::open().await;
    let mut candidate = sit(&hall).await;
    let first = candidate.paper[0].clone();
    candidate.answer(&first, "A").await;
    candidate.next().await;
    for command in [
        answer(&first, "B"),
        json!({ "type": "mark", "questionId": first, "marked": true }),
        json!({ "type": "visit", "questionId": first }),
        json!({ "type": "eliminate", "questionId": first, "eliminated": ["A"] }),
        json!({ "type": "drawing", "questionId": first, "drawing": {} }),
    ] {
        let mut command = command;
        command["seq"] = json!(100);
        candidate.socket().send(&command).await;
        // `next` itself may be called saved before.
        let error = candidate.socket().until("error").await;
        assert_eq!((&error["code"], &error["seq"]), (&json!("unknown_question"), &json!(100)));
    }
    assert_eq!(selected(&candidate.state().await, &first).as_deref(), Some("A"));
    let second = candidate.paper[0].clone();
    candidate.answer(&second, "C").await;
}

#[tokio::test]
async fn the_second_stage_cannot_be_answered_before_its_time() {
    let hall = Hall::open().await;
    let mut candidate = sit(&hall).await;
    let elsewhere = hall.bank(8).await.ids().into_iter().find(|id| !candidate.paper.contains(id)).unwrap();
    candidate.socket().send(&json!({ "type": "answer", "seq": 1, "questionId": elsewhere, "selected": "A" })).await;
    candidate.socket().expect_error("unknown_question").await;
    let text = candidate.state().await.to_string();
    assert!(!text.contains(&format!("\"{elsewhere}\"")));
}

#[tokio::test]
async fn resuming_gives_the_stage_and_its_band() {
    let mut hall = Hall::open().await;
    let bank = hall.bank(8).await;
    let mut candidate = sit(&hall).await;
    let all = candidate.paper.clone();
    answer_all(&mut candidate, &bank, &all).await;
    candidate.next().await;
    let second = candidate.paper.clone();
    candidate.answer(&second[0], "D").await;
    for _ in 0..2 {
        let resumed = candidate.resume().await;
        assert_eq!((&resumed["stage"], &resumed["stages"], &resumed["band"]), (&json!(2), &json!(2), &json!("90-100")));
        assert_eq!(crate::hall::ids(&resumed["questionIds"]), second);
        assert_eq!(selected(&resumed, &second[0]).as_deref(), Some("D"));
        hall.restart().await;
        candidate.move_to(&hall.base());
    }
}

#[tokio::test]
async fn next_again_gives_the_same_stage() {
    let hall = Hall::open().await;
    let mut candidate = sit(&hall).await;
    let seq = candidate.send(json!({ "type": "next" })).await;
    let stage = candidate.socket().expect("stage").await;
    // The answer was lost: the client resends on another socket, and then by HTTPS.
    candidate.resume().await;
    candidate.socket().send(&json!({ "type": "next", "seq": seq })).await;
    let again = candidate.socket().expect("stage").await;
    assert_eq!((&again["questionIds"], &again["band"]), (&stage["questionIds"], &stage["band"]));
    let posted = candidate.try_post(&json!({ "commands": [{ "type": "next", "seq": seq }] })).await.json();
    assert_eq!(posted["replies"][0]["questionIds"], stage["questionIds"]);
}

#[tokio::test]
async fn a_standard_test_has_no_next_stage() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(json!({ "grade": 8 })).await;
    candidate.socket().send(&json!({ "type": "next", "seq": 1 })).await;
    assert_eq!(candidate.socket().expect("error").await["seq"], 1);
    let question = candidate.paper[0].clone();
    candidate.seq = 1;
    candidate.answer(&question, "A").await;
}

#[tokio::test]
async fn both_stages_are_one_score() {
    let hall = Hall::open().await;
    let bank = hall.bank(8).await;
    let mut candidate = sit(&hall).await;
    let first = candidate.paper.clone();
    let mut choices = answer_all(&mut candidate, &bank, &first[..13]).await;
    candidate.next().await;
    let second = candidate.paper.clone();
    choices.extend(answer_all(&mut candidate, &bank, &second[5..]).await);
    let submitted = candidate.submit().await;
    assert_result(&submitted["result"], &bank, &[first, second].concat(), &choices);
    assert_eq!(hall.stored_session(&candidate.session_id).await["result"], submitted["result"]);
}

#[tokio::test]
async fn handing_in_early_leaves_the_second_stage_empty() {
    let hall = Hall::open().await;
    let bank = hall.bank(8).await;
    let mut candidate = sit(&hall).await;
    let first = candidate.paper.clone();
    let choices = answer_all(&mut candidate, &bank, &first).await;
    let submitted = candidate.submit().await;
    let lines = submitted["result"]["answers"].as_array().unwrap();
    let whole: Vec<String> = lines.iter().map(|line| line["questionId"].as_str().unwrap().to_owned()).collect();
    assert_eq!(whole[..20], first);
    assert_new_stage(&bank, &first, &whole[20..], [0, 1, 3, 6, 10]);
    assert_result(&submitted["result"], &bank, &whole, &choices);
}
