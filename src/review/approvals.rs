//! The sign-off of grades.

use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use domain::access::Role;
use domain::grade::Grade;
use domain::resources::{Approval, DecisionCounts, ReviewCounts};
use domain::review::ApprovalStatus;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::clock::Clock;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::note_subject;
use crate::http::fields::{Field, JsonFields, body};
use crate::provider::Provider;

/// Decisions on grades, newest first.
#[derive(Serialize, ToSchema)]
struct Approvals {
    approvals: Vec<Approval>,
}

/// Lists decisions on grades. Managers see their own on the grades that they are assigned to, and admins see all.
#[utoipa::path(
    operation_id = "listApprovals",
    tag = "sign-off",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Decisions", body = Approvals),
        ManagerRefusals,
    )
)]
#[get("/api/manager/approvals")]
pub async fn list(manager: Manager, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    let Manager(manager) = manager;
    let approvals = match manager.role {
        Role::Admin => provider.approvals().await?,
        _ => provider.approvals_of(&manager.email, manager.signs_off()).await?,
    };
    Ok(HttpResponse::Ok().json(Approvals { approvals }))
}

body! {
    /// The body of `POST /api/manager/approvals`.
    struct Decide {
        grade: Grade = Field::required,
        status: ApprovalStatus = |field| field.parsed(ApprovalStatus::parse),
        /// At most 10,000 characters.
        #[schema(value_type = Option<String>)]
        comment: String = Field::note,
    }
}

/// The decision is stored.
#[derive(Serialize, ToSchema)]
struct Decided {
    ok: bool,
    /// The state of the grade's questions when it was decided; absent if an external service could not say.
    #[serde(flatten)]
    #[schema(value_type = DecisionCounts)]
    questions: Option<ReviewCounts>,
}

/// Decides on a grade, in place of the caller's earlier decision.
///
/// The answer says how many questions of the grade were approved, pending and flagged at that moment, and the decision
/// keeps it.
#[utoipa::path(
    operation_id = "decideApproval",
    tag = "sign-off",
    security(("api_token" = [])),
    request_body = Decide,
    responses(
        (status = 200, description = "Stored", body = Decided),
        (status = 400, description = "`Invalid grade`, `Invalid status` or `Invalid comment`", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Neither manager nor admin, or `Not assigned to this grade`", body = ErrorBody),
    )
)]
#[post("/api/manager/approvals")]
pub async fn decide(
    asked: After<Manager, JsonFields>,
    provider: Data<dyn Provider>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(manager, fields) = asked;
    let Decide { grade, status, comment } = Decide::read(&fields)?;
    manager.signing_off(grade)?;
    let Manager(manager) = manager;
    let questions = match provider.reviewed_bank(grade).await {
        Ok((bank, reviews)) => Some(ReviewCounts::of(bank.len(), &reviews)),
        // The decision matters more than the figures beside it.
        Err(error) => {
            tracing::warn!(%error, "a grade is decided on without a count of its questions");
            None
        }
    };
    let approval = Approval {
        grade,
        manager_email: manager.email,
        manager_name: manager.name,
        status,
        comment,
        decided_at: clock.now(),
        questions,
    };
    note_subject(&format!("grade {}", grade.number()), status.name());
    provider.put_approval(approval).await?;
    Ok(HttpResponse::Ok().json(Decided { ok: true, questions }))
}
