//! The headers of every answer: those that clients of the original expect, and those that let pages of any site read it
//! (`docs/calendar.md`, "Pages of other sites").

use actix_web::HttpResponse;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ALLOW, CACHE_CONTROL, EXPIRES, HeaderName, HeaderValue,
    LINK, VARY, X_CONTENT_TYPE_OPTIONS,
};
use domain::calendar::rights::Rights;

use crate::calendar::request::routes::{Route, Verb};

/// Number of a list's items on all pages.
pub const TOTAL: &str = "x-tec-total";
/// Number of a list's pages.
pub const TOTAL_PAGES: &str = "x-tec-totalpages";
/// The header that says where students can already begin the test of an event that lies ahead.
pub const OPEN_ALREADY: &str = "x-exam-open-already";
const EXPOSED: &str = "X-WP-Total, X-WP-TotalPages, Link";
/// What pages of other sites may read besides the headers that the original exposes.
const EXPOSED_TOO: &str = "X-TEC-Total, X-TEC-TotalPages, X-Exam-Open-Already, Allow, Content-Disposition, ETag, \
    Retry-After, X-Request-Id";
const ALLOWED: &str = "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type";
const METHODS: &str = "OPTIONS, GET, POST, PUT, PATCH, DELETE";
// As the original sends them: an answer to a signed-in caller must stay in no cache.
const KEPT_BY_NOBODY: &str = "no-cache, must-revalidate, max-age=0, no-store, private";
const LONG_AGO: &str = "Wed, 11 Jan 1984 05:00:00 GMT";

/// What the headers depend on, as far as the checks of a request have found it out.
#[derive(Debug, Default)]
pub struct Around {
    /// `None` if there is no such route.
    pub route: Option<Route>,
    /// Whether the caller is signed in.
    pub is_known: bool,
    /// `None` until the caller is known.
    pub rights: Option<Rights>,
    /// Whether the caller may change the requested record; `None` if that was not asked.
    pub may_change: std::cell::Cell<Option<bool>>,
}

/// Sets all headers, and those of CORS if the request has an `Origin`.
pub fn set(response: &mut HttpResponse, around: &Around, rest_root: &str, origin: Option<&HeaderValue>) {
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(link) = rest_link(rest_root) {
        headers.insert(LINK, link);
    }
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ALLOWED));
    headers.insert(VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
    }
    if !around.is_known && !headers.contains_key(CACHE_CONTROL) {
        // An answer changes when an exam opens, with no sign by which a cache could know.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    if around.is_known {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(KEPT_BY_NOBODY));
        headers.insert(EXPIRES, HeaderValue::from_static(LONG_AGO));
    }
    if let Some(allowed) = around.allowed().and_then(|methods| HeaderValue::try_from(methods).ok()) {
        headers.insert(ALLOW, allowed);
    }
}

/// Lets pages of other sites read more headers than the original does. In a line of its own, since clients of the
/// original know the first one by its whole text, and after the envelope has been made, which shows that one alone.
#[must_use]
pub fn expose_more(mut response: HttpResponse, origin: Option<&HeaderValue>) -> HttpResponse {
    if origin.is_some() {
        response.headers_mut().append(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED_TOO));
    }
    response
}

/// The `Link` header that names the REST root. `None` if the root, whose host comes from the request, fits into no
/// header.
#[must_use]
pub fn rest_link(rest_root: &str) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("<{rest_root}/>; rel=\"https://api.w.org/\"")).ok()
}

impl Around {
    /// The methods that the caller may use on the route, for `Allow`.
    fn allowed(&self) -> Option<String> {
        let (route, rights) = (self.route?, self.rights?);
        let may = |verb: &&Verb| {
            route.permits(**verb, rights) && (**verb == Verb::Read || self.may_change.get() != Some(false))
        };
        Some(route.verbs().iter().filter(may).flat_map(|verb| verb.methods()).copied().collect::<Vec<_>>().join(", "))
    }
}
