//! Review, sign-off and their administration, and item statistics.

mod assignments;
mod edit;
mod log;
mod questions;
mod sign_off;
mod stats;

#[path = "review"]
mod edge {
    use super::*;

    mod difficulty_oracle;
    mod matrix;
}

mod own_tables {
    use super::*;

    mod items;
    mod measured;
}

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall, token};

/// Someone with an account, a token of their role and, when there are grades, an assignment.
async fn person(hall: &Hall, email: &str, role: &str) -> Caller {
    hall.bearer(&token::create(hall.settings(), email, role).await)
}

/// A reviewer of these grades.
async fn reviewer(hall: &Hall, admin: &Caller, email: &str, grades: &[u8]) -> Caller {
    assign(admin, "assignments", email, grades).await;
    person(hall, email, "reviewer").await
}

/// A manager of these grades.
async fn manager(hall: &Hall, admin: &Caller, email: &str, grades: &[u8]) -> Caller {
    assign(admin, "managers", email, grades).await;
    person(hall, email, "manager").await
}

/// Assigns by the API: `assignments` or `managers`.
async fn assign(admin: &Caller, kind: &str, email: &str, grades: &[u8]) {
    let body = json!({ "email": email, "name": format!("Name of {email}"), "grades": grades });
    assert_done(&admin.post_json(&format!("/api/admin/review/{kind}"), &body).await);
}

async fn delete(caller: &Caller, path: &str) -> Answer {
    Answer::to(caller.request(Method::DELETE, path)).await
}

#[track_caller]
fn assert_done(answer: &Answer) {
    assert_eq!((answer.status, answer.text().as_str()), (200, r#"{"ok":true}"#));
}

/// Edits a question of grade 5.
async fn edit(caller: &Caller, question_id: &str, updates: Value) -> Answer {
    caller
        .post_json(
            "/api/review/edit",
            &json!({ "questionId": question_id, "grade": 5, "comment": "", "updates": updates }),
        )
        .await
}

/// The answer's JSON, when it is 200.
#[track_caller]
fn found(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.header("content-type").starts_with("application/json"));
    answer.json()
}
