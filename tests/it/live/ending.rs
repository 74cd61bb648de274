//! `submit`: one sitting, one stored session, whatever is repeated.

use std::collections::BTreeMap;

use serde_json::json;

use super::{answer_all, short_test};
use crate::hall::{Hall, Heard, answer, assert_result, time_of};

#[tokio::test]
async fn the_result_is_what_the_answers_come_to() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut candidate = hall
        .sit(json!({ "grade": 5, "annotations": { "studentId": "s-17" }, "baseUrl": "https://exam.example" }))
        .await;
    let paper = candidate.paper.clone();
    let mut choices = BTreeMap::new();
    for (place, id) in paper.iter().enumerate().filter(|(place, _)| place % 3 != 2) {
        let choice = if place % 3 == 0 { bank.key(id) } else { bank.wrong(id) };
        candidate.answer(id, choice).await;
        choices.insert(id.clone(), choice.to_owned());
    }
    let submitted = candidate.submit().await;
    assert_eq!((&submitted["reason"], &submitted["sessionId"]), (&json!("student"), &json!(candidate.session_id)));
    assert_eq!(submitted["reportUrl"], format!("https://exam.example/report/{}", candidate.session_id));
    assert_result(&submitted["result"], &bank, &paper, &choices);
    let stored = hall.stored_session(&candidate.session_id).await;
    assert_eq!(
        (&stored["result"], &stored["verified"], &stored["annotations"]),
        (&submitted["result"], &json!(true), &json!({ "studentId": "s-17" }))
    );
    assert_eq!(
        (&stored["startedAt"], &stored["reportUrl"]),
        (&candidate.started["startedAt"], &submitted["reportUrl"])
    );
    assert!(time_of(&stored["completedAt"]) >= time_of(&stored["startedAt"]));
}

#[tokio::test]
async fn an_empty_test_scores_200_and_links_to_this_service() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut candidate = hall.sit(short_test()).await;
    let submitted = candidate.submit().await;
    assert_eq!(submitted["result"]["score"], 200);
    assert_result(&submitted["result"], &bank, &candidate.paper, &BTreeMap::new());
    assert_eq!(submitted["reportUrl"], format!("http://exam.localhost/report/{}", candidate.session_id));
}

#[tokio::test]
async fn a_cleared_answer_does_not_count() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut candidate = hall.sit(short_test()).await;
    let paper = candidate.paper.clone();
    answer_all(&mut candidate, &bank, &paper).await;
    candidate.send(json!({ "type": "answer", "questionId": paper[0], "selected": null })).await;
    let submitted = candidate.submit().await;
    let choices = paper[1..].iter().map(|id| (id.clone(), bank.key(id).to_owned())).collect();
    assert_result(&submitted["result"], &bank, &paper, &choices);
}

#[tokio::test]
async fn a_submitted_session_resumes_as_what_it_is() {
    let mut hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "B").await;
    let submitted = candidate.submit().await;
    for restart in [false, true] {
        if restart {
            hall.restart().await;
            candidate.move_to(&hall.base());
        }
        let resumed = candidate.resume().await;
        assert_eq!((&resumed["state"], &resumed["reportUrl"]), (&json!("submitted"), &submitted["reportUrl"]));
        assert_eq!((&resumed["reason"], &candidate.state().await["reason"]), (&json!("student"), &json!("student")));
        assert_eq!(super::selected(&resumed, &question).as_deref(), Some("B"));
        candidate.socket().sync().await;
        let crossed_out = json!({ "type": "eliminate", "questionId": question, "eliminated": ["C"] });
        for (seq, mut late) in [(50, answer(&question, "C")), (51, crossed_out)] {
            late["seq"] = json!(seq);
            candidate.socket().send(&late).await;
            assert_eq!(candidate.socket().expect_error("already_submitted").await["seq"], seq);
        }
        assert_eq!(super::selected(&candidate.state().await, &question).as_deref(), Some("B"));
    }
}

#[tokio::test]
async fn a_submit_whose_answer_was_lost_is_found_on_the_next_socket() {
    let hall = Hall::open().await;
    let mut candidate = hall.sit(short_test()).await;
    let seq = candidate.send(json!({ "type": "submit" })).await;
    candidate.cut();
    // Whether it arrived or not, sending it again is right.
    candidate.resume().await;
    candidate.socket().send(&json!({ "type": "submit", "seq": seq })).await;
    let submitted = loop {
        match candidate.socket().hear().await {
            Heard::Frame(frame) if frame["type"] == "submitted" => break frame,
            Heard::Frame(frame) => assert_ne!(frame["type"], "error", "{frame}"),
            Heard::Closed(code) => panic!("closed with {code:?} before the answer"),
        }
    };
    assert_eq!(hall.stored_session(&candidate.session_id).await["result"], submitted["result"]);
}

#[tokio::test]
async fn answers_just_before_submit_count_though_nobody_waited() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut candidate = hall.sit(short_test()).await;
    let paper = candidate.paper.clone();
    for id in &paper {
        candidate.send(answer(id, bank.key(id))).await;
    }
    candidate.send(json!({ "type": "submit" })).await;
    let submitted = candidate.socket().until("submitted").await;
    assert_eq!(submitted["result"]["correctAnswers"], 10, "{submitted}");
}

#[tokio::test]
async fn the_token_is_no_key_to_other_sessions() {
    let hall = Hall::open().await;
    let (one, other) = (hall.sit(short_test()).await, hall.sit(short_test()).await);
    let path = format!("/api/live/{}/commands", other.session_id);
    let answer = one.caller().post_json(&path, &json!({ "commands": [{ "type": "submit", "seq": 1 }] })).await;
    answer.assert_fault(403, "Wrong token", "bad_token");
    assert_eq!(other.state().await["state"], "active");
    assert_eq!(hall.anonymous().get(&format!("/api/sessions/{}", other.session_id)).await.status, 404);
}

mod own_tables {
    use super::*;

    #[tokio::test]
    async fn submitting_again_gives_the_same_session() {
        let hall = Hall::open().await;
        let mut candidate = hall.sit(short_test()).await;
        let submitted = candidate.submit().await;
        let seq = submitted["seq"].as_u64().unwrap();
        let posted = candidate.try_post(&json!({ "commands": [{ "type": "submit", "seq": seq }] })).await;
        assert_eq!(posted.status, 200, "{}", posted.text());
        let reply = posted.json()["replies"][0].clone();
        for name in ["type", "sessionId", "reportUrl", "reason", "result"] {
            assert_eq!(reply[name], submitted[name], "{name}");
        }
        assert_eq!(hall.signed_in("admin").await.get("/api/sessions").await.json().as_array().unwrap().len(), 1);
    }

    #[tokio::test]
    async fn many_submits_at_once_make_one_session() {
        let hall = Hall::open().await;
        let mut candidate = hall.sit(short_test()).await;
        let question = candidate.paper[0].clone();
        candidate.answer(&question, "A").await;
        let body = json!({ "commands": [{ "type": "submit", "seq": 2 }] });
        let answers = futures_util::future::join_all((0..20).map(|_| candidate.try_post(&body))).await;
        for answer in &answers {
            assert_eq!(
                (answer.status, &answer.json()["replies"][0]["sessionId"]),
                (200, &json!(candidate.session_id)),
                "{}",
                answer.text()
            );
        }
        assert_eq!(hall.signed_in("admin").await.get("/api/sessions").await.json().as_array().unwrap().len(), 1);
    }
}
