//! The rights of proctors. Admins may watch every grade, managers and reviewers the grades that they are assigned to. A
//! sitting may be watched by those who manage it, and each of its halls by the proctors of that hall. The room of a
//! template counts as its grade.

use std::time::Duration;

use domain::access::{Identity, Role};
use domain::grade::Grade;
use domain::room::RoomKey;
use uuid::Uuid;

use super::protocol::{self, RoomChoice};
use crate::auth::caller::NOT_ASSIGNED;
use crate::error::{Error, FORBIDDEN};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::store::SessionPlace;
use crate::live::{Live, store};
use crate::sittings::supervision::HallChoice;

/// How long the database may take to answer a proctor's request before it is taken to be down.
const ASKED_WITHIN: Duration = Duration::from_secs(10);

/// What allows someone to watch a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oversight {
    /// They are staff of this grade.
    Grade(Grade),
    /// They manage the sitting, or are a proctor of the hall.
    Sitting {
        /// Whether they manage it.
        is_chief: bool,
    },
}

impl Oversight {
    /// The grade to which orders for everyone in the room of a template are limited.
    #[must_use]
    pub fn limit(self, identity: &Identity) -> Option<Grade> {
        match self {
            Self::Grade(grade) => Some(grade).filter(|_| identity.role != Role::Admin),
            Self::Sitting { .. } => None,
        }
    }
}

/// Checks that a caller may watch exams at all. Fails with `forbidden`.
pub async fn proctoring(live: &Live, identity: &Identity) -> Result<(), Fault> {
    if identity.role != Role::Student || is_proctor(live, identity).await? {
        Ok(())
    } else {
        Err(Fault::new(Code::Forbidden, FORBIDDEN))
    }
}

async fn is_proctor(live: &Live, identity: &Identity) -> Result<bool, Fault> {
    live.shared.neighbours.sittings.is_proctor(&identity.email).await.map_err(|error| of_sitting(&error))
}

/// Checks that a caller may watch this grade. Fails with `forbidden`.
pub fn watching(identity: &Identity, grade: Grade) -> Result<(), Fault> {
    if identity.role == Role::Student {
        Err(Fault::new(Code::Forbidden, FORBIDDEN))
    } else if identity.reviews().has(grade) {
        Ok(())
    } else {
        Err(Fault::new(Code::Forbidden, NOT_ASSIGNED))
    }
}

/// The room that a caller chooses, if they may watch it. Fails with `forbidden`, `template_not_found`,
/// `sitting_not_found` or `storage_unavailable`.
pub(in crate::live) async fn find_room(
    live: &Live,
    identity: &Identity,
    choice: &RoomChoice,
) -> Result<(RoomKey, Oversight), Fault> {
    match choice {
        RoomChoice::Key(key) => Ok((*key, overseeing(live, identity, *key).await?)),
        RoomChoice::Sitting { sitting_id, hall } => {
            let choice = hall.as_deref().map_or(HallChoice::All, HallChoice::Name);
            let watched = live.shared.neighbours.sittings.watched(identity, *sitting_id, choice).await;
            let watched = watched.map_err(|error| of_sitting(&error))?;
            let key = RoomKey::Sitting { sitting_id: *sitting_id, hall_id: watched.hall_id };
            Ok((key, Oversight::Sitting { is_chief: watched.is_chief }))
        }
    }
}

/// Checks that a caller may watch a room. Fails as [`find_room`] does.
pub async fn overseeing(live: &Live, identity: &Identity, key: RoomKey) -> Result<Oversight, Fault> {
    let grade = match key {
        RoomKey::Grade(grade) => grade,
        RoomKey::Template(template_id) => grade_of_template(live, template_id).await?,
        RoomKey::Sitting { sitting_id, hall_id } => {
            let choice = hall_id.map_or(HallChoice::All, HallChoice::Id);
            let watched = live.shared.neighbours.sittings.watched(identity, sitting_id, choice).await;
            let watched = watched.map_err(|error| of_sitting(&error))?;
            return Ok(Oversight::Sitting { is_chief: watched.is_chief });
        }
    };
    watching(identity, grade)?;
    Ok(Oversight::Grade(grade))
}

/// Checks that a caller may act on a session: give it orders, make codes for it and read what happened in it. All that
/// is done with one session asks this, on both roads. A sitting has people of its own, so only where there is none the
/// grade decides. Returns the room in which the caller sees the session.
pub async fn acting_on(live: &Live, identity: &Identity, place: &SessionPlace) -> Result<(RoomKey, Oversight), Fault> {
    let key = place
        .sitting_id
        .map_or(RoomKey::Grade(place.grade), |sitting_id| RoomKey::Sitting { sitting_id, hall_id: place.hall_id });
    Ok((key, overseeing(live, identity, key).await?))
}

/// Checks that a caller may act on a session of the room that they watch. Fails with `unknown_session` if the room does
/// not have it, and as [`acting_on`] does.
pub async fn acting_in(live: &Live, identity: &Identity, room: RoomKey, session_id: Uuid) -> Result<(), Fault> {
    let place = find_place_of(live, session_id).await?.filter(|place| place.is_in(room));
    acting_on(live, identity, &place.ok_or_else(protocol::unknown_session)?).await.map(drop)
}

/// Returns where a session belongs. Fails with `storage_unavailable`.
pub async fn find_place_of(live: &Live, session_id: Uuid) -> Result<Option<SessionPlace>, Fault> {
    store::find_place_of(&live.services.database, session_id).await.map_err(|error| {
        tracing::warn!(%error, "where a session belongs cannot be read for a proctor");
        Fault::storage()
    })
}

/// Runs a proctor's request to the database. If it takes too long, it fails with `storage_unavailable`.
pub async fn in_time<T>(asking: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    tokio::time::timeout(ASKED_WITHIN, asking).await.unwrap_or_else(|_| Err(Fault::storage()))
}

async fn grade_of_template(live: &Live, template_id: Uuid) -> Result<Grade, Fault> {
    live.shared.neighbours.templates.ready(template_id).await.map(|ready| ready.grade).map_err(|error| match error {
        Error::NotFound(_) => Fault::template_not_found(),
        error => {
            tracing::warn!(%error, "a template cannot be loaded for a proctor");
            Fault::storage()
        }
    })
}

fn of_sitting(error: &Error) -> Fault {
    match error {
        Error::NotFound(_) => Fault::new(Code::SittingNotFound, "There is no such sitting, or no such room in it"),
        Error::NotHere(why) => Fault::new(Code::SittingNotFound, *why),
        Error::Forbidden(why) => Fault::new(Code::Forbidden, *why),
        error => {
            tracing::warn!(%error, "a sitting cannot be read for a proctor");
            Fault::storage()
        }
    }
}
