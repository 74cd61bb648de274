//! Checks of users: one is created, and stays behind as a student.

use domain::access::User;
use serde_json::{Value, json};

use super::visit::{CheckAnswer, CheckFault, CheckResult, Visit, came_back, shape};
use crate::users::USER_NOT_FOUND;

pub(super) async fn create(visit: &Visit) -> CheckResult {
    let user = json!({ "email": visit.email, "name": "Exam Hall check", "image": "", "role": "student" });
    let answer = visit.post(&["users"], &user).await?;
    is_user(&answer, 201, &user)?;
    let again = visit.post(&["users"], &user).await?.status();
    if again < 500 { Ok(()) } else { Err(CheckFault::new(format!("answered {again} for a user who is there already"))) }
}

pub(super) async fn change(visit: &Visit) -> CheckResult {
    let path = ["users", &visit.email];
    for role in ["reviewer", "student"] {
        is_user(
            &visit.patch(&path, &json!({ "role": role })).await?,
            200,
            &json!({ "email": visit.email, "role": role }),
        )?;
    }
    let at = visit.begun.iso();
    is_user(
        &visit.patch(&path, &json!({ "lastLoginAt": at })).await?,
        200,
        &json!({ "email": visit.email, "role": "student", "lastLogin": at }),
    )?;
    let unknown = visit.patch(&["users", &visit.unknown_email], &json!({ "lastLoginAt": at })).await?;
    unknown.is_error_saying(404, USER_NOT_FOUND, "for an unknown user")
}

/// This route is optional, because the first edition of the contract did not have it. A 404 alone does not say that the
/// route is missing, but a provider that says that the user is missing has the route.
pub(super) async fn read_user(visit: &Visit) -> CheckResult {
    let answer = visit.get(&["users", &visit.email]).await?;
    if answer.is_of_no_route() && !answer.says(USER_NOT_FOUND) {
        return Err(CheckFault::NotThere);
    }
    is_user(&answer, 200, &json!({ "email": visit.email, "name": "Exam Hall check", "role": "student" }))?;
    visit.get(&["users", &visit.unknown_email]).await?.is_error_saying(404, USER_NOT_FOUND, "for an unknown user")
}

fn is_user(answer: &CheckAnswer, status: u16, expected: &Value) -> CheckResult {
    let answer = answer.with(status)?;
    shape::<User>(&answer)?;
    came_back(expected, &answer)
}
