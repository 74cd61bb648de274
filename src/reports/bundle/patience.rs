//! How long a file waits for one of its reports.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::clock::Clock;
use crate::error::Error;
use crate::reports::BUSY;

/// How often a report is tried while the server is busy or the database is away.
const TRIES_MAX: usize = 4;
/// The pause before another try.
const TRIED_AGAIN_AFTER: Duration = Duration::from_secs(2);

/// Tries again what cannot be done at the moment, within `limit` in all.
pub async fn patiently<T>(
    clock: &Clock,
    limit: Duration,
    mut attempt: impl AsyncFnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let began = Instant::now();
    let mut tries = 0;
    loop {
        let left = limit.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Err(Error::Unavailable(BUSY));
        }
        let done = timeout(left, attempt()).await.unwrap_or(Err(Error::Unavailable(BUSY)));
        tries += 1;
        let is_for_now = matches!(done, Err(Error::Unavailable(_) | Error::NoDatabase));
        if !is_for_now || tries == TRIES_MAX || began.elapsed() + TRIED_AGAIN_AFTER >= limit {
            return done;
        }
        clock.sleep(TRIED_AGAIN_AFTER).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn what_is_away_for_a_moment_is_tried_again() {
        let clock = Clock::system();
        let mut tries = 0;
        let done = patiently(&clock, LONG, async || {
            tries += 1;
            if tries == 1 { Err(Error::NoDatabase) } else { Ok(tries) }
        });
        assert_eq!(done.await.unwrap(), 2);
        let mut tries = 0;
        let refused = patiently(&clock, LONG, async || {
            tries += 1;
            Err::<(), _>(Error::NotFound("gone"))
        });
        assert!(matches!(refused.await, Err(Error::NotFound(_))));
        assert_eq!(tries, 1, "what is not there does not come");
    }

    #[tokio::test]
    async fn the_file_is_not_silent_for_longer() {
        let clock = Clock::system();
        let never = async || std::future::pending::<Result<(), Error>>().await;
        assert!(matches!(patiently(&clock, Duration::from_millis(20), never).await, Err(Error::Unavailable(BUSY))));
        let mut tries = 0;
        let spent = patiently(&clock, Duration::ZERO, async || {
            tries += 1;
            Ok(())
        });
        assert!(matches!(spent.await, Err(Error::Unavailable(BUSY))));
        assert_eq!(tries, 0);
    }
}
