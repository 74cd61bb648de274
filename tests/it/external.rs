//! Data in an external service (`assessment.md` 4.5): what it is asked, what is made of its answers, and what goes on
//! while it is away.

mod contract;
mod failures;
mod import;
mod outage;
mod secrets;
mod sending;
mod users;

use serde_json::{Value, json};

use crate::hall::{Browser, External, Hall, Told};

/// For an external service that fails.
const FAILED: &str = "External data provider failed";
/// For one that is too slow.
const TIMED_OUT: &str = "External data provider timed out";
/// For what the contract has no call for.
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

/// The lines of the calls, without those that ask who someone is and for news of the banks.
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
