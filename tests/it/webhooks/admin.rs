//! What admins see of webhooks, and how they send one again.

use serde_json::{Value, json};

use super::{attempted, finish, hall_with_receiver, reached};
use crate::hall::{Hall, Receiver, Reply, eventually, time_of};

#[tokio::test]
async fn only_admins_may() {
    let hall = Hall::open().await;
    let replay = format!("/api/admin/webhooks/{}/replay", uuid::Uuid::new_v4());
    for path in ["/api/admin/webhooks", "/api/admin/webhooks/key"] {
        hall.anonymous().get(path).await.assert_error(401, "Unauthorized");
        hall.bearer("forged").get(path).await.assert_error(401, "Unauthorized");
        for role in ["student", "reviewer", "manager"] {
            hall.signed_in(role).await.get(path).await.assert_error(403, "Forbidden");
        }
    }
    hall.anonymous().post_json(&replay, &json!({})).await.assert_error(401, "Unauthorized");
    hall.signed_in("manager").await.post_json(&replay, &json!({})).await.assert_error(403, "Forbidden");
    hall.signed_in("admin").await.post_json(&replay, &json!({})).await.assert_some_error(404);
    hall.signed_in("admin")
        .await
        .post_json("/api/admin/webhooks/nothing/replay", &json!({}))
        .await
        .assert_some_error(404);
}

#[tokio::test]
async fn a_delivery_says_what_happened() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::status(500)]);
    let admin = hall.signed_in("admin").await;
    let began = hall.clock.now().milliseconds();
    let id = finish(&hall, &receiver.url()).await;
    let pending = attempted(&hall, &admin, &id).await;
    let ended = hall.clock.now().milliseconds();
    assert_eq!(
        (&pending["attempts"], &pending["lastStatus"], &pending["status"]),
        (&json!(1), &json!(500), &json!("pending"))
    );
    assert!((began..=ended).contains(&time_of(&pending["createdAt"]).timestamp_millis()), "{pending}");
    assert!(
        (began + 4_000..=ended + 6_000).contains(&time_of(&pending["nextAttemptAt"]).timestamp_millis()),
        "{pending}"
    );
    hall.clock.advance(std::time::Duration::from_secs(6));
    let delivered = reached(&hall, &admin, &id, "delivered").await;
    assert_eq!(
        (&delivered["attempts"], &delivered["lastStatus"], &delivered["nextAttemptAt"]),
        (&json!(2), &json!(200), &Value::Null)
    );
}

#[tokio::test]
async fn a_failed_delivery_can_be_sent_again() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::status(410)]);
    let admin = hall.signed_in("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    let failed = reached(&hall, &admin, &id, "failed").await;
    let replayed =
        admin.post_json(&format!("/api/admin/webhooks/{}/replay", failed["id"].as_str().unwrap()), &json!({})).await;
    assert_eq!(replayed.status, 200, "{}", replayed.text());
    reached(&hall, &admin, &id, "delivered").await;
    let calls = receiver.calls();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0].header("webhook-id"), calls[1].header("webhook-id"));
    assert_eq!(hall.stored_session(&id).await["webhookSent"], true);
}

#[tokio::test]
async fn a_delivered_one_can_be_sent_again_without_a_body() {
    let (hall, receiver) = hall_with_receiver().await;
    let admin = hall.signed_in("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    let delivered = reached(&hall, &admin, &id, "delivered").await;
    let path = format!("/api/admin/webhooks/{}/replay", delivered["id"].as_str().unwrap());
    let request = admin.request(reqwest::Method::POST, &path);
    assert_eq!(request.send().await.unwrap().status(), 200);
    receiver.wait_for(2).await;
    reached(&hall, &admin, &id, "delivered").await;
    assert_eq!(hall.stored_session(&id).await["webhookSent"], true);
}

#[tokio::test]
async fn replaying_a_forbidden_target_reaches_nothing() {
    let (hall, receiver) = (Hall::open().await, crate::hall::Receiver::open().await);
    let admin = hall.signed_in("admin").await;
    let id = finish(&hall, &receiver.url()).await;
    let failed = reached(&hall, &admin, &id, "failed").await;
    admin.post_json(&format!("/api/admin/webhooks/{}/replay", failed["id"].as_str().unwrap()), &json!({})).await;
    // Others that are as forbidden come after it.
    for _ in 0..2 {
        let later = finish(&hall, &receiver.url()).await;
        reached(&hall, &admin, &later, "failed").await;
    }
    reached(&hall, &admin, &id, "failed").await;
    assert!(receiver.calls().is_empty(), "{:?}", receiver.calls());
}

#[tokio::test]
async fn the_list_is_filtered_by_status() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.then([Reply::status(200), Reply::status(410), Reply::status(500)]);
    let admin = hall.signed_in("admin").await;
    let mut sessions = Vec::new();
    for status in ["delivered", "failed", "pending"] {
        let id = finish(&hall, &receiver.url()).await;
        attempted(&hall, &admin, &id).await;
        reached(&hall, &admin, &id, status).await;
        sessions.push((status, id));
    }
    for (status, id) in sessions {
        let list = admin.get(&format!("/api/admin/webhooks?status={status}")).await.json();
        let found: Vec<&str> = list["deliveries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|delivery| delivery["sessionId"].as_str().unwrap())
            .collect();
        assert_eq!(found, [id.as_str()], "{status}");
    }
    for query in [
        "?status=lost",
        "?status=Pending",
        "?status=%00",
        "?page=0",
        "?page=-1",
        "?page=x",
        "?page=1.5",
        "?page=99999999999999999999999",
    ] {
        admin.get(&format!("/api/admin/webhooks{query}")).await.assert_some_error(400);
    }
}

#[tokio::test]
async fn every_delivery_is_on_one_page() {
    const COUNT: usize = 123;
    let (hall, receiver) = hall_with_receiver().await;
    let admin = hall.signed_in("admin").await;
    let body = super::finished(&hall.bank(5).await, &receiver.url());
    let anonymous = hall.anonymous();
    for _ in 0..COUNT {
        assert_eq!(anonymous.post_json("/api/sessions", &body).await.status, 200);
    }
    eventually("all are delivered", async || (receiver.calls().len() >= COUNT).then_some(())).await;
    let (mut ids, mut page) = (std::collections::BTreeSet::new(), 1);
    loop {
        let list = admin.get(&format!("/api/admin/webhooks?page={page}")).await.json();
        let found = list["deliveries"].as_array().unwrap();
        if found.is_empty() {
            break;
        }
        for delivery in found {
            assert!(ids.insert(delivery["id"].to_string()), "twice: {delivery}");
        }
        page += 1;
    }
    assert_eq!(ids.len(), COUNT);
    assert_eq!(receiver.calls().len(), COUNT, "each was told once");
}

#[tokio::test]
async fn a_receiver_is_tried_out_with_a_signed_event() {
    let (hall, receiver) = hall_with_receiver().await;
    let admin = hall.signed_in("admin").await;
    let report = admin.post_json("/api/admin/webhooks/test", &json!({ "url": receiver.url() })).await;
    assert_eq!(report.status, 200, "{}", report.text());
    let report = report.json();
    assert_eq!(
        (&report["delivered"], &report["status"], &report["error"]),
        (&json!(true), &json!(200), &json!("")),
        "{report}"
    );
    let calls = receiver.calls();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].json()["event"], "webhook.test");
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        assert_eq!(report["request"]["headers"][name], calls[0].header(name), "{name}");
    }
    assert_eq!(report["request"]["body"].as_str().unwrap().as_bytes(), calls[0].body);
    assert!(hall.deliveries(&admin).await.is_empty(), "it is no delivery");
}

#[tokio::test]
async fn a_receiver_that_refuses_is_tried_once() {
    let (hall, receiver) = hall_with_receiver().await;
    receiver.always(Reply::status(500));
    let admin = hall.signed_in("admin").await;
    let report = admin.post_json("/api/admin/webhooks/test", &json!({ "url": receiver.url() })).await.json();
    assert_eq!(
        (&report["delivered"], &report["status"], &report["error"]),
        (&json!(false), &json!(500), &json!("the receiver answered 500"))
    );
    let closed = Receiver::open().await.url();
    let gone = admin.post_json("/api/admin/webhooks/test", &json!({ "url": closed })).await.json();
    assert_eq!((&gone["delivered"], &gone["status"]), (&json!(false), &Value::Null));
    assert!(!gone["error"].as_str().unwrap().is_empty());
    assert_eq!(receiver.calls().len(), 1);
}

#[tokio::test]
async fn a_test_event_reaches_no_address_that_webhooks_may_not() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for url in
        ["", "not a link", "ftp://93.184.216.34/", "http://127.0.0.1:9/", "http://localhost:9/", "http://10.0.0.1/"]
    {
        admin.post_json("/api/admin/webhooks/test", &json!({ "url": url })).await.assert_error(400, "Invalid url");
    }
    admin.post_json("/api/admin/webhooks/test", &json!({})).await.assert_error(400, "Invalid url");
}
