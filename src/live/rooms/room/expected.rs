//! The part of a sitting's room that reads the roster: who is expected, where they sit, and how much time they have.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use domain::room::RoomKey;
use uuid::Uuid;

use super::RoomActor;
use crate::database::in_time;
use crate::live::rooms::changed_sittings::NewcomersFound;
use crate::sittings::roster::room_roster::RoomRosterPicture;

/// How old a roster may become: after that it is read again, for what changes by the clock, such as the end.
const ROSTER_KEPT: Duration = Duration::from_secs(10);
/// The shortest time between two reads of a roster that changes all the time.
const ROSTER_READ_EVERY: Duration = Duration::from_millis(700);
/// The pause between two reads of a roster, as a multiple of what the last read took, so that a large roster does not
/// keep the database busy.
const ROSTER_READ_SHARE: u32 = 4;
/// How long one read of the roster may take.
const READ_TIMEOUT: Duration = Duration::from_secs(8);

/// What a room knows of its roster.
#[derive(Default)]
pub(super) struct Expected {
    hall: Option<String>,
    version: Option<i64>,
    read_at: Option<Instant>,
    /// How long the last read took.
    took: Duration,
    is_stale: bool,
}

/// Which roster is to be read.
#[derive(Clone, Copy)]
pub(super) struct RosterToRead {
    sitting_id: Uuid,
    hall_id: Option<Uuid>,
}

impl Expected {
    /// The name of the hall that is watched.
    pub(super) fn hall(&self) -> Option<&str> {
        self.hall.as_deref()
    }

    fn is_older_than(&self, age: Duration) -> bool {
        self.read_at.is_none_or(|read_at| read_at.elapsed() >= age)
    }
}

impl RoomActor {
    /// The roster has changed, unless the version is the known one.
    pub(super) fn note_roster(&mut self, version: Option<i64>, context: &mut Context<Self>) {
        if version.is_some() && version == self.expected.version {
            return;
        }
        self.expected.is_stale = true;
        self.read_stale_roster(context);
    }

    /// Reads a roster that has changed, as soon as the last read is old enough.
    pub(super) fn read_stale_roster(&mut self, context: &mut Context<Self>) {
        let wait = ROSTER_READ_EVERY.max(self.expected.took * ROSTER_READ_SHARE);
        if self.expected.is_stale && self.expected.is_older_than(wait) {
            self.read(context);
        }
    }

    /// The roster, if it is to be read now.
    pub(super) fn roster_to_read(&self) -> Option<RosterToRead> {
        let RoomKey::Sitting { sitting_id, hall_id } = self.key else { return None };
        let is_due = self.expected.is_stale || self.expected.is_older_than(ROSTER_KEPT);
        is_due.then_some(RosterToRead { sitting_id, hall_id })
    }

    /// Reads the roster, and then who has entered.
    pub(super) fn read_roster(&mut self, asked: RosterToRead, context: &mut Context<Self>) {
        let tools = Arc::clone(&self.tools);
        // A change from now on may not be in what is read.
        self.expected.is_stale = false;
        let begun = Instant::now();
        let reading = async move { tools.sittings.room_roster(asked.sitting_id, asked.hall_id).await };
        let reading = in_time("the roster of a room", READ_TIMEOUT, reading);
        context.spawn(reading.into_actor(self).map(move |picture, actor, context| match picture {
            Some(picture) => {
                actor.expected.took = begun.elapsed();
                actor.take_roster(picture, context);
                actor.read_listed(context);
            }
            None => {
                actor.expected.is_stale = true;
                actor.end_reading(context);
            }
        }));
    }

    fn take_roster(&mut self, picture: RoomRosterPicture, context: &mut Context<Self>) {
        let RoomRosterPicture { version, hall, lines, watched } = picture;
        (self.expected.version, self.expected.read_at) = (Some(version), Some(Instant::now()));
        let is_renamed = self.expected.hall != hall;
        self.expected.hall = hall;
        let is_other = self.state.change(|state| {
            let (standing, sitting) = watched.unzip();
            (state.standing, state.sitting) = (standing.unwrap_or_default(), sitting);
        });
        if self.room.set_roster(lines, self.tools.clock.now()) {
            // If it does not arrive, their rows come from the database until their seats report something new.
            let _ = self.rooms.try_send(NewcomersFound(self.key));
        }
        self.tell(is_renamed || is_other, context);
    }
}
