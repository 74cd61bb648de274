//! Orders of proctors on their way: into the database first, and from there to the seats, wherever they are.
//!
//! Whoever is told of an order looks at the database, and whoever is not told looks a little later: so an order reaches
//! its seat whether or not servers hear each other.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use crate::database::in_time;
use crate::error::Error;
use crate::live::messages::ServerMessage;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::seat::DeliverOrders;
use crate::live::seats::registry::SeatAtHand;
use crate::live::seats::ticker;
use crate::live::store::{self, CommandOutcome, ProctorCommand};
use crate::live::{Live, rooms};

/// A command is applied within this time, or not at all: whoever asked sends it again.
const APPLY_TIMEOUT: Duration = Duration::from_secs(10);
/// How late an order may be noticed when its message is lost.
const LOOK_EVERY: Duration = Duration::from_millis(700);
/// How long one look at the database may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(4);

/// Does what a proctor has asked for, once however often it is asked; gives how many sessions were changed.
///
/// # Errors
/// `unknown_session`, `already_submitted`, or `storage_unavailable`: then it may have been done, and is safely repeated.
pub async fn perform(live: &Live, asked: &ProctorCommand) -> Result<u64, Fault> {
    let applying = store::apply(&live.services.database, asked, &live.services.clock);
    let answer = in_time("a proctor's command", APPLY_TIMEOUT, applying).await.ok_or_else(Fault::storage)?;
    // Also for a repeated one: its first try may have ended before anyone was told.
    live.new_orders.notify_one();
    let _ = live.rooms.try_send(rooms::OrderGiven);
    live.relay.tell_all(&ServerMessage::Ordered);
    match answer {
        CommandOutcome::Done { count } => Ok(count),
        CommandOutcome::UnknownSession => Err(Fault::new(Code::UnknownSession, "The room has no such session")),
        CommandOutcome::AlreadySubmitted => Err(Fault::new(Code::AlreadySubmitted, "The session has been submitted")),
    }
}

/// Looks for orders until the server ends: at once when a message tells of them, else after a while.
pub async fn run(live: &Arc<Live>) {
    loop {
        // A notification that comes during a look makes the next one begin at once.
        let _ = tokio::time::timeout(LOOK_EVERY, live.new_orders.notified()).await;
        in_time("orders of proctors", LOOK_TIMEOUT, deliver(live)).await;
    }
}

/// Gives the seats of this server what was ordered since the last look.
///
/// # Errors
/// When the store is unavailable.
async fn deliver(live: &Arc<Live>) -> Result<(), Error> {
    let mut taken: Vec<(Uuid, i64)> = Vec::new();
    let mut is_end_to_come = false;
    for (session_id, orders) in store::find_ordered(&live.services.database, live.services.server_id).await? {
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
        store::mark_taken(&live.services.database, &mut taken).await?;
    }
    if is_end_to_come {
        let live = Arc::clone(live);
        actix::spawn(async move { ticker::sweep(&live).await });
    }
    Ok(())
}
