//! The sessions of a room over plain HTTPS, for callers without a socket.

use actix_web::web::{Data, Query};
use actix_web::{Error as ActixError, HttpResponse, get};
use domain::grade::Grade;
use domain::room::RoomKey;
use domain::room::row::{SessionRow, SessionState};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rights;
use crate::auth::caller::Staff;
use crate::error::{Error, UNAVAILABLE};
use crate::http::after::After;
use crate::live::Live;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::rooms::Ask;
use crate::sessions::read::private;

/// A grade or a template, but not both.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskedRoom {
    grade: Option<String>,
    template_id: Option<String>,
}

impl AskedRoom {
    pub(super) fn key(&self) -> Result<RoomKey, Fault> {
        let invalid = || Fault::new(Code::InvalidGrade, "Invalid grade");
        match (&self.grade, &self.template_id) {
            (Some(grade), None) => Grade::parse(grade).map(RoomKey::Grade).ok_or_else(invalid),
            (None, Some(template_id)) => {
                template_id.parse().map(RoomKey::Template).map_err(|_| Fault::template_not_found())
            }
            _ => Err(invalid()),
        }
    }
}

/// All sessions of a room that are not submitted.
#[derive(Serialize, ToSchema)]
struct SessionsView {
    sessions: Vec<SessionRow>,
}

/// Lists the sessions of a grade or a template that are not submitted, on all servers.
#[utoipa::path(
    operation_id = "listLiveSessions",
    tag = "live",
    security(("api_token" = [])),
    params(
        ("grade" = Option<u8>, Query, description = "1 to 10; or `templateId`", minimum = 1, maximum = 10),
        ("templateId" = Option<String>, Query, description = "Id of a template"),
    ),
    responses(
        (status = 200, description = "The sessions", body = SessionsView),
        (status = 400, description = "Neither a grade nor a template, or both", body = LiveErrorBody),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Not assigned to this grade", body = LiveErrorBody),
        (status = 404, description = "Unknown template", body = LiveErrorBody),
        (status = 503, description = "The store is away", body = LiveErrorBody),
    )
)]
#[get("/api/live/sessions")]
pub async fn sessions(
    asked: Result<After<Staff, Query<AskedRoom>>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(staff, asked) = asked?;
    let key = asked.key()?;
    staff.reviewing(rights::grade_of(&live, key).await?)?;
    let rows = live.rooms.send(Ask(key)).await.ok().flatten().ok_or(Error::Unavailable(UNAVAILABLE))?;
    let sessions = rows.into_iter().filter(|row| row.state != SessionState::Submitted).collect();
    Ok(private(&mut HttpResponse::Ok()).json(SessionsView { sessions }))
}
