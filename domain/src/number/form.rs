//! The ways of writing a number, and sets of them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// A way of writing a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = NumberForm)]
pub enum Form {
    /// `0.5`
    Decimal,
    /// `1/2`
    Fraction,
    /// `2 1/2`
    Mixed,
}

impl Form {
    /// All of them, in the order of their lists.
    pub const ALL: [Self; 3] = [Self::Decimal, Self::Fraction, Self::Mixed];

    /// `decimal`, `fraction` or `mixed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Decimal => "decimal",
            Self::Fraction => "fraction",
            Self::Mixed => "mixed",
        }
    }

    /// Parses a form's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Some of the forms, at least one. In JSON an array of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms(u8);

impl Forms {
    /// Every form.
    pub const ALL: Self = Self(Form::Decimal.bit() | Form::Fraction.bit() | Form::Mixed.bit());

    /// These forms, in whatever order; `None` without any.
    #[must_use]
    pub fn of(forms: impl IntoIterator<Item = Form>) -> Option<Self> {
        let bits = forms.into_iter().fold(0, |bits, form| bits | form.bit());
        (bits != 0).then_some(Self(bits))
    }

    /// Parses names with commas, semicolons or white space between them, as [`Self::text`] writes them. `None` for any
    /// other text, also without a name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let names = text.split([',', ';', ' ', '\n', '\t']).filter(|name| !name.is_empty());
        names.map(Form::parse).collect::<Option<Vec<_>>>().and_then(Self::of)
    }

    /// Returns whether it has this form.
    #[must_use]
    pub const fn have(self, form: Form) -> bool {
        self.0 & form.bit() != 0
    }

    /// In the order of [`Form::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Form> {
        Form::ALL.into_iter().filter(move |form| self.have(*form))
    }

    /// The names with commas between them, such as `decimal, mixed`.
    #[must_use]
    pub fn text(self) -> String {
        self.iter().map(Form::name).collect::<Vec<_>>().join(", ")
    }
}

impl Default for Forms {
    fn default() -> Self {
        Self::ALL
    }
}

impl Serialize for Forms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Forms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let forms = Vec::<Form>::deserialize(deserializer)?;
        Self::of(forms).ok_or_else(|| serde::de::Error::custom("a number is written in at least one form"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_has_one_list_and_one_text() {
        for bits in 1..8 {
            let forms = Forms(bits);
            let json = serde_json::to_string(&forms).unwrap();
            assert_eq!(serde_json::from_str::<Forms>(&json).unwrap(), forms, "{json}");
            assert_eq!(Forms::parse(&forms.text()), Some(forms));
        }
        assert_eq!(serde_json::to_string(&Forms::ALL).unwrap(), r#"["decimal","fraction","mixed"]"#);
        assert_eq!(Forms::parse("mixed;decimal"), Forms::of([Form::Decimal, Form::Mixed]));
        for text in ["", " ", "Decimal", "decimal, roman"] {
            assert_eq!(Forms::parse(text), None, "{text:?}");
        }
        for json in ["[]", r#"["roman"]"#, r#""decimal""#] {
            assert!(serde_json::from_str::<Forms>(json).is_err(), "{json}");
        }
    }
}
