//! The orders of one proctor's socket, done one after another as they came: apart from the socket, which may not be read.

use std::sync::Arc;

use domain::access::Identity;
use domain::order::OrderTarget;
use tokio::sync::{mpsc, oneshot};

use super::rights;
use crate::live::Live;
use crate::live::proctor::orders;
use crate::live::protocol::fault::Fault;
use crate::live::store::ProctorCommand;

/// Orders of one socket that wait for those before.
const WAITING_MAX: usize = 16;

struct WaitingOrder {
    identity: Identity,
    asked: ProctorCommand,
    reply: oneshot::Sender<Result<u64, Fault>>,
}

/// Orders that wait for their turn; those that were given are done also when the socket has gone.
pub(in crate::live) struct OrderQueue(mpsc::Sender<WaitingOrder>);

impl OrderQueue {
    /// Of a socket that has just been opened.
    pub(in crate::live) fn new(live: Arc<Live>) -> Self {
        let (giving, mut waiting) = mpsc::channel::<WaitingOrder>(WAITING_MAX);
        actix::spawn(async move {
            while let Some(WaitingOrder { identity, asked, reply }) = waiting.recv().await {
                // The socket may have gone; what it asked for is done all the same.
                let _ = reply.send(perform(&live, &identity, &asked).await);
            }
        });
        Self(giving)
    }

    /// Has an order wait for its turn; `None` when too many do.
    pub(in crate::live) fn give(
        &self,
        identity: Identity,
        asked: ProctorCommand,
    ) -> Option<oneshot::Receiver<Result<u64, Fault>>> {
        let (reply, done) = oneshot::channel();
        self.0.try_send(WaitingOrder { identity, asked, reply }).is_ok().then_some(done)
    }
}

async fn perform(live: &Live, identity: &Identity, asked: &ProctorCommand) -> Result<u64, Fault> {
    if let OrderTarget::One(session_id) = asked.target {
        rights::in_time(rights::watching_session(live, identity, asked.room, session_id)).await?;
    }
    orders::perform(live, asked).await
}
