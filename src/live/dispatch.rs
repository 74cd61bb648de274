//! Messages of other servers, carried to where they belong: seats, rooms, orders, or an answer of this server.

use std::sync::Arc;

use tokio::sync::Semaphore;
use uuid::Uuid;

use super::Live;
use super::messages::ServerMessage;
use super::rooms::{FromServer, OrderGiven};
use super::seat::SeatLost;
use super::seats::forward;

/// Requests of other servers that are answered at once: a bound on memory. More get no answer, and their senders take
/// the seat themselves.
const ANSWERED_AT_ONCE: usize = 2_000;

/// Receives messages until the server ends: to be run once, on an actix system.
pub async fn run(live: Arc<Live>) {
    let answers = Arc::new(Semaphore::new(ANSWERED_AT_ONCE));
    live.relay.run(|from, message| deliver(&live, &answers, from, message)).await;
}

fn deliver(live: &Arc<Live>, answers: &Arc<Semaphore>, from: Uuid, message: ServerMessage) {
    // A server hears itself, and has acted on what it said already.
    let is_own = from == live.relay.server_id();
    match message {
        ServerMessage::Ask { number, question } => {
            let Ok(place) = Arc::clone(answers).try_acquire_owned() else { return };
            let live = Arc::clone(live);
            actix::spawn(async move {
                let reply = forward::answer_here(&live, &question).await;
                live.relay.tell(from, &ServerMessage::Answer { number, reply });
                drop(place);
            });
        }
        _ if is_own => {}
        ServerMessage::Taken { session_id, fence, by_socket } => {
            if let Some(handle) = live.registry.find(session_id) {
                // A full mailbox is no matter: the seat's next commit is refused.
                let _ = handle.address.try_send(SeatLost { fence, by_socket });
            }
        }
        ServerMessage::Room(word) => {
            // A lost one leaves a gap in the numbers, which is noticed.
            let _ = live.rooms.try_send(FromServer { from, word });
        }
        ServerMessage::Ordered => {
            live.new_orders.notify_one();
            // Rooms that miss this read the database a little later.
            let _ = live.rooms.try_send(OrderGiven);
        }
        // The relay keeps these for itself.
        ServerMessage::Echo | ServerMessage::Answer { .. } => {}
    }
}
