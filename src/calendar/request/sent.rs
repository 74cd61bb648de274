//! The parameters of a request before any of them is checked. JSON overrides the form, and the form overrides the
//! query, as in the original; the path is apart, since it alone says which record is meant.

use serde_json::{Map, Value};

use super::table::{Parameter, ParameterTable};

/// The parameters of one request as they were sent.
#[derive(Debug)]
pub struct SentParameters {
    /// In order; an earlier source overrides later ones.
    sources: Vec<Map<String, Value>>,
    /// The number or the slug in the path, as a text.
    place: Option<Value>,
    /// The parameters that the route knows.
    pub table: ParameterTable,
}

impl SentParameters {
    /// Takes the sources in order; earlier ones override later ones.
    #[must_use]
    pub fn new(sources: Vec<Map<String, Value>>, place: Option<String>, table: ParameterTable) -> Self {
        Self { sources, place: place.map(Value::String), table }
    }

    /// The value that counts; `None` if it is absent or null.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.sources.iter().filter_map(|source| source.get(name)).find(|value| !value.is_null())
    }

    /// The value that counts for a parameter of the table, which may be the one in the path.
    pub(super) fn value_of(&self, parameter: &Parameter) -> Option<&Value> {
        if self.table.is_place(parameter) { self.place.as_ref() } else { self.get(parameter.name) }
    }

    /// Every value that was sent under a name, including null and values that others override.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Value> {
        self.sources.iter().filter_map(move |source| source.get(name))
    }
}

/// A text, or a number or a boolean written as PHP writes it.
#[must_use]
pub fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(if *truth { "1" } else { "" }.to_owned()),
        _ => None,
    }
}

/// A whole number, even if it was sent as digits.
#[must_use]
pub fn whole_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15).map(|number| number as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// The texts of a list: an array, a text with commas, or a single value.
#[must_use]
pub fn list_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().filter_map(text_of).map(|text| text.trim().to_owned()).collect(),
        Value::Object(items) => items.values().filter_map(text_of).map(|text| text.trim().to_owned()).collect(),
        value => {
            text_of(value).map(|text| text.split(',').map(|text| text.trim().to_owned()).collect()).unwrap_or_default()
        }
    }
}
