//! Data in an external service: which calls this server makes, how it handles the answers, and what still works during
//! an outage.

mod corrections;
mod outage;
mod reading;
mod sending;
mod users;
mod versions;

#[path = "external"]
mod edge {
    use super::*;

    mod contract;
    mod failures;
    mod import;
    mod secrets;
    mod writing;
}

use serde_json::{Value, json};

use crate::hall::{Browser, External, Hall, Told};

/// The message when the external service fails.
const FAILED: &str = "External data provider failed";
/// The message when it is too slow.
const TIMED_OUT: &str = "External data provider timed out";
/// The message for requests that the contract has no call for.
const NOT_HERE: &str = "Not available from the external data provider";

/// Someone who has signed in, whom the external service knows by this role.
async fn person(hall: &Hall, external: &External, email: &str, role: &str) -> Browser {
    external.user(email, role);
    let mut browser = Browser::of(hall);
    browser.sign_in_locally_well(email).await;
    browser
}

/// An admin, with the calls of the sign-in forgotten.
async fn admin(hall: &Hall, external: &External) -> Browser {
    let mut admin = person(hall, external, "admin@exam.test", "admin").await;
    assert_eq!(admin.me().await.unwrap()["role"], "admin");
    external.forget();
    admin
}

/// The lines of the calls, without those that look up a user or check a bank for changes.
fn lines(external: &External) -> Vec<String> {
    let is_watching = |line: &str| line.starts_with("GET /v1/users/") || line.starts_with("GET /v1/questions?");
    external.calls("").into_iter().map(|call| call.line).filter(|line| !is_watching(line)).collect()
}

/// A review as it is sent to `POST /api/review/submit`.
fn review(question_id: &str) -> Value {
    json!({ "questionId": question_id, "grade": 5, "status": "approved", "note": "Good." })
}

/// The service answers everything like this.
fn away(external: &External, told: Told) {
    external.always(Some(told));
}
