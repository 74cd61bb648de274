//! The messages that servers send each other. Separate from the relay, which carries them, and from `dispatch`, which
//! acts on them.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::rooms::messages::RoomMessage;

#[derive(Debug, Serialize, Deserialize)]
pub enum ServerMessage {
    /// Sent by a server to itself, to learn whether Redis delivers messages at all.
    Echo,
    /// The sender holds this seat from now on.
    Taken {
        session_id: Uuid,
        /// Of the new holder.
        fence: i64,
        /// Whether the seat was claimed for a student's socket.
        by_socket: bool,
    },
    /// About the rooms that proctors watch.
    Room(RoomMessage),
    /// Proctors have given orders: the receiver looks for them in the database.
    Ordered,
    /// The sender has changed this sitting: the receiver looks at it in the database.
    Sitting { sitting_id: Uuid },
    /// A request to a seat that the receiver holds.
    Ask {
        /// Returned in the answer.
        number: u64,
        question: ForwardedRequest,
    },
    /// An attempt that had ended goes on: the receiver lets its seat of an earlier run go, and answers with `NotHere`.
    LetGo {
        /// Returned in the answer.
        number: u64,
        session_id: Uuid,
    },
    /// The answer to a request.
    Answer {
        /// Of the request.
        number: u64,
        reply: ForwardedReply,
    },
}

/// A student's HTTPS request, forwarded to the server that holds the seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ForwardedRequest {
    pub session_id: Uuid,
    /// The hash of the attempt's token. The token itself stays on the server that the student has asked.
    pub token_hash: [u8; 32],
    /// The request's body with commands. `None` asks for the state of the attempt.
    pub commands: Option<String>,
    /// The line that the device says it has, if it says anything about that.
    #[serde(default)]
    pub line: Option<u16>,
    /// Asks for a receipt, and for nothing else.
    #[serde(default)]
    pub receipt: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum ForwardedReply {
    /// The seat's answer, as JSON.
    Answer(String),
    /// Nothing can be saved at the moment.
    NotSaved,
    /// The seat is not on the answering server any more.
    NotHere,
    /// A planned stop of the answering server has begun.
    Stopping,
}
