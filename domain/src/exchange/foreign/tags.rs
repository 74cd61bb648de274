//! Tags of questions in other systems: `grade:5`, `topic:Fractions`, `difficulty:3`. Exports write them and imports
//! read them, since those systems have no fields for what they say.

use std::fmt::Write as _;

use percent_encoding::percent_decode_str;

use super::{OPTIONS_LEAST, OPTIONS_WANTED, Refusal};
use crate::exchange::{PRACTICE, SECURE, yes_or_no};
use crate::grade::Grade;
use crate::number::{Form, Forms, Language};
use crate::picture::is_picture_address;
use crate::question::{Difficulty, MULTIPLE_CHOICE, Question};

/// The tag that says whether the options keep their order.
const FIXED_OPTIONS: &str = "fixed-options";
/// What a value may not have in one of the formats. It is written as `%` and two digits, and so is `%` itself.
const ENCODED: [char; 8] = ['%', '<', '>', '`', '[', ']', '\\', ','];
/// How many tags of its own a question may have that messages repeat.
const UNKNOWN_MAX: usize = 5;
/// How many characters of such a tag messages repeat.
const UNKNOWN_CHARACTERS_MAX: usize = 40;

/// What the tags of a question say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ReadTags {
    pub(super) id: Option<String>,
    pub(super) grade: Option<Grade>,
    pub(super) topic: Option<String>,
    pub(super) subtopic: Option<String>,
    pub(super) difficulty: Option<Difficulty>,
    pub(super) source: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) secure: Option<bool>,
    pub(super) practice: Option<bool>,
    pub(super) fixed_options: Option<bool>,
    pub(super) options: Option<usize>,
    pub(super) image: Option<String>,
    pub(super) image_description: Option<String>,
    pub(super) unit: Option<String>,
    pub(super) forms: Option<String>,
    pub(super) language: Option<String>,
    /// Those that mean nothing here.
    pub(super) unknown: Vec<String>,
}

impl ReadTags {
    /// Reads tags. Case does not count in their names.
    ///
    /// # Errors
    /// When one has a value that it can't have, or one is there twice with two values.
    pub(super) fn of(tags: &[String]) -> Result<Self, Refusal> {
        let mut read = Self::default();
        for tag in tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()) {
            let (name, value) = tag.split_once(':').unwrap_or((tag, ""));
            let value = decoded(value.trim());
            let wrong = |what| Refusal::Tag(shown(tag), what);
            match name.trim().to_ascii_lowercase().as_str() {
                "grade" => {
                    set(&mut read.grade, "grade", Grade::parse(&value).ok_or(wrong("a grade is 1 to 10"))?)?;
                }
                "difficulty" => {
                    let number = value.parse().ok().and_then(Difficulty::new);
                    set(&mut read.difficulty, "difficulty", number.ok_or(wrong("a difficulty is 1 to 5"))?)?;
                }
                "options" => {
                    let number = value.parse().ok().filter(|count| (OPTIONS_LEAST..=OPTIONS_WANTED).contains(count));
                    set(&mut read.options, "options", number.ok_or(wrong("a question has 2 to 4 options"))?)?;
                }
                SECURE => set(&mut read.secure, SECURE, mark(&value).ok_or(wrong("secure is yes or no"))?)?,
                // Others have tags of this name for purposes of their own.
                PRACTICE if mark(&value).is_some() => set(&mut read.practice, PRACTICE, mark(&value) == Some(true))?,
                FIXED_OPTIONS => {
                    let fixed = mark(&value).ok_or(wrong("fixed-options is yes or no"))?;
                    set(&mut read.fixed_options, FIXED_OPTIONS, fixed)?;
                }
                "topic" => set(&mut read.topic, "topic", value)?,
                "subtopic" => set(&mut read.subtopic, "subtopic", value)?,
                "source" => set(&mut read.source, "source", value)?,
                "type" => set(&mut read.kind, "type", value)?,
                "id" => set(&mut read.id, "id", value)?,
                "image" => {
                    let path = Some(value).filter(|path| path.starts_with('/') && is_picture_address(path));
                    let path = path.ok_or(wrong("an image is a path below /media, /pictures or /assets"))?;
                    set(&mut read.image, "image", path)?;
                }
                // Others number the units of their course.
                "unit" if !value.starts_with(|letter: char| letter.is_ascii_digit()) => {
                    set(&mut read.unit, "unit", value)?;
                }
                "forms" => {
                    let forms = Forms::parse(&value).ok_or(wrong("forms are some of decimal, fraction, mixed"))?;
                    set(&mut read.forms, "forms", forms.text())?;
                }
                "language" if Language::parse(&value).is_some() => set(&mut read.language, "language", value)?,
                "image-description" => set(&mut read.image_description, "image-description", value)?,
                _ if read.unknown.len() < UNKNOWN_MAX => read.unknown.push(shown(tag)),
                _ => {}
            }
        }
        Ok(read)
    }
}

/// What an export writes as tags of a question, besides what its format has a place for.
#[must_use]
pub fn tags_of(question: &Question, is_secure: bool, practice: Option<bool>) -> Vec<String> {
    let mut tags = vec![
        format!("grade:{}", question.grade.number()),
        format!("topic:{}", encoded(&question.topic)),
        format!("difficulty:{}", question.difficulty.number()),
        // Also said when it is empty or `no`, since what is not said stays as it is in a bank that has the question.
        format!("subtopic:{}", encoded(&question.subtopic)),
        format!("source:{}", encoded(&question.source)),
        format!("{SECURE}:{}", yes_or_no(is_secure)),
        format!("{FIXED_OPTIONS}:{}", yes_or_no(question.fixed_options)),
    ];
    tags.extend(practice.map(|is_practice| format!("{PRACTICE}:{}", yes_or_no(is_practice))));
    if let Some(number) = question.answer.number() {
        // The type is that of the format, which has places for the number and its tolerance.
        tags.push(format!("unit:{}", encoded(&number.unit)));
        tags.push(format!("forms:{}", number.forms.iter().map(Form::name).collect::<Vec<_>>().join(";")));
        tags.push(format!("language:{}", number.language.name()));
    } else {
        tags.extend((question.kind != MULTIPLE_CHOICE).then(|| format!("type:{}", encoded(&question.kind))));
        let has_few = question.options.len() < OPTIONS_WANTED;
        tags.extend(has_few.then(|| format!("options:{}", question.options.len())));
    }
    // Another system has nothing at a path of this one, so no text there names it.
    let is_path = question.image.starts_with('/');
    if is_path {
        tags.push(format!("image:{}", encoded(&question.image)));
    }
    if (is_path || question.image.is_empty()) && !question.image_description.is_empty() {
        tags.push(format!("image-description:{}", encoded(&question.image_description)));
    }
    tags
}

/// An id as a tag, for formats whose own place for ids does not hold it.
#[must_use]
pub fn id_tag(id: &str) -> String {
    format!("id:{}", encoded(id))
}

fn set<T: PartialEq>(place: &mut Option<T>, name: &'static str, value: T) -> Result<(), Refusal> {
    if place.as_ref().is_some_and(|earlier| *earlier != value) {
        return Err(Refusal::TagTwice(name));
    }
    *place = Some(value);
    Ok(())
}

fn mark(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "true" | "1" => Some(true),
        "no" | "false" | "0" => Some(false),
        _ => None,
    }
}

/// A value as a tag can have it. Letters of all languages stay as they are.
fn encoded(value: &str) -> String {
    value.chars().fold(String::with_capacity(value.len()), |mut text, character| {
        if character.is_ascii() && (ENCODED.contains(&character) || character.is_control()) {
            let _ = write!(text, "%{:02X}", u32::from(character));
        } else {
            text.push(character);
        }
        text
    })
}

fn decoded(value: &str) -> String {
    percent_decode_str(value).decode_utf8().map_or_else(|_| value.to_owned(), std::borrow::Cow::into_owned)
}

fn shown(tag: &str) -> String {
    let plain: String = tag.chars().filter(|character| !character.is_control()).take(UNKNOWN_CHARACTERS_MAX).collect();
    if plain.chars().count() < tag.chars().count() { format!("{plain}…") } else { plain }
}
