//! Wrong codes of proctors that name a session: they are counted a little later, apart from their answers, so that
//! nobody learns from the time of an answer whether a session has a code, nor waits for the writer of the database.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use uuid::Uuid;

use super::STORE_TIMEOUT;
use crate::database::in_time;
use crate::live::Live;
use crate::live::store;

/// How often the wrong codes are counted that have come meanwhile.
const COUNTED_EVERY: Duration = Duration::from_secs(1);
/// Sessions whose wrong codes wait to be counted. Budgets of guesses let nobody fill this, also while the database is
/// away; more are left out.
const WAITING_MAX: usize = 10_000;

/// Wrong codes that have come since they were counted last, or could not be counted then, by session.
#[derive(Default)]
pub struct WrongMoveCodes(Mutex<HashMap<Uuid, i32>>);

impl WrongMoveCodes {
    pub(super) fn note(&self, session_id: Uuid) {
        self.add(session_id, 1);
    }

    fn add(&self, session_id: Uuid, tries: i32) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING_MAX || waiting.contains_key(&session_id) {
            let noted = waiting.entry(session_id).or_default();
            *noted = noted.saturating_add(tries);
        }
    }

    fn take(&self) -> HashMap<Uuid, i32> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Counts wrong codes with the codes of their sessions, again and again. Never returns.
pub async fn count_wrong_codes(live: &Live) {
    let (services, wrong) = (&live.services, &live.shared.codes.wrong);
    loop {
        services.clock.sleep(COUNTED_EVERY).await;
        let mut turn = wrong.take().into_iter();
        for (session_id, tries) in turn.by_ref() {
            let counting = store::count_guesses(&services.database, session_id, tries);
            if in_time("wrong codes", STORE_TIMEOUT, counting).await.is_none() {
                wrong.add(session_id, tries);
                break;
            }
        }
        // Each of them would wait for the same database.
        turn.for_each(|(session_id, tries)| wrong.add(session_id, tries));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_again_joins_what_has_come_meanwhile() {
        let (wrong, session_id) = (WrongMoveCodes::default(), Uuid::nil());
        wrong.note(session_id);
        let taken = wrong.take();
        wrong.note(session_id);
        taken.into_iter().for_each(|(session_id, tries)| wrong.add(session_id, tries));
        assert_eq!(wrong.take(), HashMap::from([(session_id, 2)]));
    }

    #[test]
    fn only_so_many_sessions_wait() {
        let wrong = WrongMoveCodes::default();
        (0..=WAITING_MAX).for_each(|number| wrong.note(Uuid::from_u128(number as u128)));
        wrong.note(Uuid::nil());
        let taken = wrong.take();
        assert_eq!((taken.len(), taken[&Uuid::nil()]), (WAITING_MAX, 2));
    }
}
