//! The server's clock: the only place that reads the time or waits for it to pass, so that tests can move it instead of
//! waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use actix::fut::{self, ActorFutureExt, ActorStreamExt};
use actix::{Actor, AsyncContext, SpawnHandle};
use chrono::Utc;
use domain::time::moment::Moment;
use futures_util::stream;
use tokio::sync::Notify;
use tokio::time::Instant;

/// The system's time, plus what a test has advanced it by. Clones share the advance.
#[derive(Clone, Debug)]
pub struct Clock(Option<Arc<Advance>>);

#[derive(Debug, Default)]
struct Advance {
    milliseconds: AtomicI64,
    grown: Notify,
}

impl Clock {
    /// The clock of a server: nobody moves it, and what sleeps by it costs a timer alone.
    #[must_use]
    pub const fn system() -> Self {
        Self(None)
    }

    /// One that a test can advance.
    #[must_use]
    pub fn movable() -> Self {
        Self(Some(Arc::default()))
    }

    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "the one place that reads the system's time")]
    pub fn now(&self) -> Moment {
        let ahead = self.0.as_ref().map_or(0, |advance| advance.milliseconds());
        Moment::from_milliseconds(Utc::now().timestamp_millis() + ahead)
    }

    /// Moves a movable clock and its clones ahead, as if that much time had passed, and wakes those whose wait is over
    /// by then.
    pub fn advance(&self, duration: Duration) {
        let Some(advance) = &self.0 else { return tracing::error!("nobody moves a clock of the system") };
        let milliseconds = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        advance.milliseconds.fetch_add(milliseconds, Ordering::SeqCst);
        advance.grown.notify_waiters();
    }

    /// Waits until that much time has passed since the call, in real time or by advances. A system clock that is set
    /// anew meanwhile changes nothing.
    #[allow(clippy::disallowed_methods, reason = "the one place that waits for time to pass")]
    pub fn sleep(&self, duration: Duration) -> impl Future<Output = ()> {
        let sleeping = tokio::time::sleep(duration);
        let advance = self.0.as_ref().map(|advance| (advance, advance.milliseconds(), Instant::now()));
        async move {
            match advance {
                None => sleeping.await,
                Some((advance, before, begun)) => tokio::select! {
                    () = sleeping => {}
                    () = advance.reach(before, begun, duration) => {}
                },
            }
        }
    }

    /// Lets an actor do something each time that this period has passed, counted from when the actor is free to wait.
    /// An advance by many periods counts as one.
    pub fn every<A: Actor<Context = C>, C: AsyncContext<A>>(
        &self,
        context: &mut C,
        period: Duration,
        mut act: impl FnMut(&mut A, &mut C) + 'static,
    ) -> SpawnHandle {
        let ticks = stream::unfold(self.clone(), move |clock| async move {
            clock.sleep(period).await;
            Some(((), clock))
        });
        context.spawn(fut::wrap_stream(ticks).map(move |(), actor, context| act(actor, context)).finish())
    }

    /// Lets an actor do something once, after this time, counted as for [`Clock::every`].
    pub fn after<A: Actor<Context = C>, C: AsyncContext<A>>(
        &self,
        context: &mut C,
        wait: Duration,
        act: impl FnOnce(&mut A, &mut C) + 'static,
    ) -> SpawnHandle {
        let clock = self.clone();
        let waiting = async move { clock.sleep(wait).await };
        context.spawn(fut::wrap_future(waiting).map(move |(), actor, context| act(actor, context)))
    }
}

impl Advance {
    fn milliseconds(&self) -> i64 {
        self.milliseconds.load(Ordering::SeqCst)
    }

    /// Waits until so much time has passed since `begun`, really and by advances since there were `before`. It looks
    /// only when there is an advance.
    async fn reach(&self, before: i64, begun: Instant, duration: Duration) {
        loop {
            // Registered before the advance is read, so that none is missed in between.
            let grown = self.grown.notified();
            let advanced = u64::try_from(self.milliseconds() - before).unwrap_or_default();
            if begun.elapsed().saturating_add(Duration::from_millis(advanced)) >= duration {
                return;
            }
            grown.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use actix::prelude::*;
    use futures_util::FutureExt;
    use tokio::sync::mpsc;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);
    /// Much longer than anything here takes.
    const PATIENCE: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn an_advance_ends_a_sleep_that_it_reaches_and_no_other() {
        let clock = Clock::movable();
        let (mut hour, mut two_hours) = (Box::pin(clock.sleep(HOUR)), Box::pin(clock.sleep(2 * HOUR)));
        assert!((&mut hour).now_or_never().is_none());
        clock.clone().advance(HOUR);
        tokio::time::timeout(PATIENCE, hour).await.unwrap();
        assert!((&mut two_hours).now_or_never().is_none());
        clock.advance(HOUR);
        tokio::time::timeout(PATIENCE, two_hours).await.unwrap();
    }

    #[tokio::test]
    async fn an_advance_before_a_sleep_does_not_shorten_it() {
        let clock = Clock::movable();
        clock.advance(HOUR);
        assert!(clock.sleep(HOUR).now_or_never().is_none());
    }

    #[tokio::test]
    async fn real_time_ends_a_sleep_too() {
        let begun = Instant::now();
        for clock in [Clock::system(), Clock::movable()] {
            clock.sleep(Duration::from_millis(50)).await;
        }
        assert!(begun.elapsed() >= Duration::from_millis(100));
    }

    /// Says at its start and at each tick how often it has ticked.
    struct Ticking {
        clock: Clock,
        ticks: u32,
        said: mpsc::UnboundedSender<u32>,
    }

    impl Actor for Ticking {
        type Context = Context<Self>;

        fn started(&mut self, context: &mut Self::Context) {
            self.clock.every(context, HOUR, |actor: &mut Self, _| {
                actor.ticks += 1;
                let _ = actor.said.send(actor.ticks);
            });
            self.clock.after(context, 5 * HOUR + HOUR / 2, |_: &mut Self, context| context.stop());
            let _ = self.said.send(self.ticks);
        }
    }

    #[actix::test]
    async fn an_actor_ticks_once_for_each_advance_that_reaches_a_tick() {
        let (clock, (said, mut ticks)) = (Clock::movable(), mpsc::unbounded_channel());
        Ticking { clock: clock.clone(), ticks: 0, said }.start();
        let mut next = async || tokio::time::timeout(PATIENCE, ticks.recv()).await.expect("no tick");
        assert_eq!(next().await, Some(0));
        for (tick, hours) in (1..).zip([1, 3, 1]) {
            clock.advance(hours * HOUR);
            assert_eq!(next().await, Some(tick));
        }
        clock.advance(HOUR / 2);
        assert_eq!(next().await, None, "it has stopped");
    }
}
