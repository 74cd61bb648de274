//! The writes of seats, as values. The statements that store them are in `commit` and `entries`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use domain::attempt::{Attempt, CellKey, Ending, Reason, Stamp, Terms};
use domain::band::Band;
use domain::order::standing::PauseScopes;
use domain::question::KeyedQuestion;
use domain::session::SubmittedResult;
use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use uuid::Uuid;

use super::claims::Hold;
use super::next_ends::Reopening;
use crate::sessions::finished::Finished;

/// Estimated size of a stored attempt or session without its questions.
const ATTEMPT_BYTES: usize = 2 * 1_024;
/// Estimated size of each question in it, with its key or its line of the result.
const QUESTION_BYTES: usize = 200;

/// A single change to be stored.
#[derive(Debug)]
pub enum Write {
    /// A new attempt.
    Begin(Box<NewAttempt>),
    /// The value of one key.
    Entry(Entry),
    /// Something that happened to an attempt.
    Event(Uuid, AttemptEvent),
    /// The beginning of stage 2.
    Stage {
        session_id: Uuid,
        /// The band that stage 1 has led to.
        band: Band,
        /// The questions of stage 2.
        paper: Vec<Arc<KeyedQuestion>>,
    },
    /// The notices up to this one have been delivered to the student.
    NoticesTold {
        session_id: Uuid,
        /// The last notice delivered.
        id: i64,
    },
    /// The device at which the student works.
    Device {
        session_id: Uuid,
        token_hash: [u8; 32],
        /// Whether it still is at work.
        is_at_work: bool,
    },
    /// The end of an attempt, which becomes a session.
    Finish(Box<Finish>),
}

impl Write {
    /// Estimates the bytes that this change sends to the database.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Begin(new) => {
                let locked = new.second_papers.as_deref().map_or(0, str::len);
                ATTEMPT_BYTES + QUESTION_BYTES * new.paper.len() + locked + new.terms.annotations.len()
            }
            Self::Entry(entry) => entry.value.as_deref().map_or(0, str::len),
            Self::Event(..) | Self::NoticesTold { .. } | Self::Device { .. } => 0,
            Self::Stage { paper, .. } => QUESTION_BYTES * paper.len(),
            Self::Finish(finish) => {
                let session = &finish.finished.session;
                ATTEMPT_BYTES
                    + 2 * QUESTION_BYTES * session.graded_by.inside_the_server().len()
                    + session.annotations.get().len()
                    + finish.finished.receipt.as_ref().map_or(0, String::len)
            }
        }
    }
}

#[derive(Debug)]
pub struct NewAttempt {
    pub terms: Terms,
    /// The questions of stage 1.
    pub paper: Vec<Arc<KeyedQuestion>>,
    /// The questions of stage 2 by band with their keys, as JSON, if a template has fixed them.
    pub second_papers: Option<Arc<str>>,
    pub times: AttemptTimes,
    /// The orders by which the clock stands still from the first moment.
    pub paused_in: PauseScopes,
    /// The word for the student of such a pause.
    pub pause_text: Option<String>,
    pub token_hash: [u8; 32],
    /// The hash of the start's `key`, and the salt from which the key makes the same token again.
    pub start_key: Option<([u8; 32], [u8; 32])>,
    /// The e-mail address of the signed-in person, if there was one.
    pub owner: Option<String>,
    /// Which test of the template it is that this person begins, where they are counted. Nothing is stored if there is
    /// one of this number.
    pub counted: Option<i32>,
    /// The server that holds the seat.
    pub server: Uuid,
    /// Kept in the event `started`, or `entered`.
    pub channel: StartChannel,
    /// `None` for a test without a sitting.
    pub entry: Option<NewEntry>,
}

/// How a candidate was let into a sitting.
#[derive(Clone, Debug)]
pub struct NewEntry {
    /// The version of the sitting by which it was decided. With another one nothing is stored.
    pub version: i64,
    /// The hash of the access code by which it was decided; `None` for the candidate who is signed in. With another one
    /// nothing is stored.
    pub access_hash: Option<[u8; 32]>,
    pub entered_at: Moment,
    /// The e-mail address of another person who was signed in where the candidate's code was typed.
    pub bystander: Option<String>,
}

/// How a client has sent its `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartChannel {
    WebSocket,
    Https,
}

impl StartChannel {
    /// As the event `started` names it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WebSocket => "websocket",
            Self::Https => "https",
        }
    }
}

/// The value of one key of an attempt.
#[derive(Clone, Debug)]
pub struct Entry {
    pub session_id: Uuid,
    pub key: CellKey,
    /// The command that has set the value. An older one never replaces a newer one.
    pub stamp: Stamp,
    /// `None` when the value was cleared.
    pub value: Option<Arc<str>>,
    /// In whole seconds. Only choices have it.
    pub time_taken: Option<u32>,
}

/// Something that happened to an attempt, for the record that proctors read.
#[derive(Clone, Debug)]
pub struct AttemptEvent {
    pub at: Moment,
    /// Such as `away`.
    pub kind: &'static str,
    /// Who did it: `student`, `server`, or a proctor's e-mail address.
    pub by: Cow<'static, str>,
    /// Free text.
    pub detail: String,
}

/// Where the transaction that stores a test leaves its result for the seat, if a corrected key has made another one of
/// it than the seat has graded.
#[derive(Clone, Default)]
pub struct StoredResult(Arc<ArcSwapOption<SubmittedResult>>);

impl StoredResult {
    /// Leaves it there. A transaction that is repeated leaves what it has stored in the end.
    pub(super) fn set(&self, result: Option<SubmittedResult>) {
        self.0.store(result.map(Arc::new));
    }

    /// The result, if it is another one.
    #[must_use]
    pub fn take(&self) -> Option<SubmittedResult> {
        self.0.swap(None).map(|result| (*result).clone())
    }
}

impl fmt::Debug for StoredResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StoredResult")
    }
}

/// The end of an attempt.
#[derive(Debug)]
pub struct Finish {
    /// The session that the attempt becomes.
    pub finished: Finished,
    pub ending: Ending,
    /// Question ids by position, when there are drawings to store with the session.
    pub drawn: BTreeMap<usize, Arc<str>>,
    /// Of an attempt that had ended before: the session is there, and gets another version.
    pub reopening: Option<Reopening>,
    /// Of such an attempt, how it stands at this end.
    pub standing: Option<Box<Attempt>>,
    /// Whether the student is shown the key with the end.
    pub shows_answers: bool,
    /// Whether stage 2 begins with the end, so that nobody has seen it.
    pub begins_stage: bool,
    /// Where its seat finds the result that was stored.
    pub stored_result: StoredResult,
}

/// The changes that one seat wants stored, all together or not at all.
#[derive(Debug)]
pub struct Commit {
    /// The seat's right to write. `None` for an attempt that begins with this commit, and for events that are noted
    /// after its end.
    pub hold: Option<Hold>,
    pub writes: Vec<Write>,
}

impl Commit {
    pub(super) fn changes_seat(&self) -> bool {
        let changes =
            |write: &Write| matches!(write, Write::Finish(_) | Write::NoticesTold { .. } | Write::Device { .. });
        self.writes.iter().any(changes)
    }

    /// Whether this commit ends an attempt because its time is up, or because a proctor has ordered it. A proctor may
    /// have moved the deadline meanwhile, or taken the end back. A student's own submission needs no such check.
    pub(super) fn ends_by_order(&self) -> bool {
        self.writes
            .iter()
            .any(|write| matches!(write, Write::Finish(finish) if finish.ending.reason != Reason::Student))
    }
}
