//! When a failed webhook delivery is tried again; operators read the same in `docs/operations.md#webhooks`.

use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// The waits between attempts. They grow from seconds to a day, so that a short outage costs little time, and a
/// receiver may be down for almost two days.
const WAITS_SECONDS: [u64; 9] = [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
/// The longest wait that a receiver may ask for with `Retry-After`: as long as the longest of these waits.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * HOUR);
/// The part by which each wait is randomly shorter or longer, so that deliveries that failed together are not repeated
/// together.
const JITTER: f64 = 0.2;

/// How long to wait after this many attempts (1 after the first); `None` when no attempt is left.
///
/// `chance` is a random number from 0 to 1; `retry_after` is the wait that the receiver asked for, which
/// can only lengthen it.
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
