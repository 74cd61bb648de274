//! Questions as rows of a sheet: which columns there are, and how a sheet's rows become questions or sentences that say
//! what is wrong (`assessment.md` 4.3). It knows no file format.

mod cell;
pub mod json;
mod row;

use std::collections::HashMap;

use super::grade::Grade;
use super::question::Question;
pub use cell::SheetCell;
pub use row::{HeaderError, RowDraft, RowError, SheetColumns};

/// Characters of a question's id, counted in the same way.
pub const ID_UNITS_MAX: usize = 100;

/// Characters of a sheet's name that are told.
const SHEET_CHARACTERS_MAX: usize = 31;

/// What a column is for, in the order in which an export has them.
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
}

impl Heading {
    /// How many there are.
    pub const COUNT: usize = 15;
    /// All, in order.
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
    ];
    /// Those without which a sheet is not one of questions.
    pub const REQUIRED: [Self; 6] =
        [Self::Grade, Self::Difficulty, Self::Question, Self::OptionA, Self::OptionB, Self::Answer];
    /// The answer choices, A to D.
    pub const OPTIONS: [Self; 4] = [Self::OptionA, Self::OptionB, Self::OptionC, Self::OptionD];

    /// As its header has it.
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
        }
    }

    /// What an export writes into it.
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
        }
    }
}

/// Which questions an export holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// Those of one grade.
    One(Grade),
    /// Those of every grade.
    All,
}

impl Exported {
    /// `1` to `10`, or `all`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == "all" { Some(Self::All) } else { Grade::parse(text).map(Self::One) }
    }

    /// The grades, in order.
    pub fn grades(self) -> impl Iterator<Item = Grade> {
        Grade::all().filter(move |grade| self == Self::All || self == Self::One(*grade))
    }

    /// `questions-grade5.xlsx`, `questions-gradeall.xlsx`.
    #[must_use]
    pub fn file_name(self) -> String {
        match self {
            Self::One(grade) => format!("questions-grade{}.xlsx", grade.number()),
            Self::All => "questions-gradeall.xlsx".to_owned(),
        }
    }
}

/// What the rows of a workbook's sheets have come to so far.
#[derive(Default)]
pub struct WorkbookRows {
    /// Those of the good rows that need nothing else, in the order of the sheets.
    pub questions: Vec<Question>,
    drafts: Vec<WaitingRow>,
    sheets: Vec<SheetRows>,
    /// Once a sheet lacks a column: rows with ids are then judged at the end, in their order.
    are_waiting: bool,
    errors: Vec<(RowAddress, String)>,
    by_id: HashMap<String, u32>,
}

/// A sheet that rows come from.
struct SheetRows {
    columns: SheetColumns,
    /// What its errors end with.
    mark: String,
}

/// Which sheet, and which row of it.
type RowAddress = (usize, u32);

/// A row with an id, in a sheet without some column: what it becomes depends on the question that is there.
pub struct WaitingRow {
    place: RowAddress,
    draft: RowDraft,
}

impl WaitingRow {
    /// The id that it gives.
    #[must_use]
    pub fn id(&self) -> &str {
        self.draft.id()
    }
}

impl WorkbookRows {
    /// None yet, below a header with these columns.
    #[must_use]
    pub fn below(columns: SheetColumns) -> Self {
        let mut rows = Self::default();
        rows.begin(columns, "");
        rows
    }

    /// The rows that come next are of this sheet. Errors of all but the first one name it.
    pub fn begin(&mut self, columns: SheetColumns, sheet: &str) {
        let mark = if self.sheets.is_empty() { String::new() } else { mark_of(sheet) };
        self.are_waiting |= !columns.are_complete();
        self.sheets.push(SheetRows { columns, mark });
    }

    /// Another sheet looks like questions, and can't be read for this reason.
    pub fn refuse_sheet(&mut self, sheet: &str, reason: &str) {
        self.errors.push(((usize::MAX, 1), format!("Row 1: {reason}{}", mark_of(sheet))));
    }

    /// Whether there was no sheet yet.
    #[must_use]
    pub fn have_no_sheet(&self) -> bool {
        self.sheets.is_empty()
    }

    /// How many rows were taken or refused.
    #[must_use]
    pub fn len(&self) -> usize {
        self.questions.len() + self.drafts.len() + self.errors.len()
    }

    /// Whether there were none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the row that the spreadsheet shows as `number`. A row without an id gets one from `new_id`; a row without
    /// anything is skipped.
    pub fn take(&mut self, number: u32, cells: &[SheetCell<'_>], new_id: &mut dyn FnMut() -> String) {
        let place = (self.sheets.len().saturating_sub(1), number);
        let Some(SheetRows { columns, .. }) = self.sheets.last() else { return };
        if columns.are_empty(cells) {
            return;
        }
        match columns.draft(cells) {
            Ok(draft) if draft.id().is_empty() => {
                self.complete(WaitingRow { place, draft: draft.named(new_id()) }, None)
            }
            Ok(draft) if self.are_waiting => self.drafts.push(WaitingRow { place, draft }),
            Ok(draft) => self.complete(WaitingRow { place, draft }, None),
            Err(error) => self.refuse(place, &error),
        }
    }

    /// The rows that depend on what is stored under their ids, to be given back to [`WorkbookRows::complete`].
    pub fn take_waiting(&mut self) -> Vec<WaitingRow> {
        std::mem::take(&mut self.drafts)
    }

    /// Makes a question of a row, with what is stored under its id.
    pub fn complete(&mut self, row: WaitingRow, stored: Option<&Question>) {
        let WaitingRow { place, draft } = row;
        let Some(SheetRows { columns, .. }) = self.sheets.get(place.0) else { return };
        if let Some(first) = self.by_id.get(draft.id()) {
            return self.refuse(place, &RowError::Repeated(draft.id().to_owned(), *first));
        }
        match draft.complete(columns, stored) {
            Ok(question) => {
                self.by_id.insert(question.id.clone(), place.1);
                self.questions.push(question);
            }
            Err(error) => self.refuse(place, &error),
        }
    }

    /// The number of the row that has become the question of that id.
    #[must_use]
    pub fn number_of(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// A sentence for each bad row, in their order.
    #[must_use]
    pub fn into_errors(mut self) -> Vec<String> {
        self.errors.sort_by_key(|(place, _)| *place);
        self.errors.into_iter().map(|(_, error)| error).collect()
    }

    fn refuse(&mut self, place: RowAddress, error: &RowError) {
        let mark = self.sheets.get(place.0).map_or("", |sheet| sheet.mark.as_str());
        self.errors.push((place, format!("Row {}: {error}{mark}", place.1)));
    }
}

/// What the errors of a sheet end with; a file may name it at any length, a spreadsheet may not.
fn mark_of(sheet: &str) -> String {
    format!(" (sheet {})", sheet.chars().take(SHEET_CHARACTERS_MAX).collect::<String>())
}

#[cfg(test)]
mod tests;
