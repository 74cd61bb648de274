//! Reads what a caller asks of a template: which config follows from the fields that were sent, and why it is refused.

use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::Value;

use super::access::RulesDraft;
use super::choice::{ChoiceDraft, TopicTargets};
use super::{Invalid, LIST_QUESTIONS_MAX, TemplateConfig};
use crate::attempt::Mode;
use crate::band::Band;
use crate::calculator::Calculator;
use crate::grade::Grade;
use crate::mark::chosen::ChosenScale;
use crate::selection::Targets;
use crate::sitting::values::FieldChange;

/// How long a test from a template may be, in whole minutes.
const MINUTES: RangeInclusive<u32> = 1..=600;

/// The fields of a config that a caller has sent; `None` for those left out.
#[derive(Clone, Debug, Default)]
pub struct ConfigDraft {
    /// The name as shown.
    pub name: Option<String>,
    /// The grades, each once.
    pub grades: Option<Vec<Grade>>,
    /// One list, or a second one for each band.
    pub mode: Option<Mode>,
    /// Who may sit it, and who is told its keys.
    pub rules: RulesDraft,
    /// Whole minutes.
    pub duration_minutes: Option<u32>,
    /// None for a new template that names none.
    pub calculator: Option<Calculator>,
    /// Still unparsed: it is checked only when the mode has this list, and the same holds for the other two. Targets of
    /// topics may stand alone, so that these can go again.
    pub standard_targets: FieldChange<Value>,
    /// Still unparsed.
    pub session1_targets: Option<Value>,
    /// Still unparsed.
    pub session2_targets_by_band: Option<Value>,
    /// What questions are chosen by.
    pub choice: ChoiceDraft,
    /// The school's scale for a new template that names none; null is no scale.
    pub mark_scale: FieldChange<ChosenScale>,
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
        let rules = self.rules.rules(stored.map(|stored| stored.rules.clone()).unwrap_or_default())?;
        let stored_minutes = stored.map(|stored| stored.duration_minutes);
        let duration_minutes = self.duration_minutes.or(stored_minutes).ok_or(Invalid::Field("durationMinutes"))?;
        let calculator = self.calculator.or(stored.map(|stored| stored.calculator)).unwrap_or_default();
        let mut targets = stored.map(|stored| stored.targets.clone()).unwrap_or_default();
        let (has_topics, has_forms) = (self.choice.has_topics(), self.choice.has_forms());
        let mark_scale = match self.mark_scale {
            FieldChange::Keep => stored.map(|stored| stored.mark_scale.clone()).unwrap_or_default(),
            FieldChange::Clear => ChosenScale::Without,
            FieldChange::Set(scale) => scale,
        };
        let choice = self.choice.choice(stored.map(|stored| stored.choice.clone()).unwrap_or_default());
        match mode {
            Mode::Standard => {
                targets.standard = standard_targets(self.standard_targets, targets.standard, &choice.topic_targets)?;
            }
            // Both stages are made of difficulties alone: a band is reached by points.
            Mode::Adaptive if has_topics => return Err(Invalid::Field("topicTargets")),
            // Whom a band gives which list is known only when stage 2 begins.
            Mode::Adaptive if has_forms => return Err(Invalid::Field("forms")),
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
        Ok(TemplateConfig { name, grades, mode, rules, duration_minutes, calculator, targets, choice, mark_scale })
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

/// The difficulties of a standard list: required unless topics have targets. Where both have, they are of one total.
fn standard_targets(
    given: FieldChange<Value>,
    stored: Option<Targets>,
    topics: &TopicTargets,
) -> Result<Option<Targets>, Invalid> {
    let refused = Invalid::Field("standardTargets");
    let targets = match given {
        FieldChange::Set(value) => Some(list_targets(&value).ok_or(refused)?),
        FieldChange::Clear if !topics.is_empty() => None,
        FieldChange::Keep | FieldChange::Clear => stored,
    };
    match targets {
        None if topics.is_empty() => Err(refused),
        Some(targets) if !topics.is_empty() && targets.total() != topics.values().sum::<usize>() => {
            Err(Invalid::Field("topicTargets"))
        }
        targets => Ok(targets),
    }
}

pub(super) fn list_targets(value: &Value) -> Option<Targets> {
    Targets::deserialize(value).ok().filter(|targets| (1..=LIST_QUESTIONS_MAX).contains(&targets.total()))
}

/// The targets of the bands; all five must be there.
fn band_targets(value: &Value) -> Option<BTreeMap<Band, Targets>> {
    let by_band = value.as_object()?.iter().map(|(label, targets)| Some((Band::parse(label)?, list_targets(targets)?)));
    by_band.collect::<Option<BTreeMap<_, _>>>().filter(|by_band| by_band.len() == Band::ALL.len())
}
