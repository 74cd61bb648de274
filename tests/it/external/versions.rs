//! Versions of results on their way to the external service: each of them, in their order.

use std::time::Duration;

use domain::session::VersionReason;
use serde_json::{Value, json};

use super::sending::{PUT, finish, wait_for};
use crate::hall::{Call, External, Hall, Told, eventually};

fn numbers(calls: &[Call]) -> Vec<Value> {
    calls.iter().map(|call| json!([call.json()["version"], call.json()["result"]["score"]])).collect()
}

/// A hall whose service takes nothing yet, with a test of three versions.
async fn changed_twice(external: &External) -> (Hall, String) {
    let hall = external.hall().await;
    hall.bank(5).await;
    external.always(Some(Told::error(500, "Oh")));
    let id = finish(&hall).await;
    for (reason, score) in [(VersionReason::LateWork, 640), (VersionReason::KeyCorrected, 700)] {
        hall.change_result(&id, reason, |result| result.score = score).await;
    }
    (hall, id)
}

#[tokio::test]
async fn each_version_is_sent_in_its_order() {
    let external = External::open().await;
    let (hall, id) = changed_twice(&external).await;
    wait_for(&hall, &external, 7).await;
    assert!(numbers(&external.calls(PUT)).iter().all(|sent| *sent == json!([1, 800])), "nothing overtakes the first");
    external.always(Some(Told::done()));
    let last = json!([3, 700]);
    let mut sent = eventually("the last version is sent", async || {
        hall.clock.advance(Duration::from_secs(31));
        Some(numbers(&external.calls(PUT))).filter(|sent| sent.last() == Some(&last))
    })
    .await;
    sent.dedup();
    assert_eq!(sent, [json!([1, 800]), json!([2, 640]), last]);
    let newest = hall.stored_session(&id).await;
    assert_eq!((&newest["version"], &newest["reason"]), (&json!(3), &json!("key_corrected")));
}

#[tokio::test]
async fn a_refused_version_does_not_come_after_a_newer_one() {
    let external = External::open().await;
    let hall = external.hall().await;
    hall.bank(5).await;
    external.always(Some(Told::error(400, "No")));
    let id = finish(&hall).await;
    wait_for(&hall, &external, 1).await;
    external.forget();
    external.always(Some(Told::done()));
    hall.change_result(&id, VersionReason::LateWork, |result| result.score = 640).await;
    wait_for(&hall, &external, 1).await;
    // A refused one would be sent again after an hour.
    hall.clock.advance(Duration::from_secs(2 * 60 * 60));
    let other = finish(&hall).await;
    let calls = wait_for(&hall, &external, 2).await;
    assert_eq!(numbers(&calls), [json!([2, 640]), json!([1, 800])]);
    assert!(calls[1].line.ends_with(&other), "{}", calls[1].line);
}

#[tokio::test]
async fn a_service_that_knows_no_versions_has_the_newest() {
    let external = External::open().await;
    let hall = external.hall().await;
    hall.bank(5).await;
    external.always(Some(Told::done()));
    let id = finish(&hall).await;
    hall.change_result(&id, VersionReason::LateWork, |result| result.score = 640).await;
    let mut kept = wait_for(&hall, &external, 2).await[1].json();
    for field in ["version", "reason", "previous"] {
        kept.as_object_mut().unwrap().remove(field);
    }
    external.on(&format!("GET /v1/sessions/{id}"), Told::Json(200, kept));
    let stored = hall.stored_session(&id).await;
    assert_eq!(
        (&stored["version"], &stored["result"]["score"], &stored["previous"]["score"]),
        (&json!(2), &json!(640), &json!(800))
    );
}
