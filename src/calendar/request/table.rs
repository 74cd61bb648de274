//! How a parameter is described: by one entry, from which it is checked and documented alike.

use serde_json::Value;

use crate::calendar::store::records::{RecordKind, Taxonomy};

/// What a route takes under one name.
#[derive(Debug)]
pub struct Parameter {
    /// As it is sent.
    pub name: &'static str,
    /// Whether the route needs it.
    pub is_required: bool,
    /// The rule that its value keeps.
    pub rule: ValueRule,
    /// Its JSON type.
    pub json_type: JsonType,
    /// Whether the type of what was sent is checked, after the rules.
    pub is_typed: bool,
    /// What counts when it is absent.
    pub default: Default,
    /// For people.
    pub about: &'static str,
}

/// What a route takes.
#[derive(Clone, Copy, Debug)]
pub struct ParameterTable {
    /// What its path has.
    pub place: Option<&'static Parameter>,
    /// What is sent.
    pub fields: &'static [Parameter],
    /// Whether what is required has to be sent, as it has when something is made.
    pub is_needed: bool,
}

impl ParameterTable {
    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = &'static Parameter> {
        self.place.into_iter().chain(self.fields)
    }

    /// Whether this one of them has to be sent, or to be in the path.
    #[must_use]
    pub fn needs(&self, parameter: &Parameter) -> bool {
        parameter.is_required && (self.is_needed || self.place.is_some_and(|place| std::ptr::eq(place, parameter)))
    }
}

/// What counts when a parameter is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// Nothing.
    Absent,
    /// That number.
    Number(i64),
    /// That boolean.
    Truth(bool),
    /// That text.
    Text(&'static str),
    /// A day that depends on today's; by its name in the window of a list.
    Day,
    /// The namespace of the interface.
    Namespace,
}

/// A JSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    /// Whole numbers.
    Integer,
    /// Any numbers.
    Number,
    /// Texts.
    Text,
    /// True and false.
    Truth,
    /// Whole numbers, in an array or with commas.
    Integers,
    /// Texts, in an array or with commas.
    Texts,
    /// An object.
    Object,
    /// Whatever it is.
    Any,
}

impl JsonType {
    /// As documents and messages name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Text | Self::Any => "string",
            Self::Truth => "boolean",
            Self::Integers | Self::Texts => "array",
            Self::Object => "object",
        }
    }
}

/// The rules of values (`calendar-contract.md` 4 and 7 to 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRule {
    /// None.
    Anything,
    /// A whole number from 1.
    Positive,
    /// Such numbers, at least one.
    Positives,
    /// Any number.
    Number,
    /// A date.
    Date,
    /// A title, a name or a slug.
    Title,
    /// A description that says something.
    Body,
    /// A description, which may be empty.
    BodyOrEmpty,
    /// What is searched for.
    Search,
    /// An address, a city, a phone number and the like, which may be empty.
    Detail,
    /// A link, or nothing.
    LinkOrEmpty,
    /// The link of a picture.
    Image,
    /// The same, or nothing.
    ImageOrEmpty,
    /// A time zone, or nothing.
    Zone,
    /// One status.
    Status,
    /// Statuses that the caller may ask for.
    Statuses,
    /// False, since tickets need an extension.
    Ticketed,
    /// Degrees north or east, of that many at most, or nothing.
    Degrees(i16),
    /// An exam that can be announced.
    Exam,
    /// The number of someone who has written here, or of the caller.
    Author,
    /// The number in the path is of such a record. Of an event it is not asked before it is known who asks.
    Place(RecordKind),
    /// The slug in the path is of such a record.
    PlaceSlug(RecordKind),
    /// The number in the path is of such a term.
    PlaceTerm(Taxonomy),
    /// The number of an event.
    Event,
    /// Numbers of such records.
    Records(RecordKind),
    /// A venue: its number or its data.
    Venue,
    /// Organizers: their numbers or their data.
    Organizers,
    /// Terms that an event is to have.
    Wishes,
    /// Numbers or slugs of terms that exist.
    Terms(Taxonomy),
    /// The number of a category.
    Parent,
    /// The same, or 0 for none.
    ParentOrNone,
    /// A cost: a text or several.
    Cost,
}

impl Parameter {
    /// One that may be absent, whose type is checked.
    #[must_use]
    pub const fn of(name: &'static str, json_type: JsonType, rule: ValueRule, about: &'static str) -> Self {
        Self { name, is_required: false, rule, json_type, is_typed: true, default: Default::Absent, about }
    }

    /// The same one, which must be sent.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The same one, of any type.
    #[must_use]
    pub const fn of_any_type(self) -> Self {
        Self { is_typed: false, ..self }
    }

    /// The same one with a default.
    #[must_use]
    pub const fn or(self, default: Default) -> Self {
        Self { default, ..self }
    }

    pub(super) const fn default_number(&self) -> Option<i64> {
        match self.default {
            Default::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Whether a value is of the type that is documented.
    #[must_use]
    pub fn has_type(&self, value: &Value) -> bool {
        match self.json_type {
            JsonType::Integer => super::parameters::whole_number(value).is_some(),
            JsonType::Number => {
                value.is_number()
                    || value.as_str().is_some_and(|text| text.trim().parse::<f64>().is_ok_and(f64::is_finite))
            }
            // A picture may be sent as it is shown.
            JsonType::Text => {
                value.is_string()
                    || self.rule == ValueRule::Image && (*value == Value::Bool(false) || value.is_object())
            }
            JsonType::Truth => domain::calendar::truth::checked(value).is_some(),
            JsonType::Integers | JsonType::Texts | JsonType::Object | JsonType::Any => true,
        }
    }
}
