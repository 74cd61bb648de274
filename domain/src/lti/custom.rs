//! The custom parameters of a link. They come from whoever may edit the link in the platform, so they say what is
//! wanted, and allow nothing.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Custom parameters as a launch brings them, without those that the platform did not substitute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomParameters(BTreeMap<String, String>);

impl CustomParameters {
    /// Reads the claim. A value that still is the name of a variable, such as `$ResourceLink.submission.endDateTime`,
    /// was not substituted and counts as absent, and so do empty ones and those that are no text.
    #[must_use]
    pub fn of(claim: &Map<String, Value>) -> Self {
        let told = |(name, value): (&String, &Value)| {
            let value = value.as_str().filter(|value| !value.is_empty() && !is_variable(value))?;
            Some((name.clone(), value.to_owned()))
        };
        Self(claim.iter().filter_map(told).collect())
    }

    /// The value of a parameter, if it was given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// Whether a value is the name of a variable: `$`, a letter, then letters, digits, dots and underlines.
fn is_variable(value: &str) -> bool {
    let Some(name) = value.strip_prefix('$') else { return false };
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '.' | '_'))
}

/// Whether a value can be stored by all platforms: Moodle keeps parameters as lines of `name=value`.
#[must_use]
pub fn is_storable(value: &str) -> bool {
    !value.chars().any(|character| character.is_control() || character == '=')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(claim: &Value) -> CustomParameters {
        CustomParameters::of(claim.as_object().unwrap())
    }

    #[test]
    fn what_was_not_substituted_is_absent() {
        let custom = of(&json!({
            "sitting": "42", "due": "$ResourceLink.submission.endDateTime", "person": "$Person.sourcedId",
            "price": "$5", "dollar": "$", "words": "$Person is nobody", "empty": "", "number": 7, "none": null,
        }));
        assert_eq!(custom.get("sitting"), Some("42"));
        for absent in ["due", "person", "empty", "number", "none", "never"] {
            assert_eq!(custom.get(absent), None, "{absent}");
        }
        for (name, value) in [("price", "$5"), ("dollar", "$"), ("words", "$Person is nobody")] {
            assert_eq!(custom.get(name), Some(value));
        }
    }

    #[test]
    fn lines_and_signs_of_equality_cannot_be_stored() {
        assert!(is_storable("2026-12-01T08:30:00Z") && is_storable(""));
        assert!(!is_storable("a=b") && !is_storable("a\nb") && !is_storable("a\rb"));
    }
}
