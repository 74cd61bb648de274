//! What an LMS receives: the payload, its headers, and a signature that it can check.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha2::Sha256;

use super::{finish, hall_with_receiver};
use crate::hall::{Call, Caller, Hall, Receiver, eventually};

/// `Standard Webhooks`: HMAC-SHA256 of `id.timestamp.body` by the base64 part of the key, in base64 after `v1,`.
fn assert_signed(call: &Call, key: &str) {
    let key = STANDARD.decode(key.strip_prefix("whsec_").expect("the key begins with whsec_")).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{}.{}.", call.header("webhook-id"), call.header("webhook-timestamp")).as_bytes());
    mac.update(&call.body);
    let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    assert!(call.header("webhook-signature").split(' ').any(|signature| signature == expected), "{:?}", call.headers);
}

async fn shown_key(admin: &Caller) -> String {
    let answer = admin.get("/api/admin/webhooks/key").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["key"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_payload_is_that_of_the_session() {
    let (hall, receiver) = hall_with_receiver().await;
    let id = finish(&hall, &receiver.url()).await;
    let call = receiver.wait_for(1).await.remove(0);
    assert_eq!(call.line, "POST /hook");
    let path = format!("/api/sessions/{id}?payload=1");
    assert_eq!(call.json(), hall.signed_in("admin").await.get(&path).await.json());
    let mut without_account = call.json();
    assert_eq!(without_account.as_object_mut().unwrap().remove("account"), Some(serde_json::Value::Null));
    assert_eq!(without_account, hall.anonymous().get(&path).await.json());
    assert_eq!((&call.json()["event"], &call.json()["verified"]), (&json!("test.completed"), &json!(true)));
}

#[tokio::test]
async fn the_headers_are_those_of_the_specification() {
    let (hall, receiver) = hall_with_receiver().await;
    finish(&hall, &receiver.url()).await;
    let call = receiver.wait_for(1).await.remove(0);
    assert!(call.header("content-type").starts_with("application/json"));
    assert!(!call.header("webhook-id").is_empty() && !call.header("webhook-id").contains('.'), "{:?}", call.headers);
    assert!(call.header("user-agent").to_lowercase().contains("exam"), "{:?}", call.headers);
    for name in ["cookie", "authorization", "x-webhook-secret", "referer"] {
        assert!(!call.headers.contains_key(name), "{name}: {:?}", call.headers);
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let timestamp: u64 = call.header("webhook-timestamp").parse().unwrap();
    assert!(now.abs_diff(timestamp) < 30, "seconds: {timestamp}");
}

#[tokio::test]
async fn the_signature_is_checked_with_the_key_that_admins_see() {
    let (hall, receiver) = hall_with_receiver().await;
    finish(&hall, &receiver.url()).await;
    let call = receiver.wait_for(1).await.remove(0);
    assert_signed(&call, &shown_key(&hall.signed_in("admin").await).await);
}

#[tokio::test]
async fn a_configured_key_and_secret_are_used() {
    let key = format!("whsec_{}", STANDARD.encode([7_u8; 32]));
    let hall = Hall::with(&[
        ("WEBHOOK_ALLOW", "127.0.0.1"),
        ("WEBHOOK_SIGNING_KEY", &key),
        ("WEBHOOK_SECRET", "shared secret"),
    ])
    .await;
    let receiver = Receiver::open().await;
    finish(&hall, &receiver.url()).await;
    let call = receiver.wait_for(1).await.remove(0);
    assert_eq!(call.header("x-webhook-secret"), "shared secret");
    assert_signed(&call, &key);
    assert_eq!(shown_key(&hall.signed_in("admin").await).await, key);
}

#[tokio::test]
async fn the_derived_key_does_not_come_from_the_shared_secret() {
    let mut keys = std::collections::BTreeSet::new();
    for secret in ["one", "other"] {
        let hall = Hall::with(&[("WEBHOOK_SECRET", secret)]).await;
        keys.insert(shown_key(&hall.signed_in("admin").await).await);
    }
    assert_eq!(keys.len(), 1, "it comes from AUTH_SECRET alone");
    let hall = Hall::with(&[("AUTH_SECRET", &STANDARD.encode([9_u8; 32]))]).await;
    keys.insert(shown_key(&hall.signed_in("admin").await).await);
    assert_eq!(keys.len(), 2);
}

#[tokio::test]
async fn every_session_is_told_once_with_an_id_of_its_own() {
    let (hall, receiver) = hall_with_receiver().await;
    let mut told = std::collections::BTreeMap::new();
    for _ in 0..30 {
        told.insert(finish(&hall, &receiver.url()).await, 0);
    }
    let calls = receiver.wait_for(30).await;
    for call in &calls {
        *told.get_mut(call.json()["sessionId"].as_str().unwrap()).unwrap() += 1;
    }
    assert!(told.values().all(|count| *count == 1), "{told:?}");
    let ids: std::collections::BTreeSet<&str> = calls.iter().map(|call| call.header("webhook-id")).collect();
    assert_eq!(ids.len(), 30);
}

mod own_tables {
    use super::*;

    #[tokio::test]
    async fn the_session_says_that_it_was_told() {
        let (hall, receiver) = hall_with_receiver().await;
        let id = finish(&hall, &receiver.url()).await;
        receiver.wait_for(1).await;
        eventually("webhookSent is true", async || {
            (hall.stored_session(&id).await["webhookSent"] == true).then_some(())
        })
        .await;
        let list = hall.signed_in("admin").await.get("/api/sessions").await.json();
        assert_eq!(list[0]["webhookSent"], true);
    }
}
