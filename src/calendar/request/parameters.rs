//! The parameters of a request after the checks of the route's table, as handlers see them.

use super::parsed::{ParsedValue, ParsedValues};
use super::sent::{SentParameters, list_of, text_of};
use super::table::Parameter;

/// The parameters of one request, all of them valid.
#[derive(Debug)]
pub struct Parameters {
    sent: SentParameters,
    /// The number or the slug in the path.
    place: Option<ParsedValue>,
    pub values: ParsedValues,
}

impl Parameters {
    pub(super) fn new(sent: SentParameters, place: Option<ParsedValue>, values: ParsedValues) -> Self {
        Self { sent, place, values }
    }

    /// Returns whether a value was sent, even one that the route does not know.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.sent.get(name).is_some()
    }

    /// The number in the path. It is 0, which no record has, if it is too large.
    #[must_use]
    pub fn place_number(&self) -> i64 {
        if let Some(ParsedValue::Number(number)) = self.place { number } else { 0 }
    }

    /// The slug in the path, in the form of slugs.
    #[must_use]
    pub fn place_slug(&self) -> &str {
        if let Some(ParsedValue::Text(slug)) = &self.place { slug } else { "" }
    }

    /// The parameters that the route knows, without the one in the path.
    #[must_use]
    pub fn known(&self) -> &'static [Parameter] {
        self.sent.table.fields
    }

    /// The value as links to other pages repeat it: as it was sent.
    #[must_use]
    pub fn echo(&self, name: &str) -> Option<String> {
        self.sent.get(name).and_then(text_of)
    }

    /// The list as links to other pages repeat it: with commas, whatever the form in which it was sent.
    #[must_use]
    pub fn echo_list(&self, name: &str) -> Option<String> {
        self.sent.get(name).map(|value| list_of(value).join(","))
    }
}
