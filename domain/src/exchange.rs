//! Questions that come from elsewhere, in whatever format: the fields that a question can be given, the rules by which
//! rows become questions, and sentences that say what is wrong. Each format brings its rows as cells by [`Heading`]
//! (`domain/src/workbook.rs` finds them in a sheet); the server reads and writes the files.

pub mod draft;
pub mod json;
mod row_error;
pub mod written;

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::grade::Grade;
use super::question::Question;
use super::sheet_cell::SheetCell;
use draft::RowDraft;
pub use row_error::{Moments, RowError, RowErrors};

/// The longest id of a question, in UTF-16 units, the unit in which spreadsheets count characters.
pub const ID_UNITS_MAX: usize = 100;

/// Questions whose changes a dry run reports. A file has up to 50,000, and nobody reads so many.
pub const CHANGES_MAX: usize = 1_000;

/// How many characters of a sheet's name messages repeat: spreadsheet programs allow no more, but a file may.
const SHEET_CHARACTERS_MAX: usize = 31;

/// The column that says whether a question is for exams alone. It is not a field of the question, so readers of the
/// question do not see it.
pub const SECURE: &str = "secure";

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
}

impl Heading {
    /// The number of columns.
    pub const COUNT: usize = 17;
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
    ];
    /// The columns without which a sheet does not contain questions.
    pub const REQUIRED: [Self; 6] =
        [Self::Grade, Self::Difficulty, Self::Question, Self::OptionA, Self::OptionB, Self::Answer];
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
        }
    }

    /// The cell that an export writes for this question.
    #[must_use]
    pub fn of(self, question: &Question) -> SheetCell<'_> {
        let option = |index: usize| SheetCell::text(question.options.get(index).map_or("", String::as_str));
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
            Self::Answer => SheetCell::text(question.answer.letter()),
            Self::Explanation => SheetCell::text(&question.explanation),
            Self::Image => SheetCell::text(&question.image),
            Self::ImageDescription => SheetCell::text(&question.image_description),
            Self::FixedOptions => SheetCell::text(yes_or_no(question.fixed_options)),
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
    pub fn file_name(self) -> String {
        match self {
            Self::One(grade) => format!("questions-grade{}.xlsx", grade.number()),
            Self::All => "questions-gradeall.xlsx".to_owned(),
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
    /// The number of its row, as the spreadsheet shows it.
    pub row: u32,
    /// Identifier of the question.
    pub id: String,
    /// The columns whose values would change, by their names in the header row.
    pub fields: Vec<&'static str>,
}

/// The questions and errors that the rows of a file have given so far. A file has one part, or several: the sheets of a
/// workbook.
#[derive(Default)]
pub struct QuestionRows {
    /// The questions of valid rows that depend on nothing stored, in the order of the file.
    pub questions: Vec<Question>,
    /// The ids of those rows that say whether their question is for exams alone, and what they say.
    pub secure: Vec<(String, bool)>,
    /// The columns that were passed over, each once.
    pub ignored: Vec<String>,
    /// How many rows the sheets hide, which are read like others.
    pub hidden: u32,
    drafts: Vec<WaitingRow>,
    parts: Vec<RowsPart>,
    /// Set once a part does not give all fields. From then on rows with ids wait until the end, so that repeated ids
    /// are found in the order of the rows.
    are_waiting: bool,
    errors: Vec<(RowAddress, String)>,
    by_id: HashMap<String, RowAddress>,
}

/// A part of a file whose rows are read.
struct RowsPart {
    given: GivenFields,
    /// The text at the end of its error messages.
    mark: String,
}

/// The index of the part, and the number of the row in it.
type RowAddress = (usize, u32);

/// A row with an id in a part that does not give all fields. Its question depends on the one stored under that id.
pub struct WaitingRow {
    place: RowAddress,
    draft: RowDraft,
}

impl WaitingRow {
    /// The id that the row gives.
    #[must_use]
    pub fn id(&self) -> &str {
        self.draft.id()
    }
}

impl QuestionRows {
    /// Begins a part: the rows that follow belong to it, and give these fields. Error messages name every part but the
    /// first.
    pub fn begin(&mut self, given: GivenFields, ignored: &[String], name: &str) {
        let mark = if self.parts.is_empty() { String::new() } else { mark_of(name) };
        self.are_waiting |= given != GivenFields::ALL;
        for heading in ignored {
            if !self.ignored.contains(heading) {
                self.ignored.push(heading.clone());
            }
        }
        self.parts.push(RowsPart { given, mark });
    }

    /// Records that another sheet looks like questions but can't be read, for this reason.
    pub fn refuse_sheet(&mut self, sheet: &str, reason: &str) {
        self.errors.push(((usize::MAX, 1), format!("Row 1: {reason}{}", mark_of(sheet))));
    }

    /// Returns whether no part has begun yet.
    #[must_use]
    pub fn have_no_part(&self) -> bool {
        self.parts.is_empty()
    }

    /// How many rows were accepted or refused.
    #[must_use]
    pub fn len(&self) -> usize {
        self.questions.len() + self.drafts.len() + self.errors.len()
    }

    /// Returns whether no row was accepted or refused.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes what the row with this number gives. A row without an id gets one from `new_id`.
    pub fn take(&mut self, number: u32, draft: Result<RowDraft, RowErrors>, new_id: &mut dyn FnMut() -> String) {
        let place = (self.parts.len().saturating_sub(1), number);
        match draft {
            Ok(draft) if draft.id().is_empty() => {
                self.complete(WaitingRow { place, draft: draft.named(new_id()) }, None);
            }
            Ok(draft) if self.are_waiting => self.drafts.push(WaitingRow { place, draft }),
            Ok(draft) => self.complete(WaitingRow { place, draft }, None),
            Err(error) => self.refuse(place, &error),
        }
    }

    /// The rows that depend on what is stored under their ids. Pass each to [`QuestionRows::complete`].
    pub fn take_waiting(&mut self) -> Vec<WaitingRow> {
        std::mem::take(&mut self.drafts)
    }

    /// Turns a waiting row into a question; `stored` is the question with its id.
    pub fn complete(&mut self, row: WaitingRow, stored: Option<&Question>) {
        let WaitingRow { place, draft } = row;
        let secure = draft.secure();
        let Some(RowsPart { given, .. }) = self.parts.get(place.0) else { return };
        if let Some((_, first)) = self.by_id.get(draft.id()) {
            return self.refuse(place, &RowError::Repeated(draft.id().to_owned(), *first).into());
        }
        match draft.complete(*given, stored) {
            Ok(question) => {
                self.by_id.insert(question.id.clone(), place);
                self.secure.extend(secure.map(|is_secure| (question.id.clone(), is_secure)));
                self.questions.push(question);
            }
            Err(error) => self.refuse(place, &error),
        }
    }

    /// The number of the row that became the question with this id.
    #[must_use]
    pub fn number_of(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).map(|(_, number)| *number)
    }

    /// Refuses the rows whose questions are retired. To be called when no row waits any more.
    pub fn refuse_retired(&mut self, retired: &HashSet<String>) {
        let is_retired = |question: &Question| retired.contains(&question.id);
        let (refused, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.questions).into_iter().partition(is_retired);
        self.questions = kept;
        self.secure.retain(|(id, _)| !retired.contains(id));
        for question in refused {
            if let Some(place) = self.by_id.get(&question.id).copied() {
                self.refuse(place, &RowError::Retired.into());
            }
        }
    }

    /// What some of the rows' questions would change in those that are stored, in the order of the rows. Questions that
    /// would stay as they are, are left out.
    #[must_use]
    pub fn changes(&self, questions: &[Question], stored: &HashMap<String, Question>) -> Vec<ImportChange> {
        let change = |question: &Question| {
            let (before, row) = (stored.get(&question.id)?, self.number_of(&question.id)?);
            let differs = |heading: &Heading| heading.of(before) != heading.of(question);
            let fields: Vec<_> = Heading::ALL.into_iter().filter(differs).map(Heading::name).collect();
            (!fields.is_empty()).then(|| ImportChange { row, id: question.id.clone(), fields })
        };
        questions.iter().filter_map(change).collect()
    }

    /// One sentence for each refused row, in the order of the rows.
    #[must_use]
    pub fn into_errors(mut self) -> Vec<String> {
        self.errors.sort_by_key(|(place, _)| *place);
        self.errors.into_iter().map(|(_, error)| error).collect()
    }

    fn refuse(&mut self, place: RowAddress, error: &RowErrors) {
        let mark = self.parts.get(place.0).map_or("", |part| part.mark.as_str());
        self.errors.push((place, format!("Row {}: {error}{mark}", place.1)));
    }
}

/// The text at the end of a sheet's error messages. A made-up file can have a name of any length, so it is cut.
fn mark_of(sheet: &str) -> String {
    format!(" (sheet {})", sheet.chars().take(SHEET_CHARACTERS_MAX).collect::<String>())
}
