//! One session of a room, with what decides on the rows that may take its place.

use uuid::Uuid;

use super::row::{AttemptRow, RowVersion, SessionRow, SessionState};
use crate::attempt::AttemptRun;
use crate::time::moment::Moment;

/// One session of the room.
#[derive(Debug)]
pub(super) struct RoomEntry {
    /// As it is shown.
    pub(super) row: SessionRow,
    /// As it was reported, where the roster has more to say.
    pub(super) told: Option<Box<AttemptRow>>,
    pub(super) version: RowVersion,
    pub(super) ended_at: Option<Moment>,
    /// The server whose seat reports each change; `None` when only the database knows the session.
    pub(super) holder: Option<Uuid>,
    pub(super) number: u64,
}

impl RoomEntry {
    /// Whether it shows an end that no row of this version changes: one of the same run, or of an earlier one.
    pub(super) fn is_over_for(&self, version: RowVersion) -> bool {
        self.row.attempt.state == SessionState::Submitted && version.run() <= self.run()
    }

    /// The run of the attempt that it shows.
    pub(super) fn run(&self) -> AttemptRun {
        self.version.run()
    }
}
