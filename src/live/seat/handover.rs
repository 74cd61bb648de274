//! The end of a seat on this server when another server has taken it. Nothing is lost: the seat has acknowledged
//! nothing that is not stored.

use std::time::Duration;

use actix::prelude::*;

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

impl SeatLost {
    /// Names the present holder; nobody, if the attempt has ended elsewhere.
    #[must_use]
    pub fn to(holder: Option<store::SeatHolder>) -> Self {
        holder.map_or(Self { fence: i64::MAX, by_socket: false }, |holder| Self {
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
        // An end that is being stored learns from its own commit whether the seat was lost.
        let is_ending = self.attempt.ending().is_some();
        if !is_ending && self.hold.is_some_and(|hold| lost.fence > hold.fence) {
            self.let_go(lost.by_socket, context);
        }
    }
}
