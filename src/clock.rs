//! The server's clock: the only place that reads the time, so that tests can move it instead of waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::Utc;
use domain::time::moment::Moment;

/// The system's time, plus what a test has advanced it by. Clones share the advance.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    ahead_milliseconds: Arc<AtomicI64>,
}

impl Clock {
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "the one place that reads the system's time")]
    pub fn now(&self) -> Moment {
        Moment::from_milliseconds(Utc::now().timestamp_millis() + self.ahead_milliseconds.load(Ordering::Relaxed))
    }

    /// Moves this clock and its clones ahead, as if that much time had passed.
    pub fn advance(&self, duration: Duration) {
        let milliseconds = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        self.ahead_milliseconds.fetch_add(milliseconds, Ordering::Relaxed);
    }
}
