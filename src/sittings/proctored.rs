//! `GET /api/sittings/proctored`: the rooms of which the person who is signed in is a proctor.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use domain::sitting::values::StartRule;
use domain::sitting::{Hall, Sitting, SittingState};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Sittings;
use super::roster::overview::Overview;
use super::standing::StandingView;
use crate::auth::caller::Anyone;
use crate::error::{Error, ErrorBody};
use crate::store::templates::load_headers;
use crate::store::{candidates, sittings};

/// Sittings of one proctor.
const PROCTORED_SITTINGS_MAX: u64 = 500;

/// `{ sittings }`, those that start last first.
#[derive(Serialize, ToSchema)]
struct ProctoredSittings {
    sittings: Vec<ProctoredSitting>,
}

/// A sitting as the proctor of a room sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProctoredSitting {
    id: Uuid,
    name: String,
    /// Part of the address of its page: `/s/{code}`.
    #[schema(example = "K7PQ2")]
    code: String,
    #[schema(value_type = String, format = DateTime)]
    starts_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    begun_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Moment>,
    /// How far it has come. A beginning or an end by the clock may be written down later.
    state: SittingState,
    /// When time begins to count: `clock`, `proctor` or `own`.
    #[schema(value_type = StartRule)]
    start: &'static str,
    /// Whether time counts in all of their rooms; each candidate begins on their own where `start` is `own`.
    begun: bool,
    /// The names of their rooms.
    rooms: Vec<String>,
    /// The same with what is to come there.
    room_starts: Vec<RoomStart>,
    /// Whether they begin their rooms.
    per_room: bool,
    /// What was ordered for everyone in the sitting.
    standing: StandingView,
}

/// When time begins to count in a room.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoomStart {
    name: String,
    /// As planned.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Moment,
    /// Since when time counts there; null before that.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    begun_at: Option<Moment>,
    /// What was ordered for everyone there.
    standing: StandingView,
}

/// The sittings in which the person who is signed in is a proctor, with their rooms.
#[utoipa::path(
    operation_id = "listProctoredSittings",
    tag = "sittings",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Their rooms", body = ProctoredSittings),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/sittings/proctored")]
pub async fn list(Anyone(caller): Anyone, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    let caller = caller.ok_or(Error::Unauthorized)?;
    service.here()?;
    let (database, now) = (&service.database, service.clock.now());
    let found = sittings::load_proctored(database, &caller.email, PROCTORED_SITTINGS_MAX).await?;
    let templates = load_headers(database, found.iter().map(|sitting| sitting.template_id)).await?;
    let groups = candidates::load_groups(&database.read, found.iter().map(|sitting| sitting.id).collect()).await?;
    let view = |sitting: Sitting| {
        let minutes = templates.get(&sitting.template_id).map_or(0, |template| template.duration_minutes);
        let state = Overview::of(&sitting, minutes, &groups, now).state;
        ProctoredSitting::of(sitting, state, &caller.email, now)
    };
    let sittings = found.into_iter().map(view).collect();
    Ok(HttpResponse::Ok().json(ProctoredSittings { sittings }))
}

impl ProctoredSitting {
    fn of(sitting: Sitting, state: SittingState, email: &str, now: Moment) -> Self {
        let per_room = sitting.begins_per_hall();
        let is_theirs = |proctors: &[String]| proctors.iter().any(|proctor| proctor == email);
        let halls: Vec<&Hall> = sitting.halls.iter().filter(|hall| is_theirs(&hall.plan.proctors)).collect();
        let room_start = |hall: &&Hall| {
            let terms = sitting.hall_terms(Some(hall.id));
            let begins_at = terms.begins_at.map(|begins_at| begins_at.value);
            RoomStart {
                name: hall.plan.name.clone(),
                starts_at: terms.starts_at.value,
                begun_at: begins_at.filter(|begins_at| *begins_at <= now && sitting.plan.start != StartRule::Own),
                standing: StandingView::of(&hall.standing),
            }
        };
        let room_starts: Vec<RoomStart> = halls.iter().map(room_start).collect();
        Self {
            id: sitting.id,
            code: sitting.code.as_str().to_owned(),
            rooms: halls.iter().map(|hall| hall.plan.name.clone()).collect(),
            start: sitting.plan.start.name(),
            begun: room_starts.iter().all(|room| room.begun_at.is_some()),
            room_starts,
            standing: StandingView::of(&sitting.standing),
            name: sitting.plan.name,
            starts_at: sitting.plan.starts_at,
            begun_at: sitting.begun_at,
            ended_at: sitting.ended_at,
            state,
            per_room,
        }
    }
}
