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
