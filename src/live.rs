//! Live exams (`live.md`): a seat for each attempt, reached by WebSocket or plain HTTPS, stored through the journal.

pub mod https;
pub mod journal;
pub mod proctor;
pub mod protocol;
pub mod relay;
pub mod rooms;
pub mod seat;
pub mod seats;
pub mod socket;
pub mod start;
pub mod store;

use std::sync::Arc;

use actix::Addr;

use crate::auth::caller::Callers;
use crate::clock::Clock;
use crate::config::Config;
use crate::database::Database;
use crate::http::limits::AddressLimit;
use crate::questions::bank::Banks;
use crate::telemetry::Metrics;
use crate::templates::Templates;
use crate::webhooks::Outbox;
use journal::Journal;
use relay::Relay;
use rooms::Rooms;
use rooms::feed::Feed;
use seats::claims::SeatClaims;
use seats::lease::Lease;
use seats::registry::Registry;

/// What a seat and the roads to it need; one for each worker, with that worker's journal.
pub struct Live {
    /// Where all seats of this server are found.
    pub registry: Arc<Registry>,
    /// Takes seats for this server.
    pub holder: Addr<SeatClaims>,
    /// Other servers.
    pub relay: Arc<Relay>,
    /// This server's lease, and who else lives.
    pub lease: Arc<Lease>,
    /// Where seats leave what proctors are shown.
    pub feed: Arc<Feed>,
    /// Rooms that proctors watch.
    pub rooms: Addr<Rooms>,
    /// Commits for the seats of this worker.
    pub journal: Addr<Journal>,
    /// The store.
    pub database: Database,
    /// Questions and their keys.
    pub banks: Arc<Banks>,
    /// Templates that tests are started from.
    pub templates: Arc<Templates>,
    /// Where finished tests put their webhooks.
    pub outbox: Arc<Outbox>,
    /// How many tests one address may start.
    pub limit: Arc<AddressLimit>,
    /// Who calls.
    pub callers: Arc<Callers>,
    /// The server's clock.
    pub clock: Clock,
    /// Figures.
    pub metrics: Arc<Metrics>,
    /// Options.
    pub config: Arc<Config>,
}
