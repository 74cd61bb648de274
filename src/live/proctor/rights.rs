//! Who may watch what: admins every grade, managers and reviewers the grades that they are assigned to; of a sitting
//! those who manage it everything, and the proctors of a hall that hall. The room of a template counts as its grade.

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
    /// The grade to which orders in the room of a template are limited.
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
    live.sittings.is_proctor(&identity.email).await.map_err(|error| of_sitting(&error))
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
            let watched = live.sittings.watched(identity, *sitting_id, choice).await;
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
            let watched = live.sittings.watched(identity, sitting_id, choice).await;
            let watched = watched.map_err(|error| of_sitting(&error))?;
            return Ok(Oversight::Sitting { is_chief: watched.is_chief });
        }
    };
    watching(identity, grade)?;
    Ok(Oversight::Grade(grade))
}

/// Checks that a caller may watch a session: as staff of its grade, or in its sitting. Returns the room in which they
/// see it.
pub async fn overseeing_session(
    live: &Live,
    identity: &Identity,
    place: &SessionPlace,
) -> Result<(RoomKey, Oversight), Fault> {
    let refused = match watching(identity, place.grade) {
        Ok(()) => return Ok((RoomKey::Grade(place.grade), Oversight::Grade(place.grade))),
        Err(refused) => refused,
    };
    let Some(sitting_id) = place.sitting_id else { return Err(refused) };
    let key = RoomKey::Sitting { sitting_id, hall_id: place.hall_id };
    match overseeing(live, identity, key).await {
        Ok(oversight) => Ok((key, oversight)),
        Err(fault) if fault.code == Code::StorageUnavailable => Err(fault),
        Err(_) => Err(refused),
    }
}

/// Checks that a caller may watch the grade of a session of this room. In the room of a template, that may differ from
/// the template's grade, which may have changed since the session began.
pub async fn watching_session(live: &Live, identity: &Identity, room: RoomKey, session_id: Uuid) -> Result<(), Fault> {
    // All sessions in the room of a grade are of that grade, and those of a sitting are seen whatever their grade is.
    let RoomKey::Template(_) = room else { return Ok(()) };
    let of_room = find_place_of(live, session_id).await?.filter(|place| place.is_in(room));
    watching(identity, of_room.ok_or_else(protocol::unknown_session)?.grade)
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
    live.templates.ready(template_id).await.map(|ready| ready.grade).map_err(|error| match error {
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
