//! What deployments were given, and what admins give them: for platforms without deep linking, and for links that
//! somebody makes by hand. A link that names it in its custom parameters leads there from then on.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, delete, get, post};
use domain::lti::link::{LinkGrant, LinkTarget};
use domain::lti::registration::is_id;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
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
use crate::http::parameters::parsed;
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

/// Which one is taken back: it has no id of its own.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GrantQuery {
    deployment_id: Option<String>,
    sitting_id: Option<String>,
    template_id: Option<String>,
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
/// given stays until it is taken back, until its last link is removed, or with its deployment.
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
    let (field, target) = named_one(sitting_id, template_id)?;
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

/// Takes from a deployment what it was given: at once nobody gets there by its links any more, and whoever has entered
/// goes on.
///
/// Links that lead there stay, and lead there again when it is given again.
#[utoipa::path(
    operation_id = "takeFromDeployment",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Platform id"),
        ("deploymentId" = String, Query, description = "The platform's name of the deployment"),
        ("sittingId" = Option<String>, Query, description = "The sitting that is taken back: this or `templateId`"),
        ("templateId" = Option<String>, Query, description = "The template that is taken back"),
    ),
    responses(
        (status = 200, description = "Taken back", body = Done),
        (status = 400, description = "`Invalid <parameter>`, and `Invalid sittingId` of both or neither", body = ErrorBody),
        AdminRefusals,
        (status = 404, description = "Unknown, or not given", body = ErrorBody),
    )
)]
#[delete("/api/admin/lti/platforms/{id}/grants")]
pub async fn take_back(
    asked: After<Admin, After<Path<String>, Query<GrantQuery>>>,
    service: Data<LearningPlatforms>,
) -> Result<HttpResponse, Error> {
    let After(_admin, After(id, asked)) = asked;
    let platform = service.find(&id).await?;
    let named = parsed("deploymentId", &asked.deployment_id, |text| is_id(text).then(|| text.to_owned()))?;
    let deployment_id = named.ok_or_else(|| Error::invalid("deploymentId"))?;
    let one = |name, text| parsed(name, text, |text| text.parse::<Uuid>().ok());
    let (sitting_id, template_id) = (one("sittingId", &asked.sitting_id)?, one("templateId", &asked.template_id)?);
    let (_, target) = named_one(sitting_id, template_id)?;
    // What is gone can be taken back too.
    let named = lti::name_targets(&service.database, &[target]).await?;
    let name = named.get(&target).map_or_else(|| target.id().to_string(), |target| target.name.clone());
    note_detail(&format!("{}, {deployment_id}: {name}", platform.name));
    let transaction = service.database.begin().await?;
    if !lti::revoke(&transaction, platform.id, &deployment_id, target).await? {
        return Err(Error::NotFound(NOT_FOUND));
    }
    transaction.commit().await?;
    Ok(done())
}

/// The sitting or the template, of which one is named, and the name of its field.
fn named_one(sitting_id: Option<Uuid>, template_id: Option<Uuid>) -> Result<(&'static str, LinkTarget), Error> {
    match (sitting_id, template_id) {
        (Some(id), None) => Ok(("sittingId", LinkTarget::Sitting(id))),
        (None, Some(id)) => Ok(("templateId", LinkTarget::Template(id))),
        _ => Err(Error::invalid("sittingId")),
    }
}
