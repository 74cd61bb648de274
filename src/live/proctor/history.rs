//! The events of a live exam, for those who may watch it, over their socket and over HTTPS.

use actix_web::web::{Data, Path};
use actix_web::{Error as ActixError, HttpResponse, get};
use domain::access::Identity;
use domain::room::RoomKey;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::caller::Proctoring;
use super::{protocol, rights};
use crate::database::Database;
use crate::error::Error;
use crate::http::after::After;
use crate::http::answers::private;
use crate::live::Live;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::protocol::fault::Fault;
use crate::live::store::{self, SessionPlace};
use crate::sessions::read::{SESSION_NOT_FOUND, parse_id};
use crate::store::incidents::RecordEntry;
use crate::store::{candidates, incidents};

/// One event of a live exam.
#[derive(Serialize, ToSchema)]
pub struct EventView {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    kind: String,
    by: String,
    detail: String,
}

/// The events of a session or a candidate, and where they belong.
pub struct History {
    place: HistoryPlace,
    /// In the order in which they happened.
    pub events: Vec<EventView>,
}

enum HistoryPlace {
    Session(SessionPlace),
    /// Someone who has not entered.
    Candidate {
        sitting_id: Uuid,
        hall_id: Option<Uuid>,
    },
}

impl History {
    /// Checks that a caller may read it.
    pub async fn admit(&self, live: &Live, identity: &Identity) -> Result<(), Fault> {
        match self.place {
            HistoryPlace::Session(place) => rights::acting_on(live, identity, &place).await.map(drop),
            HistoryPlace::Candidate { sitting_id, hall_id } => {
                rights::overseeing(live, identity, RoomKey::Sitting { sitting_id, hall_id }).await.map(drop)
            }
        }
    }

    /// Returns whether it belongs to the room.
    #[must_use]
    pub fn is_in(&self, room: RoomKey) -> bool {
        match (&self.place, room) {
            (HistoryPlace::Session(place), _) => place.is_in(room),
            (HistoryPlace::Candidate { sitting_id, hall_id }, RoomKey::Sitting { sitting_id: of, hall_id: hall }) => {
                *sitting_id == of && (hall.is_none() || *hall_id == hall)
            }
            (HistoryPlace::Candidate { .. }, _) => false,
        }
    }
}

/// Returns `None` when there is no session with this id.
pub async fn find(database: &Database, session_id: Uuid) -> Result<Option<History>, Error> {
    let Some(place) = store::find_place_of(database, session_id).await? else { return Ok(None) };
    let view = |event: entities::attempt_event::Model| EventView {
        at: Moment::from_milliseconds(event.at_ms),
        kind: event.kind,
        by: event.by,
        detail: event.detail,
    };
    let mut found: Vec<EventView> = store::find_events(database, session_id).await?.into_iter().map(view).collect();
    if let (Some(sitting_id), Some(candidate_id)) = (place.sitting_id, place.candidate_id) {
        found.extend(record(database, sitting_id, candidate_id, place.hall_id).await?);
        // Events of one moment stay in their order.
        found.sort_by_key(|event| event.at);
    }
    Ok(Some(History { place: HistoryPlace::Session(place), events: found }))
}

/// Returns `None` when there is no candidate with this id.
pub async fn find_of_candidate(database: &Database, candidate_id: Uuid) -> Result<Option<History>, Error> {
    let Some((sitting_id, hall_id)) = candidates::find_place(&database.read, candidate_id).await? else {
        return Ok(None);
    };
    let found = candidates::find(&database.read, sitting_id, candidate_id).await?;
    if let Some(session_id) = found.and_then(|candidate| candidate.session_id)
        && let Some(history) = find(database, session_id).await?
    {
        return Ok(Some(history));
    }
    let found = record(database, sitting_id, candidate_id, hall_id).await?;
    Ok(Some(History { place: HistoryPlace::Candidate { sitting_id, hall_id }, events: found }))
}

/// What proctors have put on record of a candidate.
async fn record(
    database: &Database,
    sitting_id: Uuid,
    candidate_id: Uuid,
    hall_id: Option<Uuid>,
) -> Result<Vec<EventView>, Error> {
    let view = |entry: RecordEntry| EventView {
        at: Moment::from_milliseconds(entry.at_ms),
        kind: entry.kind,
        by: entry.by,
        detail: entry.detail,
    };
    let entries = incidents::load_record(&database.read, sitting_id, candidate_id, hall_id).await?;
    Ok(entries.into_iter().map(view).collect())
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
        (status = 403, description = "Neither assigned to this grade nor a proctor of this room", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
    )
)]
#[get("/api/live/sessions/{id}/events")]
pub async fn events(
    asked: Result<After<Proctoring, Path<String>>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), id) = asked?;
    let id = parse_id(&id)?;
    let history = find(&live.services.database, id).await?.ok_or(Error::NotFound(SESSION_NOT_FOUND))?;
    answer(&live, &identity, history).await
}

/// Returns what happened to a candidate of a sitting in order, also to one who has not entered: attendance, incidents,
/// and the events of the live exam.
#[utoipa::path(
    operation_id = "listCandidateEvents",
    tag = "live",
    security(("api_token" = [])),
    params(("candidateId" = String, Path, description = "Candidate id")),
    responses(
        (status = 200, description = "The events", body = EventsView),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Not a proctor of this room", body = LiveErrorBody),
        (status = 404, description = "Unknown candidate", body = LiveErrorBody),
    )
)]
#[get("/api/live/candidates/{candidateId}/events")]
pub async fn candidate_events(
    asked: Result<After<Proctoring, Path<String>>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), id) = asked?;
    let unknown = || LiveError::from(protocol::unknown_candidate());
    let id = id.parse().map_err(|_| unknown())?;
    let history = find_of_candidate(&live.services.database, id).await?.ok_or_else(unknown)?;
    answer(&live, &identity, history).await
}

async fn answer(live: &Live, identity: &Identity, history: History) -> Result<HttpResponse, LiveError> {
    history.admit(live, identity).await?;
    Ok(private(&mut HttpResponse::Ok()).json(EventsView { events: history.events }))
}
