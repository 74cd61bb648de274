//! Targets that a webhook may not reach: refused with a reason that admins alone see, while the session is saved.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{finish, hall_with_receiver, reached};
use crate::hall::{Hall, Receiver, eventually};

/// Ways to write an address that is not public; `PORT` is the receiver's.
const FORBIDDEN: [&str; 40] = [
    "http://127.0.0.1:PORT/",
    "http://127.0.0.2:PORT/",
    "http://127.1:PORT/",
    "http://2130706433:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://017700000001:PORT/",
    "http://0x7f.0.0.1:PORT/",
    "http://0x7f000001:PORT/",
    "http://127.0.0.1.:PORT/",
    "http://%31%32%37.0.0.1:PORT/",
    "http://①②⑦.0.0.1:PORT/",
    "http://0.0.0.0:PORT/",
    "http://0:PORT/",
    "http://[::1]:PORT/",
    "http://[::]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://[::ffff:7f00:1]:PORT/",
    "http://[::127.0.0.1]:PORT/",
    "http://[64:ff9b::7f00:1]:PORT/",
    "http://[2002:7f00:1::]:PORT/",
    "http://[2001:0:0:0:0:0:80ff:fffe]:PORT/",
    "http://[fe80::1]:PORT/",
    "http://[fc00::1]:PORT/",
    "http://[ff02::1]:PORT/",
    "http://[2001:db8::1]:PORT/",
    "http://localhost:PORT/",
    "http://LOCALHOST:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0251.0376.0251.0376/",
    "http://0xa9fea9fe/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://100.64.0.1/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
];

/// Links that are refused for another reason.
const MALFORMED: [&str; 11] = [
    "not a link",
    "http://",
    "ftp://93.184.216.34/",
    "file:///etc/passwd",
    "gopher://93.184.216.34/",
    "javascript:alert(1)",
    "http://user:password@93.184.216.34/",
    "http://user@93.184.216.34/",
    "http://93.184.216.34:22/",
    "http://93.184.216.34:1023/",
    "http://93.184.216.34:99999/",
];

#[tokio::test]
async fn forbidden_and_malformed_targets_fail_and_the_sessions_are_saved() {
    let (hall, receiver) = (Hall::open().await, Receiver::open().await);
    let mut told = BTreeMap::new();
    for target in FORBIDDEN.iter().chain(&MALFORMED) {
        let url = target.replace("PORT", &receiver.address.port().to_string());
        told.insert(finish(&hall, &url).await, url);
    }
    let admin = hall.signed_in("admin").await;
    // What has to be looked up first takes a moment.
    let failed = async || {
        let deliveries = all_deliveries(&hall, &admin, told.len()).await;
        deliveries.iter().all(|delivery| delivery["status"] == "failed").then_some(deliveries)
    };
    for delivery in eventually("all have failed", failed).await {
        let url = &told[delivery["sessionId"].as_str().unwrap()];
        assert!(delivery["lastError"].as_str().is_some_and(|reason| reason.len() > 5), "{url}: {delivery}");
        assert_eq!(delivery["lastStatus"], Value::Null, "{url}: {delivery}");
    }
    assert!(receiver.calls().is_empty(), "{:?}", receiver.calls());
    for id in told.keys() {
        assert_tells_no_reason(&hall, id).await;
    }
}

/// The deliveries of the first two pages.
async fn all_deliveries(hall: &Hall, admin: &crate::hall::Caller, count: usize) -> Vec<Value> {
    let mut deliveries = hall.deliveries(admin).await;
    let rest = admin.get("/api/admin/webhooks?page=2").await.json();
    deliveries.extend(rest["deliveries"].as_array().unwrap().clone());
    assert_eq!(deliveries.len(), count);
    deliveries
}

async fn assert_tells_no_reason(hall: &Hall, session_id: &str) {
    for query in ["", "?payload=1"] {
        let text = hall.anonymous().get(&format!("/api/sessions/{session_id}{query}")).await.text();
        assert!(!text.contains("webhookUrl") && !text.contains("lastError") && !text.contains("refused"), "{text}");
    }
}

#[tokio::test]
async fn a_live_exam_is_saved_although_its_target_is_forbidden() {
    let (hall, receiver) = (Hall::open().await, Receiver::open().await);
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10, "webhookUrl": receiver.url() })).await;
    candidate.submit().await;
    let admin = hall.signed_in("admin").await;
    reached(&hall, &admin, &candidate.session_id, "failed").await;
    assert!(receiver.calls().is_empty());
}

#[tokio::test]
async fn what_is_allowed_is_reached_by_its_port_alone() {
    let (one, other) = (Receiver::open().await, Receiver::open().await);
    let hall = Hall::with(&[("WEBHOOK_ALLOW", &one.address.to_string())]).await;
    let admin = hall.signed_in("admin").await;
    let (allowed, refused) = (finish(&hall, &one.url()).await, finish(&hall, &other.url()).await);
    reached(&hall, &admin, &allowed, "delivered").await;
    reached(&hall, &admin, &refused, "failed").await;
    assert!(other.calls().is_empty());
}

#[tokio::test]
async fn a_network_and_a_name_may_be_allowed() {
    let receiver = Receiver::open().await;
    let port = receiver.address.port();
    for (allowed, url) in [
        ("127.0.0.0/8", format!("http://127.0.0.1:{port}/hook")),
        ("localhost", format!("http://localhost:{port}/hook")),
    ] {
        let hall = Hall::with(&[("WEBHOOK_ALLOW", allowed)]).await;
        let id = finish(&hall, &url).await;
        reached(&hall, &hall.signed_in("admin").await, &id, "delivered").await;
    }
}

#[tokio::test]
async fn only_named_hosts_are_targets_when_hosts_are_named() {
    let receiver = Receiver::open().await;
    let hall = Hall::with(&[("WEBHOOK_HOSTS", "lms.example,*.school.example"), ("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let admin = hall.signed_in("admin").await;
    for url in [
        "http://93.184.216.34/",
        "https://evil.example/",
        "https://school.example.evil.example/",
        "https://evilschool.example/",
        "https://lms.example.evil.example/",
    ] {
        let id = finish(&hall, url).await;
        reached(&hall, &admin, &id, "failed").await;
    }
    let id = finish(&hall, &receiver.url()).await;
    reached(&hall, &admin, &id, "delivered").await;
}

#[tokio::test]
async fn a_redirect_to_a_forbidden_place_goes_nowhere() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.always(crate::hall::Reply::Status(307, "location: http://169.254.169.254/latest/\r\n".to_owned()));
    let id = finish(&hall, &receiver.url()).await;
    let tried = super::attempted(&hall, &hall.signed_in("admin").await, &id).await;
    assert_eq!(tried["lastStatus"], 307);
}

#[tokio::test]
async fn a_name_that_is_nowhere_is_no_harm() {
    let hall = Hall::open().await;
    let id = finish(&hall, "http://nowhere.invalid/hook").await;
    let tried = super::attempted(&hall, &hall.signed_in("admin").await, &id).await;
    assert!(tried["lastError"].is_string(), "{tried}");
}
