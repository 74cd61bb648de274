//! What counts for a question after its corrections.

use super::{AnswerSet, Correction, CorrectionKind};
use crate::question::{Key, KeyedQuestion, Selected};

/// What counts for a question instead of its key alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What the newest correction says.
    pub kind: CorrectionKind,
    /// The key that now holds.
    pub key: Key,
    /// Options or numbers that are right beside it.
    also: AnswerSet,
}

impl Ruling {
    /// What counts after one more correction: the newest rules, and further options or numbers are right beside those
    /// that were right before.
    #[must_use]
    pub fn after(before: Option<&Self>, question: &KeyedQuestion, correction: &Correction) -> Self {
        let kind = correction.kind;
        let (key, also) = match before {
            Some(before) => (before.key.clone(), before.also.clone()),
            None => (question.answer.clone(), AnswerSet::default()),
        };
        match kind {
            CorrectionKind::Key => {
                let key = correction.options.first_in_place_of(&key).unwrap_or(key);
                Self { kind, key, also: AnswerSet::default() }
            }
            CorrectionKind::Also => Self { kind, also: also.union(&correction.options, &key), key },
            CorrectionKind::All | CorrectionKind::Drop => Self { kind, key, also },
        }
    }

    /// Whether an answer counts as right.
    #[must_use]
    pub fn is_right(&self, selected: Option<&Selected>) -> bool {
        match self.kind {
            CorrectionKind::All => true,
            CorrectionKind::Drop => false,
            CorrectionKind::Key | CorrectionKind::Also => {
                let is_right = |selected| self.key.accepts(selected) || self.also.accept(selected, &self.key);
                selected.is_some_and(is_right)
            }
        }
    }

    /// Whether the question counts at all.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.kind != CorrectionKind::Drop
    }

    /// The options or numbers that are right beside the key, as far as that decides.
    #[must_use]
    pub fn also(&self) -> AnswerSet {
        if self.kind.names_options() { self.also.clone() } else { AnswerSet::default() }
    }
}
