//! The progress of the review.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use domain::access::{Duty, Grades, Role};
use domain::grade::Grade;
use domain::progress::{AssignedReviewer, Progress};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::{Admin, Manager};
use crate::auth::refusals::{AdminRefusals, ManagerRefusals};
use crate::error::Error;
use crate::provider::Provider;

/// The progress of the review, as far as a manager may see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ManagerStats {
    /// Null for admins, who may see all grades.
    #[schema(value_type = Option<Vec<Grade>>, required = true)]
    allowed_grades: Option<Grades>,
    #[serde(flatten)]
    progress: Progress,
}

pub async fn progress(provider: &dyn Provider, grades: Grades) -> Result<Progress, Error> {
    Ok(Progress::of(grades, &provider.tallies().await?))
}

/// Returns the review progress of the caller's grades, with their reviewers.
#[utoipa::path(
    operation_id = "readProgress",
    tag = "sign-off",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Managers see the grades that they are assigned to, admins all", body = ManagerStats),
        ManagerRefusals,
    )
)]
#[get("/api/manager/stats")]
pub async fn stats(manager: Manager, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    let grades = manager.0.signs_off();
    let mut progress = progress(&**provider, grades).await?;
    let assigned = provider.assignments(Duty::Reviewer).await?;
    for of_grade in &mut progress.per_grade {
        let reviewers = assigned.iter().filter(|assignment| assignment.grades.has(of_grade.grade));
        let reviewers = reviewers
            .map(|assignment| AssignedReviewer { email: assignment.email.clone(), name: assignment.name.clone() });
        of_grade.assigned_reviewers = Some(reviewers.collect());
    }
    let allowed_grades = (manager.0.role != Role::Admin).then_some(grades);
    Ok(HttpResponse::Ok().json(ManagerStats { allowed_grades, progress }))
}

/// Returns the review progress of all ten grades.
#[utoipa::path(
    operation_id = "readReviewProgress",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "All grades", body = Progress),
        AdminRefusals,
    )
)]
#[get("/api/admin/review/stats")]
pub async fn all_stats(_admin: Admin, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    Ok(HttpResponse::Ok().json(progress(&**provider, Grades::ALL).await?))
}
