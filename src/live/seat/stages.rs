//! The seat's step from stage 1 to stage 2 of an adaptive test.

use std::collections::HashSet;
use std::sync::Arc;

use actix::prelude::*;
use domain::attempt::{Attempt, CommandRefusal, Mode};
use domain::band::Band;
use domain::correction::{Correction, TestPlace};
use domain::question::KeyedQuestion;
use domain::selection::draw;
use domain::time::moment::Moment;
use futures_util::future::join;

use super::socket::Origin;
use super::{AfterCommit, Seat, SeatServices};
use crate::error::Error;
use crate::live::protocol::fault::Fault;
use crate::live::protocol::write;
use crate::live::store::{self, Write};
use crate::questions::bank::Bank;
use crate::store::corrections;

impl Seat {
    /// Handles a `next` that arrived at `at`. A repeated one gets the same answer as the first.
    pub(super) fn advance(&mut self, seq: u64, at: Moment, origin: Origin, context: &mut Context<Self>) {
        if self.attempt.terms.mode == Mode::Standard {
            return self.refuse_to(origin, CommandRefusal::NoSecondStage, seq);
        }
        if let Err(refusal) = self.attempt.accepts(at) {
            return self.refuse_to(origin, refusal, seq);
        }
        if !self.attempt.has_stage_to_come() {
            let frame = write::stage(&self.attempt, self.sealed_paper(), seq);
            return self.answer(origin, frame, Some(seq), true);
        }
        self.with_second_stage(context, move |actor, stage, context| {
            actor.commit(vec![stage], AfterCommit::Stage { seq, origin }, context);
        });
    }

    pub(super) fn staged(&mut self, seq: u64, origin: Origin) {
        let frame = write::stage(&self.attempt, self.sealed_paper(), seq);
        self.report.renew();
        // Proctors of a hall read the record and need not be staff; the band tells how well somebody did.
        let band = self.attempt.band().filter(|_| self.attempt.terms.sitting.is_none());
        let band = band.map(|band| band.label().to_owned()).unwrap_or_default();
        self.storing.note(self.services.clock.now(), "stage", "student", band);
        self.answer(origin, frame, Some(seq), true);
    }

    /// Reads the questions of stage 2 and the corrections of keys, closes stage 1 with the answers that it has by then,
    /// and calls `then` with the write. A template's questions for the band are those that were fixed at the start,
    /// whatever the template has become since.
    pub(super) fn with_second_stage(
        &mut self,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, Write, &mut Context<Self>) + 'static,
    ) {
        let terms = &self.attempt.terms;
        let (session_id, grade) = (terms.session_id, terms.grade);
        let place = TestPlace {
            sitting_id: terms.sitting.map(|place| place.sitting_id),
            template_id: terms.template_id,
            grade,
            started_at: self.attempt.started_at(),
            is_live: true,
        };
        if terms.template_id.is_some() {
            let reading = async move |services: &SeatServices| {
                let papers = store::find_second_papers(&services.database, session_id);
                let (papers, held) = join(papers, corrections::find_of(&services.database.read, &[place])).await;
                Ok::<_, Error>((papers?, held?))
            };
            self.when_read(context, reading, move |actor, ((mut papers, counts), held), context| {
                let paper = |_: &Attempt, band| counts.shuffled(papers.remove(&band).unwrap_or_default(), session_id);
                let stage = actor.begin_second_stage(&held.of(&place), paper);
                then(actor, stage, context);
            });
        } else {
            let reading = async move |services: &SeatServices| {
                let held = async { corrections::find_of(&services.database.read, &[place]).await };
                let (bank, held) = join(services.banks.of(grade), held).await;
                Ok::<_, Error>((bank?, held?))
            };
            self.when_read(context, reading, move |actor, (bank, held), context| {
                let paper = |attempt: &Attempt, band| drawn(&bank, attempt, band);
                let stage = actor.begin_second_stage(&held.of(&place), paper);
                then(actor, stage, context);
            });
        }
    }

    fn begin_second_stage(
        &mut self,
        corrections: &[&Correction],
        paper: impl FnOnce(&Attempt, Band) -> Vec<Arc<KeyedQuestion>>,
    ) -> Write {
        let band = self.attempt.band_reached(corrections);
        let paper = paper(&self.attempt, band);
        self.attempt.begin_second_stage(band, paper.clone());
        Write::Stage { session_id: self.attempt.terms.session_id, band, paper }
    }

    /// What a refusal is called. While nothing can be saved, time that is up may be given back.
    pub(super) fn fault(&self, refusal: CommandRefusal) -> Fault {
        match refusal {
            CommandRefusal::Late if !self.services.lease.is_settled() => Fault::storage(),
            refusal => Fault::from(refusal),
        }
    }

    pub(super) fn refuse_to(&mut self, origin: Origin, refusal: CommandRefusal, seq: u64) {
        let frame = write::error(&self.fault(refusal).of(seq));
        self.answer(origin, frame, Some(seq), false);
    }
}

/// Draws questions for the band among those that the student has not seen.
fn drawn(bank: &Bank, attempt: &Attempt, band: Band) -> Vec<Arc<KeyedQuestion>> {
    let seen: HashSet<&str> = attempt.paper().iter().map(|question| &*question.id).collect();
    let drawn = draw(&bank.questions_for(false, attempt.terms.types), band.stage_two(), &seen, &mut rand::rng());
    if attempt.terms.shuffles { bank.option_counts().shuffled(drawn, attempt.terms.session_id) } else { drawn }
}
