//! The schemas of answers in the OpenAPI document. They are maintained by hand beside the types of `answer`;
//! `tests/it/calendar/documents.rs` compares them with what is sent.

use serde_json::{Map, Value, json};

use SchemaKind::{Integer, Never, Number, Object, Of, OfEvent, OrEmpty, OrFalse, Several, Text, Texts, Truth};

/// The type of a key's value.
#[derive(Clone, Copy)]
enum SchemaKind {
    Integer,
    Number,
    Text,
    Truth,
    Object,
    /// A list of texts.
    Texts,
    /// A list that is always empty.
    Never,
    /// Another schema.
    Of(&'static str),
    /// A list of another schema.
    Several(&'static str),
    /// Another schema, or `false`.
    OrFalse(&'static str),
    /// Another schema, or an empty list.
    OrEmpty(&'static str),
    /// A list of terms as an event shows them.
    OfEvent,
}

/// A type, and the keys that have it, separated by blanks.
type Keys = (SchemaKind, &'static str);

const IMAGE_SIZE: [Keys; 2] = [(Integer, "width height"), (Text, "mime-type url")];
const IMAGE: [Keys; 1] = [(Text, "url")];
const COST_DETAILS: [Keys; 2] = [(Text, "currency_symbol currency_code currency_position"), (Texts, "values")];
const DATE_DETAILS: [Keys; 1] = [(Text, "year month day hour minutes seconds")];

/// Keys of a term, by its own routes and within an event alike.
const ANY_TERM: [Keys; 3] = [(Integer, "id count parent"), (Text, "name slug description taxonomy"), (Object, "urls")];
const TERM: [Keys; 3] = [(Text, "url"), (Never, "meta"), (Object, "_links")];
const EVENT_TERM: [Keys; 2] = [(Integer, "term_group term_taxonomy_id"), (Text, "filter")];

/// Keys that events, venues and organizers share.
const RECORD: [Keys; 4] = [
    (Integer, "id"),
    (Text, "author status date date_utc modified modified_utc url description slug global_id"),
    (Texts, "global_id_lineage"),
    (Object, "json_ld"),
];
const EVENT: [Keys; 10] = [
    (
        Text,
        "rest_url title excerpt start_date end_date utc_start_date utc_end_date timezone timezone_abbr cost website",
    ),
    (Truth, "all_day show_map show_map_link hide_from_listings sticky featured"),
    (Of("DateDetails"), "start_date_details end_date_details utc_start_date_details utc_end_date_details"),
    (Of("CostDetails"), "cost_details"),
    (OrFalse("Image"), "image"),
    (OfEvent, "categories tags"),
    (OrEmpty("Venue"), "venue"),
    (Several("Organizer"), "organizer"),
    (Never, "custom_fields"),
    (Object, "exam"),
];
const VENUE: [Keys; 4] = [
    (Text, "venue address city country province state zip phone website stateprovince"),
    (Of("Image"), "image"),
    (Number, "geo_lat geo_lng"),
    (Truth, "show_map show_map_link"),
];
const ORGANIZER: [Keys; 2] = [(Text, "organizer phone website email"), (Of("Image"), "image")];

/// All schemas by name.
#[must_use]
pub fn all() -> Map<String, Value> {
    let schemas = [
        (
            "ImageSize",
            schema(
                "A size of a picture, for clients that look for this schema: no answer has it, since a picture is a link alone.",
                &[&IMAGE_SIZE],
            ),
        ),
        ("Image", schema("A picture, by its link.", &[&IMAGE])),
        ("CostDetails", schema("What the cost is made of.", &[&COST_DETAILS])),
        ("DateDetails", schema("The parts of a time, with zeros before them.", &[&DATE_DETAILS])),
        (
            "Term",
            schema(
                "A category or a tag. A tag has no `parent`; terms of a list have no `_links`.",
                &[&ANY_TERM, &TERM],
            ),
        ),
        (
            "Event",
            schema(
                "An event. One of a list has no `json_ld`, one that announces no exam no `exam`.",
                &[&RECORD, &EVENT],
            ),
        ),
        (
            "Venue",
            schema("A venue. What says nothing is left out; one of a list has no `json_ld`.", &[&RECORD, &VENUE]),
        ),
        (
            "Organizer",
            schema(
                "An organizer. What says nothing is left out; one of a list has no `json_ld`.",
                &[&RECORD, &ORGANIZER],
            ),
        ),
    ];
    schemas.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn schema(about: &str, parts: &[&[Keys]]) -> Value {
    let keys = parts.iter().copied().flatten();
    let properties: Map<String, Value> =
        keys.flat_map(|(kind, names)| names.split(' ').map(move |name| (name.to_owned(), of(*kind)))).collect();
    json!({ "type": "object", "description": about, "properties": properties })
}

fn of(kind: SchemaKind) -> Value {
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let several = |items: Value| json!({ "type": "array", "items": items });
    let nothing = || json!({ "type": "array", "items": {}, "maxItems": 0 });
    match kind {
        Integer => json!({ "type": "integer" }),
        Number => json!({ "type": "number" }),
        Text => json!({ "type": "string" }),
        Truth => json!({ "type": "boolean" }),
        Object => json!({ "type": "object" }),
        Texts => several(json!({ "type": "string" })),
        Never => nothing(),
        Of(name) => reference(name),
        Several(name) => several(reference(name)),
        OrFalse(name) => json!({ "oneOf": [reference(name), { "type": "boolean", "enum": [false] }] }),
        OrEmpty(name) => json!({ "oneOf": [reference(name), nothing()] }),
        OfEvent => several(schema("A category or a tag as an event has it.", &[&ANY_TERM, &EVENT_TERM])),
    }
}
