//! The checkpoint of a sitting's log. It is for staff and candidates: it tells nobody's answers, but how many have sat
//! the exam, and each new one tells that a result was changed. Whoever checks for others gets it from one of them, or
//! from the event of the sitting's end.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::sitting::Sitting;

use super::Receipts;
use crate::auth::caller::{Callers, bearer};
use crate::auth::token;
use crate::error::{Error, ErrorBody};
use crate::http::answers::private;
use crate::http::fallback::NOT_FOUND;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::sittings::known;
use crate::store::embargo::Embargo;
use crate::store::{candidates, receipts, sitting_logs, sittings};

const FOR_MEMBERS: &str = "Checkpoints are for staff and candidates";
const NOT_BEGUN: &str = "The log has not begun";

/// The newest checkpoint of a sitting's log, as a signed note of C2SP (`c2sp.org/tlog-checkpoint`).
///
/// For staff who review all grades of its template, and for its candidates, by the token of a session or signed in. The
/// log begins when the sitting has ended; it grows when results are changed.
#[utoipa::path(
    operation_id = "readSittingCheckpoint",
    tag = "sittings",
    security(("session_token" = []), ("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "The checkpoint", body = String, content_type = "text/plain"),
        (status = 401, description = "Neither a token nor signed in", body = ErrorBody),
        (status = 403, description = "`Checkpoints are for staff and candidates`", body = ErrorBody),
        (status = 404, description = "Unknown, or `The log has not begun`", body = ErrorBody),
        (status = 429, description = "Too many with a wrong token from this address", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/sittings/{id}/checkpoint")]
pub async fn checkpoint(
    request: HttpRequest,
    id: Path<String>,
    service: Data<Receipts>,
    callers: Data<Callers>,
    limit: Data<AddressLimit>,
) -> Result<HttpResponse, Error> {
    service.sittings.here()?;
    let id = known(&id)?;
    let sitting = sittings::find(&service.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    if !service.is_member(&request, &sitting, &callers, &limit).await? {
        return Err(Error::Forbidden(FOR_MEMBERS));
    }
    let log = sitting_logs::find(&service.database.read, id).await?;
    let signed = log.and_then(|log| log.signed).ok_or(Error::NotFound(NOT_BEGUN))?;
    Ok(private(&mut HttpResponse::Ok()).content_type("text/plain; charset=utf-8").body(signed.checkpoint))
}

impl Receipts {
    /// Whether a request comes from staff or from a candidate of the sitting.
    async fn is_member(
        &self,
        request: &HttpRequest,
        sitting: &Sitting,
        callers: &Callers,
        limit: &AddressLimit,
    ) -> Result<bool, Error> {
        let token = bearer(request.headers());
        if let Some(token) = token
            && receipts::has_token_in(&self.database, sitting.id, &token::hash(token)).await?
        {
            return Ok(true);
        }
        let Some(caller) = callers.identify(request.headers()).await? else {
            let stranger = CountedCaller::of(request);
            return match token {
                Some(_) => Err(limit.refused(Counted::Stranger, stranger.as_ref(), Error::Forbidden(FOR_MEMBERS))),
                None => Err(Error::Unauthorized),
            };
        };
        let template = self.sittings.find_template(sitting.template_id).await?;
        if Embargo::staff_sight(&caller, &template.grades).is_some() {
            return Ok(true);
        }
        Ok(candidates::find_by_email(&self.database.read, sitting.id, &caller.email).await?.is_some())
    }
}
