//! One question that comes from elsewhere: what its format gives becomes a draft, and the draft a question. All formats
//! pass through here, so that a question means the same in each of them and is refused in the same words.

use std::borrow::Cow;

use super::number_cells::NumberCells;
use super::{GivenFields, Heading, ID_UNITS_MAX, Moments, RowError, RowErrors};
use crate::fixed_options::{are_fixed, are_fixed_after};
use crate::grade::Grade;
use crate::number::decimal;
use crate::picture::is_picture_address;
use crate::question::{self, Choice, Difficulty, Key, MULTIPLE_CHOICE, NUMBER, Question, TEXT_UNITS_MAX};
use crate::sheet_cell::{EXACT_BELOW, NoIdentifier, SheetCell};
use crate::text::same::{seen, seen_in_any_case};

/// The topic of a row that gives none.
const TOPIC: &str = "General";
/// The source of a row that gives none.
const SOURCE: &str = "import";

/// A question that was read, before the fields that its format does not give are filled in from the stored one.
#[derive(Clone, Debug)]
pub struct RowDraft {
    /// Its options are still empty, and its key is any.
    question: Question,
    options: [String; 4],
    /// A letter or a number, which depends on the type.
    answer: String,
    number: NumberCells,
    fixed_options: Option<bool>,
    secure: Option<bool>,
    practice: Option<bool>,
}

impl RowDraft {
    /// Reads a question from what its format gives for each field, for whether it is for exams alone, and for whether
    /// anyone may read it with its key.
    ///
    /// # Errors
    /// All faults of the cells.
    pub fn read<'a>(
        cell: impl Fn(Heading) -> &'a SheetCell<'a>,
        [secure, practice]: [&SheetCell<'_>; 2],
    ) -> Result<Self, RowErrors> {
        let mut faults = Vec::new();
        let id = noted(id(cell(Heading::Id)), &mut faults);
        let grade = noted(number(cell(Heading::Grade), Heading::Grade, Grade::new, RowError::Grade), &mut faults);
        let topic = noted(text_or(cell(Heading::Topic), Heading::Topic, TOPIC), &mut faults);
        let subtopic = noted(text(cell(Heading::Subtopic), Heading::Subtopic), &mut faults);
        let difficulty = noted(
            number(cell(Heading::Difficulty), Heading::Difficulty, Difficulty::new, RowError::Difficulty),
            &mut faults,
        );
        let source = noted(text_or(cell(Heading::Source), Heading::Source, SOURCE), &mut faults);
        let kind = noted(text(cell(Heading::Type), Heading::Type), &mut faults).unwrap_or_default();
        let kind = known_kind(kind);
        let question = noted(filled(cell(Heading::Question), Heading::Question), &mut faults);
        let options = options(&cell, &mut faults);
        let answer = noted(answer(cell(Heading::Answer), &kind), &mut faults);
        let explanation = noted(text(cell(Heading::Explanation), Heading::Explanation), &mut faults);
        let image = noted(text(cell(Heading::Image), Heading::Image), &mut faults);
        let image_description = noted(text(cell(Heading::ImageDescription), Heading::ImageDescription), &mut faults);
        let fixed_options = noted(mark(cell(Heading::FixedOptions), RowError::FixedOptions), &mut faults);
        let number = NumberCells::read(&cell, &mut faults);
        let secure = noted(mark(secure, RowError::Secure), &mut faults);
        let practice = noted(mark(practice, RowError::Practice), &mut faults);
        RowErrors::check(faults)?;
        let question = Question {
            id: id.unwrap_or_default(),
            grade: grade.ok_or(RowError::Grade)?,
            topic: topic.unwrap_or_default(),
            subtopic: subtopic.unwrap_or_default(),
            difficulty: difficulty.ok_or(RowError::Difficulty)?,
            source: source.unwrap_or_default(),
            kind: if kind.is_empty() { MULTIPLE_CHOICE.to_owned() } else { kind },
            question: question.unwrap_or_default(),
            options: Vec::new(),
            answer: Key::Choice(Choice::A),
            explanation: explanation.unwrap_or_default(),
            image: image.unwrap_or_default(),
            image_description: image_description.unwrap_or_default(),
            fixed_options: false,
        };
        let (fixed_options, secure, practice) = (fixed_options.flatten(), secure.flatten(), practice.flatten());
        Ok(Self { question, options, answer: answer.unwrap_or_default(), number, fixed_options, secure, practice })
    }

    /// The id that the row gives; may be empty.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.question.id
    }

    /// Returns whether the row says that its answer is a number.
    pub(super) fn is_number(&self) -> bool {
        self.question.kind == NUMBER
    }

    /// Bytes of its texts, which it holds in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Question { id, topic, subtopic, source, kind, question, explanation, image, image_description, .. } =
            &self.question;
        let texts = [id, topic, subtopic, source, kind, question, explanation, image, image_description];
        let of_number = [&self.answer].into_iter().chain(self.number.texts());
        texts.into_iter().chain(&self.options).chain(of_number).map(String::len).sum()
    }

    /// Returns whether it is for exams alone, if the row says so.
    pub(super) const fn secure(&self) -> Option<bool> {
        self.secure
    }

    /// Returns whether anyone may read it with its key, if the row says so.
    pub(super) const fn practice(&self) -> Option<bool> {
        self.practice
    }

    /// The same row under this id.
    #[must_use]
    pub fn named(mut self, id: String) -> Self {
        self.question.id = id;
        self
    }

    pub(super) fn subject(&self) -> (Grade, &str) {
        (self.question.grade, &self.question.topic)
    }

    /// Has its topic as this function spells it, for its grade.
    pub(super) fn spell_topic(&mut self, spell: &mut dyn FnMut(Grade, &str) -> String) {
        self.question.topic = spell(self.question.grade, &self.question.topic);
    }

    /// The question. Fields that are not given keep their stored values.
    ///
    /// # Errors
    /// When the options have a gap, two given options are equal, the answer points to no option or is no number where
    /// one is asked for, or the picture is none.
    pub fn complete(mut self, given: GivenFields, stored: Option<&Question>) -> Result<Question, RowErrors> {
        if let Some(stored) = stored {
            for column in Heading::ALL.into_iter().filter(|column| !given.have(*column)) {
                self.keep(column, stored);
            }
        }
        let mut faults = Vec::new();
        let (options, answer) = if self.question.kind == NUMBER {
            (Vec::new(), self.number(given, &mut faults))
        } else {
            let options = without_holes(std::mem::take(&mut self.options))?;
            let are_given = Heading::OPTIONS.into_iter().any(|column| given.have(column));
            faults.extend(equal(&options).filter(|_| are_given));
            (options, self.letter(&mut faults))
        };
        let Self { mut question, fixed_options, .. } = self;
        // A picture from the time before this rule stays with its question.
        let is_kept = question.image.is_empty() || stored.is_some_and(|stored| stored.image == question.image);
        if !is_kept && !is_picture_address(&question.image) {
            faults.push(RowError::Picture(Heading::Image.name()));
        }
        if let Some(Key::Choice(choice)) = answer
            && choice as usize >= options.len()
        {
            faults.push(RowError::NoOption(choice.letter()));
        }
        RowErrors::check(faults)?;
        let kept = stored.filter(|_| !given.have(Heading::FixedOptions)).map(|one| are_fixed_after(one, &options));
        let are_kept = kept.or(fixed_options).unwrap_or_else(|| are_fixed(&options));
        question.fixed_options = are_kept && !options.is_empty();
        question.answer = answer.ok_or(RowError::Answer)?;
        question.options = options;
        Ok(question)
    }

    fn letter(&self, faults: &mut Vec<RowError>) -> Option<Key> {
        noted(choice(&self.answer).ok_or(RowError::Answer), faults).map(Key::Choice)
    }

    fn number(&self, given: GivenFields, faults: &mut Vec<RowError>) -> Option<Key> {
        let are_given = Heading::OPTIONS.into_iter().any(|column| given.have(column));
        if are_given && self.options.iter().any(|option| !option.is_empty()) {
            faults.push(RowError::NumberOptions);
        }
        self.number.key(&self.answer, faults).map(Key::Number)
    }

    fn keep(&mut self, column: Heading, stored: &Question) {
        let Self { question, options, answer, number, .. } = self;
        let mut keep_option = |place: usize| {
            if let Some(option) = options.get_mut(place) {
                *option = stored.options.get(place).cloned().unwrap_or_default();
            }
        };
        match column {
            Heading::Grade => question.grade = stored.grade,
            Heading::Difficulty => question.difficulty = stored.difficulty,
            Heading::Question => question.question.clone_from(&stored.question),
            Heading::Answer => stored.answer.letter_or_number().clone_into(answer),
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
            Heading::Tolerance | Heading::Unit | Heading::Forms | Heading::Language => number.keep(column, stored),
            // The stored question was found by this id, and its mark is kept with the options.
            Heading::Id | Heading::FixedOptions => {}
        }
    }
}

/// The text of a cell.
fn shown<'a>(cell: &'a SheetCell<'_>, column: Heading) -> Result<Cow<'a, str>, RowError> {
    cell.shown().ok_or_else(|| match cell {
        SheetCell::Error(error) => RowError::Broken(column.name(), error.clone()),
        SheetCell::Marked(mark) => RowError::Marked(column.name(), *mark),
        _ => RowError::TooLong(column.name(), TEXT_UNITS_MAX),
    })
}

pub(super) fn text(cell: &SheetCell<'_>, column: Heading) -> Result<String, RowError> {
    bounded(&shown(cell, column)?, column.name(), TEXT_UNITS_MAX, question::is_refused)
}

fn text_or(cell: &SheetCell<'_>, column: Heading, when_empty: &str) -> Result<String, RowError> {
    text(cell, column).map(|text| if text.is_empty() { when_empty.to_owned() } else { text })
}

fn id(cell: &SheetCell<'_>) -> Result<String, RowError> {
    let name = Heading::Id.name();
    match cell.identifier() {
        Err(NoIdentifier::Lost) => Err(RowError::Lost(name)),
        Err(NoIdentifier::Moment(kind)) => Err(RowError::Moments(Moments { kind, columns: vec![name] })),
        Ok(Some(id)) => bounded(&id, name, ID_UNITS_MAX, char::is_control),
        Ok(None) => shown(cell, Heading::Id).map(Cow::into_owned),
    }
}

fn filled(cell: &SheetCell<'_>, column: Heading) -> Result<String, RowError> {
    let text = text(cell, column)?;
    if text.is_empty() { Err(RowError::Required(column.name())) } else { Ok(text) }
}

fn number<T>(
    cell: &SheetCell<'_>,
    column: Heading,
    parse: fn(i64) -> Option<T>,
    refusal: RowError,
) -> Result<T, RowError> {
    if shown(cell, column)?.is_empty() {
        return Err(RowError::Required(column.name()));
    }
    cell.whole_number().and_then(parse).ok_or(refusal)
}

fn options<'a>(cell: impl Fn(Heading) -> &'a SheetCell<'a>, faults: &mut Vec<RowError>) -> [String; 4] {
    let mut moments = [("date", Vec::new()), ("time", Vec::new())];
    let options = Heading::OPTIONS.map(|column| match cell(column) {
        SheetCell::Date(moment) => {
            let [dates, times] = &mut moments;
            if moment.contains('-') { dates } else { times }.1.push(column.name());
            String::new()
        }
        cell => noted(text(cell, column), faults).unwrap_or_default(),
    });
    let found = moments.into_iter().filter(|(_, columns)| !columns.is_empty());
    faults.extend(found.map(|(kind, columns)| RowError::Moments(Moments { kind, columns })));
    options
}

/// Returns whether something is so; `None` if the cell does not say.
fn mark(cell: &SheetCell<'_>, refusal: RowError) -> Result<Option<bool>, RowError> {
    if let SheetCell::Boolean(is_so) = cell {
        return Ok(Some(*is_so));
    }
    match seen_in_any_case(&cell.shown().unwrap_or_default()).as_str() {
        "" if cell.is_empty() => Ok(None),
        "yes" | "true" | "1" => Ok(Some(true)),
        "no" | "false" | "0" => Ok(Some(false)),
        _ => Err(refusal),
    }
}

/// The type in the letters of the two that are known; any other text stays.
fn known_kind(kind: String) -> String {
    let seen = seen_in_any_case(&kind);
    [MULTIPLE_CHOICE, NUMBER].into_iter().find(|known| *known == seen).map_or(kind, str::to_owned)
}

/// The text of an answer. Where the row does not say its type, that of the stored question decides later whether a
/// number is right; what can be none is refused at once.
fn answer(cell: &SheetCell<'_>, kind: &str) -> Result<String, RowError> {
    let name = Heading::Answer.name();
    match cell {
        SheetCell::Date(moment) if kind == NUMBER => {
            let kind = if moment.contains('-') { "date" } else { "time" };
            return Err(RowError::Moments(Moments { kind, columns: vec![name] }));
        }
        SheetCell::Number(number) | SheetCell::Shown(number, _) if number.abs() >= EXACT_BELOW => {
            return Err(RowError::Lost(name));
        }
        _ => {}
    }
    let text = seen(&shown(&cell.by_value(), Heading::Answer)?);
    let is_number = decimal(&text).is_some();
    match kind {
        NUMBER if is_number => Ok(text),
        NUMBER => Err(RowError::Number),
        "" if is_number => Ok(text),
        _ if choice(&text).is_some() => Ok(text),
        _ => Err(RowError::Answer),
    }
}

fn choice(text: &str) -> Option<Choice> {
    Choice::parse(&text.to_ascii_uppercase())
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
pub(super) fn noted<T>(read: Result<T, RowError>, faults: &mut Vec<RowError>) -> Option<T> {
    read.map_err(|error| faults.push(error)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_without_columns_meets_the_same_rules() {
        let given = |picture: &'static str| {
            move |field: Heading| match field {
                Heading::Grade => SheetCell::Number(5.0),
                Heading::Difficulty => SheetCell::Number(2.0),
                Heading::Question => SheetCell::text("What is 1 + 1?"),
                Heading::OptionA => SheetCell::text("2"),
                Heading::OptionB => SheetCell::text("3"),
                Heading::Answer => SheetCell::text("a"),
                Heading::Image => SheetCell::text(picture),
                _ => SheetCell::Empty,
            }
        };
        let read = |picture: &'static str, secure: &SheetCell<'_>| {
            let cells = Heading::ALL.map(given(picture));
            RowDraft::read(|field| cells.get(field as usize).unwrap(), [secure, &SheetCell::text("no")])
        };
        let draft = read("/media/clock.png", &SheetCell::Boolean(true)).unwrap();
        assert_eq!((draft.id(), draft.secure(), draft.practice()), ("", Some(true), Some(false)));
        let texts = ["What is 1 + 1?", "2", "3", "a", "/media/clock.png", TOPIC, SOURCE, MULTIPLE_CHOICE];
        assert_eq!(draft.bytes(), texts.map(str::len).iter().sum::<usize>());
        let question = draft.named("m-1".to_owned()).complete(GivenFields::ALL, None).unwrap();
        assert_eq!(
            (question.id.as_str(), question.topic.as_str(), question.answer.letter_or_number()),
            ("m-1", TOPIC, "A")
        );
        let refused = read("javascript:1", &SheetCell::Empty).unwrap().complete(GivenFields::ALL, None).unwrap_err();
        assert_eq!(*refused.first(), RowError::Picture("image"));
        assert_eq!(*read("", &SheetCell::text("perhaps")).unwrap_err().first(), RowError::Secure);
    }
}
