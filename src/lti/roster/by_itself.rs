//! Rosters that are taken from their courses by themselves before the doors open, apart from what somebody asks for.

use std::time::Duration;

use uuid::Uuid;

use super::{CourseRosters, Taking};
use crate::error::Error;
use crate::http::audit::note_detail;
use crate::sittings::change::ChangeTerms;
use crate::store::incidents::SERVER;
use crate::store::lti_rosters::{self, DueRosters};

/// How often each server looks for sittings whose rosters are taken by themselves.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// How long before the planned start a roster is taken by itself: doors open later than that.
const BEFORE_START_MILLISECONDS: i64 = 2 * 60 * 60 * 1_000;
/// How long a roster that was taken is left alone, until the doors open.
const AGAIN_AFTER_MILLISECONDS: i64 = 15 * 60 * 1_000;
/// The same of one that could not be taken: a platform that was away for a moment must not cost the exam anybody.
const RETRY_AFTER_MILLISECONDS: i64 = 60 * 1_000;

impl CourseRosters {
    /// Takes the rosters that are to be taken by themselves, again and again. Never returns.
    pub async fn take_by_itself(&self) {
        if !self.sittings.is_here() {
            return std::future::pending().await;
        }
        loop {
            self.clock.sleep(LOOK_EVERY).await;
            if let Err(error) = self.take_due().await {
                tracing::warn!(?error, "the rosters of courses cannot be looked for; trying again");
            }
        }
    }

    async fn take_due(&self) -> Result<(), Error> {
        let now = self.clock.now();
        let due = DueRosters {
            now,
            begins_before: now.plus(BEFORE_START_MILLISECONDS),
            taken_before: now.plus(-AGAIN_AFTER_MILLISECONDS),
            failed_before: now.plus(-RETRY_AFTER_MILLISECONDS),
        };
        // One at a time: what is claimed and not begun would wait for the next look when the server stops.
        while let Some((link_id, sitting_id)) = lti_rosters::claim_due(&self.database, due).await? {
            let taken = self.take_one(sitting_id, link_id).await;
            let (writing, at) = (&self.database.write, self.clock.now());
            let Err(error) = taken else {
                lti_rosters::note_taken(writing, link_id, at).await?;
                continue;
            };
            tracing::warn!(%error, sitting = %sitting_id, link = %link_id, "the roster of a course is not taken");
            lti_rosters::note_failed(writing, link_id, at).await?;
        }
        Ok(())
    }

    async fn take_one(&self, sitting_id: Uuid, link_id: Uuid) -> Result<(), Error> {
        let Some(course) = self.find_course(sitting_id, link_id).await? else { return Ok(()) };
        let members = self.members(&course).await?;
        // Nobody is removed without a yes, and doors that are due are opened by whoever comes.
        let terms = ChangeTerms::of_any_version().leaving_doors();
        let taking = Taking { is_dry_run: false, removes_left: false, adds_new: true };
        self.change(SERVER, sitting_id, terms, &course, &members, taking).await.map(|_| ())
    }

    /// Notes whether a roster is taken by itself from now on, on record.
    pub(super) async fn set_by_itself(&self, link_id: Uuid, is_by_itself: bool) -> Result<(), Error> {
        note_detail(if is_by_itself { "by itself from now on" } else { "no longer by itself" });
        let transaction = self.database.begin().await?;
        lti_rosters::set_by_itself(&transaction, link_id, is_by_itself).await?;
        Ok(transaction.commit().await?)
    }

    /// Notes that a roster was taken by hand, and, if somebody has said so, whether it is taken by itself from now on.
    pub(super) async fn note_by_hand(&self, link_id: Uuid, is_by_itself: Option<bool>) -> Result<(), Error> {
        let writing = &self.database.write;
        if let Some(is_by_itself) = is_by_itself {
            lti_rosters::set_by_itself(writing, link_id, is_by_itself).await?;
        }
        Ok(lti_rosters::note_taken(writing, link_id, self.clock.now()).await?)
    }
}
