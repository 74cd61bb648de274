//! One cell of a sheet, independent of the file format, and its value as a text or as a whole number.

use std::borrow::Cow;

/// Spreadsheets show 15 significant digits, the first and 14 more; what follows is noise of binary fractions.
const DIGITS_AFTER_FIRST: usize = 14;
/// Numbers from this size on are written with an exponent.
const LARGE: f64 = 1e21;
/// Numbers below this size are too.
const SMALL: f64 = 1e-9;

/// A cell; a formula counts as its value.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetCell<'a> {
    /// The cell is empty.
    Empty,
    /// A text.
    Text(Cow<'a, str>),
    /// A number.
    Number(f64),
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A number shown as a percentage: `0.5` is 50 %.
    Percent(f64),
    /// A date, a time or a duration in ISO 8601.
    Date(Cow<'a, str>),
    /// The error that the spreadsheet shows instead of a value, such as `#REF!`.
    Error(String),
    /// A text that the reader has dropped, because it is too long for any column.
    TooLong,
}

impl<'a> SheetCell<'a> {
    /// A text cell, or an empty one for an empty text.
    #[must_use]
    pub fn text(text: &'a str) -> Self {
        if text.is_empty() { Self::Empty } else { Self::Text(Cow::Borrowed(text)) }
    }

    /// Whether a reader of the sheet would see nothing in the cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Text(text) | Self::Date(text) => text.trim().is_empty(),
            _ => false,
        }
    }

    /// The cell's text without surrounding white space; `None` for an error and for [`SheetCell::TooLong`].
    #[must_use]
    pub fn shown(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Empty => Some(Cow::Borrowed("")),
            Self::Text(text) | Self::Date(text) => Some(Cow::Borrowed(text.trim())),
            Self::Number(number) => Some(Cow::Owned(number_text(*number))),
            Self::Percent(number) => Some(Cow::Owned(format!("{}%", number_text(number * 100.0)))),
            Self::Boolean(value) => Some(Cow::Borrowed(if *value { "TRUE" } else { "FALSE" })),
            Self::Error(_) | Self::TooLong => None,
        }
    }

    /// The cell's value as a whole number: `5`, `5.0` and ` 5 ` are five. `None` when it is not one.
    #[must_use]
    pub fn whole_number(&self) -> Option<i64> {
        let number = match self {
            Self::Number(number) => *number,
            Self::Text(text) => text.trim().parse().ok()?,
            _ => return None,
        };
        // The values that columns accept are far smaller than this bound.
        #[allow(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
        (number.fract() == 0.0 && number.abs() < 1e9).then_some(number as i64)
    }
}

/// The number as a spreadsheet shows it: `12` instead of `12.0`, `0.3` instead of `0.30000000000000004`.
fn number_text(number: f64) -> String {
    let rounded = format!("{number:.DIGITS_AFTER_FIRST$e}").parse().unwrap_or(number);
    if rounded == 0.0 {
        "0".to_owned()
    } else if (SMALL..LARGE).contains(&rounded.abs()) {
        rounded.to_string()
    } else {
        format!("{rounded:E}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_shown() {
        let shown = [
            (12.0, "12"),
            (0.5, "0.5"),
            (-3.25, "-3.25"),
            (0.1 + 0.2, "0.3"),
            (-0.0, "0"),
            (1_000_000.0, "1000000"),
            (1.0 / 3.0, "0.333333333333333"),
            (123_456_789_012_345.0, "123456789012345"),
            (1e300, "1E300"),
            (2.5e-12, "2.5E-12"),
        ];
        for (number, text) in shown {
            assert_eq!(SheetCell::Number(number).shown().unwrap(), text);
        }
        assert_eq!(SheetCell::Percent(0.55).shown().unwrap(), "55%");
    }

    #[test]
    fn whole_numbers_are_understood_as_numbers_and_as_texts() {
        for cell in [
            SheetCell::Number(5.0),
            SheetCell::text("5"),
            SheetCell::text(" 5 "),
            SheetCell::text("5.0"),
            SheetCell::text("\u{a0}5\n"),
        ] {
            assert_eq!(cell.whole_number(), Some(5), "{cell:?}");
        }
        let others = [
            SheetCell::Number(5.5),
            SheetCell::Number(f64::NAN),
            SheetCell::Number(f64::INFINITY),
            SheetCell::Number(1e300),
            SheetCell::text("five"),
            SheetCell::text("5,0"),
            SheetCell::text("inf"),
            SheetCell::Boolean(true),
            SheetCell::Date("2026-01-05".into()),
            SheetCell::Empty,
            SheetCell::TooLong,
        ];
        for cell in others {
            assert_eq!(cell.whole_number(), None, "{cell:?}");
        }
    }

    #[test]
    fn what_nobody_sees_is_empty() {
        for cell in [SheetCell::Empty, SheetCell::text(""), SheetCell::text(" \u{a0}\n\t")] {
            assert!(cell.is_empty(), "{cell:?}");
        }
        for cell in [
            SheetCell::Number(0.0),
            SheetCell::Boolean(false),
            SheetCell::Error("#N/A".to_owned()),
            SheetCell::TooLong,
            SheetCell::text("0"),
        ] {
            assert!(!cell.is_empty(), "{cell:?}");
        }
    }
}
