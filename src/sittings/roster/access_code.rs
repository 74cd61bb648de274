//! A new access code for one candidate, told to whoever watches them: for a slip that is lost, or that there never was.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use domain::access::Identity;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::SignedIn;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::fallback::NOT_FOUND;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::record::ManagedChange;
use crate::sittings::supervision::{HallChoice, NOT_A_PROCTOR, WatchedSitting};
use crate::sittings::{Sittings, known, new_access_code};
use crate::store::candidates;

/// Tells the code, which is shown once and stored as a hash.
#[derive(Serialize, ToSchema)]
struct MadeAccessCode {
    /// Ten characters with a hyphen in the middle.
    #[schema(example = "9F3KT-T2M7X")]
    code: String,
}

/// Makes a new access code for one candidate; the one on their slip is void.
///
/// For those who manage the sitting, and for the proctors of the candidate's room. Devices with which the candidate has
/// entered go on: the order `only_this_device` ends them.
#[utoipa::path(
    operation_id = "makeAccessCode",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("candidateId" = String, Path, description = "Candidate id"),
    ),
    responses(
        (status = 200, description = "The code", body = MadeAccessCode),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "`Not a proctor of this room`", body = ErrorBody),
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has ended`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/sittings/{id}/candidates/{candidateId}/access-code")]
pub async fn make(
    asked: After<SignedIn, Path<(String, String)>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(SignedIn(caller), path) = asked;
    service.here()?;
    let (id, candidate_id) = path.into_inner();
    let (id, candidate_id) = (known(&id)?, known(&candidate_id)?);
    let watched = watching(&service, &caller, id, candidate_id).await?;
    let code = new_access_code()?;
    // A code changes nothing for those at work, nor does it open doors. Whoever enters by the old one meanwhile is
    // refused where the entry is stored.
    let terms = ChangeTerms::of_any_version().leaving_doors().leaving_attempts();
    let making = service.change(&caller.email, id, terms, async |sitting, _| {
        let found = candidates::find(sitting.transaction(), sitting.id, candidate_id).await?;
        let candidate = found.ok_or(Error::NotFound(NOT_FOUND))?;
        // They may have come into the room of somebody else since.
        if !watched.is_chief && candidate.hall_id != watched.hall_id {
            return Err(Error::Forbidden(NOT_A_PROCTOR));
        }
        service.set_access_code(&sitting.hold(), candidate_id, &code).await?;
        let made = ManagedChange {
            candidate_id: Some(candidate_id),
            hall_id: candidate.hall_id,
            kind: "access_code",
            detail: String::new(),
        };
        Ok(Changed::Marked((), vec![made]))
    });
    making.await?;
    Ok(private(&mut HttpResponse::Ok()).json(MadeAccessCode { code: code.to_string() }))
}

/// Whether the caller watches this candidate, and as whom. Only those who manage the sitting learn that there is no
/// such candidate.
async fn watching(
    service: &Sittings,
    caller: &Identity,
    sitting_id: Uuid,
    candidate_id: Uuid,
) -> Result<WatchedSitting, Error> {
    let candidate = candidates::find(&service.database.read, sitting_id, candidate_id).await?;
    let hall_id = candidate.as_ref().and_then(|candidate| candidate.hall_id);
    let watched = service.watched(caller, sitting_id, hall_id.map_or(HallChoice::All, HallChoice::Id)).await?;
    if candidate.is_some() { Ok(watched) } else { Err(Error::NotFound(NOT_FOUND)) }
}
