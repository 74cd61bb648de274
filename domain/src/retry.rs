//! When a webhook delivery that failed is tried again (`decisions.md` 5).

use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// Waits between attempts; after the last one the delivery has failed.
const WAITS_SECONDS: [u64; 9] = [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
/// A receiver's `Retry-After` is respected up to this.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * HOUR);
/// Each wait is up to this part shorter or longer, so that deliveries that failed together come back apart.
const JITTER: f64 = 0.2;

/// How long to wait after `attempts` attempts (1 after the first); `None` when there is no further one.
/// `chance` is a random number from 0 to 1; `retry_after` is what the receiver asked for.
#[must_use]
pub fn wait_after(attempts: u32, chance: f64, retry_after: Option<Duration>) -> Option<Duration> {
    let seconds = *WAITS_SECONDS.get(usize::try_from(attempts).ok()?.checked_sub(1)?)?;
    let jittered = Duration::from_secs(seconds).mul_f64(1.0 + JITTER * (2.0 * chance.clamp(0.0, 1.0) - 1.0));
    Some(retry_after.map_or(jittered, |asked| jittered.max(asked.min(RETRY_AFTER_MAX))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_end() {
        assert_eq!(wait_after(1, 0.5, None), Some(Duration::from_secs(5)));
        assert_eq!(wait_after(9, 0.5, None), Some(Duration::from_secs(86_400)));
        assert_eq!(wait_after(10, 0.5, None), None);
        assert_eq!(wait_after(0, 0.5, None), None);
    }

    #[test]
    fn jitter_stays_within_a_fifth() {
        assert_eq!(wait_after(2, 0.0, None), Some(Duration::from_secs(24)));
        assert_eq!(wait_after(2, 1.0, None), Some(Duration::from_secs(36)));
    }

    #[test]
    fn a_receiver_may_ask_for_more_time_up_to_a_day() {
        let hours = |count| Duration::from_secs(count * HOUR);
        assert_eq!(wait_after(1, 0.5, Some(hours(3))), Some(hours(3)));
        assert_eq!(wait_after(1, 0.5, Some(hours(300))), Some(hours(24)));
        assert_eq!(wait_after(3, 0.5, Some(Duration::from_secs(1))), Some(Duration::from_secs(120)));
    }
}
