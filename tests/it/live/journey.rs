//! The main job: forty questions, six cuts, resends and both roads end as one session and one event at the LMS.

use std::collections::BTreeMap;

use serde_json::json;

use crate::hall::{Candidate, Hall, Receiver, answer, assert_result};

const CUTS: [usize; 6] = [3, 9, 14, 22, 30, 37];

#[tokio::test]
async fn a_hard_journey_loses_nothing() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let (bank, receiver) = (hall.bank(5).await, Receiver::open().await);
    let mut candidate =
        hall.sit(json!({ "grade": 5, "questionCount": 40, "durationMinutes": 70, "webhookUrl": receiver.url() })).await;
    let mut choices = BTreeMap::new();
    for (place, id) in candidate.paper.clone().into_iter().enumerate() {
        let choice = if place % 4 == 3 { bank.wrong(&id) } else { bank.key(&id) };
        choose(&mut candidate, &id, choice, place).await;
        choices.insert(id, choice.to_owned());
    }
    candidate.settle().await;
    let submitted = candidate.submit().await;
    assert_result(&submitted["result"], &bank, &candidate.paper, &choices);
    submit_again(&mut candidate, submitted["seq"].as_u64().unwrap()).await;
    assert_eq!(hall.signed_in("admin").await.get("/api/sessions").await.json().as_array().unwrap().len(), 1);
    let call = &receiver.wait_for(1).await[0];
    assert_eq!(
        (&call.json()["sessionId"], &call.json()["result"]),
        (&json!(candidate.session_id), &submitted["result"])
    );
    receiver.expect_only(&hall, 1).await;
}

/// Changes its mind once, by one road or both, and is sometimes cut off before it hears whether that was saved.
async fn choose(candidate: &mut Candidate, id: &str, choice: &str, place: usize) {
    candidate.send(json!({ "type": "visit", "questionId": id })).await;
    let first = candidate.act(answer(id, if choice == "D" { "C" } else { "D" }));
    let second = candidate.act(answer(id, choice));
    match place % 5 {
        0 => {
            candidate.post(&[first, second]).await;
        }
        1 => {
            candidate.carry(second).await;
            candidate.post(&[first]).await;
        }
        _ => {
            candidate.carry(first).await;
            candidate.carry(second).await;
        }
    }
    if CUTS.contains(&place) {
        candidate.resume().await;
    }
}

async fn submit_again(candidate: &mut Candidate, seq: u64) {
    let body = json!({ "commands": [{ "type": "submit", "seq": seq }] });
    for _ in 0..3 {
        assert_eq!(candidate.try_post(&body).await.json()["replies"][0]["sessionId"], candidate.session_id.as_str());
    }
    assert_eq!(candidate.resume().await["state"], "submitted");
}
