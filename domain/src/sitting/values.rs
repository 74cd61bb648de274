//! The small values of a sitting: the rules of its start, of latecomers and of its results, the factor of someone's
//! time, and a change of a field that may be left out, taken away or set.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::sheet_cell::SheetCell;
use crate::time::moment::Moment;

/// The factors that a candidate's time may have, in percent.
const FACTORS: RangeInclusive<u32> = 100..=400;
/// Extra minutes: as many as a test may have.
const EXTRA_MINUTES: RangeInclusive<u32> = 0..=600;

/// When time begins to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StartRule {
    /// At the time of the sitting, by itself.
    Clock,
    /// When a proctor says so.
    Proctor,
    /// For each candidate when they enter, but not before the time of the sitting.
    Own,
}

impl StartRule {
    /// `clock`, `proctor` or `own`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clock => "clock",
            Self::Proctor => "proctor",
            Self::Own => "own",
        }
    }

    /// Parses a rule's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Clock, Self::Proctor, Self::Own].into_iter().find(|rule| rule.name() == name)
    }
}

/// What a latecomer loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LateRule {
    /// The time that they have missed.
    Cut,
    /// Nothing.
    Full,
}

impl LateRule {
    /// `cut` or `full`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Full => "full",
        }
    }

    /// Parses a rule's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Cut, Self::Full].into_iter().find(|rule| rule.name() == name)
    }
}

/// When candidates see their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultsRule {
    /// As soon as they have handed in.
    Now,
    /// When someone releases them.
    Held,
    /// At a time, as soon as nobody is at work then, or when someone releases them before.
    At(Moment),
}

impl ResultsRule {
    /// Parses `now`, `held` or a time in ISO 8601; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "now" => Some(Self::Now),
            "held" => Some(Self::Held),
            text => Moment::parse(text).map(Self::At),
        }
    }

    /// `now`, `held` or the time.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Now => "now".to_owned(),
            Self::Held => "held".to_owned(),
            Self::At(moment) => moment.iso(),
        }
    }
}

/// How much of the usual time someone gets: a whole percentage of 100 to 400.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(value_type = u32, minimum = 100, maximum = 400, examples(125))]
pub struct Factor(u32);

impl Factor {
    /// The usual time.
    pub const USUAL: Self = Self(100);
    /// The largest.
    pub const LARGEST: Self = Self(400);

    /// The factor of so many percent; `None` outside 100 to 400.
    #[must_use]
    pub fn new(percent: i64) -> Option<Self> {
        u32::try_from(percent).ok().filter(|percent| FACTORS.contains(percent)).map(Self)
    }

    /// Parses `125`, `125 %`, and a cell that a spreadsheet shows as `125%`.
    #[must_use]
    pub fn of_cell(cell: &SheetCell<'_>) -> Option<Self> {
        match cell {
            SheetCell::Percent(share) => SheetCell::Number((share * 1e6).round() / 1e4).whole_number(),
            SheetCell::Text(text) => SheetCell::text(text.trim().trim_end_matches('%')).whole_number(),
            cell => cell.whole_number(),
        }
        .and_then(Self::new)
    }

    /// In percent.
    #[must_use]
    pub const fn percent(self) -> u32 {
        self.0
    }
}

/// Extra minutes; `None` outside 0 to 600.
#[must_use]
pub fn extra_minutes(number: i64) -> Option<u32> {
    u32::try_from(number).ok().filter(|minutes| EXTRA_MINUTES.contains(minutes))
}

/// What a request says about a field that may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldChange<T> {
    /// Nothing: the stored value stays.
    #[default]
    Keep,
    /// The field becomes empty.
    Clear,
    /// The new value.
    Set(T),
}

impl<T> FieldChange<T> {
    /// The value after the change.
    #[must_use]
    pub fn or_stored(self, stored: Option<T>) -> Option<T> {
        match self {
            Self::Keep => stored,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// The same change of what the value stands for.
    #[must_use]
    pub fn map<U>(self, into: impl FnOnce(T) -> U) -> FieldChange<U> {
        match self {
            Self::Keep => FieldChange::Keep,
            Self::Clear => FieldChange::Clear,
            Self::Set(value) => FieldChange::Set(into(value)),
        }
    }

    /// Makes the change.
    pub fn apply(self, stored: &mut Option<T>) {
        *stored = self.or_stored(stored.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for rule in [StartRule::Clock, StartRule::Proctor, StartRule::Own] {
            assert_eq!(StartRule::parse(rule.name()), Some(rule));
        }
        for rule in [LateRule::Cut, LateRule::Full] {
            assert_eq!(LateRule::parse(rule.name()), Some(rule));
        }
        let at = ResultsRule::At(Moment::from_milliseconds(0));
        for rule in [ResultsRule::Now, ResultsRule::Held, at] {
            assert_eq!(ResultsRule::parse(&rule.text()), Some(rule));
        }
        assert_eq!((StartRule::parse("Clock"), ResultsRule::parse("later")), (None, None));
    }

    #[test]
    fn a_factor_is_a_whole_percentage_of_100_to_400() {
        for cell in
            [SheetCell::Number(125.0), SheetCell::text("125"), SheetCell::text(" 125 %"), SheetCell::Percent(1.25)]
        {
            assert_eq!(Factor::of_cell(&cell).map(Factor::percent), Some(125), "{cell:?}");
        }
        for cell in
            [SheetCell::Number(99.0), SheetCell::Number(401.0), SheetCell::text("1.25"), SheetCell::Percent(0.5)]
        {
            assert_eq!(Factor::of_cell(&cell), None, "{cell:?}");
        }
    }

    #[test]
    fn a_change_keeps_clears_or_sets() {
        assert_eq!(FieldChange::Keep.or_stored(Some(1)), Some(1));
        assert_eq!(FieldChange::Clear.or_stored(Some(1)), None);
        assert_eq!(FieldChange::Set(2).or_stored(Some(1)), Some(2));
    }
}
