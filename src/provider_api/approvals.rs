//! Managers' decisions on grades.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, put};
use domain::grade::Grade;
use domain::resources::{Approval, ReviewCounts};
use domain::review::ApprovalStatus;
use utoipa::ToSchema;

use super::key::{KeyRefusal, ProviderKey};
use super::people::{address_of, shown_name, time};
use crate::clock::Clock;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::fields::JsonFields;
use crate::provider::Provider;

/// Lists all decisions, newest first.
#[utoipa::path(
    operation_id = "listGradeApprovals",
    tag = "sign-off",
    security(("key" = [])),
    responses(
        (status = 200, description = "All of them", body = Vec<Approval>),
        KeyRefusal,
    )
)]
#[get("/grade-approvals")]
pub async fn list(_key: ProviderKey, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    Ok(HttpResponse::Ok().json(provider.approvals().await?))
}

/// The body of a decision.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct DecisionBody {
    /// The address in the path. May be left out.
    manager_email: Option<String>,
    /// May be empty.
    manager_name: Option<String>,
    status: ApprovalStatus,
    /// At most 10,000 characters.
    comment: Option<String>,
    /// ISO 8601; the present time when left out.
    #[schema(format = DateTime)]
    decided_at: Option<String>,
    /// How many questions of the grade were approved at that moment. May be left out, like the next two.
    approved: Option<u32>,
    pending: Option<u32>,
    flagged: Option<u32>,
}

/// The counts, if all three are there.
fn counts(fields: &JsonFields) -> Result<Option<ReviewCounts>, Error> {
    let of = |name| fields.optional::<u32>(name);
    let (approved, pending, flagged) = (of("approved")?, of("pending")?, of("flagged")?);
    Ok(approved.zip(pending).zip(flagged).map(|((approved, pending), flagged)| ReviewCounts {
        approved,
        pending,
        flagged,
    }))
}

/// Stores a decision. It replaces the same manager's earlier decision on that grade.
#[utoipa::path(
    operation_id = "storeGradeApproval",
    tag = "sign-off",
    security(("key" = [])),
    params(("grade" = u8, Path, description = "1 to 10", minimum = 1, maximum = 10), ("managerEmail" = String, Path, description = "E-mail address, URL-encoded")),
    request_body = DecisionBody,
    responses(
        (status = 200, description = "Stored", body = Done),
        (status = 400, description = "`Invalid grade`, `Invalid managerEmail`, `Invalid managerName`, `Invalid status`, `Invalid comment` or `Invalid decidedAt`", body = ErrorBody),
        KeyRefusal,
    )
)]
#[put("/grade-approvals/{grade}/{managerEmail}")]
pub async fn put(
    asked: After<ProviderKey, After<Path<(String, String)>, JsonFields>>,
    provider: Data<dyn Provider>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_key, After(path, fields)) = asked;
    let (grade, email) = path.into_inner();
    let approval = Approval {
        grade: Grade::parse(&grade).ok_or_else(|| Error::invalid("grade"))?,
        manager_email: address_of(&email, &fields, "managerEmail")?,
        manager_name: shown_name(&fields, "managerName")?,
        status: fields.parsed("status", ApprovalStatus::parse)?,
        comment: fields.note("comment")?,
        decided_at: time(&fields, "decidedAt", &clock)?,
        questions: counts(&fields)?,
    };
    provider.put_approval(approval).await?;
    Ok(done())
}
