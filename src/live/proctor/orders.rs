//! Orders of proctors on their way: into the database first, and from there to the seats, wherever they are.
//!
//! Whoever is told of an order looks at the database, and whoever is not told looks a little later: so an order reaches
//! its seat whether or not servers hear each other.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use crate::error::Error;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::relay::ServerMessage;
use crate::live::seat::DeliverOrders;
use crate::live::seats::registry::SeatAtHand;
use crate::live::seats::ticker;
use crate::live::store::{self, CommandOutcome, ProctorCommand};
use crate::live::{Live, rooms};

/// A command is applied within this time, or not at all: whoever asked sends it again.
const APPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// Does what a proctor has asked for, once however often it is asked; gives how many sessions were changed.
///
/// # Errors
/// `unknown_session`, `already_submitted`, or `storage_unavailable`: then it may have been done, and is safely repeated.
pub async fn perform(live: &Live, asked: &ProctorCommand) -> Result<u64, Fault> {
    let applying = tokio::time::timeout(APPLY_TIMEOUT, store::apply(&live.database, asked, &live.clock));
    let answer = match applying.await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => {
            tracing::warn!(%error, "a proctor's command cannot be stored");
            return Err(Fault::storage());
        }
        Err(_) => {
            tracing::warn!("a proctor's command is not stored in time");
            return Err(Fault::storage());
        }
    };
    // Also for a repeated one: its first try may have ended before anyone was told.
    live.lease.look_now();
    let _ = live.rooms.try_send(rooms::OrderGiven);
    live.relay.tell_all(&ServerMessage::Ordered);
    match answer {
        CommandOutcome::Done { count } => Ok(count),
        CommandOutcome::UnknownSession => Err(Fault::new(Code::UnknownSession, "The room has no such session")),
        CommandOutcome::AlreadySubmitted => Err(Fault::new(Code::AlreadySubmitted, "The session has been submitted")),
    }
}

/// Gives the seats of this server what was ordered since the last look.
///
/// # Errors
/// When the store is unavailable.
pub async fn deliver(live: &Arc<Live>) -> Result<(), Error> {
    let mut taken: Vec<(Uuid, i64)> = Vec::new();
    let mut is_end_to_come = false;
    for (session_id, orders) in store::find_ordered(&live.database, live.relay.server_id()).await? {
        let (number, is_end) = (orders.number, orders.standing.finish_by.is_some());
        let is_taken = match live.registry.at_hand(session_id) {
            // One whose mailbox is full is given them at the next look.
            SeatAtHand::Seat(handle) => handle.address.try_send(DeliverOrders(orders)).is_ok(),
            // It may have read the store before the order was there.
            SeatAtHand::UnderWay => false,
            // Whoever builds it from now on reads them with it.
            SeatAtHand::Nothing => {
                is_end_to_come |= is_end;
                true
            }
        };
        taken.extend(is_taken.then_some((session_id, number)));
    }
    if !taken.is_empty() {
        store::mark_taken(&live.database, &mut taken).await?;
    }
    if is_end_to_come {
        let live = Arc::clone(live);
        actix::spawn(async move { ticker::sweep(&live).await });
    }
    Ok(())
}
