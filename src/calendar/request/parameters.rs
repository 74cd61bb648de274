//! The parameters of a request. JSON overrides the form, and the form overrides the query, as in the original; the path
//! is apart, since it alone says which record is meant. Handlers see them only after the checks of the route's table.

use serde_json::{Map, Value};

pub use crate::calendar::request::body::gather;
pub use crate::calendar::request::rules::degrees;
use crate::calendar::request::table::{Parameter, ParameterTable};

/// The parameters of one request.
#[derive(Debug)]
pub struct Parameters {
    /// In order; an earlier source overrides later ones.
    sources: Vec<Map<String, Value>>,
    /// The number or the slug in the path.
    pub place: Option<String>,
    /// The parameters that the route knows.
    pub table: ParameterTable,
}

impl Parameters {
    /// Takes the sources in order; earlier ones override later ones.
    #[must_use]
    pub fn new(sources: Vec<Map<String, Value>>, place: Option<String>, table: ParameterTable) -> Self {
        Self { sources, place, table }
    }

    /// The value that counts; `None` if it is absent or null.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.sources.iter().filter_map(|source| source.get(name)).find(|value| !value.is_null())
    }

    /// Whether a value was sent.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value as a text, even if it was sent as a number.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).and_then(text_of)
    }

    /// The value as a whole number, or else the default of the table.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        let default =
            || self.table.fields.iter().find(|parameter| parameter.name == name).and_then(Parameter::default_number);
        self.get(name).and_then(whole_number).or_else(default)
    }

    /// The value of a checked boolean.
    #[must_use]
    pub fn truth(&self, name: &str) -> Option<bool> {
        self.get(name).and_then(domain::calendar::truth::checked)
    }

    /// The value of an unchecked boolean; `None` if it is absent.
    #[must_use]
    pub fn loose_truth(&self, name: &str) -> Option<bool> {
        self.get(name).map(domain::calendar::truth::loose)
    }

    /// The texts of a list: an array, a text with commas, or a single value.
    #[must_use]
    pub fn list(&self, name: &str) -> Option<Vec<String>> {
        self.get(name).map(list_of)
    }

    /// The numbers of a list. Other items are left out; the rules have refused them before.
    #[must_use]
    pub fn numbers(&self, name: &str) -> Option<Vec<i64>> {
        self.list(name).map(|items| items.iter().filter_map(|item| item.parse().ok()).collect())
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
