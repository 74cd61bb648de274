//! The parts of a sitting's paper, which are sealed one by one, and which form of it a candidate gets.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::candidate::Candidate;
use crate::band::Band;
use crate::form::{FORMS_MAX, FormLetter, of_candidate, of_seat};

/// A part of a paper. In JSON and in addresses `1`, of other forms `1-B` and so on, or the label of a band, such as
/// `80-90`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaperPart {
    /// What those of a form begin with: the whole standard test, or stage 1 of an adaptive one, which has form A alone.
    First(FormLetter),
    /// Stage 2 of those who have reached this band.
    Second(Band),
}

/// The names of the first parts, by form. That of form A is the name that a test with one form has.
const FIRST: [&str; FORMS_MAX] = ["1", "1-B", "1-C", "1-D", "1-E", "1-F", "1-G", "1-H"];

impl PaperPart {
    /// What those of a form begin with, without one that of the only form.
    #[must_use]
    pub fn first_of(form: Option<FormLetter>) -> Self {
        Self::First(form.unwrap_or(FormLetter::A))
    }

    /// The name in JSON and in addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::First(form) => FIRST.get(form.number()).copied().unwrap_or_default(),
            Self::Second(band) => band.label(),
        }
    }

    /// Parses a part's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let first = FormLetter::all(FORMS_MAX).map(Self::First).find(|part| part.name() == name);
        first.or_else(|| Band::parse(name).map(Self::Second))
    }
}

/// The form of a candidate of a paper with so many: the one that they were given when they entered, as long as the
/// paper has it, and before that the one of their seat. `None` where there is one form alone.
#[must_use]
pub fn own_form(given: Option<FormLetter>, candidate: Uuid, seat: Option<&str>, forms: usize) -> Option<FormLetter> {
    let own = || given.filter(|form| form.number() < forms).unwrap_or_else(|| of_candidate(candidate, seat, forms));
    (forms > 1).then(own)
}

/// What the form of a candidate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FormBy {
    /// They have entered, and keep what they got.
    Entered,
    /// Their seat gives it when they enter.
    Seat,
    /// The seat says nothing, so that it is by chance.
    Chance,
}

/// The form of a candidate, with what it comes from: before they enter the one that they would get now, and then the
/// one that they got, if it is known. `None` where there is one form alone, and for who has not entered when the
/// sitting is over.
#[must_use]
pub fn form_of(
    candidate: &Candidate,
    given: Option<FormLetter>,
    forms: usize,
    is_over: bool,
) -> Option<(FormLetter, FormBy)> {
    if candidate.has_entered() {
        return given.map(|form| (form, FormBy::Entered));
    }
    let seat = candidate.seat.as_deref();
    let by = if seat.and_then(|seat| of_seat(seat, forms)).is_some() { FormBy::Seat } else { FormBy::Chance };
    own_form(None, candidate.id, seat, forms).filter(|_| !is_over).map(|form| (form, by))
}

impl fmt::Display for PaperPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Serialize for PaperPart {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for PaperPart {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| serde::de::Error::custom("no part of a paper"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sitting::candidate::Person;

    #[test]
    fn every_part_has_a_name_of_its_own() {
        let firsts = FormLetter::all(FORMS_MAX).map(PaperPart::First);
        for part in firsts.chain(Band::ALL.map(PaperPart::Second)) {
            assert_eq!(PaperPart::parse(part.name()), Some(part));
            assert_eq!(serde_json::to_value(part).unwrap(), part.name());
        }
        for name in ["", "2", "1-A", "1-I", "1-b", "1B", "1-", "A"] {
            assert_eq!(PaperPart::parse(name), None, "{name:?}");
        }
        assert_eq!(PaperPart::first_of(None).name(), "1", "as papers were sealed when there were no forms");
        assert_eq!(PaperPart::first_of(FormLetter::at(1)).name(), "1-B");
    }

    #[test]
    fn a_form_is_by_the_seat_until_somebody_enters() {
        let new = |seat: Option<&str>| Candidate {
            seat: seat.map(str::to_owned),
            ..Candidate::new(Uuid::from_u128(7), Person::default(), "Ada".to_owned())
        };
        let seated = form_of(&new(Some("B4")), None, 4, false);
        assert_eq!(seated, of_seat("B4", 4).map(|form| (form, FormBy::Seat)));
        for chance in [None, Some("window")] {
            let own = of_candidate(Uuid::from_u128(7), chance, 4);
            assert_eq!(form_of(&new(chance), None, 4, false), Some((own, FormBy::Chance)));
        }
        assert_eq!(form_of(&new(Some("B4")), FormLetter::at(1), 4, false), seated, "nothing is given before");
        assert_eq!(form_of(&new(Some("B4")), None, 4, true), None, "they sit none any more");
        assert_eq!(form_of(&new(Some("B4")), None, 1, false), None);

        let entered = Candidate { session_id: Some(Uuid::nil()), ..new(Some("B4")) };
        for (forms, is_over) in [(4, false), (4, true), (1, true)] {
            let given = FormLetter::at(1).map(|form| (form, FormBy::Entered));
            assert_eq!(form_of(&entered, FormLetter::at(1), forms, is_over), given, "whatever the template is now");
            assert_eq!(form_of(&entered, None, forms, is_over), None, "it is not known here, or there was none");
        }
        assert_eq!(
            serde_json::to_value([FormBy::Entered, FormBy::Seat, FormBy::Chance]).unwrap(),
            serde_json::json!(["entered", "seat", "chance"])
        );
    }

    #[test]
    fn a_form_that_was_given_stays_while_there_is_one() {
        let ada = Uuid::from_u128(7);
        let of_seat = of_candidate(ada, Some("B4"), 3);
        assert_eq!(own_form(None, ada, Some("B4"), 3), Some(of_seat));
        for given in FormLetter::all(3) {
            assert_eq!(own_form(Some(given), ada, Some("B4"), 3), Some(given), "another seat changes nothing");
        }
        let gone = FormLetter::at(3);
        assert_eq!(own_form(gone, ada, Some("B4"), 3), Some(of_seat), "the paper has no form D any more");
        for given in [None, Some(FormLetter::A), gone] {
            assert_eq!([0, 1].map(|forms| own_form(given, ada, Some("B4"), forms)), [None; 2]);
        }
    }
}
