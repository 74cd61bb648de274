//! A delivery outlives the server, be it stopped or killed.

use std::time::Duration;

use serde_json::Value;

use super::{finish, finished, hall_with_receiver, reached};
use crate::hall::{Bank, Caller, Hall, Process, Receiver, Reply, eventually};

#[tokio::test]
async fn what_was_waiting_is_sent_after_a_restart() {
    let (mut hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::status(500)]);
    let admin_token = hall.token("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    let first = receiver.wait_for(1).await.remove(0);
    super::attempted(&hall, &hall.bearer(&admin_token), &id).await;
    hall.stop().await;
    hall.clock.advance(Duration::from_secs(60));
    hall.begin().await;
    let calls = receiver.wait_for(2).await;
    assert_eq!(calls[1].header("webhook-id"), first.header("webhook-id"));
    reached(&hall, &hall.bearer(&admin_token), &id, "delivered").await;
}

#[tokio::test]
async fn a_planned_stop_in_the_middle_of_a_delivery_is_no_loss() {
    let (mut hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::Hang]);
    let admin_token = hall.token("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    receiver.wait_for(1).await;
    hall.stop().await;
    hall.clock.advance(Duration::from_secs(120));
    hall.begin().await;
    receiver.wait_for(2).await;
    reached(&hall, &hall.bearer(&admin_token), &id, "delivered").await;
}

/// A hall whose own server is stopped, so that a process can take its place.
async fn hall_of_a_process() -> Hall {
    let proxy = "http://127.0.0.1:9";
    let mut hall = Hall::with(&[
        ("WEBHOOK_ALLOW", "127.0.0.1"),
        ("HTTP_PROXY", proxy),
        ("http_proxy", proxy),
        ("ALL_PROXY", proxy),
    ])
    .await;
    hall.stop().await;
    hall
}

/// The server is back after some minutes: whatever a killed one had begun is free again.
async fn come_back(hall: &mut Hall) {
    hall.clock.advance(Duration::from_secs(300));
    hall.begin().await;
}

#[tokio::test]
async fn what_a_killed_server_was_sending_is_sent_again_and_takes_no_proxy() {
    let mut hall = hall_of_a_process().await;
    let receiver = Receiver::open().await;
    receiver.then([Reply::Hang]);
    let process = Process::serve(hall.settings()).await;
    let id = post(&process.anonymous(), &receiver.url()).await;
    let first = receiver.wait_for(1).await.remove(0);
    process.kill().await;
    come_back(&mut hall).await;
    let calls = receiver.wait_for(2).await;
    assert_eq!((calls[1].header("webhook-id"), &calls[1].body), (first.header("webhook-id"), &first.body));
    eventually("webhookSent is true", async || (hall.stored_session(&id).await["webhookSent"] == true).then_some(()))
        .await;
}

#[tokio::test]
async fn a_server_killed_right_after_the_answer_still_tells() {
    let mut hall = hall_of_a_process().await;
    let receiver = Receiver::open().await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let process = Process::serve(hall.settings()).await;
        ids.push(post(&process.anonymous(), &receiver.url()).await);
        process.kill().await;
    }
    come_back(&mut hall).await;
    for id in ids {
        let told = async || receiver.calls().iter().any(|call| call.json()["sessionId"] == id.as_str()).then_some(());
        eventually("the session is told", told).await;
    }
}

async fn post(caller: &Caller, url: &str) -> String {
    let bank: Value = caller.get("/api/questions?grade=5").await.json();
    let bank = Bank::new(bank.as_array().unwrap().clone());
    let answer = caller.post_json("/api/sessions", &finished(&bank, url)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sessionId"].as_str().unwrap().to_owned()
}
