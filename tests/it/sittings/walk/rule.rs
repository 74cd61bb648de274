//! Who may be told what, and when.

use super::roads::{Road, Tell};

/// How far the exam is. The order is that of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// From the plan to the doors.
    Planned,
    /// The candidate may enter, and waits.
    Doors,
    /// The candidate is at work.
    Running,
    /// The candidate's time is over.
    Ended,
    /// A second sitting with the same paper is planned for who was absent.
    MakeUp,
    /// The first sitting is released all the same; the second is still to come.
    FirstReleased,
    /// Both are released.
    Released,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Nobody,
    /// Signed in, and with the token of their own attempt.
    Candidate,
    /// On the same roster; was absent, and writes the make-up.
    Absent,
    /// Of the room, a student otherwise.
    Proctor,
    ReviewerOfNone,
    ReviewerElsewhere,
    ManagerElsewhere,
    Reviewer,
    Manager,
    Admin,
    /// Another server that has its data here.
    Server,
    /// Who gets the webhooks of the sitting.
    Receiver,
}

/// What is kept secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The id of the template.
    Template,
    /// The ids of the questions of the paper.
    Ids,
    /// In which order the candidate sees the options of questions, by their ids.
    Orders,
    /// Their texts.
    Texts,
    /// Right options and explanations.
    Keys,
    /// The candidate's score, and which answers are right.
    Result,
}

/// Those whom a road serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    Anyone,
    Candidate,
    Proctors,
    Staff,
    Managers,
    Admins,
    Server,
    Receiver,
}

impl State {
    pub const ALL: [Self; 7] =
        [Self::Planned, Self::Doors, Self::Running, Self::Ended, Self::MakeUp, Self::FirstReleased, Self::Released];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Doors => "doors",
            Self::Running => "running",
            Self::Ended => "ended",
            Self::MakeUp => "made up",
            Self::FirstReleased => "first released",
            Self::Released => "released",
        }
    }
}

impl Role {
    pub const ALL: [Self; 12] = [
        Self::Nobody,
        Self::Candidate,
        Self::Absent,
        Self::Proctor,
        Self::ReviewerOfNone,
        Self::ReviewerElsewhere,
        Self::ManagerElsewhere,
        Self::Reviewer,
        Self::Manager,
        Self::Admin,
        Self::Server,
        Self::Receiver,
    ];

    /// Staff of the grade of the exam.
    pub const fn is_staff(self) -> bool {
        matches!(self, Self::Reviewer | Self::Manager | Self::Admin)
    }
}

impl Kind {
    pub const ALL: [Self; 6] = [Self::Template, Self::Ids, Self::Orders, Self::Texts, Self::Keys, Self::Result];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Template => "The id of the template",
            Self::Ids => "The ids of the questions",
            Self::Orders => "The order of their options",
            Self::Texts => "Their texts",
            Self::Keys => "Keys and explanations",
            Self::Result => "The result",
        }
    }
}

impl Whom {
    pub const fn has(self, role: Role) -> bool {
        use Role::{Admin, Candidate, Manager, Proctor, Receiver, Server};
        match self {
            Self::Receiver => matches!(role, Receiver),
            Self::Anyone => !matches!(role, Receiver),
            Self::Candidate => matches!(role, Candidate),
            Self::Proctors => matches!(role, Proctor | Manager | Admin),
            Self::Staff => role.is_staff(),
            Self::Managers => matches!(role, Manager | Admin),
            Self::Admins => matches!(role, Admin),
            Self::Server => matches!(role, Server),
        }
    }
}

/// The rule. Staff of the grade may be told everything at any time. Candidates have the paper while they work, and know
/// its questions by their ids from then on. Everyone may have the result, which names those ids and the order of
/// options that its letters are read by, from the release of its sitting, and all the rest from the moment when no
/// sitting needs the paper any more.
pub fn may_be_told(role: Role, state: State, kind: Kind) -> bool {
    let exists = kind != Kind::Result || state >= State::Ended;
    let is_candidate = role == Role::Candidate;
    let is_theirs = match kind {
        Kind::Template | Kind::Keys => state == State::Released,
        Kind::Texts => state == State::Released || is_candidate && state == State::Running,
        Kind::Ids | Kind::Orders => state >= State::FirstReleased || is_candidate && state >= State::Running,
        Kind::Result => state >= State::FirstReleased,
    };
    exists && (role.is_staff() || is_theirs)
}

/// What is told although the rule does not say so.
pub struct Exception {
    /// As in the names of the roads.
    pub roads: &'static [&'static str],
    pub kinds: &'static [Kind],
    pub whom: Role,
    pub reason: &'static str,
}

pub const EXCEPTIONS: [Exception; 3] = [
    Exception {
        roads: &["GET /v1/reviews", "GET /v1/edit-log"],
        kinds: &[Kind::Ids, Kind::Keys],
        whom: Role::Server,
        reason: "that server shows reviews and edits to its staff of the grade alone",
    },
    Exception {
        roads: &["GET /api/live/sessions", "the frames `roster`, `changes`, `progress` and `history`"],
        kinds: &[Kind::Ids],
        whom: Role::Proctor,
        reason: "a row names the question that is on the screen in the proctor's room, by its id",
    },
    Exception {
        roads: &["GET /api/live/sessions/{id}/late"],
        kinds: &[Kind::Ids],
        whom: Role::Proctor,
        reason: "late work names its questions by their ids to the proctor of the room, who decides about each",
    },
];

/// Whether this road tells this to somebody, from the first to the last moment of a state.
pub fn is_told(road: &Road, role: Role, state: State, kind: Kind) -> bool {
    let has =
        |tell: &Tell| tell.kinds.contains(&kind) && tell.whom.has(role) && (tell.first..=tell.last).contains(&state);
    let is_excepted = EXCEPTIONS.iter().any(|exception| {
        exception.roads.contains(&road.name) && exception.kinds.contains(&kind) && exception.whom == role
    });
    road.tells.iter().any(has) && (may_be_told(role, state, kind) || is_excepted)
}
