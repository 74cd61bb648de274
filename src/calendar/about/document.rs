//! The OpenAPI document of the interface. Parameters come from the tables that requests are checked against, answers
//! from `schemas`. Like the original's, it has `GET` of lists, and `GET`, `POST` and `DELETE` of single records.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde_json::{Map, Value, json};

use super::index::{default, items};
use crate::calendar::answer::site::Site;
use crate::calendar::request::routes::{Group, Route, Verb};
use crate::calendar::request::table::{JsonType, Parameter};
use crate::calendar::request::tables;
use crate::calendar::respond;
use crate::calendar::store::records::{RecordKind, Taxonomy};

/// `GET` of the document.
#[must_use]
pub fn read(site: &Site) -> HttpResponse {
    let paths: Map<String, Value> = Route::all()
        .filter(|route| *route != Route::Index)
        .map(|route| (route.pattern("{id}", "{slug}"), path(route)))
        .collect();
    let document = json!({
        "openapi": "3.0.0",
        "info": {
            "version": "1.0.0",
            "title": "Exam Hall calendar",
            "description": "Events with their venues, organizers, categories and tags. Errors are `{code, message, data}`.",
        },
        "components": { "schemas": crate::calendar::about::schemas::all() },
        "servers": [{ "url": site.api }],
        "paths": paths,
    });
    respond(StatusCode::OK, &document)
}

fn path(route: Route) -> Value {
    let operations = route.verbs().iter().filter(|verb| **verb != Verb::Create).map(|verb| {
        let method = match verb {
            Verb::Read => "get",
            Verb::Create | Verb::Update => "post",
            Verb::Delete => "delete",
        };
        (method.to_owned(), operation(route, *verb))
    });
    Value::Object(operations.collect())
}

fn operation(route: Route, verb: Verb) -> Value {
    let table = tables::of(route, verb);
    let mut described = Map::new();
    let mut parameters: Vec<Value> = table.place.into_iter().map(|place| parameter(place, "path", true)).collect();
    if verb == Verb::Read {
        parameters.extend(table.fields.iter().map(|field| parameter(field, "query", false)));
    }
    described.insert("parameters".to_owned(), parameters.into());
    if verb == Verb::Update {
        let properties: Map<String, Value> =
            table.fields.iter().map(|field| (field.name.to_owned(), schema(field, true))).collect();
        let form = json!({ "schema": { "type": "object", "properties": properties } });
        described.insert(
            "requestBody".to_owned(),
            json!({ "content": { "application/json": form, "application/x-www-form-urlencoded": form } }),
        );
    }
    described.insert("responses".to_owned(), responses(route, verb));
    Value::Object(described)
}

fn parameter(parameter: &Parameter, place: &str, is_needed: bool) -> Value {
    let mut described = json!({
        "name": parameter.name,
        "in": place,
        "description": parameter.about,
        "required": is_needed,
        "schema": schema(parameter, false),
    });
    if let (Some(object), Some(_)) = (described.as_object_mut(), items(parameter)) {
        object.insert("style".to_owned(), "form".into());
        object.insert("explode".to_owned(), false.into());
    }
    described
}

/// A field that is left out of a body stays as it is, so fields of a body have no defaults.
fn schema(parameter: &Parameter, is_of_body: bool) -> Value {
    let mut schema = Map::new();
    if parameter.json_type != JsonType::Any {
        schema.insert("type".to_owned(), parameter.json_type.name().into());
    }
    if let Some(items) = items(parameter) {
        schema.insert("items".to_owned(), json!({ "type": items }));
    }
    if let Some(default) = default(parameter).filter(|_| !is_of_body) {
        schema.insert("default".to_owned(), default);
    }
    if is_of_body {
        schema.insert("description".to_owned(), parameter.about.into());
    }
    Value::Object(schema)
}

fn responses(route: Route, verb: Verb) -> Value {
    let answer = |description: &str, schema: Value| json!({ "description": description, "content": { "application/json": { "schema": schema } } });
    let failure = |description: &str| json!({ "description": description });
    let schema = match route {
        Route::All(group) => {
            let items = json!({ "type": "array", "items": { "$ref": reference(group) } });
            let url = json!({ "type": "string" });
            let count = json!({ "type": "integer" });
            let mut properties = json!({ "rest_url": url, "next_rest_url": url, "previous_rest_url": url, "total": count, "total_pages": count });
            if let Some(properties) = properties.as_object_mut() {
                properties.insert(group.name().to_owned(), items);
            }
            json!({ "type": "object", "properties": properties })
        }
        Route::One(group, _) => json!({ "$ref": reference(group) }),
        Route::Root | Route::Index | Route::Document => json!({ "type": "object" }),
    };
    let mut responses =
        json!({ "200": answer("What was asked for", schema), "400": failure("A parameter is missing or invalid") });
    if let Some(responses) = responses.as_object_mut() {
        match (route, verb) {
            (Route::Document, _) => drop(responses.remove("400")),
            (Route::All(Group::Records(_)), _) => {
                drop(responses.insert("404".to_owned(), failure("There is no such page")));
            }
            (Route::One(Group::Records(_), _), Verb::Read) => {
                drop(responses.insert("403".to_owned(), failure("It may not be read")));
            }
            (_, Verb::Read) => {}
            (_, verb) => {
                responses.insert("401".to_owned(), failure("Nobody is signed in"));
                responses.insert("403".to_owned(), failure("It may not be changed"));
                if verb == Verb::Delete && matches!(route, Route::One(Group::Records(_), _)) {
                    responses.insert("410".to_owned(), failure("It is in the trash already"));
                }
            }
        }
        if matches!(route, Route::One(Group::Records(RecordKind::Event), _)) {
            responses.insert("404".to_owned(), failure("There is no such event"));
        }
    }
    responses
}

fn reference(group: Group) -> &'static str {
    match group {
        Group::Records(RecordKind::Event) => "#/components/schemas/Event",
        Group::Records(RecordKind::Venue) => "#/components/schemas/Venue",
        Group::Records(RecordKind::Organizer) => "#/components/schemas/Organizer",
        Group::Terms(Taxonomy::Category | Taxonomy::Tag) => "#/components/schemas/Term",
    }
}
