//! The events of a live exam, for those who may watch it, over their socket and over HTTPS.

use actix_web::web::{Data, Path};
use actix_web::{Error as ActixError, HttpResponse, get};
use domain::grade::Grade;
use domain::room::RoomKey;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::Staff;
use crate::database::Database;
use crate::error::Error;
use crate::http::after::After;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::store;
use crate::sessions::read::{SESSION_NOT_FOUND, parse_id, private};

/// One event of a live exam.
#[derive(Serialize, ToSchema)]
pub struct EventView {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    kind: String,
    by: String,
    detail: String,
}

/// The events of a session, and the rooms to which it belongs.
pub struct History {
    grade: Grade,
    template_id: Option<Uuid>,
    /// In the order in which they happened.
    pub events: Vec<EventView>,
}

impl History {
    /// Whether the session belongs to the room.
    #[must_use]
    pub fn is_of(&self, room: RoomKey) -> bool {
        match room {
            RoomKey::Grade(grade) => self.grade == grade,
            RoomKey::Template(template_id) => self.template_id == Some(template_id),
        }
    }
}

/// Returns `None` when there is no session with this id.
pub async fn find(database: &Database, session_id: Uuid) -> Result<Option<History>, Error> {
    let Some((grade, template_id)) = store::find_room_of(database, session_id).await? else { return Ok(None) };
    let view = |event: entities::attempt_event::Model| EventView {
        at: Moment::from_milliseconds(event.at_ms),
        kind: event.kind,
        by: event.by,
        detail: event.detail,
    };
    let found = store::find_events(database, session_id).await?;
    Ok(Some(History { grade, template_id, events: found.into_iter().map(view).collect() }))
}

/// All events of a session.
#[derive(Serialize, ToSchema)]
struct EventsView {
    events: Vec<EventView>,
}

/// Returns the events of a live exam in order: start, connections, focus, stage, orders of proctors, and submission.
#[utoipa::path(
    operation_id = "listLiveEvents",
    tag = "live",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "The events", body = EventsView),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Not assigned to this grade", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
    )
)]
#[get("/api/live/sessions/{id}/events")]
pub async fn events(
    asked: Result<After<Staff, Path<String>>, ActixError>,
    database: Data<Database>,
) -> Result<HttpResponse, LiveError> {
    let After(staff, id) = asked?;
    let id = parse_id(&id)?;
    let history = find(&database, id).await?.ok_or(Error::NotFound(SESSION_NOT_FOUND))?;
    staff.reviewing(history.grade)?;
    Ok(private(&mut HttpResponse::Ok()).json(EventsView { events: history.events }))
}
