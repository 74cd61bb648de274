//! Wrong codes of proctors that name a session: they are counted a little later, apart from their answers, so that
//! nobody learns from the time of an answer whether a session has a code, nor waits for the writer of the database.

use uuid::Uuid;

use super::STORE_TIMEOUT;
use crate::database::in_time;
use crate::live::Live;
use crate::live::store;
use crate::tally::WaitingTally;

/// Wrong codes that wait to be counted, by their session and the hash of the code that it had when they were tried:
/// they do not count for one that was made since, be it in the same millisecond.
pub type WrongMoveCodes = WaitingTally<(Uuid, Vec<u8>), i32>;

/// Counts wrong codes with the codes of their sessions, again and again. Never returns.
pub async fn count_wrong_codes(live: &Live) {
    let services = &live.services;
    let count = async |(session_id, code_hash): &(Uuid, Vec<u8>), tries: &mut i32| {
        let counting = store::count_guesses(&services.database, *session_id, code_hash, *tries);
        in_time("wrong codes", STORE_TIMEOUT, counting).await.is_some()
    };
    live.shared.codes.wrong.count_all(&services.clock, count).await;
}
