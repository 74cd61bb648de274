//! One cell of a sheet, independent of the file format, and its value as a text or as a whole number.

use std::borrow::Cow;
use std::fmt;

use crate::text::is_blank;
use crate::text::same::seen;

/// Spreadsheets show 15 significant digits, the first and 14 more; what follows is noise of binary fractions.
const DIGITS_AFTER_FIRST: usize = 14;
/// The size from which a number is written with an exponent.
const LARGE: f64 = 1e21;
/// The size below which a number is written with an exponent.
const SMALL: f64 = 1e-9;

/// The size from which a number may have lost digits: a spreadsheet fills them up with zeros.
pub const EXACT_BELOW: f64 = 1e15;

/// A cell; a formula counts as its value.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetCell<'a> {
    /// The cell is empty.
    Empty,
    /// A text.
    Text(Cow<'a, str>),
    /// A number that is shown by its digits.
    Number(f64),
    /// A number that the sheet shows in another way, such as `00042`, and what it shows.
    Shown(f64, Cow<'a, str>),
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A number shown as a percentage: `0.5` is 50 %.
    Percent(f64),
    /// A date, a time or a duration in ISO 8601.
    Date(Cow<'a, str>),
    /// The error that the spreadsheet shows instead of a value, such as `#REF!`.
    Error(String),
    /// A text with a mark that means something, and that no plain text can have.
    Marked(CellMark),
    /// A text that the reader has dropped, because it is too long for any column.
    TooLong,
}

impl<'a> SheetCell<'a> {
    /// A text cell, or an empty one for an empty text.
    #[must_use]
    pub fn text(text: &'a str) -> Self {
        if text.is_empty() { Self::Empty } else { Self::Text(Cow::Borrowed(text)) }
    }

    /// Returns whether a reader of the sheet would see nothing in the cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Text(text) | Self::Date(text) => is_blank(text),
            _ => false,
        }
    }

    /// The cell's text without surrounding white space; `None` for an error and for [`SheetCell::TooLong`].
    #[must_use]
    pub fn shown(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Empty => Some(Cow::Borrowed("")),
            Self::Text(text) | Self::Date(text) if is_blank(text) => Some(Cow::Borrowed("")),
            Self::Text(text) | Self::Date(text) => Some(Cow::Borrowed(text.trim())),
            Self::Number(number) => Some(Cow::Owned(number_text(*number))),
            Self::Shown(_, text) => Some(Cow::Borrowed(text)),
            Self::Percent(number) => Some(Cow::Owned(format!("{}%", number_text(number * 100.0)))),
            Self::Boolean(value) => Some(Cow::Borrowed(if *value { "TRUE" } else { "FALSE" })),
            Self::Error(_) | Self::Marked(_) | Self::TooLong => None,
        }
    }

    /// A number that a sheet shows as `text`.
    #[must_use]
    pub fn number_shown_as(number: f64, text: String) -> Self {
        if text == number_text(number) { Self::Number(number) } else { Self::Shown(number, Cow::Owned(text)) }
    }

    /// The cell without the way in which its sheet shows a number, such as with fewer decimals.
    #[must_use]
    pub fn by_value(&self) -> Self {
        match self {
            Self::Shown(number, _) => Self::Number(*number),
            cell => cell.clone(),
        }
    }

    /// The text of a cell with an identifier, whose digits must all be there. The apostrophe by which people keep a
    /// spreadsheet from taking it for a number is no part of it. `None` as in [`Self::shown`].
    ///
    /// # Errors
    /// When the spreadsheet has turned it into something else.
    pub fn identifier(&self) -> Result<Option<Cow<'_, str>>, NoIdentifier> {
        match self {
            Self::Date(date) => Err(NoIdentifier::Moment(if date.contains('-') { "date" } else { "time" })),
            Self::Number(number) | Self::Shown(number, _) if number.abs() >= EXACT_BELOW => Err(NoIdentifier::Lost),
            Self::Text(text) if is_shortened(text.trim()) => Err(NoIdentifier::Lost),
            Self::Text(text) if !is_blank(text) => {
                let text = text.trim();
                Ok(Some(Cow::Borrowed(text.strip_prefix('\'').unwrap_or(text))))
            }
            cell => Ok(cell.shown()),
        }
    }

    /// The cell's value as a whole number: `5`, `5.0` and ` 5 ` are five. `None` when it is not one.
    #[must_use]
    pub fn whole_number(&self) -> Option<i64> {
        let number = match self {
            Self::Number(number) | Self::Shown(number, _) => *number,
            Self::Text(text) => seen(text).parse().ok()?,
            _ => return None,
        };
        // The values that columns accept are far smaller than this bound.
        #[allow(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
        (number.fract() == 0.0 && number.abs() < 1e9).then_some(number as i64)
    }
}

/// A mark of a text in a sheet that a plain text can't have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellMark {
    /// It is struck out, in whole or in part.
    Struck,
    /// Some of it stands higher or lower than the rest, and there are no signs for it.
    Raised,
}

impl fmt::Display for CellMark {
    /// What is said of a cell with it, behind its column's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Struck => "has text that is struck out: remove it, or the whole row",
            Self::Raised => "has raised or lowered text: write it as a formula, such as $x^{n}$",
        })
    }
}

/// What a spreadsheet has made of an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoIdentifier {
    /// A `date` or a `time`.
    Moment(&'static str),
    /// A number of which only 15 digits are left, or fewer.
    Lost,
}

/// Returns whether a text is what a spreadsheet writes into a file of text for a long number, such as `1.23457E+12`.
fn is_shortened(text: &str) -> bool {
    let Some((digits, exponent)) = text.split_once("E+") else { return false };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
    are_digits(whole) && are_digits(fraction) && are_digits(exponent)
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
    fn an_identifier_has_all_its_digits_or_is_refused() {
        for (cell, id) in [
            (SheetCell::Number(17.0), "17"),
            (SheetCell::Number(123_456_789_012_345.0), "123456789012345"),
            (SheetCell::number_shown_as(42.0, "000042".to_owned()), "000042"),
            (SheetCell::text(" 00042 "), "00042"),
            (SheetCell::text("'00042"), "00042"),
            (SheetCell::text("12E5"), "12E5"),
            (SheetCell::text("12345678901234567890"), "12345678901234567890"),
        ] {
            assert_eq!(cell.identifier().unwrap().unwrap(), id, "{cell:?}");
        }
        for cell in [
            SheetCell::Number(1_234_567_890_123_456.0),
            SheetCell::Shown(1_234_567_890_123_450.0, "1234567890123450".into()),
            SheetCell::text("1.23457E+12"),
            SheetCell::text("1,23457E+12"),
            SheetCell::text("1E+15"),
        ] {
            assert_eq!(cell.identifier(), Err(NoIdentifier::Lost), "{cell:?}");
        }
        assert_eq!(SheetCell::Date("2026-01-05".into()).identifier(), Err(NoIdentifier::Moment("date")));
        assert_eq!(SheetCell::Shown(42.0, "000042".into()).whole_number(), Some(42));
        assert_eq!(SheetCell::number_shown_as(42.0, "42".to_owned()), SheetCell::Number(42.0));
    }

    #[test]
    fn what_nobody_sees_is_empty() {
        for cell in
            [SheetCell::Empty, SheetCell::text(""), SheetCell::text(" \u{a0}\n\t"), SheetCell::text("\u{200B}\u{FEFF}")]
        {
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
