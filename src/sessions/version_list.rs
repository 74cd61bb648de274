//! The versions of a finished test, for staff of its grade: which results it has had, when, why and by whom.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use domain::mark::{MarkScale, ResultMark};
use domain::session::{SessionVersion, VersionReason};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use super::read::{SESSION_NOT_FOUND, load, parse_id};
use crate::auth::caller::Staff;
use crate::auth::refusals::StaffRefusals;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::if_match::version_tag;
use crate::provider::Provider;
use crate::store::embargo::Embargo;
use crate::store::marks;
use crate::store::session_versions::{self, ListedVersion};

/// All versions of a finished test.
#[derive(Serialize, ToSchema)]
struct SessionVersions {
    /// The first one first. The last is the one that counts.
    versions: Vec<VersionView>,
}

/// One version.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListedSessionVersion)]
struct VersionView {
    /// From 1.
    #[schema(minimum = 1)]
    version: u32,
    /// Null if it was made in another service, which does not say when.
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    at: Option<Moment>,
    reason: VersionReason,
    /// E-mail of whoever has made it; null for the server, and for a student who has handed in.
    #[schema(required = true)]
    by: Option<String>,
    #[schema(required = true)]
    comment: Option<String>,
    score: i32,
    correct_answers: i32,
    /// The mark on the scale of now; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mark: Option<ResultMark>,
    /// SHA-256 of the result as it is stored, in 64 hexadecimal digits: of the text of its JSON, in UTF-8.
    #[schema(min_length = 64, max_length = 64)]
    digest: String,
}

impl VersionView {
    fn of(listed: ListedVersion, scale: Option<&MarkScale>) -> Self {
        let ListedVersion { version, score, correct_answers, digest, facts } = listed;
        let SessionVersion { number, reason, at, by, comment, .. } = version;
        let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let mark = scale.and_then(|scale| scale.mark(facts));
        Self { version: number, at, reason, by, comment, score, correct_answers, mark, digest }
    }
}

/// The results that a finished test has had, without the answers.
///
/// A change of a result keeps what was before it: `version` on the session, its payload and its report as a file gives
/// an earlier one. The `ETag` is the number of the newest, for `If-Match`.
#[utoipa::path(
    operation_id = "listSessionVersions",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "The versions", body = SessionVersions, headers(("ETag" = String, description = "The number of the newest"))),
        StaffRefusals,
        (status = 404, description = "`Session not found`", body = ErrorBody),
    )
)]
#[get("/api/sessions/{id}/versions")]
pub async fn versions(
    asked: After<Staff, Path<String>>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let After(staff, id) = asked;
    let id = parse_id(&id)?;
    let session = marks::completed(&database, load(&**provider, id).await?).await?;
    staff.reviewing(session.grade)?;
    let sight = Embargo::staff_sight(&staff.0, &[session.grade]).ok_or(Error::NotFound(SESSION_NOT_FOUND))?;
    let mut listed = session_versions::list(&database, sight, id).await?;
    if listed.is_empty() {
        // Another service keeps it, and this server has never had it.
        listed.push(ListedVersion::of(sight, &session)?);
    }
    let newest = listed.last().map_or(1, |newest| newest.version.number);
    let scale = session.mark_scale.as_deref();
    let versions = listed.into_iter().map(|listed| VersionView::of(listed, scale)).collect();
    Ok(private(&mut HttpResponse::Ok()).insert_header(version_tag(newest.into())).json(SessionVersions { versions }))
}
