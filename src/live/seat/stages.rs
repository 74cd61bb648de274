//! The seat's way from stage 1 to stage 2 of an adaptive test.

use std::collections::HashSet;
use std::sync::Arc;

use actix::prelude::*;

use super::roads::Origin;
use super::{After, Seat};
use crate::domain::attempt::{Mode, Refusal};
use crate::domain::moment::Moment;
use crate::domain::selection::draw;
use crate::live::fault::Fault;
use crate::live::store::Write;
use crate::live::{Live, frames};
use crate::questions::bank::Bank;

impl Seat {
    /// `next`, which arrived `at`: a repeated one is answered as the first was.
    pub(super) fn advance(&mut self, seq: u64, at: Moment, origin: Origin, context: &mut Context<Self>) {
        if self.attempt.terms.mode == Mode::Standard {
            return self.refuse_to(origin, Refusal::NoSecondStage, seq);
        }
        if let Err(refusal) = self.attempt.accepts(at) {
            return self.refuse_to(origin, refusal, seq);
        }
        if !self.attempt.has_stage_to_come() {
            let frame = frames::stage(&self.attempt, seq);
            return self.answer(origin, frame, Some(seq), true);
        }
        self.with_bank(context, move |actor, bank, context| {
            let stage = actor.begin_second_stage(&bank);
            actor.commit(vec![stage], After::Stage { seq, origin }, context);
        });
    }

    pub(super) fn staged(&mut self, seq: u64, origin: Origin) {
        let frame = frames::stage(&self.attempt, seq);
        let band = self.attempt.band().map(|band| band.label().to_owned()).unwrap_or_default();
        self.unsaved.note(self.live.clock.now(), "stage", "student", band);
        self.answer(origin, frame, Some(seq), true);
    }

    /// Closes stage 1 as it stands now, and draws stage 2 for its band.
    pub(super) fn begin_second_stage(&mut self, bank: &Bank) -> Write {
        let band = self.attempt.band_reached();
        let paper = {
            let seen: HashSet<&str> = self.attempt.paper().iter().map(|question| &*question.id).collect();
            draw(&bank.keyed, band.stage_two(), &seen, &mut rand::rng())
        };
        self.attempt.begin_second_stage(band, paper.clone());
        Write::Stage { session_id: self.attempt.terms.session_id, band, paper }
    }

    pub(super) fn refuse_to(&mut self, origin: Origin, refusal: Refusal, seq: u64) {
        let frame = frames::error(&Fault::from(refusal).of(seq));
        self.answer(origin, frame, Some(seq), false);
    }

    /// Calls `then` with the bank of the attempt's grade.
    pub(super) fn with_bank(&mut self, context: &mut Context<Self>, then: impl FnOnce(&mut Self, Arc<Bank>, &mut Context<Self>) + 'static) {
        let grade = self.attempt.terms.grade;
        self.when_read(context, async move |live: &Live| live.banks.of(grade).await, then);
    }
}
