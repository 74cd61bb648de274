//! The seat's end on this server when another one has taken it: nothing of it was acknowledged that is not stored.

use std::time::Duration;

use actix::prelude::*;

use super::Seat;
use crate::live::protocol::write::Outgoing;
use crate::live::store;

/// So long the store is asked why the seat was taken; then the student is asked to come again.
const ASKING_MAX: Duration = Duration::from_secs(2);

/// Another server has taken the seat.
#[derive(Message)]
#[rtype(result = "()")]
pub struct SeatLost {
    /// Of the new holder.
    pub fence: i64,
    /// Whether another socket of the student was the reason.
    pub by_socket: bool,
}

impl SeatLost {
    /// To whoever holds the seat now; to nobody when the attempt has ended elsewhere.
    #[must_use]
    pub fn to(holder: Option<store::SeatHolder>) -> Self {
        holder.map_or(Self { fence: i64::MAX, by_socket: false }, |holder| Self {
            fence: holder.fence,
            by_socket: holder.by_socket,
        })
    }
}

impl Seat {
    /// The store has refused a commit for the hold: looks why, and lets the student go.
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

    /// Another socket of the student ends this one; otherwise the student comes again and is served by the new holder.
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
        // An end that is being stored learns by itself what became of it.
        let is_ending = self.attempt.ending().is_some();
        if !is_ending && self.hold.is_some_and(|hold| lost.fence > hold.fence) {
            self.let_go(lost.by_socket, context);
        }
    }
}
