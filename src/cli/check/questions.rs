//! Checks of the question banks: every question that is written is written as it was read.

use domain::grade::Grade;
use domain::question::WholeQuestion;
use serde_json::json;

use super::visit::{CheckFault, CheckResult, Visit, came_back, json_of, shape};
use crate::provider::contract::{Imported, QuestionList};

/// Reads all banks, not just one: exams are made of their questions.
pub(super) async fn bank(visit: &Visit) -> CheckResult {
    for grade in Grade::all() {
        bank_of(visit, grade).await?;
    }
    Ok(())
}

/// Reads one bank only.
pub(super) async fn is_there(visit: &Visit) -> CheckResult {
    match Grade::all().next() {
        Some(grade) => bank_of(visit, grade).await,
        None => Ok(()),
    }
}

async fn bank_of(visit: &Visit, grade: Grade) -> CheckResult {
    let answer = visit.get_grade(&["questions"], &grade.number().to_string()).await?.with(200)?;
    let QuestionList { questions } = shape(&answer)?;
    match questions.iter().find(|question| question.grade != grade) {
        Some(question) => Err(CheckFault::new(format!(
            "gives question {} of grade {} for grade {}",
            question.id,
            question.grade.number(),
            grade.number()
        ))),
        None => Ok(()),
    }
}

pub(super) async fn bad_grade(visit: &Visit) -> CheckResult {
    for grade in ["11", "0", "five"] {
        visit.get_grade(&["questions"], grade).await?.is_error(400, &format!("for grade={grade}"))?;
    }
    Ok(())
}

/// Puts a question unchanged, twice.
pub(super) async fn override_one(visit: &Visit) -> CheckResult {
    let question = json_of(&WholeQuestion::of(visit.question_now().await?))?;
    for _ in 0..2 {
        visit.put(&["questions", "override"], &question).await?.is_done()?;
    }
    came_back(&question, &json_of(&WholeQuestion::of(visit.question_now().await?))?)
}

/// Imports a question unchanged, twice.
pub(super) async fn import(visit: &Visit) -> CheckResult {
    let question = json_of(&WholeQuestion::of(visit.question_now().await?))?;
    for _ in 0..2 {
        let answer = visit.post(&["questions", "import"], &json!({ "rows": [question] })).await?.with(200)?;
        let Imported { added, updated, errors } = shape(&answer)?;
        if (added, updated, errors.len()) != (0, 1, 0) {
            return Err(CheckFault::new(format!(
                "of one row of an existing id it has added {added}, updated {updated}, and refused {}",
                errors.len()
            )));
        }
    }
    came_back(&question, &json_of(&WholeQuestion::of(visit.question_now().await?))?)
}
