//! The sessions of a room over plain HTTPS, for callers without a socket.

use actix_web::web::{Data, Query};
use actix_web::{Error as ActixError, HttpResponse, get};
use domain::grade::Grade;
use domain::room::RoomKey;
use domain::room::row::{SessionRow, SessionState};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::caller::Proctoring;
use super::protocol::{self, RoomChoice};
use super::rights;
use crate::error::{Error, UNAVAILABLE};
use crate::http::after::After;
use crate::http::answers::private;
use crate::live::Live;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::rooms::Ask;

/// A grade, a template, or a sitting with an optional room.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskedRoom {
    grade: Option<String>,
    template_id: Option<String>,
    sitting_id: Option<String>,
    /// The name of a hall.
    room: Option<String>,
}

impl AskedRoom {
    pub(super) fn choice(&self) -> Result<RoomChoice, Fault> {
        let invalid = || Fault::new(Code::InvalidGrade, "Invalid grade");
        match (&self.grade, &self.template_id, &self.sitting_id, &self.room) {
            (Some(grade), None, None, None) => {
                Grade::parse(grade).map(|grade| RoomChoice::Key(RoomKey::Grade(grade))).ok_or_else(invalid)
            }
            (None, Some(template_id), None, None) => {
                let template_id = template_id.parse().map_err(|_| Fault::template_not_found())?;
                Ok(RoomChoice::Key(RoomKey::Template(template_id)))
            }
            (None, None, Some(sitting_id), hall) => {
                let sitting_id = sitting_id.parse().map_err(|_| protocol::sitting_not_found())?;
                Ok(RoomChoice::Sitting { sitting_id, hall: hall.clone() })
            }
            _ => Err(invalid()),
        }
    }
}

/// All sessions of a room that are not submitted; of a sitting's room everyone on the roster.
#[derive(Serialize, ToSchema)]
struct SessionsView {
    sessions: Vec<SessionRow>,
}

/// Lists the sessions of a grade or a template that are not submitted, on all servers; or everyone on the roster of a
/// sitting, or of one of its rooms.
#[utoipa::path(
    operation_id = "listLiveSessions",
    tag = "live",
    security(("api_token" = [])),
    params(
        ("grade" = Option<u8>, Query, description = "1 to 10; or `templateId`, or `sittingId`", minimum = 1, maximum = 10),
        ("templateId" = Option<String>, Query, description = "Id of a template"),
        ("sittingId" = Option<String>, Query, description = "Id of a sitting"),
        ("room" = Option<String>, Query, description = "With `sittingId`: the name of one of its rooms"),
    ),
    responses(
        (status = 200, description = "The sessions", body = SessionsView),
        (status = 400, description = "Not one of a grade, a template and a sitting", body = LiveErrorBody),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Not assigned to this grade, or not a proctor of this room", body = LiveErrorBody),
        (status = 404, description = "Unknown template, sitting or room", body = LiveErrorBody),
        (status = 503, description = "The store is away", body = LiveErrorBody),
    )
)]
#[get("/api/live/sessions")]
pub async fn sessions(
    asked: Result<After<Proctoring, Query<AskedRoom>>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), asked) = asked?;
    let (key, _) = rights::in_time(rights::find_room(&live, &identity, &asked.choice()?)).await?;
    let rows = live.shared.rooms.send(Ask(key)).await.ok().flatten().ok_or(Error::Unavailable(UNAVAILABLE))?;
    let is_listed = |row: &SessionRow| key.sitting_id().is_some() || row.attempt.state != SessionState::Submitted;
    let sessions = rows.into_iter().filter(is_listed).collect();
    Ok(private(&mut HttpResponse::Ok()).json(SessionsView { sessions }))
}
