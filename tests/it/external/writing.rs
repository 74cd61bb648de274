//! Questions that are written here, and kept by the external service.

use reqwest::Method;
use serde_json::json;
use uuid::Uuid;

use super::admin;
use crate::hall::{External, Told, eventually};

#[tokio::test]
async fn pressing_save_twice_writes_a_secure_question_once() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut admin = admin(&hall, &external).await;
    external.on("POST /v1/questions/import", Told::Json(200, json!({ "added": 1, "updated": 0, "errors": [] })));
    external.on("POST /v1/edit-log", Told::done());
    // The service shows no such question in its bank.
    let mut draft = json!({
        "draftId": Uuid::from_u128(7), "grade": 5, "topic": "Clocks", "difficulty": 2, "secure": true,
        "question": "What time is it at noon?", "options": ["twelve", "six"], "answer": "A", "fixedOptions": true,
    });
    let first = admin.fetch(Method::POST, "/api/admin/questions", Some(&draft)).await;
    assert_eq!(first.status, 201, "{}", first.text());
    eventually("its history is sent", async || (external.calls("POST /v1/edit-log").len() == 1).then_some(())).await;
    draft["question"] = json!("And at midnight?");
    let again = admin.fetch(Method::POST, "/api/admin/questions", Some(&draft)).await;
    assert_eq!((again.status, again.json()), (201, first.json()));
    assert_eq!(external.calls("POST /v1/questions/import").len(), 1);
    // Whatever is sent next is behind what the second one would have sent.
    draft["draftId"] = json!(Uuid::from_u128(8));
    let other = admin.fetch(Method::POST, "/api/admin/questions", Some(&draft)).await.json();
    let sent = eventually("the history of another one is sent", async || {
        let sent: Vec<_> = external.calls("POST /v1/edit-log").iter().map(|call| call.json()).collect();
        sent.iter().any(|edit| edit["questionId"] == other["id"]).then_some(sent)
    })
    .await;
    assert_eq!(sent.len(), 2, "{sent:?}");
}
