//! The doors of a sitting: when they open, its candidates get copies of their accommodations, and its paper is sealed
//! (`docs/decisions/0043-accommodations-are-copied.md`).

use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::values::StartRule;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::Sittings;
use crate::database::Transaction;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::store::{accommodations, attempt_starts, candidates, sittings};

impl Sittings {
    /// Opens the doors of a sitting for a candidate who may enter, perhaps before all others. It may be called again
    /// and again.
    pub async fn open_doors(&self, id: Uuid) -> Result<Sitting, Error> {
        let transaction = self.database.begin().await?;
        let mut sitting = sittings::lock(&transaction, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        if self.open_locked(&transaction, &mut sitting, self.clock.now()).await? {
            sittings::save(&transaction, &sitting).await?;
            self.commit(transaction, &sitting).await?;
        }
        Ok(sitting)
    }

    /// Opens the doors of a sitting that was locked, if they are due: its candidates get copies of their
    /// accommodations, and its paper is sealed. Returns whether the doors have been opened now; then the caller saves
    /// the sitting.
    pub async fn open_due_doors(
        &self,
        transaction: &Transaction,
        sitting: &mut Sitting,
        now: Moment,
    ) -> Result<bool, Error> {
        Ok(sitting.is_open(now) && self.open_locked(transaction, sitting, now).await?)
    }

    async fn open_locked(&self, transaction: &Transaction, sitting: &mut Sitting, now: Moment) -> Result<bool, Error> {
        let is_opened = accommodations::open_doors(transaction, sitting, now).await?;
        if is_opened {
            sitting.opened_early = now < sitting.plan.doors_at() && !sitting.has_begun(now);
            self.seal(transaction, sitting).await?;
        }
        Ok(is_opened)
    }

    /// Writes down the times of those candidates of a sitting that has begun before that moment whose time counts now.
    pub async fn write_begun(&self, id: Uuid, before: Moment) -> Result<(), Error> {
        let now = self.clock.now();
        if let Some(sitting) = self.begun(id, before).await? {
            attempt_starts::write_begun(&self.database, &sitting, now).await?;
        }
        Ok(())
    }

    /// The sitting, if the time of any of its candidates may have begun to count before that moment. A beginning by the
    /// clock is written down first, so that nothing can move it any more.
    async fn begun(&self, id: Uuid, before: Moment) -> Result<Option<Sitting>, Error> {
        let Some(sitting) = sittings::find(&self.database, id).await? else { return Ok(None) };
        let is_by_clock = sitting.plan.start == StartRule::Clock && sitting.begun_at.is_none();
        if is_by_clock && sitting.has_begun(before) {
            let transaction = self.database.begin().await?;
            let Some(mut sitting) = sittings::lock(&transaction, id).await? else { return Ok(None) };
            if sitting.begun_at.is_none() && sitting.has_begun(before) {
                sitting.begun_at = sitting.begins_at();
                sitting.version += 1;
                sittings::save(&transaction, &sitting).await?;
                self.commit_and_tell(transaction, sitting.id).await?;
            }
            return Ok(Some(sitting));
        }
        let has_begun = sitting.has_begun(before)
            || sitting.plan.start == StartRule::Own
            || sitting.halls.iter().any(|hall| hall.begun_at.is_some() || hall.plan.starts_at.is_some())
            || candidates::has_own_start_before(&self.database.read, id, before).await?;
        Ok(has_begun.then_some(sitting))
    }

    /// The candidates of a sitting, by name. Until the doors open, their accommodations are those of the register.
    pub async fn roster(&self, sitting: &Sitting) -> Result<Vec<Candidate>, Error> {
        let mut roster = candidates::by_name(candidates::load_of(&self.database.read, sitting.id).await?);
        accommodations::fill_before_doors(&self.database.read, sitting, &mut roster).await?;
        Ok(roster)
    }

    /// One candidate, in the same way.
    pub async fn candidate(&self, sitting: &Sitting, id: &str) -> Result<Candidate, Error> {
        let id = super::known(id)?;
        let found = candidates::find(&self.database.read, sitting.id, id).await?;
        let mut candidate = [found.ok_or(Error::NotFound(NOT_FOUND))?];
        accommodations::fill_before_doors(&self.database.read, sitting, &mut candidate).await?;
        let [candidate] = candidate;
        Ok(candidate)
    }
}
