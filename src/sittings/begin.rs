//! The beginning of a sitting by an order: from then on time counts.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};

use super::admin::answer;
use super::change::{ChangeTerms, Changed};
use super::view::OneSitting;
use super::{ManagedSitting, SITTING_CHANGED, Sittings};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::if_match::IfMatch;

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
        (status = 409, description = "`Sitting has ended`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
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
    // What has begun is not changed, whatever version the request names and whether it has ended; and its doors open
    // when it begins. The times of those who begin are written down later: until the commit, nobody begins.
    let terms = ChangeTerms::of_any_version().even_after_the_end().leaving_doors().leaving_attempts();
    let beginning = service.change(&caller.email, sitting.id, terms, async |sitting, now| {
        if !sitting.has_begun(now) {
            if_match.check(sitting.version, SITTING_CHANGED)?;
        }
        let begun = service.begin_locked(sitting, None, now).await?;
        Ok(begun.map_or(Changed::Nothing(()), |begun| Changed::Noted((), vec![begun])))
    });
    let (sitting, ()) = beginning.await?;
    answer(&service, &caller, ManagedSitting { sitting, template }).await
}
