//! Pages of other sites change nothing here in their visitor's name (`decisions.md` 4).

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, ORIGIN};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error as ActixError, HttpRequest, ResponseError};

use super::cookie::Cookies;
use crate::config::Config;
use crate::error::Error;

/// For a request that another site's page has made.
const CROSS_SITE: &str = "Cross-site request refused";
/// What browsers say of where a request comes from.
static SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses state-changing requests that carry what a browser keeps, the sign-in's cookie or a password of Basic
/// authentication, and don't come from the site itself.
///
/// # Errors
/// Those of the service itself.
pub async fn refuse(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, ActixError> {
    if is_foreign_write(request.request(), request.method()) {
        let refused = Error::Forbidden(CROSS_SITE).error_response();
        return Ok(request.into_response(refused).map_into_right_body());
    }
    next.call(request).await.map(ServiceResponse::map_into_left_body)
}

/// Whether a request would change something in the name of someone whose browser carries a sign-in's cookie or a password,
/// and does not come from the site itself. `method` is the one that counts, which may stand elsewhere than in its line: then
/// any picture or link of the site's own pages can be such a request, also one that someone has put into a question.
#[must_use]
pub fn is_foreign_write(request: &HttpRequest, method: &Method) -> bool {
    let is_kept = is_signed_in(request) || is_basic(request) && is_of_a_page(request.headers());
    let is_meant = !request.method().is_safe() && comes_from_the_site(request);
    !method.is_safe() && is_kept && !is_meant
}

/// Refuses a request that a page of another site has made; one that no browser has made passes.
///
/// # Errors
/// 403.
pub fn refuse_foreign_page(request: &HttpRequest) -> Result<(), Error> {
    if is_of_a_page(request.headers()) && !comes_from_the_site(request) {
        Err(Error::Forbidden(CROSS_SITE))
    } else {
        Ok(())
    }
}

/// Only browsers say where a request comes from.
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

/// The browser says so, or its origin is the one that the service is known by or was called by.
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
