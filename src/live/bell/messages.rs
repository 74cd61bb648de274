//! What seats and the bell say to each other. Apart from both, so that the bell need not know the seat, which knows the
//! bell.

use std::sync::Arc;

use actix::prelude::*;
use domain::attempt::SittingPlace;
use domain::sitting::candidate::Candidate;
use domain::time::moment::Moment;
use uuid::Uuid;

use crate::sittings::entry::current::CurrentSitting;

/// A student waits until that moment.
#[derive(Message)]
#[rtype(result = "()")]
pub struct AwaitBegin {
    pub place: SittingPlace,
    pub session_id: Uuid,
    pub begins_at: Moment,
    /// The sitting as the seat knows it.
    pub known: Arc<CurrentSitting>,
    pub seat: WaitingSeat,
}

/// A seat is gone in which a student waited.
#[derive(Message)]
#[rtype(result = "()")]
pub struct StopWaiting {
    pub sitting_id: Uuid,
    pub session_id: Uuid,
}

/// A sitting has been changed, here or by another server.
#[derive(Message)]
#[rtype(result = "()")]
pub struct SittingHeard {
    pub sitting_id: Uuid,
    pub is_own: bool,
}

/// The ways to a seat whose student waits.
pub struct WaitingSeat {
    pub begin: Recipient<Ring>,
    pub change: Recipient<SittingChanged>,
}

/// The moment has come at which the time begins to count.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Ring;

/// The sitting has been changed.
#[derive(Message)]
#[rtype(result = "()")]
pub struct SittingChanged {
    pub current: Arc<CurrentSitting>,
    /// The candidate as they are on the roster now, if that has been read again.
    pub candidate: Option<(Candidate, RosterLook)>,
}

/// As of when a roster is known, or one of its candidates.
#[derive(Clone, Copy, Debug)]
pub struct RosterLook {
    /// The version of the sitting by which it was read.
    version: i64,
    read_at: Moment,
}

impl RosterLook {
    /// What is read from now on, by the sitting as it is known.
    #[must_use]
    pub fn beginning(current: &CurrentSitting, now: Moment) -> Self {
        Self { version: current.sitting.version, read_at: now }
    }

    /// The same after the sitting has changed: until then, the roster was as it was read.
    #[must_use]
    pub fn before_change(self, current: &CurrentSitting) -> Self {
        if self.is_of(current) { Self { read_at: current.read_at(), ..self } } else { self }
    }

    /// As of when both the sitting and its roster are known: as long as its version is the same, the roster is, too.
    #[must_use]
    pub fn known_at(self, current: &CurrentSitting) -> Moment {
        let read_at = current.read_at();
        if self.is_of(current) { read_at } else { read_at.min(self.read_at) }
    }

    /// Whether it was read by this version of the sitting.
    #[must_use]
    pub fn is_of(self, current: &CurrentSitting) -> bool {
        self.version == current.sitting.version
    }
}
