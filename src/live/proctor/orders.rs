//! Carries the orders of proctors into the database, and from there to the seats, wherever they are.
//!
//! A server that gets the message of an order looks at the database at once, and one that misses it looks a little
//! later. So an order reaches its seat whether or not the servers hear each other
//! (`docs/decisions/0016-orders-of-proctors.md`).

use std::sync::Arc;
use std::time::Duration;

use domain::access::Identity;
use domain::order::{Order, OrderTarget};
use uuid::Uuid;

use super::protocol::unknown_candidate;
use super::rights;
use crate::database::in_time;
use crate::error::Error;
use crate::live::messages::ServerMessage;
use crate::live::orders::carry_out_command;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::reopening;
use crate::live::seat::DeliverOrders;
use crate::live::seats::registry::SeatAtHand;
use crate::live::seats::ticker;
use crate::live::store::{self, CarriedOut, CommandContent, CommandOutcome, ProctorCommand};
use crate::live::{Live, rooms};
use crate::sittings::SITTING_ENDED;

/// How long a command may take. Then its caller is told to send it again, which is safe because the same `id` does
/// nothing twice.
const APPLY_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the database is searched for new orders without a message. A student gets an order within a second even if
/// its message is lost.
const LOOK_EVERY: Duration = Duration::from_millis(700);
/// How long one search may take; the next one makes up for it.
const LOOK_TIMEOUT: Duration = Duration::from_secs(4);

/// Carries out an order of a proctor, if they may act on the session that it is for. Fails as [`perform`] does, or with
/// `forbidden`.
pub async fn give(live: &Live, identity: &Identity, asked: &ProctorCommand) -> Result<CarriedOut, Fault> {
    if let CommandContent::Sessions { target: OrderTarget::One(session_id), .. } = asked.content {
        rights::in_time(rights::acting_in(live, identity, asked.room, session_id)).await?;
    }
    perform(live, asked).await
}

/// Carries out a proctor's command once, however often it is sent. Returns what it has done. Fails with
/// `unknown_session`, `already_submitted`, `id_reused`, what a reopening or the order of a sitting may be refused with,
/// or `storage_unavailable`; after the last, the command may have been carried out, and can safely be sent again.
async fn perform(live: &Live, asked: &ProctorCommand) -> Result<CarriedOut, Fault> {
    let applying = carry_out_command(&live.shared.neighbours.sittings, asked);
    let answer = in_time("a proctor's command", APPLY_TIMEOUT, applying).await.ok_or_else(Fault::storage)?;
    // Repeated commands are announced too: the first try may have stopped before it told anyone.
    live.shared.new_orders.notify_one();
    let _ = live.shared.rooms.try_send(rooms::OrderGiven);
    live.shared.relay.tell_all(&ServerMessage::Ordered);
    if let CommandOutcome::Done(_) = answer
        && let CommandContent::Sessions { target: OrderTarget::One(session_id), order, .. } = &asked.content
        && matches!(order, Order::Reopen { .. } | Order::Undo)
    {
        reopening::let_go_everywhere(live, *session_id).await;
    }
    match answer {
        CommandOutcome::Done(done) => Ok(done),
        CommandOutcome::UnknownSession => Err(Fault::new(Code::UnknownSession, "The room has no such session")),
        CommandOutcome::AlreadySubmitted => Err(Fault::new(Code::AlreadySubmitted, "The session has been submitted")),
        CommandOutcome::UnknownCandidate => Err(unknown_candidate()),
        CommandOutcome::SittingEnded => Err(Fault::new(Code::SittingEnded, SITTING_ENDED)),
        CommandOutcome::TimeIsUp => Err(Fault::new(Code::SittingEnded, "The candidate has no time left")),
        CommandOutcome::MayNotBegin(why) => Err(Fault::new(Code::Forbidden, why.sentence())),
        CommandOutcome::TooManyIncidents => Err(Fault::new(Code::RateLimited, "There are too many incidents")),
        CommandOutcome::NoSitting => Err(Fault::new(Code::BadMessage, "The room is not that of a sitting")),
        CommandOutcome::TooLittleTime => {
            Err(Fault::new(Code::TooLittleTime, "Somebody would have less than a minute left"))
        }
        CommandOutcome::NotSubmitted => Err(Fault::new(Code::NotSubmitted, "The session has not been submitted")),
        CommandOutcome::Released => {
            Err(Fault::new(Code::Released, "The result has been released, or the sitting was called off"))
        }
        CommandOutcome::TooOld => Err(Fault::new(Code::TooOld, "The session ended more than 24 hours ago")),
        CommandOutcome::AnswersSeen => {
            Err(Fault::new(Code::AnswersSeen, "The student has been shown the right options: force is needed"))
        }
        CommandOutcome::NothingLeft => {
            Err(Fault::new(Code::TooLittleTime, "No time is left, or the exam was ended for everyone: name minutes"))
        }
        CommandOutcome::LateAccepted => {
            Err(Fault::new(Code::LateAccepted, "Late work of the test counts: decline it first"))
        }
        CommandOutcome::NothingToUndo => Err(Fault::new(Code::NothingToUndo, "There is no order to take back")),
        CommandOutcome::TooManyPauses => Err(Fault::new(Code::RateLimited, "There are too many pauses")),
        CommandOutcome::IdReused => Err(Fault::new(Code::IdReused, "This id has been used for another order")),
    }
}

/// Searches for orders until the server ends: at once after a message, otherwise every `LOOK_EVERY`.
pub async fn run(live: &Arc<Live>) {
    loop {
        // A notification that comes during a search makes the next one begin at once.
        tokio::select! {
            () = live.shared.new_orders.notified() => {}
            () = live.services.clock.sleep(LOOK_EVERY) => {}
        }
        in_time("orders of proctors", LOOK_TIMEOUT, deliver(live)).await;
    }
}

/// Passes the orders since the last search on to the seats of this server.
async fn deliver(live: &Arc<Live>) -> Result<(), Error> {
    let mut taken: Vec<(Uuid, i64)> = Vec::new();
    let mut is_end_to_come = false;
    for (session_id, orders) in store::find_ordered(&live.services.database, live.services.server_id).await? {
        let (number, is_end) = (orders.number, orders.standing.finish_by.is_some());
        let is_taken = match live.shared.registry.at_hand(session_id) {
            // A seat whose mailbox is full gets them after the next search.
            SeatAtHand::Seat(handle) => handle.address.try_send(DeliverOrders(orders)).is_ok(),
            // It may have read the database before the order was there, so the next search tries again.
            SeatAtHand::UnderWay => false,
            // A seat that is built from now on reads the orders with its attempt.
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
    // The sweep builds the seats that are needed to end these attempts.
    if is_end_to_come {
        let live = Arc::clone(live);
        actix::spawn(async move { ticker::sweep(&live).await });
    }
    Ok(())
}
