//! The description of a parameter: one entry, by which it is both checked and documented.

use serde_json::Value;

use crate::calendar::store::records::{RecordKind, Taxonomy};

/// A parameter of a route.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// Whether the route requires it.
    pub is_required: bool,
    /// The rule for its value.
    pub rule: ValueRule,
    pub json_type: JsonType,
    /// Whether the type is checked, after the rules.
    pub is_typed: bool,
    /// The value that counts if it is absent.
    pub default: Default,
    /// The description for people.
    pub about: &'static str,
}

/// The parameters of a route and method.
#[derive(Clone, Copy, Debug)]
pub struct ParameterTable {
    /// The parameter in the path.
    pub place: Option<&'static Parameter>,
    /// The parameters that can be sent.
    pub fields: &'static [Parameter],
    /// Whether required fields must be sent, which is so only when a record is created.
    pub is_needed: bool,
    /// Whether null is as if the field were not sent, whatever the field's type.
    pub is_null_absent: bool,
}

impl ParameterTable {
    /// All parameters in order.
    pub fn iter(&self) -> impl Iterator<Item = &'static Parameter> {
        self.place.into_iter().chain(self.fields)
    }

    /// Returns whether this parameter must be sent, or be in the path.
    #[must_use]
    pub fn needs(&self, parameter: &Parameter) -> bool {
        parameter.is_required && (self.is_needed || self.is_place(parameter))
    }

    /// Returns whether null in this field is as if it were not sent. The document of the original names null as the
    /// default of a `website`, and of the fields of venues and organizers.
    #[must_use]
    pub fn ignores_null(&self, parameter: &Parameter) -> bool {
        self.is_null_absent || parameter.rule == ValueRule::LinkOrEmpty
    }

    /// Returns whether this is the parameter in the path. One of the fields may have the same name.
    #[must_use]
    pub fn is_place(&self, parameter: &Parameter) -> bool {
        self.place.is_some_and(|place| std::ptr::eq(place, parameter))
    }
}

/// The value that counts if a parameter is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    Absent,
    Number(i64),
    Truth(bool),
    Text(&'static str),
    /// A day that depends on today's date. The window of a list computes it.
    Day,
    Namespace,
}

/// The type of a value, as the documents name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonType {
    Integer,
    Number,
    Text,
    Truth,
    /// Whole numbers, in an array or separated by commas.
    Integers,
    /// Texts, in an array or separated by commas.
    Texts,
    Object,
    Any,
}

impl JsonType {
    /// The name in documents and messages.
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

/// The rule for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRule {
    /// No rule.
    Anything,
    /// A boolean. The check of types refuses what is none.
    Truth,
    /// A boolean that is never refused: what is not true is false.
    Flag,
    /// A whole number from 1 on.
    Positive,
    /// Whole numbers from 1 on, at least one.
    Positives,
    Number,
    Date,
    /// A title, a name or a slug.
    Title,
    /// A description that is not empty.
    Body,
    /// A description, which may be empty.
    BodyOrEmpty,
    /// The text of a search.
    Search,
    /// An address, a city, a phone number and the like, which may be empty.
    Detail,
    /// A link, or an empty text.
    LinkOrEmpty,
    /// The link of a picture. An object or `false` passes too, since answers show pictures so.
    Image,
    /// The link of a picture, or an empty text.
    ImageOrEmpty,
    /// A time zone, or an empty text.
    Zone,
    Status,
    /// Statuses that the caller may list.
    Statuses,
    /// Must be false, since tickets need an extension of the original.
    Ticketed,
    /// Degrees north or east, up to this many, or an empty text.
    Degrees(i16),
    /// An exam that an event can announce.
    Exam,
    /// The number of an author who has written here before.
    Author,
    /// The number in the path belongs to such a record. For an event the handler looks it up, once the caller is known.
    Place(RecordKind),
    /// The slug in the path belongs to such a record.
    PlaceSlug(RecordKind),
    /// The number in the path belongs to such a term.
    PlaceTerm(Taxonomy),
    /// The number of an event.
    Event,
    /// Numbers of such records.
    Records(RecordKind),
    /// A venue: its number or its data.
    Venue,
    /// Organizers: their numbers or their data.
    Organizers,
    /// Terms that an event should have; they need not exist.
    Wishes,
    /// Numbers or slugs of existing terms.
    Terms(Taxonomy),
    /// The number of an existing category.
    Parent,
    /// The number of an existing category, or 0 for none.
    ParentOrNone,
    /// A text or several that say what an event costs.
    Cost,
}

impl Parameter {
    /// A parameter that may be absent and whose type is checked.
    #[must_use]
    pub const fn of(name: &'static str, json_type: JsonType, rule: ValueRule, about: &'static str) -> Self {
        Self { name, is_required: false, rule, json_type, is_typed: true, default: Default::Absent, about }
    }

    /// The same parameter, but it must be sent.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The same parameter, but of any type.
    #[must_use]
    pub const fn of_any_type(self) -> Self {
        Self { is_typed: false, ..self }
    }

    /// The same parameter with a default.
    #[must_use]
    pub const fn or(self, default: Default) -> Self {
        Self { default, ..self }
    }

    /// Returns whether a value has the documented type.
    #[must_use]
    pub fn has_type(&self, value: &Value) -> bool {
        match self.json_type {
            JsonType::Integer => super::sent::whole_number(value).is_some(),
            JsonType::Number => {
                value.is_number()
                    || value.as_str().is_some_and(|text| text.trim().parse::<f64>().is_ok_and(f64::is_finite))
            }
            // A picture may also be sent in the form in which answers show it.
            JsonType::Text => {
                value.is_string()
                    || self.rule == ValueRule::Image && (*value == Value::Bool(false) || value.is_object())
            }
            JsonType::Truth => domain::calendar::truth::checked(value).is_some(),
            JsonType::Integers | JsonType::Texts | JsonType::Object | JsonType::Any => true,
        }
    }
}
