//! Managers' decisions on grades.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, put};
use domain::grade::Grade;
use domain::resources::{Approval, ReviewCounts};
use domain::review::ApprovalStatus;
use domain::time::moment::Moment;

use super::key::{KeyRefusal, ProviderKey};
use super::people::address_of;
use crate::clock::Clock;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::fields::{Field, JsonFields, body};
use crate::provider::Provider;
use crate::users::shown_name;

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

body! {
    /// The body of a decision.
    struct DecisionBody with (path: &str) {
        /// The address in the path. May be left out.
        #[schema(value_type = Option<String>)]
        manager_email: String = |field| address_of(path, field),
        /// May be empty.
        #[schema(value_type = Option<String>)]
        manager_name: String = shown_name,
        status: ApprovalStatus = |field| field.parsed(ApprovalStatus::parse),
        /// At most 10,000 characters.
        #[schema(value_type = Option<String>)]
        comment: String = Field::note,
        /// ISO 8601; the present time when left out.
        #[schema(value_type = Option<String>, format = DateTime)]
        decided_at: Option<Moment> = Field::optional,
        /// How many questions of the grade were approved at that moment. May be left out, like the next two.
        approved: Option<u32> = Field::optional,
        pending: Option<u32> = Field::optional,
        flagged: Option<u32> = Field::optional,
    }
}

impl DecisionBody {
    /// The counts, if all three are there.
    fn counts(&self) -> Option<ReviewCounts> {
        Some(ReviewCounts { approved: self.approved?, pending: self.pending?, flagged: self.flagged? })
    }
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
    let grade = Grade::parse(&grade).ok_or_else(|| Error::invalid("grade"))?;
    let body = DecisionBody::read(&fields, &email)?;
    let approval = Approval {
        grade,
        questions: body.counts(),
        manager_email: body.manager_email,
        manager_name: body.manager_name,
        status: body.status,
        comment: body.comment,
        decided_at: body.decided_at.unwrap_or_else(|| clock.now()),
    };
    provider.put_approval(approval).await?;
    Ok(done())
}
