//! The clock of the machine, which the server under load shares. It is the only file that reads it, since clippy
//! forbids it elsewhere; latencies are measured without it.
#![allow(clippy::disallowed_methods, reason = "a load test has no clock that a test could move")]

use chrono::{DateTime, Utc};
use std::time::Duration;

/// So much later than now.
pub fn from_now(later: Duration) -> DateTime<Utc> {
    Utc::now() + later
}

/// Microseconds since 1970.
pub fn microseconds_now() -> i64 {
    Utc::now().timestamp_micros()
}
