//! Reviews of questions.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Service, with, without};

fn review(status: &str) -> Value {
    json!({ "status": status, "reviewedBy": "ada@exam.test", "reviewedByName": "Ada", "reviewedAt": "2026-03-02T10:00:00.000Z", "note": "a\nb" })
}

#[tokio::test]
async fn reviews_of_all_grades_are_one_map() {
    let service = Service::open().await;
    assert_eq!(service.read("/reviews").await, json!({}));
    for (grade, status) in [(1, "approved"), (5, "flagged"), (10, "pending")] {
        let id = service.bank(grade).await[0]["id"].as_str().unwrap().to_owned();
        service.put(&format!("/reviews/{id}"), &review("pending")).await.assert_done();
        service.put(&format!("/reviews/{id}"), &review(status)).await.assert_done();
        assert_eq!(service.read("/reviews").await[&id], review(status));
    }
    assert_eq!(service.read("/reviews").await.as_object().unwrap().len(), 3);
    let admin = service.hall.signed_in("admin").await;
    let seen = admin.get("/api/review/questions?grade=5").await.json();
    assert!(
        seen["reviews"].as_object().unwrap().values().any(|seen| *seen == review("flagged")),
        "staff see it here too"
    );
}

#[tokio::test]
async fn the_map_may_be_longer_than_a_page() {
    let service = Service::open().await;
    let mut ids: Vec<String> = Vec::new();
    for grade in 1..=5 {
        ids.extend(service.bank(grade).await.iter().map(|question| question["id"].as_str().unwrap().to_owned()));
    }
    for some in ids.chunks(40) {
        for answer in
            join_all(some.iter().map(async |id| service.put(&format!("/reviews/{id}"), &review("approved")).await))
                .await
        {
            answer.assert_done();
        }
    }
    let listed = service.read("/reviews").await;
    assert_eq!(listed.as_object().unwrap().len(), 700);
    assert!(ids.iter().all(|id| listed[id] == review("approved")));
}

#[tokio::test]
async fn what_cannot_be_is_refused() {
    let service = Service::open().await;
    for unknown in ["none", "%00", "a%2Fb", "%F0%9F%98%80"] {
        service.put(&format!("/reviews/{unknown}"), &review("approved")).await.assert_error(404, "Question not found");
    }
    let id = service.bank(5).await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/reviews/{id}");
    for (field, value) in [
        ("status", json!("good")),
        ("reviewedBy", json!("ada")),
        ("reviewedByName", json!(7)),
        ("reviewedAt", json!("then")),
        ("note", json!("a\u{7}")),
    ] {
        service
            .put(&path, &with(&review("approved"), field, value))
            .await
            .assert_error(400, &format!("Invalid {field}"));
    }
    service.put(&path, &without(&review("approved"), "reviewedBy")).await.assert_error(400, "Invalid reviewedBy");
    assert_eq!(service.read("/reviews").await, json!({}));
    service.put(&path, &json!({ "status": "approved", "reviewedBy": "ada@exam.test" })).await.assert_done();
    crate::hall::time_of(&service.read("/reviews").await[&id]["reviewedAt"]);
}
