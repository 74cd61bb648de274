//! Wrong access codes that begin like that of a candidate: somebody may be trying to find it. Their number is kept with
//! the candidate, and proctors are told when it has become high.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::sitting::candidate::WRONG_CODES_TOLD;
use domain::sitting::code::AccessCode;
use domain::sitting::order::IncidentNote;
use uuid::Uuid;

use super::Sittings;
use super::supervision::INCIDENTS_OF_SITTING_MAX;
use crate::error::Error;
use crate::store::{candidates, incidents};

/// The kind of the incident.
const KIND: &str = "wrong codes";
/// Who puts it on record.
const SERVER: &str = "server";

/// How often the wrong codes are counted that have come meanwhile: apart from their answers, so that nobody learns from
/// the time of an answer whether a code begins like that of a candidate.
const COUNTED_EVERY: Duration = Duration::from_secs(1);
/// Beginnings that wait to be counted. Budgets of guesses let nobody fill this; more are left out.
const WAITING_MAX: usize = 10_000;

/// Wrong codes that have come since they were counted last: by the sitting and the hash of their first half.
#[derive(Default)]
pub struct WrongCodes(Mutex<HashMap<(Uuid, [u8; 32]), i32>>);

impl WrongCodes {
    fn add(&self, sitting_id: Uuid, half: [u8; 32]) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING_MAX || waiting.contains_key(&(sitting_id, half)) {
            *waiting.entry((sitting_id, half)).or_default() += 1;
        }
    }

    fn take(&self) -> HashMap<(Uuid, [u8; 32]), i32> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sittings {
    /// Notes a code that is nobody's, to be counted a little later if the code of a candidate begins in the same way.
    pub fn note_wrong_code(&self, sitting_id: Uuid, access: &AccessCode) {
        self.wrong_codes.add(sitting_id, self.hash_half(access));
    }

    /// Counts wrong codes with the candidates whose codes begin like them, again and again. Never returns.
    pub async fn count_wrong_codes(&self) {
        if !self.is_here {
            return std::future::pending().await;
        }
        loop {
            self.clock.sleep(COUNTED_EVERY).await;
            for ((sitting_id, half), tries) in self.wrong_codes.take() {
                if let Err(error) = self.count_wrong(sitting_id, &half, tries).await {
                    tracing::warn!(%error, "wrong codes were not counted");
                }
            }
        }
    }

    /// At [`WRONG_CODES_TOLD`], and at each doubling of that, an incident is put on record and the watching proctors
    /// see the number. The version of the sitting stays: strangers must not disturb those who enter.
    async fn count_wrong(&self, sitting_id: Uuid, half: &[u8; 32], tries: i32) -> Result<(), Error> {
        let Some(candidate) = candidates::find_by_access_half(&self.database.read, sitting_id, half).await? else {
            return Ok(());
        };
        let transaction = self.database.begin().await?;
        let after = candidates::count_wrong_tries(&transaction, candidate.id, tries).await?;
        transaction.commit().await?;
        if !is_told(after - tries, after) {
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
}
