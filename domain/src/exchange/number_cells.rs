//! What a row says of a question that is answered with a number, beside what all questions have.

use super::draft::{noted, text};
use super::{Heading, RowError};
use crate::number::{Forms, Language, NO_TOLERANCE, NumberKey, NumberTerms, decimal, tolerance, unit};
use crate::question::Question;
use crate::sheet_cell::SheetCell;
use crate::text::same::seen_in_any_case;

/// The texts of the cells that only a number has. Other questions leave them empty.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberCells([String; 4]);

impl NumberCells {
    /// Tolerance, unit, forms and language.
    pub(super) const fn texts(&self) -> &[String; 4] {
        &self.0
    }

    pub(super) fn read<'a>(cell: impl Fn(Heading) -> &'a SheetCell<'a>, faults: &mut Vec<RowError>) -> Self {
        Self(
            Heading::OF_NUMBERS.map(|column| noted(text(&cell(column).by_value(), column), faults).unwrap_or_default()),
        )
    }

    /// Takes the stored value of this column.
    pub(super) fn keep(&mut self, column: Heading, stored: &Question) {
        let place = Heading::OF_NUMBERS.into_iter().position(|known| known == column);
        if let Some(text) = place.and_then(|place| self.0.get_mut(place)) {
            *text = column.of(stored).shown().unwrap_or_default().into_owned();
        }
    }

    /// The key with this number; every fault is noted.
    pub(super) fn key(&self, answer: &str, faults: &mut Vec<RowError>) -> Option<NumberKey> {
        let [of_tolerance, of_unit, of_forms, of_language] = &self.0;
        let answer = noted(decimal(answer).ok_or(RowError::Number), faults);
        let tolerance = if of_tolerance.is_empty() { Some(NO_TOLERANCE.to_owned()) } else { tolerance(of_tolerance) };
        let tolerance = noted(tolerance.ok_or(RowError::Tolerance), faults);
        let unit = noted(unit(of_unit).ok_or(RowError::Unit), faults);
        let forms = Some(Forms::default()).filter(|_| of_forms.is_empty());
        let forms = forms.or_else(|| Forms::parse(&seen_in_any_case(of_forms)));
        let forms = noted(forms.ok_or(RowError::Forms), faults);
        let language = Some(Language::default()).filter(|_| of_language.is_empty());
        let language = language.or_else(|| Language::parse(&seen_in_any_case(of_language)));
        let language = noted(language.ok_or(RowError::Language), faults);
        let terms = NumberTerms { tolerance: tolerance?, unit: unit?, forms: forms?, language: language? };
        Some(NumberKey::of(answer?, terms))
    }
}
