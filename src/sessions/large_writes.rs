//! Turns at storing large sessions. SQLite has one writer, which the journal of live exams needs at every moment, and
//! on every database a body of megabytes costs as much as thousands of answers. So they are stored one at a time, with
//! a rest after each while live exams are being saved.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::dev::Payload;
use actix_web::web::{Bytes, Data};
use actix_web::{FromRequest, HttpRequest};
use tokio::time::sleep;

use crate::error::Error;
use crate::http::large_body::{BodyBudget, HeldBody};
use crate::http::limits::CountedCaller;
use crate::http::turnstile::{Turn, Turnstile};
use crate::telemetry::Metrics;

/// Sessions that are being stored, or wait for that. What they hold is bounded by the limits on bodies.
const CALLERS_MAX: usize = 512;
/// How long one of them waits for its turn, before its caller gets 503.
const TURN_WITHIN: Duration = Duration::from_secs(60);
/// A rest is so many times as long as the storing before it took …
const RESTS: u32 = 4;
/// … but not longer than this.
const REST_MAX: Duration = Duration::from_secs(2);
const BUSY: &str = "The server is busy";

/// The turns.
pub struct LargeWrites {
    turnstile: Turnstile,
    metrics: Arc<Metrics>,
}

/// The turn of one session, until it is dropped.
pub struct LargeWriteTurn {
    turn: Option<Turn>,
    begun: Instant,
    metrics: Arc<Metrics>,
    /// What the journal had committed when the turn began.
    commits: u64,
}

/// The body of a finished test within its limits, and the turn of a large one. Both are held until it is stored, since
/// reading a large body and storing it are one piece of work.
pub struct SessionBody {
    /// Whose limits it counts against.
    pub caller: Option<CountedCaller>,
    body: HeldBody,
    turn: Option<LargeWriteTurn>,
}

impl SessionBody {
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        self.body.bytes.clone()
    }

    #[must_use]
    pub const fn is_large(&self) -> bool {
        self.turn.is_some()
    }
}

impl FromRequest for SessionBody {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let missing = || Error::internal("no limits on bodies in the app");
            let budget = request.app_data::<Data<BodyBudget>>().ok_or_else(missing)?;
            let writes = request.app_data::<Data<LargeWrites>>().ok_or_else(missing)?;
            let body = budget.read(&request, payload).await?;
            let turn = if body.is_large() { Some(writes.turn().await?) } else { None };
            Ok(Self { caller: CountedCaller::of(&request), body, turn })
        })
    }
}

impl LargeWrites {
    #[must_use]
    pub fn new(metrics: Arc<Metrics>) -> Self {
        Self { turnstile: Turnstile::new(1, CALLERS_MAX, TURN_WITHIN), metrics }
    }

    /// Waits for a turn: 503 if it does not come.
    pub async fn turn(&self) -> Result<LargeWriteTurn, Error> {
        let place = self.turnstile.join().ok_or(Error::Unavailable(BUSY))?;
        let turn = place.turn().await.ok_or(Error::Unavailable(BUSY))?;
        let (metrics, commits) = (Arc::clone(&self.metrics), self.metrics.journal_commits.get());
        Ok(LargeWriteTurn { turn: Some(turn), begun: Instant::now(), metrics, commits })
    }
}

impl Drop for LargeWriteTurn {
    /// Gives the turn to the next one, after a rest if live exams were being saved meanwhile. The caller of this one
    /// does not wait for that.
    fn drop(&mut self) {
        if self.metrics.journal_commits.get() > self.commits
            && let Some(turn) = self.turn.take()
        {
            let rest = (self.begun.elapsed() * RESTS).min(REST_MAX);
            tokio::spawn(async move {
                sleep(rest).await;
                drop(turn);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use tokio::time::timeout;

    #[tokio::test]
    async fn the_next_one_waits_for_a_rest_only_while_live_exams_are_saved() {
        let metrics = Arc::<Metrics>::default();
        let writes = LargeWrites::new(Arc::clone(&metrics));
        drop(writes.turn().await.unwrap());
        let turn = writes.turn().now_or_never().unwrap().unwrap();
        assert!(writes.turn().now_or_never().is_none(), "one at a time");
        metrics.journal_commits.inc();
        drop(turn);
        assert!(writes.turn().now_or_never().is_none(), "after a rest");
        timeout(Duration::from_secs(10), writes.turn()).await.unwrap().unwrap();
    }
}
