//! The answers of each operation in the OpenAPI document.

use serde_json::{Map, Value, json};

use crate::calendar::request::routes::{Group, RecordName, Route, Verb};
use crate::calendar::store::records::{RecordKind, Taxonomy};

/// Refusals: the name, the status, and when.
const REFUSALS: [(&str, &str, &str); 6] = [
    ("Invalid", "400", "A parameter is missing or invalid, or the record does not exist"),
    ("NotSignedIn", "401", "Nobody is signed in, or the credentials are wrong"),
    ("Forbidden", "403", "The caller may not read or change it"),
    ("NotFound", "404", "There is no such event or page, or what is in the place of an id is no number"),
    ("Gone", "410", "It is in the trash already"),
    ("Unavailable", "503", "Not now: the database is away, the server is stopping, or answers of students come first"),
];

/// The refusals, which operations refer to.
pub(super) fn shared() -> Map<String, Value> {
    let text = json!({ "type": "string" });
    let envelope = json!({
        "type": "object",
        "required": ["code", "message", "data"],
        "properties": {
            "code": { "type": "string", "description": "What clients rely on", "example": "rest_invalid_param" },
            "message": { "type": "string", "description": "What people read", "example": "Invalid parameter(s): start_date" },
            "data": {
                "type": "object",
                "description": "The status, and for some codes what is wrong with which parameter",
                "required": ["status"],
                "properties": { "status": { "type": "integer", "example": 400 } },
                "additionalProperties": true,
            },
        },
    });
    let header = |about: &str| json!({ "description": about, "schema": text });
    let refusal = |(name, status, about): (&str, &str, &str)| {
        let mut response = json!({ "description": about, "content": { "application/json": { "schema": envelope } } });
        let headers = match status {
            "401" => json!({ "WWW-Authenticate": header("The scheme for an API token") }),
            "503" => json!({ "Retry-After": header("Seconds after which to try again") }),
            _ => Value::Null,
        };
        if let (Some(response), false) = (response.as_object_mut(), headers.is_null()) {
            response.insert("headers".to_owned(), headers);
        }
        (name.to_owned(), response)
    };
    REFUSALS.into_iter().map(refusal).collect()
}

/// What an operation answers.
pub(super) fn of(route: Route, verb: Verb) -> Value {
    let status = if verb == Verb::Create { "201" } else { "200" };
    let mut responses = Map::from_iter([(status.to_owned(), success(route, verb))]);
    for (name, status, _) in REFUSALS {
        if refuses(route, verb, status) {
            responses.insert(status.to_owned(), json!({ "$ref": format!("#/components/responses/{name}") }));
        }
    }
    Value::Object(responses)
}

fn refuses(route: Route, verb: Verb, status: &str) -> bool {
    let is_record = matches!(route, Route::One(Group::Records(_), _));
    let is_event = matches!(route, Route::One(Group::Records(RecordKind::Event), _));
    // A path with anything else in the place of the id is none of the calendar's.
    let is_numbered = matches!(route, Route::One(_, RecordName::Number));
    match status {
        // Wrong credentials are refused on every route.
        "401" | "503" => true,
        "400" => !matches!(route, Route::Document),
        "403" => verb != Verb::Read || is_record,
        "404" => is_event || is_numbered || verb == Verb::Read && matches!(route, Route::All(Group::Records(_))),
        "410" => verb == Verb::Delete && is_record,
        _ => false,
    }
}

fn success(route: Route, verb: Verb) -> Value {
    let about = match verb {
        Verb::Read => "What was asked for",
        Verb::Create => "The new record",
        Verb::Update => "The record as it is now",
        Verb::Delete => "The record that was removed",
    };
    let is_of_events = matches!(
        route,
        Route::All(Group::Records(RecordKind::Event)) | Route::One(Group::Records(RecordKind::Event), _)
    );
    // Not as a second media type: generated clients would take every list for a list or a text.
    let about = if is_of_events && verb == Verb::Read {
        format!("{about}; with `ical=1` as `text/calendar`")
    } else {
        about.to_owned()
    };
    let content = json!({ "application/json": { "schema": schema(route, verb) } });
    let mut response = json!({ "description": about, "content": content });
    let header = |about: &str, kind: &str| json!({ "description": about, "schema": { "type": kind } });
    let headers = match (route, verb) {
        (Route::All(_), Verb::Read) => json!({
            "X-TEC-Total": header("How many there are", "integer"),
            "X-TEC-TotalPages": header("How many pages there are", "integer"),
        }),
        (Route::All(Group::Terms(_)), Verb::Create) => {
            json!({ "Location": header("The address of the new term", "string") })
        }
        (_, Verb::Create | Verb::Update) if is_of_events => {
            let about = "Where students can begin the test already, if they can although the event lies ahead";
            json!({ "X-Exam-Open-Already": header(about, "string") })
        }
        _ => return response,
    };
    if let Some(response) = response.as_object_mut() {
        response.insert("headers".to_owned(), headers);
    }
    response
}

fn schema(route: Route, verb: Verb) -> Value {
    match route {
        Route::All(group) if verb == Verb::Read => {
            let items = json!({ "type": "array", "items": { "$ref": reference(group) } });
            let url = json!({ "type": "string" });
            let count = json!({ "type": "integer", "minimum": 0 });
            let properties = json!({
                "rest_url": url, "next_rest_url": url, "previous_rest_url": url,
                "total": count, "total_pages": count, group.name(): items,
            });
            json!({
                "type": "object",
                "required": ["rest_url", "total", "total_pages", group.name()],
                "properties": properties,
            })
        }
        Route::All(group) | Route::One(group, _) => json!({ "$ref": reference(group) }),
        Route::Root | Route::Index | Route::Document => json!({ "type": "object" }),
    }
}

const fn reference(group: Group) -> &'static str {
    match group {
        Group::Records(RecordKind::Event) => "#/components/schemas/Event",
        Group::Records(RecordKind::Venue) => "#/components/schemas/Venue",
        Group::Records(RecordKind::Organizer) => "#/components/schemas/Organizer",
        Group::Terms(Taxonomy::Category | Taxonomy::Tag) => "#/components/schemas/Term",
    }
}
