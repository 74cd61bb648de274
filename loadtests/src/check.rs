//! Reads every attempt over HTTP and compares it with the seat's ledger. The load goes over WebSockets, so this checks
//! by another way than the one that is tested.

use crate::ledger::Comparison;
use crate::seat::Seat;
use crate::server::{HTTP_CONNECTIONS_MAX, Server};
use crate::tally::Tally;
use futures_util::{StreamExt, stream};

/// Compares all seats. An attempt that cannot be read counts as an error, so that silence is no success.
pub async fn check_all(server: &Server, seats: &[Seat], tally: &Tally) -> Comparison {
    stream::iter(seats)
        .map(|seat| check(server, seat, tally))
        .buffer_unordered(HTTP_CONNECTIONS_MAX)
        .fold(Comparison::default(), |sum, one| async move {
            Comparison { values: sum.values + one.values, missing: sum.missing + one.missing }
        })
        .await
}

async fn check(server: &Server, seat: &Seat, tally: &Tally) -> Comparison {
    match server.stored_attempt(&seat.session_id, &seat.token).await {
        Ok(stored) => seat.ledger.compare(&seat.question_ids, &stored),
        Err(code) => {
            tally.error(&code);
            Comparison::default()
        }
    }
}
