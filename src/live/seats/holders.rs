//! Reads who holds seats. While one query is in progress the next questions gather, so that a thousand students who
//! come back at once cost a few queries and no connections that others wait for.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use crate::database::{Database, in_time};
use crate::live::protocol::fault::Fault;
use crate::live::store::{self, SeatHolder};

/// Seats of one query.
const READ_AT_ONCE: usize = 1_000;
/// Questions that wait; more are refused with `storage_unavailable`.
const WAITING_MAX: usize = 50_000;
/// How long one query may take, with a second try if its connection was broken.
const READ_TIMEOUT: Duration = Duration::from_secs(4);
/// How long an answer may take, with the queries before it.
const FIND_TIMEOUT: Duration = Duration::from_secs(8);

struct HolderQuestion {
    session_id: Uuid,
    reply: oneshot::Sender<Option<SeatHolder>>,
}

/// Where it is asked who holds a seat.
#[derive(Clone)]
pub struct Holders(mpsc::Sender<HolderQuestion>);

impl Holders {
    /// Starts to read; ends when nobody can ask any more.
    #[must_use]
    pub fn start(database: Database) -> Self {
        let (ask, asked) = mpsc::channel(WAITING_MAX);
        actix::spawn(read(database, asked));
        Self(ask)
    }

    /// Finds the holder of a seat. `None` when the attempt has ended. Fails with `storage_unavailable`.
    pub async fn find(&self, session_id: Uuid) -> Result<Option<SeatHolder>, Fault> {
        let (reply, answer) = oneshot::channel();
        self.0.try_send(HolderQuestion { session_id, reply }).map_err(|_| Fault::storage())?;
        // Without an answer the query has failed.
        timeout(FIND_TIMEOUT, answer).await.ok().and_then(Result::ok).ok_or_else(Fault::storage)
    }
}

async fn read(database: Database, mut asked: mpsc::Receiver<HolderQuestion>) {
    let mut questions = Vec::new();
    while asked.recv_many(&mut questions, READ_AT_ONCE).await > 0 {
        questions.retain(|question: &HolderQuestion| !question.reply.is_closed());
        let ids: Vec<Uuid> = questions.iter().map(|question| question.session_id).collect();
        if ids.is_empty() {
            continue;
        }
        let finding = async {
            // One broken connection should not send a thousand students away.
            match store::find_holders(&database, &ids).await {
                Err(_) => store::find_holders(&database, &ids).await,
                found => found,
            }
        };
        let found: Option<HashMap<Uuid, SeatHolder>> = in_time("who holds seats", READ_TIMEOUT, finding).await;
        for HolderQuestion { session_id, reply } in questions.drain(..) {
            if let Some(found) = &found {
                let _ = reply.send(found.get(&session_id).copied());
            }
        }
    }
}
