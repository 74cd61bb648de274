//! `POST /api/review/pictures`: a picture for a question.

use actix_web::http::header::LOCATION;
use actix_web::web::{Data, block};
use actix_web::{HttpResponse, post};
use domain::picture::STORED_FOLDER;
use serde::Serialize;
use utoipa::ToSchema;

use super::{PictureRefusal, Pictures, prepared};
use crate::auth::caller::{NOT_ASSIGNED, Staff};
use crate::auth::refusals::StaffRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::FileBytes;
use crate::http::upload::{Upload, Uploaded};
use crate::store::pictures;

/// Bytes of a picture as it is sent: what cameras write.
pub(super) const SENT_BYTES_MAX: usize = 8 * 1_024 * 1_024;
/// Pictures of one person that no question has shown yet. They stay for a month, and each may have half a megabyte.
const UNUSED_PICTURES_MAX: u64 = 500;
/// Seconds after which somebody with so many should try again.
const RETRY_SECONDS: u64 = 60 * 60;
const NOT_SMALL: &str = "The picture cannot be made small enough";
const BUSY: &str = "The server is busy";

/// A picture that is stored.
#[derive(Serialize, ToSchema)]
struct UploadedPicture {
    /// Its address, for the field `image` of a question.
    url: String,
    /// In pixels, as it is stored; 0 for a drawing that does not say it.
    width: u32,
    height: u32,
    /// Its size as it is stored.
    bytes: usize,
}

/// Stores a picture for a question.
///
/// The kind is seen by the content. It is made smaller until it has at most 512 KiB, and what is not the picture itself
/// is left out: what a camera has written, and whatever in a drawing could run, load or move. The same picture again
/// has the same address. One that no question shows within 30 days is deleted. It may also be sent as the file of a
/// form.
#[utoipa::path(
    operation_id = "uploadPicture",
    tag = "review",
    security(("api_token" = [])),
    request_body(content = inline(FileBytes), content_type = "image/png", description = "PNG, JPEG, WebP or SVG, 8 MiB at most"),
    responses(
        (status = 201, description = "Stored", body = UploadedPicture, headers(("Location" = String, description = "The address of the picture"))),
        (status = 400, description = "`Invalid picture`: another kind of file, a broken one, or too many pixels or elements; or `The picture cannot be made small enough`", body = ErrorBody),
        StaffRefusals,
        (status = 408, description = "The body came too slowly", body = ErrorBody),
        (status = 413, description = "Over 8 MiB", body = ErrorBody),
        (status = 429, description = "500 pictures of the caller are in no question", body = ErrorBody),
        (status = 501, description = "Questions are in an external service", body = ErrorBody),
        (status = 503, description = "Too many pictures at once", body = ErrorBody),
    )
)]
#[post("/api/review/pictures")]
pub async fn upload(asked: After<Staff, Upload>, pictures: Data<Pictures>) -> Result<HttpResponse, Error> {
    let After(Staff(staff), upload) = asked;
    if staff.reviews().is_empty() {
        return Err(Error::Forbidden(NOT_ASSIGNED));
    }
    pictures.here()?;
    // Before the body is read, so that waiting bodies cannot fill the memory.
    let place = pictures.turns.join().ok_or(Error::Unavailable(BUSY))?;
    if pictures::count_unused_of(&pictures.database, &staff.email).await? >= UNUSED_PICTURES_MAX {
        return Err(Error::TooMany(RETRY_SECONDS));
    }
    let sent = match upload.files_or_body(1, SENT_BYTES_MAX).await? {
        Uploaded::Files(files) => files.into_iter().next().unwrap_or_default(),
        Uploaded::Body(body, _) => body,
    };
    let turn = place.turn().await.ok_or(Error::Unavailable(BUSY))?;
    // The turn moves into the task: the work continues when the caller has gone, and must still count.
    let preparing = block(move || {
        let prepared = prepared(&sent);
        drop(turn);
        prepared
    });
    let picture = preparing.await.map_err(Error::internal)??;
    let url = format!("{STORED_FOLDER}{}", picture.digest);
    let stored = UploadedPicture { url, width: picture.width, height: picture.height, bytes: picture.content.len() };
    pictures::put(&pictures.database, picture, &staff.email, pictures.clock.now()).await?;
    Ok(HttpResponse::Created().insert_header((LOCATION, stored.url.clone())).json(stored))
}

impl From<PictureRefusal> for Error {
    fn from(refusal: PictureRefusal) -> Self {
        match refusal {
            PictureRefusal::Unreadable => Self::invalid("picture"),
            PictureRefusal::TooLarge => Self::Invalid(NOT_SMALL.to_owned()),
        }
    }
}
