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
pub mod late;
pub mod messages;
pub mod moves;
pub mod orders;
pub mod paper;
pub mod proctor;
pub mod protocol;
pub mod receipt;
pub mod relay;
mod reopening;
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

use utoipa_actix_web::service_config::ServiceConfig;

use seat::SeatServices;
use shared::SharedLive;

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
        .service(late::read)
        .service(late::decision::decide)
        .service(late::files::hand_in)
        .service(moves::mine)
        .service(moves::by_code)
        .service(asyncapi::read)
        .service(paper::read_part)
        .service(https::resume)
        .service(https::commands)
        .service(receipt::receipt)
        .service(moves::further_token);
}

/// Everything that live exams work with; one for each worker. Only this type knows all of it: `seat`, the registry, the
/// relay, the rooms and the lease lie below and do not know it. Code that takes a `Live` as an argument lies above.
pub struct Live {
    /// The services of this worker's seats.
    pub services: Arc<SeatServices>,
    /// What it shares with all workers.
    pub shared: SharedLive,
}
