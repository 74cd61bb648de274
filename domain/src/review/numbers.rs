//! What an edit may change of a question that is answered with a number, and what its editor has seen of it.

use serde::Deserialize;
use serde_json::Value;

use super::{EditRefusal, is_same};
use crate::number::{Form, Forms, Language, NumberKey, NumberTerms, decimal, tolerance, unit};

/// The fields of an edit that only a number has, each valid by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NumberUpdates {
    tolerance: Option<String>,
    unit: Option<String>,
    forms: Option<Forms>,
    language: Option<Language>,
}

impl NumberUpdates {
    /// Takes the value of this field; `None` when it is none of a number, or has a value that can't be stored.
    pub(super) fn read(&mut self, name: &str, value: &Value) -> Option<()> {
        match name {
            "tolerance" => self.tolerance = Some(tolerance(value.as_str()?)?),
            "unit" => self.unit = Some(unit(value.as_str()?)?),
            "forms" => self.forms = Some(Forms::deserialize(value).ok()?),
            "language" => self.language = Some(Language::parse(value.as_str()?)?),
            _ => return None,
        }
        Some(())
    }

    pub(super) fn are_none(&self) -> bool {
        *self == Self::default()
    }

    /// The key after the edit.
    pub(super) fn apply(self, answer: Option<&str>, before: &NumberKey) -> Result<NumberKey, EditRefusal> {
        let answer = answer.map(|answer| decimal(answer).ok_or(EditRefusal::Invalid)).transpose()?;
        Ok(NumberKey {
            answer: answer.unwrap_or_else(|| before.answer.clone()),
            tolerance: self.tolerance.unwrap_or_else(|| before.tolerance.clone()),
            unit: self.unit.unwrap_or_else(|| before.unit.clone()),
            forms: self.forms.unwrap_or(before.forms),
            language: self.language.unwrap_or(before.language),
        })
    }
}

/// The key that the first entry of a question's history writes, from the texts of its fields.
pub(super) fn as_written(text: impl Fn(&str) -> String) -> Option<NumberKey> {
    let terms = NumberTerms {
        tolerance: text("Tolerance"),
        unit: text("Unit"),
        forms: Forms::parse(&text("Forms"))?,
        language: Language::parse(&text("Language"))?,
    };
    Some(NumberKey::of(text("Answer"), terms)).filter(NumberKey::is_sound)
}

/// Returns whether a number is still as it was seen. What is absent is not compared, and a question with options has
/// none of it.
pub(super) fn is_seen(
    stored: Option<&NumberKey>,
    [tolerance, unit, language]: [Option<&str>; 3],
    forms: Option<&[String]>,
) -> bool {
    let Some(key) = stored else { return [tolerance, unit, language] == [None; 3] && forms.is_none() };
    let is_text = |seen: Option<&str>, stored: &str| seen.is_none_or(|seen| is_same(seen, stored));
    let are_forms = |seen: &[String]| Forms::of(seen.iter().filter_map(|name| Form::parse(name))) == Some(key.forms);
    is_text(tolerance, &key.tolerance)
        && is_text(unit, &key.unit)
        && is_text(language, key.language.name())
        && forms.is_none_or(are_forms)
}
