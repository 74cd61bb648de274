//! The routes by which admins connect learning platforms, allow them things, try them out and remove them.

pub mod connection;
pub mod fields;
pub mod grants;
pub mod link_list;
pub mod view;

use std::sync::Arc;

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, get, patch, post};
use domain::lti::platform::{Deployment, Platform, PlatformState};
use domain::sitting::values::FieldChange;
use domain::time::moment::Moment;
use domain::webhook_target::TargetPolicy;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use super::platform_keys::PlatformKeys;
use super::services::PlatformServices;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::base::Base;
use crate::clock::Clock;
use crate::database::{Database, Transaction};
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::{note_detail, note_subject};
use crate::http::fallback::NOT_FOUND;
use crate::http::fields::JsonFields;
use crate::sittings::{Sittings, known};
use crate::store::{lti, lti_places};
use fields::{NewPlatform, PlatformChange};
use view::{OnePlatform, PlatformList};

/// Platforms that are connected, pending or blocked.
pub const PLATFORMS_MAX: u64 = 200;
/// The answer to a platform whose issuer and client id are connected already.
pub const PLATFORM_EXISTS: &str = "Platform exists";
/// The answer to a platform beyond those that may be connected.
pub const TOO_MANY_PLATFORMS: &str = "There are too many platforms";

/// What platforms are connected with.
pub struct LearningPlatforms {
    pub(super) database: Database,
    pub(super) clock: Clock,
    /// To which addresses the server may go by itself.
    pub(super) targets: TargetPolicy,
    /// The keys of platforms, as a launch would find them.
    platform_keys: PlatformKeys,
    services: Arc<PlatformServices>,
    sittings: Arc<Sittings>,
}

impl LearningPlatforms {
    #[must_use]
    pub fn open(base: &Base, services: &Arc<PlatformServices>, sittings: &Arc<Sittings>) -> Self {
        Self {
            database: base.database.clone(),
            clock: base.clock.clone(),
            targets: base.config.webhooks.targets.clone(),
            platform_keys: PlatformKeys::open(base),
            services: Arc::clone(services),
            sittings: Arc::clone(sittings),
        }
    }

    async fn find(&self, id: &str) -> Result<Platform, Error> {
        let found = lti::load_platform(&self.database.read, known(id)?).await?;
        found.ok_or(Error::NotFound(NOT_FOUND))
    }
}

/// Mounts the routes for admins, and the list of links for those who manage what they lead to.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(list)
        .service(create)
        .service(read)
        .service(change)
        .service(remove)
        .service(connection::test)
        .service(grants::list)
        .service(grants::give)
        .service(grants::take_back)
        .service(link_list::list)
        .service(link_list::remove);
}

/// All learning platforms: those that are connected, that wait for an admin, and that are blocked.
#[utoipa::path(
    operation_id = "listPlatforms",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The newest first", body = PlatformList),
        AdminRefusals,
    )
)]
#[get("/api/admin/lti/platforms")]
pub async fn list(_admin: Admin, service: Data<LearningPlatforms>) -> Result<HttpResponse, Error> {
    let platforms = lti::list(&service.database.read).await?;
    Ok(HttpResponse::Ok().json(PlatformList { platforms: platforms.into_iter().map(Into::into).collect() }))
}

/// Connects a platform by hand. It is active at once.
#[utoipa::path(
    operation_id = "createPlatform",
    tag = "administration",
    security(("api_token" = [])),
    request_body = NewPlatform,
    responses(
        (status = 200, description = "The platform", body = OnePlatform),
        (status = 400, description = "`Invalid <field>`, also for an address that the server may not reach", body = ErrorBody),
        AdminRefusals,
        (status = 409, description = "`Platform exists`: one with this issuer and client id. Or `There are too many platforms`", body = ErrorBody),
    )
)]
#[post("/api/admin/lti/platforms")]
pub async fn create(asked: After<Admin, JsonFields>, service: Data<LearningPlatforms>) -> Result<HttpResponse, Error> {
    let After(_admin, fields) = asked;
    let new = NewPlatform::read(&fields, &service.targets)?;
    let now = service.clock.now();
    let platform = Platform {
        id: Uuid::new_v4(),
        name: new.name,
        issuer: new.issuer,
        client_id: new.client_id,
        endpoints: new.endpoints,
        state: PlatformState::Active,
        deployments: new.deployments,
        grades: new.grades,
        frame_origins: new.frame_origins,
        token_audience: new.token_audience,
        score_form: new.score_form,
        trusts_emails: new.trusts_emails,
        registration: None,
        created_at: now,
        updated_at: now,
        staff_only_choose: new.staff_only_choose,
    };
    note_subject(&platform.id.to_string(), &platform.name);
    let transaction = service.database.begin().await?;
    if lti::count(&transaction).await?.0 >= PLATFORMS_MAX {
        return Err(Error::Conflict(TOO_MANY_PLATFORMS));
    }
    if !lti::insert(&transaction, &platform).await? {
        return Err(Error::Conflict(PLATFORM_EXISTS));
    }
    transaction.commit().await?;
    Ok(answer(service.find(&platform.id.to_string()).await?))
}

/// A platform.
#[utoipa::path(
    operation_id = "readPlatform",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Platform id")),
    responses(
        (status = 200, description = "The platform", body = OnePlatform),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
    )
)]
#[get("/api/admin/lti/platforms/{id}")]
pub async fn read(asked: After<Admin, Path<String>>, service: Data<LearningPlatforms>) -> Result<HttpResponse, Error> {
    let After(_admin, id) = asked;
    Ok(answer(service.find(&id).await?))
}

/// Approves or blocks a platform, or changes what it is allowed.
///
/// `deployments` are all of them: one that is left out is removed with its links, and waits for an admin again when it
/// launches.
#[utoipa::path(
    operation_id = "changePlatform",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Platform id")),
    request_body = PlatformChange,
    responses(
        (status = 200, description = "The platform", body = OnePlatform),
        (status = 400, description = "`Invalid <field>`, also for an address that the server may not reach", body = ErrorBody),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
    )
)]
#[patch("/api/admin/lti/platforms/{id}")]
pub async fn change(
    asked: After<Admin, After<Path<String>, JsonFields>>,
    service: Data<LearningPlatforms>,
) -> Result<HttpResponse, Error> {
    let After(_admin, After(id, fields)) = asked;
    let found = service.find(&id).await?;
    let change = PlatformChange::read(&fields, &service.targets)?;
    let transaction = service.database.begin().await?;
    let mut platform = lti::lock_platform(&transaction, found.id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    let before = platform.clone();
    apply(&mut platform, change);
    // Later than all before it, since tokens are kept for the platform as it was at a moment.
    platform.updated_at = service.clock.now().max(before.updated_at.plus(1));
    note_detail(&detail(&before, &platform));
    lti::update(&transaction, &platform).await?;
    store_deployments(&transaction, &before, &platform, service.clock.now()).await?;
    if platform.is_active() && !before.is_active() {
        lti_places::wake(&transaction, platform.id, service.clock.now()).await?;
    }
    transaction.commit().await?;
    Ok(answer(service.find(&id).await?))
}

/// Removes a platform with its deployments, its links and what is known of who its people are. Tests, results and
/// rosters stay.
#[utoipa::path(
    operation_id = "deletePlatform",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Platform id")),
    responses(
        (status = 200, description = "Removed", body = Done),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
    )
)]
#[delete("/api/admin/lti/platforms/{id}")]
pub async fn remove(
    asked: After<Admin, Path<String>>,
    service: Data<LearningPlatforms>,
) -> Result<HttpResponse, Error> {
    let After(_admin, id) = asked;
    let found = service.find(&id).await?;
    note_detail(&found.name);
    let transaction = service.database.begin().await?;
    if !lti::delete(&transaction, found.id).await? {
        return Err(Error::NotFound(NOT_FOUND));
    }
    transaction.commit().await?;
    Ok(done())
}

fn apply(platform: &mut Platform, changes: PlatformChange) {
    let kept = platform.clone();
    platform.name = changes.name.unwrap_or(kept.name);
    platform.state = changes.state.unwrap_or(kept.state);
    platform.endpoints = changes.endpoints.unwrap_or(kept.endpoints);
    platform.deployments = changes.deployments.unwrap_or(kept.deployments);
    platform.grades = changes.grades.unwrap_or(kept.grades);
    platform.frame_origins = changes.frame_origins.unwrap_or(kept.frame_origins);
    platform.score_form = changes.score_form.unwrap_or(kept.score_form);
    platform.trusts_emails = changes.trusts_emails.unwrap_or(kept.trusts_emails);
    platform.staff_only_choose = changes.staff_only_choose.unwrap_or(kept.staff_only_choose);
    platform.token_audience = match changes.token_audience {
        FieldChange::Keep => kept.token_audience,
        FieldChange::Clear => None,
        FieldChange::Set(audience) => Some(audience),
    };
}

async fn store_deployments(
    transaction: &Transaction,
    before: &Platform,
    after: &Platform,
    now: Moment,
) -> Result<(), Error> {
    let is_gone = |deployment: &&Deployment| after.deployment_state(&deployment.id).is_none();
    for deployment in before.deployments.iter().filter(is_gone) {
        lti::remove_deployment(transaction, after.id, &deployment.id).await?;
    }
    for deployment in after.deployments.iter().filter(|deployment| !before.deployments.contains(deployment)) {
        lti::put_deployment(transaction, after.id, deployment, now).await?;
    }
    Ok(())
}

/// What was changed, in the words of the record: the state that it has now, and the names of what else differs.
fn detail(before: &Platform, after: &Platform) -> String {
    let state = (before.state != after.state).then_some(after.state.name());
    let others = [
        ("name", before.name != after.name),
        ("endpoints", before.endpoints != after.endpoints),
        ("deployments", before.deployments != after.deployments),
        ("grades", before.grades != after.grades),
        ("frameOrigins", before.frame_origins != after.frame_origins),
        ("tokenAudience", before.token_audience != after.token_audience),
        ("scoreForm", before.score_form != after.score_form),
        ("trustsEmails", before.trusts_emails != after.trusts_emails),
        ("staffOnlyChoose", before.staff_only_choose != after.staff_only_choose),
    ];
    let changed = others.into_iter().filter_map(|(name, differs)| differs.then_some(name));
    let words: Vec<&str> = state.into_iter().chain(changed).collect();
    format!("{}: {}", after.name, words.join(", "))
}

fn answer(platform: Platform) -> HttpResponse {
    HttpResponse::Ok().json(OnePlatform { platform: platform.into() })
}
