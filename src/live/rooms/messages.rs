//! The messages of servers to each other about the rooms that proctors watch.

use domain::room::RoomKey;
use domain::room::row::VersionedRow;
use serde::{Deserialize, Serialize};

/// A message about rooms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RoomMessage {
    /// The sender has watchers in these rooms, and in no others. Repeated as long as it has any, so a lost message does
    /// no harm.
    Watching { rooms: Vec<RoomKey> },
    /// Rows of the sender's seats in rooms that the receiver watches.
    Rows {
        /// Counts these messages from the sender to the receiver, from 1, so that a gap is noticed.
        number: u64,
        rows: Vec<VersionedRow>,
    },
    /// The number of the last rows that were sent to the receiver, so that it notices when the last ones were lost.
    Sent {
        /// 0 if there were none.
        number: u64,
    },
    /// All seats of the sender in these rooms have reported since the receiver began to watch.
    Reported {
        rooms: Vec<RoomKey>,
        /// The receiver's wish that this fulfils; `None` if the receiver has only begun to watch.
        wish: Option<u64>,
    },
    /// Some of the receiver's rows did not arrive: all its seats are to report again. Repeated until they have.
    RowsWanted {
        /// Distinguishes the sender's wishes.
        wish: u64,
    },
}
