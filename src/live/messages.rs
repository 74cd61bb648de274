//! What servers say to each other. Apart from the relay, which carries it, and from `dispatch`, which acts on it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::rooms::messages::RoomMessage;

/// Something that servers tell each other.
#[derive(Debug, Serialize, Deserialize)]
pub enum ServerMessage {
    /// To oneself: whether Redis carries words at all.
    Echo,
    /// A seat is held by the speaker from now on.
    Taken {
        /// The attempt.
        session_id: Uuid,
        /// Of the new holder.
        fence: i64,
        /// Whether a student's socket was the reason.
        by_socket: bool,
    },
    /// Something about the rooms that proctors watch.
    Room(RoomMessage),
    /// Proctors have ordered something: whoever holds seats looks at the database.
    Ordered,
    /// A question to a seat that the hearer holds.
    Ask {
        /// To be given back.
        number: u64,
        /// What is asked.
        question: ForwardedRequest,
    },
    /// The answer to a question.
    Answer {
        /// Of the question.
        number: u64,
        /// The answer.
        reply: ForwardedReply,
    },
}

/// What is asked of a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ForwardedRequest {
    /// The attempt.
    pub session_id: Uuid,
    /// Its secret.
    pub token: String,
    /// The request's body with commands; `None` asks where the attempt stands.
    pub commands: Option<String>,
}

/// What another server answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum ForwardedReply {
    /// The seat's answer, as JSON.
    Answer(String),
    /// It can't be saved at the moment.
    NotSaved,
    /// The seat is not there any more.
    NotHere,
    /// The server is about to stop.
    Stopping,
}
