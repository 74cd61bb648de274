//! Many questions at once.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Service, with, without};

async fn import(service: &Service, rows: Value) -> Value {
    let answer = service.post("/questions/import", &json!({ "rows": rows })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn rows_are_added_and_overwritten_by_their_ids() {
    let service = Service::open().await;
    let known = service.bank(5).await[0].clone();
    let rows = json!([
        with(&known, "topic", json!("Changed")),
        with(&known, "id", json!("")),
        without(&known, "id"),
        with(&known, "id", json!("made-elsewhere")),
    ]);
    assert_eq!(import(&service, rows).await, json!({ "added": 3, "updated": 1, "errors": [] }));
    let bank = service.bank(5).await;
    assert_eq!(bank.len(), 143);
    let made: Vec<&str> = bank
        .iter()
        .filter_map(|question| question["id"].as_str())
        .filter(|id| id.parse::<uuid::Uuid>().is_ok())
        .collect();
    assert_eq!(made.len(), 2, "{made:?}");
    assert!(made.iter().all(|id| id.parse::<uuid::Uuid>().unwrap().get_version_num() == 4));
    assert!(bank.iter().any(|question| question["id"] == "made-elsewhere"));
    assert_eq!(service.hall.bank(5).await.questions.len(), 123, "students are given them at once");
    assert_eq!(import(&service, json!([])).await, json!({ "added": 0, "updated": 0, "errors": [] }));
}

#[tokio::test]
async fn what_a_row_lacks_stays() {
    let service = Service::open().await;
    let known = service.bank(5).await[0].clone();
    let id = known["id"].clone();
    let rows = json!([{ "id": id, "explanation": "Only this.", "topic": null, "more": { "unknown": true } }]);
    assert_eq!(import(&service, rows).await, json!({ "added": 0, "updated": 1, "errors": [] }));
    assert_eq!(service.bank(5).await[0], with(&known, "explanation", json!("Only this.")));
    assert_eq!(import(&service, json!([{ "id": id }])).await["updated"], 1);
    let moved = import(&service, json!([{ "id": id, "grade": 7 }])).await;
    assert_eq!(moved, json!({ "added": 0, "updated": 1, "errors": [] }));
    assert_eq!((service.bank(5).await.len(), service.bank(7).await.len()), (139, 141));
}

#[tokio::test]
async fn bad_rows_are_told_and_good_ones_apply() {
    let service = Service::open().await;
    let known = service.bank(5).await[0].clone();
    let rows = json!([
        { "id": "unknown", "topic": "Partial" },
        with(&known, "id", json!("good")),
        with(&known, "answer", json!("E")),
        with(&known, "id", json!("good")),
        "row",
        with(&known, "id", json!("a\u{0}")),
        { "id": known["id"], "grade": 11 },
    ]);
    let expected = json!({ "added": 1, "updated": 0, "errors": [
        "Row 1: grade required; difficulty required; question required; answer must be one of A, B, C, D",
        "Row 3: answer must be one of A, B, C, D",
        "Row 4: id good stands in row 2 already",
        "Row 5: a row must be an object",
        "Row 6: id has control characters",
        "Row 7: grade must be 1 to 10",
    ] });
    assert_eq!(import(&service, rows).await, expected);
    assert_eq!(service.bank(5).await.len(), 141);
}

#[tokio::test]
async fn imports_at_once_lose_nothing_of_each_other() {
    let service = Service::open().await;
    let known = service.bank(5).await[0].clone();
    let fields = ["topic", "subtopic", "source", "explanation", "image", "imageDescription", "question"];
    let rows = fields.map(|field| json!([{ "id": known["id"], (field): "https://exam.example/x" }]));
    for report in join_all(rows.map(|rows| import(&service, rows))).await {
        assert_eq!(report, json!({ "added": 0, "updated": 1, "errors": [] }));
    }
    let stored = service.bank(5).await[0].clone();
    for field in fields {
        assert_eq!(stored[field], "https://exam.example/x", "{field}");
    }
}

#[tokio::test]
async fn rows_are_limited() {
    let service = Service::open().await;
    let rows: Vec<Value> = (0..50_001).map(|_| json!({})).collect();
    service
        .post("/questions/import", &json!({ "rows": rows }))
        .await
        .assert_error(400, "The import has more than 50,000 rows");
    for body in [json!({}), json!({ "rows": {} }), json!([]), json!({ "rows": null })] {
        service.post("/questions/import", &body).await.assert_error(400, "Invalid body");
    }
}

#[tokio::test]
async fn a_question_for_exams_alone_is_not_given() {
    let service = Service::open().await;
    let known = service.bank(5).await[0].clone();
    let marked = |secure: Value| json!([with(&known, "secure", secure)]);
    assert_eq!(import(&service, marked(json!(true))).await["updated"], 1);
    assert!(service.bank(5).await.iter().all(|question| question["id"] != known["id"]));
    assert_eq!(import(&service, json!([known])).await["updated"], 1);
    assert_eq!(service.bank(5).await.len(), 139, "unsaid is as it was");
    let refused = import(&service, marked(json!("yes"))).await;
    assert_eq!(refused["errors"], json!(["Row 1: secure must be yes or no"]));
    assert_eq!(import(&service, marked(json!(false))).await["updated"], 1);
    assert_eq!(service.bank(5).await[0], known);
}

#[tokio::test]
async fn what_changes_is_logged_with_who_imports() {
    let service = Service::open().await;
    let known = service.bank(5).await[0].clone();
    let (id, rows) = (known["id"].clone(), |topic: &str| json!([with(&known, "topic", json!(topic))]));
    let body = json!({ "by": { "email": "Ann@exam.test", "name": "Ann" }, "rows": rows("Changed") });
    assert_eq!(service.post("/questions/import", &body).await.status, 200);
    import(&service, rows("Changed again")).await;
    let log = service.read("/edit-log?grade=5").await;
    let told: Vec<_> = log.as_array().unwrap().iter().map(|edit| (&edit["questionId"], &edit["editedBy"])).collect();
    assert_eq!(told, [(&id, &json!("server")), (&id, &json!("ann@exam.test"))]);
    let body = json!({ "by": { "email": "nobody" }, "rows": [] });
    service.post("/questions/import", &body).await.assert_error(400, "Invalid by");
}
