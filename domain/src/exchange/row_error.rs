//! Why a row of a sheet is refused. A row has all its faults named at once, so that nobody imports a file five times to
//! learn of five of them.

use std::fmt::{Display, Formatter};

use thiserror::Error;

use super::{Heading, PRACTICE, SECURE};
use crate::sheet_cell::CellMark;

/// Why a row is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowError {
    /// A cell that must have a value is empty.
    #[error("{0} required")]
    Required(&'static str),
    /// The grade is not a whole number from 1 to 10.
    #[error("grade must be 1 to 10")]
    Grade,
    /// The difficulty is not a whole number from 1 to 5.
    #[error("difficulty must be 1 to 5")]
    Difficulty,
    /// The answer is not a letter from A to D.
    #[error("answer must be one of A, B, C, D")]
    Answer,
    /// The answer of a question that asks for a number is none.
    #[error("answer must be a number in digits, such as 12, -3 or 0.5")]
    Number,
    /// The tolerance of a number is none.
    #[error("tolerance must be a number in digits that is not negative")]
    Tolerance,
    /// The unit of a number is too long, or reads like a part of it.
    #[error("unit must have at most 20 characters, and not begin like a number")]
    Unit,
    /// The ways of writing a number are none that are known.
    #[error("forms must be some of decimal, fraction, mixed")]
    Forms,
    /// The language of a number is none that is known.
    #[error("language must be en or vi")]
    Language,
    /// A question that asks for a number has options.
    #[error("a question of the type number has no options")]
    NumberOptions,
    /// The mark of a question for exams alone is neither yes nor no.
    #[error("secure must be yes or no")]
    Secure,
    /// The mark of a question that anyone may read with its key is neither yes nor no.
    #[error("practice must be yes or no")]
    Practice,
    /// The answer points to an option that the row leaves empty.
    #[error("answer {0} has no option")]
    NoOption(&'static str),
    /// An option follows an empty one. Closing the gap would move it to another letter.
    #[error("{0} is empty, but {1} is not")]
    Hole(&'static str, &'static str),
    /// A text is longer than its limit.
    #[error("{0} is longer than {1} characters")]
    TooLong(&'static str, usize),
    /// A text has control characters, which databases and pages do not handle well.
    #[error("{0} has control characters")]
    Control(&'static str),
    /// The spreadsheet shows an error instead of a value.
    #[error("{0} has the error {1}")]
    Broken(&'static str, String),
    /// The spreadsheet has turned typed texts into dates or times, as it does with `1/2`. Formatting such a cell as
    /// text afterwards shows a number of days, so the text must be typed again.
    #[error("{0}")]
    Moments(Moments),
    /// A text has a mark that no plain text can have.
    #[error("{0} {1}")]
    Marked(&'static str, CellMark),
    /// The spreadsheet has made a number of an identifier and lost digits of it.
    #[error("{0} has lost digits: format the column as text and type it again")]
    Lost(&'static str),
    /// Two options are equal, so that a student could choose the right one and be marked wrong.
    #[error("{0} and {1} are equal")]
    Equal(&'static str, &'static str),
    /// Whether the options keep their order is said in another way than with yes or no.
    #[error("fixedOptions must be yes or no")]
    FixedOptions,
    /// An earlier row has the same id; this is where it stands.
    #[error("id {0} stands in {1} already")]
    Repeated(String, String),
    /// The address of the picture is none, or one at which there could be something else.
    #[error("{0} must be an https address, a data:image address, or a path below /media, /pictures or /assets")]
    Picture(&'static str),
    /// The picture is one that this server has not got.
    #[error("{0} is not stored here")]
    NotStored(&'static str),
    /// The type is none that can be written here.
    #[error("type must be multiple-choice or number")]
    Kind,
    /// The question of this id was retired. It can be brought back, but not overwritten.
    #[error("Question is retired")]
    Retired,
    /// A JSON field that must be a text has another type.
    #[error("{0} must be a text")]
    NoText(&'static str),
    /// The JSON field `options` is not an array of two to four texts.
    #[error("options must be two to four texts")]
    Options,
    /// The JSON row is not an object.
    #[error("a row must be an object")]
    NoObject,
}

impl RowError {
    /// The field that the error is about, by its name in the JSON of a question.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::Required(name)
            | Self::TooLong(name, _)
            | Self::Control(name)
            | Self::Broken(name, _)
            | Self::Marked(name, _)
            | Self::Lost(name)
            | Self::Picture(name)
            | Self::NotStored(name)
            | Self::NoText(name) => {
                if is_option(name) {
                    "options"
                } else {
                    name
                }
            }
            Self::Grade => "grade",
            Self::Difficulty => "difficulty",
            Self::Answer | Self::NoOption(_) | Self::Number => "answer",
            Self::Tolerance => Heading::Tolerance.name(),
            Self::Unit => Heading::Unit.name(),
            Self::Forms => Heading::Forms.name(),
            Self::Language => Heading::Language.name(),
            Self::Secure => SECURE,
            Self::Practice => PRACTICE,
            Self::FixedOptions => Heading::FixedOptions.name(),
            Self::Kind => Heading::Type.name(),
            Self::Moments(Moments { columns, .. }) => match columns.as_slice() {
                &[column] if !is_option(column) => column,
                _ => "options",
            },
            Self::Hole(..) | Self::Equal(..) | Self::Options | Self::NumberOptions => "options",
            Self::Repeated(..) | Self::Retired => "id",
            Self::NoObject => "body",
        }
    }
}

/// Returns whether it is the name of the column of an option.
fn is_option(column: &str) -> bool {
    Heading::OPTIONS.iter().any(|option| option.name() == column)
}

/// Cells that the spreadsheet has turned into dates or into times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moments {
    /// `date` or `time`.
    pub kind: &'static str,
    /// The columns, at least one.
    pub columns: Vec<&'static str>,
}

impl Display for Moments {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { kind, columns } = self;
        match columns.as_slice() {
            [column] => write!(formatter, "{column} is a {kind}: format the cell as text and type it again"),
            [others @ .., last] => write!(
                formatter,
                "{} and {last} are {kind}s: format the cells as text and type them again",
                others.join(", ")
            ),
            [] => Ok(()),
        }
    }
}

/// All faults of a row, at least one, in the order of its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowErrors {
    first: RowError,
    others: Vec<RowError>,
}

impl RowErrors {
    /// `Err` if there are any.
    ///
    /// # Errors
    /// All of them.
    pub(super) fn check(mut errors: Vec<RowError>) -> Result<(), Self> {
        if errors.is_empty() {
            return Ok(());
        }
        let others = errors.split_off(1);
        errors.pop().map_or(Ok(()), |first| Err(Self { first, others }))
    }

    /// All faults, in the order of the columns.
    pub fn iter(&self) -> impl Iterator<Item = &RowError> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// These faults and more.
    pub(super) fn and(mut self, more: Vec<RowError>) -> Self {
        self.others.extend(more);
        self
    }

    /// The fault of the first column.
    #[must_use]
    pub fn first(&self) -> &RowError {
        &self.first
    }
}

impl From<RowError> for RowErrors {
    fn from(first: RowError) -> Self {
        Self { first, others: Vec::new() }
    }
}

impl Display for RowErrors {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.first, formatter)?;
        self.others.iter().try_for_each(|error| write!(formatter, "; {error}"))
    }
}
