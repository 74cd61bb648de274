//! Reviews and edits of questions, and managers' decisions on grades: their states, what an edit may change, and what
//! it has changed.

mod numbers;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::exchange::yes_or_no;
use super::fixed_options::are_fixed_after;
use super::grade::Grade;
use super::picture::is_picture_address;
use super::question::{self, Choice, Difficulty, Key, NUMBER, OPTIONS, Question, TEXT_UNITS_MAX};
use super::text::same::seen;
use numbers::NumberUpdates;

/// The names of the options in the edit log, by position.
const OPTION_LABELS: [&str; 4] = ["Option A", "Option B", "Option C", "Option D"];

/// A reviewer's decision on a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReviewStatus {
    /// The question is good as it is.
    Approved,
    /// Something is wrong with it.
    Flagged,
    /// Not decided, or never reviewed.
    Pending,
}

impl ReviewStatus {
    const ALL: [Self; 3] = [Self::Approved, Self::Flagged, Self::Pending];

    /// `approved`, `flagged` or `pending`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Flagged => "flagged",
            Self::Pending => "pending",
        }
    }

    /// Parses a status's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// What became of a review that was to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewOutcome {
    /// It replaces the question's last review.
    Stored,
    /// There is no such question.
    Unknown,
    /// The reviewer would approve a question that they have written themselves.
    Own,
}

/// A manager's decision on a grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalStatus {
    /// The grade is signed off.
    Approved,
    /// The grade needs more work.
    RevisionRequested,
}

impl ApprovalStatus {
    const ALL: [Self; 2] = [Self::Approved, Self::RevisionRequested];

    /// `approved` or `revision_requested`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::RevisionRequested => "revision_requested",
        }
    }

    /// Parses a status's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// One field that an edit has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Change {
    /// `Question`, `Option A` to `Option D`, `Answer`, of a number `Tolerance`, `Unit`, `Forms` and `Language`,
    /// `Explanation`, `Image`, `Image description`, `Topic`, `Subtopic`, `Difficulty`, `Source` or `Fixed options`;
    /// after an import also `Grade` or `Type`.
    pub field: String,
    /// The old text; empty when there was none.
    pub before: String,
    /// The new text; empty when there is none.
    pub after: String,
}

/// Why an edit is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditRefusal {
    /// A field is unknown, or has a value that a question can't have.
    Invalid,
    /// The edit changes nothing.
    NoChanges,
    /// The question is not as the editor has seen it.
    Changed,
}

/// What an editor has seen of a question. If it is stored with another text, key or list of options, somebody else has
/// changed it meanwhile.
///
/// Any text is taken, also one that an edit can't give to a question: it may stand in an older one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeenFields {
    question: Option<String>,
    /// `A` to `D`, or a number.
    answer: Option<String>,
    tolerance: Option<String>,
    unit: Option<String>,
    forms: Option<Vec<String>>,
    language: Option<String>,
    explanation: Option<String>,
    options: Option<Vec<String>>,
    image: Option<String>,
    image_description: Option<String>,
    topic: Option<String>,
    subtopic: Option<String>,
    /// 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    difficulty: Option<u8>,
    source: Option<String>,
    fixed_options: Option<bool>,
}

impl SeenFields {
    /// Compares what was seen with the question as it is stored. As in an edit, line ends and surrounding white space
    /// don't matter, and what is absent is not compared.
    ///
    /// # Errors
    /// `Changed` if anything differs.
    pub fn check(&self, stored: &Question) -> Result<(), EditRefusal> {
        let is_seen = |seen: Option<&str>, stored: &str| seen.is_none_or(|seen| is_same(seen, stored));
        let are_options_seen = self.options.as_ref().is_none_or(|seen| {
            let mut pairs = seen.iter().zip(&stored.options);
            seen.len() == stored.options.len() && pairs.all(|(seen, stored)| is_same(seen, stored))
        });
        let of_number = [&self.tolerance, &self.unit, &self.language].map(Option::as_deref);
        let is_unchanged = are_options_seen
            && is_seen(self.question.as_deref(), &stored.question)
            && is_seen(self.answer.as_deref(), stored.answer.letter_or_number())
            && numbers::is_seen(stored.answer.number(), of_number, self.forms.as_deref())
            && is_seen(self.explanation.as_deref(), &stored.explanation)
            && is_seen(self.image.as_deref(), &stored.image)
            && is_seen(self.image_description.as_deref(), &stored.image_description)
            && is_seen(self.topic.as_deref(), &stored.topic)
            && is_seen(self.subtopic.as_deref(), &stored.subtopic)
            && is_seen(self.source.as_deref(), &stored.source)
            && self.difficulty.is_none_or(|seen| seen == stored.difficulty.number())
            && self.fixed_options.is_none_or(|seen| seen == stored.fixed_options);
        if is_unchanged { Ok(()) } else { Err(EditRefusal::Changed) }
    }
}

fn is_same(one: &str, other: &str) -> bool {
    question::normal_text(one) == question::normal_text(other)
}

/// The fields of an edit, each valid by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updates {
    question: Option<String>,
    options: Option<Vec<String>>,
    /// A letter or a number, as the question asks for.
    answer: Option<String>,
    number: NumberUpdates,
    explanation: Option<String>,
    image: Option<String>,
    image_description: Option<String>,
    topic: Option<String>,
    subtopic: Option<String>,
    difficulty: Option<Difficulty>,
    source: Option<String>,
    fixed_options: Option<bool>,
}

impl Updates {
    /// Reads the fields of a JSON object; `None` when one is unknown, has the wrong type, or has a value that can't be
    /// stored.
    #[must_use]
    pub fn read(fields: &Map<String, Value>) -> Option<Self> {
        let mut updates = Self::default();
        for (name, value) in fields {
            match name.as_str() {
                "question" => updates.question = Some(filled_text(value)?),
                "options" => updates.options = Some(options(value)?),
                "answer" => updates.answer = Some(filled_text(value)?),
                "explanation" => updates.explanation = Some(text(value)?),
                "image" => updates.image = Some(text(value)?),
                "imageDescription" => updates.image_description = Some(text(value)?),
                "topic" => updates.topic = Some(filled_text(value)?),
                "subtopic" => updates.subtopic = Some(text(value)?),
                "difficulty" => updates.difficulty = Some(Difficulty::new(value.as_i64()?)?),
                "source" => updates.source = Some(text(value)?),
                "fixedOptions" => updates.fixed_options = Some(value.as_bool()?),
                name => updates.number.read(name, value)?,
            }
        }
        Some(updates)
    }

    /// The topic that the question gets, if the edit changes it.
    #[must_use]
    pub fn topic(&self) -> Option<&str> {
        self.topic.as_deref()
    }

    /// The same edit with this topic.
    #[must_use]
    pub fn with_topic(mut self, topic: String) -> Self {
        self.topic = Some(topic);
        self
    }

    /// The question after the edit, and the fields that have changed.
    ///
    /// # Errors
    /// When the answer would point to no option or be no number, a question would have what its type has not, the
    /// picture is none, or nothing has changed.
    pub fn apply(self, before: &Question) -> Result<(Question, Vec<Change>), EditRefusal> {
        // An edit of other fields must remain possible when the stored answer is already wrong.
        let decides_answer = self.answer.is_some() || self.options.is_some();
        let is_misplaced = if before.is_number() { self.options.is_some() } else { !self.number.are_none() };
        if is_misplaced || before.is_number() && self.fixed_options == Some(true) {
            return Err(EditRefusal::Invalid);
        }
        let answer = match &before.answer {
            Key::Choice(stored) => {
                let given = self.answer.as_deref().map(|given| Choice::parse(given).ok_or(EditRefusal::Invalid));
                Key::Choice(given.transpose()?.unwrap_or(*stored))
            }
            Key::Number(stored) => Key::Number(self.number.apply(self.answer.as_deref(), stored)?),
        };
        let option = |(place, text)| changed(Some(text), before.options.get(place).map_or("", String::as_str));
        let options: Vec<String> = self
            .options
            .map_or_else(|| before.options.clone(), |options| options.into_iter().enumerate().map(option).collect());
        let after = Question {
            question: changed(self.question, &before.question),
            answer,
            explanation: changed(self.explanation, &before.explanation),
            image: changed(self.image, &before.image),
            image_description: changed(self.image_description, &before.image_description),
            topic: changed(self.topic, &before.topic),
            subtopic: changed(self.subtopic, &before.subtopic),
            difficulty: self.difficulty.unwrap_or(before.difficulty),
            source: changed(self.source, &before.source),
            fixed_options: self.fixed_options.unwrap_or_else(|| are_fixed_after(before, &options)),
            options,
            ..before.clone()
        };
        // Nor may a picture from the time before its rule hold up an edit of other fields.
        let is_pictured = after.image.is_empty() || after.image == before.image || is_picture_address(&after.image);
        let is_answerable = after.answer.choice().is_none_or(|choice| (choice as usize) < after.options.len());
        if !is_pictured || decides_answer && !is_answerable {
            return Err(EditRefusal::Invalid);
        }
        let changes = changes(before, &after);
        if changes.is_empty() { Err(EditRefusal::NoChanges) } else { Ok((after, changes)) }
    }
}

/// The new text, or the stored one when they differ only in line ends and surrounding white space: otherwise an edit of
/// another field would log a change that nobody made.
fn changed(given: Option<String>, stored: &str) -> String {
    given.filter(|given| *given != question::normal_text(stored)).unwrap_or_else(|| stored.to_owned())
}

fn text(value: &Value) -> Option<String> {
    let text = question::normal_text(value.as_str()?);
    let is_sound = text.encode_utf16().count() <= TEXT_UNITS_MAX && !text.chars().any(question::is_refused);
    is_sound.then_some(text)
}

fn filled_text(value: &Value) -> Option<String> {
    text(value).filter(|text| !text.is_empty())
}

fn options(value: &Value) -> Option<Vec<String>> {
    let options = value.as_array().filter(|options| OPTIONS.contains(&options.len()))?;
    let options: Vec<_> = options.iter().map(filled_text).collect::<Option<_>>()?;
    let are_distinct = options.iter().map(|option| seen(option)).collect::<HashSet<_>>().len() == options.len();
    are_distinct.then_some(options)
}

/// What has changed in a question, of all its fields.
#[must_use]
pub fn changes(before: &Question, after: &Question) -> Vec<Change> {
    let pairs = fields(before).into_iter().zip(fields(after));
    let differ = pairs.filter(|((_, before), (_, after))| before != after);
    differ.map(|((field, before), (_, after))| Change { field: field.to_owned(), before, after }).collect()
}

/// The first entry of a question's history: each field that is not empty, and that it was empty before.
#[must_use]
pub fn changes_by_writing(question: &Question) -> Vec<Change> {
    let filled = fields(question).into_iter().filter(|(_, text)| !text.is_empty());
    filled.map(|(field, after)| Change { field: field.to_owned(), before: String::new(), after }).collect()
}

/// The question that the first entry of its history writes; `None` if these are the changes of another entry.
#[must_use]
pub fn as_written(id: &str, changes: &[Change]) -> Option<Question> {
    let find = |field: &str| changes.iter().find(|change| change.field == field);
    let text = |field: &str| find(field).map(|change| change.after.clone()).unwrap_or_default();
    if !changes.iter().all(|change| change.before.is_empty()) {
        return None;
    }
    Some(Question {
        id: id.to_owned(),
        grade: Grade::parse(&text("Grade"))?,
        topic: text("Topic"),
        subtopic: text("Subtopic"),
        difficulty: text("Difficulty").parse().ok().and_then(Difficulty::new)?,
        source: text("Source"),
        kind: text("Type"),
        question: text("Question"),
        options: OPTION_LABELS.map(&text).into_iter().filter(|option| !option.is_empty()).collect(),
        answer: match text("Type").as_str() {
            NUMBER => Key::Number(numbers::as_written(text)?),
            _ => Key::Choice(Choice::parse(&text("Answer"))?),
        },
        explanation: text("Explanation"),
        image: text("Image"),
        image_description: text("Image description"),
        fixed_options: text("Fixed options") == yes_or_no(true),
    })
}

/// The fields of a question as the log of edits has them.
fn fields(question: &Question) -> [(&'static str, String); 20] {
    let [option_a, option_b, option_c, option_d] = OPTION_LABELS;
    let option = |place: usize| question.options.get(place).cloned().unwrap_or_default();
    let number = question.answer.number();
    [
        ("Question", question.question.clone()),
        (option_a, option(0)),
        (option_b, option(1)),
        (option_c, option(2)),
        (option_d, option(3)),
        ("Answer", question.answer.letter_or_number().to_owned()),
        ("Tolerance", number.map(|key| key.tolerance.clone()).unwrap_or_default()),
        ("Unit", number.map(|key| key.unit.clone()).unwrap_or_default()),
        ("Forms", number.map(|key| key.forms.text()).unwrap_or_default()),
        ("Language", number.map(|key| key.language.name().to_owned()).unwrap_or_default()),
        ("Explanation", question.explanation.clone()),
        ("Image", question.image.clone()),
        ("Image description", question.image_description.clone()),
        ("Topic", question.topic.clone()),
        ("Subtopic", question.subtopic.clone()),
        ("Difficulty", question.difficulty.number().to_string()),
        ("Grade", question.grade.number().to_string()),
        ("Source", question.source.clone()),
        ("Type", question.kind.clone()),
        ("Fixed options", yes_or_no(question.fixed_options).to_owned()),
    ]
}

#[cfg(test)]
mod tests;
