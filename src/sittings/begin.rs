//! The two moments that someone decides: from when time counts, and from when results may be seen.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, post};
use domain::sitting::SittingState;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admin::answer;
use super::fields::flag;
use super::overview::Overview;
use super::view::{OneSitting, SittingView};
use super::{ManagedSitting, SITTING_AT_WORK, SITTING_CHANGED, SITTING_NOT_BEGUN, Sittings};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::fallback::NOT_FOUND;
use crate::http::if_match::{IfMatch, version_tag};
use crate::store::{candidates, sittings};

#[derive(Deserialize)]
struct ReleaseQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
}

/// The sitting, and how many finished tests its release reaches.
#[derive(Serialize, ToSchema)]
struct ReleasedSitting {
    reaches: u64,
    sitting: SittingView,
}

/// Begins a sitting now, for all who have no start of their own.
///
/// Repeating it changes nothing and gets the same answer, whatever version the request names: the first beginning
/// holds.
#[utoipa::path(
    operation_id = "beginSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("If-Match" = Option<String>, Header, description = "The version to begin, in quotes"),
    ),
    responses(
        (status = 200, description = "The sitting with its `begunAt`", body = OneSitting, headers(("ETag" = String))),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has ended`", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/begin")]
pub async fn begin(
    asked: After<Manager, After<Path<String>, IfMatch>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, if_match)) = asked;
    let ManagedSitting { sitting, template } = service.managed(&caller, &id).await?;
    let now = service.clock.now();
    let transaction = service.database.begin().await?;
    let mut sitting = sittings::lock(&transaction, sitting.id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    // What has begun, also by the clock, is not changed, whatever version the request names.
    if !sitting.has_begun(now) {
        if_match.check(sitting.version, SITTING_CHANGED)?;
    }
    if service.begin_locked(&transaction, &mut sitting, None, &caller.email, now).await? {
        service.commit(transaction, &sitting).await?;
    } else {
        transaction.rollback().await?;
    }
    answer(&service, ManagedSitting { sitting, template }).await
}

/// Shows the results to all candidates, and ends the sitting.
///
/// Repeating it changes nothing.
#[utoipa::path(
    operation_id = "releaseSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("dryRun" = Option<bool>, Query, description = "Tell how many finished tests it would reach, and release nothing"),
    ),
    responses(
        (status = 200, description = "The sitting, and how many finished tests the release reaches", body = ReleasedSitting),
        (status = 400, description = "`Invalid dryRun`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has candidates at work`, or `Sitting has not begun`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/release")]
pub async fn release(
    asked: After<Manager, After<Path<String>, Query<ReleaseQuery>>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, query)) = asked;
    let ManagedSitting { sitting, template } = service.managed(&caller, &id).await?;
    let is_dry_run = flag("dryRun", query.dry_run.as_deref())?;
    let now = service.clock.now();
    let transaction = service.database.begin().await?;
    let sitting = sittings::lock(&transaction, sitting.id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    let mut managed = ManagedSitting { sitting, template };
    let groups = candidates::load_groups(&transaction, vec![managed.sitting.id]).await?;
    let overview = Overview::of(&managed.sitting, managed.template.duration_minutes, &groups, now);
    if !is_dry_run && managed.sitting.released_at.is_none() {
        if matches!(overview.state, SittingState::Draft | SittingState::Open) {
            return Err(Error::Conflict(SITTING_NOT_BEGUN));
        }
        // Whoever is still at work would learn from those who see their results.
        if overview.outlook.at_work > 0 {
            return Err(Error::Conflict(SITTING_AT_WORK));
        }
        managed.sitting.released_at = Some(now);
        managed.sitting.ended_at = managed.sitting.ended_at.or(Some(now));
        managed.sitting.version += 1;
        sittings::save(&transaction, &managed.sitting).await?;
        service.commit(transaction, &managed.sitting).await?;
    } else {
        transaction.rollback().await?;
    }
    let overview = service.overview(&managed, now).await?;
    let sitting = SittingView::of(&managed.sitting, &managed.template, &overview, now);
    let tag = version_tag(sitting.version);
    Ok(HttpResponse::Ok().insert_header(tag).json(ReleasedSitting { reaches: overview.counts.submitted, sitting }))
}
