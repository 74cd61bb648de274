//! Proctors' orders and their outcomes as they are stored, so that a repeat gets the first answer.

use domain::grade::Grade;
use domain::order::standing::UnchangedSession;
use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use domain::sitting::code::AccessCode;
use domain::sitting::order::{BeginRefusal, SittingOrder};
use serde::{Deserialize, Serialize};

use super::repeats::OrderConnection;

/// A command of a proctor.
#[derive(Clone, Debug)]
pub struct ProctorCommand {
    /// The proctor's e-mail address.
    pub proctor: String,
    /// The room that the proctor watches.
    pub room: RoomKey,
    /// The id that the proctor's page gave the command.
    pub id: String,
    /// Where the command came from.
    pub connection: OrderConnection,
    pub content: CommandContent,
}

/// What a command is about.
#[derive(Clone, Debug)]
pub enum CommandContent {
    /// Sessions.
    Sessions {
        target: OrderTarget,
        /// Limits the command to the room's sessions of this grade. A template may have had another grade before, and
        /// the proctor's rights are those for its present one.
        grade: Option<Grade>,
        order: Order,
    },
    /// The sitting whose room is watched.
    Sitting {
        /// Whether the proctor manages the sitting.
        is_chief: bool,
        order: SittingOrder,
    },
}

/// What a command has done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedOut {
    /// The name of the order that was taken back.
    #[serde(default)]
    pub undone: Option<String>,
    /// The number of sessions, candidates or rooms that were changed.
    pub count: u64,
    /// The number of sessions that it was for, and that it has left as they were.
    #[serde(default)]
    pub unchanged_count: u64,
    /// The first of them.
    #[serde(default)]
    pub unchanged: Vec<UnchangedSession>,
    /// The candidate's new access code. It is stored nowhere, and a repeat makes it again.
    #[serde(skip)]
    pub code: Option<AccessCode>,
}

/// The result of a command. A repeated command gets the first result again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutcome {
    /// The command was applied.
    Done(CarriedOut),
    /// The room has no such session.
    UnknownSession,
    /// The session has ended, or its end has been ordered.
    AlreadySubmitted,
    /// The connection has used the `id` for another command. This is never stored, nor are those that follow.
    IdReused,
    /// The room has no such candidate.
    UnknownCandidate,
    /// The sitting is over.
    SittingEnded,
    /// The candidate who is to be let in has no time left.
    TimeIsUp,
    /// The proctor may not begin the sitting, or only as a whole.
    #[serde(skip)]
    MayNotBegin(BeginRefusal),
    /// There are too many incidents.
    TooManyIncidents,
    /// The room is not that of a sitting.
    NoSitting,
    /// Somebody would have less than a minute left.
    TooLittleTime,
    /// Nothing was ordered that could be taken back.
    NothingToUndo,
    /// The hall has been paused too often.
    TooManyPauses,
    /// The test that is to go on has not ended.
    NotSubmitted,
    /// Its result has been released, or its sitting called off.
    Released,
    /// It ended more than a day ago.
    TooOld,
    /// Its student has been shown the key.
    AnswersSeen,
    /// It would have no time.
    NothingLeft,
    /// Late work of it counts, which would be lost with its next end.
    LateAccepted,
}

impl CommandOutcome {
    /// Whether the command has been carried out, so that a repeat gets the same answer.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        matches!(self, Self::Done(_) | Self::AlreadySubmitted)
    }
}
