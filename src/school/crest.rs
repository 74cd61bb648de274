//! The school's crest: a small picture that every page may show.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, delete, get, put};
use domain::school::{CREST_BYTES_MAX, CrestKind};

use super::{SchoolSettings, settings};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::FileBytes;
use crate::http::audit::note_detail;
use crate::http::body::Body;
use crate::http::encoding;
use crate::http::fallback::NOT_FOUND;
use crate::store::school::{self, StoredSchool};

/// Browsers keep a crest for a day. Its address contains its revision, so a new crest has a new address.
const KEPT_BY_BROWSERS: &str = "public, max-age=86400";

/// The school's crest.
#[utoipa::path(
    operation_id = "readCrest",
    tag = "students",
    security(()),
    params(("v" = Option<i64>, Query, description = "The revision, which makes the address of a new crest new")),
    responses(
        (status = 200, description = "The picture", body = inline(FileBytes), content_type = "image/png"),
        (status = 304, description = "The crest is the one that `If-None-Match` names"),
        (status = 404, description = "There is none", body = ErrorBody),
    )
)]
#[get("/api/school/crest")]
pub async fn read(
    request: HttpRequest,
    settings: Data<SchoolSettings>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let revision = settings.get().await?.crest_revision.ok_or(Error::NotFound(NOT_FOUND))?;
    let tag = format!("crest-{revision}");
    let (mut response, is_known) = encoding::begin(request.headers(), &tag, &[(CACHE_CONTROL, KEPT_BY_BROWSERS)]);
    if is_known {
        return Ok(response.finish());
    }
    let crest = school::load_crest(&database).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    Ok(response.content_type(crest.media_type).body(crest.bytes))
}

/// Replaces the crest.
#[utoipa::path(
    operation_id = "putCrest",
    tag = "administration",
    security(("api_token" = [])),
    request_body(content = inline(FileBytes), content_type = "image/png", description = "PNG, JPEG or WebP, 256 KiB at most"),
    responses(
        (status = 200, description = "The settings", body = inline(super::SchoolView)),
        (status = 400, description = "`Invalid crest`: another kind of file, a broken one, or over 4,096 pixels wide or high", body = ErrorBody),
        AdminRefusals,
        (status = 413, description = "Over 256 KiB", body = ErrorBody),
    )
)]
#[put("/api/admin/school/crest")]
pub async fn put(
    asked: After<Admin, Body<CREST_BYTES_MAX>>,
    database: Data<Database>,
    settings: Data<SchoolSettings>,
) -> Result<HttpResponse, Error> {
    let After(_admin, Body(bytes)) = asked;
    let kind = CrestKind::of(&bytes).ok_or_else(|| Error::invalid("crest"))?;
    settings.decode(bytes.to_vec()).await?.ok_or_else(|| Error::invalid("crest"))?;
    note_detail(&format!("{}, {} bytes", kind.media_type(), bytes.len()));
    change(&database, &settings, Some((kind, bytes.to_vec()))).await
}

/// Removes the crest.
#[utoipa::path(
    operation_id = "removeCrest",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The settings; there may have been none", body = inline(super::SchoolView)),
        AdminRefusals,
    )
)]
#[delete("/api/admin/school/crest")]
pub async fn remove(
    _admin: Admin,
    database: Data<Database>,
    settings: Data<SchoolSettings>,
) -> Result<HttpResponse, Error> {
    note_detail("removed");
    change(&database, &settings, None).await
}

async fn change(
    database: &Database,
    settings: &SchoolSettings,
    crest: Option<(CrestKind, Vec<u8>)>,
) -> Result<HttpResponse, Error> {
    // Read before, so that nothing can fail once the crest is stored.
    let before = school::load(database).await?;
    let has_crest = crest.is_some();
    let revision = school::put_crest(database, crest).await?;
    settings.forget();
    let stored = StoredSchool { school: before.school, crest_revision: has_crest.then_some(revision), revision };
    Ok(settings::answer(&stored))
}
