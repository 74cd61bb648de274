//! The protocol over plain HTTPS, alone and mixed with a socket.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{selected, short_test};
use crate::hall::{Candidate, Hall, answer, assert_result, time_of};

#[tokio::test]
async fn a_whole_test_without_a_socket() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut candidate = Candidate::start_by_https(&hall.base(), &json!({ "grade": 5, "mode": "adaptive" })).await;
    assert_eq!(candidate.started["type"], "started");
    let mut choices = BTreeMap::new();
    let mut whole = candidate.paper.clone();
    post_answers(&mut candidate, &mut choices, "B").await;
    let next = candidate.act(json!({ "type": "next" }));
    let stage = candidate.post(&[next]).await["replies"][0].clone();
    assert_eq!((&stage["type"], &stage["seq"]), (&json!("stage"), &json!(next)));
    candidate.paper = crate::hall::ids(&stage["questionIds"]);
    whole.extend(candidate.paper.clone());
    post_answers(&mut candidate, &mut choices, "C").await;
    let submit = candidate.act(json!({ "type": "submit" }));
    let body = candidate.post(&[submit]).await;
    assert_eq!(
        (&body["replies"][0]["type"], &body["state"], &body["saved"]),
        (&json!("submitted"), &json!("submitted"), &json!(submit))
    );
    assert_result(&body["replies"][0]["result"], &bank, &whole, &choices);
    assert_eq!(hall.stored_session(&candidate.session_id).await["result"], body["replies"][0]["result"]);
}

async fn post_answers(candidate: &mut Candidate, choices: &mut BTreeMap<String, String>, letter: &str) {
    let seqs: Vec<u64> = candidate.paper.clone().iter().map(|id| candidate.act(answer(id, letter))).collect();
    let body = candidate.post(&seqs).await;
    assert_eq!((&body["saved"], &body["replies"], &body["state"]), (&json!(seqs.last()), &json!([]), &json!("active")));
    time_of(&body["deadline"]);
    assert!(body["remainingMs"].as_u64().unwrap() > 0);
    choices.extend(candidate.paper.iter().map(|id| (id.clone(), letter.to_owned())));
}

#[tokio::test]
async fn the_session_token_is_asked_for() {
    let hall = Hall::open().await;
    let (candidate, other) = (hall.sit(short_test()).await, hall.sit(short_test()).await);
    let (path, commands) =
        (format!("/api/live/{}", candidate.session_id), json!({ "commands": [{ "type": "submit", "seq": 1 }] }));
    let commands_path = format!("{path}/commands");
    for (caller, status, message) in [
        (hall.anonymous(), 401, "Unauthorized"),
        (hall.bearer(&other.token), 403, "Wrong token"),
        (hall.bearer("x"), 403, "Wrong token"),
    ] {
        caller.get(&path).await.assert_fault(status, message, "bad_token");
        caller.post_json(&commands_path, &commands).await.assert_fault(status, message, "bad_token");
    }
    for id in [uuid::Uuid::new_v4().to_string(), "nothing".to_owned()] {
        candidate.caller().get(&format!("/api/live/{id}")).await.assert_fault(
            404,
            "Session not found",
            "unknown_session",
        );
        candidate.caller().post_json(&format!("/api/live/{id}/commands"), &commands).await.assert_fault(
            404,
            "Session not found",
            "unknown_session",
        );
    }
    hall.signed_in("admin").await.get(&path).await.assert_fault(403, "Wrong token", "bad_token");
}

#[tokio::test]
async fn the_state_is_that_of_resumed() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    let state = candidate.state().await;
    assert_eq!(state["type"], "resumed");
    let mut resumed = candidate.resume().await;
    for changing in ["serverTime", "remainingMs"] {
        resumed[changing] = state[changing].clone();
    }
    assert_eq!(resumed, state);
}

#[tokio::test]
async fn posting_takes_nothing_over() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let (first, second) = (candidate.paper[0].clone(), candidate.paper[1].clone());
    let seq = candidate.act(answer(&first, "A"));
    candidate.post(&[seq]).await;
    candidate.state().await;
    candidate.answer(&second, "B").await;
    candidate.socket().sync().await;
}

#[tokio::test]
async fn roads_are_mixed_in_any_order() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let (first, second) = (candidate.paper[0].clone(), candidate.paper[1].clone());
    let older = candidate.act(answer(&first, "A"));
    let newer = candidate.act(answer(&first, "B"));
    let apart = candidate.act(answer(&second, "C"));
    // The newer one overtakes by HTTPS; the older one comes later over the socket.
    let posted = candidate.post(&[apart, newer]).await;
    assert_eq!(posted["saved"], apart);
    candidate.settle().await;
    assert!(candidate.saved.contains(&older));
    candidate.post(&[older]).await;
    let state = candidate.state().await;
    assert_eq!((selected(&state, &first).as_deref(), selected(&state, &second).as_deref()), (Some("B"), Some("C")));
}

#[tokio::test]
async fn saved_on_a_socket_speaks_of_its_own_road() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let paper = candidate.paper.clone();
    candidate.act(answer(&paper[0], "A"));
    let sent = candidate.act(answer(&paper[1], "B"));
    let later = candidate.act(answer(&paper[2], "C"));
    candidate.carry(sent).await;
    candidate.socket().expect_saved(sent).await;
    candidate.post(&[later]).await;
    let state = candidate.state().await;
    // The first was never sent: whatever was `saved`, it is not there, and it is still accepted.
    assert_eq!(selected(&state, &paper[0]), None);
    candidate.resume().await;
    candidate.settle().await;
    assert_eq!(selected(&candidate.state().await, &paper[0]).as_deref(), Some("A"));
}

#[tokio::test]
async fn one_to_two_hundred_commands() {
    let hall = Hall::open().await;
    let candidate = hall.sit(short_test()).await;
    let commands = |count: u64| -> Value {
        (1..=count).map(|seq| json!({ "type": "visit", "seq": seq, "questionId": candidate.paper[0] })).collect()
    };
    for body in [json!({ "commands": commands(201) }), json!({ "commands": [] })] {
        candidate.try_post(&body).await.assert_some_error(400);
    }
    assert_eq!(candidate.state().await["seq"], 0, "nothing of a refused request is applied");
    let answer = candidate.try_post(&json!({ "commands": commands(200) })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn bad_bodies_are_bad_requests() {
    let hall = Hall::open().await;
    let candidate = hall.sit(short_test()).await;
    let path = format!("/api/live/{}/commands", candidate.session_id);
    for body in ["", "{", "null", "[]", "{}", "{\"commands\":7}", "{\"commands\":{}}"] {
        candidate.caller().post_text(&path, body).await.assert_some_error(400);
    }
    candidate.caller().post_text(&path, "x".repeat(60 * 1024 * 1024)).await.assert_fault(
        413,
        "Request body too large",
        "too_large",
    );
    for body in ["", "{", "null", "[]", "{\"grade\":\"5\"}"] {
        hall.anonymous().post_text("/api/live", body).await.assert_some_error(400);
    }
    candidate.state().await;
}

#[tokio::test]
async fn a_bad_command_among_good_ones_is_named() {
    let hall = Hall::open().await;
    let candidate = hall.sit(short_test()).await;
    let question = &candidate.paper[0];
    let body = candidate
        .try_post(&json!({ "commands": [
            { "type": "answer", "seq": 1, "questionId": question, "selected": "A" },
            { "type": "answer", "seq": 2, "questionId": "nothing", "selected": "A" },
            { "type": "answer", "seq": 3, "questionId": question, "selected": "E" },
            { "type": "mark", "seq": 4, "questionId": question, "marked": true },
        ] }))
        .await
        .json();
    assert_eq!(body["saved"], 4, "{body}");
    let refused: Vec<(u64, &str)> = body["replies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reply| (reply["seq"].as_u64().unwrap(), reply["code"].as_str().unwrap()))
        .collect();
    assert_eq!(refused, [(2, "unknown_question"), (3, "invalid_answer")]);
    assert_eq!(selected(&candidate.state().await, question).as_deref(), Some("A"));
}

#[tokio::test]
async fn bad_starts_by_https_are_bad_requests() {
    let hall = Hall::open().await;
    for body in [
        json!({ "grade": 0 }),
        json!({ "grade": 5, "questionCount": 9 }),
        json!({ "grade": 5, "mode": "weird" }),
        json!({ "grade": 5, "questionIds": ["g5-001"] }),
        json!({ "grade": 5, "durationMinutes": 71 }),
    ] {
        hall.anonymous().post_json("/api/live", &body).await.assert_some_error(400);
    }
    hall.anonymous()
        .post_json("/api/live", &json!({ "templateId": uuid::Uuid::new_v4().to_string() }))
        .await
        .assert_some_error(404);
}

#[tokio::test]
async fn a_socket_may_follow_a_start_by_https() {
    let hall = Hall::open().await;
    let mut candidate = Candidate::start_by_https(&hall.base(), &short_test()).await;
    let question = candidate.paper[0].clone();
    let seq = candidate.act(answer(&question, "D"));
    candidate.post(&[seq]).await;
    let resumed = candidate.resume().await;
    assert_eq!((selected(&resumed, &question).as_deref(), &resumed["seq"]), (Some("D"), &json!(1)));
    candidate.submit().await;
}
