//! The sign-ins of another user, for admins: which there are, and the end of one. The end of all is in `src/users.rs`.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, delete, get};
use domain::access::normal_email;

use super::USER_NOT_FOUND;
use crate::auth::caller::{Admin, Callers};
use crate::auth::own_sign_ins::{self, SignInsView};
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, private};
use crate::http::audit::note_detail;

/// The sign-ins of a user that have not ended, the latest first; none for a user whom nobody knows.
#[utoipa::path(
    operation_id = "listUserSignIns",
    tag = "administration",
    security(("api_token" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    responses(
        (status = 200, description = "Their sign-ins", body = SignInsView),
        AdminRefusals,
        (status = 404, description = "Not an e-mail address", body = ErrorBody),
    )
)]
#[get("/api/admin/users/{email}/sign-ins")]
pub async fn list(
    request: HttpRequest,
    asked: After<Admin, Path<String>>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let After(_admin, email) = asked;
    let email = normal_email(&email).ok_or(Error::NotFound(USER_NOT_FOUND))?;
    let stored = callers.sign_ins_of(&email).await?;
    let view = SignInsView::of(stored, callers.credential(request.headers()).as_ref());
    Ok(private(&mut HttpResponse::Ok()).json(view))
}

/// Ends one sign-in of a user: at once on this server, and on others within five seconds.
#[utoipa::path(
    operation_id = "endUserSignIn",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("email" = String, Path, description = "E-mail address, URL-encoded"),
        ("id" = String, Path, description = "From the list"),
    ),
    responses(
        (status = 200, description = "Ended", body = Done),
        AdminRefusals,
        (status = 404, description = "It has ended, or is not theirs", body = ErrorBody),
    )
)]
#[delete("/api/admin/users/{email}/sign-ins/{id}")]
pub async fn end_one(
    asked: After<Admin, Path<(String, String)>>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let After(_admin, path) = asked;
    let (email, id) = path.into_inner();
    let email = normal_email(&email).ok_or(Error::NotFound(USER_NOT_FOUND))?;
    note_detail("one sign-in");
    own_sign_ins::end(&callers, &email, &id).await
}
