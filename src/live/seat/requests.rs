//! The seat's HTTPS requests: the commands of each are applied in order, and it is answered when all of them are
//! committed.

use std::collections::VecDeque;

use actix::prelude::*;
use bytestring::ByteString;
use domain::attempt::{Comer, FIRST_LINE};
use domain::time::moment::Moment;
use tokio::sync::oneshot;

use super::late::LateArrival;
use super::socket::Origin;
use super::storing::Intent;
use super::{CommandEffect, Drawings, Seat, SittingSeat};
use crate::live::protocol::fault::Fault;
use crate::live::protocol::student_frame::{StudentCommand, StudentRequest};
use crate::live::protocol::write::{self, OwnTerms, ResumedLabels, ShownPaper};
use crate::live::seat::acks::Acks;

/// Asks where the attempt stands, as a `resumed` frame without its token, which may go through another server. Answered
/// when all commands that came before are committed.
#[derive(Message)]
#[rtype(result = "Option<ByteString>")]
pub struct Read {
    /// The device that asks, which is told its line.
    pub comer: Comer,
}

/// Asks for a new attempt as a `started` frame; in a sitting as `waiting`, or as `resumed` after the beginning.
#[derive(Message)]
#[rtype(result = "ByteString")]
pub struct Introduce {
    /// Returned in the answer.
    pub token: String,
}

/// Commands of one HTTPS request; answered when they are committed.
#[derive(Message)]
#[rtype(result = "Option<Performed>")]
pub struct Perform {
    pub asked: StudentRequest,
    /// Of the device that has sent them.
    pub token_hash: [u8; 32],
}

/// The effect of the commands.
pub struct Performed {
    /// The highest number that is saved; 0 if there is none.
    pub saved: u64,
    /// `stage`, `submitted` and `error` frames.
    pub replies: Vec<ByteString>,
    pub remaining_ms: i64,
    pub deadline: Moment,
    pub time_version: i64,
    pub paused_ms: i64,
    /// `waiting`, `active`, `paused` or `submitted`.
    pub state: &'static str,
}

/// A request that is not answered yet.
pub(super) struct Request {
    remaining: VecDeque<Result<StudentCommand, Fault>>,
    token_hash: [u8; 32],
    replies: Vec<ByteString>,
    /// Those of its commands that came too late, until it is known whether they are kept.
    late: Vec<LateArrival>,
    road: Acks,
    is_staged: bool,
    reply: oneshot::Sender<Performed>,
}

impl Request {
    pub(super) fn answered(&mut self, frame: ByteString, account: impl FnOnce(&mut Acks)) {
        account(&mut self.road);
        self.replies.push(frame);
    }

    pub(super) fn take_late(&mut self) -> Vec<LateArrival> {
        std::mem::take(&mut self.late)
    }

    pub(super) fn stage(&mut self) {
        self.road.stage();
        self.is_staged = true;
    }

    pub(super) const fn is_staged(&self) -> bool {
        self.is_staged
    }
}

impl Seat {
    /// Goes on with a request until one of its commands has to wait for the database.
    pub(super) fn go_on(&mut self, mut request: Box<Request>) {
        while let Some(next) = request.remaining.pop_front() {
            let taken = next.and_then(|command| Ok((self.take(&command)?, command)));
            match taken {
                Ok((CommandEffect::Applied, command)) => {
                    self.note_request(request.token_hash);
                    request.road.carry(command.seq);
                }
                // The request is answered after a commit, which is when this may be told.
                Ok((CommandEffect::SupersededBy(frame), _)) => request.replies.push(frame),
                Ok((CommandEffect::Late(arrival), _)) => request.late.push(arrival),
                // What came too late is kept first: a client that learns of the end may ask for no more.
                Ok((_, command)) if !request.late.is_empty() => {
                    request.remaining.push_front(Ok(command));
                    break;
                }
                Ok((turn, command)) => return self.intend(&turn, command.seq, Origin::Request(request)),
                Err(fault) => request.replies.push(write::error(&fault)),
            }
        }
        if request.late.is_empty() { self.channels.wait(*request) } else { self.keep_of_request(request) }
    }

    pub(super) fn reply_to_staged(&mut self) {
        for mut request in self.channels.take_staged() {
            request.road.settle();
            let now = self.services.clock.now();
            // A client that has gone meanwhile sends everything again.
            let _ = request.reply.send(Performed {
                saved: request.road.saved(),
                replies: request.replies,
                remaining_ms: self.attempt.timer.remaining(now),
                deadline: self.attempt.timer.deadline(),
                time_version: self.attempt.timer.version(),
                paused_ms: self.attempt.timer.times().paused_milliseconds,
                state: if self.has_to_look(now) { "waiting" } else { write::state(&self.attempt, now) },
            });
        }
    }

    pub(super) fn resumed(&self, own: OwnTerms<'_>, drawings: &Drawings) -> ByteString {
        let report = self.told_report();
        let shown = match &self.outcome {
            None => ShownPaper::Whole(self.sealed_paper()),
            // The paper is for those at work, and others may still have to write it.
            Some(outcome) if outcome.has_begun => ShownPaper::Sealed(self.sealed_paper()),
            // Whoever was ended while they waited has no part in the paper.
            Some(_) => ShownPaper::Nothing,
        };
        let title = self.sitting.as_ref().map(SittingSeat::title);
        let labels = ResumedLabels { title, pause_text: self.pause_text.as_deref() };
        write::resumed(&self.attempt, own, drawings, report, shown, labels, self.services.clock.now())
    }

    /// Answers where the attempt stands, and includes nothing that is not saved.
    pub(super) fn read(&mut self, comer: Comer, reply: oneshot::Sender<ByteString>, context: &mut Context<Self>) {
        if reply.is_closed() {
            return;
        }
        self.with_line(comer, context, move |actor, line, context| {
            actor.with_standing(context, move |actor, drawings, _| {
                if !actor.storing.has_unsaved() {
                    let late_key = actor.services.late_keys.public();
                    let own = OwnTerms { token: "", line, late_key: late_key.as_deref() };
                    let now = actor.services.clock.now();
                    let is_waiting = actor.waits(now) && actor.outcome.is_none();
                    let waiting = is_waiting.then(|| actor.waiting_frame(own, now)).flatten();
                    let _ = reply.send(waiting.unwrap_or_else(|| actor.resumed(own, &drawings)));
                } else {
                    let comer = Comer { line: comer.line.map(|_| line), ..comer };
                    actor.storing.intend_first(Intent::Read(comer, reply));
                }
            });
        });
    }
}

impl Handler<Read> for Seat {
    type Result = ResponseFuture<Option<ByteString>>;

    fn handle(&mut self, Read { comer }: Read, context: &mut Self::Context) -> Self::Result {
        let (reply, answer) = oneshot::channel();
        self.used_at = self.services.clock.now();
        self.storing.intend(Intent::Read(comer, reply));
        self.work(context);
        Box::pin(async { answer.await.ok() })
    }
}

impl Handler<Introduce> for Seat {
    type Result = MessageResult<Introduce>;

    fn handle(&mut self, introduce: Introduce, _: &mut Self::Context) -> Self::Result {
        let now = self.services.clock.now();
        let is_waiting = self.waits(now);
        // The device that has begun the test has its first line.
        let late_key = self.services.late_keys.public();
        let own = OwnTerms { token: &introduce.token, line: FIRST_LINE, late_key: late_key.as_deref() };
        let waiting = is_waiting.then(|| self.waiting_frame(own, now)).flatten();
        let begun = || match &self.sitting {
            Some(_) => self.resumed(own, &Drawings::new()),
            None => write::started(&self.attempt, own, now),
        };
        MessageResult(waiting.unwrap_or_else(begun))
    }
}

impl Handler<Perform> for Seat {
    type Result = ResponseFuture<Option<Performed>>;

    fn handle(&mut self, Perform { asked, token_hash }: Perform, context: &mut Self::Context) -> Self::Result {
        let (reply, answer) = oneshot::channel();
        self.used_at = self.services.clock.now();
        if !self.is_stopping {
            if let Some(troubles) = asked.troubles {
                self.note_troubles(troubles);
            }
            let request = Request {
                remaining: asked.commands.into(),
                token_hash,
                replies: Vec::new(),
                late: Vec::new(),
                road: Acks::default(),
                is_staged: false,
                reply,
            };
            self.go_on(Box::new(request));
            self.work(context);
        }
        Box::pin(async { answer.await.ok() })
    }
}
