//! Test templates: the config that an admin enters, and the questions that are locked for it. How they are drawn,
//! swapped and listed by hand is in the files of this module, and how templates and attempts depend on each other is in
//! `docs/decisions/0011-templates-keep-ids-attempts-keep-papers.md`.

pub mod access;
pub mod by_hand;
pub mod choice;
pub mod draft;
pub mod draw;
pub mod form_papers;
pub mod forms;
pub mod swap;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use self::access::TemplateRules;
use self::choice::TemplateChoice;
use self::draft::ConfigDraft;
use self::forms::TemplateForm;
use super::attempt::Mode;
use super::band::Band;
use super::calculator::Calculator;
use super::grade::Grade;
use super::mark::chosen::ChosenScale;
use super::question::Question;
use super::selection::Targets;
use super::time::moment::Moment;

/// How many questions one list may have.
pub const LIST_QUESTIONS_MAX: usize = 200;
/// How many candidates for a swap are shown.
pub const CANDIDATES_MAX: usize = 25;

/// A test template.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Identifier; it is also the secret of the share link.
    pub id: Uuid,
    /// What the admin has asked for.
    pub config: TemplateConfig,
    /// The ids of the locked questions.
    pub papers: Papers,
    /// The forms beside the first, which is the list of a standard template: B and so on. Those beyond the number that
    /// is asked for are kept for when it is asked for again.
    pub forms: Vec<TemplateForm>,
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
    /// Who may sit it, and who is told its keys.
    pub rules: TemplateRules,
    /// Whole minutes, for both stages together.
    pub duration_minutes: u32,
    /// The calculator that students may use.
    pub calculator: Calculator,
    /// The wanted questions of each difficulty; none for a standard list that has targets of topics alone. The targets
    /// of a mode that the template had before are kept, for when it is chosen again.
    pub targets: Lists<Targets>,
    /// What else questions are chosen by.
    pub choice: TemplateChoice,
    /// By which scale results are marked.
    pub mark_scale: ChosenScale,
}

impl TemplateConfig {
    /// In how many forms the test is sat. The number that an adaptive template keeps is not read.
    #[must_use]
    pub fn form_count(&self) -> usize {
        self.choice.form_count(self.mode)
    }
}

/// The ids of the locked questions of each list, in order.
pub type Papers = Lists<Vec<String>>;

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

impl Template {
    /// The ids of a list's questions.
    #[must_use]
    pub fn paper(&self, bucket: Bucket) -> &[String] {
        self.papers.get(bucket).map(Vec::as_slice).unwrap_or_default()
    }

    /// The ids of all locked questions, each once: of the lists, and of the forms that are dealt, which may have
    /// others.
    #[must_use]
    pub fn question_ids(&self) -> HashSet<&str> {
        let mut ids = self.listed_ids();
        ids.extend(self.dealt_forms().iter().flat_map(|form| &form.question_ids).map(String::as_str));
        ids
    }

    /// The ids of the questions that a list has, each once.
    fn listed_ids(&self) -> HashSet<&str> {
        Bucket::all(self.config.mode).flat_map(|bucket| self.paper(bucket)).map(String::as_str).collect()
    }

    /// The locked questions of each list in their present form; deleted ones are left out.
    #[must_use]
    pub fn questions(&self, by_id: &HashMap<String, Question>) -> Lists<Vec<Question>> {
        self.papers
            .map(self.config.mode, |ids| ids.into_iter().flatten().filter_map(|id| by_id.get(id)).cloned().collect())
    }

    /// Changes the config as a caller asks. The lists stay as they are.
    ///
    /// # Errors
    /// The first field that is missing or wrong; also when a question is to be pinned that no list has. The template is
    /// not to be stored then.
    pub fn configure(&mut self, draft: ConfigDraft) -> Result<(), Invalid> {
        let sets_pinned = draft.choice.sets_pinned();
        self.config = draft.config(Some(&self.config))?;
        let locked = self.listed_ids();
        if sets_pinned && !self.config.choice.pinned.iter().all(|id| locked.contains(id.as_str())) {
            return Err(Invalid::Field("pinned"));
        }
        Ok(())
    }

    /// The questions of the other lists that a student who gets this one could see in the same test.
    fn seen_beside(&self, bucket: Bucket) -> HashSet<&str> {
        // A student gets the list of one band, so the lists of other bands may have the same questions.
        let is_seen =
            |other: &Bucket| *other != bucket && !matches!((bucket, other), (Bucket::Session2(_), Bucket::Session2(_)));
        Bucket::all(self.config.mode).filter(is_seen).flat_map(|other| self.paper(other)).map(String::as_str).collect()
    }

    /// Forgets pins of questions that no list has any more.
    fn unpin_absent(&mut self) {
        let locked: HashSet<String> = self.listed_ids().into_iter().map(str::to_owned).collect();
        self.config.choice.pinned.retain(|id| locked.contains(id));
    }
}

#[cfg(test)]
mod tests;
