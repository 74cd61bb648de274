//! Who may watch what: admins every grade, managers and reviewers the grades that they are assigned to. The room of a
//! template counts as its grade.

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

/// How long the database may take to answer a proctor's request before it is taken to be down.
const ASKED_WITHIN: Duration = Duration::from_secs(10);

/// Checks that a caller may watch exams at all. Fails with `forbidden`.
pub fn proctoring(identity: &Identity) -> Result<(), Fault> {
    if identity.role == Role::Student { Err(Fault::new(Code::Forbidden, FORBIDDEN)) } else { Ok(()) }
}

/// Checks that a caller may watch this grade. Fails with `forbidden`.
pub fn watching(identity: &Identity, grade: Grade) -> Result<(), Fault> {
    proctoring(identity)?;
    if identity.reviews().has(grade) { Ok(()) } else { Err(Fault::new(Code::Forbidden, NOT_ASSIGNED)) }
}

/// Checks that a caller may watch the grade of a session of this room. In the room of a template, that may differ from
/// the template's grade, which may have changed since the session began.
pub async fn watching_session(live: &Live, identity: &Identity, room: RoomKey, session_id: Uuid) -> Result<(), Fault> {
    // All sessions in the room of a grade are of that grade.
    let RoomKey::Template(template_id) = room else { return Ok(()) };
    let of_room = find_room_of(live, session_id).await?.filter(|(_, of)| *of == Some(template_id));
    let (grade, _) = of_room.ok_or_else(protocol::unknown_session)?;
    watching(identity, grade)
}

/// Returns the grade and the template of a session. Fails with `storage_unavailable`.
pub async fn find_room_of(live: &Live, session_id: Uuid) -> Result<Option<(Grade, Option<Uuid>)>, Fault> {
    store::find_room_of(&live.services.database, session_id).await.map_err(|error| {
        tracing::warn!(%error, "a session's grade cannot be read for a proctor");
        Fault::storage()
    })
}

/// Runs a proctor's request to the database. If it takes too long, it fails with `storage_unavailable`.
pub async fn in_time<T>(asking: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    tokio::time::timeout(ASKED_WITHIN, asking).await.unwrap_or_else(|_| Err(Fault::storage()))
}

/// Fails with `template_not_found` or `storage_unavailable`.
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
