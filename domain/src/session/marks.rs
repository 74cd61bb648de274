//! The marks of a finished test, which are told where its scores are, and nowhere else.

use super::Session;
use crate::mark::{MarkScale, MarkedFacts, ResultMark};
use crate::sight::{Sight, StaffSight};

impl Session {
    /// The mark of its result, if it has one and the reader may see it.
    #[must_use]
    pub fn mark(&self, sight: Sight) -> Option<ResultMark> {
        self.told_scale(sight)?.mark(MarkedFacts::of(self.result.inside_the_server()))
    }

    /// The mark of the version before, by the scale of now.
    #[must_use]
    pub(super) fn mark_before(&self, sight: Sight) -> Option<ResultMark> {
        self.told_scale(sight)?.mark(*self.version.previous_facts.as_ref()?.inside_the_server())
    }

    /// What its mark is reckoned from. `_sight` is of its grade.
    #[must_use]
    pub fn marked_facts(&self, _sight: StaffSight) -> MarkedFacts {
        MarkedFacts::of(self.result.inside_the_server())
    }

    /// What another system's score is reckoned from, if the reader may see the result.
    #[must_use]
    pub fn told_facts(&self, sight: Sight) -> Option<MarkedFacts> {
        let is_shown = sight.is_of(self.session_id) && sight.shows_result();
        is_shown.then(|| MarkedFacts::of(self.result.inside_the_server()))
    }

    /// The scale for whoever is told the mark.
    #[must_use]
    pub fn told_scale(&self, sight: Sight) -> Option<&MarkScale> {
        let is_shown = sight.is_of(self.session_id) && sight.shows_mark();
        self.mark_scale.as_deref().filter(|_| is_shown)
    }
}
