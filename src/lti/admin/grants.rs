//! What deployments were given, and what admins give them: for platforms without deep linking, and for links that
//! somebody makes by hand. A link that names it in its custom parameters leads there from then on.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, post};
use domain::lti::link::{LinkGrant, LinkTarget};
use domain::lti::registration::is_id;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::LearningPlatforms;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::note_detail;
use crate::http::fallback::NOT_FOUND;
use crate::http::fields::{Field, JsonFields, body};
use crate::store::lti;

/// Grants of one platform that are listed, the newest.
const GRANTS_LISTED_MAX: u64 = 1_000;

/// `{ grants }`.
#[derive(Serialize, ToSchema)]
struct GrantList {
    grants: Vec<GrantView>,
}

/// What a deployment was given.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GrantView {
    /// The platform's name of the deployment.
    deployment_id: String,
    target: LinkTarget,
    /// The name of the sitting or the template; null if it is gone.
    #[schema(required)]
    target_name: Option<String>,
    /// E-mail of the admin, or the platform's id of the instructor who chose it.
    granted_by: String,
    #[schema(value_type = String, format = DateTime)]
    granted_at: Moment,
}

body! {
    /// Gives a deployment a sitting or a template: one of the two.
    #[schema(examples(json!({ "deploymentId": "1", "sittingId": "00000000-0000-4000-8000-000000000000" })))]
    struct NewGrant {
        /// A deployment of the platform, by the platform's name of it.
        #[schema(min_length = 1, max_length = 255)]
        deployment_id: String = |field| field.parsed(|text| is_id(text).then(|| text.to_owned())),
        sitting_id: Option<Uuid> = Field::optional,
        template_id: Option<Uuid> = Field::optional,
    }
}

/// What the deployments of a platform were given, by deep linking or by admins.
#[utoipa::path(
    operation_id = "listGrants",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Platform id")),
    responses(
        (status = 200, description = "The newest first, 1,000 at most", body = GrantList),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
    )
)]
#[get("/api/admin/lti/platforms/{id}/grants")]
pub async fn list(asked: After<Admin, Path<String>>, service: Data<LearningPlatforms>) -> Result<HttpResponse, Error> {
    let After(_admin, id) = asked;
    let platform = service.find(&id).await?;
    let grants = lti::grants_of(&service.database.read, platform.id, GRANTS_LISTED_MAX).await?;
    let targets: Vec<LinkTarget> = grants.iter().map(|grant| grant.target).collect();
    let named = lti::name_targets(&service.database, &targets).await?;
    let view = |grant: LinkGrant| GrantView {
        target_name: named.get(&grant.target).map(|target| target.name.clone()),
        deployment_id: grant.deployment_id,
        target: grant.target,
        granted_by: grant.granted_by,
        granted_at: grant.granted_at,
    };
    Ok(HttpResponse::Ok().json(GrantList { grants: grants.into_iter().map(view).collect() }))
}

/// Gives a deployment a sitting or a template, so that its links may lead there.
///
/// A link says where it leads by a custom parameter: `sitting=<id>` or `template=<id>`. That alone is no right. What is
/// given stays until its last link is removed, or its deployment.
#[utoipa::path(
    operation_id = "giveDeployment",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Platform id")),
    request_body = NewGrant,
    responses(
        (status = 200, description = "Given, or had before", body = Done),
        (status = 400, description = "`Invalid deploymentId` of one that the platform does not have; `Invalid sittingId` or `Invalid templateId` of what is unknown, and `Invalid sittingId` of both or neither", body = ErrorBody),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
    )
)]
#[post("/api/admin/lti/platforms/{id}/grants")]
pub async fn give(
    asked: After<Admin, After<Path<String>, JsonFields>>,
    service: Data<LearningPlatforms>,
) -> Result<HttpResponse, Error> {
    let After(Admin(caller), After(id, fields)) = asked;
    let found = service.find(&id).await?;
    let NewGrant { deployment_id, sitting_id, template_id } = NewGrant::read(&fields)?;
    let (field, target) = match (sitting_id, template_id) {
        (Some(id), None) => ("sittingId", LinkTarget::Sitting(id)),
        (None, Some(id)) => ("templateId", LinkTarget::Template(id)),
        _ => return Err(Error::invalid("sittingId")),
    };
    let named = lti::name_targets(&service.database, &[target]).await?;
    let name = &named.get(&target).ok_or_else(|| Error::invalid(field))?.name;
    let transaction = service.database.begin().await?;
    let platform = lti::lock_platform(&transaction, found.id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    if platform.deployment_state(&deployment_id).is_none() {
        return Err(Error::invalid("deploymentId"));
    }
    note_detail(&format!("{}, {deployment_id}: {name}", platform.name));
    let grant = LinkGrant {
        platform_id: platform.id,
        deployment_id,
        target,
        granted_by: caller.email,
        granted_at: service.clock.now(),
    };
    lti::grant(&transaction, &grant).await?;
    transaction.commit().await?;
    Ok(done())
}
