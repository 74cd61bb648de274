//! The road of a seat's commands to the database and back: what has been applied is put into a commit, and once that is
//! stored the socket and the HTTPS requests are told how far everything of theirs is saved.

use actix::prelude::*;

use super::Seat;
use super::ending::AttemptOutcome;
use super::socket::Origin;
use crate::live::journal::{CommitRequest, Rejected};
use crate::live::protocol::write::{self, Outgoing};
use crate::live::store::{self, Write};

/// What is done after a commit.
pub(super) enum AfterCommit {
    Nothing,
    Stage { seq: u64, origin: Origin },
    Submitted { seq: Option<u64>, origin: Origin, outcome: AttemptOutcome },
}

impl Seat {
    /// Commits all unsaved changes, and `more` with them.
    pub(super) fn commit(&mut self, more: Vec<Write>, after: AfterCommit, context: &mut Context<Self>) {
        let mut writes = self.storing.begin_commit(&self.attempt, self.services.clock.now());
        writes.extend(more);
        // Before the commit is sent: commands that are applied while it is under way belong to the next one, and must
        // not be acknowledged with this one.
        self.stage_roads();
        // An attempt that has ended is held by no server, so that only events may be stored: it may go on in another
        // seat by now.
        let is_over = self.outcome.is_some();
        writes.retain(|write| !is_over || matches!(write, Write::Event(..)));
        let hold = self.hold.filter(|_| !is_over);
        let committing = self.services.journal.send(CommitRequest(store::Commit { hold, writes })).into_actor(self);
        context.spawn(committing.map(|stored, actor, context| match stored {
            Ok(Ok(())) => actor.committed(after, context),
            Ok(Err(Rejected::Lost)) => actor.lose_hold(context),
            Ok(Err(Rejected::Refused)) | Err(_) => actor.give_up(context),
        }));
    }

    /// Notes that all commands carried so far are in the batch that is committed now.
    fn stage_roads(&mut self) {
        self.report.stage();
        self.channels.stage();
    }

    fn committed(&mut self, after: AfterCommit, context: &mut Context<Self>) {
        // Everything that is sent from here on is in the database.
        self.storing.end_commit();
        match after {
            AfterCommit::Nothing => {}
            AfterCommit::Stage { seq, origin } => self.staged(seq, origin),
            AfterCommit::Submitted { seq, origin, outcome } => self.submitted(seq, origin, outcome),
        }
        self.settle_roads();
        self.work(context);
    }

    /// Notes that this batch is committed: tells the socket, and answers the requests that were in it.
    fn settle_roads(&mut self) {
        self.report.settle(&mut self.attempt.presence);
        for frame in self.channels.take_superseded() {
            self.send(Outgoing::Text(frame));
        }
        if let Some(seq) = self.channels.settle_socket() {
            self.send(Outgoing::Text(write::saved(seq)));
        }
        self.reply_to_staged();
    }

    /// Nothing is left to commit, so every command carried so far is saved, also one that a later one had superseded.
    pub(super) fn settle_all(&mut self) {
        self.stage_roads();
        self.settle_roads();
    }
}
