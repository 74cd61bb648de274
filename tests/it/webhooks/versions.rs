//! Events of results that change: one for each version, in their order, each with its own result.

use std::time::Duration;

use domain::session::VersionReason;
use serde_json::{Value, json};

use super::{finish, hall_with_receiver};
use crate::hall::{Reply, eventually};

/// Longer than an event waits after a failure, or for an earlier one.
const LATER: Duration = Duration::from_secs(60);

#[tokio::test]
async fn each_version_is_told_in_its_order() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::status(500), Reply::status(500)]);
    let id = finish(&hall, &receiver.url()).await;
    receiver.wait_for(1).await;
    for (reason, score) in [(VersionReason::LateWork, 640), (VersionReason::KeyCorrected, 700)] {
        hall.change_result(&id, reason, |result| result.score = score).await;
    }
    assert_eq!(hall.stored_session(&id).await["webhookSent"], false);
    let calls = eventually("all are told", async || {
        hall.clock.advance(LATER);
        Some(receiver.calls()).filter(|calls| calls.len() == 5)
    })
    .await;
    let told: Vec<Value> = calls.iter().map(|call| call.json()).collect();
    let facts: Vec<Value> = told
        .iter()
        .map(|told| json!([told["event"], told["version"], told["result"]["score"], told["reason"], told["previous"]]))
        .collect();
    let (completed, changed) = ("test.completed", "result.changed");
    let first = json!([completed, 1, 800, null, null]);
    let expected = [
        first.clone(),
        first.clone(),
        first,
        json!([changed, 2, 640, "late_work", { "version": 1, "score": 800 }]),
        json!([changed, 3, 700, "key_corrected", { "version": 2, "score": 640 }]),
    ];
    assert_eq!(facts, expected);
    let ids: Vec<&str> = calls.iter().map(|call| call.header("webhook-id")).collect();
    assert!(ids[0] == ids[1] && ids[1] == ids[2] && ids[2] != ids[3] && ids[3] != ids[4], "{ids:?}");
    let payload = hall.signed_in("admin").await.get(&format!("/api/sessions/{id}?payload=1")).await.json();
    assert_eq!(told[4], payload);
    eventually("webhookSent is true", async || (hall.stored_session(&id).await["webhookSent"] == true).then_some(()))
        .await;
    receiver.expect_only(&hall, 5).await;
}

#[tokio::test]
async fn webhook_sent_speaks_of_the_newest() {
    let (hall, receiver) = hall_with_receiver().await;
    let id = finish(&hall, &receiver.url()).await;
    let sent = async |is_sent: bool| {
        eventually("webhookSent is as expected", async || {
            (hall.stored_session(&id).await["webhookSent"] == is_sent).then_some(())
        })
        .await;
    };
    sent(true).await;
    receiver.always(Reply::status(500));
    hall.change_result(&id, VersionReason::Reopened, |result| result.score = 640).await;
    receiver.wait_for(2).await;
    sent(false).await;
    receiver.always(Reply::status(200));
    eventually("it is told again", async || {
        hall.clock.advance(LATER);
        (receiver.calls().len() >= 3).then_some(())
    })
    .await;
    sent(true).await;
}
