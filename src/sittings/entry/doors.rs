//! The doors of a sitting: when they open, its candidates get copies of their accommodations, and its paper is sealed
//! (`docs/decisions/0043-accommodations-are-copied.md`).

use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::values::StartRule;
use domain::time::moment::Moment;
use uuid::Uuid;

use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::{Sittings, known};
use crate::store::incidents::SERVER;
use crate::store::sittings::LockedSitting;
use crate::store::{accommodations, attempt_starts, candidates, sittings};

impl Sittings {
    /// Opens the doors of a sitting for a candidate who may enter, perhaps before all others. It may be called again
    /// and again.
    pub async fn open_doors(&self, id: Uuid) -> Result<Sitting, Error> {
        let transaction = self.database.begin().await?;
        let mut sitting = sittings::lock(&transaction, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        let is_opened = self.open_locked(&mut sitting, self.clock.now()).await?;
        if is_opened {
            sittings::save_opened(&sitting).await?;
        }
        let sitting = sitting.into_sitting();
        if is_opened {
            self.commit_and_tell(transaction, id).await?;
        }
        Ok(sitting)
    }

    /// Opens the doors of a sitting, if they are due: its candidates get copies of their accommodations, and its paper
    /// is sealed. The caller saves it.
    pub(in crate::sittings) async fn open_due_doors(
        &self,
        sitting: &mut LockedSitting<'_>,
        now: Moment,
    ) -> Result<bool, Error> {
        Ok(sitting.is_open(now) && self.open_locked(sitting, now).await?)
    }

    async fn open_locked(&self, sitting: &mut LockedSitting<'_>, now: Moment) -> Result<bool, Error> {
        let is_opened = accommodations::open_doors(sitting, now).await?;
        if is_opened {
            sitting.opened_early = now < sitting.plan.doors_at() && !sitting.has_begun(now);
            self.seal(sitting).await?;
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
            // The clock has changed it, on every server: this only writes that down, and the times after it.
            let terms = ChangeTerms::of_any_version().even_after_the_end().leaving_doors().leaving_attempts();
            let writing = self.change_if_there(SERVER, id, terms, async |sitting, _| {
                if sitting.begun_at.is_some() || !sitting.has_begun(before) {
                    return Ok(Changed::Nothing(()));
                }
                sitting.begun_at = sitting.begins_at();
                Ok(Changed::Unnoted(()))
            });
            return Ok(writing.await?.map(|(sitting, ())| sitting));
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
        let id = known(id)?;
        let found = candidates::find(&self.database.read, sitting.id, id).await?;
        let mut candidate = [found.ok_or(Error::NotFound(NOT_FOUND))?];
        accommodations::fill_before_doors(&self.database.read, sitting, &mut candidate).await?;
        let [candidate] = candidate;
        Ok(candidate)
    }
}
