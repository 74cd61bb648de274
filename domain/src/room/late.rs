//! What a row shows of work that came after the end of the test.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::time::moment::Moment;

/// Work that came after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LateRow {
    /// How many changes came too late and are kept; visits of questions are none, nor is what says the same as
    /// what stands.
    pub changes: u32,
    /// How many milliseconds after the end the last of them came.
    pub late_ms: i64,
    /// When that was.
    #[schema(value_type = String, format = DateTime)]
    pub last_at: Moment,
    /// Since when the student had no connection at the end, as the server has noted it; null if they had one, or never
    /// had one.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub offline_since: Option<Moment>,
    /// How many of the changes count now.
    pub accepted: u32,
    /// How many of them were declined.
    pub declined: u32,
    /// How many of the changes have come since somebody decided last; all of them if nobody has.
    // A server of an earlier version leaves it out.
    #[serde(default)]
    pub undecided: u32,
}
