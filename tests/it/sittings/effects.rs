//! Orders answer what they have done, and whom they have left as they were.

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, candidate_path, send};

#[tokio::test]
async fn whom_an_order_does_not_change_is_named_with_the_reason() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let people = json!([{ "email": "ada@exam.test", "name": "Ada" }, { "email": "bo@exam.test", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let mut students = school.enter_all(&sitting).await;
    school.advance(6);
    for student in &mut students {
        student.begin().await;
    }
    let own = candidate_path(&sitting, &school.candidate(&sitting, "Ada").await);
    let ended = send(&school.admin, Method::PATCH, &own, &json!({ "endsAt": school.at(20) })).await;
    assert_eq!(ended.status, 200, "{}", ended.text());
    let room = format!("/api/live/rooms/orders?sittingId={}", sitting["id"].as_str().unwrap());
    let order = async |path: &str, order: Value| -> Value {
        let answer = school.admin.post_json(path, &order).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let id_of = |name: &str| {
        let named = |student: &&crate::hall::Candidate| student.started["name"] == name;
        students.iter().find(named).map(|student| student.session_id.clone()).unwrap()
    };
    let left = |name: &str, reason: &str| json!({ "sessionId": id_of(name), "student": name, "reason": reason });
    let extend = json!({ "id": "a", "type": "extend", "minutes": 10 });
    let extended = order(&room, extend.clone()).await;
    assert_eq!(extended, json!({ "count": 1, "unchangedCount": 1, "unchanged": [left("Ada", "own_end")] }));
    assert_eq!(order(&room, extend).await, extended, "a repeat gets the same answer");
    let own_orders = format!("/api/live/sessions/{}/orders", id_of("Bo"));
    assert_eq!(order(&own_orders, json!({ "id": "b", "type": "pause" })).await, json!({ "count": 1 }));
    let paused = order(&room, json!({ "id": "c", "type": "pause" })).await;
    assert_eq!(paused, json!({ "count": 1, "unchangedCount": 1, "unchanged": [left("Bo", "as_ordered")] }));
}
