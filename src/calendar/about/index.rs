//! The index of the interface: its routes and their parameters, generated from the tables that requests are checked
//! against.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::calendar::answer::error::CalendarError;
use crate::calendar::answer::site::Site;
use crate::calendar::request::routes::{Route, Verb};
use crate::calendar::request::table::{Default, JsonType, Parameter, ParameterTable};
use crate::calendar::request::tables;
use crate::calendar::{CalendarRequest, respond};

const SITE_NAME: &str = "Exam Hall";
/// Stand in a route's pattern for a number and for a slug, as in the original.
const PLACES: (&str, &str) = ("(?P<id>\\d+)", "(?P<slug>[^/]+)");

/// `GET` of the root, which the `Link` header of every answer names. Clients look there for the interfaces of a site.
#[must_use]
pub fn root(site: &Site) -> HttpResponse {
    let root = Root {
        name: SITE_NAME,
        description: "",
        url: &site.url,
        home: &site.url,
        gmt_offset: 0,
        timezone_string: "UTC",
        namespaces: [&site.namespace],
        authentication: [],
        routes: Routes(site),
    };
    respond(StatusCode::OK, &root)
}

/// `GET` of the interface itself; 404 `rest_invalid_namespace` if `namespace` names another one.
pub fn read(asked: &CalendarRequest<'_>) -> Result<HttpResponse, CalendarError> {
    let namespace = &asked.site.namespace;
    if asked.parameters.values.text("namespace").is_some_and(|sent| sent != *namespace) {
        return Err(CalendarError::new(
            StatusCode::NOT_FOUND,
            "rest_invalid_namespace",
            "The specified namespace could not be found.",
        ));
    }
    if asked.parameters.values.text("context") == Some("help") {
        return Ok(options(Route::Index, asked.site));
    }
    Ok(respond(
        StatusCode::OK,
        &Index {
            namespace,
            routes: Routes(asked.site),
            links: Up { up: [IndexLink { href: format!("{}/", asked.site.rest_root) }] },
        },
    ))
}

/// `OPTIONS` of a route.
#[must_use]
pub fn options(route: Route, site: &Site) -> HttpResponse {
    respond(StatusCode::OK, &Described::of(route, site))
}

#[derive(Serialize)]
struct Root<'a> {
    name: &'static str,
    description: &'static str,
    url: &'a str,
    home: &'a str,
    /// Hours between the site's zone and UTC.
    gmt_offset: i32,
    timezone_string: &'static str,
    namespaces: [&'a str; 1],
    /// Empty: the root names no way to sign in beside those of HTTP.
    authentication: [(); 0],
    routes: Routes<'a>,
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
    up: [IndexLink; 1],
}

#[derive(Serialize)]
struct IndexLink {
    href: String,
}

struct Routes<'a>(&'a Site);

impl Serialize for Routes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |route: Route| {
            (format!("/{}{}", self.0.namespace, route.pattern(PLACES.0, PLACES.1)), Described::of(route, self.0))
        };
        serializer.collect_map(Route::all().map(of))
    }
}

/// A route with its methods and their parameters.
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
    own: [IndexLink; 1],
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
        let arguments = |verb: Verb| Arguments {
            table: tables::of(route, verb),
            has_defaults: verb != Verb::Update,
            namespace: &site.namespace,
        };
        let endpoint = |verb: &Verb| Endpoint { methods: verb.methods(), args: arguments(*verb) };
        // The address of a single record is known only with its number or slug, and the root is not part of this
        // interface.
        let has_address = !matches!(route, Route::Root | Route::One(..));
        let links =
            has_address.then(|| Own { own: [IndexLink { href: format!("{}{}", site.api, route.pattern("", "")) }] });
        Self { namespace: &site.namespace, methods, endpoints: route.verbs().iter().map(endpoint).collect(), links }
    }
}

/// The parameters of a route and method.
struct Arguments<'a> {
    table: ParameterTable,
    /// `false` for an update: a field that it leaves out stays as it is.
    has_defaults: bool,
    namespace: &'a str,
}

impl Serialize for Arguments<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of = |parameter: &'static Parameter| {
            let default = match parameter.default {
                _ if !self.has_defaults => None,
                Default::Namespace => Some(self.namespace.into()),
                _ => default(parameter),
            };
            let argument = Argument { parameter, is_needed: self.table.needs(parameter), default };
            (parameter.name, argument)
        };
        serializer.collect_map(self.table.iter().map(of))
    }
}

struct Argument {
    parameter: &'static Parameter,
    is_needed: bool,
    default: Option<Value>,
}

impl Serialize for Argument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(default) = &self.default {
            map.serialize_entry("default", default)?;
        }
        map.serialize_entry("description", self.parameter.about)?;
        if self.parameter.json_type != JsonType::Any {
            map.serialize_entry("type", self.parameter.json_type.name())?;
        }
        if let Some(items) = items(self.parameter) {
            map.serialize_entry("items", &IndexItems { kind: items })?;
        }
        map.serialize_entry("required", &self.is_needed)?;
        map.end()
    }
}

#[derive(Serialize)]
struct IndexItems {
    #[serde(rename = "type")]
    kind: &'static str,
}

/// The type of a list's items; `None` if the parameter is not a list.
#[must_use]
pub const fn items(parameter: &Parameter) -> Option<&'static str> {
    match parameter.json_type {
        JsonType::Integers => Some("integer"),
        JsonType::Texts => Some("string"),
        _ => None,
    }
}

/// The value that an absent parameter has. `None` also if it depends on today's date or on the namespace.
#[must_use]
pub fn default(parameter: &Parameter) -> Option<Value> {
    match parameter.default {
        Default::Absent | Default::Day | Default::Namespace => None,
        Default::Number(number) => Some(number.into()),
        Default::Truth(truth) => Some(truth.into()),
        Default::Text(text) => Some(text.into()),
    }
}
