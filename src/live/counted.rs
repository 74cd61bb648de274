//! What counts against the limits of addresses and accounts: starts, and requests without the token of their attempt.
//! Whoever has the token of a running attempt is never refused for what others send.

use super::Live;
use super::protocol::fault::{Code, Fault};
use crate::http::limits::{Counted, CountedCaller};

/// Counts a start: `rate_limited` if the account, or the address of a caller without one, has started too many.
pub fn start(live: &Live, caller: Option<CountedCaller>, owner: Option<&str>) -> Result<(), Fault> {
    let caller = caller.map(|caller| caller.signed_in(owner));
    let too_many = |_| Fault::new(Code::RateLimited, "Too many tests are started from this address");
    live.limit.count(Counted::Start, caller.as_ref()).map_err(too_many)
}

/// Asks an attempt for something. A refusal for a wrong token counts, and becomes `rate_limited` after too many.
pub async fn known<T>(
    live: &Live,
    caller: Option<CountedCaller>,
    asking: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let is_stranger = |fault: &Fault| matches!(fault.code, Code::UnknownSession | Code::BadToken);
    let too_many = || Fault::new(Code::RateLimited, "Too many requests from this address have a wrong token");
    match asking.await {
        Err(fault) if is_stranger(&fault) && live.limit.count(Counted::Stranger, caller.as_ref()).is_err() => {
            Err(too_many())
        }
        answer => answer,
    }
}
