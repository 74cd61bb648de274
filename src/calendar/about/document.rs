//! The OpenAPI document of the interface. Parameters come from the tables that requests are checked against, answers
//! from `schemas`. It has all that the original's has, `GET` of lists, and `GET`, `POST` and `DELETE` of single
//! records, and also `POST` to lists. `PUT` and `PATCH` do what `POST` does, and are left out as in the original's.

mod responses;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::calendar::status::Status;
use serde_json::{Map, Value, json};

use super::index::{default, items};
use crate::calendar::answer::site::Site;
use crate::calendar::request::routes::{Group, RecordName, Route, Verb};
use crate::calendar::request::table::{JsonType, Parameter, ParameterTable, ValueRule};
use crate::calendar::request::tables;
use crate::calendar::respond;
use crate::calendar::store::records::{RecordKind, Taxonomy};

/// What the routes are for.
const TAGS: [(&str, &str); 6] = [
    ("events", "What takes place, when and where."),
    ("venues", "Where events take place."),
    ("organizers", "Who holds events."),
    ("categories", "What events are about, in a tree."),
    ("tags", "Words by which events are found."),
    ("about", "This document."),
];

/// `GET` of the document.
#[must_use]
pub fn read(site: &Site) -> HttpResponse {
    let paths: Map<String, Value> = Route::all()
        .filter(|route| *route != Route::Index)
        .map(|route| (route.pattern("{id}", "{slug}"), path(route)))
        .collect();
    let tags: Vec<Value> =
        TAGS.into_iter().map(|(name, about)| json!({ "name": name, "description": about })).collect();
    let document = json!({
        "openapi": "3.0.0",
        "info": {
            "version": "1.0.0",
            "title": "Exam Hall calendar",
            "description": "Events with their venues, organizers, categories and tags. Errors are `{code, message, data}`. \
                Bodies are JSON or forms. `PUT` and `PATCH` do what `POST` does with a single record; `HEAD` is answered wherever `GET` is.",
            "license": { "name": env!("CARGO_PKG_LICENSE") },
        },
        "tags": tags,
        "components": {
            "schemas": crate::calendar::about::schemas::all(),
            "responses": responses::shared(),
            "securitySchemes": {
                "basic": { "type": "http", "scheme": "basic", "description": "An API token as the password; the user name is ignored" },
                "bearer": { "type": "http", "scheme": "bearer", "description": "An API token" },
                "cookie": { "type": "apiKey", "in": "cookie", "name": "examhall", "description": "Of a sign-in; `__Host-examhall` on https" },
            },
        },
        "servers": [{ "url": site.api }],
        "paths": paths,
    });
    respond(StatusCode::OK, &document)
}

fn path(route: Route) -> Value {
    let operations = route.verbs().iter().map(|verb| {
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
    let mut parameters: Vec<Value> = table.place.into_iter().map(|place| parameter(place, "path", true)).collect();
    if verb == Verb::Read {
        parameters.extend(table.fields.iter().map(|field| parameter(field, "query", false)));
    }
    let (id, summary, tag) = names(route, verb);
    let mut described = json!({
        "operationId": id,
        "summary": summary,
        "tags": [tag],
        "security": security(route, verb),
        "parameters": parameters,
        "responses": responses::of(route, verb),
    });
    if let (Some(described), Verb::Create | Verb::Update) = (described.as_object_mut(), verb) {
        described.insert("requestBody".to_owned(), body(table));
    }
    described
}

/// The name that generated clients give the operation, a sentence about it, and its tag.
fn names(route: Route, verb: Verb) -> (String, String, &'static str) {
    let (act, does) = match verb {
        Verb::Read => ("read", "Returns"),
        Verb::Create => ("create", "Creates"),
        Verb::Update => ("update", "Changes"),
        Verb::Delete => ("delete", "Removes"),
    };
    match (route, verb) {
        (Route::All(group), Verb::Read) => {
            (format!("list{}", capital(group.name())), format!("Lists {}.", group.name()), group.name())
        }
        (Route::All(group), _) => {
            (format!("{act}{}", capital(one(group))), format!("{does} {}.", article(one(group))), group.name())
        }
        (Route::One(group, named), _) => {
            let (end, by) = if named == RecordName::Slug { ("BySlug", ", named by its slug") } else { ("", "") };
            let summary = format!("{does} {}{by}.", article(one(group)));
            (format!("{act}{}{end}", capital(one(group))), summary, group.name())
        }
        (Route::Root | Route::Index | Route::Document, _) => {
            ("readDocument".to_owned(), "Returns this document.".to_owned(), "about")
        }
    }
}

const fn one(group: Group) -> &'static str {
    match group {
        Group::Records(RecordKind::Event) => "event",
        Group::Records(RecordKind::Venue) => "venue",
        Group::Records(RecordKind::Organizer) => "organizer",
        Group::Terms(Taxonomy::Category) => "category",
        Group::Terms(Taxonomy::Tag) => "tag",
    }
}

fn article(noun: &str) -> String {
    if noun.starts_with(['e', 'o']) { format!("an {noun}") } else { format!("a {noun}") }
}

fn capital(noun: &str) -> String {
    let (first, rest) = noun.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

/// Reads are open to everyone, and show more to those who are signed in.
fn security(route: Route, verb: Verb) -> Value {
    let signed_in = [json!({ "basic": [] }), json!({ "bearer": [] }), json!({ "cookie": [] })];
    match (route, verb) {
        (Route::Root | Route::Index | Route::Document, _) => json!([]),
        (_, Verb::Read) => std::iter::once(json!({})).chain(signed_in).collect(),
        _ => signed_in.into_iter().collect(),
    }
}

fn body(table: ParameterTable) -> Value {
    let properties: Map<String, Value> =
        table.fields.iter().map(|field| (field.name.to_owned(), schema(field, true))).collect();
    let mut form = json!({ "type": "object", "properties": properties });
    let needed: Vec<&str> = table.fields.iter().filter(|field| table.needs(field)).map(|field| field.name).collect();
    if let (Some(form), false) = (form.as_object_mut(), needed.is_empty()) {
        form.insert("required".to_owned(), needed.into());
    }
    let form = json!({ "schema": form });
    // A form is taken as well, but openapi-python-client cannot generate a required body of two media types.
    let content = if table.is_needed {
        json!({ "application/json": form })
    } else {
        json!({ "application/json": form, "application/x-www-form-urlencoded": form })
    };
    json!({ "required": table.is_needed, "content": content })
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
    match parameter.rule {
        ValueRule::Positive => drop(schema.insert("minimum".to_owned(), 1.into())),
        ValueRule::Degrees(most) => {
            schema.insert("minimum".to_owned(), (-most).into());
            schema.insert("maximum".to_owned(), most.into());
        }
        ValueRule::Date => drop(schema.insert("example".to_owned(), "2027-01-10 09:00:00".into())),
        ValueRule::Status => {
            let names: Vec<&str> = Status::ALL.into_iter().map(Status::name).collect();
            schema.insert("enum".to_owned(), names.into());
        }
        _ => {}
    }
    if is_of_body {
        schema.insert("description".to_owned(), parameter.about.into());
    }
    Value::Object(schema)
}
