//! Wrong access codes that begin like that of a candidate: somebody may be trying to find it. Their number is kept with
//! the candidate, and proctors are told when it has become high.

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

impl Sittings {
    /// Counts a code that is nobody's, if the code of a candidate begins in the same way. At
    /// [`WRONG_CODES_TOLD`], and at each doubling of that, an incident is put on record and the watching proctors see
    /// the number. The version of the sitting stays: strangers must not disturb those who enter.
    pub async fn count_wrong_code(&self, sitting_id: Uuid, access: &AccessCode) -> Result<(), Error> {
        let half = self.hash_half(access);
        let Some(candidate) = candidates::find_by_access_half(&self.database.read, sitting_id, &half).await? else {
            return Ok(());
        };
        let transaction = self.database.begin().await?;
        let tries = candidates::count_wrong_try(&transaction, candidate.id).await?;
        transaction.commit().await?;
        if !is_told(tries) {
            return Ok(());
        }
        let text = format!("{tries} wrong codes have been tried that begin like the code of this candidate.");
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

fn is_told(tries: i32) -> bool {
    let tries = u32::try_from(tries).unwrap_or_default();
    tries.is_multiple_of(WRONG_CODES_TOLD) && (tries / WRONG_CODES_TOLD).is_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proctors_are_told_now_and_again() {
        let told: Vec<i32> = (0..200).filter(|tries| is_told(*tries)).collect();
        assert_eq!(told, [20, 40, 80, 160]);
    }
}
