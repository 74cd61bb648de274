//! Which of two rows of one session is newer, and a row as servers send it to each other. Apart from what rows say.

use serde::{Deserialize, Serialize};

use super::AttemptRow;
use crate::attempt::AttemptRun;
use crate::time::moment::Moment;

/// Orders the rows of one session: the higher version is newer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RowVersion {
    /// The fence of the seat that made the row; a seat that was taken over has a lower one.
    pub fence: i64,
    /// Increases with each row that a server makes; 0 for a row that was read from the database.
    pub number: u64,
}

impl RowVersion {
    /// The run of the attempt whose row it is: a later one goes on although the run before has ended.
    #[must_use]
    pub fn run(self) -> AttemptRun {
        AttemptRun::of_fence(self.fence)
    }
}

/// A row as servers send it to each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VersionedRow {
    /// The version of this row.
    pub version: RowVersion,
    /// Whether a seat reports each change; without one, the database knows more.
    pub is_held: bool,
    /// When the test ended.
    pub ended_at: Option<Moment>,
    /// The row itself.
    pub row: AttemptRow,
}
