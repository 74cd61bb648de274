//! What the interface has (`calendar-contract.md` 6): its routes with what they take, written from the tables by which
//! requests are checked.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::envelope::Refusal;
use super::parameters::table::{Default, JsonType, Parameter, Table};
use super::parameters::tables;
use super::routes::{Route, Verb};
use super::site::Site;
use super::{Asked, respond};

/// What stands in a route for a number, and for a slug.
const PLACES: (&str, &str) = ("(?P<id>\\d+)", "(?P<slug>[^/]+)");

/// `GET` of the interface itself.
///
/// # Errors
/// 404 `rest_invalid_namespace` for another one.
pub fn read(asked: &Asked<'_>) -> Result<HttpResponse, Refusal> {
    let namespace = &asked.site.namespace;
    if asked.parameters.text("namespace").is_some_and(|sent| sent != *namespace) {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "rest_invalid_namespace", "The specified namespace could not be found."));
    }
    if asked.parameters.text("context").as_deref() == Some("help") {
        return Ok(options(Route::Index, asked.site));
    }
    Ok(respond(StatusCode::OK, &Index { namespace, routes: Routes(asked.site), links: Up { up: [Link { href: format!("{}/", asked.site.rest_root) }] } }))
}

/// `OPTIONS` of a route.
#[must_use]
pub fn options(route: Route, site: &Site) -> HttpResponse {
    respond(StatusCode::OK, &Described::of(route, site))
}

#[derive(Serialize)]
struct Index<'a> {
    namespace: &'a str,
    routes: Routes<'a>,
    #[serde(rename = "_links")]
    links: Up,
}

#[derive(Serialize)]
struct Up {
    up: [Link; 1],
}

#[derive(Serialize)]
struct Link {
    href: String,
}

struct Routes<'a>(&'a Site);

impl Serialize for Routes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |route: Route| (format!("/{}{}", self.0.namespace, route.pattern(PLACES.0, PLACES.1)), Described::of(route, self.0));
        serializer.collect_map(Route::all().map(of))
    }
}

/// A route with all that can be done with it.
#[derive(Serialize)]
struct Described<'a> {
    namespace: &'a str,
    methods: Vec<&'static str>,
    endpoints: Vec<Endpoint<'a>>,
    #[serde(rename = "_links", skip_serializing_if = "Option::is_none")]
    links: Option<Own>,
}

#[derive(Serialize)]
struct Own {
    #[serde(rename = "self")]
    own: [Link; 1],
}

#[derive(Serialize)]
struct Endpoint<'a> {
    methods: &'static [&'static str],
    args: Arguments<'a>,
}

impl<'a> Described<'a> {
    fn of(route: Route, site: &'a Site) -> Self {
        let mut methods: Vec<&str> = Vec::new();
        for method in route.verbs().iter().flat_map(|verb| verb.methods()) {
            if !methods.contains(method) {
                methods.push(method);
            }
        }
        let endpoint = |verb: &Verb| Endpoint { methods: verb.methods(), args: Arguments(tables::of(route, *verb), &site.namespace) };
        // A route with a number or a slug in it has no address of its own.
        let has_address = !matches!(route, Route::One(..));
        let links = has_address.then(|| Own { own: [Link { href: format!("{}{}", site.api, route.pattern("", "")) }] });
        Self { namespace: &site.namespace, methods, endpoints: route.verbs().iter().map(endpoint).collect(), links }
    }
}

/// What a route takes, of the interface of that namespace.
struct Arguments<'a>(Table, &'a str);

impl Serialize for Arguments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |parameter: &'static Parameter| {
            let argument = Argument { parameter, is_needed: self.0.needs(parameter), namespace: self.1 };
            (parameter.name, argument)
        };
        serializer.collect_map(self.0.iter().map(of))
    }
}

struct Argument<'a> {
    parameter: &'static Parameter,
    is_needed: bool,
    namespace: &'a str,
}

impl Serialize for Argument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let default = match self.parameter.default {
            Default::Namespace => Some(self.namespace.into()),
            _ => default(self.parameter),
        };
        if let Some(default) = default {
            map.serialize_entry("default", &default)?;
        }
        map.serialize_entry("description", self.parameter.about)?;
        if self.parameter.json_type != JsonType::Any {
            map.serialize_entry("type", self.parameter.json_type.name())?;
        }
        if let Some(items) = items(self.parameter) {
            map.serialize_entry("items", &Items { kind: items })?;
        }
        map.serialize_entry("required", &self.is_needed)?;
        map.end()
    }
}

#[derive(Serialize)]
struct Items {
    #[serde(rename = "type")]
    kind: &'static str,
}

/// What is in a list.
#[must_use]
pub const fn items(parameter: &Parameter) -> Option<&'static str> {
    match parameter.json_type {
        JsonType::Integers => Some("integer"),
        JsonType::Texts => Some("string"),
        _ => None,
    }
}

/// What counts when it is absent; nothing for what depends on today's date or on the interface.
#[must_use]
pub fn default(parameter: &Parameter) -> Option<Value> {
    match parameter.default {
        Default::Absent | Default::Day | Default::Namespace => None,
        Default::Number(number) => Some(number.into()),
        Default::Truth(truth) => Some(truth.into()),
        Default::Text(text) => Some(text.into()),
    }
}
