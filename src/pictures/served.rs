//! `GET /media/{digest}`: a picture as pages show it, unless an exam withholds it until its paper opens.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::picture::is_digest;
use uuid::Uuid;

use super::{KeptPicture, Pictures};
use crate::auth::caller::Callers;
use crate::error::{Error, ErrorBody};
use crate::http::answers::FileBytes;
use crate::http::encoding;
use crate::http::fallback::NOT_FOUND;
use crate::store::pictures::{self, StoredPicture};
use crate::store::releases;

/// For a picture that everyone may see: its address says what it is, so no cache ever has to ask again.
const FOR_EVERYONE: &str = "public, max-age=31536000, immutable";
/// For one that is shown to staff while an exam withholds it: no other cache may keep it.
const FOR_STAFF: &str = "private, no-cache";
/// A drawing that is opened by itself runs nothing and loads nothing, even if something in it has been overlooked.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// A picture of a question.
///
/// It never changes. While all its questions are withheld by exams whose doors are closed, it is for staff of their
/// grades alone.
#[utoipa::path(
    operation_id = "readPicture",
    tag = "students",
    security((), ("api_token" = [])),
    params(("digest" = String, Path, description = "SHA-256 of the picture, in hexadecimal")),
    responses(
        (status = 200, description = "The picture", body = inline(FileBytes), content_type = "image/png"),
        (status = 304, description = "The client has it"),
        (status = 404, description = "There is none, or it is withheld", body = ErrorBody),
    )
)]
#[get("/media/{digest}")]
pub async fn served(
    request: HttpRequest,
    digest: Path<String>,
    pictures: Data<Pictures>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    if !is_digest(&digest) {
        return Err(Error::NotFound(NOT_FOUND));
    }
    let is_open = pictures.is_open(&digest).await?;
    if !is_open && !pictures.is_for(&digest, request.headers(), &callers).await? {
        return Err(Error::NotFound(NOT_FOUND));
    }
    let picture = pictures.find(&digest).await?;
    let caching = if is_open { FOR_EVERYONE } else { FOR_STAFF };
    let headers = [(CACHE_CONTROL, caching), (CONTENT_SECURITY_POLICY, POLICY)];
    let (mut response, is_known) = encoding::begin(request.headers(), &digest, &headers);
    if is_known {
        return Ok(response.finish());
    }
    Ok(response.content_type(picture.media_type.as_str()).body(picture.content.clone()))
}

impl Pictures {
    /// The picture. All who ask for it at the same time share one read.
    async fn find(&self, digest: &str) -> Result<Arc<KeptPicture>, Error> {
        let reading = async {
            let found = pictures::find(&self.database, digest).await?;
            let kept =
                found.map(|StoredPicture { media_type, content }| KeptPicture { media_type, content: content.into() });
            kept.map(Arc::new).ok_or(Error::NotFound(NOT_FOUND))
        };
        self.kept.try_get_with_by_ref(digest, reading).await.map_err(|error: Arc<Error>| error.shared())
    }

    /// Whether everyone may see the picture: no question of the bank shows it, or one that no exam withholds, or one of
    /// an exam whose doors have opened. Of all others nobody else has been told the digest, and nobody can guess it.
    async fn is_open(&self, digest: &str) -> Result<bool, Error> {
        let asking = self.open.try_get_with_by_ref(digest, self.ask_whether_open(digest));
        match asking.await {
            Ok(true) => {
                self.shown.insert(digest.to_owned(), ()).await;
                Ok(true)
            }
            Ok(false) => {
                self.shown.invalidate(digest).await;
                Ok(false)
            }
            // Students go on seeing what they have seen.
            Err(_) if self.shown.contains_key(digest) => Ok(true),
            Err(error) => Err(error.shared()),
        }
    }

    async fn ask_whether_open(&self, digest: &str) -> Result<bool, Error> {
        let questions = pictures::find_questions(&self.database, digest).await?;
        let withheld = self.embargo.withheld().await?;
        if questions.is_empty() || questions.iter().any(|(id, _)| !withheld.has(id)) {
            return Ok(true);
        }
        let sittings: Vec<Uuid> = questions.iter().flat_map(|(id, _)| withheld.sittings_of(id)).collect();
        Ok(releases::has_opened(&self.database, sittings).await?)
    }

    /// Whether the caller is staff of a grade with a question that shows the picture.
    async fn is_for(&self, digest: &str, headers: &HeaderMap, callers: &Callers) -> Result<bool, Error> {
        let Some(caller) = callers.identify(headers).await? else { return Ok(false) };
        let grades = caller.reviews();
        let questions = pictures::find_questions(&self.database, digest).await?;
        Ok(questions.iter().any(|(_, grade)| grades.has(*grade)))
    }
}
