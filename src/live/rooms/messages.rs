//! What servers tell each other of the rooms that proctors watch.

use domain::room::RoomKey;
use domain::room::row::VersionedRow;
use serde::{Deserialize, Serialize};

/// A word about rooms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RoomMessage {
    /// The speaker has watchers in these rooms, and in no others; said again and again while it has any.
    Watching {
        /// All of them.
        rooms: Vec<RoomKey>,
    },
    /// Rows of the speaker's seats in rooms that the hearer watches.
    Rows {
        /// Counts what the speaker has sent to the hearer, from 1: so that a gap is seen.
        number: u64,
        /// The pictures.
        rows: Vec<VersionedRow>,
    },
    /// The number of the last rows that were sent to the hearer: so that it is seen when the last ones were lost.
    Sent {
        /// 0 when there were none.
        number: u64,
    },
    /// All seats of the speaker in these rooms have told of themselves since the hearer began to watch.
    Reported {
        /// Which.
        rooms: Vec<RoomKey>,
        /// The hearer's wish that is fulfilled with it; none when it has only begun to watch.
        wish: Option<u64>,
    },
    /// The hearer's rows did not all arrive: it is to tell of all its seats anew. Said again until it has.
    RowsWanted {
        /// Tells wishes of the speaker apart.
        wish: u64,
    },
}
