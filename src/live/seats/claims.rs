//! The actor that claims seats for this server. While one claim is in progress the next ones gather, so that a thousand
//! students who come back at once cost a few transactions.
//!
//! It owns the waiting claims and nothing else; `access` writes to it. When it dies, callers get `storage_unavailable`.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::clock::Clock;
use crate::database::Database;
use crate::live::messages::ServerMessage;
use crate::live::protocol::fault::Fault;
use crate::live::relay::Relay;
use crate::live::store::{self, ClaimMode, ClaimOutcome};

/// Seats claimed in one transaction, so that none takes long.
const TAKEN_AT_ONCE: usize = 500;
/// Claims waiting; more are refused with `storage_unavailable`.
const WAITING_MAX: usize = 50_000;
/// Claims in the mailbox, from which they move to the waiting ones at once.
const MAILBOX_CAPACITY: usize = 16_384;
/// The wait before claiming a seat again, after another server was writing for it at that moment.
const BUSY_AGAIN: Duration = Duration::from_millis(20);
/// How long one transaction of claims may take. Then its callers are asked to come again.
const TAKE_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a claim waits for its transaction to begin. With the transaction it is less than the 8 s that its caller
/// waits.
const WISH_MAX: Duration = Duration::from_secs(3);

/// Claims a seat for this server.
#[derive(Message)]
#[rtype(result = "Result<ClaimOutcome, Fault>")]
pub struct ClaimSeat {
    pub session_id: Uuid,
    pub wish: ClaimMode,
}

struct WaitingClaim {
    take: ClaimSeat,
    since: Instant,
    reply: oneshot::Sender<Result<ClaimOutcome, Fault>>,
}

pub struct SeatClaims {
    database: Database,
    relay: Arc<Relay>,
    clock: Clock,
    waiting: Vec<WaitingClaim>,
    is_taking: bool,
}

impl SeatClaims {
    #[must_use]
    pub const fn new(database: Database, relay: Arc<Relay>, clock: Clock) -> Self {
        Self { database, relay, clock, waiting: Vec::new(), is_taking: false }
    }

    fn take_waiting(&mut self, context: &mut Context<Self>) {
        self.forget_old();
        // One transaction at a time: claims that arrive meanwhile share the next one, so that a thousand students who
        // reconnect at once cost the database little.
        if self.is_taking || self.waiting.is_empty() {
            return;
        }
        self.is_taking = true;
        let batch: Vec<WaitingClaim> = self.waiting.drain(..self.waiting.len().min(TAKEN_AT_ONCE)).collect();
        let (database, relay, now) = (self.database.clone(), Arc::clone(&self.relay), self.clock.now());
        let taking = actix::spawn(async move {
            let wishes: Vec<(Uuid, ClaimMode)> =
                batch.iter().map(|waiting| (waiting.take.session_id, wish(&relay, waiting.take.wish))).collect();
            let taken =
                tokio::time::timeout(TAKE_TIMEOUT, store::claim_seats(&database, relay.server_id(), &wishes, now))
                    .await;
            answer(batch, taken.ok(), &relay)
        });
        context.spawn(taking.into_actor(self).map(|ended, actor, context| {
            let busy = ended.unwrap_or_else(|error| {
                tracing::error!(%error, "a take broke off");
                Vec::new()
            });
            if busy.is_empty() {
                return actor.go_on(context);
            }
            // `is_taking` stays set during the pause, or the next claim would end it at once.
            actor.waiting.extend(busy);
            actor.clock.after(context, BUSY_AGAIN, Self::go_on);
        }));
    }

    fn go_on(&mut self, context: &mut Context<Self>) {
        self.is_taking = false;
        self.take_waiting(context);
    }

    /// Refuses claims that have waited so long that their callers are about to try again, here or on another server. A
    /// seat claimed after that could be taken away from where the caller has gone.
    fn forget_old(&mut self) {
        let (waiting, old) =
            std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.since.elapsed() < WISH_MAX);
        self.waiting = waiting;
        for WaitingClaim { reply, .. } in old {
            let _ = reply.send(Err(Fault::storage()));
        }
    }
}

/// A server that is alone leaves no seat to another, so that a lease of its own former run does not hold it up.
fn wish(relay: &Relay, wish: ClaimMode) -> ClaimMode {
    if wish == ClaimMode::Vacant && relay.is_alone() { ClaimMode::Forced } else { wish }
}

/// Answers the claims, and returns those whose seats are busy.
fn answer(
    batch: Vec<WaitingClaim>,
    taken: Option<Result<HashMap<Uuid, ClaimOutcome>, impl Display>>,
    relay: &Relay,
) -> Vec<WaitingClaim> {
    let mut busy = Vec::new();
    let taken = match taken {
        Some(Ok(taken)) => taken,
        Some(Err(error)) => {
            tracing::warn!(%error, "seats cannot be taken");
            HashMap::new()
        }
        None => HashMap::new(),
    };
    for WaitingClaim { take, since, reply } in batch {
        let became = taken.get(&take.session_id).copied();
        if became == Some(ClaimOutcome::Busy) {
            busy.push(WaitingClaim { take, since, reply });
            continue;
        }
        if let Some(ClaimOutcome::Held(hold)) = became {
            relay.tell_all(&ServerMessage::Taken {
                session_id: hold.session_id,
                fence: hold.fence,
                by_socket: take.wish == ClaimMode::Socket,
            });
        }
        // The caller may have gone. This server then holds the seat all the same, and the next caller gets it.
        let _ = reply.send(became.ok_or_else(Fault::storage));
    }
    busy
}

impl Actor for SeatClaims {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
    }
}

impl Handler<ClaimSeat> for SeatClaims {
    type Result = ResponseFuture<Result<ClaimOutcome, Fault>>;

    fn handle(&mut self, take: ClaimSeat, context: &mut Self::Context) -> Self::Result {
        if self.waiting.len() >= WAITING_MAX {
            return Box::pin(async { Err(Fault::storage()) });
        }
        let (reply, answer) = oneshot::channel();
        self.waiting.push(WaitingClaim { take, since: Instant::now(), reply });
        self.take_waiting(context);
        Box::pin(async { answer.await.unwrap_or_else(|_| Err(Fault::storage())) })
    }
}
