//! Questions that come from elsewhere, in whatever format: the fields that a question can be given, the rules by which
//! rows become questions, and sentences that say what is wrong. Each format brings its rows as cells by [`Heading`]
//! (`domain/src/workbook.rs` finds them in a sheet); the server reads and writes the files.

pub mod draft;
pub mod foreign;
pub mod json;
mod number_cells;
pub mod place;
mod row_error;
mod rows;
mod same;
pub mod written;

use serde::Serialize;
use utoipa::ToSchema;

use super::file_name::FileName;
use super::grade::Grade;
use super::question::Question;
use super::sheet_cell::SheetCell;
use super::text::heading;
pub use row_error::{Moments, RowError, RowErrors};
pub use rows::{NOTES_MAX, QuestionRows, StoredRowMarks, WaitingRow};

/// The longest id of a question, in UTF-16 units, the unit in which spreadsheets count characters.
pub const ID_UNITS_MAX: usize = 100;

/// Questions whose changes a dry run reports. A file has up to 50,000, and nobody reads so many.
pub const CHANGES_MAX: usize = 1_000;

/// The column that says whether a question is for exams alone. It is not a field of the question, so readers of the
/// question do not see it.
pub const SECURE: &str = "secure";

/// The column that says whether anyone may read a question with its key. It is not a field of the question either.
pub const PRACTICE: &str = "practice";

/// Returns whether a name was probably meant to be [`SECURE`].
pub fn is_like_secure(name: &str) -> bool {
    name != SECURE && (name.contains("secur") || heading::resembles(name, SECURE))
}

/// Returns whether a name was probably meant to be [`PRACTICE`].
pub fn is_like_practice(name: &str) -> bool {
    name != PRACTICE && heading::resembles(name, PRACTICE)
}

/// The columns of a question's fields, in the order in which an export writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the specification's fields")]
pub enum Heading {
    Id,
    Grade,
    Topic,
    Subtopic,
    Difficulty,
    Source,
    Type,
    Question,
    OptionA,
    OptionB,
    OptionC,
    OptionD,
    Answer,
    Explanation,
    Image,
    ImageDescription,
    FixedOptions,
    Tolerance,
    Unit,
    Forms,
    Language,
}

impl Heading {
    /// The number of columns.
    pub const COUNT: usize = 21;
    /// All columns in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Id,
        Self::Grade,
        Self::Topic,
        Self::Subtopic,
        Self::Difficulty,
        Self::Source,
        Self::Type,
        Self::Question,
        Self::OptionA,
        Self::OptionB,
        Self::OptionC,
        Self::OptionD,
        Self::Answer,
        Self::Explanation,
        Self::Image,
        Self::ImageDescription,
        Self::FixedOptions,
        Self::Tolerance,
        Self::Unit,
        Self::Forms,
        Self::Language,
    ];
    /// The columns without which a sheet does not contain questions.
    pub const REQUIRED: [Self; 6] =
        [Self::Grade, Self::Difficulty, Self::Question, Self::OptionA, Self::OptionB, Self::Answer];
    /// The columns that mean something only for questions whose answer is a number.
    pub const OF_NUMBERS: [Self; 4] = [Self::Tolerance, Self::Unit, Self::Forms, Self::Language];
    /// The columns of the options, A to D.
    pub const OPTIONS: [Self; 4] = [Self::OptionA, Self::OptionB, Self::OptionC, Self::OptionD];

    /// The column's name in the header row.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Grade => "grade",
            Self::Topic => "topic",
            Self::Subtopic => "subtopic",
            Self::Difficulty => "difficulty",
            Self::Source => "source",
            Self::Type => "type",
            Self::Question => "question",
            Self::OptionA => "optionA",
            Self::OptionB => "optionB",
            Self::OptionC => "optionC",
            Self::OptionD => "optionD",
            Self::Answer => "answer",
            Self::Explanation => "explanation",
            Self::Image => "image",
            Self::ImageDescription => "imageDescription",
            Self::FixedOptions => "fixedOptions",
            Self::Tolerance => "tolerance",
            Self::Unit => "unit",
            Self::Forms => "forms",
            Self::Language => "language",
        }
    }

    /// The cell that an export writes for this question.
    #[must_use]
    pub fn of(self, question: &Question) -> SheetCell<'_> {
        let option = |index: usize| SheetCell::text(question.options.get(index).map_or("", String::as_str));
        let number = question.answer.number();
        match self {
            Self::Id => SheetCell::text(&question.id),
            Self::Grade => SheetCell::Number(question.grade.number().into()),
            Self::Topic => SheetCell::text(&question.topic),
            Self::Subtopic => SheetCell::text(&question.subtopic),
            Self::Difficulty => SheetCell::Number(question.difficulty.number().into()),
            Self::Source => SheetCell::text(&question.source),
            Self::Type => SheetCell::text(&question.kind),
            Self::Question => SheetCell::text(&question.question),
            Self::OptionA => option(0),
            Self::OptionB => option(1),
            Self::OptionC => option(2),
            Self::OptionD => option(3),
            Self::Answer => SheetCell::text(question.answer.letter_or_number()),
            Self::Explanation => SheetCell::text(&question.explanation),
            Self::Image => SheetCell::text(&question.image),
            Self::ImageDescription => SheetCell::text(&question.image_description),
            Self::FixedOptions => SheetCell::text(yes_or_no(question.fixed_options)),
            Self::Tolerance => number.map_or(SheetCell::Empty, |key| SheetCell::text(&key.tolerance)),
            Self::Unit => number.map_or(SheetCell::Empty, |key| SheetCell::text(&key.unit)),
            Self::Forms => number.map_or(SheetCell::Empty, |key| SheetCell::Text(key.forms.text().into())),
            Self::Language => number.map_or(SheetCell::Empty, |key| SheetCell::text(key.language.name())),
        }
    }
}

/// The text by which sheets and the log of edits say whether something is so.
#[must_use]
pub const fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// The fields that rows give. Those that are not given stay as they are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenFields([bool; Heading::COUNT]);

impl GivenFields {
    /// Every field.
    pub const ALL: Self = Self([true; Heading::COUNT]);

    /// The fields for which `is_given` is true.
    #[must_use]
    pub fn of(is_given: impl FnMut(Heading) -> bool) -> Self {
        Self(Heading::ALL.map(is_given))
    }

    /// Returns whether this field is given.
    #[must_use]
    pub fn have(self, field: Heading) -> bool {
        self.0.get(field as usize).copied().unwrap_or_default()
    }

    /// Returns whether every field is given that a question of this type has.
    #[must_use]
    pub fn are_all_of(self, is_number: bool) -> bool {
        Heading::ALL.into_iter().all(|field| self.have(field) || !is_number && Heading::OF_NUMBERS.contains(&field))
    }
}

/// Which grades an export contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// One grade.
    One(Grade),
    /// Every grade.
    All,
}

impl Exported {
    /// Parses `1` to `10`, or `all`; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == "all" { Some(Self::All) } else { Grade::parse(text).map(Self::One) }
    }

    /// The grades in ascending order.
    pub fn grades(self) -> impl Iterator<Item = Grade> {
        Grade::all().filter(move |grade| self == Self::All || self == Self::One(*grade))
    }

    /// The name of the exported file, such as `questions-grade5.xlsx` or `questions-gradeall.xlsx`.
    #[must_use]
    pub fn file_name(self, format: ExportFormat) -> FileName {
        let exported = match self {
            Self::One(grade) => format!("grade{}", grade.number()),
            Self::All => "gradeall".to_owned(),
        };
        FileName::of(&["questions", &exported], format.ending())
    }
}

/// In which format an export is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// A workbook that can be edited and imported again.
    #[default]
    Xlsx,
    /// Moodle's XML.
    MoodleXml,
    /// The notation in which teachers type questions for Moodle.
    Gift,
    /// A package of QTI 3.0.
    Qti3,
}

impl ExportFormat {
    /// All of them, with the names by which they are asked for.
    pub const ALL: [(&str, Self); 4] =
        [("xlsx", Self::Xlsx), ("moodle-xml", Self::MoodleXml), ("gift", Self::Gift), ("qti3", Self::Qti3)];

    /// The format of that name; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(name, _)| *name == text).map(|(_, format)| format)
    }

    /// How names of such files end.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::MoodleXml => "xml",
            Self::Gift => "gift.txt",
            Self::Qti3 => "zip",
        }
    }

    /// The media type of such files.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::MoodleXml => "application/xml; charset=utf-8",
            Self::Gift => "text/plain; charset=utf-8",
            Self::Qti3 => "application/zip",
        }
    }
}

/// What an import would do.
#[derive(Debug, Default)]
pub struct ImportPreview {
    /// How many questions would be new.
    pub added: usize,
    /// How many would be overwritten.
    pub updated: usize,
    /// What would change in them: the first [`CHANGES_MAX`].
    pub changes: Vec<ImportChange>,
}

/// A stored question that an import would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportChange {
    /// The number of its row, as the spreadsheet shows it; in files that are no sheets, which question it is.
    pub row: u32,
    /// Identifier of the question.
    pub id: String,
    /// The columns whose values would change, by their names in the header row; `secure` and `practice`
    /// are among them.
    pub fields: Vec<&'static str>,
}
