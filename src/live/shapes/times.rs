//! The shapes of the server's frames about the time.

use domain::room::row::SessionState;
use utoipa::ToSchema;

/// The server's time: the answer to `sync`, and unasked every 30 s.
#[derive(ToSchema)]
#[schema(as = Time, rename_all = "camelCase")]
pub struct TimeShape {
    /// As it was sent with `sync`; absent otherwise.
    #[schema(nullable = false)]
    t: Option<f64>,
    #[schema(format = DateTime)]
    server_time: String,
    remaining_ms: i64,
    #[schema(format = DateTime)]
    deadline: String,
    /// Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
    time_version: i64,
    /// The length of the pauses that have ended, which are part of the deadline.
    #[schema(minimum = 0)]
    paused_ms: i64,
    state: SessionState,
    /// What has changed, when that is why the message comes.
    #[schema(nullable = false)]
    reason: Option<MovedReason>,
}

/// What of the time has changed: the end that nothing moves, the minutes, or the beginning.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum MovedReason {
    End,
    Minutes,
    Start,
}

/// Comes once when 10 minutes are left, in tests of more than 30 minutes, and once when 5 are left.
#[derive(ToSchema)]
#[schema(as = Alert, rename_all = "camelCase")]
pub struct AlertShape {
    remaining_ms: i64,
}

/// A proctor has paused the test.
#[derive(ToSchema)]
#[schema(as = Paused, rename_all = "camelCase")]
pub struct PausedShape {
    #[schema(format = DateTime)]
    server_time: String,
    #[schema(format = DateTime)]
    deadline: String,
    remaining_ms: i64,
    /// Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
    time_version: i64,
    /// The length of the pauses that have ended, which are part of the deadline.
    #[schema(minimum = 0)]
    paused_ms: i64,
    state: SessionState,
    /// The proctor's word for why, such as "Fire alarm".
    #[schema(nullable = false)]
    text: Option<String>,
}

/// The test goes on.
#[derive(ToSchema)]
#[schema(as = Unpaused, rename_all = "camelCase")]
pub struct UnpausedShape {
    #[schema(format = DateTime)]
    deadline: String,
    remaining_ms: i64,
    #[schema(format = DateTime)]
    server_time: String,
    /// Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
    time_version: i64,
    /// The length of the pauses that have ended, which are part of the deadline.
    #[schema(minimum = 0)]
    paused_ms: i64,
    state: SessionState,
}

/// A proctor has given more time.
#[derive(ToSchema)]
#[schema(as = Extended, rename_all = "camelCase")]
pub struct ExtendedShape {
    #[schema(format = DateTime)]
    deadline: String,
    remaining_ms: i64,
    #[schema(format = DateTime)]
    server_time: String,
    /// Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
    time_version: i64,
    /// The length of the pauses that have ended, which are part of the deadline.
    #[schema(minimum = 0)]
    paused_ms: i64,
    state: SessionState,
    /// What was added since the last such message.
    minutes: u32,
}
