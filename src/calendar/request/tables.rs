//! The parameters of each route. Requests are checked against these tables, and the index and the OpenAPI document are
//! generated from them, so that the three cannot differ.

use super::table::{Default, JsonType, Parameter, ParameterTable, ValueRule};
use crate::calendar::request::routes::{Group, RecordName, Route, Verb};
use crate::calendar::store::records::{RecordKind, Taxonomy};
use JsonType::{Any, Integer, Integers, Number, Object, Text, Texts, Truth};

/// Items of a page without `per_page`. The original has the same default.
pub const PER_PAGE: i64 = 10;

const PAGE: Parameter =
    Parameter::of("page", Integer, ValueRule::Positive, "The page to return.").or(Default::Number(1));
const PAGE_SIZE: Parameter =
    Parameter::of("per_page", Integer, ValueRule::Positive, "How many to return on each page, 50 at most.")
        .or(Default::Number(PER_PAGE));
const SEARCH: Parameter = Parameter::of("search", Text, ValueRule::Search, "What they have in their texts.");
const STATUSES: Parameter =
    Parameter::of("status", Text, ValueRule::Statuses, "Their status; several with commas.").of_any_type();
const AUTHOR: Parameter = Parameter::of("author", Integer, ValueRule::Author, "The author's number.");
const DATE: Parameter = Parameter::of("date", Text, ValueRule::Date, "When it is published, in the site's zone.");
const DATE_UTC: Parameter = Parameter::of("date_utc", Text, ValueRule::Date, "When it is published, in UTC.");
const STATUS: Parameter = Parameter::of("status", Text, ValueRule::Status, "Its status.");
const DESCRIPTION: Parameter = Parameter::of("description", Text, ValueRule::BodyOrEmpty, "Its description, HTML.");
const WEBSITE: Parameter = Parameter::of("website", Text, ValueRule::LinkOrEmpty, "Its website.");
const PHONE: Parameter = Parameter::of("phone", Text, ValueRule::Detail, "Its phone number.");
const PICTURE: Parameter = Parameter::of("image", Text, ValueRule::ImageOrEmpty, "The link of its picture.");
const ICAL: Parameter = Parameter::of("ical", Any, ValueRule::Flag, "1: as iCalendar.").of_any_type();
const OF_EVENT: Parameter = Parameter::of("event", Integer, ValueRule::Event, "Those of this event.");

const fn date(name: &'static str, about: &'static str) -> Parameter {
    Parameter::of(name, Text, ValueRule::Date, about)
}

const fn truth(name: &'static str, about: &'static str) -> Parameter {
    Parameter::of(name, Truth, ValueRule::Truth, about)
}

const fn text(name: &'static str, about: &'static str) -> Parameter {
    Parameter::of(name, Text, ValueRule::Title, about)
}

const fn body(name: &'static str, about: &'static str) -> Parameter {
    Parameter::of(name, Text, ValueRule::Body, about)
}

const fn detail(name: &'static str, about: &'static str) -> Parameter {
    Parameter::of(name, Text, ValueRule::Detail, about)
}

static INDEX: [Parameter; 2] = [
    Parameter::of("namespace", Text, ValueRule::Anything, "The namespace that is described.")
        .of_any_type()
        .or(Default::Namespace),
    Parameter::of("context", Text, ValueRule::Anything, "`view`, or `help` for the route itself.")
        .of_any_type()
        .or(Default::Text("view")),
];

static EVENTS: [Parameter; 23] = [
    PAGE,
    PAGE_SIZE,
    date("start_date", "Events that start on this day or later.").or(Default::Day),
    date("end_date", "Events that start before the end of this day.").or(Default::Day),
    date("starts_before", "Events that start before the last second of this day."),
    date("starts_after", "Events that start after this day."),
    date("ends_before", "Events that end before the last second of this day."),
    date("ends_after", "Events that end after this day."),
    Parameter::of("strict_dates", Text, ValueRule::Flag, "Whether dates are taken to the second.")
        .of_any_type()
        .or(Default::Text("false")),
    SEARCH,
    Parameter::of(
        "categories",
        Texts,
        ValueRule::Terms(Taxonomy::Category),
        "Events in one of these categories or below them; numbers or slugs.",
    )
    .of_any_type(),
    Parameter::of("tags", Texts, ValueRule::Terms(Taxonomy::Tag), "Events with one of these tags; numbers or slugs.")
        .of_any_type(),
    Parameter::of("venue", Integers, ValueRule::Records(RecordKind::Venue), "Events at one of these venues.")
        .of_any_type(),
    Parameter::of(
        "organizer",
        Integers,
        ValueRule::Records(RecordKind::Organizer),
        "Events of one of these organizers.",
    )
    .of_any_type(),
    truth("featured", "Events that are featured, or are not."),
    STATUSES,
    truth("geoloc", "Events whose venue is known to be somewhere on the globe, or is not."),
    Parameter::of("geoloc_lat", Number, ValueRule::Number, "Events around this latitude; with `geoloc_lng`."),
    Parameter::of("geoloc_lng", Number, ValueRule::Number, "Events around this longitude; with `geoloc_lat`."),
    Parameter::of("include", Integers, ValueRule::Positives, "These events; dates don't count then.").of_any_type(),
    Parameter::of("post_parent", Integer, ValueRule::Event, "Events that belong to this one."),
    Parameter::of("ticketed", Any, ValueRule::Ticketed, "Needs an extension that is not here.").of_any_type(),
    ICAL,
];

const PASSWORD: Parameter = Parameter::of("password", Any, ValueRule::Anything, "Means nothing here.").of_any_type();

static EVENT: [Parameter; 2] = [PASSWORD, ICAL];

static EVENT_FIELDS: [Parameter; 25] = [
    AUTHOR,
    DATE,
    DATE_UTC,
    text("title", "Its title, HTML.").required(),
    body("description", "Its description, HTML."),
    text("slug", "What stands for it in addresses."),
    body("excerpt", "Its description in short, HTML."),
    STATUS,
    Parameter::of("timezone", Text, ValueRule::Zone, "The zone of its clocks."),
    truth("all_day", "Whether it takes whole days.").or(Default::Truth(false)),
    date("start_date", "When it starts, on the clocks of its zone.").required(),
    date("end_date", "When it ends, on the clocks of its zone.").required(),
    Parameter::of("image", Text, ValueRule::Image, "The link of its picture."),
    Parameter::of("cost", Any, ValueRule::Cost, "What it costs: a text, or several.").of_any_type(),
    Parameter::of(
        "website",
        Text,
        ValueRule::LinkOrEmpty,
        "Its website; of an event with an exam the exam's link when it is absent.",
    ),
    truth("show_map", "Whether a map is shown."),
    truth("show_map_link", "Whether a link to a map is shown."),
    truth("hide_from_listings", "Whether no list shows it."),
    truth("sticky", "Whether it sticks out."),
    truth("featured", "Whether it is featured."),
    Parameter::of("categories", Texts, ValueRule::Wishes, "Its categories: numbers, slugs or names.").of_any_type(),
    Parameter::of("tags", Texts, ValueRule::Wishes, "Its tags: numbers, slugs or names.").of_any_type(),
    Parameter::of("venue", Any, ValueRule::Venue, "Where it takes place: a number, or the data of a venue.")
        .of_any_type(),
    Parameter::of("organizer", Any, ValueRule::Organizers, "Who holds it: numbers, or the data of organizers.")
        .of_any_type(),
    Parameter::of(
        "exam",
        Object,
        ValueRule::Exam,
        "The exam that it announces: `templateId`, or `grade`, `mode`, `durationMinutes`; and `opensMinutesBefore`; or `sittingId` alone.",
    )
    .of_any_type(),
];

static LINKED: [Parameter; 7] = [
    PAGE,
    PAGE_SIZE,
    SEARCH,
    OF_EVENT,
    Parameter::of("has_events", Truth, ValueRule::Flag, "Those with events, or without.").of_any_type(),
    Parameter::of("only_with_upcoming", Truth, ValueRule::Flag, "Those with events to come.")
        .of_any_type()
        .or(Default::Truth(false)),
    STATUSES,
];

static VENUE_FIELDS: [Parameter; 20] = [
    AUTHOR,
    DATE,
    DATE_UTC,
    text("venue", "Its name, HTML.").required(),
    DESCRIPTION,
    STATUS,
    Parameter::of("show_map", Text, ValueRule::Flag, "Whether a map is shown: `true` or `false`."),
    Parameter::of("show_map_link", Text, ValueRule::Flag, "Whether a link to a map is shown: `true` or `false`."),
    detail("address", "Street and number."),
    detail("city", "City."),
    detail("country", "Country."),
    detail("province", "Province."),
    detail("state", "State."),
    detail("zip", "Postal code."),
    PHONE,
    detail("stateprovince", "State or province, when it is neither of both."),
    WEBSITE,
    PICTURE,
    Parameter::of("geo_lat", Number, ValueRule::Degrees(90), "Degrees north.").of_any_type(),
    Parameter::of("geo_lng", Number, ValueRule::Degrees(180), "Degrees east.").of_any_type(),
];

static ORGANIZER_FIELDS: [Parameter; 10] = [
    AUTHOR,
    DATE,
    DATE_UTC,
    text("organizer", "The name, HTML.").required(),
    DESCRIPTION,
    STATUS,
    PHONE,
    WEBSITE,
    detail("email", "The e-mail address."),
    PICTURE,
];

const fn terms(name: &'static str, taxonomy: Taxonomy, about: &'static str) -> Parameter {
    Parameter::of(name, Integers, ValueRule::Terms(taxonomy), about).of_any_type()
}

/// Parameters of lists of terms. The last one belongs to categories alone.
const fn listed_terms(taxonomy: Taxonomy) -> [Parameter; 12] {
    [
        PAGE,
        PAGE_SIZE,
        SEARCH,
        terms("exclude", taxonomy, "Without these."),
        terms("include", taxonomy, "Only these."),
        Parameter::of("order", Text, ValueRule::Anything, "`asc` or `desc`.").of_any_type().or(Default::Text("asc")),
        Parameter::of("orderby", Text, ValueRule::Anything, "By what they are sorted.")
            .of_any_type()
            .or(Default::Text("name")),
        truth("hide_empty", "Whether those that no published event has are left out.").or(Default::Truth(true)),
        Parameter::of("post", Integer, ValueRule::Event, "Those of this event."),
        OF_EVENT,
        Parameter::of("slug", Text, ValueRule::Title, "The one of this slug."),
        Parameter::of("parent", Integer, ValueRule::Parent, "Those right below this one."),
    ]
}

static CATEGORIES: [Parameter; 12] = listed_terms(Taxonomy::Category);
static TAGS: [Parameter; 12] = listed_terms(Taxonomy::Tag);

/// Fields of a term. The last one belongs to categories alone: a tag with a parent is refused by its handler, with an
/// error of its own.
static TERM_FIELDS: [Parameter; 4] = [
    text("name", "Its name.").required(),
    body("description", "Its description."),
    text("slug", "What stands for it in addresses."),
    Parameter::of("parent", Integer, ValueRule::ParentOrNone, "The category that it belongs to; 0 for none."),
];

static EVENT_ID: Parameter =
    Parameter::of("id", Integer, ValueRule::Place(RecordKind::Event), "The event's number.").required();
static EVENT_SLUG: Parameter =
    Parameter::of("slug", Text, ValueRule::PlaceSlug(RecordKind::Event), "The event's slug.").required();
static VENUE_ID: Parameter =
    Parameter::of("id", Integer, ValueRule::Place(RecordKind::Venue), "The venue's number.").required();
static VENUE_SLUG: Parameter =
    Parameter::of("slug", Text, ValueRule::PlaceSlug(RecordKind::Venue), "The venue's slug.").required();
static ORGANIZER_ID: Parameter =
    Parameter::of("id", Integer, ValueRule::Place(RecordKind::Organizer), "The organizer's number.").required();
static ORGANIZER_SLUG: Parameter =
    Parameter::of("slug", Text, ValueRule::PlaceSlug(RecordKind::Organizer), "The organizer's slug.").required();
static CATEGORY_ID: Parameter =
    Parameter::of("id", Integer, ValueRule::PlaceTerm(Taxonomy::Category), "The category's number.").required();
static TAG_ID: Parameter =
    Parameter::of("id", Integer, ValueRule::PlaceTerm(Taxonomy::Tag), "The tag's number.").required();

/// The parameters of a route for what a request does with it.
#[must_use]
pub fn of(route: Route, verb: Verb) -> ParameterTable {
    let fields: &'static [Parameter] = match (route, verb) {
        (Route::Index, _) => &INDEX,
        (Route::Root | Route::Document, _) | (_, Verb::Delete) => &[],
        (Route::All(group), Verb::Read) => listed(group),
        (Route::One(Group::Records(RecordKind::Event), _), Verb::Read) => &EVENT,
        (Route::One(..), Verb::Read) => &[],
        (Route::All(group) | Route::One(group, _), Verb::Create | Verb::Update) => written(group),
    };
    let is_null_absent = matches!(
        route,
        Route::All(Group::Records(RecordKind::Venue | RecordKind::Organizer))
            | Route::One(Group::Records(RecordKind::Venue | RecordKind::Organizer), _)
    );
    ParameterTable { place: place(route), fields, is_needed: verb == Verb::Create, is_null_absent }
}

fn listed(group: Group) -> &'static [Parameter] {
    match group {
        Group::Records(RecordKind::Event) => &EVENTS,
        Group::Records(_) => &LINKED,
        Group::Terms(Taxonomy::Category) => &CATEGORIES,
        Group::Terms(Taxonomy::Tag) => without_last(&TAGS),
    }
}

fn written(group: Group) -> &'static [Parameter] {
    match group {
        Group::Records(RecordKind::Event) => &EVENT_FIELDS,
        Group::Records(RecordKind::Venue) => &VENUE_FIELDS,
        Group::Records(RecordKind::Organizer) => &ORGANIZER_FIELDS,
        Group::Terms(Taxonomy::Category) => &TERM_FIELDS,
        Group::Terms(Taxonomy::Tag) => without_last(&TERM_FIELDS),
    }
}

fn without_last(parameters: &'static [Parameter]) -> &'static [Parameter] {
    parameters.split_last().map_or(parameters, |(_, rest)| rest)
}

fn place(route: Route) -> Option<&'static Parameter> {
    let Route::One(group, named) = route else { return None };
    Some(match (group, named) {
        (Group::Records(RecordKind::Event), RecordName::Number) => &EVENT_ID,
        (Group::Records(RecordKind::Event), RecordName::Slug) => &EVENT_SLUG,
        (Group::Records(RecordKind::Venue), RecordName::Number) => &VENUE_ID,
        (Group::Records(RecordKind::Venue), RecordName::Slug) => &VENUE_SLUG,
        (Group::Records(RecordKind::Organizer), RecordName::Number) => &ORGANIZER_ID,
        (Group::Records(RecordKind::Organizer), RecordName::Slug) => &ORGANIZER_SLUG,
        (Group::Terms(Taxonomy::Category), _) => &CATEGORY_ID,
        (Group::Terms(Taxonomy::Tag), _) => &TAG_ID,
    })
}
