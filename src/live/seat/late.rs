//! Commands that come after the end, by the clock or by a proctor: a seat keeps them in the database, as far as there
//! is room, and only then says whether they are kept (`docs/decisions/0072-late-work.md`,
//! `docs/decisions/0096-late-work-after-a-proctors-end.md`). Work in time never comes here.

use std::sync::Arc;

use actix::prelude::*;
use domain::attempt::{LATE_BYTES_MAX, LATE_COMMANDS_MAX, LateCommand, Reason, Stamp};
use domain::time::moment::Moment;

use super::requests::Request;
use super::storing::Intent;
use super::{Seat, SeatServices};
use crate::database::failure::DatabaseFailure;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::student_frame::{Action, StudentCommand};
use crate::live::protocol::write::{self, Outgoing};
use crate::live::store::late::{self, ArrivedCommand, LateKeeping};

/// Commands of one socket that wait to be kept: as many as there may be of one test. More are told to come again.
const WAITING_MAX: usize = LATE_COMMANDS_MAX;

/// A command that has come too late, and its answer but for whether it is kept.
pub(super) struct LateArrival {
    arrived: ArrivedCommand,
    fault: Fault,
    /// It came in time, and comes again: there is nothing to keep.
    is_saved: bool,
}

/// The late commands of the socket, until the seat turns to them.
#[derive(Default)]
pub(super) struct LateQueue {
    waiting: Vec<(u64, LateArrival)>,
}

impl Seat {
    /// The command with its answer, if it is one to be kept.
    pub(super) fn late_arrival(&self, command: &StudentCommand, fault: Fault, now: Moment) -> LateArrival {
        let (question_id, change, drawing) = match &command.action {
            Action::Change { question_id, change, drawing } => {
                (question_id.clone(), Some(change.clone()), drawing.clone())
            }
            _ => (Box::default(), None, None),
        };
        let stamp = Stamp { line: command.line, seq: command.seq };
        let late = LateCommand { question_id, change, stamp, at: command.at, received_at: now };
        let is_saved = self.attempt.has_set(&late);
        LateArrival { arrived: ArrivedCommand::of(&self.attempt, late, drawing), fault, is_saved }
    }

    /// Keeps a command of the socket as soon as the database is free. Until it is answered, `saved` stays below it.
    pub(super) fn keep_of_socket(&mut self, socket: u64, arrival: LateArrival) {
        let seq = arrival.arrived.command.stamp.seq;
        let bytes: usize = self.late.waiting.iter().map(|(_, one)| one.arrived.bytes()).sum();
        if self.late.waiting.len() >= WAITING_MAX || bytes >= LATE_BYTES_MAX {
            let fault = Fault::new(Code::RateLimited, "Too many late commands wait already").of(seq);
            return self.send(Outgoing::Text(write::error(&fault)));
        }
        self.channels.on_road(|road| road.hold(seq));
        // One turn keeps all that wait by then.
        if self.late.waiting.is_empty() {
            self.storing.intend(Intent::KeepLate(None));
        }
        self.late.waiting.push((socket, arrival));
    }

    /// Keeps the late commands of a request, which goes on afterwards.
    pub(super) fn keep_of_request(&mut self, request: Box<Request>) {
        self.storing.intend(Intent::KeepLate(Some(request)));
    }

    /// Stores what waits, and answers it.
    pub(super) fn keep_late(&mut self, mut request: Option<Box<Request>>, context: &mut Context<Self>) {
        let of_socket = std::mem::take(&mut self.late.waiting);
        let of_request = request.as_mut().map(|request| request.take_late()).unwrap_or_default();
        let all = of_socket.iter().map(|(_, arrival)| arrival).chain(&of_request).filter(|arrival| !arrival.is_saved);
        let arrived: Arc<[ArrivedCommand]> = all.map(|arrival| arrival.arrived.clone()).collect();
        let now = self.services.clock.now();
        let ended_at = self.attempt.ending().map(|ending| ending.at).or_else(|| self.attempt.timer.end());
        let keeping = LateKeeping {
            session_id: self.attempt.terms.session_id,
            ended_at: ended_at.unwrap_or(now),
            now,
            from_file: false,
        };
        let keep =
            async move |services: &SeatServices| match late::keep_late(&services.database, keeping, &arrived).await {
                Err(error) if DatabaseFailure::of(&error) != DatabaseFailure::Unavailable => {
                    // It would be refused for ever, so it is not tried again.
                    tracing::error!(%error, "late work cannot be kept");
                    Ok(vec![false; arrived.len()])
                }
                outcome => outcome,
            };
        self.when_read(context, keep, move |actor, kept, _| {
            let mut kept = kept.into_iter();
            let mut is_kept = |arrival: &LateArrival| arrival.is_saved || kept.next().unwrap_or_default();
            for (socket, arrival) in of_socket {
                let is_kept = is_kept(&arrival);
                actor.answer_late(socket, arrival, is_kept);
            }
            if let Some(mut request) = request {
                for arrival in of_request {
                    let is_kept = is_kept(&arrival);
                    let fault = Fault { kept: Some(is_kept), ..arrival.fault };
                    request.answered(write::error(&fault), |_| {});
                }
                actor.go_on(request);
            }
        });
    }

    fn answer_late(&mut self, socket: u64, arrival: LateArrival, is_kept: bool) {
        let seq = arrival.arrived.command.stamp.seq;
        if !self.channels.is_attached(socket) {
            return;
        }
        self.channels.on_road(|road| road.release(seq, false));
        self.send(Outgoing::Text(write::error(&Fault { kept: Some(is_kept), ..arrival.fault })));
    }

    /// Whether a command that is refused so is to be kept: the clock has ended the test, and the time is not given back
    /// for an outage, or a proctor has, who may not have known that a device without a network still held answers. What
    /// comes after the student's own submission is not: they have said that they are done; but the device that a
    /// proctor's end has found without a network may come after a test that went on elsewhere. Nor is what comes from
    /// whoever was ended while they waited: they have no part in the paper.
    pub(super) fn keeps_late(&self, fault: &Fault) -> bool {
        if self.outcome.as_ref().is_some_and(|outcome| !outcome.has_begun) {
            return false;
        }
        let reason = self.attempt.ending().map(|ending| ending.reason);
        match fault.code {
            Code::Late => reason.is_none_or(|reason| reason == Reason::Deadline),
            Code::AlreadySubmitted => reason == Some(Reason::Proctor) || self.had_proctors_end,
            _ => false,
        }
    }
}
