//! One row of a sheet: the columns of the header, the question that a row describes, and why a row is refused.

use std::borrow::Cow;

use thiserror::Error;

use super::{Heading, ID_UNITS_MAX, SheetCell};
use crate::grade::Grade;
use crate::question::{self, Choice, Difficulty, Question, TEXT_UNITS_MAX};

/// The topic of a row that gives none.
const TOPIC: &str = "General";
/// The source of a row that gives none.
const SOURCE: &str = "import";
/// The type of a row that gives none.
const KIND: &str = "multiple-choice";

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
    /// The spreadsheet has turned the typed text into a date or a time, as it does with `1/2`.
    #[error("{0} is a {1}: format the cell as text")]
    Moment(&'static str, &'static str),
    /// An earlier row has the same id.
    #[error("id {0} stands in row {1} already")]
    Repeated(String, u32),
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
            | Self::Moment(name, _)
            | Self::NoText(name) => {
                if Heading::OPTIONS.iter().any(|option| option.name() == *name) {
                    "options"
                } else {
                    name
                }
            }
            Self::Grade => "grade",
            Self::Difficulty => "difficulty",
            Self::Answer | Self::NoOption(_) => "answer",
            Self::Hole(..) | Self::Options => "options",
            Self::Repeated(..) => "id",
            Self::NoObject => "body",
        }
    }
}

/// Why a row can't be the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// Required columns are missing; these are their names.
    Missing(Vec<&'static str>),
    /// Two columns have this name.
    Repeated(&'static str),
}

/// The position of each column in a sheet.
#[derive(Clone, Debug)]
pub struct SheetColumns([Option<usize>; Heading::COUNT]);

impl SheetColumns {
    /// Finds the columns in a header row. Case and white space in names are ignored, and so are unknown columns.
    ///
    /// # Errors
    /// When a required column is missing, or a column occurs twice.
    pub fn find(header: &[SheetCell<'_>]) -> Result<Self, HeaderError> {
        let names: Vec<String> = header.iter().map(|cell| normal(&cell.shown().unwrap_or_default())).collect();
        let columns = Self(Heading::ALL.map(|column| names.iter().position(|name| *name == normal(column.name()))));
        let missing: Vec<_> =
            Heading::REQUIRED.into_iter().filter(|column| !columns.have(*column)).map(Heading::name).collect();
        if !missing.is_empty() {
            return Err(HeaderError::Missing(missing));
        }
        let is_repeated = |column: &Heading| names.iter().filter(|name| **name == normal(column.name())).count() > 1;
        Heading::ALL
            .into_iter()
            .find(is_repeated)
            .map_or(Ok(columns), |column| Err(HeaderError::Repeated(column.name())))
    }

    /// All columns, in the order of [`Heading::ALL`].
    pub(super) fn all() -> Self {
        Self::only(|_| true)
    }

    /// The columns for which `is_there` is true, at their positions in [`Heading::ALL`].
    pub(super) fn only(is_there: impl Fn(Heading) -> bool) -> Self {
        Self(Heading::ALL.map(|column| Some(column as usize).filter(|_| is_there(column))))
    }

    /// Whether the sheet has this column.
    #[must_use]
    pub fn have(&self, column: Heading) -> bool {
        self.place(column).is_some()
    }

    /// Whether the sheet has all columns.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        Heading::ALL.into_iter().all(|column| self.have(column))
    }

    /// Whether the row is empty in all columns.
    #[must_use]
    pub fn are_empty(&self, row: &[SheetCell<'_>]) -> bool {
        Heading::ALL.into_iter().all(|column| self.cell(row, column).is_empty())
    }

    /// Reads a row.
    ///
    /// # Errors
    /// The first error of the row.
    pub fn draft(&self, row: &[SheetCell<'_>]) -> Result<RowDraft, RowError> {
        let id = self.id(row)?;
        let grade = self.number(row, Heading::Grade, RowError::Grade)?;
        let difficulty = self.number(row, Heading::Difficulty, RowError::Difficulty)?;
        let question = self.text(row, Heading::Question)?;
        if question.is_empty() {
            return Err(RowError::Required(Heading::Question.name()));
        }
        let options = self.options(row)?;
        let question = Question {
            grade: Grade::new(grade).ok_or(RowError::Grade)?,
            difficulty: Difficulty::new(difficulty).ok_or(RowError::Difficulty)?,
            topic: self.text_or(row, Heading::Topic, TOPIC)?,
            subtopic: self.text(row, Heading::Subtopic)?,
            source: self.text_or(row, Heading::Source, SOURCE)?,
            kind: self.text_or(row, Heading::Type, KIND)?,
            answer: self.answer(row)?,
            explanation: self.text(row, Heading::Explanation)?,
            image: self.text(row, Heading::Image)?,
            id,
            question,
            options: Vec::new(),
        };
        Ok(RowDraft { question, options })
    }

    fn place(&self, column: Heading) -> Option<usize> {
        self.0.get(column as usize).copied().flatten()
    }

    fn cell<'a>(&self, row: &'a [SheetCell<'a>], column: Heading) -> &'a SheetCell<'a> {
        self.place(column).and_then(|place| row.get(place)).unwrap_or(&SheetCell::Empty)
    }

    fn shown<'a>(&self, row: &'a [SheetCell<'a>], column: Heading) -> Result<Cow<'a, str>, RowError> {
        let cell = self.cell(row, column);
        cell.shown().ok_or_else(|| match cell {
            SheetCell::Error(error) => RowError::Broken(column.name(), error.clone()),
            _ => RowError::TooLong(column.name(), TEXT_UNITS_MAX),
        })
    }

    fn bounded(
        &self,
        row: &[SheetCell<'_>],
        column: Heading,
        units_max: usize,
        is_refused: fn(char) -> bool,
    ) -> Result<String, RowError> {
        let text = question::normal_text(&self.shown(row, column)?);
        if text.encode_utf16().count() > units_max {
            return Err(RowError::TooLong(column.name(), units_max));
        }
        if text.chars().any(is_refused) {
            return Err(RowError::Control(column.name()));
        }
        Ok(text)
    }

    fn text(&self, row: &[SheetCell<'_>], column: Heading) -> Result<String, RowError> {
        self.bounded(row, column, TEXT_UNITS_MAX, question::is_refused)
    }

    fn text_or(&self, row: &[SheetCell<'_>], column: Heading, when_empty: &str) -> Result<String, RowError> {
        self.text(row, column).map(|text| if text.is_empty() { when_empty.to_owned() } else { text })
    }

    fn id(&self, row: &[SheetCell<'_>]) -> Result<String, RowError> {
        self.bounded(row, Heading::Id, ID_UNITS_MAX, char::is_control)
    }

    fn number(&self, row: &[SheetCell<'_>], column: Heading, refusal: RowError) -> Result<i64, RowError> {
        if self.shown(row, column)?.is_empty() {
            return Err(RowError::Required(column.name()));
        }
        self.cell(row, column).whole_number().ok_or(refusal)
    }

    fn options(&self, row: &[SheetCell<'_>]) -> Result<[String; 4], RowError> {
        let [a, b, c, d] = Heading::OPTIONS.map(|column| self.option(row, column));
        Ok([a?, b?, c?, d?])
    }

    fn option(&self, row: &[SheetCell<'_>], column: Heading) -> Result<String, RowError> {
        match self.cell(row, column) {
            SheetCell::Date(moment) => {
                Err(RowError::Moment(column.name(), if moment.contains('-') { "date" } else { "time" }))
            }
            _ => self.text(row, column),
        }
    }

    fn answer(&self, row: &[SheetCell<'_>]) -> Result<Choice, RowError> {
        Choice::parse(&self.shown(row, Heading::Answer)?.to_ascii_uppercase()).ok_or(RowError::Answer)
    }
}

/// A row that was read, before the columns that its sheet lacks are filled in from the stored question.
#[derive(Clone, Debug)]
pub struct RowDraft {
    /// Its options are still empty.
    question: Question,
    options: [String; 4],
}

impl RowDraft {
    /// The id that the row gives; may be empty.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.question.id
    }

    /// The same row under this id.
    #[must_use]
    pub fn named(mut self, id: String) -> Self {
        self.question.id = id;
        self
    }

    /// The question of the row. Columns that the sheet lacks keep their stored values.
    ///
    /// # Errors
    /// When the options have a gap, or the answer points to no option.
    pub fn complete(self, columns: &SheetColumns, stored: Option<&Question>) -> Result<Question, RowError> {
        let Self { mut question, mut options } = self;
        if let Some(stored) = stored {
            for column in Heading::ALL.into_iter().filter(|column| !columns.have(*column)) {
                keep(column, stored, &mut question, &mut options);
            }
        }
        question.options = without_holes(options)?;
        let has_option = (question.answer as usize) < question.options.len();
        if has_option { Ok(question) } else { Err(RowError::NoOption(question.answer.letter())) }
    }
}

fn keep(column: Heading, stored: &Question, question: &mut Question, options: &mut [String; 4]) {
    let mut keep_option = |place: usize| {
        if let Some(option) = options.get_mut(place) {
            *option = stored.options.get(place).cloned().unwrap_or_default();
        }
    };
    match column {
        Heading::Grade => question.grade = stored.grade,
        Heading::Difficulty => question.difficulty = stored.difficulty,
        Heading::Question => question.question.clone_from(&stored.question),
        Heading::Answer => question.answer = stored.answer,
        Heading::Topic => question.topic.clone_from(&stored.topic),
        Heading::Subtopic => question.subtopic.clone_from(&stored.subtopic),
        Heading::Source => question.source.clone_from(&stored.source),
        Heading::Type => question.kind.clone_from(&stored.kind),
        Heading::OptionA => keep_option(0),
        Heading::OptionB => keep_option(1),
        Heading::OptionC => keep_option(2),
        Heading::OptionD => keep_option(3),
        Heading::Explanation => question.explanation.clone_from(&stored.explanation),
        Heading::Image => question.image.clone_from(&stored.image),
        // The stored question was found by this id.
        Heading::Id => {}
    }
}

/// The options without empty ones at the end; a gap between two options is an error.
fn without_holes(options: [String; 4]) -> Result<Vec<String>, RowError> {
    let mut filled = Vec::new();
    let mut hole = None;
    for (column, option) in Heading::OPTIONS.into_iter().zip(options) {
        match hole {
            _ if option.is_empty() && Heading::REQUIRED.contains(&column) => {
                return Err(RowError::Required(column.name()));
            }
            None if option.is_empty() => hole = Some(column.name()),
            Some(hole) if !option.is_empty() => return Err(RowError::Hole(hole, column.name())),
            None => filled.push(option),
            Some(_) => {}
        }
    }
    Ok(filled)
}

/// The form in which names of columns are compared.
fn normal(name: &str) -> String {
    name.chars().filter(|character| !character.is_whitespace()).flat_map(char::to_lowercase).collect()
}
