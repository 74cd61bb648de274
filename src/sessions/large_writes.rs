//! Turns at storing large sessions. SQLite has one writer, which the journal of live exams needs at every moment, and
//! on every database a body of megabytes costs as much as thousands of answers. So they are stored one at a time, with
//! a rest after each while live exams are being saved. Addresses and accounts take turns.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::dev::Payload;
use actix_web::web::{Bytes, Data};
use actix_web::{FromRequest, HttpRequest};

use super::hand_in;
use crate::clock::Clock;
use crate::error::Error;
use crate::http::large_body::{BodyBudget, HeldBody, LARGE_BODIES_MAX, LARGE_BODIES_OF_CALLER_MAX};
use crate::http::limits::CountedCaller;
use crate::http::turnstile::by_address::{AddressTurnstile, LineTurn};
use crate::telemetry::Metrics;

/// How long a large test waits for its turn before its caller gets 503.
const TURN_WITHIN: Duration = Duration::from_secs(60);
/// How many times as long as its last write a turn rests, so that live exams have the database to themselves for most
/// of the time.
const RESTS: u32 = 4;
/// The longest rest after a write, however long the write took.
const REST_MAX: Duration = Duration::from_secs(2);
const BUSY: &str = "The server is busy";

/// The turns.
pub struct LargeWrites {
    turnstile: AddressTurnstile,
    metrics: Arc<Metrics>,
    clock: Clock,
}

/// The turn of one session, until it is dropped.
pub struct LargeWriteTurn {
    turn: Option<LineTurn>,
    begun: Instant,
    metrics: Arc<Metrics>,
    clock: Clock,
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
            let caller = hand_in::counted_caller(&request).await;
            let body = budget.read(&request, caller.as_ref(), payload).await?;
            let turn = if body.is_large() { Some(writes.turn(caller.clone()).await?) } else { None };
            Ok(Self { caller, body, turn })
        })
    }
}

impl LargeWrites {
    #[must_use]
    pub fn new(metrics: Arc<Metrics>, clock: Clock) -> Self {
        let turnstile = AddressTurnstile::new(1, LARGE_BODIES_MAX, LARGE_BODIES_OF_CALLER_MAX, TURN_WITHIN);
        Self { turnstile, metrics, clock }
    }

    /// Waits for the turn of this caller: 503 if it does not come.
    pub async fn turn(&self, caller: Option<CountedCaller>) -> Result<LargeWriteTurn, Error> {
        let turn = self.turnstile.turn(caller).await.ok_or(Error::Unavailable(BUSY))?;
        let (metrics, commits) = (Arc::clone(&self.metrics), self.metrics.journal_commits.get());
        let clock = self.clock.clone();
        Ok(LargeWriteTurn { turn: Some(turn), begun: Instant::now(), metrics, clock, commits })
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
            let clock = self.clock.clone();
            tokio::spawn(async move {
                clock.sleep(rest).await;
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

    fn caller(name: &str) -> Option<CountedCaller> {
        Some(CountedCaller::Account(name.to_owned()))
    }

    #[tokio::test]
    async fn the_next_one_waits_for_a_rest_only_while_live_exams_are_saved() {
        let metrics = Arc::<Metrics>::default();
        let writes = LargeWrites::new(Arc::clone(&metrics), Clock::system());
        drop(writes.turn(None).await.unwrap());
        let turn = writes.turn(None).now_or_never().unwrap().unwrap();
        assert!(writes.turn(caller("ada")).now_or_never().is_none(), "one at a time");
        metrics.journal_commits.inc();
        drop(turn);
        assert!(writes.turn(caller("ada")).now_or_never().is_none(), "after a rest");
        timeout(Duration::from_secs(10), writes.turn(None)).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn one_caller_with_many_keeps_no_other_waiting() {
        let writes = LargeWrites::new(Arc::default(), Clock::system());
        let mut first = Some(writes.turn(caller("many")).await.unwrap());
        let mut many: Vec<_> =
            (0..LARGE_BODIES_OF_CALLER_MAX - 1).map(|_| Box::pin(writes.turn(caller("many")))).collect();
        for waiting in &mut many {
            assert!(waiting.now_or_never().is_none());
        }
        assert!(matches!(writes.turn(caller("many")).await, Err(Error::Unavailable(_))), "the line is full");
        let mut ada = Box::pin(writes.turn(caller("ada")));
        assert!((&mut ada).now_or_never().is_none());
        drop(first.take());
        // At most one of the many was before her.
        let before: Vec<_> = many.iter_mut().filter_map(|waiting| waiting.now_or_never()).collect();
        assert!(before.len() <= 1, "{}", before.len());
        drop(before);
        assert!(ada.now_or_never().unwrap().is_ok());
    }
}
