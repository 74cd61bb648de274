//! Who may watch what: admins every grade, managers and reviewers those that they are assigned to; of a template, its
//! grade.

use std::time::Duration;

use domain::access::{Identity, Role};
use domain::grade::Grade;
use domain::room::RoomKey;
use uuid::Uuid;

use super::protocol;
use crate::auth::caller::NOT_ASSIGNED;
use crate::error::{Error, FORBIDDEN};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::{Live, store};

/// The store answers a proctor's question within this time, or is taken to be away.
const ASKED_WITHIN: Duration = Duration::from_secs(10);

/// Whether someone may watch exams at all.
///
/// # Errors
/// `forbidden`.
pub fn proctoring(identity: &Identity) -> Result<(), Fault> {
    if identity.role == Role::Student { Err(Fault::new(Code::Forbidden, FORBIDDEN)) } else { Ok(()) }
}

/// Whether they may watch this grade.
///
/// # Errors
/// `forbidden` with `Not assigned to this grade`.
pub fn watching(identity: &Identity, grade: Grade) -> Result<(), Fault> {
    proctoring(identity)?;
    if identity.reviews().has(grade) { Ok(()) } else { Err(Fault::new(Code::Forbidden, NOT_ASSIGNED)) }
}

/// Whether they may watch the grade of this session of the room, which may have another one than its template has by now.
///
/// # Errors
/// `forbidden`, `unknown_session`, or `storage_unavailable`.
pub async fn watching_session(live: &Live, identity: &Identity, room: RoomKey, session_id: Uuid) -> Result<(), Fault> {
    // In the room of a grade there is no session of another one.
    let RoomKey::Template(template_id) = room else { return Ok(()) };
    let found = store::find_room_of(&live.services.database, session_id).await.map_err(|error| {
        tracing::warn!(%error, "a session's grade cannot be read for a proctor");
        Fault::storage()
    });
    let of_room = found?.filter(|(_, of)| *of == Some(template_id));
    let (grade, _) = of_room.ok_or_else(protocol::unknown_session)?;
    watching(identity, grade)
}

/// What the store is asked for a proctor, within a time.
///
/// # Errors
/// Those of the asking, and `storage_unavailable`.
pub async fn in_time<T>(asking: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    tokio::time::timeout(ASKED_WITHIN, asking).await.unwrap_or_else(|_| Err(Fault::storage()))
}

/// The grade of a room.
///
/// # Errors
/// `template_not_found`, or `storage_unavailable`.
pub async fn grade_of(live: &Live, key: RoomKey) -> Result<Grade, Fault> {
    match key {
        RoomKey::Grade(grade) => Ok(grade),
        RoomKey::Template(template_id) => grade_of_template(live, template_id).await,
    }
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
