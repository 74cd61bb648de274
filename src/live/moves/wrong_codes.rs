//! Wrong codes of proctors that name a session: they are counted a little later, apart from their answers, so that
//! nobody learns from the time of an answer whether a session has a code, nor waits for the writer of the database.

use domain::time::moment::Moment;
use uuid::Uuid;

use super::{CODE_MILLISECONDS, STORE_TIMEOUT};
use crate::database::in_time;
use crate::live::Live;
use crate::live::store;
use crate::tally::WaitingTally;

/// Wrong codes that wait to be counted, by their session and the moment at which they were tried: a code that was made
/// later is not the one at which they were tried.
pub type WrongMoveCodes = WaitingTally<(Uuid, Moment), i32>;

/// Counts wrong codes with the codes of their sessions, again and again. Never returns.
pub async fn count_wrong_codes(live: &Live) {
    let services = &live.services;
    let count = async |(session_id, tried_at): &(Uuid, Moment), tries: &mut i32| {
        let expires_by = tried_at.plus(CODE_MILLISECONDS);
        let counting = store::count_guesses(&services.database, *session_id, expires_by, *tries);
        in_time("wrong codes", STORE_TIMEOUT, counting).await.is_some()
    };
    live.shared.codes.wrong.count_all(&services.clock, count).await;
}
