//! Carries out the orders of one proctor's socket, one after another in the order in which they came. Separate from the
//! socket, which stands still while its peer does not read.

use std::sync::Arc;

use domain::access::Identity;
use tokio::sync::{mpsc, oneshot};

use crate::live::Live;
use crate::live::proctor::orders;
use crate::live::protocol::fault::Fault;
use crate::live::store::{CarriedOut, ProctorCommand};

/// Orders of one socket that wait for earlier ones: as many as it may have unanswered.
const WAITING_MAX: usize = 16;

struct WaitingOrder {
    identity: Identity,
    asked: ProctorCommand,
    reply: oneshot::Sender<Result<CarriedOut, Fault>>,
}

/// The orders of a socket that wait for their turn. They are carried out even if the socket has gone.
pub(in crate::live) struct OrderQueue(mpsc::Sender<WaitingOrder>);

impl OrderQueue {
    pub(in crate::live) fn new(live: Arc<Live>) -> Self {
        let (giving, mut waiting) = mpsc::channel::<WaitingOrder>(WAITING_MAX);
        actix::spawn(async move {
            while let Some(WaitingOrder { identity, asked, reply }) = waiting.recv().await {
                // An error means that the socket has gone, and nobody needs the answer.
                let _ = reply.send(orders::give(&live, &identity, &asked).await);
            }
        });
        Self(giving)
    }

    /// Queues an order. Returns `None` if too many are waiting.
    pub(in crate::live) fn give(
        &self,
        identity: Identity,
        asked: ProctorCommand,
    ) -> Option<oneshot::Receiver<Result<CarriedOut, Fault>>> {
        let (reply, done) = oneshot::channel();
        self.0.try_send(WaitingOrder { identity, asked, reply }).is_ok().then_some(done)
    }
}
