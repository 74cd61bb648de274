//! Unknown paths and wrong methods, answered in the shape of all errors.

use actix_web::dev::ResourceDef;
use actix_web::http::Method;
use actix_web::http::header::{ACCEPT, ALLOW, AcceptEncoding};
use actix_web::web::{Data, Header};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::PathItem;

use super::pages;
use crate::error::Error;

/// For an unknown path.
pub const NOT_FOUND: &str = "Not found";
/// Below these addresses everything is for programs, which get errors as JSON even when they accept HTML.
const PROGRAMS: [&str; 3] = ["/api", "/v1", "/wp-json"];

/// Every path of the server with its methods, taken from the OpenAPI documents: for routes that are declared with
/// their method, actix-web answers a wrong method like an unknown path.
pub struct KnownRoutes(Vec<(ResourceDef, String)>);

impl KnownRoutes {
    /// The routes that the documents describe, each document with the prefix of its paths.
    #[must_use]
    pub fn of(documents: &[(&str, &OpenApi)]) -> Self {
        let paths = documents.iter().flat_map(|(root, document)| {
            document.paths.paths.iter().map(move |(path, item)| (format!("{root}{path}"), item))
        });
        Self(paths.map(|(path, item)| (ResourceDef::new(path), methods(item))).collect())
    }

    fn methods_of(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|(definition, _)| definition.is_match(path)).map(|(_, methods)| methods.as_str())
    }
}

fn methods(item: &PathItem) -> String {
    let known = [
        (item.get.is_some(), Method::GET),
        (item.get.is_some(), Method::HEAD),
        (item.post.is_some(), Method::POST),
        (item.put.is_some(), Method::PUT),
        (item.patch.is_some(), Method::PATCH),
        (item.delete.is_some(), Method::DELETE),
    ];
    known
        .into_iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, method)| method.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

/// 405 with `Allow` if the path exists, otherwise 404: as a page for a browser that follows a link, and as JSON for
/// programs.
pub async fn fallback(
    request: HttpRequest,
    accepted: Option<Header<AcceptEncoding>>,
    routes: Data<KnownRoutes>,
) -> HttpResponse {
    match routes.methods_of(request.path()) {
        Some(methods) => {
            let mut response = Error::MethodNotAllowed.error_response();
            if let Ok(methods) = methods.parse() {
                response.headers_mut().insert(ALLOW, methods);
            }
            response
        }
        None if is_for_a_person(&request) => pages::unknown(accepted).unwrap_or_else(|error| error.error_response()),
        None => Error::NotFound(NOT_FOUND).error_response(),
    }
}

fn is_for_a_person(request: &HttpRequest) -> bool {
    let path = request.path();
    let is_below = |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    matches!(*request.method(), Method::GET | Method::HEAD)
        && !PROGRAMS.into_iter().any(is_below)
        && request
            .headers()
            .get(ACCEPT)
            .and_then(|accept| accept.to_str().ok())
            .is_some_and(|accept| accept.contains("text/html"))
}
