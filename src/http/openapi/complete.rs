//! Completes a document with what holds for every route, so that no handler repeats it: errors of the server as a
//! whole, headers that follow from a status, and the ways to sign in.

use serde_json::json;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::schema::{Components, ObjectBuilder, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Content, ContentBuilder, OpenApi, Ref, RefOr, Required};

/// The security scheme that handlers name for API tokens.
const API_TOKEN: &str = "api_token";
/// The security schemes that are accepted wherever [`API_TOKEN`] is.
const INSTEAD_OF_TOKEN: [&str; 2] = ["api_token_basic", "sign_in"];
/// Routes with this tag answer while the server is not ready, and say so themselves.
const OPERATIONS: &str = "operations";
const NOT_MODIFIED: &str = "304";

/// A header: the name, its type, what it says, and an example.
type HeaderRow = (&'static str, Type, &'static str, &'static str);

const HEADERS: [HeaderRow; 6] = [
    ("Allow", Type::String, "The methods that the path has", "GET, POST"),
    (
        "Content-Disposition",
        Type::String,
        "`attachment`, and the name of the file",
        "attachment; filename=\"report.pdf\"",
    ),
    (
        "ETag",
        Type::String,
        "Names this version: send it as `If-None-Match` to get 304 while it is current",
        "\"5d41402a\"",
    ),
    ("Location", Type::String, "Where the browser goes on", "/"),
    ("Retry-After", Type::Integer, "Seconds after which to try again", "5"),
    ("WWW-Authenticate", Type::String, "The scheme for an API token", "Bearer"),
];

/// The schema of errors of live exams, which have a `code` besides the message.
const LIVE_ERROR: &str = "LiveErrorBody";
/// The prefix of the names of errors that live exams share.
const LIVE: &str = "Live";
/// The answer to a method that a path does not have, which is the same for all.
const METHOD_NOT_ALLOWED: &str = "405";

/// Errors that any route may answer: the name, the status, and when.
const ERRORS: [(&str, &str, &str); 5] = [
    ("MethodNotAllowed", METHOD_NOT_ALLOWED, "The path does not have this method"),
    ("TooSlow", "408", "The body came too slowly"),
    ("TooLarge", "413", "The body is larger than the route takes"),
    ("Failed", "500", "The server failed, and has logged why"),
    (
        "Unavailable",
        "503",
        "Not now: the database is away, the server is stopping, or it only reads for a while (then `code` is `read_only`)",
    ),
];

/// Completes all operations of a document.
pub fn complete(document: &mut OpenApi) {
    let mut responses = Vec::new();
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        complete_operation(operation);
        responses.extend(operation.responses.responses.values());
    }
    let used = |name: &str| {
        responses.iter().any(|response| matches!(response, RefOr::T(response) if response.headers.contains_key(name)))
    };
    let used: Vec<_> =
        HEADERS.into_iter().filter(|(name, ..)| used(name) || *name == "Allow" || *name == "Retry-After").collect();
    let components = document.components.get_or_insert_default();
    add_headers(used, components);
    add_errors("", "ErrorBody", components);
    if components.schemas.contains_key(LIVE_ERROR) {
        add_errors(LIVE, LIVE_ERROR, components);
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

fn add_headers(headers: Vec<HeaderRow>, components: &mut Components) {
    for (name, kind, about, example) in headers {
        let example =
            if kind == Type::Integer { json!(example.parse::<u64>().unwrap_or_default()) } else { json!(example) };
        let schema = ObjectBuilder::new().schema_type(kind).examples([example]);
        let header = HeaderBuilder::new().schema(Some(schema)).description(Some(about)).build();
        components.headers.insert(name.to_owned(), RefOr::T(header));
    }
}

fn add_errors(prefix: &str, body: &str, components: &mut Components) {
    for (name, status, about) in ERRORS {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(body))).build();
        let mut response = ResponseBuilder::new().description(about).content("application/json", content).build();
        add_headers_of(status, &mut response);
        components.responses.insert(format!("{prefix}{name}"), RefOr::T(response));
    }
}

fn complete_operation(operation: &mut Operation) {
    let is_of_operations = operation.tags.iter().flatten().any(|tag| tag == OPERATIONS);
    let is_live = has_live_errors(operation);
    allow_other_sign_ins(operation.security.get_or_insert_default());
    for (name, status, _) in ERRORS {
        let is_possible = match status {
            "408" | "413" => operation.request_body.is_some(),
            "503" => !is_of_operations,
            _ => true,
        };
        if is_possible {
            let prefix = if is_live && status != METHOD_NOT_ALLOWED { LIVE } else { "" };
            let shared = || RefOr::Ref(Ref::from_response_name(format!("{prefix}{name}")));
            operation.responses.responses.entry(status.to_owned()).or_insert_with(shared);
        }
    }
    let responses = &mut operation.responses.responses;
    let is_versioned = responses.contains_key(NOT_MODIFIED);
    for (status, response) in responses {
        let RefOr::T(response) = response else { continue };
        add_headers_of(status, response);
        if is_versioned && (status == "200" || status == NOT_MODIFIED) {
            add_header("ETag", response);
        }
    }
    if is_versioned {
        operation.parameters.get_or_insert_default().push(RefOr::T(if_none_match()));
    }
}

/// Whether the operation says of one of its errors that it has the body of live exams.
#[must_use]
pub fn has_live_errors(operation: &Operation) -> bool {
    let location = Ref::from_schema_name(LIVE_ERROR).ref_location;
    operation.responses.responses.values().any(|response| {
        let RefOr::T(response) = response else { return false };
        let is_live = |content: &RefOr<Content>| {
            let RefOr::T(Content { schema: Some(RefOr::Ref(found)), .. }) = content else { return false };
            found.ref_location == location
        };
        response.content.values().any(is_live)
    })
}

/// The headers that every answer with this status has, and those that follow from its body.
fn add_headers_of(status: &str, response: &mut Response) {
    match status {
        "302" | "303" => add_header("Location", response),
        "401" => add_header("WWW-Authenticate", response),
        "405" => add_header("Allow", response),
        "429" | "503" => add_header("Retry-After", response),
        _ => {}
    }
    // What a program reads is no file that somebody saves.
    let for_programs = ["application/openmetrics-text", "application/octet-stream"];
    let is_file = |kind: &String| {
        let is_other = kind.starts_with("application/") && !kind.ends_with("json");
        kind == "text/csv" || is_other && !for_programs.contains(&kind.as_str())
    };
    if response.content.keys().any(is_file) {
        add_header("Content-Disposition", response);
    }
}

fn add_header(name: &str, response: &mut Response) {
    let shared = RefOr::Ref(Ref::new(format!("#/components/headers/{name}")));
    response.headers.entry(name.to_owned()).or_insert(shared);
}

fn if_none_match() -> Parameter {
    let schema = ObjectBuilder::new().schema_type(Type::String).examples([json!("\"5d41402a\"")]);
    ParameterBuilder::new()
        .name("If-None-Match")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("The `ETag` of the version that the client has"))
        .schema(Some(schema))
        .build()
}

/// Whoever may use an API token may also send it as the password of Basic, or be signed in by cookie.
fn allow_other_sign_ins(security: &mut Vec<SecurityRequirement>) {
    let takes_token =
        |needed: &SecurityRequirement| serde_json::to_value(needed).is_ok_and(|needed| needed.get(API_TOKEN).is_some());
    if security.iter().any(takes_token) {
        security.extend(INSTEAD_OF_TOKEN.map(|name| SecurityRequirement::new(name, [""; 0])));
    }
}

#[cfg(test)]
mod tests {
    use utoipa::openapi::path::{HttpMethod, OperationBuilder};
    use utoipa::openapi::{InfoBuilder, Paths};

    use super::*;

    fn completed(operation: Operation) -> serde_json::Value {
        let mut document = OpenApi::new(InfoBuilder::new().build(), Paths::new());
        document.paths.paths.insert("/a".to_owned(), PathItem::new(HttpMethod::Get, operation));
        complete(&mut document);
        serde_json::to_value(&document).unwrap()
    }

    #[test]
    fn an_operation_without_security_is_public() {
        let document = completed(OperationBuilder::new().build());
        assert_eq!(document["paths"]["/a"]["get"]["security"], json!([]));
    }

    #[test]
    fn a_token_can_be_replaced_by_basic_and_cookie() {
        let needed = SecurityRequirement::new(API_TOKEN, [""; 0]);
        let document = completed(OperationBuilder::new().security(needed).build());
        let security = &document["paths"]["/a"]["get"]["security"];
        assert_eq!(*security, json!([{ "api_token": [] }, { "api_token_basic": [] }, { "sign_in": [] }]));
    }

    #[test]
    fn an_operation_of_live_exams_has_their_errors() {
        let error = ContentBuilder::new().schema(Some(Ref::from_schema_name(LIVE_ERROR))).build();
        let refused = ResponseBuilder::new().description("no").content("application/json", error).build();
        let document = completed(OperationBuilder::new().response("403", refused).build());
        let responses = &document["paths"]["/a"]["get"]["responses"];
        assert_eq!(responses["500"]["$ref"], "#/components/responses/LiveFailed");
        assert_eq!(responses["405"]["$ref"], "#/components/responses/MethodNotAllowed");
    }

    #[test]
    fn headers_follow_from_the_status() {
        let response = |about: &str| ResponseBuilder::new().description(about).build();
        let operation = OperationBuilder::new()
            .response("200", response("here"))
            .response("304", response("as before"))
            .response("429", response("too many"));
        let document = completed(operation.build());
        let operation = &document["paths"]["/a"]["get"];
        let has = |status: &str, name: &str| operation["responses"][status]["headers"].get(name).is_some();
        assert!(has("200", "ETag") && has("304", "ETag") && has("429", "Retry-After") && !has("200", "Retry-After"));
        assert_eq!(operation["parameters"][0]["name"], "If-None-Match");
        assert!(document["components"]["responses"]["MethodNotAllowed"]["headers"]["Allow"].is_object());
        assert!(operation["responses"]["413"].is_null(), "a route without a body takes none");
    }
}
