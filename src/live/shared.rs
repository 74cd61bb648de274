//! What the `Live` of all workers share: started once for the server.

use std::sync::Arc;

use actix::{Actor, Addr};
use actix_web::web::Data;
use tokio::sync::Notify;

use super::bell::Bell;
use super::counted;
use super::guesses::Guesses;
use super::journal::Journal;
use super::relay::Relay;
use super::rooms::feed::Feed;
use super::rooms::servers::Others;
use super::rooms::{RoomContext, Rooms};
use super::saving::Saving;
use super::seats::claims::SeatClaims;
use super::seats::holders::Holders;
use super::seats::lease::Lease;
use super::seats::registry::Registry;
use crate::clock::Clock;
use crate::database::Database;
use crate::http::turnstile::by_address::AddressTurnstile;
use crate::outgoing::Outbox;
use crate::redis::Redis;
use crate::sittings::Sittings;
use crate::telemetry::Metrics;

#[derive(Clone)]
pub struct SharedLive {
    pub registry: Arc<Registry>,
    pub claims: Addr<SeatClaims>,
    pub holders: Holders,
    pub relay: Arc<Relay>,
    pub lease: Arc<Lease>,
    pub saving: Arc<Saving>,
    pub feed: Arc<Feed>,
    pub rooms: Addr<Rooms>,
    pub new_orders: Arc<Notify>,
    pub bell: Addr<Bell>,
    pub guesses: Arc<Guesses>,
    pub strangers: Arc<AddressTurnstile>,
    /// SQLite has one writer, so all workers share its journal; on Postgres each worker has its own.
    pub journal: Option<Addr<Journal>>,
}

impl SharedLive {
    #[must_use]
    pub fn start(
        database: &Database,
        clock: &Clock,
        redis: Option<Redis>,
        outbox: &Data<Outbox>,
        metrics: &Data<Metrics>,
        sittings: &Data<Sittings>,
    ) -> Self {
        let relay = Arc::new(Relay::new(redis, clock.clone()));
        let saving = Arc::<Saving>::default();
        let lease =
            Arc::new(Lease::new(relay.server_id(), database.for_background(), clock.clone(), Arc::clone(&saving)));
        let (registry, feed) = (Arc::<Registry>::default(), Arc::<Feed>::default());
        let rooms = RoomContext {
            database: database.clone(),
            clock: clock.clone(),
            feed: Arc::clone(&feed),
            registry: Arc::clone(&registry),
            sittings: sittings.clone().into_inner(),
            servers: Box::new(Others { relay: Arc::clone(&relay), lease: Arc::clone(&lease) }),
        };
        let journal = || {
            let (outbox, metrics) = (outbox.clone().into_inner(), metrics.clone().into_inner());
            Journal::new(database.clone(), outbox, clock.clone(), metrics, Arc::clone(&saving)).start()
        };
        let (new_orders, strangers) = (Arc::<Notify>::default(), Arc::new(counted::strangers()));
        let bell = Bell::new(sittings.clone().into_inner(), Arc::clone(&relay), Arc::clone(&new_orders));
        Self {
            holders: Holders::start(database.clone()),
            claims: SeatClaims::new(database.clone(), Arc::clone(&relay), clock.clone()).start(),
            rooms: Rooms::new(rooms).start(),
            bell: bell.start(),
            guesses: Arc::new(Guesses::new(clock.clone())),
            new_orders,
            strangers,
            journal: database.is_sqlite().then(journal),
            registry,
            relay,
            lease,
            saving,
            feed,
        }
    }
}
