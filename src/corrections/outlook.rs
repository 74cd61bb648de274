//! What a correction would do, counted from one snapshot of the database and without a lock.

use std::time::Duration;

use actix_web::web::block;
use domain::correction::{Correction, CorrectionOutlook, SatTest, TestPlace};
use domain::sight::StaffSight;

use super::{BUSY, Corrections};
use crate::error::{Error, UNAVAILABLE};
use crate::http::turnstile::TurnError;
use crate::store::correction_outlook;
use crate::store::corrections::{self, HeldCorrections};

/// Tests of one page.
const TESTS_AT_ONCE: u64 = 500;
/// How long one count may take, with all its reads.
const COUNTED_WITHIN: Duration = Duration::from_secs(60);

impl Corrections {
    /// Counts what a correction would do, in the turn of its caller. Returns it with the version of the corrections of
    /// its question.
    pub(super) async fn foresee(
        &self,
        sight: StaffSight,
        correction: Correction,
    ) -> Result<(CorrectionOutlook, i64), Error> {
        let work = self.clone();
        match self.turns.run(COUNTED_WITHIN, async move { work.count(sight, correction).await }).await {
            Ok(counted) => counted,
            Err(TurnError::Busy) => Err(Error::Unavailable(BUSY)),
            Err(TurnError::Broken(error)) => {
                tracing::error!(%error, "the outlook of a correction could not be counted");
                Err(Error::Unavailable(UNAVAILABLE))
            }
        }
    }

    async fn count(&self, sight: StaffSight, correction: Correction) -> Result<(CorrectionOutlook, i64), Error> {
        let snapshot = self.database.snapshot().await?;
        let version = corrections::find_version_of(&snapshot, &correction.question_id).await?;
        let (mut outlook, mut correction, mut last) = (CorrectionOutlook::default(), correction, None);
        loop {
            let about = (&correction.scope, &*correction.question_id);
            let page = correction_outlook::load_after(&snapshot, sight, about, last, TESTS_AT_ONCE).await?;
            let (tests, next) = page;
            let Some(next) = next else { break };
            last = Some(next);
            let places: Vec<TestPlace> = tests.iter().map(|test| test.place).collect();
            let held = corrections::find_of(&snapshot, &places).await?;
            let counted = block(move || {
                add_all(&mut outlook, tests, &held, &correction);
                (outlook, correction)
            });
            (outlook, correction) = counted.await.map_err(Error::internal)?;
        }
        snapshot.commit().await?;
        Ok((outlook, version))
    }
}

fn add_all(outlook: &mut CorrectionOutlook, tests: Vec<SatTest>, held: &HeldCorrections, new: &Correction) {
    for test in tests {
        let holding = held.of(&test.place);
        if new.scope.covers(&test.place) {
            outlook.foresee(test, &holding, new);
        }
    }
}
