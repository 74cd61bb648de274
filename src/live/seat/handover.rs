//! The end of a seat on this server when another server has taken it, or when its attempt has ended and goes on in
//! another run. Nothing is lost: the seat has acknowledged nothing that is not stored.

use std::time::Duration;

use actix::prelude::*;
use domain::attempt::AttemptRun;

use super::Seat;
use crate::live::protocol::write::Outgoing;
use crate::live::store;

/// How long the seat asks the database why it was taken, before it sends its student away to connect again.
const ASKING_MAX: Duration = Duration::from_secs(2);

/// Another server has taken the seat.
#[derive(Message)]
#[rtype(result = "()")]
pub struct SeatLost {
    /// Of the new holder. A seat whose own is not lower ignores the message, which is then out of date.
    pub fence: i64,
    /// Whether it was taken because the student has opened another socket there.
    pub by_socket: bool,
}

/// The attempt goes on in this run: a seat of an earlier one lets go. Answered with whether there is nothing to wait
/// for: false while an end is being stored.
#[derive(Message)]
#[rtype(result = "bool")]
pub struct EndRun {
    pub run: AttemptRun,
}

/// The fence of a holder that there is none.
const NOBODY: i64 = i64::MAX;

impl SeatLost {
    /// Names the present holder; nobody, if the attempt has ended elsewhere.
    #[must_use]
    pub fn to(holder: Option<store::SeatHolder>) -> Self {
        holder.map_or(Self { fence: NOBODY, by_socket: false }, |holder| Self {
            fence: holder.fence,
            by_socket: holder.by_socket,
        })
    }
}

impl Seat {
    /// The database has refused a commit because the hold is lost: finds out why, and lets the student go.
    pub(super) fn lose_hold(&mut self, context: &mut Context<Self>) {
        let (services, session_id) = (self.services.clone(), self.attempt.terms.session_id);
        let asking = async move {
            let asked = tokio::time::timeout(ASKING_MAX, store::find_holder(&services.database, session_id)).await;
            let is_elsewhere =
                |holder: &store::SeatHolder| holder.by_socket && holder.server != Some(services.server_id);
            matches!(asked, Ok(Ok(Some(holder))) if is_elsewhere(&holder))
        };
        context.spawn(asking.into_actor(self).map(|by_socket, actor, context| actor.let_go(by_socket, context)));
    }

    /// Closes the student's socket. If another socket of the student has replaced it, it is told so; otherwise the
    /// student connects again and reaches the new holder.
    fn let_go(&mut self, by_socket: bool, context: &mut Context<Self>) {
        if by_socket {
            self.supersede();
        } else {
            self.send(Outgoing::Close(1012, "moved"));
        }
        self.leave(context);
    }
}

impl Handler<SeatLost> for Seat {
    type Result = ();

    fn handle(&mut self, lost: SeatLost, context: &mut Self::Context) {
        let is_above = self.hold.is_none_or(|hold| lost.fence > hold.fence);
        let is_lost = match &self.outcome {
            // Nobody holds a test that is over, so that whoever holds this one does so because it goes on.
            Some(_) => is_above && lost.fence != NOBODY,
            // An end that is being stored learns from its own commit whether the seat was lost.
            None => is_above && self.hold.is_some() && self.attempt.ending().is_none(),
        };
        if is_lost {
            self.let_go(lost.by_socket, context);
        }
    }
}

impl Handler<EndRun> for Seat {
    type Result = bool;

    fn handle(&mut self, EndRun { run }: EndRun, context: &mut Self::Context) -> bool {
        let is_of_run = self.outcome.is_none() && self.hold.is_some_and(|hold| AttemptRun::of_fence(hold.fence) >= run);
        let is_ending = self.outcome.is_none() && self.attempt.ending().is_some();
        if is_of_run || is_ending {
            return is_of_run;
        }
        self.let_go(false, context);
        true
    }
}
