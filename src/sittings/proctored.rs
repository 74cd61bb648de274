//! `GET /api/sittings/proctored`: the rooms of which the person who is signed in is a proctor.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use domain::sitting::{Sitting, SittingState};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Sittings;
use super::overview::Overview;
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
    #[schema(value_type = Option<String>, format = DateTime)]
    begun_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Moment>,
    /// How far it has come. A beginning or an end by the clock may be written down later.
    state: SittingState,
    /// The names of their rooms.
    rooms: Vec<String>,
    /// Whether they begin their rooms.
    per_room: bool,
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
        ProctoredSitting::of(sitting, state, &caller.email)
    };
    let sittings = found.into_iter().map(view).collect();
    Ok(HttpResponse::Ok().json(ProctoredSittings { sittings }))
}

impl ProctoredSitting {
    fn of(sitting: Sitting, state: SittingState, email: &str) -> Self {
        let per_room = sitting.begins_per_hall();
        let is_theirs = |proctors: &[String]| proctors.iter().any(|proctor| proctor == email);
        let halls = sitting.halls.into_iter().filter(|hall| is_theirs(&hall.plan.proctors));
        Self {
            id: sitting.id,
            code: sitting.code.as_str().to_owned(),
            rooms: halls.map(|hall| hall.plan.name).collect(),
            name: sitting.plan.name,
            starts_at: sitting.plan.starts_at,
            begun_at: sitting.begun_at,
            ended_at: sitting.ended_at,
            state,
            per_room,
        }
    }
}
