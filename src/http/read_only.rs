//! Refuses whatever would change something while the server only reads (`READ_ONLY`), before anything else is looked
//! at (docs/decisions/0092-read-only-mode.md).

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error as ActixError, HttpRequest};

use super::audit;
use super::refusal::refusal;
use super::request::decoded_path;
use crate::config::Config;
use crate::error::Error;

/// Below it people sign in and out, and are answered with pages: its handlers refuse by themselves. A sign-out clears
/// the cookie at least.
const SIGN_IN: &str = "/auth/";
/// Where people come from learning platforms, mostly in a frame, and are answered with pages too.
const LAUNCHES: [&str; 5] = ["/lti/login", "/lti/launch", "/lti/enter", "/lti/choice", "/lti/register"];
/// What a `GET` changes all the same: these take a seat, or watch those who have one.
const SEATED: [&str; 4] = ["/api/live", "/api/live/proctor", "/api/live/{sessionId}", "/api/live/{sessionId}/receipt"];

/// Answers 503 `read_only` where the request would have effects and the server only reads.
pub async fn refuse(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, ActixError> {
    if is_on(request.request()) && would_change(request.request()) {
        let refused = refusal(request.request(), Error::ReadOnly);
        return Ok(request.into_response(refused).map_into_right_body());
    }
    next.call(request).await.map(ServiceResponse::map_into_left_body)
}

/// Whether the server that has this request only reads.
#[must_use]
pub fn is_on(request: &HttpRequest) -> bool {
    request.app_data::<Data<Config>>().is_some_and(|config| config.maintenance.read_only)
}

fn would_change(request: &HttpRequest) -> bool {
    let path = decoded_path(request.path());
    if path.starts_with(SIGN_IN) || LAUNCHES.contains(&&*path) {
        return false;
    }
    let takes_a_seat = || {
        request.method() == Method::GET && request.match_pattern().is_some_and(|path| SEATED.contains(&path.as_str()))
    };
    // What is on record before its answer is sent, such as an export, waits too.
    !request.method().is_safe() || takes_a_seat() || audit::is_audited(request)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn what_changes_something_is_known_by_its_method() {
        let is_refused = |request: TestRequest| would_change(&request.to_http_request());
        assert!(is_refused(TestRequest::post().uri("/api/sessions")));
        assert!(is_refused(TestRequest::delete().uri("/api/admin/users/a%40b.example")));
        assert!(!is_refused(TestRequest::get().uri("/api/questions?grade=5")));
        assert!(!is_refused(TestRequest::post().uri("/auth/sign-out")), "the cookie is cleared all the same");
        assert!(!is_refused(TestRequest::post().uri("/lti/launch")), "a page says it");
        assert!(is_refused(TestRequest::post().uri("/lti/other")));
    }
}
