//! `DELETE /api/manager/corrections/{id}`: takes a correction back. Its tests follow as they followed it.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete};

use super::view::CorrectionView;
use super::{BUSY, Corrections};
use crate::auth::caller::{Manager, NOT_ASSIGNED};
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::audit;
use crate::http::fallback::NOT_FOUND;
use crate::http::if_match::{IfMatch, version_tag};
use crate::sittings::known;
use crate::store::correction_list::ListedCorrection;
use crate::store::correction_work;
use crate::store::corrections::{self, StoredCorrection};

const CORRECTION_CHANGED: &str = "Correction has changed";

/// Reverts a correction. It stays in the list, and its tests follow in the background.
///
/// Repeating it changes nothing, whatever version is named.
#[utoipa::path(
    operation_id = "revertCorrection",
    tag = "results",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Correction id"),
        ("If-Match" = Option<String>, Header, description = "The version of the correction that is meant"),
    ),
    responses(
        (status = 200, description = "The correction, reverted", body = CorrectionView, headers(("ETag" = String, description = "Its version"))),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 412, description = "`Correction has changed`", body = ErrorBody),
        (status = 503, description = "The database is busy: send it again", body = ErrorBody),
    )
)]
#[delete("/api/manager/corrections/{id}")]
pub async fn revert(
    asked: After<Manager, Path<String>>,
    if_match: IfMatch,
    service: Data<Corrections>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    let id = known(&id)?;
    let found = corrections::find(&service.database.read, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    // A scope never changes, so it need not be read again under the lock.
    if !service.standings(&caller, &[&found]).await?.iter().all(|standing| standing.is_own) {
        return Err(Error::Forbidden(NOT_ASSIGNED));
    }
    let question_id = found.correction.question_id;
    audit::note_detail(&format!("{} of {question_id}", found.correction.kind.name()));
    let transaction = service.database.begin().await?;
    if !corrections::lock(&transaction, &service.clock).await? {
        return Err(Error::Unavailable(BUSY));
    }
    let stored = corrections::find(&transaction, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    // First, so that whoever has lost the answer gets it again.
    if stored.reverted.is_some() {
        transaction.rollback().await?;
        return answer(&service, stored).await;
    }
    if_match.check(stored.version(), CORRECTION_CHANGED)?;
    let stored = corrections::revert(&transaction, stored, caller.email, service.clock.now()).await?;
    transaction.commit().await?;
    service.news.notify_one();
    answer(&service, stored).await
}

/// The correction, with how far its tests have followed by now.
pub(super) async fn answer(service: &Corrections, stored: StoredCorrection) -> Result<HttpResponse, Error> {
    let version = stored.version();
    let steps = correction_work::load_progress(&service.database.read, std::iter::once(version)).await?;
    let progress = steps.get(&version).copied().unwrap_or_default();
    let view = CorrectionView::of(ListedCorrection { stored, progress }, true);
    Ok(private(&mut HttpResponse::Ok()).insert_header(version_tag(view.version())).json(view))
}
