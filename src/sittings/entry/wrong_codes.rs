//! Counts wrong access codes that begin like that of a candidate, since somebody may be trying to find it. The number
//! is kept with the candidate, and proctors are warned when it is high.

use domain::sitting::candidate::WRONG_CODES_TOLD;
use domain::sitting::code::AccessCode;
use domain::sitting::order::IncidentNote;
use uuid::Uuid;

use crate::error::Error;
use crate::sittings::Sittings;
use crate::sittings::supervision::INCIDENTS_OF_SITTING_MAX;
use crate::store::incidents::SERVER;
use crate::store::{candidates, incidents};
use crate::tally::{Tallied, WaitingTally};

/// The kind of the incident.
const KIND: &str = "wrong codes";

/// A beginning of wrong codes: the sitting, and the hash of their first half.
type Beginning = (Uuid, [u8; 32]);

/// Wrong codes that wait to be counted: apart from their answers, so that nobody learns from the time of an answer
/// whether a code begins like that of a candidate.
pub type WrongCodes = WaitingTally<Beginning, Uncounted>;

/// Wrong codes that begin alike, and what has become of them so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uncounted {
    tries: i32,
    /// The number with the candidate, beyond which proctors have not been told what was counted.
    told_until: Option<i32>,
}

impl Tallied for Uncounted {
    fn add(&mut self, more: Self) {
        self.tries.add(more.tries);
        self.told_until = self.told_until.or(more.told_until);
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
        let count = async |beginning: &Beginning, uncounted: &mut Uncounted| {
            let counted = self.count_wrong(beginning, uncounted).await;
            let failed = |error: &Error| tracing::warn!(%error, "wrong codes could not be counted and wait");
            counted.inspect_err(failed).is_ok()
        };
        self.wrong_codes.count_all(&self.clock, count).await;
    }

    /// At [`WRONG_CODES_TOLD`], and at each doubling of that, an incident is put on record and the watching proctors
    /// see the number. The version of the sitting stays: strangers must not disturb those who enter. What is done is
    /// taken off `uncounted`, so whoever failed calls again with the rest.
    async fn count_wrong(&self, beginning: &Beginning, uncounted: &mut Uncounted) -> Result<(), Error> {
        let (sitting_id, half) = *beginning;
        let Some(candidate) = candidates::find_by_access_half(&self.database.read, sitting_id, &half).await? else {
            return Ok(());
        };
        let transaction = self.database.begin().await?;
        let counted = candidates::count_wrong_tries(&transaction, candidate.id, &half, uncounted.tries).await?;
        // The candidate may have got another code meanwhile, at which nobody has guessed yet.
        let Some(after) = counted else { return Ok(()) };
        // Where the answer to the commit is lost, they are counted twice: proctors hear of guesses too early rather
        // than never.
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

/// Returns whether [`WRONG_CODES_TOLD`], or a doubling of that, was reached between these numbers.
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
    fn what_proctors_have_not_been_told_is_kept() {
        let uncounted = |tries, told_until| Uncounted { tries, told_until };
        let mut waiting = uncounted(3, None);
        waiting.add(uncounted(0, Some(18)));
        waiting.add(uncounted(2, Some(20)));
        assert_eq!(waiting, uncounted(5, Some(18)));
        waiting.add(uncounted(i32::MAX, None));
        assert_eq!(waiting, uncounted(i32::MAX, Some(18)));
    }
}
