//! The columns from which an attempt's times are read.

use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use entities::attempt::{self, Column};
use sea_orm::FromQueryResult;

const MINUTE_MILLISECONDS: i64 = 60_000;

/// What an attempt's times are made of. The length of its pauses is not stored: it is what the deadline has more than
/// the sum of its other parts.
#[derive(FromQueryResult)]
pub struct StoredTimes {
    started_at_ms: i64,
    deadline_ms: i64,
    duration_minutes: i32,
    given_ms: Option<i64>,
    hard_end_ms: Option<i64>,
    paused_at_ms: Option<i64>,
    extended_minutes: i32,
}

impl StoredTimes {
    /// The columns to select.
    pub const COLUMNS: [Column; 7] = [
        Column::StartedAtMs,
        Column::DeadlineMs,
        Column::DurationMinutes,
        Column::GivenMs,
        Column::HardEndMs,
        Column::PausedAtMs,
        Column::ExtendedMinutes,
    ];

    #[must_use]
    pub fn of(row: &attempt::Model) -> Self {
        Self {
            started_at_ms: row.started_at_ms,
            deadline_ms: row.deadline_ms,
            duration_minutes: row.duration_minutes,
            given_ms: row.given_ms,
            hard_end_ms: row.hard_end_ms,
            paused_at_ms: row.paused_at_ms,
            extended_minutes: row.extended_minutes,
        }
    }

    #[must_use]
    pub fn times(&self) -> AttemptTimes {
        let given = self.given_ms.unwrap_or(i64::from(self.duration_minutes) * MINUTE_MILLISECONDS);
        let without_pauses = AttemptTimes {
            begins_at: Moment::from_milliseconds(self.started_at_ms),
            given_milliseconds: given,
            hard_end: None,
            paused_at: self.paused_at_ms.map(Moment::from_milliseconds),
            paused_milliseconds: 0,
            extended_minutes: self.extended_minutes,
        };
        let pauses = Moment::from_milliseconds(self.deadline_ms).since(without_pauses.deadline()).max(0);
        let hard_end = self.hard_end_ms.map(Moment::from_milliseconds);
        AttemptTimes { hard_end, paused_milliseconds: pauses, ..without_pauses }
    }
}
