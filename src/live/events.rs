//! What happened to a live exam, for admins (`live.md` 3).

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::store;
use crate::auth::caller::Admin;
use crate::database::Database;
use crate::domain::moment::Moment;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::sessions::read::{SESSION_NOT_FOUND, private};

/// One event.
#[derive(Serialize, ToSchema)]
struct EventView {
    #[schema(value_type = String)]
    at: Moment,
    kind: String,
    by: String,
    detail: String,
}

/// All events of a session.
#[derive(Serialize, ToSchema)]
struct EventsView {
    events: Vec<EventView>,
}

/// Start, connections, focus, stage and submission of a live exam, in order.
#[utoipa::path(
    tag = "live",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "The events", body = EventsView),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not an admin", body = ErrorBody),
        (status = 404, description = "Unknown session", body = ErrorBody),
    )
)]
#[get("/api/live/sessions/{id}/events")]
pub async fn events(asked: After<Admin, Path<String>>, database: Data<Database>) -> Result<HttpResponse, Error> {
    let After(_admin, id) = asked;
    let id = id.parse::<Uuid>().map_err(|_| Error::NotFound(SESSION_NOT_FOUND))?;
    let events = store::find_events(&database, id).await?.ok_or(Error::NotFound(SESSION_NOT_FOUND))?;
    let view =
        |event: entities::attempt_event::Model| EventView { at: Moment::from_milliseconds(event.at_ms), kind: event.kind, by: event.by, detail: event.detail };
    Ok(private(&mut HttpResponse::Ok()).json(EventsView { events: events.into_iter().map(view).collect() }))
}
