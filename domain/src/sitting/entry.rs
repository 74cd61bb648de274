//! Decides whether a candidate may enter now: the doors, the end of the entry, and the exceptions.

use super::Sitting;
use super::candidate::Candidate;
use super::terms::{CandidateTerms, GrantedTime, Layer};
use super::values::StartRule;
use crate::time::moment::Moment;

/// Why a candidate may not enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryRefusal {
    /// The doors open then.
    NotOpen(Moment),
    /// The entry is over.
    Closed,
}

impl Sitting {
    /// From when a candidate may enter. Whoever starts earlier than the others may enter earlier too.
    #[must_use]
    pub fn doors_for(&self, terms: &CandidateTerms) -> Moment {
        let earlier = terms.starts_at.value.since(self.plan.starts_at).min(0);
        let planned = self.plan.doors_at().plus(earlier);
        self.opened_at.filter(|_| !self.opened_early).map_or(planned, |opened_at| opened_at.min(planned))
    }

    /// Returns whether the doors are open for a candidate, or their time counts.
    #[must_use]
    pub fn is_open_for(&self, terms: &CandidateTerms, now: Moment) -> bool {
        self.doors_for(terms) <= now || terms.has_begun(now)
    }

    /// When the doors open for those without times of their own.
    #[must_use]
    pub fn doors_for_all(&self) -> Moment {
        self.doors_for(&self.hall_terms(None))
    }

    /// When the first doors open: of those who start first, in their room or, with that start, on their own.
    #[must_use]
    pub fn first_doors(&self, first_own_start: Option<Moment>) -> Moment {
        let doors = self.first_terms(first_own_start).map(|terms| self.doors_for(&terms));
        doors.fold(self.doors_for_all(), Moment::min)
    }

    /// Returns whether the doors are open for anybody.
    #[must_use]
    pub fn admits_anybody(&self, first_own_start: Option<Moment>, now: Moment) -> bool {
        self.first_terms(first_own_start).any(|terms| self.is_open_for(&terms, now))
    }

    /// The terms of those without times of their own, of those in each room, and of whoever has that start.
    fn first_terms(&self, first_own_start: Option<Moment>) -> impl Iterator<Item = CandidateTerms> {
        let halls = self.halls.iter().map(|hall| self.hall_terms(Some(hall.id)));
        let own = first_own_start.map(|starts_at| {
            let own = Layer { starts_at: Some(starts_at), ..Layer::default() };
            CandidateTerms::of(&self.layers(None, Layer::default(), own, 0))
        });
        [self.hall_terms(None)].into_iter().chain(halls).chain(own)
    }

    /// The last moment in which a candidate may enter without a proctor; `None` while there is none. Whoever starts
    /// later than the others may enter later too. Without an end of the entry it lasts as long as the time of those who
    /// came at the start, with what was given to everyone.
    #[must_use]
    pub fn entry_ends_at(&self, terms: &CandidateTerms, granted: GrantedTime) -> Option<Moment> {
        let later = terms.starts_at.value.since(self.plan.starts_at).max(0);
        let by_clock = match (self.plan.entry_until, self.plan.start) {
            (Some(until), _) => Some(until.plus(later)),
            (None, StartRule::Own) => None,
            (None, _) => terms
                .begins_at
                .map(|begins_at| begins_at.value.plus(terms.allowance_milliseconds()).plus(granted.milliseconds())),
        };
        let hard_end = terms.hard_end(granted);
        by_clock.into_iter().chain(hard_end).min()
    }

    /// Whether someone who has not entered yet may do so now.
    ///
    /// # Errors
    /// Before the doors open for them, and after their entry has ended or their time is up. A proctor who admits them
    /// gives them no time: they would hand in at once, and have no second attempt.
    pub fn admits(&self, candidate: &Candidate, terms: &CandidateTerms, now: Moment) -> Result<(), EntryRefusal> {
        if self.ended_at.is_some() || self.released_at.is_some() {
            return Err(EntryRefusal::Closed);
        }
        if !self.is_open_for(terms, now) {
            return Err(EntryRefusal::NotOpen(self.doors_for(terms)));
        }
        let hall = self.hall_time(candidate.hall_id);
        let granted = hall.granted(terms.begins_at.map(|begins_at| begins_at.value), now);
        let is_late = self.entry_ends_at(terms, granted).is_some_and(|ends_at| ends_at < now);
        let is_kept_out = is_late && candidate.admitted_by.is_none();
        if is_kept_out || terms.is_up_on_entry(&hall, now) { Err(EntryRefusal::Closed) } else { Ok(()) }
    }

    /// Returns whether the results wait for someone who has not entered: whose time does not count yet, or whom a
    /// proctor has let in. Nobody waits for those whose time runs without them, nor for those who are marked as absent.
    #[must_use]
    pub fn expects(&self, candidate: &Candidate, terms: &CandidateTerms, now: Moment) -> bool {
        let is_to_come = !candidate.has_entered() && candidate.absent.is_none();
        let is_running = terms.has_begun(now) && self.plan.start != StartRule::Own;
        let is_awaited = !is_running || candidate.admitted_by.is_some();
        is_to_come && is_awaited && self.admits(candidate, terms, now) != Err(EntryRefusal::Closed)
    }
}
