//! Requests that are refused before their handlers: with which body, and what the API's document says of it.

use std::collections::BTreeSet;

use actix_web::web::Data;
use actix_web::{Error as ActixError, HttpRequest, HttpResponse, ResponseError};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr};

use super::parameters::KnownParameters;
use crate::auth::destination;
use crate::error::Error;
use crate::http::openapi::complete::has_live_errors;
use crate::live::error::LiveError;

/// What routes answer that have no other 403: the name of the answer, and the schema of its body.
const ANSWER: (&str, &str) = ("Refused", "ErrorBody");
/// The same of live exams.
const LIVE_ANSWER: (&str, &str) = ("LiveRefused", "LiveErrorBody");
/// When it is answered.
const ABOUT: &str = "`Cross-site request refused`: a change with the cookie of a sign-in that does not come from a \
                     page of this site; `Request as a part of a page refused`: a browser would use the answer for a \
                     part of a page, such as a picture";

/// The answer of a request that is refused for this reason. An error of a live exam has a code beside the sentence.
pub(super) fn answer(request: &HttpRequest, error: Error) -> HttpResponse {
    if is_live(request) { LiveError::from(error).error_response() } else { error.error_response() }
}

/// The same for what an extractor of actix-web refuses.
pub(super) fn invalid(request: &HttpRequest, name: &str) -> ActixError {
    let error = Error::invalid(name);
    if is_live(request) { LiveError::from(error).into() } else { error.into() }
}

fn is_live(request: &HttpRequest) -> bool {
    let known = request.app_data::<Data<KnownParameters>>();
    known.is_some_and(|known| known.is_live(request.method(), request.match_info().as_str()))
}

/// Says in the API's document what is refused because of the page that it comes from, where a route has no 403 of its
/// own.
pub(super) fn describe(document: &mut OpenApi) {
    let mut used = BTreeSet::new();
    for (path, item) in &mut document.paths.paths {
        for operation in refusing(path, item) {
            let (name, body) = if has_live_errors(operation) { LIVE_ANSWER } else { ANSWER };
            operation.responses.responses.entry("403".to_owned()).or_insert_with(|| {
                used.insert((name, body));
                RefOr::Ref(Ref::from_response_name(name))
            });
        }
    }
    let responses = &mut document.components.get_or_insert_default().responses;
    for (name, body) in used {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(body))).build();
        let response = ResponseBuilder::new().description(ABOUT).content("application/json", content).build();
        responses.insert(name.to_owned(), RefOr::T(response));
    }
}

/// The operations of a path that look where a request comes from: those that change something, and where no answer is a
/// part of a page, all.
fn refusing<'a>(path: &str, item: &'a mut PathItem) -> impl Iterator<Item = &'a mut Operation> + use<'a> {
    let reading = item.get.as_mut().filter(|_| destination::is_guarded(path));
    let changing = [&mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten();
    reading.into_iter().chain(changing)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use utoipa::openapi::path::{HttpMethod, OperationBuilder};
    use utoipa::openapi::{InfoBuilder, Paths};

    use super::*;

    fn described(path: &str, method: HttpMethod, operation: Operation) -> Value {
        let mut document = OpenApi::new(InfoBuilder::new().build(), Paths::new());
        document.paths.paths.insert(path.to_owned(), PathItem::new(method, operation));
        describe(&mut document);
        serde_json::to_value(&document).unwrap()
    }

    #[test]
    fn what_looks_where_a_request_comes_from_says_so() {
        for (path, method, name, answer) in [
            ("/api/me", HttpMethod::Get, "get", "#/components/responses/Refused"),
            ("/lti/enter", HttpMethod::Post, "post", "#/components/responses/Refused"),
            ("/healthz", HttpMethod::Get, "get", ""),
        ] {
            let document = described(path, method, OperationBuilder::new().build());
            let found = &document["paths"][path][name]["responses"]["403"]["$ref"];
            assert_eq!(found.as_str().unwrap_or_default(), answer, "{path}");
            assert_eq!(document["components"]["responses"]["Refused"].is_object(), !answer.is_empty(), "{path}");
        }
    }

    #[test]
    fn a_route_keeps_what_it_says_itself_and_has_the_body_of_its_errors() {
        let error = ContentBuilder::new().schema(Some(Ref::from_schema_name("LiveErrorBody"))).build();
        let no = ResponseBuilder::new().description("no").content("application/json", error).build();
        let own = OperationBuilder::new().response("403", no.clone()).build();
        let document = described("/api/live", HttpMethod::Post, own);
        assert_eq!(document["paths"]["/api/live"]["post"]["responses"]["403"]["description"], "no");
        let other = OperationBuilder::new().response("404", no).build();
        let document = described("/api/live", HttpMethod::Post, other);
        let found = &document["paths"]["/api/live"]["post"]["responses"]["403"]["$ref"];
        assert_eq!(found, "#/components/responses/LiveRefused");
    }
}
