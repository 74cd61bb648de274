//! Short marks that tell versions of a question apart without its texts.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Question;

/// Tells whether the options of a question are still those that a student saw, without the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionsDigest(u64);

impl OptionsDigest {
    /// Of the texts in their order.
    #[must_use]
    pub fn of(options: &[String]) -> Self {
        Self(digest(options.iter().map(String::as_str)))
    }

    /// As a number that every database holds.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0.cast_signed()
    }

    /// The digest that has this number.
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        Self(number.cast_unsigned())
    }
}

/// Tells a version of a question from its others, by all that a report shows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VersionDigest(u64);

impl VersionDigest {
    /// Of a question as it is.
    #[must_use]
    pub fn of(question: &Question) -> Self {
        let Question { topic, difficulty, question, options, answer, explanation, image, image_description, .. } =
            question;
        let difficulty = difficulty.number().to_string();
        let texts = [topic, &difficulty, question, answer.letter_or_number(), explanation, image, image_description];
        let terms = answer.number().map(|number| (number, number.forms.text()));
        let terms = terms
            .as_ref()
            .map(|(number, forms)| [number.tolerance.as_str(), &number.unit, forms, number.language.name()]);
        let options = options.iter().map(String::as_str);
        Self(digest(texts.into_iter().chain(options).chain(terms.into_iter().flatten())))
    }

    /// As a number that every database holds.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0.cast_signed()
    }

    /// The digest that has this number.
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        Self(number.cast_unsigned())
    }
}

/// Of texts in their order.
fn digest<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_be_bytes());
        hasher.update(text);
    }
    let bytes = hasher.finalize();
    bytes.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
