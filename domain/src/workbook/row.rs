//! One row of a sheet: the columns of the header, and the question that a row describes.

use std::borrow::Cow;

use super::{Heading, ID_UNITS_MAX, Moments, NoIdentifier, RowError, RowErrors, SECURE, SheetCell};
use crate::grade::Grade;
use crate::picture::is_picture_address;
use crate::question::{self, Choice, Difficulty, Question, TEXT_UNITS_MAX};
use crate::text::heading::{self, UnclearHeading};
use crate::text::same::{seen, seen_in_any_case};

/// The topic of a row that gives none.
const TOPIC: &str = "General";
/// The source of a row that gives none.
const SOURCE: &str = "import";
/// The type of a row that gives none.
const KIND: &str = "multiple-choice";

/// Why a row can't be the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// Required columns are missing; these are their names.
    Missing(Vec<&'static str>),
    /// Two columns have this name.
    Repeated(&'static str),
    /// A column was probably meant to have another name.
    Unclear(UnclearHeading),
}

/// The position of each column in a sheet.
#[derive(Clone, Debug)]
pub struct SheetColumns {
    fields: [Option<usize>; Heading::COUNT],
    secure: Option<usize>,
    ignored: Vec<String>,
}

impl SheetColumns {
    /// Finds the columns in a header row. Case, accents and what stands between words do not count in their names.
    ///
    /// # Errors
    /// When a required column is missing, a column occurs twice, or one was probably meant to have another name.
    pub fn find(header: &[SheetCell<'_>]) -> Result<Self, HeaderError> {
        let texts: Vec<Cow<'_, str>> = header.iter().map(|cell| cell.shown().unwrap_or_default()).collect();
        let names: Vec<String> = texts.iter().map(|text| heading::plain(text)).collect();
        let place = |column: &str| names.iter().position(|name| *name == heading::plain(column));
        let mut columns = Self {
            fields: Heading::ALL.map(|column| place(column.name())),
            secure: place(SECURE),
            ignored: Vec::new(),
        };
        columns.pass_over_unknown(&texts, &names)?;
        let missing: Vec<_> =
            Heading::REQUIRED.into_iter().filter(|column| !columns.have(*column)).map(Heading::name).collect();
        if !missing.is_empty() {
            return Err(HeaderError::Missing(missing));
        }
        let is_repeated = |column: &&str| names.iter().filter(|name| **name == heading::plain(column)).count() > 1;
        let mut all = Heading::ALL.into_iter().map(Heading::name).chain([SECURE]);
        all.find(is_repeated).map_or(Ok(columns), |column| Err(HeaderError::Repeated(column)))
    }

    /// Notes the columns that nobody knows. Only a row with half of the required columns is a header in which one can
    /// be mistyped.
    fn pass_over_unknown(&mut self, texts: &[Cow<'_, str>], names: &[String]) -> Result<(), HeaderError> {
        let mut unclear = None;
        for (text, name) in texts.iter().zip(names).filter(|(_, name)| !name.is_empty()) {
            let is_known = *name == SECURE || Heading::ALL.iter().any(|column| heading::plain(column.name()) == *name);
            if is_known {
                continue;
            }
            match self.meant(name) {
                Some(meant) => drop(unclear.get_or_insert(UnclearHeading { heading: heading::shown(text), meant })),
                None => self.ignored.push(heading::shown(text)),
            }
        }
        let is_meant = |column: &&Heading| unclear.as_ref().is_some_and(|unclear| unclear.meant == column.name());
        let found = Heading::REQUIRED.iter().filter(|column| self.have(**column) || is_meant(column)).count();
        match unclear {
            Some(unclear) if found * 2 >= Heading::REQUIRED.len() => Err(HeaderError::Unclear(unclear)),
            _ => Ok(()),
        }
    }

    /// The column that an unknown name was probably meant to be. What is like `secure` always is: a question for exams
    /// alone must not become public by a slip of the hand.
    fn meant(&self, name: &str) -> Option<&'static str> {
        if is_like_secure(name) {
            return Some(SECURE);
        }
        let is_like =
            |column: &Heading| !self.have(*column) && heading::resembles(name, &heading::plain(column.name()));
        Heading::ALL.into_iter().find(is_like).map(Heading::name)
    }

    /// The headings of the columns that are passed over.
    #[must_use]
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// All columns, in the order of [`Heading::ALL`].
    pub(super) fn all() -> Self {
        Self::only(|_| true)
    }

    /// The columns for which `is_there` is true, at their positions in [`Heading::ALL`].
    pub(super) fn only(is_there: impl Fn(Heading) -> bool) -> Self {
        Self {
            fields: Heading::ALL.map(|column| Some(column as usize).filter(|_| is_there(column))),
            secure: None,
            ignored: Vec::new(),
        }
    }

    /// Returns whether the sheet has this column.
    #[must_use]
    pub fn have(&self, column: Heading) -> bool {
        self.place(column).is_some()
    }

    /// Returns whether the sheet has all columns.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        Heading::ALL.into_iter().all(|column| self.have(column))
    }

    /// Returns whether the row is empty in all columns.
    #[must_use]
    pub fn are_empty(&self, row: &[SheetCell<'_>]) -> bool {
        Heading::ALL.into_iter().all(|column| self.cell(row, column).is_empty())
    }

    /// Reads a row.
    ///
    /// # Errors
    /// All faults of the row's cells.
    pub fn draft(&self, row: &[SheetCell<'_>]) -> Result<RowDraft, RowErrors> {
        let mut faults = Vec::new();
        let id = noted(self.id(row), &mut faults);
        let grade = noted(self.number(row, Heading::Grade, Grade::new, RowError::Grade), &mut faults);
        let topic = noted(self.text_or(row, Heading::Topic, TOPIC), &mut faults);
        let subtopic = noted(self.text(row, Heading::Subtopic), &mut faults);
        let difficulty =
            noted(self.number(row, Heading::Difficulty, Difficulty::new, RowError::Difficulty), &mut faults);
        let source = noted(self.text_or(row, Heading::Source, SOURCE), &mut faults);
        let kind = noted(self.text_or(row, Heading::Type, KIND), &mut faults);
        let question = noted(self.filled(row, Heading::Question), &mut faults);
        let options = self.options(row, &mut faults);
        let answer = noted(self.answer(row), &mut faults);
        let explanation = noted(self.text(row, Heading::Explanation), &mut faults);
        let image = noted(self.text(row, Heading::Image), &mut faults);
        let image_description = noted(self.text(row, Heading::ImageDescription), &mut faults);
        let secure = noted(self.secure(row), &mut faults);
        RowErrors::check(faults)?;
        let question = Question {
            id: id.unwrap_or_default(),
            grade: grade.ok_or(RowError::Grade)?,
            topic: topic.unwrap_or_default(),
            subtopic: subtopic.unwrap_or_default(),
            difficulty: difficulty.ok_or(RowError::Difficulty)?,
            source: source.unwrap_or_default(),
            kind: kind.unwrap_or_default(),
            question: question.unwrap_or_default(),
            options: Vec::new(),
            answer: answer.ok_or(RowError::Answer)?,
            explanation: explanation.unwrap_or_default(),
            image: image.unwrap_or_default(),
            image_description: image_description.unwrap_or_default(),
        };
        Ok(RowDraft { question, options, secure: secure.flatten() })
    }

    fn place(&self, column: Heading) -> Option<usize> {
        self.fields.get(column as usize).copied().flatten()
    }

    fn cell<'a>(&self, row: &'a [SheetCell<'a>], column: Heading) -> &'a SheetCell<'a> {
        self.place(column).and_then(|place| row.get(place)).unwrap_or(&SheetCell::Empty)
    }

    fn shown<'a>(&self, row: &'a [SheetCell<'a>], column: Heading) -> Result<Cow<'a, str>, RowError> {
        let cell = self.cell(row, column);
        cell.shown().ok_or_else(|| match cell {
            SheetCell::Error(error) => RowError::Broken(column.name(), error.clone()),
            SheetCell::Marked(mark) => RowError::Marked(column.name(), *mark),
            _ => RowError::TooLong(column.name(), TEXT_UNITS_MAX),
        })
    }

    fn text(&self, row: &[SheetCell<'_>], column: Heading) -> Result<String, RowError> {
        bounded(&self.shown(row, column)?, column.name(), TEXT_UNITS_MAX, question::is_refused)
    }

    fn text_or(&self, row: &[SheetCell<'_>], column: Heading, when_empty: &str) -> Result<String, RowError> {
        self.text(row, column).map(|text| if text.is_empty() { when_empty.to_owned() } else { text })
    }

    fn id(&self, row: &[SheetCell<'_>]) -> Result<String, RowError> {
        let name = Heading::Id.name();
        match self.cell(row, Heading::Id).identifier() {
            Err(NoIdentifier::Lost) => Err(RowError::Lost(name)),
            Err(NoIdentifier::Moment(kind)) => Err(RowError::Moments(Moments { kind, columns: vec![name] })),
            Ok(Some(id)) => bounded(&id, name, ID_UNITS_MAX, char::is_control),
            Ok(None) => self.shown(row, Heading::Id).map(Cow::into_owned),
        }
    }

    fn filled(&self, row: &[SheetCell<'_>], column: Heading) -> Result<String, RowError> {
        self.text(row, column).and_then(
            |text| {
                if text.is_empty() { Err(RowError::Required(column.name())) } else { Ok(text) }
            },
        )
    }

    fn number<T>(
        &self,
        row: &[SheetCell<'_>],
        column: Heading,
        parse: fn(i64) -> Option<T>,
        refusal: RowError,
    ) -> Result<T, RowError> {
        if self.shown(row, column)?.is_empty() {
            return Err(RowError::Required(column.name()));
        }
        self.cell(row, column).whole_number().and_then(parse).ok_or(refusal)
    }

    fn options(&self, row: &[SheetCell<'_>], faults: &mut Vec<RowError>) -> [String; 4] {
        let mut moments = [("date", Vec::new()), ("time", Vec::new())];
        let options = Heading::OPTIONS.map(|column| match self.cell(row, column) {
            SheetCell::Date(moment) => {
                let [dates, times] = &mut moments;
                if moment.contains('-') { dates } else { times }.1.push(column.name());
                String::new()
            }
            _ => noted(self.text(row, column), faults).unwrap_or_default(),
        });
        let found = moments.into_iter().filter(|(_, columns)| !columns.is_empty());
        faults.extend(found.map(|(kind, columns)| RowError::Moments(Moments { kind, columns })));
        options
    }

    /// Returns whether the question is for exams alone; `None` if the row does not say.
    fn secure(&self, row: &[SheetCell<'_>]) -> Result<Option<bool>, RowError> {
        let cell = self.secure.and_then(|place| row.get(place)).unwrap_or(&SheetCell::Empty);
        if let SheetCell::Boolean(is_secure) = cell {
            return Ok(Some(*is_secure));
        }
        match seen_in_any_case(&cell.shown().unwrap_or_default()).as_str() {
            "" if cell.is_empty() => Ok(None),
            "yes" | "true" | "1" => Ok(Some(true)),
            "no" | "false" | "0" => Ok(Some(false)),
            _ => Err(RowError::Secure),
        }
    }

    fn answer(&self, row: &[SheetCell<'_>]) -> Result<Choice, RowError> {
        Choice::parse(&seen(&self.shown(row, Heading::Answer)?).to_ascii_uppercase()).ok_or(RowError::Answer)
    }
}

/// A row that was read, before the columns that its sheet lacks are filled in from the stored question.
#[derive(Clone, Debug)]
pub struct RowDraft {
    /// Its options are still empty.
    question: Question,
    options: [String; 4],
    secure: Option<bool>,
}

impl RowDraft {
    /// The id that the row gives; may be empty.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.question.id
    }

    /// Returns whether it is for exams alone, if the row says so.
    pub(super) const fn secure(&self) -> Option<bool> {
        self.secure
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
    /// When the options have a gap, two given options are equal, the answer points to no option, or the picture is
    /// none.
    pub fn complete(self, columns: &SheetColumns, stored: Option<&Question>) -> Result<Question, RowErrors> {
        let Self { mut question, mut options, .. } = self;
        if let Some(stored) = stored {
            for column in Heading::ALL.into_iter().filter(|column| !columns.have(*column)) {
                keep(column, stored, &mut question, &mut options);
            }
        }
        question.options = without_holes(options)?;
        let are_given = Heading::OPTIONS.into_iter().any(|column| columns.have(column));
        let mut faults: Vec<_> = equal(&question.options).filter(|_| are_given).into_iter().collect();
        // A picture from the time before this rule stays with its question.
        let is_kept = question.image.is_empty() || stored.is_some_and(|stored| stored.image == question.image);
        if !is_kept && !is_picture_address(&question.image) {
            faults.push(RowError::Picture(Heading::Image.name()));
        }
        if question.answer as usize >= question.options.len() {
            faults.push(RowError::NoOption(question.answer.letter()));
        }
        RowErrors::check(faults)?;
        Ok(question)
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
        Heading::ImageDescription => question.image_description.clone_from(&stored.image_description),
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

/// The first two options that are equal.
fn equal(options: &[String]) -> Option<RowError> {
    let options: Vec<String> = options.iter().map(|option| seen(option)).collect();
    let later = |(place, option): (usize, &String)| {
        let found = options.iter().take(place).position(|earlier| earlier == option)?;
        Some(RowError::Equal(Heading::OPTIONS.get(found)?.name(), Heading::OPTIONS.get(place)?.name()))
    };
    options.iter().enumerate().find_map(later)
}

fn bounded(text: &str, name: &'static str, units_max: usize, is_refused: fn(char) -> bool) -> Result<String, RowError> {
    let text = question::normal_text(text);
    if text.encode_utf16().count() > units_max {
        return Err(RowError::TooLong(name, units_max));
    }
    if text.chars().any(is_refused) { Err(RowError::Control(name)) } else { Ok(text) }
}

/// The value, or `None` and its error noted among the row's faults.
fn noted<T>(read: Result<T, RowError>, faults: &mut Vec<RowError>) -> Option<T> {
    read.map_err(|error| faults.push(error)).ok()
}

/// Returns whether a name was probably meant to be [`SECURE`].
pub(super) fn is_like_secure(name: &str) -> bool {
    name != SECURE && (name.contains("secur") || heading::resembles(name, SECURE))
}
