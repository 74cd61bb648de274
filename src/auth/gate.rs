//! The sign-in that a test's page may ask for (`TEST_GATE`). Links of templates need none: the link itself is the
//! right.

use actix_web::http::header::{AcceptEncoding, LOCATION};
use actix_web::web::{Data, Header};
use actix_web::{HttpRequest, HttpResponse};

use super::caller::Callers;
use crate::config::Config;
use crate::error::Error;
use crate::http::pages;

/// The page of a test. A visitor who must sign in first is sent to the sign-in, and comes back from there.
pub async fn test(
    request: HttpRequest,
    accepted: Option<Header<AcceptEncoding>>,
    callers: Data<Callers>,
    config: Data<Config>,
) -> Result<HttpResponse, Error> {
    if config.access.gate_starts && callers.identify(request.headers()).await?.is_none() {
        return Ok(HttpResponse::SeeOther().insert_header((LOCATION, sign_in(&request))).finish());
    }
    pages::student(request, accepted).await
}

fn sign_in(request: &HttpRequest) -> String {
    let here = request.uri().path_and_query().map_or("/", |address| address.as_str());
    let query: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("return_to", here).finish();
    format!("/auth/sign-in?{query}")
}
