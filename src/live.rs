//! Live exams (`live.md`): a seat for each attempt, reached by WebSocket or plain HTTPS, stored through the journal.

pub mod dispatch;
pub mod https;
pub mod journal;
pub mod messages;
pub mod proctor;
pub mod protocol;
pub mod relay;
pub mod rooms;
pub mod seat;
pub mod seats;
pub mod shared;
pub mod socket;
pub mod start;
pub mod store;

use std::sync::Arc;

use actix::Addr;
use tokio::sync::Notify;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::caller::Callers;
use crate::config::Config;
use crate::http::limits::AddressLimit;
use crate::templates::Templates;
use relay::Relay;
use rooms::Rooms;
use seat::SeatServices;
use seats::claims::SeatClaims;
use seats::lease::Lease;
use seats::registry::Registry;

/// Live exams, for students and for proctors. `{sessionId}` comes last, since it would take `proctor` for an id.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(socket::student::open)
        .service(https::begin)
        .service(socket::proctor::open)
        .service(proctor::list::sessions)
        .service(proctor::history::events)
        .service(https::resume)
        .service(https::commands);
}

/// Everything that live exams work with, and the only type that knows all of it; one for each worker. What its fields are
/// made of knows nothing of it: `seat`, the registry, the relay, rooms and the lease lie below, those who take a `Live`
/// as an argument above.
pub struct Live {
    /// What the seats of this worker need.
    pub services: Arc<SeatServices>,
    pub registry: Arc<Registry>,
    pub claims: Addr<SeatClaims>,
    pub relay: Arc<Relay>,
    pub lease: Arc<Lease>,
    pub rooms: Addr<Rooms>,
    /// Notified when there may be orders of proctors in the database.
    pub new_orders: Arc<Notify>,
    pub templates: Arc<Templates>,
    pub callers: Arc<Callers>,
    /// How many tests one address may start.
    pub limit: Arc<AddressLimit>,
    pub config: Arc<Config>,
}
