//! Who may use which route: each route asked by everyone.

use reqwest::Method;
use serde_json::{Value, json};

use super::{manager, person, reviewer};
use crate::hall::{Answer, Caller, Hall};

/// Who a route is for.
#[derive(Clone, Copy, PartialEq)]
enum For {
    /// Admins, and reviewers and managers of the grade.
    Review,
    /// Admins and managers of the grade.
    SignOff,
    /// Admins and managers.
    Managers,
    Admins,
}

fn routes() -> Vec<(For, Method, &'static str, Value)> {
    let (get, post, delete) = (Method::GET, Method::POST, Method::DELETE);
    let none = Value::Null;
    let assignment = json!({ "email": "someone@exam.test", "name": "Someone", "grades": [9] });
    vec![
        (For::Review, get.clone(), "/api/review/questions?grade=5", none.clone()),
        (
            For::Review,
            post.clone(),
            "/api/review/submit",
            json!({ "questionId": "g5-001", "grade": 5, "status": "approved", "note": "" }),
        ),
        (For::Review, get.clone(), "/api/review/edit?grade=5", none.clone()),
        (
            For::Review,
            post.clone(),
            "/api/review/edit",
            json!({ "questionId": "g5-001", "grade": 5, "comment": "", "updates": {} }),
        ),
        (For::Review, get.clone(), "/api/admin/items?grade=5", none.clone()),
        (For::SignOff, post.clone(), "/api/manager/approvals", json!({ "grade": 5, "status": "approved" })),
        (For::Managers, get.clone(), "/api/manager/approvals", none.clone()),
        (For::Managers, get.clone(), "/api/manager/stats", none.clone()),
        (For::Admins, get.clone(), "/api/admin/review/stats", none.clone()),
        (For::Admins, get.clone(), "/api/admin/review/assignments", none.clone()),
        (For::Admins, post.clone(), "/api/admin/review/assignments", assignment.clone()),
        (For::Admins, delete.clone(), "/api/admin/review/assignments/someone%40exam.test", none.clone()),
        (For::Admins, get.clone(), "/api/admin/review/managers", none.clone()),
        (For::Admins, post, "/api/admin/review/managers", assignment),
        (For::Admins, delete, "/api/admin/review/managers/someone%40exam.test", none.clone()),
        (For::Admins, get.clone(), "/api/admin/review/log?grade=5", none.clone()),
        (For::Admins, get, "/api/admin/review/log", none),
    ]
}

async fn ask(caller: &Caller, method: &Method, path: &str, body: &Value) -> Answer {
    let request = caller.request(method.clone(), path);
    Answer::to(if body.is_null() { request } else { request.json(body) }).await
}

/// The edit of the matrix is refused for changing nothing, after everything else has been found right.
#[track_caller]
fn assert_allowed(answer: &Answer, who: &str, path: &str, body: &Value) {
    if body["updates"].is_null() {
        assert_eq!(answer.status, 200, "{who} {path}: {}", answer.text());
    } else {
        answer.assert_error(400, "No changes");
    }
}

#[tokio::test]
async fn each_route_is_for_whom_it_is_for() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let callers = [
        ("student", hall.signed_in("student").await),
        ("reviewer elsewhere", reviewer(&hall, &admin, "r4@exam.test", &[4]).await),
        ("reviewer", reviewer(&hall, &admin, "r5@exam.test", &[4, 5]).await),
        ("manager elsewhere", manager(&hall, &admin, "m4@exam.test", &[4]).await),
        ("manager", manager(&hall, &admin, "m5@exam.test", &[5, 6]).await),
        ("manager who reviews", {
            super::assign(&admin, "assignments", "mr5@exam.test", &[5]).await;
            manager(&hall, &admin, "mr5@exam.test", &[4]).await
        }),
        ("admin", admin),
        ("admin with a reviewer's token", person_with_less(&hall).await),
    ];
    for (of, method, path, body) in routes() {
        for nobody in [hall.anonymous(), hall.bearer("forged")] {
            ask(&nobody, &method, path, &body).await.assert_error(401, "Unauthorized");
        }
        for (who, caller) in &callers {
            let answer = ask(caller, &method, path, &body).await;
            let not_assigned = "Not assigned to this grade";
            match (of, *who) {
                (_, "admin") => assert_allowed(&answer, who, path, &body),
                (_, "student") | (For::Admins, _) => answer.assert_error(403, "Forbidden"),
                (For::Review, "reviewer" | "manager" | "manager who reviews") => {
                    assert_allowed(&answer, who, path, &body);
                }
                (For::Review, _) => answer.assert_error(403, not_assigned),
                (_, "reviewer" | "reviewer elsewhere" | "admin with a reviewer's token") => {
                    answer.assert_error(403, "Forbidden");
                }
                (For::SignOff, "manager") | (For::Managers, _) => assert_allowed(&answer, who, path, &body),
                (For::SignOff, _) => answer.assert_error(403, not_assigned),
            }
        }
    }
}

/// A token counts for no more than it was made for.
async fn person_with_less(hall: &Hall) -> Caller {
    person(hall, "both@exam.test", "admin").await;
    person(hall, "both@exam.test", "reviewer").await
}

#[tokio::test]
async fn rights_are_asked_for_before_the_request_is_read() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let reviewer = reviewer(&hall, &admin, "r4@exam.test", &[4]).await;
    for (of, method, path, _) in routes() {
        if method == Method::POST {
            hall.anonymous().post_text(path, "{").await.assert_error(401, "Unauthorized");
            hall.signed_in("student").await.post_text(path, "{").await.assert_error(403, "Forbidden");
            admin.post_text(path, "{").await.assert_error(400, "Invalid body");
            admin.post_text(path, "[]").await.assert_error(400, "Invalid body");
        } else if path.contains("?grade=") {
            let twice = format!("{path}&grade=11");
            hall.signed_in("student").await.get(&twice).await.assert_error(403, "Forbidden");
        }
        if of == For::Review && method == Method::GET {
            let base = path.split('?').next().unwrap();
            for query in
                ["", "?grade=", "?grade=0", "?grade=11", "?grade=4.0", "?grade=four", "?grade=-4", "?grade=04x"]
            {
                reviewer.get(&format!("{base}{query}")).await.assert_error(400, "Invalid grade");
            }
        }
    }
}
