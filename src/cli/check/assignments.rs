//! Checks of assignments: those of the check's own user are removed again.

use domain::resources::Assignment;
use serde_json::{Value, json};

use super::visit::{CheckFault, CheckResult, Visit, came_back, shape, told};

const REVIEWERS: &str = "assignments";
const MANAGERS: &str = "manager-assignments";

pub(super) async fn reviewers(visit: &Visit) -> CheckResult {
    list(visit, REVIEWERS).await.map(|_| ())
}

pub(super) async fn managers(visit: &Visit) -> CheckResult {
    list(visit, MANAGERS).await.map(|_| ())
}

pub(super) async fn put_reviewer(visit: &Visit) -> CheckResult {
    put(visit, REVIEWERS).await
}

pub(super) async fn put_manager(visit: &Visit) -> CheckResult {
    put(visit, MANAGERS).await
}

pub(super) async fn reviewer(visit: &Visit) -> CheckResult {
    let answer = visit.get(&[REVIEWERS, &visit.email]).await?.with(200)?;
    came_back(&assignment(visit), &answer)?;
    visit.get(&[REVIEWERS, &visit.unknown_email]).await?.is_error(404, "for an address without one")
}

pub(super) async fn remove_reviewer(visit: &Visit) -> CheckResult {
    remove(visit, REVIEWERS).await?;
    visit.get(&[REVIEWERS, &visit.email]).await?.is_error(404, "after it was removed")
}

pub(super) async fn remove_manager(visit: &Visit) -> CheckResult {
    remove(visit, MANAGERS).await
}

async fn list(visit: &Visit, kind: &str) -> CheckResult<Value> {
    let answer = visit.get(&[kind]).await?.with(200)?;
    shape::<Vec<Assignment>>(&answer)?;
    Ok(answer)
}

async fn put(visit: &Visit, kind: &str) -> CheckResult {
    let other = json!({ "email": visit.email, "name": "Exam Hall check", "grades": [1], "assignedBy": visit.email, "assignedAt": visit.begun.iso() });
    for assignment in [other, assignment(visit), assignment(visit)] {
        visit.put(&[kind, &visit.email], &assignment).await?.is_done()?;
    }
    let listed = list(visit, kind).await?;
    match of_visit(visit, &listed)[..] {
        [entry] => came_back(&assignment(visit), entry),
        ref entries => {
            Err(CheckFault::new(format!("an assignment that was put three times is there {} times", entries.len())))
        }
    }
}

/// Removes twice: the second time there is nothing to remove, and that is not an error.
async fn remove(visit: &Visit, kind: &str) -> CheckResult {
    visit.delete(&[kind, &visit.email]).await?.is_done()?;
    visit
        .delete(&[kind, &visit.email])
        .await?
        .is_done()
        .map_err(|fault| told(fault, "when there was none any more"))?;
    let listed = list(visit, kind).await?;
    if of_visit(visit, &listed).is_empty() { Ok(()) } else { Err(CheckFault::new("is still there")) }
}

fn of_visit<'a>(visit: &Visit, listed: &'a Value) -> Vec<&'a Value> {
    listed.as_array().into_iter().flatten().filter(|entry| entry["email"] == visit.email.as_str()).collect()
}

fn assignment(visit: &Visit) -> Value {
    json!({ "email": visit.email, "name": "Exam Hall check", "grades": [1, 10], "assignedBy": visit.email, "assignedAt": visit.begun.iso() })
}
