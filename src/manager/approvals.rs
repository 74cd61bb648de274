//! The sign-off of grades.

use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Manager;
use crate::clock::Clock;
use crate::database::Database;
use crate::domain::access::Role;
use crate::domain::grade::Grade;
use crate::domain::moment::Moment;
use crate::domain::review::ApprovalStatus;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::done::{Done, done};
use crate::http::fields::Fields;
use crate::provider::local::approvals::{self, Approval};

/// Decisions on grades, the newest first.
#[derive(Serialize, ToSchema)]
struct Approvals {
    approvals: Vec<ApprovalView>,
}

/// A decision.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ApprovalView {
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    grade: Grade,
    manager_email: String,
    manager_name: String,
    status: ApprovalStatus,
    /// Absent when there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    comment: String,
    #[schema(value_type = String)]
    decided_at: Moment,
}

/// Decisions on grades: managers see their own on the grades that they are assigned to, admins all.
#[utoipa::path(
    tag = "sign-off",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Decisions", body = Approvals),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Neither manager nor admin", body = ErrorBody),
    )
)]
#[get("/api/manager/approvals")]
pub async fn list(manager: Manager, database: Data<Database>) -> Result<HttpResponse, Error> {
    let Manager(manager) = manager;
    let approvals = match manager.role {
        Role::Admin => approvals::load_all(&database).await?,
        _ => approvals::load_of_manager(&database, &manager.email, manager.signs_off()).await?,
    };
    Ok(HttpResponse::Ok().json(Approvals { approvals: approvals.into_iter().map(view).collect() }))
}

fn view(approval: Approval) -> ApprovalView {
    ApprovalView {
        grade: approval.grade,
        manager_email: approval.manager_email,
        manager_name: approval.manager_name,
        status: approval.status,
        comment: approval.comment,
        decided_at: approval.decided_at,
    }
}

/// The body of `POST /api/manager/approvals`, for the OpenAPI document.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct Decide {
    /// 1 to 10.
    grade: u8,
    status: ApprovalStatus,
    /// 10,000 characters at most.
    comment: Option<String>,
}

/// Decides on a grade, in the place of the caller's own decision before.
#[utoipa::path(
    tag = "sign-off",
    security(("api_token" = [])),
    request_body = Decide,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid grade`, `Invalid status` or `Invalid comment`", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Neither manager nor admin, or `Not assigned to this grade`", body = ErrorBody),
    )
)]
#[post("/api/manager/approvals")]
pub async fn decide(asked: After<Manager, Fields>, database: Data<Database>, clock: Data<Clock>) -> Result<HttpResponse, Error> {
    let After(manager, fields) = asked;
    let grade = fields.required("grade")?;
    let status = fields.parsed("status", ApprovalStatus::parse)?;
    let comment = fields.note("comment")?;
    manager.signing_off(grade)?;
    let Manager(manager) = manager;
    let approval = Approval { grade, manager_email: manager.email, manager_name: manager.name, status, comment, decided_at: clock.now() };
    approvals::put(&database, approval).await?;
    Ok(done())
}
