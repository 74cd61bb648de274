//! The lines of a seat's devices: which one has which, and what a device of an older line is answered
//! (`docs/decisions/0070-lines-of-devices.md`).

use actix::prelude::*;
use bytestring::ByteString;
use domain::attempt::{CellKey, Comer, ValueKind};

use super::{Seat, SeatServices};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::write::{self, Outgoing, SupersededCommand};
use crate::live::store;

impl Seat {
    /// Calls `then` with the line of a device that has come to the test: its own, or a new one if another device has
    /// come since it did. Most attempts have one device, for which nothing is read.
    pub(super) fn with_line(
        &mut self,
        comer: Comer,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, u16, &mut Context<Self>) + 'static,
    ) {
        let (lines, used) = (&self.devices.lines, self.attempt.newest_line());
        let kept = match self.outcome {
            // Nothing is written any more.
            Some(_) => Some(lines.newest()),
            None => lines.kept_by(&comer, used),
        };
        if let Some(line) = kept {
            return then(self, line, context);
        }
        let (session_id, first) = (self.attempt.terms.session_id, lines.first());
        self.when_read(
            context,
            async move |services: &SeatServices| {
                store::give_line(&services.database, session_id, first, &comer, used).await
            },
            move |actor, (line, given), context| {
                actor.devices.lines.learn(given);
                then(actor, line, context);
            },
        );
    }

    /// The answer to a command whose value a newer line has set.
    pub(super) fn superseded_by(&self, seq: u64, key: CellKey) -> ByteString {
        let question_id = self.attempt.paper().get(key.position).map_or("", |question| &*question.id);
        let cell = self.attempt.cell(key.position);
        let line = cell.map_or(0, |cell| cell.stamp(key.kind).line);
        let selected = cell.filter(|_| key.kind == ValueKind::Choice).map(|cell| cell.selected.as_ref());
        let device = self.devices.lines.device_of(line);
        write::superseded_by(SupersededCommand { seq, question_id, line, device, selected })
    }

    /// Answers such a command once everything that was set before it is committed: its client forgets it then.
    pub(super) fn refuse_when_saved(&mut self, seq: u64, frame: ByteString) {
        if !self.channels.keep_superseded(seq, frame) {
            let fault = Fault::new(Code::RateLimited, "Too many answers wait already").of(seq);
            self.send(Outgoing::Text(write::error(&fault)));
        }
    }
}
