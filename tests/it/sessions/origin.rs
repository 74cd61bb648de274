//! Who chose the answers of a test, and whose account sat it: what is told to whom.

use serde_json::{Value, json};

use super::{create, honest, sit};
use crate::hall::{Hall, Receiver};

#[tokio::test]
async fn a_live_exam_and_a_result_that_was_handed_in_can_be_told_apart() {
    let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let receiver = Receiver::open().await;
    let student = hall.signed_in("student").await;
    let mut body = honest(&hall.bank(5).await);
    body["webhookUrl"] = json!(receiver.url());
    // Signed in or not: who hands a result in says nothing about who sat it.
    let client = create(&student, &body).await;
    let live =
        sit(&hall, &student, json!({ "webhookUrl": receiver.url(), "annotations": { "name": "Someone else" } })).await;
    let admin = hall.signed_in("admin").await;
    let calls = receiver.wait_for(2).await;
    for (id, origin, account) in [(&client, "client", Value::Null), (&live, "live", json!("student@exam.test"))] {
        let told = calls.iter().map(|call| call.json()).find(|call| call["sessionId"] == id.as_str()).unwrap();
        assert_eq!(
            (&told["origin"], told.get("account"), &told["verified"]),
            (&json!(origin), Some(&account), &json!(true))
        );
        for path in [format!("/api/sessions/{id}"), format!("/api/sessions/{id}?payload=1")] {
            let staff = admin.get(&path).await.json();
            assert_eq!((&staff["origin"], staff.get("account")), (&json!(origin), Some(&account)), "{path}");
            for reader in [&hall.anonymous(), &student] {
                let answer = reader.get(&path).await;
                assert_eq!(answer.json()["origin"], origin, "{path}");
                assert!(!answer.text().contains("student@exam.test"), "{}", answer.text());
            }
        }
        for path in [format!("/api/report/{id}/questions"), format!("/api/report/{id}/pdf")] {
            let answer = hall.anonymous().get(&path).await;
            assert_eq!(answer.status, 200);
            assert!(!answer.text().contains("student@exam.test"), "{path}");
        }
    }
}

#[tokio::test]
async fn a_live_exam_without_sign_in_has_no_account() {
    let hall = Hall::open().await;
    let id = sit(&hall, &hall.anonymous(), json!({})).await;
    let stored = hall.signed_in("reviewer").await.get(&format!("/api/sessions/{id}")).await.json();
    assert_eq!((&stored["origin"], stored.get("account")), (&json!("live"), Some(&Value::Null)));
}

#[tokio::test]
async fn a_base_url_of_another_origin_than_the_named_ones_is_refused() {
    let hall = Hall::with(&[("BASE_URLS", "https://exam.example,https://lms.example")]).await;
    let student = hall.signed_in("student").await;
    let mut body = honest(&hall.bank(5).await);
    for allowed in ["https://lms.example/course/7", "http://exam.localhost"] {
        body["baseUrl"] = json!(allowed);
        create(&hall.anonymous(), &body).await;
        sit(&hall, &student, json!({ "baseUrl": allowed })).await;
    }
    for other in ["https://evil.example", "http://lms.example", "https://lms.example@evil.example"] {
        body["baseUrl"] = json!(other);
        hall.anonymous().post_json("/api/sessions", &body).await.assert_error(400, "Invalid baseUrl");
        let start = json!({ "grade": 5, "questionCount": 10, "baseUrl": other });
        let refused = student.post_json("/api/live", &start).await;
        assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("bad_message")), "{}", refused.text());
        assert!(refused.json()["error"].as_str().unwrap().starts_with("baseUrl "), "{}", refused.text());
    }
    sit(&hall, &student, json!({})).await;
}

mod own_tables {
    use super::*;

    #[tokio::test]
    async fn lists_and_tables_link_to_this_server_whatever_a_client_sends() {
        let hall = Hall::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
        let receiver = Receiver::open().await;
        let evil = "https://evil.example";
        let mut body = honest(&hall.bank(5).await);
        body["baseUrl"] = json!(evil);
        body["webhookUrl"] = json!(receiver.url());
        let client = create(&hall.anonymous(), &body).await;
        let start = json!({ "baseUrl": evil, "webhookUrl": receiver.url(), "annotations": { "event": 23 } });
        let live = sit(&hall, &hall.signed_in("student").await, start).await;
        // What the specification gives to the one who sent it: the record and the webhook.
        let calls = receiver.wait_for(2).await;
        for id in [&client, &live] {
            let theirs = format!("{evil}/report/{id}");
            assert_eq!(hall.stored_session(id).await["reportUrl"], theirs);
            assert!(calls.iter().any(|call| call.json()["reportUrl"] == theirs), "{theirs}");
        }
        let admin = hall.signed_in("admin").await;
        for (path, ids) in [
            ("/api/sessions", &[&client, &live][..]),
            ("/api/sessions?page=1", &[&client, &live]),
            ("/api/sessions?event=23", &[&live]),
            ("/api/admin/results?origin=all", &[&client, &live]),
            ("/api/manager/results.csv?grade=5", &[&live]),
        ] {
            let answer = admin.get(path).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            for id in ids {
                assert!(
                    answer.text().contains(&format!("http://exam.localhost/report/{id}")),
                    "{path}: {}",
                    answer.text()
                );
            }
            assert!(!answer.text().contains("evil.example"), "{path}: {}", answer.text());
        }
    }
}
