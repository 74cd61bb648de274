//! Checks of reviews, of the log of edits, and of managers' decisions.

use std::collections::BTreeMap;

use domain::resources::{Approval, Edit, QuestionReview};
use domain::review::ReviewStatus;
use serde_json::json;
use uuid::Uuid;

use super::visit::{CheckFault, CheckResult, Visit, came_back, json_of, shape};

pub(super) async fn list(visit: &Visit) -> CheckResult {
    reviews(visit).await.map(|_| ())
}

async fn reviews(visit: &Visit) -> CheckResult<BTreeMap<String, QuestionReview>> {
    shape(&visit.get(&["reviews"]).await?.with(200)?)
}

/// Puts the review that a question has, or a `pending` one if it has none.
pub(super) async fn put(visit: &Visit) -> CheckResult {
    let question_id = visit.question().await?.id.as_str();
    let pending = json!({ "status": "pending", "reviewedBy": visit.email, "reviewedByName": "Exam Hall check", "reviewedAt": visit.begun.iso(), "note": "" });
    let review = match reviews(visit).await?.remove(question_id) {
        Some(review) if review.reviewed_by.is_some() && review.reviewed_at.is_some() => json_of(&review)?,
        // The contract has no way to write such a review back, and it must not be lost.
        Some(review) if review.status != ReviewStatus::Pending => {
            return Err(CheckFault::Unchecked("the question's review does not say by whom or when"));
        }
        _ => pending,
    };
    for _ in 0..2 {
        visit.put(&["reviews", question_id], &review).await?.is_done()?;
    }
    came_back(&review, &json_of(&reviews(visit).await?.get(question_id))?)
}

pub(super) async fn log(visit: &Visit) -> CheckResult {
    shape::<Vec<Edit>>(&visit.get(&["edit-log"]).await?.with(200)?)?;
    let of_grade: Vec<Edit> = shape(&visit.get_grade(&["edit-log"], "1").await?.with(200)?)?;
    match of_grade.iter().find(|edit| edit.grade.number() != 1) {
        Some(edit) => Err(CheckFault::new(format!("gives an edit of grade {} for grade=1", edit.grade.number()))),
        None => Ok(()),
    }
}

/// Appends an entry twice: it must be there once.
pub(super) async fn append(visit: &Visit) -> CheckResult {
    let question = visit.question().await?;
    let id = Uuid::new_v4().to_string();
    let change = json!({ "field": "Explanation", "before": "", "after": "" });
    let edit = json!({
        "id": id, "questionId": question.id, "grade": question.grade, "editedBy": visit.email, "editedByName": "Exam Hall check",
        "editedAt": visit.begun.iso(), "changes": [change], "comment": "examhall check: nothing was changed",
    });
    for _ in 0..2 {
        visit.post(&["edit-log"], &edit).await?.is_done()?;
    }
    let answer = visit.get_grade(&["edit-log"], &question.grade.number().to_string()).await?.with(200)?;
    let entries: Vec<_> = answer.as_array().into_iter().flatten().filter(|entry| entry["id"] == id.as_str()).collect();
    match entries[..] {
        [entry] => came_back(&edit, entry),
        _ => Err(CheckFault::new(format!("an entry that was sent twice is there {} times", entries.len()))),
    }
}

pub(super) async fn approvals(visit: &Visit) -> CheckResult {
    shape::<Vec<Approval>>(&visit.get(&["grade-approvals"]).await?.with(200)?).map(|_| ())
}

/// Decides on grade 1 as the check's own user, twice: the decision must be there once.
pub(super) async fn approve(visit: &Visit) -> CheckResult {
    let approval = json!({
        "grade": 1, "managerEmail": visit.email, "managerName": "Exam Hall check", "status": "revision_requested",
        "comment": "examhall check", "decidedAt": visit.begun.iso(),
    });
    for _ in 0..2 {
        visit.put(&["grade-approvals", "1", &visit.email], &approval).await?.is_done()?;
    }
    let answer = visit.get(&["grade-approvals"]).await?.with(200)?;
    let entries: Vec<_> =
        answer.as_array().into_iter().flatten().filter(|entry| entry["managerEmail"] == visit.email.as_str()).collect();
    match entries[..] {
        [entry] => came_back(&approval, entry),
        _ => Err(CheckFault::new(format!("a decision that was sent twice is there {} times", entries.len()))),
    }
}
