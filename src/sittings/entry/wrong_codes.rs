//! Wrong access codes that begin like that of a candidate: somebody may be trying to find it. Their number is kept with
//! the candidate, and proctors are told when it has become high.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::sitting::candidate::WRONG_CODES_TOLD;
use domain::sitting::code::AccessCode;
use domain::sitting::order::IncidentNote;
use uuid::Uuid;

use crate::error::Error;
use crate::sittings::Sittings;
use crate::sittings::supervision::INCIDENTS_OF_SITTING_MAX;
use crate::store::incidents::SERVER;
use crate::store::{candidates, incidents};

/// The kind of the incident.
const KIND: &str = "wrong codes";

/// How often the wrong codes are counted that have come meanwhile: apart from their answers, so that nobody learns from
/// the time of an answer whether a code begins like that of a candidate.
const COUNTED_EVERY: Duration = Duration::from_secs(1);
/// Beginnings that wait to be counted. Budgets of guesses let nobody fill this, also while the database is away; more
/// are left out.
const WAITING_MAX: usize = 10_000;

/// A beginning of wrong codes: the sitting, and the hash of their first half.
type Beginning = (Uuid, [u8; 32]);

/// Wrong codes that begin alike, and what has become of them so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Uncounted {
    tries: i32,
    /// The number with the candidate, beyond which proctors have not been told what was counted.
    told_until: Option<i32>,
}

/// Wrong codes that have come since they were counted last, or could not be counted then.
#[derive(Default)]
pub struct WrongCodes(Mutex<HashMap<Beginning, Uncounted>>);

impl WrongCodes {
    fn add(&self, beginning: Beginning, more: Uncounted) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING_MAX || waiting.contains_key(&beginning) {
            let uncounted = waiting.entry(beginning).or_default();
            uncounted.tries = uncounted.tries.saturating_add(more.tries);
            uncounted.told_until = uncounted.told_until.or(more.told_until);
        }
    }

    fn take(&self) -> HashMap<Beginning, Uncounted> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sittings {
    /// Notes a code that is nobody's, to be counted a little later if the code of a candidate begins in the same way.
    pub fn note_wrong_code(&self, sitting_id: Uuid, access: &AccessCode) {
        self.wrong_codes.add((sitting_id, self.hash_half(access)), Uncounted { tries: 1, told_until: None });
    }

    /// Counts wrong codes with the candidates whose codes begin like them, again and again. Never returns.
    pub async fn count_wrong_codes(&self) {
        if !self.is_here {
            return std::future::pending().await;
        }
        loop {
            self.clock.sleep(COUNTED_EVERY).await;
            let mut turn = self.wrong_codes.take().into_iter();
            for (beginning, mut uncounted) in turn.by_ref() {
                if let Err(error) = self.count_wrong(beginning, &mut uncounted).await {
                    tracing::warn!(%error, "wrong codes could not be counted, and wait for the next turn");
                    self.wrong_codes.add(beginning, uncounted);
                    break;
                }
            }
            // Each of them would wait for the same database.
            turn.for_each(|(beginning, uncounted)| self.wrong_codes.add(beginning, uncounted));
        }
    }

    /// At [`WRONG_CODES_TOLD`], and at each doubling of that, an incident is put on record and the watching proctors
    /// see the number. The version of the sitting stays: strangers must not disturb those who enter. What is done is
    /// taken off `uncounted`, so whoever failed calls again with the rest.
    async fn count_wrong(&self, (sitting_id, half): Beginning, uncounted: &mut Uncounted) -> Result<(), Error> {
        let Some(candidate) = candidates::find_by_access_half(&self.database.read, sitting_id, &half).await? else {
            return Ok(());
        };
        let transaction = self.database.begin().await?;
        let after = candidates::count_wrong_tries(&transaction, candidate.id, uncounted.tries).await?;
        transaction.commit().await?;
        let before = uncounted.told_until.unwrap_or(after - uncounted.tries);
        *uncounted = Uncounted { tries: 0, told_until: Some(before) };
        if !is_told(before, after) {
            return Ok(());
        }
        let text = format!("{after} wrong codes have been tried that begin like the code of this candidate.");
        let Some(note) = IncidentNote::new(Some(candidate.id), KIND, &text) else { return Ok(()) };
        // Apart from the count: whoever changes a roster locks the sitting before the candidate, and an incident needs
        // the sitting.
        let transaction = self.database.begin().await?;
        if incidents::count(&transaction, sitting_id).await? < INCIDENTS_OF_SITTING_MAX {
            let now = self.clock.now();
            incidents::insert(&transaction, sitting_id, candidate.hall_id, &note, SERVER, now).await?;
        }
        transaction.commit().await?;
        self.changes.tell(sitting_id);
        Ok(())
    }
}

/// Whether [`WRONG_CODES_TOLD`], or a doubling of that, was reached between these numbers.
fn is_told(before: i32, after: i32) -> bool {
    let reached = |tries: i32| u32::try_from(tries).unwrap_or_default() / WRONG_CODES_TOLD;
    let doublings = |tries| reached(tries).checked_ilog2().map_or(0, |doublings| doublings + 1);
    doublings(after) > doublings(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proctors_are_told_now_and_again() {
        let told: Vec<i32> = (1..200).filter(|tries| is_told(tries - 1, *tries)).collect();
        assert_eq!(told, [20, 40, 80, 160]);
        assert!(is_told(15, 25) && is_told(0, 500) && !is_told(20, 39));
    }

    #[test]
    fn what_waits_again_joins_what_has_come_meanwhile() {
        let (waiting, beginning) = (WrongCodes::default(), (Uuid::nil(), [1; 32]));
        let uncounted = |tries, told_until| Uncounted { tries, told_until };
        waiting.add(beginning, uncounted(3, None));
        let taken = waiting.take();
        assert_eq!(taken, HashMap::from([(beginning, uncounted(3, None))]));
        waiting.add(beginning, uncounted(2, None));
        waiting.add(beginning, uncounted(0, Some(18)));
        waiting.add(beginning, uncounted(i32::MAX, None));
        assert_eq!(waiting.take()[&beginning], uncounted(i32::MAX, Some(18)));
        assert_eq!(waiting.take(), HashMap::new());
    }

    #[test]
    fn only_so_many_beginnings_wait() {
        let waiting = WrongCodes::default();
        let one = Uncounted { tries: 1, told_until: None };
        let known = (Uuid::nil(), [0; 32]);
        waiting.add(known, one);
        (1..=WAITING_MAX).for_each(|number| waiting.add((Uuid::from_u128(number as u128), [0; 32]), one));
        waiting.add(known, one);
        let taken = waiting.take();
        assert_eq!((taken.len(), taken[&known].tries), (WAITING_MAX, 2));
    }
}
