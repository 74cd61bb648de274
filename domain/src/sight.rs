//! What a reader may see of a finished test, as types: a result leaves the server through a [`Sight`] alone, and the
//! embargo alone makes one (`docs/decisions/0068-what-may-be-seen-is-a-type.md`).

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::access::{Grades, Identity, Role};
use crate::grade::Grade;
use crate::question::{Question, WholeQuestion};
use crate::session::{Session, SessionOrigin};
use crate::sitting::values::ResultsRule;
use crate::time::moment::Moment;

/// A result, a score or a key that the server keeps. It can be neither serialised nor printed, so that whoever holds it
/// needs a [`Sight`] to show it. A handler that tells it all the same does not compile:
///
/// ```compile_fail,E0277
/// fn told(session: &domain::session::Session) -> serde_json::Result<String> {
///     serde_json::to_string(&session.result)
/// }
/// ```
#[derive(Clone)]
pub struct Untold<T>(T);

impl<T> Untold<T> {
    /// Keeps a value.
    pub const fn of(value: T) -> Self {
        Self(value)
    }

    /// The value, for grading, storing and comparing. `tests/tidy.rs` lists the files that may read it.
    pub const fn inside_the_server(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Untold<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Untold")
    }
}

/// How far the results of a sitting are open. Nothing else decides who sees a result before staff have released it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenResults {
    shown: bool,
    released: bool,
}

impl OpenResults {
    /// The state of a test that belongs to no sitting.
    pub const WITHOUT_SITTING: Self = Self { shown: true, released: true };

    /// Of a sitting with this rule. A rule with a time opens nothing by itself: somebody still at work when it comes
    /// would learn from those who see theirs.
    #[must_use]
    pub fn of(rule: ResultsRule, released_at: Option<Moment>) -> Self {
        let released = released_at.is_some();
        Self { shown: released || rule == ResultsRule::Now, released }
    }

    /// Whether the candidates may see their results.
    #[must_use]
    pub const fn are_shown(self) -> bool {
        self.shown
    }

    /// Whether only staff of the grade may see the result of a test. One that was ended before it began would tell the
    /// paper, which others are still to write, so that it waits for the release even if results are shown at once.
    #[must_use]
    pub const fn holds(self, was_begun: bool) -> bool {
        if was_begun { !self.shown } else { !self.released }
    }

    /// The score as proctors may see it, who need not be staff.
    #[must_use]
    pub fn seen_score(self, score: i32) -> Option<SeenScore> {
        self.shown.then_some(SeenScore(score))
    }
}

/// A score that everyone may see who watches: only [`OpenResults::seen_score`] makes one, and the row that another
/// server has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeenScore(i32);

/// Who reads a finished test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reader {
    /// A caller who has the id of the session, which is its secret.
    Caller {
        /// Whether they are of the school's staff, of whatever grade.
        is_staff: bool,
        /// The grades whose results they may see before the release.
        reviews: Grades,
        /// `PUBLIC_ANSWERS`.
        has_public_answers: bool,
    },
    /// The receiver of a webhook. Whoever hands in a test names that receiver, so it learns no more keys than they do.
    Receiver {
        /// `PUBLIC_ANSWERS`.
        has_public_answers: bool,
        /// Whether the event itself says that the result may be seen.
        is_of_release: bool,
    },
    /// Another server, which shows what it gets to everyone who has the id.
    OtherServer,
}

impl Reader {
    /// Whether nothing of a test of this grade is withheld from them, whatever the embargo says.
    #[must_use]
    pub const fn is_above_embargo(self, grade: Grade) -> bool {
        match self {
            Self::Caller { reviews, .. } => reviews.has(grade),
            Self::Receiver { .. } | Self::OtherServer => false,
        }
    }

    /// Whether it is a person who reads, and no receiver and no server.
    #[must_use]
    pub const fn is_person(self) -> bool {
        matches!(self, Self::Caller { .. })
    }

    /// Whether it is, or may be, the student themselves: whoever is not of the school's staff.
    #[must_use]
    pub const fn may_be_student(self) -> bool {
        matches!(self, Self::Caller { is_staff: false, .. })
    }
}

/// What the embargo says of a finished test now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbargoState {
    /// Only staff of its grade may see the result.
    Held,
    /// The result may be seen, but its keys would tell of questions that others are still to write.
    KeysWithheld,
    /// The embargo withholds nothing of it.
    Open,
}

/// The parts of one finished test that one reader may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    session_id: Uuid,
    account: bool,
    result: bool,
    keys: bool,
    master: bool,
    mark: bool,
}

impl Sight {
    /// What a reader may see of a session. `tests/tidy.rs` leaves this to the embargo, which reads the state.
    #[must_use]
    pub fn of(session: &Session, reader: Reader, state: EmbargoState) -> Self {
        let is_above = reader.is_above_embargo(session.grade);
        let (is_told, is_open) = (is_above || state != EmbargoState::Held, is_above || state == EmbargoState::Open);
        // Anybody can hand in a test with the ids of a whole bank, so that its keys are for staff while answers are not
        // public.
        let has_keys = |has_public_answers| is_above || has_public_answers || session.origin == SessionOrigin::Live;
        let (account, result, keys) = match reader {
            Reader::Caller { is_staff, has_public_answers, .. } => {
                (is_staff, is_told, is_open && has_keys(has_public_answers))
            }
            Reader::Receiver { has_public_answers, .. } => (true, is_told, is_open && has_keys(has_public_answers)),
            Reader::OtherServer => (is_open, is_open, is_open),
        };
        let master = matches!(reader, Reader::Caller { is_staff: true, .. });
        // Another server knows no scale, and would show a mark after the scale has become another one.
        let mark = !matches!(reader, Reader::OtherServer);
        Self { session_id: session.session_id, account, result, keys, master, mark }
    }

    /// Everything, for the external service that keeps the school's finished tests, but no words for people.
    /// `tests/tidy.rs` leaves this to the embargo too.
    #[must_use]
    pub const fn of_keeper(session: &Session) -> Self {
        Self { session_id: session.session_id, account: true, result: true, keys: true, master: false, mark: false }
    }

    /// What somebody is told in their seat about the test that they have handed in: all, or nothing yet.
    /// `tests/tidy.rs` leaves this to the embargo too.
    #[must_use]
    pub fn of_seat(session_id: Uuid, state: EmbargoState) -> Self {
        let is_open = state == EmbargoState::Open;
        Self { session_id, account: false, result: is_open, keys: is_open, master: false, mark: false }
    }

    /// The same for those who may not know the signed-in account.
    #[must_use]
    pub const fn without_account(self) -> Self {
        Self { account: false, ..self }
    }

    /// Whether the reader is told the signed-in account.
    #[must_use]
    pub const fn shows_account(self) -> bool {
        self.account
    }

    /// Whether the reader is told the result at all.
    #[must_use]
    pub const fn shows_result(self) -> bool {
        self.result
    }

    /// Whether the reader is told the right options, which answers were right, and how many by topic and difficulty.
    #[must_use]
    pub const fn shows_keys(self) -> bool {
        self.result && self.keys
    }

    /// Whether letters of the master copy stand beside those that the student saw, where options stood in another order
    /// than in the bank. It decides on words for people alone: data have the letters of the bank for everybody.
    #[must_use]
    pub const fn shows_master_letters(self) -> bool {
        self.master
    }

    /// Whether the reader is told the mark: nobody is who is not told the score.
    #[must_use]
    pub const fn shows_mark(self) -> bool {
        self.result && self.mark
    }

    /// One of its questions with its key, if the reader is told the keys.
    #[must_use]
    pub fn whole<Q: Borrow<Question>>(self, question: Q) -> Option<WholeQuestion<Q>> {
        self.shows_keys().then(|| WholeQuestion::of(question).plain())
    }

    /// Whether it is a sight of this session. One of another session shows nothing.
    #[must_use]
    pub fn is_of(self, session_id: Uuid) -> bool {
        self.session_id == session_id
    }
}

/// The right of staff to read the questions of certain grades, and the results of their tests many at once, before a
/// release too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaffSight {
    people: bool,
}

impl StaffSight {
    /// Of somebody for all these grades; `None` if one is not theirs. What is left of a removed template, which
    /// has no grades, is for admins. `tests/tidy.rs` leaves this to the embargo.
    #[must_use]
    pub fn of(identity: &Identity, grades: &[Grade]) -> Option<Self> {
        let all_of = |theirs: Grades| !grades.is_empty() && grades.iter().all(|grade| theirs.has(*grade));
        let is_admin = identity.role == Role::Admin;
        (is_admin || all_of(identity.reviews())).then(|| Self { people: is_admin || all_of(identity.signs_off()) })
    }

    /// A question of these grades with its key.
    #[must_use]
    pub const fn whole<Q: Borrow<Question>>(self, question: Q) -> WholeQuestion<Q> {
        WholeQuestion::for_staff(question)
    }

    /// Whether they may see the people in the results, and not the questions alone.
    #[must_use]
    pub const fn shows_people(self) -> bool {
        self.people
    }
}

/// The right of admins to read all questions, and lists of all finished tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchoolSight(());

impl SchoolSight {
    /// Of an admin; `None` for everyone else. `tests/tidy.rs` leaves this to the embargo too.
    #[must_use]
    pub fn of(identity: &Identity) -> Option<Self> {
        (identity.role == Role::Admin).then_some(Self(()))
    }

    /// Any question with its key.
    #[must_use]
    pub const fn whole<Q: Borrow<Question>>(self, question: Q) -> WholeQuestion<Q> {
        WholeQuestion::for_staff(question)
    }
}

#[cfg(test)]
mod tests;
