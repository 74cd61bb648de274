//! Decisions of managers on grades.

use std::time::Duration;

use serde_json::{Value, json};

use super::{assign, delete, found, manager};
use crate::hall::{Caller, Hall, time_of};

const PATH: &str = "/api/manager/approvals";

async fn decide(caller: &Caller, grade: u8, status: &str, comment: &str) {
    let body = json!({ "grade": grade, "status": status, "comment": comment });
    assert_eq!(found(&caller.post_json(PATH, &body).await)["ok"], true);
}

/// Grade, manager and status of each decision.
async fn decisions(caller: &Caller) -> Vec<(u64, String, String)> {
    let list = found(&caller.get(PATH).await);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let decision = |approval: &Value| {
        (approval["grade"].as_u64().unwrap(), text(&approval["managerEmail"]), text(&approval["status"]))
    };
    list["approvals"].as_array().unwrap().iter().map(decision).collect()
}

fn decision(grade: u64, name: &str, status: &str) -> (u64, String, String) {
    (grade, format!("{name}@exam.test"), status.to_owned())
}

#[tokio::test]
async fn a_manager_sees_their_own_decisions_on_their_grades() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (max, eva) =
        (manager(&hall, &admin, "Max@exam.test", &[5, 6]).await, manager(&hall, &admin, "eva@exam.test", &[5]).await);
    assert_eq!(decisions(&max).await, []);
    for (caller, grade, status) in [
        (&max, 5, "approved"),
        (&eva, 5, "revision_requested"),
        (&max, 6, "revision_requested"),
        (&admin, 1, "approved"),
    ] {
        hall.clock.advance(Duration::from_secs(1));
        decide(caller, grade, status, "").await;
    }
    assert_eq!(
        decisions(&max).await,
        [decision(6, "max", "revision_requested"), decision(5, "max", "approved")],
        "the newest first"
    );
    assert_eq!(decisions(&eva).await, [decision(5, "eva", "revision_requested")]);
    let all = [
        decision(1, "admin", "approved"),
        decision(6, "max", "revision_requested"),
        decision(5, "eva", "revision_requested"),
        decision(5, "max", "approved"),
    ];
    assert_eq!(decisions(&admin).await, all);
    assign(&admin, "managers", "max@exam.test", &[6]).await;
    assert_eq!(
        decisions(&max).await,
        [decision(6, "max", "revision_requested")],
        "no longer that of a grade taken away"
    );
    delete(&admin, "/api/admin/review/managers/max%40exam.test").await;
    assert_eq!((decisions(&max).await.len(), decisions(&admin).await.len()), (0, 4));
}

#[tokio::test]
async fn a_decision_replaces_the_managers_own() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let max = manager(&hall, &admin, "max@exam.test", &[5]).await;
    decide(&max, 5, "revision_requested", " Check 7\nand 9 ").await;
    let mut approval = found(&max.get(PATH).await)["approvals"][0].clone();
    time_of(&approval["decidedAt"].take());
    let expected = json!({
        "grade": 5, "managerEmail": "max@exam.test", "managerName": "max", "status": "revision_requested", "comment": "Check 7\nand 9", "decidedAt": null,
        "approved": 0, "pending": 140, "flagged": 0,
    });
    assert_eq!(approval, expected);
    found(&max.post_json(PATH, &json!({ "grade": 5, "status": "approved" })).await);
    let approvals = found(&max.get(PATH).await)["approvals"].clone();
    assert_eq!(
        (approvals.as_array().unwrap().len(), &approvals[0]["status"], approvals[0].get("comment")),
        (1, &json!("approved"), None)
    );
}

#[tokio::test]
async fn what_is_wrong_is_named() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let max = manager(&hall, &admin, "max@exam.test", &[5]).await;
    let good = json!({ "grade": 5, "status": "approved", "comment": "" });
    let wrong = [
        ("grade", json!(0), 400, "Invalid grade"),
        ("grade", json!("5"), 400, "Invalid grade"),
        ("grade", Value::Null, 400, "Invalid grade"),
        ("grade", json!(6), 403, "Not assigned to this grade"),
        ("status", json!("flagged"), 400, "Invalid status"),
        ("status", json!("Approved"), 400, "Invalid status"),
        ("status", json!(true), 400, "Invalid status"),
        ("status", Value::Null, 400, "Invalid status"),
        ("comment", json!(5), 400, "Invalid comment"),
        ("comment", json!("x".repeat(10_001)), 400, "Invalid comment"),
    ];
    for (field, value, status, message) in wrong {
        let mut body = good.clone();
        body[field] = value;
        max.post_json(PATH, &body).await.assert_error(status, message);
    }
    max.post_json(PATH, &json!({ "grade": 6, "status": "wrong" })).await.assert_error(400, "Invalid status");
    assert_eq!(decisions(&admin).await, []);
}

#[tokio::test]
async fn a_decision_says_what_it_was_about() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let max = manager(&hall, &admin, "max@exam.test", &[5]).await;
    let ids = hall.bank(5).await.ids();
    for (id, status) in [(&ids[0], "approved"), (&ids[1], "approved"), (&ids[2], "flagged"), (&ids[3], "pending")] {
        let review = json!({ "questionId": id, "grade": 5, "status": status, "note": "" });
        found(&max.post_json("/api/review/submit", &review).await);
    }
    let answer = found(&max.post_json(PATH, &json!({ "grade": 5, "status": "approved" })).await);
    assert_eq!(answer, json!({ "ok": true, "approved": 2, "pending": 137, "flagged": 1 }));
    let review = json!({ "questionId": ids[2], "grade": 5, "status": "approved", "note": "" });
    found(&max.post_json("/api/review/submit", &review).await);
    let kept = found(&max.get(PATH).await)["approvals"][0].clone();
    assert_eq!(
        (&kept["approved"], &kept["pending"], &kept["flagged"]),
        (&json!(2), &json!(137), &json!(1)),
        "it keeps what was so then"
    );
}
