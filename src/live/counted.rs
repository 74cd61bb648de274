//! Counts starts, and requests without the token of their attempt, against the limits of addresses and accounts. A
//! caller with the token of a running attempt is never refused for what others send.

use std::time::Duration;

use uuid::Uuid;

use super::Live;
use super::protocol::fault::{Code, Fault};
use crate::http::limits::{Counted, CountedCaller};
use crate::http::turnstile::by_address::AddressTurnstile;

/// Tokens that are looked up at once for addresses that have sent too many wrong ones.
const STRANGERS_AT_ONCE: usize = 4;
/// Requests from addresses with too many wrong tokens that may wait for a look-up.
const STRANGERS_MAX: usize = 4_096;
/// Requests from one address with too many wrong tokens that may wait for a look-up.
const STRANGERS_OF_ADDRESS_MAX: usize = 1_024;
/// How long a request from an address with too many wrong tokens waits for its look-up.
const STRANGER_WITHIN: Duration = Duration::from_secs(5);

/// The turns of addresses that have sent too many wrong tokens. There may be a student among them whose seat is not in
/// memory, so they are not refused without a look, but a flood must not occupy the database.
pub fn strangers() -> AddressTurnstile {
    AddressTurnstile::new(STRANGERS_AT_ONCE, STRANGERS_MAX, STRANGERS_OF_ADDRESS_MAX, STRANGER_WITHIN)
}

/// Counts a start: `rate_limited` if the account, or the address of a caller without one, has started too many.
pub fn start(live: &Live, caller: Option<CountedCaller>, owner: Option<&str>) -> Result<(), Fault> {
    let caller = caller.map(|caller| caller.signed_in(owner));
    let too_many = |_| Fault::new(Code::RateLimited, "Too many tests are started from this address");
    live.shared.neighbours.limit.count(Counted::Start, caller.as_ref()).map_err(too_many)
}

/// Asks an attempt for something. A token that no seat here knows counts before the database is asked. After too many
/// such requests each waits for its turn, and one with a wrong token is `rate_limited`.
pub async fn known<T>(
    live: &Live,
    caller: Option<CountedCaller>,
    (session_id, token_hash): (Uuid, &[u8; 32]),
    asking: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let is_known = live.shared.registry.find(session_id).is_some_and(|seat| seat.tokens.has(token_hash));
    if !is_known && live.shared.neighbours.limit.count(Counted::Stranger, caller.as_ref()).is_err() {
        let too_many = || Fault::new(Code::RateLimited, "Too many requests from this address have a wrong token");
        let _turn = live.shared.strangers.turn(caller).await.ok_or_else(too_many)?;
        let is_stranger = |fault: &Fault| matches!(fault.code, Code::UnknownSession | Code::BadToken);
        let checked = live.check_token(session_id, token_hash).await;
        checked.map_err(|fault| if is_stranger(&fault) { too_many() } else { fault })?;
    }
    asking.await
}
