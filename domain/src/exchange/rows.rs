//! The questions that the rows of a file have given so far, and what is wrong with the others.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Display;

use super::draft::RowDraft;
use super::foreign::{ForeignDraft, Refusal};
use super::place::{ItemPlace, QuestionPlace};
use super::{GivenFields, Heading, ImportChange, PRACTICE, RowError, RowErrors, SECURE, same};
use crate::grade::Grade;
use crate::question::Question;

/// Notes on questions that were taken with less than their file has. Nobody reads more.
pub const NOTES_MAX: usize = 1_000;

/// How many characters of a sheet's name messages repeat: spreadsheet programs allow no more, but a file may.
const SHEET_CHARACTERS_MAX: usize = 31;

/// The questions and errors that the rows of a file have given so far. A file has one part, or several: the sheets of a
/// workbook.
#[derive(Default)]
pub struct QuestionRows {
    /// The questions of valid rows that depend on nothing stored, in the order of the file.
    pub questions: Vec<Question>,
    /// The ids of those rows that say whether their question is for exams alone, and what they say.
    pub secure: Vec<(String, bool)>,
    /// The ids of those rows that say whether anyone may read their question with its key, and what they say.
    pub practice: Vec<(String, bool)>,
    /// What the import says about that of new questions whose rows do not say it; `None` if it says nothing.
    pub practice_of_new: Option<bool>,
    /// The columns that were passed over, each once.
    pub ignored: Vec<String>,
    /// How many rows the sheets hide, which are read like others.
    pub hidden: u32,
    /// What was left out of questions that were taken, a sentence for each question; the first [`NOTES_MAX`].
    pub notes: Vec<String>,
    drafts: Vec<WaitingRow>,
    parts: Vec<RowsPart>,
    /// Set once a part does not give all fields. From then on rows with ids wait until the end, so that repeated ids
    /// are found in the order of the rows.
    are_waiting: bool,
    errors: Vec<(RowAddress, String)>,
    /// The part, and the place in it, that became the question with this id.
    by_id: HashMap<String, (usize, QuestionPlace)>,
}

/// What is said of stored questions beside their fields.
#[derive(Clone, Debug, Default)]
pub struct StoredRowMarks {
    /// The ids of those that are for exams alone.
    pub secure: HashSet<String>,
    /// By id, whether anyone may read them with their keys; those of which nobody has said it are missing.
    pub practice: HashMap<String, bool>,
}

/// A part of a file whose rows are read.
struct RowsPart {
    given: GivenFields,
    /// The text at the end of its error messages.
    mark: String,
}

/// The index of the part, and the number of the row in it.
type RowAddress = (usize, u32);

/// A row whose question depends on the one stored under its id: one in a part that does not give all fields, or a
/// question of another system.
pub struct WaitingRow {
    part: usize,
    place: QuestionPlace,
    given: GivenFields,
    draft: RowDraft,
    /// The digest of the picture that the file brings.
    picture: Option<String>,
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
        self.are_waiting |= !given.are_all_of(false);
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
        let part = self.parts.len().saturating_sub(1);
        let place = QuestionPlace::Row(number);
        let given = self.parts.get(part).map_or(GivenFields::ALL, |part| part.given);
        // A number without its own columns depends on what is stored, though other rows of its sheet do not.
        self.are_waiting |= draft.as_ref().is_ok_and(|draft| draft.is_number() && !given.are_all_of(true));
        match draft {
            Ok(draft) if draft.id().is_empty() => {
                let draft = draft.named(new_id());
                self.complete(WaitingRow { part, place, given, draft, picture: None }, None);
            }
            Ok(draft) if self.are_waiting => self.drafts.push(WaitingRow { part, place, given, draft, picture: None }),
            Ok(draft) => self.complete(WaitingRow { part, place, given, draft, picture: None }, None),
            Err(error) => self.refuse(part, &place, &error),
        }
    }

    /// Takes what a question of another system has become.
    pub fn take_item(&mut self, place: ItemPlace, item: Result<ForeignDraft, Refusal>) {
        let place = QuestionPlace::Item(place);
        match item {
            Ok(ForeignDraft { draft, given, notes, picture }) => {
                if !notes.is_empty() && self.notes.len() < NOTES_MAX {
                    self.notes.push(format!("{place}: {}", notes.join("; ")));
                }
                self.drafts.push(WaitingRow { part: 0, place, given, draft, picture });
            }
            Err(refusal) => self.refuse(0, &place, &refusal),
        }
    }

    /// The grades of all questions, each once.
    #[must_use]
    pub fn grades(&self) -> BTreeSet<Grade> {
        let of_drafts = self.drafts.iter().map(|row| row.draft.subject().0);
        self.questions.iter().map(|question| question.grade).chain(of_drafts).collect()
    }

    /// The ids of all questions of a grade, with their topics.
    pub fn topics(&self, grade: Grade) -> impl Iterator<Item = (&str, &str)> {
        let taken = self.questions.iter().filter(move |question| question.grade == grade);
        let waiting = self.drafts.iter().filter(move |row| row.draft.subject().0 == grade);
        let of_taken = taken.map(|question| (question.id.as_str(), question.topic.as_str()));
        of_taken.chain(waiting.map(|row| (row.id(), row.draft.subject().1)))
    }

    /// Spells the topics of all questions by this function. To be called before rows that wait are completed.
    pub fn spell_topics(&mut self, spell: &mut dyn FnMut(Grade, &str) -> String) {
        for question in &mut self.questions {
            question.topic = spell(question.grade, &question.topic);
        }
        for row in &mut self.drafts {
            row.draft.spell_topic(spell);
        }
    }

    /// The rows that depend on what is stored under their ids. Pass each to [`QuestionRows::complete`].
    pub fn take_waiting(&mut self) -> Vec<WaitingRow> {
        std::mem::take(&mut self.drafts)
    }

    /// Turns a waiting row into a question; `stored` is the question with its id.
    pub fn complete(&mut self, row: WaitingRow, stored: Option<&Question>) {
        let WaitingRow { part, place, given, draft, picture } = row;
        let (secure, practice) = (draft.secure(), draft.practice());
        if let Some((_, first)) = self.by_id.get(draft.id()) {
            let repeated = RowError::Repeated(draft.id().to_owned(), first.within());
            return self.refuse(part, &place, &RowErrors::from(repeated));
        }
        match draft.complete(given, stored) {
            Ok(mut question) => {
                if let (QuestionPlace::Item(_), Some(stored)) = (&place, stored) {
                    same::keep_what_says_the_same(&mut question, stored, picture.as_deref());
                }
                self.by_id.insert(question.id.clone(), (part, place));
                self.secure.extend(secure.map(|is_secure| (question.id.clone(), is_secure)));
                self.practice.extend(practice.map(|is_practice| (question.id.clone(), is_practice)));
                self.questions.push(question);
            }
            Err(error) => self.refuse(part, &place, &error),
        }
    }

    /// The number of the row that became the question with this id.
    #[must_use]
    pub fn number_of(&self, id: &str) -> Option<u32> {
        self.place_of(id).map(QuestionPlace::number)
    }

    /// Where the question with this id stands in the file.
    #[must_use]
    pub fn place_of(&self, id: &str) -> Option<&QuestionPlace> {
        self.by_id.get(id).map(|(_, place)| place)
    }

    /// Refuses the rows whose questions are retired. To be called when no row waits any more.
    pub fn refuse_retired(&mut self, retired: &HashSet<String>) {
        let (refused, kept): (Vec<Question>, Vec<Question>) =
            std::mem::take(&mut self.questions).into_iter().partition(|question| retired.contains(&question.id));
        self.questions = kept;
        self.secure.retain(|(id, _)| !retired.contains(id));
        self.practice.retain(|(id, _)| !retired.contains(id));
        let places = refused.iter().filter_map(|question| self.by_id.get(&question.id).cloned());
        for (part, place) in places.collect::<Vec<_>>() {
            self.refuse(part, &place, &RowErrors::from(RowError::Retired));
        }
    }

    /// What some of the rows' questions would change in those that are stored, in the order of the rows; `marks` are
    /// what is said of those now. Questions that would stay as they are, are left out.
    #[must_use]
    pub fn changes(
        &self,
        questions: &[Question],
        stored: &HashMap<String, Question>,
        marks: &StoredRowMarks,
    ) -> Vec<ImportChange> {
        let of_stored = |(id, _): &&(String, bool)| stored.contains_key(id);
        let secure = self.secure.iter().filter(of_stored).filter(|(id, mark)| *mark != marks.secure.contains(id));
        let secure: HashSet<&str> = secure.map(|(id, _)| id.as_str()).collect();
        let practice = self.practice.iter().filter(of_stored).filter(|(id, mark)| marks.practice.get(id) != Some(mark));
        let practice: HashSet<&str> = practice.map(|(id, _)| id.as_str()).collect();
        let change = |question: &Question| {
            let (before, row) = (stored.get(&question.id)?, self.number_of(&question.id)?);
            let differs = |heading: &Heading| heading.of(before) != heading.of(question);
            let mut fields: Vec<_> = Heading::ALL.into_iter().filter(differs).map(Heading::name).collect();
            fields.extend(secure.contains(&*question.id).then_some(SECURE));
            fields.extend(practice.contains(&*question.id).then_some(PRACTICE));
            (!fields.is_empty()).then(|| ImportChange { row, id: question.id.clone(), fields })
        };
        questions.iter().filter_map(change).collect()
    }

    /// Says of new questions what the import says of them, where their rows do not; `stored` are the ids of those that
    /// are not new. To be called when no row waits any more.
    pub fn mark_new(&mut self, stored: &HashSet<String>) {
        let Some(is_practice) = self.practice_of_new else { return };
        let said: HashSet<&str> = self.practice.iter().map(|(id, _)| id.as_str()).collect();
        let is_silent = |id: &&String| !stored.contains(*id) && !said.contains(id.as_str());
        let silent = self.questions.iter().map(|question| &question.id).filter(is_silent);
        let marks: Vec<(String, bool)> = silent.map(|id| (id.clone(), is_practice)).collect();
        self.practice.extend(marks);
    }

    /// One sentence for each refused row, in the order of the rows.
    #[must_use]
    pub fn into_errors(mut self) -> Vec<String> {
        self.errors.sort_by_key(|(place, _)| *place);
        self.errors.into_iter().map(|(_, error)| error).collect()
    }

    fn refuse(&mut self, part: usize, place: &QuestionPlace, error: &dyn Display) {
        let mark = self.parts.get(part).map_or("", |part| part.mark.as_str());
        self.errors.push(((part, place.number()), format!("{place}: {error}{mark}")));
    }
}

/// The text at the end of a sheet's error messages. A made-up file can have a name of any length, so it is cut.
fn mark_of(sheet: &str) -> String {
    format!(" (sheet {})", sheet.chars().take(SHEET_CHARACTERS_MAX).collect::<String>())
}
