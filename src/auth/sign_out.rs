//! The route for signing out.

use actix_web::http::header::{LOCATION, RETRY_AFTER};
use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse, ResponseError, post};
use serde::Deserialize;

use super::caller::Callers;
use super::cookie::Cookies;
use super::page;
use super::sign_in::wants_page;
use crate::error::{Error, ErrorBody};

/// For a browser whose sign-in could not be ended in the database.
pub(super) const NOT_ENDED: &str =
    "You are signed out in this browser, but the server could not end the sign-in everywhere: it ends within 12 hours";

#[derive(Deserialize)]
struct SignOut {
    everywhere: Option<bool>,
}

/// Signs out: ends the sign-in on every server, and clears the cookie.
///
/// A copy of the cookie ends with it. With `everywhere=true` all sign-ins of the user end; API tokens stay. While the
/// database is unavailable the cookie is cleared all the same, since the next person may sit at this computer.
#[utoipa::path(
    operation_id = "signOut",
    tag = "sign-in",
    params(("everywhere" = Option<bool>, Query, description = "`true` to end the sign-ins on all devices")),
    responses(
        (status = 204, description = "Signed out"),
        (status = 303, description = "Signed out, for a browser's form"),
        (status = 400, description = "`Invalid query`", body = ErrorBody),
        (status = 403, description = "From another site", body = ErrorBody),
        (status = 503, description = "The cookie is cleared, but the database is unavailable: a copy of it, and with `everywhere` all other sign-ins, may count until they expire", body = ErrorBody),
    )
)]
#[post("/auth/sign-out")]
pub async fn sign_out(
    request: HttpRequest,
    query: Query<SignOut>,
    cookies: Data<Cookies>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let is_ended = callers.sign_out(request.headers(), query.everywhere == Some(true)).await;
    let mut answer = match (is_ended, wants_page(&request)) {
        (true, true) => HttpResponse::SeeOther().insert_header((LOCATION, "/")).finish(),
        (true, false) => HttpResponse::NoContent().finish(),
        (false, true) => page::signed_out_here(&request, NOT_ENDED),
        (false, false) => Error::Unavailable(NOT_ENDED).error_response(),
    };
    // Without the cookie, to try again would end nothing and look like success.
    answer.headers_mut().remove(RETRY_AFTER);
    answer.add_cookie(&cookies.signed_out()).map_err(Error::internal)?;
    Ok(answer)
}
