//! `GET /api/sittings`: the sittings of the person who is signed in, past and coming.

use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use domain::sitting::candidate::{Candidate, CandidateState};
use domain::sitting::entry::EntryRefusal;
use domain::sitting::terms::CandidateTerms;
use domain::sitting::{Sitting, SittingState};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::Anyone;
use crate::error::{Error, ErrorBody};
use crate::sittings::Sittings;
use crate::sittings::roster::overview::{Overview, candidate_state};
use crate::store::candidates::AttemptStanding;
use crate::store::templates::load_headers;
use crate::store::{accommodations, candidates, sittings};

/// Sittings of one person.
const OWN_SITTINGS_MAX: u64 = 500;

/// `{ sittings }`: those that come next first, then those that are over, the last one first.
#[derive(Serialize, ToSchema)]
struct OwnSittings {
    sittings: Vec<OwnSitting>,
}

/// A sitting as one of its candidates sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnSitting {
    id: Uuid,
    name: String,
    /// Part of the address of its page: `/s/{code}`.
    #[schema(example = "K7PQ2")]
    code: String,
    /// How far the candidate has come.
    state: CandidateState,
    /// What they may do now.
    may: OwnAction,
    /// When it is to start for them.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Moment,
    /// From when they may enter.
    #[schema(value_type = String, format = DateTime)]
    doors_at: Moment,
    /// The minutes that they have, extra time included.
    minutes: f64,
    #[schema(required)]
    room: Option<String>,
    #[schema(required)]
    seat: Option<String>,
    #[schema(required)]
    session_id: Option<Uuid>,
    /// Whether results may be seen.
    released: bool,
    #[serde(skip)]
    is_over: bool,
}

/// What a candidate may do with a sitting now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum OwnAction {
    /// The doors have not opened for them.
    Wait,
    /// Enter.
    Enter,
    /// Go on.
    Resume,
    /// See the result.
    Result,
    /// Nothing: the entry is over, or the result is held.
    Nothing,
}

/// The sittings of the person who is signed in, and what they may do now.
#[utoipa::path(
    operation_id = "listMySittings",
    tag = "sittings",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Own sittings, past and coming", body = OwnSittings),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/sittings")]
pub async fn list(Anyone(caller): Anyone, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    let caller = caller.ok_or(Error::Unauthorized)?;
    service.here()?;
    let mut sittings = service.own(&caller.email).await?;
    sittings.sort_by_key(|own| {
        (own.is_over, if own.is_over { -own.starts_at.milliseconds() } else { own.starts_at.milliseconds() })
    });
    Ok(HttpResponse::Ok().json(OwnSittings { sittings }))
}

impl Sittings {
    async fn own(&self, email: &str) -> Result<Vec<OwnSitting>, Error> {
        let (database, now) = (&self.database, self.clock.now());
        let mut entries: HashMap<Uuid, Candidate> =
            candidates::load_of_person(database, email, OWN_SITTINGS_MAX).await?.into_iter().collect();
        let ids: Vec<Uuid> = entries.keys().copied().collect();
        let found = sittings::load(database, ids.clone()).await?;
        let templates = load_headers(database, found.iter().map(|sitting| sitting.template_id)).await?;
        let accommodation = accommodations::find(&database.read, email).await?;
        let standings =
            candidates::load_standings_of(&database.read, entries.values().filter_map(|one| one.session_id)).await?;
        let groups = candidates::load_groups(&database.read, ids).await?;
        let mut own = Vec::with_capacity(found.len());
        for sitting in found {
            let Some(mut candidate) = entries.remove(&sitting.id) else { continue };
            if sitting.opened_at.is_none() {
                let layer = accommodation.as_ref().map(|one| one.layer(sitting.plan.starts_at));
                candidate.accommodate(layer.unwrap_or_default());
            }
            let minutes = templates.get(&sitting.template_id).map_or(0, |template| template.duration_minutes);
            let state = Overview::of(&sitting, minutes, &groups, now).state;
            let terms = sitting.terms(&candidate, minutes);
            own.push(OwnSitting::of(&sitting, candidate, &terms, &standings, state, now));
        }
        Ok(own)
    }
}

impl OwnSitting {
    fn of(
        sitting: &Sitting,
        candidate: Candidate,
        terms: &CandidateTerms,
        standings: &HashMap<Uuid, AttemptStanding>,
        sitting_state: SittingState,
        now: Moment,
    ) -> Self {
        let state = candidate_state(&candidate, standings.get(&candidate.id), terms, sitting_state, now);
        let released = sitting.is_released();
        let may = match state {
            CandidateState::Submitted if released => OwnAction::Result,
            CandidateState::Submitted => OwnAction::Nothing,
            CandidateState::Waiting | CandidateState::Ready | CandidateState::Active | CandidateState::Paused => {
                OwnAction::Resume
            }
            CandidateState::Expected | CandidateState::Absent => match sitting.admits(&candidate, terms, now) {
                Ok(()) => OwnAction::Enter,
                Err(EntryRefusal::NotOpen(_)) => OwnAction::Wait,
                Err(EntryRefusal::Closed) => OwnAction::Nothing,
            },
        };
        let milliseconds = i32::try_from(terms.allowance_milliseconds()).unwrap_or(i32::MAX);
        Self {
            id: sitting.id,
            name: sitting.plan.name.clone(),
            code: sitting.code.as_str().to_owned(),
            state,
            may,
            starts_at: terms.starts_at.value,
            doors_at: sitting.doors_for(terms),
            minutes: f64::from(milliseconds) / 60_000.0,
            room: sitting.hall(candidate.hall_id).map(|hall| hall.plan.name.clone()),
            seat: candidate.seat,
            session_id: candidate.session_id,
            released,
            is_over: sitting_state == SittingState::Ended || state == CandidateState::Submitted,
        }
    }
}
