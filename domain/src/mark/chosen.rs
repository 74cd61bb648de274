//! Which scale a template has: the school's of the moment, none, or one of its own.

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::MarkScale;

/// The word for the school's scale.
pub const OF_SCHOOL: &str = "school";

/// The scale that a template asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChosenScale {
    /// The one that the school has when a test begins, or a sitting is made.
    #[default]
    School,
    /// Results have no marks.
    Without,
    /// Its own.
    Own(MarkScale),
}

impl ChosenScale {
    /// Reads `"school"`, null or a scale; `None` for anything else.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(Self::Without),
            Value::String(word) if word == OF_SCHOOL => Some(Self::School),
            scale => MarkScale::read(scale).map(Self::Own),
        }
    }

    /// Whether the school's scale decides.
    #[must_use]
    pub fn is_of_school(&self) -> bool {
        *self == Self::School
    }

    /// The scale that it means where the school has this one.
    #[must_use]
    pub fn scale(&self, of_school: Option<MarkScale>) -> Option<MarkScale> {
        match self {
            Self::School => of_school,
            Self::Without => None,
            Self::Own(scale) => Some(scale.clone()),
        }
    }
}

impl Serialize for ChosenScale {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::School => serializer.serialize_str(OF_SCHOOL),
            Self::Without => serializer.serialize_none(),
            Self::Own(scale) => scale.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_template_has_the_school_s_none_or_its_own() {
        let own = json!({
            "type": "numbers", "basis": "percent", "worst": 6, "best": 1, "step": 0.5, "rounding": "nearest",
        });
        let scale = MarkScale::read(&own);
        for (written, chosen, expected) in [
            (json!("school"), ChosenScale::School, None),
            (json!(null), ChosenScale::Without, None),
            (own, ChosenScale::Own(scale.clone().unwrap()), scale.clone()),
        ] {
            assert_eq!(ChosenScale::read(&written), Some(chosen.clone()));
            assert_eq!(json!(chosen), written);
            assert_eq!(chosen.scale(None), expected);
        }
        assert_eq!(ChosenScale::School.scale(scale.clone()), scale);
        assert_eq!(ChosenScale::Without.scale(scale), None);
        for wrong in [json!("School"), json!(""), json!(false), json!({}), json!([])] {
            assert_eq!(ChosenScale::read(&wrong), None, "{wrong}");
        }
    }
}
