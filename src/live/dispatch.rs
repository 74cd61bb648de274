//! Passes messages of other servers on to seats, rooms and orders, and answers their requests. Separate from the relay,
//! which need not know what the messages do.

use std::sync::Arc;

use tokio::sync::Semaphore;
use uuid::Uuid;

use super::Live;
use super::bell::messages::SittingHeard;
use super::messages::{ForwardedReply, ServerMessage};
use super::reopening;
use super::rooms::{FromServer, OrderGiven};
use super::seat::SeatLost;
use super::seats::forward;

/// Requests of other servers that are being answered at once, to bound memory. A request above the limit gets no
/// answer, as if this server were down, and its sender claims the seat itself.
const ANSWERED_AT_ONCE: usize = 2_000;

/// Receives messages until the server ends. Run once, on an actix system, because it spawns answers there.
pub async fn run(live: Arc<Live>) {
    let answers = Arc::new(Semaphore::new(ANSWERED_AT_ONCE));
    live.shared.relay.run(|from, message| deliver(&live, &answers, from, message)).await;
}

fn deliver(live: &Arc<Live>, answers: &Arc<Semaphore>, from: Uuid, message: ServerMessage) {
    // A server also receives its own messages, and has acted on them already.
    let is_own = from == live.shared.relay.server_id();
    match message {
        ServerMessage::Ask { number, question } => {
            let Ok(place) = Arc::clone(answers).try_acquire_owned() else { return };
            let live = Arc::clone(live);
            actix::spawn(async move {
                let reply = forward::answer_here(&live, &question).await;
                live.shared.relay.tell(from, &ServerMessage::Answer { number, reply });
                drop(place);
            });
        }
        _ if is_own => {}
        ServerMessage::LetGo { number, session_id } => {
            // Without an answer the other server goes on, since the database guards what seats write.
            let Ok(place) = Arc::clone(answers).try_acquire_owned() else { return };
            let live = Arc::clone(live);
            actix::spawn(async move {
                reopening::let_go(&live, session_id).await;
                live.shared.relay.tell(from, &ServerMessage::Answer { number, reply: ForwardedReply::NotHere });
                drop(place);
            });
        }
        ServerMessage::Taken { session_id, fence, by_socket } => {
            if let Some(handle) = live.shared.registry.find(session_id) {
                // A full mailbox does no harm: the next commit of the seat is refused.
                let _ = handle.address.try_send(SeatLost { fence, by_socket });
            }
        }
        ServerMessage::Room(word) => {
            // Lost rows leave a gap in their numbers, which is noticed.
            let _ = live.shared.rooms.try_send(FromServer { from, word });
        }
        ServerMessage::Ordered => {
            live.shared.new_orders.notify_one();
            // Rooms that miss this read the database a little later anyway.
            let _ = live.shared.rooms.try_send(OrderGiven);
        }
        ServerMessage::Sitting { sitting_id } => {
            // The bell looks each second anyway.
            let _ = live.services.bell.try_send(SittingHeard { sitting_id, is_own: false });
        }
        // The relay handles these itself.
        ServerMessage::Echo | ServerMessage::Answer { .. } => {}
    }
}
