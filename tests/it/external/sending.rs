//! Finished tests on their way to the external service: kept until it has each of them, in their order, once.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::person;
use crate::hall::{Call, External, Hall, Told, eventually};

/// Where sessions go.
pub(super) const PUT: &str = "PUT /v1/sessions/";
/// Longer than the sender ever waits between two tries.
const LATER: Duration = Duration::from_secs(31);

/// A finished test as a client hands it in; its id.
pub(super) async fn finish(hall: &Hall) -> String {
    let bank = hall.bank(5).await;
    let ids = bank.ids();
    let lines: Vec<Value> = ids[..10]
        .iter()
        .map(|id| json!({ "questionId": id, "selected": "B", "correct": "B", "isCorrect": true }))
        .collect();
    let result = json!({
        "score": 800, "correctAnswers": 10, "totalQuestions": 10, "timeTaken": 60, "topicBreakdown": [], "difficultyBreakdown": [], "answers": lines
    });
    let body = json!({ "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "result": result });
    let answer = hall.anonymous().post_json("/api/sessions", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sessionId"].as_str().unwrap().to_owned()
}

/// The sessions that were sent, in order.
fn sent(external: &External) -> Vec<String> {
    external.calls(PUT).iter().map(|call| call.line.trim_start_matches(PUT).to_owned()).collect()
}

/// The service takes sessions.
fn takes(external: &External, ids: &[String]) {
    for id in ids {
        external.on(&format!("{PUT}{id}"), Told::done());
    }
}

/// Time passes until so many calls have been made.
pub(super) async fn wait_for(hall: &Hall, external: &External, count: usize) -> Vec<Call> {
    eventually(&format!("{count} sessions are sent"), async || {
        hall.clock.advance(LATER);
        Some(external.calls(PUT)).filter(|calls| calls.len() >= count)
    })
    .await
}

#[tokio::test]
async fn a_test_is_sent_as_it_is_stored() {
    let external = External::open().await;
    let hall = external.hall().await;
    hall.bank(5).await;
    external.always(Some(Told::done()));
    let id = finish(&hall).await;
    let call = wait_for(&hall, &external, 1).await.remove(0);
    assert_eq!((call.line.as_str(), call.header("x-api-key")), (format!("{PUT}{id}").as_str(), crate::hall::KEY));
    assert_eq!(call.header("content-type"), "application/json");
    let mut sent = call.json();
    let account = sent.as_object_mut().unwrap().remove("account");
    assert_eq!(account, Some(serde_json::Value::Null), "the service keeps it, and readers are not told it");
    assert_eq!(sent, hall.stored_session(&id).await);
}

#[tokio::test]
async fn whatever_the_service_answers_each_test_arrives_in_order_and_once() {
    let ways = [
        Told::error(500, "Oh"),
        Told::error(404, "Not found"),
        Told::error(401, "Unauthorized"),
        Told::error(429, "Too many requests"),
        Told::Hang,
        Told::Half,
        Told::Cut,
        Told::page(200),
        Told::page(502),
        Told::Text(200, "content-type: application/json\r\n", "[1, 2".to_owned()),
    ];
    for way in ways {
        let external = External::open().await;
        let hall = external.hall().await;
        hall.bank(5).await;
        external.always(Some(way.clone()));
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(finish(&hall).await);
        }
        wait_for(&hall, &external, 2).await;
        assert!(
            sent(&external).iter().all(|id| *id == ids[0]),
            "{way:?}: nothing overtakes the first: {:?}",
            sent(&external)
        );
        for id in &ids {
            assert_eq!(
                hall.stored_session(id).await["result"]["score"],
                800,
                "{way:?}: it is read from here meanwhile"
            );
        }
        external.forget();
        takes(&external, &ids);
        external.always(None);
        wait_for(&hall, &external, 5).await;
        // One more test arrives last, and none of the others again.
        ids.push(finish(&hall).await);
        takes(&external, &ids[5..]);
        eventually("the last one", async || {
            hall.clock.advance(LATER);
            sent(&external).contains(&ids[5]).then_some(())
        })
        .await;
        // What was under way when the service was mended may have been one of the first's.
        let mut arrived = sent(&external);
        arrived.dedup();
        assert_eq!(arrived, ids, "{way:?}");
        assert!(sent(&external).len() <= 7, "{way:?}: {:?}", sent(&external));
    }
}

#[tokio::test]
async fn one_that_the_service_refuses_holds_up_no_other() {
    let external = External::open().await;
    let hall = external.hall().await;
    hall.bank(5).await;
    external.always(Some(Told::error(500, "Oh")));
    let (first, second) = (finish(&hall).await, finish(&hall).await);
    external.always(None);
    external.on(&format!("{PUT}{first}"), Told::error(400, "Invalid annotations"));
    takes(&external, std::slice::from_ref(&second));
    eventually("the second has arrived", async || {
        hall.clock.advance(LATER);
        sent(&external).contains(&second).then_some(())
    })
    .await;
    // It is sent again after an hour, when the service has been mended.
    external.forget();
    takes(&external, std::slice::from_ref(&first));
    hall.clock.advance(Duration::from_secs(3_700));
    wait_for(&hall, &external, 1).await;
    assert_eq!(sent(&external), [first]);
}

#[tokio::test]
async fn one_that_makes_the_service_fail_is_set_aside_when_others_are_taken() {
    let external = External::open().await;
    let hall = external.hall().await;
    hall.bank(5).await;
    external.always(Some(Told::error(503, "Oh")));
    let ids = [finish(&hall).await, finish(&hall).await, finish(&hall).await];
    external.always(None);
    external.on(&format!("{PUT}{}", ids[0]), Told::error(500, "Oh"));
    takes(&external, &ids[1..]);
    eventually("the others have arrived", async || {
        hall.clock.advance(LATER);
        let sent = sent(&external);
        ids[1..].iter().all(|id| sent.contains(id)).then_some(())
    })
    .await;
    external.forget();
    takes(&external, &ids);
    hall.clock.advance(Duration::from_secs(3_700));
    wait_for(&hall, &external, 1).await;
    assert_eq!(sent(&external), [ids[0].clone()]);
}

#[tokio::test]
async fn two_servers_send_each_test_once() {
    let external = External::open().await;
    let hall = external.hall().await;
    hall.bank(5).await;
    let beside = external.beside(&hall).await;
    external.always(Some(Told::Late(Duration::from_millis(60), Box::new(Told::done()))));
    let mut ids = Vec::new();
    for number in 0..20 {
        ids.push(finish(if number % 2 == 0 { &hall } else { &beside }).await);
    }
    eventually("all have arrived", async || (sent(&external).len() >= ids.len()).then_some(())).await;
    // Both look again. What is finished then arrives last, and none of the others again.
    for server in [&hall, &beside] {
        server.clock.advance(LATER);
        ids.push(finish(server).await);
        eventually("the last one", async || sent(&external).contains(ids.last().unwrap()).then_some(())).await;
    }
    assert_eq!(sent(&external), ids);
}

#[tokio::test]
async fn an_edit_is_logged_there_although_the_log_was_away() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut editor = person(&hall, &external, "editor@exam.test", "admin").await;
    external.on("PUT /v1/questions/override", Told::done());
    external.on("POST /v1/edit-log", Told::error(500, "Oh"));
    let id = hall.bank(5).await.ids()[0].clone();
    let body = json!({ "questionId": id, "grade": 5, "comment": "Clearer", "updates": { "explanation": "One more." } });
    let edited = editor.fetch(Method::POST, "/api/review/edit", Some(&body)).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
    let log = editor.get("/api/review/edit?grade=5").await.json();
    assert_eq!((&log["editLog"][0]["id"], log["editLog"].as_array().unwrap().len()), (&edited.json()["editId"], 1));
    // Tests do not wait for the log.
    let session = finish(&hall).await;
    takes(&external, std::slice::from_ref(&session));
    wait_for(&hall, &external, 1).await;
    external.forget();
    external.on("POST /v1/edit-log", Told::done());
    let entry = eventually("the log has it", async || {
        hall.clock.advance(LATER);
        external.calls("POST /v1/edit-log").pop()
    })
    .await;
    assert_eq!(entry.json(), log["editLog"][0]);
}
