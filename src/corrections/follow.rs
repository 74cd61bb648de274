//! Lets finished tests follow their corrections, some at a time, on all servers together. What a server leaves undone
//! when it dies another one takes on; what was done is noted in the transaction that did it, so each test is done once.

use std::time::{Duration, Instant};

use uuid::Uuid;

use super::Corrections;
use crate::database;
use crate::error::Error;
use crate::sessions::versions::follow_corrections;
use crate::store::correction_work::{self, TakenPiece};
use crate::store::corrections;
use crate::store::session_versions::find_sittings;

/// How often each server looks whether there is something to do that another one has begun, or has left. It costs one
/// look at an empty index.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Tests of one transaction, which holds up those who change one of them, and on SQLite everyone who saves. They are
/// read, graded and written in one go, and students who save meanwhile wait for the processor.
const TESTS_AT_ONCE: u64 = 20;
/// How long one transaction may take. After that its connection is abandoned, since its other end may be gone.
const BATCH_WITHIN: Duration = Duration::from_secs(10);
/// The same of a transaction with one test, which cannot be made smaller.
const TEST_WITHIN: Duration = Duration::from_secs(60);
/// How long a piece rests of which not even one test can follow in time. Others are not held up by it.
const REST_MILLISECONDS: i64 = 30_000;
/// The pause after a transaction, in hundredths of what it took, so that students who save meanwhile come between.
const PAUSE_PERCENT: u32 = 75;

/// What has become of a transaction.
enum Followed {
    /// There may be more in the piece, after this test.
    Some(Uuid),
    /// The piece is done, or another server has it.
    All,
}

impl Corrections {
    /// Follows whatever there is to follow, again and again. Never returns.
    pub async fn follow(&self) {
        loop {
            if let Err(error) = self.follow_all().await {
                tracing::warn!(?error, "corrections are not followed; trying again");
            }
            tokio::select! {
                () = self.clock.sleep(LOOK_EVERY) => {}
                () = self.news.notified() => {}
            }
        }
    }

    async fn follow_all(&self) -> Result<(), Error> {
        if !correction_work::has_open(&self.database).await? {
            return Ok(());
        }
        while let Some(step) = correction_work::find_uncounted(&self.database).await? {
            correction_work::count(&self.database, &step).await?;
        }
        let followed = self.follow_pieces().await;
        // Also if a piece has failed: other corrections may be done.
        correction_work::end_finished(&self.database, self.clock.now()).await?;
        followed
    }

    async fn follow_pieces(&self) -> Result<(), Error> {
        while let Some(taken) = correction_work::take(&self.database, self.clock.now()).await? {
            match self.follow_piece(&taken).await {
                Ok(true) => {}
                Ok(false) => {
                    tracing::error!(step = taken.step, piece = taken.piece, "a test takes too long to be corrected");
                    let until = self.clock.now().plus(REST_MILLISECONDS);
                    correction_work::give_back(&self.database, &taken, until).await?;
                }
                Err(error) => {
                    // Another server need not wait for the end of the lease, and neither need this one.
                    correction_work::give_back(&self.database, &taken, self.clock.now()).await?;
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Lets the tests of a piece follow. Returns false if one takes so long that the piece has to rest.
    async fn follow_piece(&self, taken: &TakenPiece) -> Result<bool, Error> {
        let found = correction_work::find_correction(&self.database, taken.step).await?;
        let correction = found.ok_or_else(|| Error::internal("a step without its correction"))?.correction;
        let (mut tests, mut after) = (TESTS_AT_ONCE, taken.after_id);
        loop {
            let begun = Instant::now();
            // Before the transaction, in which on SQLite everyone who saves waits.
            let ids = correction_work::find_next(&self.database.read, taken, &correction, after, tests).await?;
            let limit = if tests > 1 { BATCH_WITHIN } else { TEST_WITHIN };
            match database::within(limit, self.follow_batch(taken, &ids)).await {
                Some(Ok(Followed::All)) => return Ok(true),
                Some(Ok(Followed::Some(last))) => after = Some(last),
                Some(Err(error @ (Error::NoDatabase | Error::Unavailable(_)))) => return Err(error),
                // It takes too long, or the database refuses one of them: fewer at a time, until it stands alone.
                None | Some(Err(_)) if tests > 1 => tests /= 2,
                // A disk that is slow now is no reason to leave a result that is wrong.
                None => return Ok(false),
                Some(Err(error)) => {
                    tracing::error!(?error, "a test cannot follow a correction, and is left as it is");
                    after = self.leave_one(taken, &ids).await?.or(after);
                    tests = TESTS_AT_ONCE;
                }
            }
            self.clock.sleep(begun.elapsed() * PAUSE_PERCENT / 100).await;
        }
    }

    /// Lets these tests, which are the next of a piece, follow by one transaction.
    async fn follow_batch(&self, taken: &TakenPiece, ids: &[Uuid]) -> Result<Followed, Error> {
        let transaction = self.database.begin_alone().await?;
        database::bound_stalls(&transaction).await?;
        if !correction_work::hold(&transaction, taken).await? {
            return Ok(Followed::All);
        }
        let now = self.clock.now();
        let Some(last) = ids.last().copied() else {
            correction_work::finish(&transaction, taken).await?;
            transaction.commit().await?;
            return Ok(Followed::All);
        };
        let sends_sessions = self.outbox.sends_sessions();
        let changed = follow_corrections(&transaction, sends_sessions, ids, now).await?;
        correction_work::advance(&transaction, taken, last, ids.len(), now).await?;
        transaction.commit().await?;
        if !changed.is_empty() {
            self.outbox.wake();
            let changed: Vec<Uuid> = changed.into_iter().map(|(id, _)| id).collect();
            for sitting_id in find_sittings(&self.database.read, &changed).await? {
                self.sittings.changes.tell_proctors(sitting_id);
            }
        }
        Ok(Followed::Some(last))
    }

    /// Passes over this test, which is the next of a piece, and returns it.
    async fn leave_one(&self, taken: &TakenPiece, ids: &[Uuid]) -> Result<Option<Uuid>, Error> {
        let Some(id) = ids.first().copied() else { return Ok(None) };
        let transaction = self.database.begin_alone().await?;
        if correction_work::hold(&transaction, taken).await? {
            tracing::error!(session = %id, "left as it is");
            corrections::set_marks(&transaction, &[id], taken.step).await?;
            correction_work::advance(&transaction, taken, id, 1, self.clock.now()).await?;
        }
        transaction.commit().await?;
        Ok(Some(id))
    }
}
