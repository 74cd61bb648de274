//! Assignments of reviewers and managers, and managers' decisions.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Service, with, without};
use crate::hall::{Answer, time_of};

fn assignment() -> Value {
    json!({ "email": "ada@exam.test", "name": "Ada", "grades": [1, 5], "assignedBy": "head@exam.test", "assignedAt": "2026-03-02T10:00:00.000Z" })
}

#[tokio::test]
async fn assignments_are_put_read_and_removed() {
    let service = Service::open().await;
    for kind in ["assignments", "manager-assignments"] {
        let path = format!("/{kind}/ada%40exam.test");
        assert_eq!(service.read(&format!("/{kind}")).await, json!([]));
        service.put(&path, &with(&assignment(), "grades", json!([7]))).await.assert_done();
        service.put(&path, &assignment()).await.assert_done();
        assert_eq!(service.read(&format!("/{kind}")).await, json!([assignment()]));
    }
    assert_eq!(service.read("/assignments/ADA@exam.test").await, assignment());
    service.get("/manager-assignments/ada@exam.test").await.assert_error(405, "Method not allowed");
    for kind in ["assignments", "manager-assignments"] {
        for _ in 0..2 {
            service.delete(&format!("/{kind}/Ada@exam.test")).await.assert_done();
        }
        assert_eq!(service.read(&format!("/{kind}")).await, json!([]));
        service.delete(&format!("/{kind}/nobody")).await.assert_done();
    }
    for unknown in ["ada@exam.test", "nobody", "%00"] {
        service.get(&format!("/assignments/{unknown}")).await.assert_error(404, "Assignment not found");
    }
}

#[tokio::test]
async fn an_assignment_holds_at_once() {
    let service = Service::open().await;
    let (_admin, cookie) = (service.hall.cookie("head@exam.test").await, service.hall.cookie("ada@exam.test").await);
    assert_eq!(service.patch("/users/ada@exam.test", &json!({ "role": "reviewer" })).await.status, 200);
    let ask = async || {
        Answer::to(
            service.hall.anonymous().request(Method::GET, "/api/review/questions?grade=5").header("cookie", &cookie),
        )
        .await
        .status
    };
    assert_eq!(ask().await, 403);
    service.put("/assignments/ada@exam.test", &assignment()).await.assert_done();
    assert_eq!(ask().await, 200);
    service.delete("/assignments/ada@exam.test").await.assert_done();
    assert_eq!(ask().await, 403);
}

#[tokio::test]
async fn assignments_that_cannot_be_are_refused_by_their_field() {
    let service = Service::open().await;
    let wrong = [
        ("email", json!("other@exam.test")),
        ("email", json!(7)),
        ("name", json!("a\nb")),
        ("grades", json!([])),
        ("grades", json!([0])),
        ("grades", json!("5")),
        ("assignedBy", json!("head")),
        ("assignedAt", json!("then")),
    ];
    for kind in ["assignments", "manager-assignments"] {
        let path = format!("/{kind}/ada@exam.test");
        for (field, value) in &wrong {
            service
                .put(&path, &with(&assignment(), field, value.clone()))
                .await
                .assert_error(400, &format!("Invalid {field}"));
        }
        service.put(&path, &without(&assignment(), "grades")).await.assert_error(400, "Invalid grades");
        for address in ["nobody", "%00@exam.test"] {
            service
                .put(&format!("/{kind}/{address}"), &without(&assignment(), "email"))
                .await
                .assert_error(400, "Invalid email");
        }
        service.put(&path, &json!({ "grades": [3] })).await.assert_done();
        let stored = service.read(&format!("/{kind}")).await[0].clone();
        assert_eq!((&stored["name"], &stored["assignedBy"], &stored["grades"]), (&json!(""), &json!(""), &json!([3])));
        time_of(&stored["assignedAt"]);
    }
}

#[tokio::test]
async fn decisions_replace_those_of_the_same_manager() {
    let service = Service::open().await;
    let approval = json!({
        "grade": 5, "managerEmail": "ada@exam.test", "managerName": "Ada", "status": "revision_requested", "comment": "why", "decidedAt": "2026-03-02T10:00:00.000Z",
    });
    let path = "/grade-approvals/5/ada%40exam.test";
    assert_eq!(service.read("/grade-approvals").await, json!([]));
    service.put(path, &with(&approval, "status", json!("approved"))).await.assert_done();
    service.put(path, &approval).await.assert_done();
    assert_eq!(service.read("/grade-approvals").await, json!([approval]));
    service.put("/grade-approvals/6/ada%40exam.test", &json!({ "status": "approved" })).await.assert_done();
    let all = service.read("/grade-approvals").await;
    assert_eq!(
        (all.as_array().unwrap().len(), &all[0]["grade"], all[0].get("comment")),
        (2, &json!(6), None),
        "the newest first"
    );
    for (field, value) in [
        ("managerEmail", json!("other@exam.test")),
        ("managerName", json!(7)),
        ("status", json!("perhaps")),
        ("comment", json!(7)),
        ("decidedAt", json!("then")),
    ] {
        service.put(path, &with(&approval, field, value)).await.assert_error(400, &format!("Invalid {field}"));
    }
    for grade in ["0", "11", "five"] {
        service
            .put(&format!("/grade-approvals/{grade}/ada@exam.test"), &approval)
            .await
            .assert_error(400, "Invalid grade");
    }
    service
        .put("/grade-approvals/5/nobody", &without(&approval, "managerEmail"))
        .await
        .assert_error(400, "Invalid managerEmail");
}
