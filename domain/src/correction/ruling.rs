//! What counts for a question after its corrections.

use super::{ChoiceSet, Correction, CorrectionKind};
use crate::question::{Choice, KeyedQuestion};

/// What counts for a question instead of its key alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What the newest correction says.
    pub kind: CorrectionKind,
    /// The key that now holds.
    pub key: Choice,
    /// Options that are right beside it.
    also: ChoiceSet,
}

impl Ruling {
    /// What counts after one more correction: the newest rules, and further options are right beside those that were
    /// right before.
    #[must_use]
    pub fn after(before: Option<Self>, question: &KeyedQuestion, correction: &Correction) -> Self {
        let asked = Self { kind: correction.kind, key: question.answer, also: ChoiceSet::NONE };
        let before = before.unwrap_or(asked);
        let kind = correction.kind;
        match kind {
            CorrectionKind::Key => {
                let key = correction.options.iter().next().unwrap_or(before.key);
                Self { kind, key, also: ChoiceSet::NONE }
            }
            CorrectionKind::Also => {
                Self { kind, also: before.also.union(correction.options).without(before.key), ..before }
            }
            CorrectionKind::All | CorrectionKind::Drop => Self { kind, ..before },
        }
    }

    /// Whether an answer counts as right.
    #[must_use]
    pub fn is_right(self, selected: Option<Choice>) -> bool {
        match self.kind {
            CorrectionKind::All => true,
            CorrectionKind::Drop => false,
            CorrectionKind::Key | CorrectionKind::Also => {
                selected.is_some_and(|selected| selected == self.key || self.also.has(selected))
            }
        }
    }

    /// Whether the question counts at all.
    #[must_use]
    pub fn counts(self) -> bool {
        self.kind != CorrectionKind::Drop
    }

    /// The options that are right beside the key, as far as that decides.
    #[must_use]
    pub const fn also(self) -> ChoiceSet {
        if self.kind.names_options() { self.also } else { ChoiceSet::NONE }
    }
}
