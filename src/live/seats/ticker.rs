//! The actor that tells seats the time: one for the whole server, and a sweep for attempts that have no seat here.
//!
//! It owns nothing. Deadlines are in the store, so whatever happens to it, the next one finds those that have passed.

use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use futures_util::{StreamExt, stream};

use super::access::SeatLocation;
use crate::database::in_time;
use crate::live::Live;
use crate::live::seat::{SeatDirectory, Tick};
use crate::live::store::{self, ClaimMode};

/// Seats are told the time within so much of the moment that they asked for.
const TICK: Duration = Duration::from_millis(200);
/// The store is asked so often for attempts whose time is up.
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// The store answers within this time, or is asked again at the next sweep.
const SWEEP_TIMEOUT: Duration = Duration::from_secs(10);
/// Attempts of one sweep.
const OVERDUE_AT_ONCE: u64 = 20_000;
/// Seats that are built at once for them.
const LOADING_AT_ONCE: usize = 64;

/// Tells the time.
pub struct Ticker {
    live: Arc<Live>,
    is_sweeping: bool,
}

impl Ticker {
    /// Ready to be started.
    #[must_use]
    pub fn new(live: Arc<Live>) -> Self {
        Self { live, is_sweeping: false }
    }

    fn tick(&self) {
        for handle in self.live.registry.due(self.live.services.clock.now()) {
            // A seat whose mailbox is full is told at the next tick.
            let _ = handle.address.try_send(Tick);
        }
    }

    fn sweep(&mut self, context: &mut Context<Self>) {
        if self.is_sweeping || self.live.registry.is_stopping() {
            return;
        }
        self.is_sweeping = true;
        let live = Arc::clone(&self.live);
        context.spawn(async move { sweep(&live).await }.into_actor(self).map(|(), actor, _| actor.is_sweeping = false));
    }
}

/// Builds a seat for each attempt whose time is up, or whose end a proctor has ordered, and that no other living server
/// holds; the seat then ends it as any other does.
pub async fn sweep(live: &Arc<Live>) {
    // A server that is alone has nobody to leave a deadline to.
    let server = (!live.relay.is_alone()).then_some(live.services.server_id);
    let finding = store::find_overdue(&live.services.database, server, live.services.clock.now(), OVERDUE_AT_ONCE);
    let Some(overdue) = in_time("overdue attempts", SWEEP_TIMEOUT, finding).await else { return };
    let without_seat = overdue.into_iter().filter(|session_id| live.registry.find(*session_id).is_none());
    stream::iter(without_seat)
        .for_each_concurrent(LOADING_AT_ONCE, async |session_id| {
            if let Ok(SeatLocation::Here(handle)) = live.seat(session_id, ClaimMode::Vacant).await {
                let _ = handle.address.try_send(Tick);
            }
        })
        .await;
}

impl Actor for Ticker {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.run_interval(TICK, |actor, _| actor.tick());
        context.run_interval(SWEEP_EVERY, Self::sweep);
        self.sweep(context);
    }
}
