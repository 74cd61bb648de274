//! The parts of a sitting's paper: sealed for everyone who waits, and in the clear for those whose time counts and
//! whose browser cannot open them.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue};
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, ResponseError, get};
use domain::attempt::CommandRefusal;
use domain::sitting::part::PaperPart;
use serde::Deserialize;
use uuid::Uuid;

use super::Live;
use super::error::{LiveError, LiveErrorBody};
use super::protocol::fault::Fault;
use super::store::{self, PaperHolder};
use crate::auth::caller::bearer;
use crate::auth::token;
use crate::error::Error;
use crate::http::answers::{FileBytes, private};
use crate::http::compression::with_secret;
use crate::http::fallback::NOT_FOUND;
use crate::http::limits::{Counted, CountedCaller};
use crate::sittings::entry::current::decides;
use crate::sittings::entry::sealed_paper::SealedPaper;
use crate::sittings::known;
use crate::store::candidates;

/// Everyone may cache a paper for a year: its bytes are the same for all, and a new paper has another address.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// For a paper that is requested without its version: the answer is the current one, which may change.
const CHANGEABLE: &str = "public, no-cache";

#[derive(Deserialize)]
struct PartQuery {
    open: Option<String>,
    v: Option<String>,
}

/// A sealed part of a paper: nonce (12 bytes), ciphertext and tag, by AES-256-GCM.
///
/// Its key comes with the beginning of the exam, or of stage 2. Until the end `?open` gives the part in the clear, to
/// whoever has the session's token: `1` is then the first part of their own form, and that of another form is refused.
#[utoipa::path(
    operation_id = "readSealedPart",
    tag = "sittings",
    security((), ("session_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("part" = String, Path, description = "`1`, of other forms `1-B` and so on, or a band such as `80-90`"),
        ("v" = Option<String>, Query, description = "Which paper, from the part's `url`"),
        ("open" = Option<String>, Query, description = "In the clear, with the session's token"),
    ),
    responses(
        (status = 200, description = "The sealed part, or its questions as JSON", content(
            (inline(FileBytes) = "application/octet-stream"),
            (String = "application/json"),
        ), headers(("ETag" = String), ("Cache-Control" = String))),
        (status = 401, description = "`open` without a token", body = LiveErrorBody),
        (status = 403, description = "`open` with a wrong token", body = LiveErrorBody),
        (status = 404, description = "Unknown, or the doors have not opened, or the paper is no longer the one of `v`", body = LiveErrorBody),
        (status = 409, description = "`not_begun`: `open` before the part is, or of another form; `already_submitted`: after the end", body = LiveErrorBody),
        (status = 429, description = "Too many with a wrong token from this address", body = LiveErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = LiveErrorBody),
    )
)]
#[get("/api/sittings/{id}/paper/{part}")]
pub async fn read_part(
    request: HttpRequest,
    live: Data<Live>,
    asked: Path<(String, String)>,
    query: Query<PartQuery>,
) -> Result<HttpResponse, LiveError> {
    live.shared.neighbours.sittings.here()?;
    let (id, part) = asked.into_inner();
    let part = PaperPart::parse(&part).ok_or(Error::NotFound(NOT_FOUND))?;
    let (id, asked_at) = (known(&id)?, live.services.clock.now());
    let current = live.shared.neighbours.sittings.current(id).await?;
    let paper = current.paper.as_ref().ok_or(Error::NotFound(NOT_FOUND))?;
    if query.open.is_some() {
        let holder = holder(&request, &live, current.sitting.id).await?;
        if holder.has_ended {
            return Err(Fault::from(CommandRefusal::AlreadySubmitted).into());
        }
        let candidate = candidates::find(&live.services.database.read, current.sitting.id, holder.candidate_id);
        let candidate = candidate.await.map_err(Error::from)?;
        let begins_at = candidate.and_then(|candidate| current.sitting.times(&candidate, current.minutes));
        let has_begun = begins_at.is_some_and(|times| {
            !times.is_waiting(live.services.clock.now()) && decides(current.read_at(), times.begins_at)
        });
        return in_the_clear(paper, part, has_begun, &holder);
    }
    let Some(version) = query.v.as_deref() else { return sealed(paper, part, CHANGEABLE) };
    if paper.is_version(part, version) {
        return sealed(paper, part, IMMUTABLE);
    }
    // A paper that another server has sealed anew a moment ago. An old one must not get the address of the new one,
    // which caches keep for a year.
    let current = live.shared.neighbours.sittings.read_since(id, asked_at).await?;
    match &current.paper {
        Some(paper) if paper.is_version(part, version) => sealed(paper, part, IMMUTABLE),
        _ => {
            let mut missing = LiveError::from(Error::NotFound(NOT_FOUND)).error_response();
            missing.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
            Ok(missing)
        }
    }
}

/// A part as it is sealed, to be kept by caches as long as that says.
fn sealed(paper: &SealedPaper, part: PaperPart, kept: &'static str) -> Result<HttpResponse, LiveError> {
    let (sealed, sha256) = paper.sealed(part).ok_or(Error::NotFound(NOT_FOUND))?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/octet-stream"))
        .insert_header((CACHE_CONTROL, kept))
        .insert_header((ETAG, format!("\"{sha256}\"")))
        .body(sealed))
}

/// The attempt whose token the request has.
async fn holder(request: &HttpRequest, live: &Live, sitting_id: Uuid) -> Result<PaperHolder, LiveError> {
    let token = bearer(request.headers()).ok_or_else(LiveError::without_token)?;
    let token_hash = token::hash(token);
    let finding = store::find_paper_holder(&live.services.database, sitting_id, &token_hash);
    if let Some(holder) = finding.await.map_err(Error::from)? {
        return Ok(holder);
    }
    live.shared.neighbours.limit.count(Counted::Stranger, CountedCaller::of(request).as_ref())?;
    Err(Fault::new(super::protocol::fault::Code::BadToken, "The token is not that of the session").into())
}

fn in_the_clear(
    paper: &SealedPaper,
    part: PaperPart,
    has_begun: bool,
    holder: &PaperHolder,
) -> Result<HttpResponse, LiveError> {
    let own = PaperPart::first_of(holder.form);
    // To whoever sits it, the first part of their form is called as the first part of every test.
    let part = if part == PaperPart::first_of(None) { own } else { part };
    let is_open = match part {
        PaperPart::First(_) => has_begun && part == own,
        PaperPart::Second(band) => has_begun && holder.band == Some(band),
    };
    if !is_open {
        return Err(Fault::from(CommandRefusal::NotBegun).into());
    }
    let opened = paper.opened(part).ok_or(Error::NotFound(NOT_FOUND))?;
    // Compressed for each of ten thousand in the first second, it would cost more than it saves.
    Ok(with_secret(private(&mut HttpResponse::Ok()).content_type("application/json").body(opened)))
}
