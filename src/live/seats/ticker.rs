//! The actor that ticks the seats that are due, and sweeps the database for overdue attempts that have no seat here.
//!
//! There is one for the whole server. It owns nothing, and nobody writes to it. Deadlines are in the database, so if it
//! dies, the next one finds those that have passed.

use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use futures_util::{StreamExt, stream};

use super::access::SeatLocation;
use crate::database::in_time;
use crate::live::Live;
use crate::live::seat::{SeatDirectory, Tick};
use crate::live::store::{self, ClaimMode};

/// How often the seats that are due are ticked, and so how late a tick may be.
const TICK: Duration = Duration::from_millis(200);
/// How often the database is asked for attempts whose time is up.
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// How long one search for overdue attempts may take. The next sweep repeats a search that took longer.
const SWEEP_TIMEOUT: Duration = Duration::from_secs(10);
/// Attempts found by one sweep; the next one finds the rest.
const OVERDUE_AT_ONCE: u64 = 20_000;
/// Seats that are built at once for overdue attempts, so that a sweep does not starve the students.
const LOADING_AT_ONCE: usize = 64;

pub struct Ticker {
    live: Arc<Live>,
    is_sweeping: bool,
}

impl Ticker {
    #[must_use]
    pub fn new(live: Arc<Live>) -> Self {
        Self { live, is_sweeping: false }
    }

    fn tick(&self) {
        for handle in self.live.shared.registry.due(self.live.services.clock.now()) {
            // A seat whose mailbox is full gets the next tick.
            let _ = handle.address.try_send(Tick);
        }
    }

    fn sweep(&mut self, context: &mut Context<Self>) {
        if self.is_sweeping || self.live.shared.registry.is_stopping() {
            return;
        }
        self.is_sweeping = true;
        let live = Arc::clone(&self.live);
        context.spawn(async move { sweep(&live).await }.into_actor(self).map(|(), actor, _| actor.is_sweeping = false));
    }
}

/// Builds a seat for each attempt whose time is up, or whose end a proctor has ordered, unless another living server
/// holds it. The seat then ends the attempt as any other seat does.
pub async fn sweep(live: &Arc<Live>) {
    // Whose time was up while nothing could be saved gets it back first.
    if !live.shared.lease.is_settled() {
        return;
    }
    // A server that is alone leaves no attempt to another, so that a lease of its own former run does not hold it up.
    let server = (!live.shared.relay.is_alone()).then_some(live.services.server_id);
    let finding = store::find_overdue(&live.services.database, server, live.services.clock.now(), OVERDUE_AT_ONCE);
    let Some(overdue) = in_time("overdue attempts", SWEEP_TIMEOUT, finding).await else { return };
    // Seats that are here end by their own ticks.
    let without_seat = overdue.into_iter().filter(|session_id| live.shared.registry.find(*session_id).is_none());
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
        let clock = self.live.services.clock.clone();
        clock.every(context, TICK, |actor: &mut Self, _| actor.tick());
        clock.every(context, SWEEP_EVERY, Self::sweep);
        // At once: the time of many may have been up while no server was running.
        self.sweep(context);
    }
}
