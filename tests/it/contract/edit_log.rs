//! The log of edits.

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Service, with, without};

fn edit(number: u32, grade: u8) -> Value {
    json!({
        "id": Uuid::new_v4(), "questionId": "g5-001", "grade": grade, "editedBy": "ada@exam.test", "editedByName": "Ada",
        "editedAt": format!("2026-03-02T10:{:02}:{:02}.000Z", number / 60, number % 60),
        "changes": [{ "field": "Question", "before": "a\nb", "after": "" }], "comment": "why",
    })
}

#[tokio::test]
async fn entries_are_appended_once_and_read_from_the_newest_on() {
    let service = Service::open().await;
    assert_eq!(service.read("/edit-log").await, json!([]));
    let edits: Vec<Value> = (0..250).map(|number| edit(number, if number % 2 == 0 { 5 } else { 6 })).collect();
    for some in edits.chunks(50) {
        for (answer, edit) in join_all(some.iter().map(|edit| service.post("/edit-log", edit))).await.iter().zip(some) {
            assert_eq!((answer.status, answer.json()), (200, json!({ "ok": true, "id": edit["id"] })));
        }
    }
    let newest_first: Vec<Value> = edits.iter().rev().cloned().collect();
    assert_eq!(service.read("/edit-log").await, json!(newest_first));
    let of_grade: Vec<&Value> = newest_first.iter().filter(|edit| edit["grade"] == 6).collect();
    assert_eq!(service.read("/edit-log?grade=6").await, json!(of_grade));
    assert_eq!(service.read("/edit-log?grade=7").await, json!([]));
    service.get("/edit-log?grade=11").await.assert_error(400, "Invalid grade");
    let again = service.post("/edit-log", &with(&edits[0], "comment", json!("another"))).await;
    assert_eq!((again.status, again.json()), (200, json!({ "ok": true, "id": edits[0]["id"] })));
    assert_eq!(service.read("/edit-log").await, json!(newest_first), "what is logged stays");
}

#[tokio::test]
async fn the_same_entry_at_once_is_there_once() {
    let service = Service::open().await;
    let edit = edit(1, 5);
    for answer in join_all((0..10).map(|_| service.post("/edit-log", &edit))).await {
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    assert_eq!(service.read("/edit-log").await, json!([edit]));
}

#[tokio::test]
async fn an_entry_without_an_id_is_given_one() {
    let service = Service::open().await;
    let id = service.post("/edit-log", &without(&edit(1, 5), "id")).await.json()["id"].clone();
    assert_eq!(id.as_str().unwrap().parse::<Uuid>().unwrap().get_version_num(), 4);
    assert_eq!(service.read("/edit-log").await[0]["id"], id);
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_its_field() {
    let service = Service::open().await;
    let change = |after: String| json!([{ "field": "Question", "before": "", "after": after }]);
    let many: Vec<Value> = (0..33).map(|_| json!({ "field": "Question", "before": "", "after": "" })).collect();
    let wrong = [
        ("id", json!("seven")),
        ("questionId", json!("")),
        ("questionId", json!("a\u{7}")),
        ("grade", json!(0)),
        ("editedBy", json!("ada")),
        ("editedByName", json!("a\u{202E}b")),
        ("editedAt", json!(7)),
        ("changes", json!({})),
        ("changes", change("x".repeat(32_768))),
        ("changes", json!(many)),
        ("comment", json!("x".repeat(10_001))),
    ];
    for (field, value) in wrong {
        service
            .post("/edit-log", &with(&edit(1, 5), field, value))
            .await
            .assert_error(400, &format!("Invalid {field}"));
    }
    service.post("/edit-log", &with(&edit(1, 5), "comment", json!("a\u{0}"))).await.assert_error(400, "Invalid body");
    for field in ["questionId", "grade", "editedBy", "changes"] {
        service.post("/edit-log", &without(&edit(1, 5), field)).await.assert_error(400, &format!("Invalid {field}"));
    }
    assert_eq!(service.read("/edit-log").await, json!([]));
}
