//! Refuses parameters that a route does not have, by name: who asks for `limit` where there is none must not take the
//! whole list for the answer. Which a route has is taken from the API's own document, so no handler repeats it.

use std::collections::BTreeSet;

use actix_web::body::MessageBody;
use actix_web::dev::{ResourceDef, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error as ActixError, HttpResponse, ResponseError};
use url::form_urlencoded;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr};

use crate::error::Error;
use crate::http::openapi::complete::has_live_errors;
use crate::live::error::LiveError;

/// Routes that take any parameter. Identity providers add some of their own where a sign-in begins or ends, and their
/// protocols say that they are to be ignored (RFC 6749, section 4.1.2; OpenID Connect Core, section 4). Pictures, files
/// behind links and probes have nothing to choose from, and others add to their addresses what keeps a cache away.
const TOLERANT: [&str; 9] = [
    "/auth/callback",
    "/auth/sign-in",
    "/media/{digest}",
    "/api/school/crest",
    "/api/report/{id}/pdf",
    "/api/sittings/{id}/calendar.ics",
    "/healthz",
    "/readyz",
    "/metrics",
];
/// Parameters that libraries and messengers add to any address, and that mean nothing to the server.
const ADDED_BY_OTHERS: [&str; 4] = ["_", "fbclid", "gclid", "zarsrc"];
/// What the names of others begin with.
const ADDED_PREFIX: &str = "utm_";
/// Characters of a name that is told to the caller. A longer one is no name, and the query is refused instead.
const NAME_CHARACTERS_MAX: usize = 100;

/// What routes answer that have no other 400: the name of the answer, and the schema of its body.
const ANSWER: (&str, &str) = ("UnknownParameter", "ErrorBody");
/// The same of live exams.
const LIVE_ANSWER: (&str, &str) = ("LiveUnknownParameter", "LiveErrorBody");

/// The parameters of every route that the API's document describes. The contract of data providers tolerates what it
/// does not know, the calendar has rules of its own, and links to pages carry what others add to them: none of these
/// is here.
pub(super) struct KnownParameters(Vec<KnownRoute>);

struct KnownRoute {
    path: ResourceDef,
    method: Method,
    parameters: BTreeSet<String>,
    /// Whether its errors have a code beside the sentence.
    is_live: bool,
}

impl KnownParameters {
    pub(super) fn of(document: &OpenApi) -> Self {
        let paths = document.paths.paths.iter().filter(|(path, _)| !TOLERANT.contains(&path.as_str()));
        let routes = paths.flat_map(|(path, item)| {
            operations(item).map(move |(method, operation)| KnownRoute::of(path, method, operation))
        });
        Self(routes.collect())
    }

    fn find(&self, method: &Method, path: &str) -> Option<&KnownRoute> {
        self.0.iter().find(|route| route.method == *method && route.path.is_match(path))
    }

    /// Whether errors of the route have a code beside the sentence.
    pub(super) fn is_live(&self, method: &Method, path: &str) -> bool {
        self.find(method, path).is_some_and(|route| route.is_live)
    }

    /// The refusal of a query with a parameter that the route does not have. Unknown paths and methods are refused by
    /// others.
    fn refusal(&self, method: &Method, path: &str, query: &str) -> Option<HttpResponse> {
        if query.is_empty() {
            return None;
        }
        let route = self.find(method, path)?;
        let mut names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
        let is_added = |name: &str| ADDED_BY_OTHERS.contains(&name) || name.starts_with(ADDED_PREFIX);
        let unknown = names.find(|name| !route.parameters.contains(&**name) && !is_added(name))?;
        let is_name = unknown.chars().take(NAME_CHARACTERS_MAX + 1).count() <= NAME_CHARACTERS_MAX
            && !unknown.is_empty()
            && !unknown.chars().any(char::is_control);
        let error = Error::invalid(if is_name { &unknown } else { "query" });
        Some(if route.is_live { LiveError::from(error).error_response() } else { error.error_response() })
    }
}

impl KnownRoute {
    fn of(path: &str, method: Method, operation: &Operation) -> Self {
        let parameters = operation.parameters.iter().flatten().filter_map(|parameter| match parameter {
            RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query => Some(parameter.name.clone()),
            _ => None,
        });
        Self {
            path: ResourceDef::new(path),
            method,
            parameters: parameters.collect(),
            is_live: has_live_errors(operation),
        }
    }
}

/// Says in the API's document what [`refuse_unknown`] answers, where a route has no 400 of its own.
pub(super) fn describe(document: &mut OpenApi) {
    let mut used = BTreeSet::new();
    for (path, item) in &mut document.paths.paths {
        if TOLERANT.contains(&path.as_str()) {
            continue;
        }
        let all = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in all.into_iter().flatten() {
            let (name, body) = if has_live_errors(operation) { LIVE_ANSWER } else { ANSWER };
            operation.responses.responses.entry("400".to_owned()).or_insert_with(|| {
                used.insert((name, body));
                RefOr::Ref(Ref::from_response_name(name))
            });
        }
    }
    let responses = &mut document.components.get_or_insert_default().responses;
    for (name, body) in used {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(body))).build();
        let about = "`Invalid <name>`: the route does not have this parameter";
        let response = ResponseBuilder::new().description(about).content("application/json", content).build();
        responses.insert(name.to_owned(), RefOr::T(response));
    }
}

fn operations(item: &PathItem) -> impl Iterator<Item = (Method, &Operation)> {
    let all = [
        (Method::GET, &item.get),
        (Method::POST, &item.post),
        (Method::PUT, &item.put),
        (Method::PATCH, &item.patch),
        (Method::DELETE, &item.delete),
    ];
    all.into_iter().filter_map(|(method, operation)| operation.as_ref().map(|operation| (method, operation)))
}

/// Refuses (400) a request with a parameter that its route does not have. Like a wrong path or method, it is refused
/// before anyone asks who calls: the document, which everyone may read, says the same.
pub(super) async fn refuse_unknown(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, ActixError> {
    let refused = request
        .app_data::<Data<KnownParameters>>()
        .and_then(|known| known.refusal(request.method(), request.match_info().as_str(), request.query_string()));
    if let Some(refused) = refused {
        return Ok(request.into_response(refused).map_into_right_body());
    }
    next.call(request).await.map(ServiceResponse::map_into_left_body)
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder};
    use utoipa::openapi::{InfoBuilder, Paths};

    use super::*;

    fn known() -> KnownParameters {
        let parameter = |name: &str, place| ParameterBuilder::new().name(name).parameter_in(place).build();
        let operation = OperationBuilder::new()
            .parameter(parameter("id", ParameterIn::Path))
            .parameter(parameter("dryRun", ParameterIn::Query))
            .parameter(parameter("If-Match", ParameterIn::Header));
        let mut document = OpenApi::new(InfoBuilder::new().build(), Paths::new());
        let paths = &mut document.paths.paths;
        paths.insert("/a/{id}".to_owned(), PathItem::new(HttpMethod::Post, operation.build()));
        paths.insert("/a/all".to_owned(), PathItem::new(HttpMethod::Get, OperationBuilder::new().build()));
        paths.insert(TOLERANT[0].to_owned(), PathItem::new(HttpMethod::Get, OperationBuilder::new().build()));
        KnownParameters::of(&document)
    }

    fn status(method: &Method, path: &str, query: &str) -> Option<StatusCode> {
        known().refusal(method, path, query).map(|refused| refused.status())
    }

    #[test]
    fn a_parameter_of_the_query_passes_and_no_other() {
        for query in
            ["", "dryRun=true", "dryRun", "dryRun=true&dryRun=false", "%64ryRun=1", "&", "_=17&utm_source=a&dryRun"]
        {
            assert_eq!(status(&Method::POST, "/a/7", query), None, "{query}");
        }
        for query in ["id=7", "If-Match=1", "dryrun=true", "dryRun=true&limit=2", "=7", "%"] {
            assert_eq!(status(&Method::POST, "/a/7", query), Some(StatusCode::BAD_REQUEST), "{query}");
        }
        assert_eq!(status(&Method::GET, "/a/all", "dryRun=true"), Some(StatusCode::BAD_REQUEST));
    }

    #[test]
    fn what_the_document_does_not_have_is_left_to_others() {
        for (method, path) in [(Method::GET, "/a/7"), (Method::GET, "/b"), (Method::GET, TOLERANT[0])] {
            assert_eq!(status(&method, path, "limit=2"), None, "{path}");
        }
    }
}
