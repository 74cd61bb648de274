//! What students and servers send each other here, in the place of the frames of `docs/live-protocol.md`.

use domain::attempt::{AnswerChange, CommandRefusal, Stamp};
use domain::merkle::TreeHash;
use domain::time::moment::Moment;
use uuid::Uuid;

/// A command of a student.
#[derive(Clone, Debug)]
pub struct ClientCommand {
    pub stamp: Stamp,
    /// The question's place on the paper.
    pub position: usize,
    pub change: AnswerChange,
    /// When the student acted, by the clock of their computer.
    pub at: Moment,
}

/// From a student.
#[derive(Clone, Debug)]
pub enum ToServer {
    /// Begins a test, or finds the one that was begun with the same key.
    Start,
    /// Comes to a test with a device, whose line is 0 if it has none yet.
    Attach { session_id: Uuid, token_hash: [u8; 32], line: u16 },
    /// Sets a value.
    Change { session_id: Uuid, command: ClientCommand },
    /// Hands in.
    Submit { session_id: Uuid, seq: u64 },
}

/// To a student.
#[derive(Clone, Debug)]
pub enum ToStudent {
    /// The test has begun, or goes on here, for a device of this line. Numbers of commands go on after this one.
    Attached { session_id: Uuid, line: u16, seq: u64 },
    /// There is no such test.
    Unknown,
    /// Everything up to this number is saved.
    Saved(u64),
    /// A command is refused, and its sender keeps it no longer.
    Refused { seq: u64, refusal: CommandRefusal },
    /// A device of a newer line has set the value.
    Superseded(u64),
    /// The test is over.
    Submitted {
        /// The leaf of the receipt, for a first end.
        receipt: Option<TreeHash>,
        /// The result, if it may be told.
        result: Option<String>,
    },
    /// The connection is closed: connect again.
    Closed,
}
