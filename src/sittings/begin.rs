//! The beginning that someone decides: from then on time counts.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};

use super::admin::answer;
use super::view::OneSitting;
use super::{ManagedSitting, SITTING_CHANGED, Sittings};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::fallback::NOT_FOUND;
use crate::http::if_match::IfMatch;
use crate::store::sittings;

/// Begins a sitting now, for all who have no start of their own.
///
/// Repeating it changes nothing and gets the same answer, whatever version the request names: the first beginning
/// holds. So does that of the clock when it is less than five seconds away: then nothing is changed either.
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
    let transaction = service.database.begin().await?;
    let mut sitting = sittings::lock(&transaction, sitting.id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    // After the lock: nobody loses the time for which it was waited.
    let now = service.clock.now();
    // What has begun, also by the clock, is not changed, whatever version the request names.
    if !sitting.has_begun(now) {
        if_match.check(sitting.version, SITTING_CHANGED)?;
    }
    if service.begin_locked(&transaction, &mut sitting, None, &caller.email, now).await? {
        service.commit_and_tell(transaction, sitting.id).await?;
    } else {
        transaction.rollback().await?;
    }
    answer(&service, ManagedSitting { sitting, template }).await
}
