//! Orders over plain HTTPS: the same as those of the socket, with statuses instead of frames.

use futures_util::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{assign, test_of, watching};
use crate::hall::{Candidate, Hall, time_of};

fn orders(candidate: &Candidate) -> String {
    format!("/api/live/sessions/{}/orders", candidate.session_id)
}

fn extend(id: &str, minutes: u32) -> Value {
    json!({ "id": id, "type": "extend", "minutes": minutes })
}

async fn minutes_more(candidate: &Candidate) -> i64 {
    (time_of(&candidate.state().await["deadline"]) - time_of(&candidate.started["deadline"])).num_minutes()
}

#[tokio::test]
async fn an_order_is_done_once_and_reaches_the_student() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let path = orders(&ada);
    let order = extend("lms-1", 5);
    let answers = join_all((0..8).map(|_| admin.post_json(&path, &order))).await;
    for answer in answers {
        assert_eq!((answer.status, answer.json()), (200, json!({ "count": 1 })));
    }
    assert_eq!(ada.socket().until("extended").await["minutes"], 5);
    assert_eq!(minutes_more(&ada).await, 5);
    for other in [extend("lms-1", 6), json!({ "id": "lms-1", "type": "finish" })] {
        let refused = admin.post_json(&path, &other).await;
        refused.assert_fault(409, "This id has been used for another order", "id_reused");
    }
    let of_room = admin.post_json("/api/live/rooms/orders?grade=5", &extend("lms-1", 5)).await;
    assert_eq!((of_room.status, &of_room.json()["code"]), (409, &json!("id_reused")), "for others is another order");
    for (order, heard) in [
        (json!({ "id": "lms-2", "type": "pause" }), "paused"),
        (json!({ "id": "lms-3", "type": "unpause" }), "unpaused"),
        (json!({ "id": "lms-4", "type": "notice", "text": "Sit down" }), "notice"),
        (json!({ "id": "lms-5", "type": "finish" }), "submitted"),
    ] {
        assert_eq!(admin.post_json(&path, &order).await.json(), json!({ "count": 1 }), "{order}");
        ada.socket().until(heard).await;
    }
    hall.stored_session(&ada.session_id).await;
    let late = admin.post_json(&path, &extend("lms-6", 5)).await;
    late.assert_fault(409, "The session has been submitted", "already_submitted");
}

#[tokio::test]
async fn of_two_orders_with_one_id_at_once_one_is_done() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (ada, bo) = (hall.sit(test_of("Ada")).await, hall.sit(test_of("Bo")).await);
    let (for_ada, for_bo) = (orders(&ada), orders(&bo));
    let order = extend("one", 7);
    let (one, other) = tokio::join!(admin.post_json(&for_ada, &order), admin.post_json(&for_bo, &order));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{} {}", one.text(), other.text());
}

#[tokio::test]
async fn an_order_by_socket_is_not_done_again_by_https() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut proctor = watching(&hall).await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let command = json!({ "type": "extend", "id": "both", "sessionId": ada.session_id, "minutes": 9 });
    assert_eq!(proctor.done(command.clone()).await, 1);
    assert_eq!(admin.post_json(&orders(&ada), &extend("both", 9)).await.json(), json!({ "count": 1 }));
    ada.socket().until("extended").await;
    assert_eq!(minutes_more(&ada).await, 9);
}

#[tokio::test]
async fn a_room_is_ordered_as_a_whole() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let mut students = Vec::new();
    for name in ["Ada", "Bo", "Cay"] {
        students.push(hall.sit(test_of(name)).await);
    }
    let other_grade = hall.sit(json!({ "grade": 6 })).await;
    let path = "/api/live/rooms/orders";
    let answer = admin.post_json(&format!("{path}?grade=5"), &json!({ "id": 1, "type": "pause" })).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "count": 3 })));
    for student in &mut students {
        student.socket().until("paused").await;
    }
    assert_eq!(other_grade.state().await["state"], "active");
    for query in ["", "?grade=11", "?grade=5&templateId=00000000-0000-4000-8000-000000000000"] {
        let answer = admin.post_json(&format!("{path}{query}"), &json!({ "id": 2, "type": "pause" })).await;
        answer.assert_fault(400, "Invalid grade", "invalid_grade");
    }
    for template_id in [Uuid::new_v4().to_string(), "none".to_owned()] {
        let query = format!("{path}?templateId={template_id}");
        let answer = admin.post_json(&query, &json!({ "id": 2, "type": "pause" })).await;
        answer.assert_fault(404, "Not found", "template_not_found");
    }
}

#[tokio::test]
async fn what_is_no_order_is_refused() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let ada = hall.sit(test_of("Ada")).await;
    for body in [
        "",
        "[]",
        "{}",
        r#"{"id":"a"}"#,
        r#"{"type":"pause"}"#,
        r#"{"id":"a","type":"history"}"#,
        r#"{"id":"a","type":"extend"}"#,
        r#"{"id":"a","type":"extend","minutes":121}"#,
        r#"{"id":"a","type":"notice","text":""}"#,
    ] {
        let answer = admin.post_text(&orders(&ada), body).await;
        assert_eq!((answer.status, &answer.json()["code"]), (400, &json!("bad_message")), "{body}");
    }
    let huge = json!({ "id": "a", "type": "notice", "text": "x".repeat(20_000) });
    admin.post_json(&orders(&ada), &huge).await.assert_fault(413, "Request body too large", "too_large");
    for id in [Uuid::new_v4().to_string(), "nothing".to_owned()] {
        let answer = admin.post_json(&format!("/api/live/sessions/{id}/orders"), &extend("a", 5)).await;
        answer.assert_fault(404, "Session not found", "unknown_session");
    }
    assert_eq!(minutes_more(&ada).await, 0);
}

#[tokio::test]
async fn orders_are_for_those_who_may_watch() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let ada = hall.sit(test_of("Ada")).await;
    let (reviewer, student) = (hall.signed_in("reviewer").await, hall.signed_in("student").await);
    assign(&hall, &admin, "assignments", "reviewer@exam.test", &[6]).await;
    for path in [orders(&ada), "/api/live/rooms/orders?grade=5".to_owned()] {
        let order = extend("a", 5);
        hall.anonymous().post_json(&path, &order).await.assert_fault(401, "Unauthorized", "sign_in_required");
        ada.caller().post_json(&path, &order).await.assert_fault(401, "Unauthorized", "sign_in_required");
        student.post_json(&path, &order).await.assert_fault(403, "Forbidden", "forbidden");
        reviewer.post_json(&path, &order).await.assert_fault(403, "Not assigned to this grade", "forbidden");
    }
    assert_eq!(minutes_more(&ada).await, 0);
    assign(&hall, &admin, "assignments", "reviewer@exam.test", &[5]).await;
    assert_eq!(reviewer.post_json(&orders(&ada), &extend("a", 5)).await.json(), json!({ "count": 1 }));
}
