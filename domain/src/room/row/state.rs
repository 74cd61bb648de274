//! The words of a row: how far the session is, whether its clock stands still, and whether the student is in the hall.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::sitting::candidate::CandidateState;

/// The state of a session. Only the rooms of sittings show the first three and the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SessionState {
    /// A candidate who has not entered.
    Expected,
    /// A candidate who has entered and whose time does not count yet.
    Waiting,
    /// The same, with the paper at hand.
    Ready,
    /// The clock runs.
    Active,
    /// A proctor has paused the test.
    Paused,
    /// The test is over.
    Submitted,
    /// A candidate who has not entered and is no longer expected.
    Absent,
}

impl From<CandidateState> for SessionState {
    fn from(state: CandidateState) -> Self {
        match state {
            CandidateState::Expected => Self::Expected,
            CandidateState::Waiting => Self::Waiting,
            CandidateState::Ready => Self::Ready,
            CandidateState::Active => Self::Active,
            CandidateState::Paused => Self::Paused,
            CandidateState::Submitted => Self::Submitted,
            CandidateState::Absent => Self::Absent,
        }
    }
}

/// Whether the clock of a row stands still, whatever its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RowStanding {
    /// It runs, or will.
    #[default]
    Running,
    /// A proctor has stopped it.
    Paused,
}

impl RowStanding {
    /// Of a clock that stands still, or of another one.
    #[must_use]
    pub const fn of(is_paused: bool) -> Self {
        if is_paused { Self::Paused } else { Self::Running }
    }
}

/// What a proctor has noted about a candidate's presence in the hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Attendance {
    /// They are there.
    Present,
    /// They are not.
    Absent,
}
