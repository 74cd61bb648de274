//! What follows from a reopening in memory: seats of the run before let go, on all servers, and pages that wait for the
//! test to go on are answered. Separate from the order, which is carried out in the database alone.

use std::sync::Arc;
use std::time::Duration;

use domain::attempt::AttemptRun;
use futures_util::future::join_all;
use moka::future::Cache;
use tokio::sync::{Semaphore, broadcast};
use tokio::time::Instant;
use uuid::Uuid;

use super::Live;
use super::protocol::fault::Fault;
use super::seat::EndRun;
use super::seats::registry::SeatAtHand;
use super::store;
use crate::database::in_time;

/// How long the seats of this server may take to let go. After that the proctor is answered all the same: what such a
/// seat would write is refused by the database.
const LET_GO_WITHIN: Duration = Duration::from_secs(1);
/// The pause before it is looked again whether a seat has gone.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// How long the database may take to say which run an attempt is in, or whether it has ended.
const READ_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a request waits for its test to go on. Proxies give up on a silent one after 30 seconds or more.
const WAIT_TIMEOUT: Duration = Duration::from_secs(25);
/// Requests that wait at once. Each holds a connection and little else; others are answered at once.
const WAITS_MAX: usize = 20_000;
/// Reopenings that a waiting request may be behind. Then it looks at the database.
const HEARD_MAX: usize = 64;
/// Tokens of those who wait that are known to be good, and how long one is that does not come again: they come after
/// each wait, when their seats have long left memory, and must not count as strangers.
const WAITING_TOKENS_MAX: u64 = 50_000;
const WAITING_TOKENS_KEPT: Duration = Duration::from_secs(120);

/// Tells pages that wait that a test goes on.
pub struct Reopenings {
    told: broadcast::Sender<Uuid>,
    waits: Semaphore,
    tokens: Cache<(Uuid, [u8; 32]), ()>,
}

impl Default for Reopenings {
    fn default() -> Self {
        let tokens = Cache::builder().max_capacity(WAITING_TOKENS_MAX).time_to_idle(WAITING_TOKENS_KEPT).build();
        Self { told: broadcast::Sender::new(HEARD_MAX), waits: Semaphore::new(WAITS_MAX), tokens }
    }
}

impl Reopenings {
    /// Whether somebody with this token of a session has waited here just now.
    pub async fn knows(&self, session_id: Uuid, token_hash: [u8; 32]) -> bool {
        self.tokens.get(&(session_id, token_hash)).await.is_some()
    }

    /// Remembers a token that was found to be that of the session.
    pub async fn learn(&self, session_id: Uuid, token_hash: [u8; 32]) {
        self.tokens.insert((session_id, token_hash), ()).await;
    }
}

/// Has all servers let the seats of earlier runs of an attempt go. Returns when they have, or when one of them does not
/// answer: then the database refuses what its seat would write.
pub async fn let_go_everywhere(live: &Live, session_id: Uuid) {
    let own_id = live.shared.relay.server_id();
    let living = live.shared.lease.living();
    let others = living.iter().copied().filter(|server| *server != own_id);
    let telling = others.map(|server| live.shared.relay.let_go(server, session_id));
    tokio::join!(let_go(live, session_id), join_all(telling));
}

/// Has the seat of an earlier run let go that this server may have, and tells the pages that wait here.
pub async fn let_go(live: &Live, session_id: Uuid) {
    let finding = store::find_run(&live.services.database, session_id);
    if let Some(Some(run)) = in_time("the run of an attempt", READ_TIMEOUT, finding).await {
        let until = Instant::now() + LET_GO_WITHIN;
        while !has_gone(live, session_id, run).await && Instant::now() < until {
            live.services.clock.sleep(LOOK_AGAIN).await;
        }
    }
    // Nobody may be waiting.
    let _ = live.shared.reopenings.told.send(session_id);
}

async fn has_gone(live: &Live, session_id: Uuid, run: AttemptRun) -> bool {
    match live.shared.registry.at_hand(session_id) {
        SeatAtHand::Nothing => true,
        // It may be built from what was read before.
        SeatAtHand::UnderWay => false,
        // An error means that the seat has stopped, which is what was wanted.
        SeatAtHand::Seat(handle) => handle.address.send(EndRun { run }).await.unwrap_or(true),
    }
}

/// Returns whether a test that has ended goes on: as soon as it does, and otherwise after 25 seconds. The caller has
/// checked the token.
pub async fn wait(live: &Arc<Live>, session_id: Uuid) -> Result<bool, Fault> {
    let mut told = live.shared.reopenings.told.subscribe();
    if goes_on(live, session_id).await? {
        return Ok(true);
    }
    let Ok(_place) = live.shared.reopenings.waits.try_acquire() else { return Ok(false) };
    let heard = async {
        loop {
            match told.recv().await {
                Ok(heard) if heard != session_id => {}
                Ok(_) | Err(_) => return,
            }
        }
    };
    tokio::select! {
        () = heard => {}
        () = live.shared.registry.stopping() => {}
        () = live.services.clock.sleep(WAIT_TIMEOUT) => {}
    }
    // Also without a word: it may have been lost.
    goes_on(live, session_id).await
}

async fn goes_on(live: &Live, session_id: Uuid) -> Result<bool, Fault> {
    let finding = store::has_ended(&live.services.database, session_id);
    let found = in_time("the end of an attempt", READ_TIMEOUT, finding).await.ok_or_else(Fault::storage)?;
    Ok(!found.ok_or_else(Fault::unknown_session)?)
}
