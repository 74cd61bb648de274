//! Live exams: one seat for each attempt, reached by WebSocket or plain HTTPS, and stored through the journal.

pub mod asyncapi;
pub mod bell;
mod counted;
pub mod dispatch;
pub mod enter;
pub mod error;
pub mod guesses;
pub mod https;
pub mod journal;
pub mod messages;
pub mod moves;
pub mod orders;
pub mod paper;
pub mod proctor;
pub mod protocol;
pub mod relay;
pub mod rooms;
pub mod saving;
pub mod seat;
pub mod seats;
pub mod shapes;
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
use crate::http::turnstile::by_address::AddressTurnstile;
use crate::sittings::Sittings;
use crate::templates::Templates;
use guesses::Guesses;
use moves::MoveCodes;
use relay::Relay;
use rooms::Rooms;
use seat::SeatServices;
use seats::claims::SeatClaims;
use seats::holders::Holders;
use seats::lease::Lease;
use seats::registry::Registry;

/// Live exams, for students and for proctors. `{sessionId}` comes last, since it would take `proctor`, `mine` and
/// `sessions` for ids.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(socket::student::open)
        .service(https::begin)
        .service(socket::proctor::open)
        .service(proctor::list::sessions)
        .service(proctor::history::events)
        .service(proctor::history::candidate_events)
        .service(proctor::requests::order_session)
        .service(proctor::requests::order_room)
        .service(proctor::requests::code)
        .service(moves::mine)
        .service(moves::by_code)
        .service(asyncapi::read)
        .service(paper::read_part)
        .service(https::resume)
        .service(https::commands)
        .service(moves::further_token);
}

/// Everything that live exams work with; one for each worker. Only this type knows all of it: `seat`, the registry, the
/// relay, the rooms and the lease lie below and do not know it. Code that takes a `Live` as an argument lies above.
pub struct Live {
    /// The services of this worker's seats.
    pub services: Arc<SeatServices>,
    pub registry: Arc<Registry>,
    pub claims: Addr<SeatClaims>,
    pub holders: Holders,
    pub relay: Arc<Relay>,
    pub lease: Arc<Lease>,
    pub rooms: Addr<Rooms>,
    /// Notified when there may be new orders of proctors in the database.
    pub new_orders: Arc<Notify>,
    pub templates: Arc<Templates>,
    pub sittings: Arc<Sittings>,
    pub callers: Arc<Callers>,
    /// Limits how many tests one address or account may start.
    pub limit: Arc<AddressLimit>,
    /// Has those wait who send too many wrong tokens.
    pub strangers: Arc<AddressTurnstile>,
    /// Who has tried wrong codes of candidates.
    pub guesses: Arc<Guesses>,
    /// Who may try codes how often, and how they are stored.
    pub codes: Arc<MoveCodes>,
    pub config: Arc<Config>,
}
