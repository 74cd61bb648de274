//! The ledger of scores that learning platforms are sent: its list, and sending again. Admins see all of it, managers
//! what belongs to their grades, and staff of a platform of that what belongs to courses of their own deployment.

use std::collections::HashSet;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get, post};
use domain::access::{Identity, Role};
use domain::delivery::DeliveryStatus;
use domain::lti::link::LinkTarget;
use domain::lti::platform::PlatformState;
use domain::lti::score::ScoreMessage;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::NOT_ACTIVE;
use crate::auth::caller::{Manager, NOT_ASSIGNED};
use crate::auth::refusals::ManagerRefusals;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::note_detail;
use crate::http::fallback::NOT_FOUND;
use crate::http::parameters::{self, parsed};
use crate::outgoing::Outbox;
use crate::sittings::may_manage;
use crate::store::lti_ledger::{self, LedgerFilter, LedgerPlace, LedgerRow};
use crate::store::{lti_places, sittings, templates};

/// Scores on one page.
const PER_PAGE: u64 = 50;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ScoresQuery {
    status: Option<String>,
    sitting_id: Option<String>,
    template_id: Option<String>,
    page: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResendQuery {
    status: Option<String>,
    sitting_id: Option<String>,
    template_id: Option<String>,
}

/// `{ queued }`.
#[derive(Serialize, ToSchema)]
struct ResentScores {
    /// Scores that are sent again.
    queued: usize,
}

/// A score that was sent to a learning platform, or is to be.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ScoreDeliveryView {
    id: Uuid,
    session_id: Uuid,
    /// The link by which the person came.
    #[schema(required)]
    link_id: Option<Uuid>,
    /// The name of the person, as the platform tells it.
    #[schema(required)]
    name: Option<String>,
    /// `score.ended`, `score.released` or `score.changed`.
    event: String,
    /// The version of the result that it tells.
    version: i32,
    /// Null while only the end is told, and before the first attempt.
    #[schema(required)]
    score_given: Option<u32>,
    #[schema(required)]
    score_maximum: Option<u32>,
    /// The address of the column, or of the list of columns as long as none is known; empty while neither is.
    url: String,
    #[schema(value_type = DeliveryStatus)]
    status: String,
    attempts: i32,
    #[schema(required)]
    last_status: Option<i16>,
    /// Why it has not arrived; what follows the first line are the platform's own words.
    #[schema(required)]
    last_error: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_attempt_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    delivered_at: Option<Moment>,
}

/// A page of scores, the newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ScorePage {
    scores: Vec<ScoreDeliveryView>,
    /// From 1.
    page: u64,
    per_page: u64,
    total: u64,
}

/// Scores for learning platforms with their attempts, the newest first: those of the caller's grades.
///
/// Staff of a learning platform see those of courses of their own deployment.
#[utoipa::path(
    operation_id = "listScores",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("status" = inline(Option<DeliveryStatus>), Query, description = "Only these"),
        ("sittingId" = Option<Uuid>, Query, description = "Only those of this sitting"),
        ("templateId" = Option<Uuid>, Query, description = "Only those of links to this template"),
        ("page" = Option<u64>, Query, description = "From 1", minimum = 1),
    ),
    responses(
        (status = 200, description = "A page of 50", body = ScorePage),
        (status = 400, description = "`Invalid status`, `Invalid sittingId`, `Invalid templateId` or `Invalid page`", body = ErrorBody),
        ManagerRefusals,
    )
)]
#[get("/api/admin/lti/scores")]
pub async fn list(asked: After<Manager, Query<ScoresQuery>>, database: Data<Database>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), asked) = asked;
    let status = parsed("status", &asked.status, DeliveryStatus::parse)?;
    let target_id = asked_target(&asked.sitting_id, &asked.template_id)?;
    let page = parameters::page(&asked.page)?.unwrap_or(1);
    let managed = find_managed(&database, &caller).await?;
    let filter = LedgerFilter { status, targets: wanted(managed, target_id), deployment: caller.deployment };
    let (rows, total) = lti_ledger::find_page(&database, &filter, page - 1, PER_PAGE).await?;
    let scores = rows.into_iter().map(view).collect();
    Ok(HttpResponse::Ok().json(ScorePage { scores, page, per_page: PER_PAGE, total }))
}

/// Queues the newest score of the same person and column again, with the full number of attempts.
///
/// An older one would take the place of what the platform has. The score gets another moment, so that the platform
/// takes it. What has failed of the same person and column before has nothing to tell any more, and leaves the list.
#[utoipa::path(
    operation_id = "resendScore",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Delivery id")),
    responses(
        (status = 200, description = "Queued", body = Done),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
    )
)]
#[post("/api/admin/lti/scores/{id}/resend")]
pub async fn resend(
    asked: After<Manager, Path<String>>,
    database: Data<Database>,
    outbox: Data<Outbox>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    let id = id.parse::<Uuid>().map_err(|_| Error::NotFound(NOT_FOUND))?;
    let is_seen =
        |place: &LedgerPlace| caller.sees_courses_of(place.deployment.platform_id, &place.deployment.deployment_id);
    let place = lti_ledger::find_place(&database, id).await?.filter(is_seen).ok_or(Error::NotFound(NOT_FOUND))?;
    if managed_of(&database, &caller, &[place.target]).await?.is_empty() {
        return Err(Error::Forbidden(NOT_ASSIGNED));
    }
    if lti_places::send_again(&database, &[place.session_id], clock.now()).await? == 0 {
        return Err(Error::NotFound(NOT_FOUND));
    }
    outbox.wake();
    Ok(done())
}

/// Queues scores that have failed again, of each person and column the newest: those of the caller's grades.
///
/// Like sending each of them again. Whoever has a score that waits or has arrived since is left out.
#[utoipa::path(
    operation_id = "resendScores",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("status" = Option<String>, Query, description = "`failed`, as without it: no others are sent again at once"),
        ("sittingId" = Option<Uuid>, Query, description = "Only those of this sitting"),
        ("templateId" = Option<Uuid>, Query, description = "Only those of links to this template"),
    ),
    responses(
        (status = 200, description = "Queued, 5,000 tests at most", body = ResentScores),
        (status = 400, description = "`Invalid status`, `Invalid sittingId` or `Invalid templateId`", body = ErrorBody),
        ManagerRefusals,
    )
)]
#[post("/api/admin/lti/scores/resend")]
pub async fn resend_failed(
    asked: After<Manager, Query<ResendQuery>>,
    database: Data<Database>,
    outbox: Data<Outbox>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), asked) = asked;
    let is_failed = |status: &DeliveryStatus| *status == DeliveryStatus::Failed;
    let status = parsed("status", &asked.status, |text| DeliveryStatus::parse(text).filter(is_failed))?;
    let target_id = asked_target(&asked.sitting_id, &asked.template_id)?;
    let targets = wanted(find_managed(&database, &caller).await?, target_id);
    let status = status.or(Some(DeliveryStatus::Failed));
    let filter = LedgerFilter { status, targets, deployment: caller.deployment };
    let session_ids = lti_ledger::find_tests(&database, &filter).await?;
    let queued = lti_places::send_failed_again(&database, &session_ids, clock.now()).await?;
    note_detail(&format!("{queued} queued"));
    outbox.wake();
    Ok(HttpResponse::Ok().json(ResentScores { queued }))
}

/// The sitting that is asked for, or else the template.
fn asked_target(sitting_id: &Option<String>, template_id: &Option<String>) -> Result<Option<Uuid>, Error> {
    let sitting_id = parsed("sittingId", sitting_id, |text| text.parse::<Uuid>().ok())?;
    let template_id = parsed("templateId", template_id, |text| text.parse::<Uuid>().ok())?;
    Ok(sitting_id.or(template_id))
}

/// Those of these sittings and templates that are asked for; `None` for all.
fn wanted(managed: Option<Vec<Uuid>>, target_id: Option<Uuid>) -> Option<Vec<Uuid>> {
    match (managed, target_id) {
        (managed, None) => managed,
        (None, Some(target_id)) => Some(vec![target_id]),
        (Some(managed), Some(target_id)) => Some(managed.into_iter().filter(|id| *id == target_id).collect()),
    }
}

/// The sittings and templates of which the caller may see scores; `None` for all.
async fn find_managed(database: &Database, caller: &Identity) -> Result<Option<Vec<Uuid>>, Error> {
    if caller.role == Role::Admin {
        return Ok(None);
    }
    let targets = lti_ledger::find_targets(database).await?;
    Ok(Some(managed_of(database, caller, &targets).await?.into_iter().collect()))
}

/// Those of these that the caller manages.
pub async fn managed_of(
    database: &Database,
    caller: &Identity,
    targets: &[LinkTarget],
) -> Result<HashSet<Uuid>, Error> {
    let is_sitting = |target: &&LinkTarget| matches!(target, LinkTarget::Sitting(_));
    let sitting_ids = targets.iter().filter(is_sitting).map(|target| target.id()).collect();
    let of_sittings = sittings::load(database, sitting_ids).await?.into_iter().map(|one| (one.id, one.template_id));
    let of_templates = targets.iter().filter(|target| !is_sitting(target)).map(|target| (target.id(), target.id()));
    let pairs: Vec<(Uuid, Uuid)> = of_sittings.chain(of_templates).collect();
    let headers = templates::load_headers(database, pairs.iter().map(|(_, template_id)| *template_id)).await?;
    let is_managed = |template_id: &Uuid| {
        // What is left of a removed template is for admins.
        let header = headers.get(template_id);
        header.map_or(caller.role == Role::Admin, |header| may_manage(caller, &header.grades))
    };
    let mut managed: HashSet<Uuid> =
        pairs.iter().filter(|(_, template_id)| is_managed(template_id)).map(|(id, _)| *id).collect();
    if caller.role == Role::Admin {
        managed.extend(targets.iter().map(|target| target.id()));
    }
    Ok(managed)
}

/// Why a score waits that nothing is wrong with.
fn waits_for(row: &LedgerRow) -> Option<String> {
    let is_shut_out = PlatformState::parse(&row.state) != Some(PlatformState::Active);
    let waits = is_shut_out && DeliveryStatus::parse(&row.status) == Some(DeliveryStatus::Pending);
    waits.then(|| NOT_ACTIVE.to_owned())
}

fn view(row: LedgerRow) -> ScoreDeliveryView {
    let waits_for = waits_for(&row);
    let sent = row.body.and_then(|body| serde_json::from_str::<ScoreMessage>(&body).ok());
    let (score_given, score_maximum) = sent.map_or((None, None), |sent| (sent.score_given, sent.score_maximum));
    ScoreDeliveryView {
        id: row.id,
        session_id: row.session_id,
        link_id: Some(row.link_id),
        name: row.name,
        event: row.event,
        version: row.version,
        score_given,
        score_maximum,
        url: row.url,
        status: row.status,
        attempts: row.attempts,
        last_status: row.last_status,
        last_error: waits_for.or(row.last_error),
        next_attempt_at: row.next_attempt_at_ms.map(Moment::from_milliseconds),
        created_at: Moment::from_milliseconds(row.created_at_ms),
        delivered_at: row.delivered_at_ms.map(Moment::from_milliseconds),
    }
}
