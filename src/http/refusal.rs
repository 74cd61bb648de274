//! The answer to a request that is refused before its handler. It has the body that errors of its route have, which
//! only the app can tell: the routes of live exams lie above this module.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, ResponseError};

use crate::error::Error;

/// How the app makes such an answer.
pub struct RefusalShape(pub fn(&HttpRequest, Error) -> HttpResponse);

/// The answer to a request that is refused for this reason.
#[must_use]
pub fn refusal(request: &HttpRequest, error: Error) -> HttpResponse {
    match request.app_data::<Data<RefusalShape>>() {
        Some(shape) => (shape.0)(request, error),
        None => error.error_response(),
    }
}
