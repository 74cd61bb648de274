//! Protection against cross-site requests: no page of another site may change anything here in its visitor's name
//! (docs/security.md#sign-in).

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, ORIGIN};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error as ActixError, HttpRequest};

use super::cookie::Cookies;
use crate::config::Config;
use crate::error::Error;
use crate::http::refusal::refusal;

/// For a request that a page of another site has made.
const CROSS_SITE: &str = "Cross-site request refused";
/// The header in which browsers say which site a request comes from.
static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Where pages of learning platforms post to by their protocol. What a browser adds by itself decides nothing there: a
/// launch counts by its token, and by the cookie or the storage that its login was bound to
/// (`docs/decisions/0089-lti.md`).
const FOREIGN_FORMS: [&str; 2] = ["/lti/login", "/lti/launch"];

/// Refuses a request that changes something if it carries credentials that the browser adds by itself (the sign-in's
/// cookie, or a Basic password) and does not come from this site.
pub async fn refuse(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, ActixError> {
    let is_awaited = FOREIGN_FORMS.contains(&request.path());
    if !is_awaited && is_foreign_write(request.request(), request.method()) {
        let refused = refusal(request.request(), Error::Forbidden(CROSS_SITE));
        return Ok(request.into_response(refused).map_into_right_body());
    }
    next.call(request).await.map(ServiceResponse::map_into_left_body)
}

/// Returns whether a request would change something, carries credentials that the browser adds by itself, and does not
/// come from this site.
///
/// `method` is the effective method, which a header or a field may override. A request whose own method is a safe one
/// never counts as coming from this site: the site's pages may contain pictures and links whose addresses others chose,
/// such as one in a question.
#[must_use]
pub fn is_foreign_write(request: &HttpRequest, method: &Method) -> bool {
    let is_kept = is_signed_in(request) || is_basic(request) && is_of_a_page(request.headers());
    let is_meant = !request.method().is_safe() && comes_from_the_site(request);
    !method.is_safe() && is_kept && !is_meant
}

/// Refuses (403) a request that a page of another site has made. A request that no browser has made passes.
pub fn refuse_foreign_page(request: &HttpRequest) -> Result<(), Error> {
    if is_of_a_page(request.headers()) && !comes_from_the_site(request) {
        Err(Error::Forbidden(CROSS_SITE))
    } else {
        Ok(())
    }
}

/// Only browsers send these headers.
fn is_of_a_page(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN) || headers.contains_key(&SEC_FETCH_SITE)
}

fn is_basic(request: &HttpRequest) -> bool {
    text(request.headers(), &AUTHORIZATION)
        .is_some_and(|value| value.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("basic ")))
}

fn is_signed_in(request: &HttpRequest) -> bool {
    request.app_data::<Data<Cookies>>().is_some_and(|cookies| cookies.is_carried(request.headers()))
}

/// Returns whether the browser says so, or else whether the origin is the configured one or the one of the request's
/// `Host`.
fn comes_from_the_site(request: &HttpRequest) -> bool {
    let headers = request.headers();
    if let Some(site) = text(headers, &SEC_FETCH_SITE) {
        return site == "same-origin";
    }
    let own = request.app_data::<Data<Config>>().and_then(|config| config.server.origins.first());
    let (Some(origin), Some(own)) = (text(headers, &ORIGIN), own) else { return false };
    let scheme = own.split_once("://").map_or("http", |(scheme, _)| scheme);
    let called = text(headers, &HOST).map(|host| format!("{scheme}://{host}"));
    own.eq_ignore_ascii_case(origin) || called.is_some_and(|called| called.eq_ignore_ascii_case(origin))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
