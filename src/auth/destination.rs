//! Limits the requests that a page of this site may cause by itself. The author of a question or of an event's
//! description chooses addresses that the browsers of others request, as pictures, frames or styles, with their
//! cookies. Below `/api` and `/auth` the server therefore answers only requests of programs and links that a person
//! opens.

use actix_web::Error as ActixError;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderName;
use actix_web::middleware::Next;

use crate::error::Error;
use crate::http::refusal::refusal;
use crate::http::request::decoded_path;

/// For a request that is refused because of what its answer would be used for.
const PART_REFUSED: &str = "Request as a part of a page refused";
/// The paths below which only such requests are answered. A picture that leads to a sign-in would begin one, and an
/// identity provider that remembers the person would end it with a new cookie.
const ROOTS: [&str; 2] = ["/api/", "/auth/"];
/// The header in which browsers say what they will use the answer for.
static SEC_FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");
/// Destinations that are always allowed: what a program requests (`fetch`, downloads), and what a person opens, such as
/// a link or a typed address.
const ALWAYS: [&str; 2] = ["empty", "document"];
/// Routes whose answers a browser may use for something else, and why. Routes for pictures answer with pictures alone.
const ALSO: [(&str, &str, &str); 3] = [
    ("/api/school/crest", "image", "every page shows the crest of the school"),
    ("/api/live", "websocket", "the socket of a test, by browsers that name it so"),
    ("/api/live/proctor", "websocket", "the socket of proctors, likewise"),
];

/// Refuses (403) a request below [`ROOTS`] whose answer a browser would use for anything else. One that does not say
/// passes: programs and old browsers do not.
pub async fn refuse(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, ActixError> {
    let destination = request.headers().get(&SEC_FETCH_DEST);
    let path = decoded_path(request.path());
    if destination.is_some_and(|destination| !is_meant(&path, destination.as_bytes())) {
        let refused = refusal(request.request(), Error::Forbidden(PART_REFUSED));
        return Ok(request.into_response(refused).map_into_right_body());
    }
    next.call(request).await.map(ServiceResponse::map_into_left_body)
}

/// Whether the path is below [`ROOTS`].
#[must_use]
pub fn is_guarded(path: &str) -> bool {
    ROOTS.iter().any(|root| path.starts_with(root))
}

fn is_meant(path: &str, destination: &[u8]) -> bool {
    let is = |name: &&str| name.as_bytes() == destination;
    !is_guarded(path) || ALWAYS.iter().any(is) || ALSO.iter().any(|(route, name, _)| *route == path && is(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_opened_or_asked_for_by_a_program_is_meant() {
        for path in
            ["/api/questions", "/api/school/crest", "/api/live", "/api/docs/", "/auth/sign-in", "/auth/callback"]
        {
            assert!(is_meant(path, b"empty") && is_meant(path, b"document"), "{path}");
            for name in ["iframe", "embed", "object", "script", "style", "font", "video", "", "EMPTY", "worker"] {
                assert!(!is_meant(path, name.as_bytes()), "{path} {name}");
            }
        }
        for (path, name, reason) in ALSO {
            assert!(is_meant(path, name.as_bytes()) && !is_meant("/api/questions", name.as_bytes()), "{reason}");
        }
        assert!(is_meant("/assets/student.js", b"script") && is_meant("/service-worker.js", b"serviceworker"));
    }
}
