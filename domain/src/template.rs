//! Test templates: the config that an admin enters, the questions that are locked for it, and how one of them is
//! swapped. How templates and attempts depend on each other is in
//! `docs/decisions/0011-templates-keep-ids-attempts-keep-papers.md`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use rand::Rng;
use rand::seq::IndexedRandom;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::attempt::Mode;
use super::band::Band;
use super::calculator::Calculator;
use super::grade::Grade;
use super::question::{Difficulty, KeyedQuestion, Question};
use super::question_types::QuestionTypes;
use super::selection::{Targets, draw_exactly};
use super::time::moment::Moment;

/// How many questions one list may have.
pub const LIST_QUESTIONS_MAX: usize = 200;
/// How many candidates for a swap are shown.
pub const CANDIDATES_MAX: usize = 25;
/// How long a test from a template may be, in whole minutes.
const MINUTES: RangeInclusive<u32> = 1..=600;

/// A test template.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Identifier; it is also the secret of the share link.
    pub id: Uuid,
    /// What the admin has asked for.
    pub config: TemplateConfig,
    /// The ids of the locked questions.
    pub papers: Papers,
    /// E-mail of the admin who made it.
    pub created_by: String,
    /// When it was made.
    pub created_at: Moment,
    /// When it was last changed. Each change makes it later, so that a copy can be compared by it.
    pub updated_at: Moment,
}

/// What an admin asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateConfig {
    /// The name as shown.
    pub name: String,
    /// At least one grade, each once; the first is the grade of the sessions.
    pub grades: Vec<Grade>,
    /// One list, or a second one for each band.
    pub mode: Mode,
    /// Whole minutes, for both stages together.
    pub duration_minutes: u32,
    /// The calculator that students may use.
    pub calculator: Calculator,
    /// The types of questions that it draws.
    pub types: QuestionTypes,
    /// The wanted questions of each difficulty. The targets of a mode that the template had before are kept, for when
    /// it is chosen again.
    pub targets: Lists<Targets>,
}

/// The ids of the locked questions of each list, in order.
pub type Papers = Lists<Vec<String>>;

/// How many questions of each difficulty were missing; only lists that lack some are included.
pub type Shortfalls = Lists<BTreeMap<u8, usize>>;

/// One of the lists of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    /// The only list of a standard template.
    Standard,
    /// The first list of an adaptive template.
    Session1,
    /// The second list of an adaptive template for a band.
    Session2(Band),
}

impl Bucket {
    /// The lists of a mode; session 1 comes before the lists that must not repeat its questions.
    pub fn all(mode: Mode) -> impl Iterator<Item = Self> {
        let (first, bands) = match mode {
            Mode::Standard => (Self::Standard, &[] as &[Band]),
            Mode::Adaptive => (Self::Session1, &Band::ALL as &[Band]),
        };
        std::iter::once(first).chain(bands.iter().map(|band| Self::Session2(*band)))
    }

    /// Returns whether a template of this mode has the list.
    #[must_use]
    pub const fn is_of(self, mode: Mode) -> bool {
        matches!((self, mode), (Self::Standard, Mode::Standard) | (Self::Session1 | Self::Session2(_), Mode::Adaptive))
    }
}

/// One value for each list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
pub struct Lists<T> {
    /// For [`Bucket::Standard`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub standard: Option<T>,
    /// For [`Bucket::Session1`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session1: Option<T>,
    /// For each [`Bucket::Session2`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub session2: BTreeMap<Band, T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { standard: None, session1: None, session2: BTreeMap::new() }
    }
}

impl<T> Lists<T> {
    /// The value of a list.
    #[must_use]
    pub fn get(&self, bucket: Bucket) -> Option<&T> {
        match bucket {
            Bucket::Standard => self.standard.as_ref(),
            Bucket::Session1 => self.session1.as_ref(),
            Bucket::Session2(band) => self.session2.get(&band),
        }
    }

    /// Sets the value of a list.
    pub fn put(&mut self, bucket: Bucket, value: T) {
        match bucket {
            Bucket::Standard => self.standard = Some(value),
            Bucket::Session1 => self.session1 = Some(value),
            Bucket::Session2(band) => drop(self.session2.insert(band, value)),
        }
    }

    /// Maps the value of each list of a mode; the lists of the other mode are left out.
    #[must_use]
    pub fn map<'a, U>(&'a self, mode: Mode, mut of: impl FnMut(Option<&'a T>) -> U) -> Lists<U> {
        let mut mapped = Lists::default();
        for bucket in Bucket::all(mode) {
            mapped.put(bucket, of(self.get(bucket)));
        }
        mapped
    }
}

/// Why a config is refused; the API has a message for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// This field is missing or wrong.
    Field(&'static str),
    /// The lists of the bands have different totals.
    UnequalBands,
}

/// Why a question is not swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapRefusal {
    /// The template's mode has no such list.
    NoSuchBucket,
    /// The question is not in the list.
    QuestionNotFound,
    /// No other question could take its place.
    NoneEligible,
    /// The named question can't take its place.
    NotEligible,
}

/// The fields of a config that a caller has sent; `None` for those left out.
#[derive(Debug, Default)]
pub struct ConfigDraft {
    /// The name as shown.
    pub name: Option<String>,
    /// The grades, each once.
    pub grades: Option<Vec<Grade>>,
    /// One list, or a second one for each band.
    pub mode: Option<Mode>,
    /// Whole minutes.
    pub duration_minutes: Option<u32>,
    /// None for a new template that names none.
    pub calculator: Option<Calculator>,
    /// Multiple choice for a new template that names none.
    pub types: Option<QuestionTypes>,
    /// Still unparsed: it is checked only when the mode has this list, and the same holds for the other two.
    pub standard_targets: Option<Value>,
    /// Still unparsed.
    pub session1_targets: Option<Value>,
    /// Still unparsed.
    pub session2_targets_by_band: Option<Value>,
}

impl ConfigDraft {
    /// The complete config; fields that were left out are taken from the stored one.
    ///
    /// # Errors
    /// The first field that is missing or wrong.
    pub fn config(self, stored: Option<&TemplateConfig>) -> Result<TemplateConfig, Invalid> {
        let name = self.name.or_else(|| stored.map(|stored| stored.name.clone())).ok_or(Invalid::Field("name"))?;
        let grades =
            self.grades.or_else(|| stored.map(|stored| stored.grades.clone())).ok_or(Invalid::Field("grades"))?;
        let mode = self.mode.or(stored.map(|stored| stored.mode)).ok_or(Invalid::Field("mode"))?;
        let stored_minutes = stored.map(|stored| stored.duration_minutes);
        let duration_minutes = self.duration_minutes.or(stored_minutes).ok_or(Invalid::Field("durationMinutes"))?;
        let calculator = self.calculator.or(stored.map(|stored| stored.calculator)).unwrap_or_default();
        let types = self.types.or(stored.map(|stored| stored.types)).unwrap_or_default();
        let mut targets = stored.map(|stored| stored.targets.clone()).unwrap_or_default();
        match mode {
            Mode::Standard => {
                let given = self.standard_targets.as_ref();
                targets.standard =
                    Some(either(given, list_targets, targets.standard).ok_or(Invalid::Field("standardTargets"))?);
            }
            Mode::Adaptive => {
                let given = self.session1_targets.as_ref();
                targets.session1 =
                    Some(either(given, list_targets, targets.session1).ok_or(Invalid::Field("session1Targets"))?);
                let stored = (!targets.session2.is_empty()).then_some(targets.session2);
                let by_band = either(self.session2_targets_by_band.as_ref(), band_targets, stored)
                    .ok_or(Invalid::Field("session2TargetsByBand"))?;
                // The second stage is equally long in all bands, or the band would decide how much time there is for a
                // question.
                let totals: HashSet<usize> = by_band.values().map(Targets::total).collect();
                if totals.len() > 1 {
                    return Err(Invalid::UnequalBands);
                }
                targets.session2 = by_band;
            }
        }
        Ok(TemplateConfig { name, grades, mode, duration_minutes, calculator, types, targets })
    }
}

/// The sent value, which must parse, or the stored one when none was sent.
fn either<T>(given: Option<&Value>, parse: impl FnOnce(&Value) -> Option<T>, stored: Option<T>) -> Option<T> {
    given.map_or(stored, parse)
}

/// Each grade once, in the order of their first occurrence; `None` when there is none.
#[must_use]
pub fn distinct_grades(grades: &[Grade]) -> Option<Vec<Grade>> {
    let mut distinct: Vec<Grade> = Vec::new();
    for grade in grades {
        if !distinct.contains(grade) {
            distinct.push(*grade);
        }
    }
    (!distinct.is_empty()).then_some(distinct)
}

/// The minutes of a test; `None` for a fraction, and outside 1 to 600.
#[must_use]
pub fn minutes(number: f64) -> Option<u32> {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a fraction or anything out of range does not come back the same"
    )]
    let whole = number as u32;
    (f64::from(whole) == number && MINUTES.contains(&whole)).then_some(whole)
}

fn list_targets(value: &Value) -> Option<Targets> {
    Targets::deserialize(value).ok().filter(|targets| (1..=LIST_QUESTIONS_MAX).contains(&targets.total()))
}

/// The targets of the bands; all five must be there.
fn band_targets(value: &Value) -> Option<BTreeMap<Band, Targets>> {
    let by_band = value.as_object()?.iter().map(|(label, targets)| Some((Band::parse(label)?, list_targets(targets)?)));
    by_band.collect::<Option<BTreeMap<_, _>>>().filter(|by_band| by_band.len() == Band::ALL.len())
}

/// Draws every list of the config again. The bands may share questions, since a student gets only one of them, but none
/// repeats a question of session 1.
pub fn generate<R: Rng>(config: &TemplateConfig, pool: &[Arc<KeyedQuestion>], random: &mut R) -> (Papers, Shortfalls) {
    let (mut papers, mut shortfalls) = (Papers::default(), Shortfalls::default());
    for bucket in Bucket::all(config.mode) {
        let targets = config.targets.get(bucket).copied().unwrap_or_default();
        let first = papers.session1.iter().flatten().map(String::as_str).collect();
        let (paper, missing) = draw_exactly(pool, targets, &first, random);
        papers.put(bucket, paper.iter().map(|question| question.id.to_string()).collect());
        if missing.total() > 0 {
            shortfalls.put(
                bucket,
                Difficulty::all().map(Difficulty::number).zip(missing.0).filter(|(_, count)| *count > 0).collect(),
            );
        }
    }
    (papers, shortfalls)
}

impl Template {
    /// The ids of a list's questions.
    #[must_use]
    pub fn paper(&self, bucket: Bucket) -> &[String] {
        self.papers.get(bucket).map(Vec::as_slice).unwrap_or_default()
    }

    /// The ids of all locked questions, each once.
    #[must_use]
    pub fn question_ids(&self) -> HashSet<&str> {
        Bucket::all(self.config.mode).flat_map(|bucket| self.paper(bucket)).map(String::as_str).collect()
    }

    /// The locked questions of each list in their present form; deleted ones are left out.
    #[must_use]
    pub fn questions(&self, by_id: &HashMap<String, Question>) -> Lists<Vec<Question>> {
        self.papers
            .map(self.config.mode, |ids| ids.into_iter().flatten().filter_map(|id| by_id.get(id)).cloned().collect())
    }

    /// The questions of its grades that could take the place of this one: they have its difficulty, and the student
    /// sees them nowhere else in the test.
    ///
    /// # Errors
    /// When the template has no such list, or the list does not have the question.
    pub fn eligible<'a>(
        &self,
        swap: &Swap<'_>,
        pool: &'a [Arc<KeyedQuestion>],
    ) -> Result<Vec<&'a Arc<KeyedQuestion>>, SwapRefusal> {
        if !swap.bucket.is_of(self.config.mode) {
            return Err(SwapRefusal::NoSuchBucket);
        }
        let difficulty = swap
            .difficulty
            .filter(|_| self.paper(swap.bucket).iter().any(|id| id == swap.question_id))
            .ok_or(SwapRefusal::QuestionNotFound)?;
        let seen = self.seen_with(swap.bucket);
        Ok(pool.iter().filter(|question| question.difficulty == difficulty && !seen.contains(&*question.id)).collect())
    }

    /// Replaces a question by the named one, or by a random eligible one, and returns the new id.
    ///
    /// # Errors
    /// The same as [`Self::eligible`]; also when the named question is not eligible, or none is.
    pub fn swap<R: Rng>(
        &mut self,
        swap: &Swap<'_>,
        replacement_id: Option<&str>,
        pool: &[Arc<KeyedQuestion>],
        random: &mut R,
    ) -> Result<Arc<str>, SwapRefusal> {
        let eligible = self.eligible(swap, pool)?;
        let chosen = match replacement_id {
            Some(id) => eligible.into_iter().find(|question| &*question.id == id).ok_or(SwapRefusal::NotEligible)?,
            None => eligible.choose(random).copied().ok_or(SwapRefusal::NoneEligible)?,
        };
        let mut paper = self.paper(swap.bucket).to_vec();
        for id in paper.iter_mut().filter(|id| *id == swap.question_id) {
            chosen.id.as_ref().clone_into(id);
        }
        self.papers.put(swap.bucket, paper);
        Ok(Arc::clone(&chosen.id))
    }

    /// All questions that a student who gets this list could see in the same test.
    fn seen_with(&self, bucket: Bucket) -> HashSet<&str> {
        let is_seen = |other: Bucket| match (bucket, other) {
            // A student gets the list of one band, so the lists of other bands may have the same questions.
            (Bucket::Session2(band), Bucket::Session2(of)) => band == of,
            _ => true,
        };
        Bucket::all(self.config.mode)
            .filter(|other| is_seen(*other))
            .flat_map(|other| self.paper(other))
            .map(String::as_str)
            .collect()
    }
}

/// A request to replace a question.
#[derive(Clone, Copy, Debug)]
pub struct Swap<'a> {
    /// The list that has the question.
    pub bucket: Bucket,
    /// The question's id.
    pub question_id: &'a str,
    /// The question's difficulty; `None` when the bank has no such question.
    pub difficulty: Option<Difficulty>,
}

#[cfg(test)]
mod tests;
