//! A question of another system, whatever its format: what such a question must have to become one of ours, and the
//! tags in which it carries what its format has no place for.

mod number;
mod picture;
mod refusal;
mod tags;

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::draft::RowDraft;
use super::place::ItemPlace;
use super::{GivenFields, Heading, ID_UNITS_MAX};
use crate::grade::Grade;
use crate::question::{Difficulty, NUMBER, normal_text};
use crate::sheet_cell::SheetCell;
pub use number::{ForeignNumber, NumberOption, between, is_same_number};
use picture::KeptPicture;
pub use picture::{ForeignPicture, InAddresses, PictureKeeper, PictureSource};
pub use refusal::Refusal;
use tags::ReadTags;
pub use tags::{id_tag, tags_of};

/// How many options a question of another system must have, if its tags do not say that it has fewer.
const OPTIONS_WANTED: usize = 4;
/// The fewest options that a tag may say.
const OPTIONS_LEAST: usize = 2;
/// How far a fraction may be from 100, since some systems write a hundred as the sum of parts.
const FRACTION_SLACK: f64 = 0.001;
/// Bytes of the digest in the id of a question that brings none.
const ID_DIGEST_BYTES: usize = 16;

/// A text in our notation, and the picture that stands in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rich {
    /// `$…$` is LaTeX, `\$` a dollar, and `\n` a line break.
    pub text: String,
    /// The only picture.
    pub picture: Option<ForeignPicture>,
    /// How many marks of bold, italic and other emphasis were left out.
    pub dropped: u32,
    /// How many passages had a colour of their own.
    pub colours: u32,
    /// How many passages were underlined that are shown without a line.
    pub lines: u32,
}

/// One of the answers to choose from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignOption {
    /// What it says.
    pub text: Rich,
    /// How many per cent of the points it gives; 100 is right.
    pub fraction: f64,
    /// What is said to those who chose it.
    pub feedback: Rich,
}

/// A question of another system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForeignQuestion {
    /// Where it stands in its file.
    pub place: ItemPlace,
    /// The id that the other system gives it.
    pub id: Option<String>,
    /// What is asked.
    pub text: Rich,
    /// The answers to choose from, in order; none if a number is asked for.
    pub options: Vec<ForeignOption>,
    /// The right number, if one is asked for.
    pub number: Option<ForeignNumber>,
    /// What is said to everyone afterwards.
    pub general_feedback: Rich,
    /// Its tags, as they are written.
    pub tags: Vec<String>,
    /// The name of the category it is in, without those around it.
    pub category: Option<String>,
    /// Whether its author has said that its options keep their order.
    pub keeps_order: bool,
    /// What its reader has left out or changed, a sentence each.
    pub notes: Vec<String>,
}

/// What an import says for questions that do not say it themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// Their grade.
    pub grade: Option<Grade>,
    /// Their topic.
    pub topic: Option<String>,
    /// Their difficulty.
    pub difficulty: Option<Difficulty>,
}

/// What a question of another system has become.
#[derive(Clone, Debug)]
pub struct ForeignDraft {
    /// The question, like those of sheets.
    pub draft: RowDraft,
    /// The fields that it says itself, or the import for it.
    pub given: GivenFields,
    /// What was left out or changed, a sentence each.
    pub notes: Vec<String>,
    /// The digest of the picture that the file brings, as it is there.
    pub picture: Option<String>,
}

impl ForeignQuestion {
    /// Makes it one of ours, with its picture in its address.
    ///
    /// # Errors
    /// As [`ForeignQuestion::draft_with`].
    pub fn draft(self, defaults: &Defaults) -> Result<ForeignDraft, Refusal> {
        self.draft_with(defaults, &mut InAddresses)
    }

    /// Makes it one of ours, with its picture where `pictures` keeps it.
    ///
    /// # Errors
    /// When it has other than four options (or as many as its tag `options` says) or not exactly one right one, when
    /// neither it nor the import says its grade and difficulty, when its picture can't be kept, or a field breaks a
    /// rule of all questions.
    pub fn draft_with(self, defaults: &Defaults, pictures: &mut dyn PictureKeeper) -> Result<ForeignDraft, Refusal> {
        let tags = ReadTags::of(&self.tags)?;
        let right = match &self.number {
            Some(_) => None,
            None => Some(self.right_option(tags.options.unwrap_or(OPTIONS_WANTED))?),
        };
        let id = self.identifier(&tags)?;
        let mut notes = self.said(&tags);
        let Self { text, mut options, number, general_feedback, category, keeps_order, .. } = self;
        let grade = tags.grade.or(defaults.grade).ok_or(Refusal::NoGrade)?;
        let difficulty = tags.difficulty.or(defaults.difficulty).ok_or(Refusal::NoDifficulty)?;
        let named = category.filter(|name| !name.trim().is_empty());
        let topic = tags.topic.or_else(|| defaults.topic.clone()).or(named);
        let is_number = number.is_some();
        let number = number.unwrap_or_default();
        let of_option = right.and_then(|right| options.get_mut(right));
        let feedback = of_option.map_or(number.feedback, |option| std::mem::take(&mut option.feedback));
        let explained = if general_feedback.text.trim().is_empty() { feedback } else { general_feedback };
        if explained.picture.is_some() {
            return Err(Refusal::PictureElsewhere("explanation"));
        }
        let KeptPicture { image, description, digest } =
            KeptPicture::of(text.picture, tags.image, pictures, &mut notes)?;
        let description = tags.image_description.unwrap_or(description);
        let letter = right.and_then(|right| ["A", "B", "C", "D"].get(right)).copied();
        let answer = letter.unwrap_or(&number.answer);
        let option = |place: usize| options.get(place).map_or("", |option| option.text.text.as_str());
        let given = [topic.is_some(), tags.subtopic.is_some(), tags.source.is_some()];
        let has_forms = tags.forms.is_some();
        let has_unit = tags.unit.is_some() || !number.unit.is_empty();
        let has_language = tags.language.is_some();
        let [topic, subtopic, source, forms, language] =
            [topic, tags.subtopic, tags.source, tags.forms, tags.language].map(Option::unwrap_or_default);
        let unit = tags.unit.unwrap_or(number.unit);
        let kind = if is_number { NUMBER.to_owned() } else { tags.kind.unwrap_or_default() };
        let fixed_options = tags.fixed_options.or(keeps_order.then_some(true));
        let cells = Heading::ALL.map(|field| match field {
            // It is no number that a spreadsheet may have changed, so it is taken as it is.
            Heading::Id => SheetCell::Empty,
            Heading::Grade => SheetCell::Number(grade.number().into()),
            Heading::Topic => SheetCell::text(&topic),
            Heading::Subtopic => SheetCell::text(&subtopic),
            Heading::Difficulty => SheetCell::Number(difficulty.number().into()),
            Heading::Source => SheetCell::text(&source),
            Heading::Type => SheetCell::text(&kind),
            Heading::Question => SheetCell::text(&text.text),
            Heading::OptionA => SheetCell::text(option(0)),
            Heading::OptionB => SheetCell::text(option(1)),
            Heading::OptionC => SheetCell::text(option(2)),
            Heading::OptionD => SheetCell::text(option(3)),
            Heading::Answer => SheetCell::text(answer),
            Heading::Explanation => SheetCell::text(&explained.text),
            Heading::Image => SheetCell::text(&image),
            Heading::ImageDescription => SheetCell::text(&description),
            Heading::FixedOptions => fixed_options.map_or(SheetCell::Empty, SheetCell::Boolean),
            Heading::Tolerance => SheetCell::text(&number.tolerance),
            Heading::Unit => SheetCell::text(&unit),
            Heading::Forms => SheetCell::text(&forms),
            Heading::Language => SheetCell::text(&language),
        });
        let [secure, practice] =
            [tags.secure, tags.practice].map(|mark| mark.map_or(SheetCell::Empty, SheetCell::Boolean));
        let field = |field: Heading| cells.get(field as usize).unwrap_or(&SheetCell::Empty);
        let draft = RowDraft::read(field, [&secure, &practice])?.named(id);
        let [has_topic, has_subtopic, has_source] = given;
        let given = GivenFields::of(|field| match field {
            Heading::Topic => has_topic,
            Heading::Subtopic => has_subtopic,
            Heading::Source => has_source,
            Heading::FixedOptions => fixed_options.is_some(),
            Heading::Unit => has_unit,
            Heading::Forms => has_forms,
            Heading::Language => has_language,
            _ => true,
        });
        Ok(ForeignDraft { draft, given, notes, picture: digest })
    }

    /// The place of the right option.
    fn right_option(&self, wanted: usize) -> Result<usize, Refusal> {
        if self.options.len() != wanted {
            return Err(Refusal::Options { found: self.options.len(), wanted });
        }
        for (option, letter) in self.options.iter().zip(["A", "B", "C", "D"]) {
            if option.text.picture.is_some() {
                return Err(Refusal::PictureInOption(letter));
            }
        }
        let gives: Vec<usize> = (0..self.options.len()).filter(|place| self.fraction(*place) > 0.0).collect();
        match gives.as_slice() {
            [] => Err(Refusal::NoRight),
            [right] if (self.fraction(*right) - 100.0).abs() < FRACTION_SLACK => Ok(*right),
            [right] => Err(Refusal::PartlyRight(shown_fraction(self.fraction(*right)))),
            several => Err(Refusal::SeveralRight(several.len())),
        }
    }

    fn fraction(&self, place: usize) -> f64 {
        self.options.get(place).map_or(0.0, |option| option.fraction)
    }

    /// The id of the other system, or one made of what the question asks. Two imports of one file find the same.
    fn identifier(&self, tags: &ReadTags) -> Result<String, Refusal> {
        let given = tags.id.as_deref().or(self.id.as_deref()).map(normal_text).filter(|id| !id.is_empty());
        let id = given.unwrap_or_else(|| self.digest());
        if id.encode_utf16().count() > ID_UNITS_MAX {
            return Err(Refusal::LongId(ID_UNITS_MAX));
        }
        if id.chars().any(char::is_control) { Err(Refusal::ControlInId) } else { Ok(id) }
    }

    fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        let mut add = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_be_bytes());
            hasher.update(bytes);
        };
        add(normal_text(&self.text.text).as_bytes());
        for option in &self.options {
            add(normal_text(&option.text.text).as_bytes());
        }
        if let Some(number) = &self.number {
            add(number.answer.as_bytes());
        }
        match self.text.picture.as_ref().map(|picture| &picture.source) {
            Some(PictureSource::Bytes { bytes, .. }) => add(bytes),
            Some(PictureSource::Address(address)) => add(address.as_bytes()),
            None => {}
        }
        hasher.finalize().iter().take(ID_DIGEST_BYTES).fold("q-".to_owned(), |mut id, byte| {
            let _ = write!(id, "{byte:02x}");
            id
        })
    }

    /// What becomes of it that its author might miss.
    fn said(&self, tags: &ReadTags) -> Vec<String> {
        let mut notes = self.notes.clone();
        let explains = |rich: &Rich| !rich.text.trim().is_empty();
        let texts = || {
            let of_options = self.options.iter().flat_map(|option| [&option.text, &option.feedback]);
            of_options.chain([&self.text, &self.general_feedback])
        };
        for (count, said) in [
            (texts().map(|rich| rich.dropped).sum::<u32>(), "marks of bold, italic or the like are left out"),
            (texts().map(|rich| rich.colours).sum::<u32>(), "passages lose their colour"),
            (texts().map(|rich| rich.lines).sum::<u32>(), "underlined passages are too long for a line and lose it"),
        ] {
            if count > 0 {
                notes.push(format!("{count} {said}"));
            }
        }
        let penalties = (0..self.options.len()).filter(|place| self.fraction(*place) < 0.0).count();
        if penalties > 0 {
            notes.push(format!("points are not taken off here: {penalties} penalties become 0"));
        }
        let feedback = |option: &&ForeignOption| explains(&option.feedback);
        let has_general = explains(&self.general_feedback);
        let lost = self.options.iter().filter(|option| has_general || option.fraction <= 0.0).filter(feedback).count();
        let lost = lost + self.number.iter().filter(|number| has_general && explains(&number.feedback)).count();
        if lost > 0 {
            notes.push(format!("feedback to {lost} options is left out"));
        }
        if !tags.unknown.is_empty() {
            notes.push(format!("tags are left out: {}", tags.unknown.join(", ")));
        }
        notes
    }
}

/// A percentage as messages say it, with two places at most.
fn shown_fraction(fraction: f64) -> String {
    let text = format!("{fraction:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests;
