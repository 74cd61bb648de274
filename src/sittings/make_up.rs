//! `POST /api/admin/sittings/{id}/make-up`: a second sitting for those who missed the first.

use std::collections::{HashMap, HashSet};

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use chrono::TimeDelta;
use domain::calendar::wall::Wall;
use domain::calendar::zones::Zone;
use domain::order::hall::HallStanding;
use domain::sitting::candidate::{Candidate, CandidateState};
use domain::sitting::plan::SittingPlan;
use domain::sitting::terms::Layer;
use domain::sitting::{Hall, Sitting, SittingState};
use domain::text::NAME_CHARACTERS_MAX;
use domain::time::moment::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

use super::admin::answer;
use super::fields::draft;
use super::roster::overview::candidate_state;
use super::view::OneSitting;
use super::{ManagedSitting, Sittings, new_code};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::note_detail;
use crate::http::body::Body;
use crate::http::fields::JsonFields;
use crate::store::{candidates, school};

/// Bytes of the body, which may name every candidate of a sitting.
const MAKE_UP_BYTES_MAX: usize = 1_024 * 1_024;
const WEEK_MILLISECONDS: i64 = 7 * 24 * 60 * 60 * 1_000;
/// The ending of the new sitting's name, unless the request names it.
const SUFFIX: &str = " (make-up)";
/// The answer when everybody has come and nobody is named.
const NOBODY_ABSENT: &str = "Sitting has no absent candidates";

/// What may differ from the first sitting. Every field of a new sitting may be given.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct MakeUp {
    /// The ids of the candidates; those who were absent if it is left out.
    candidates: Option<Vec<Uuid>>,
    /// That of the first with ` (make-up)` if it is left out.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// If it is left out, the same time on the same day of the first week that lies ahead.
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<Moment>,
}

/// Makes a new draft with those who were absent (everybody, if it was called off), or with those who are named.
///
/// They keep their rooms, seats, notes and values of their own; all times are moved as the start is.
#[utoipa::path(
    operation_id = "createMakeUpSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    request_body = Option<MakeUp>,
    responses(
        (status = 200, description = "The new sitting", body = OneSitting, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has no absent candidates`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/make-up")]
pub async fn make_up(
    asked: After<Manager, After<Path<String>, Body<MAKE_UP_BYTES_MAX>>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, body)) = asked;
    let managed = service.managed(&caller, &id).await?;
    let is_empty = body.0.iter().all(u8::is_ascii_whitespace);
    let fields = if is_empty { JsonFields::read(b"{}")? } else { JsonFields::read(&body.0)? };
    let named = fields.optional::<HashSet<Uuid>>("candidates")?;
    let now = service.clock.now();
    let first = &managed.sitting;
    let missing = missing(&service, &managed, named, now).await?;
    let given = draft(&fields)?;
    let starts_at = match given.starts_at {
        Some(starts_at) => starts_at,
        None => next_week(first.plan.starts_at, now, &school::find_zone(&service.database.read).await?),
    };
    let by = starts_at.since(first.plan.starts_at);
    // Nobody but those who missed the first need know of it, unless the request says so.
    let moved = SittingPlan { name: with_suffix(&first.plan.name), publish: false, ..first.plan.clone().moved(by) };
    let plan = given.plan(Some(&moved))?;
    let mut new_ids = HashMap::new();
    let mut halls = Vec::with_capacity(first.halls.len());
    for hall in &first.halls {
        let copy = Hall {
            id: Uuid::new_v4(),
            code: new_code()?,
            plan: hall.plan.clone().moved(by),
            begun_at: None,
            standing: HallStanding::default(),
        };
        new_ids.insert(hall.id, copy.id);
        halls.push(copy);
    }
    let copied = |candidate: Candidate| {
        let later = |moment: Option<Moment>| moment.map(|moment| moment.plus(by));
        let Candidate { person, name, hall_id, seat, own, note, .. } = candidate;
        let own = Layer { starts_at: later(own.starts_at), ends_at: later(own.ends_at), ..own };
        let hall_id = hall_id.and_then(|id| new_ids.get(&id).copied());
        Candidate { hall_id, seat, own, note, ..Candidate::new(Uuid::new_v4(), person, name) }
    };
    let roster: Vec<Candidate> = missing.into_iter().map(copied).collect();
    let mut sitting = Sitting {
        id: Uuid::new_v4(),
        template_id: first.template_id,
        plan,
        code: new_code()?,
        halls,
        event_id: None,
        opened_at: None,
        opened_early: false,
        begun_at: None,
        standing: HallStanding::default(),
        released_at: None,
        ended_at: None,
        version: 1,
        created_by: caller.email,
        created_at: now,
    };
    note_detail(&sitting.id.to_string());
    service.insert(&mut sitting, &roster).await?;
    answer(&service, ManagedSitting { sitting, template: managed.template }).await
}

/// The candidates who are named, or those who were absent.
async fn missing(
    service: &Sittings,
    managed: &ManagedSitting,
    named: Option<HashSet<Uuid>>,
    now: Moment,
) -> Result<Vec<Candidate>, Error> {
    let sitting = &managed.sitting;
    let mut roster = candidates::load_of(&service.database.read, sitting.id).await?;
    if let Some(named) = named {
        roster.retain(|candidate| named.contains(&candidate.id));
        let is_known = !named.is_empty() && roster.len() == named.len();
        return if is_known { Ok(roster) } else { Err(Error::invalid("candidates")) };
    }
    let state = service.overview(managed, now).await?.state;
    roster.retain(|candidate| {
        let terms = sitting.terms(candidate, managed.template.duration_minutes);
        let standing = candidate_state(candidate, None, &terms, state, now);
        // Of one that was called off, those too who had entered.
        let has_waited = matches!(standing, CandidateState::Waiting | CandidateState::Ready);
        standing == CandidateState::Absent || state == SittingState::Ended && has_waited
    });
    if roster.is_empty() { Err(Error::Conflict(NOBODY_ABSENT)) } else { Ok(roster) }
}

/// The same time of the same day in the first week that lies ahead, by the clocks of the school: a week in which they
/// change has an hour more or less.
fn next_week(starts_at: Moment, now: Moment, zone: &Zone) -> Moment {
    let passed = now.since(starts_at).max(0) / WEEK_MILLISECONDS;
    let in_weeks = |weeks: i64| {
        let wall = zone.wall(starts_at).naive().checked_add_signed(TimeDelta::weeks(weeks)).and_then(Wall::new);
        // Clocks on a wall have no fractions of a second.
        let fraction = starts_at.milliseconds().rem_euclid(1_000);
        let settled = |wall| zone.settle(wall).moment.plus(fraction);
        wall.map_or_else(|| starts_at.plus(weeks * WEEK_MILLISECONDS), settled)
    };
    (passed..=passed + 2).map(in_weeks).find(|start| *start > now.max(starts_at)).unwrap_or(starts_at)
}

fn with_suffix(name: &str) -> String {
    let kept = NAME_CHARACTERS_MAX.saturating_sub(SUFFIX.chars().count());
    let stem = name.strip_suffix(SUFFIX).unwrap_or(name);
    stem.chars().take(kept).chain(SUFFIX.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_later_is_the_same_time_of_day() {
        let moment = |text: &str| Moment::parse(text).unwrap();
        let berlin = Zone::parse("Europe/Berlin").unwrap();
        for (zone, starts_at, now, next) in [
            // The clocks of Berlin go back on 25 October, and forward on 29 March.
            (&berlin, "2026-10-20T07:00:00Z", "2026-10-21T07:00:00Z", "2026-10-27T08:00:00Z"),
            (&berlin, "2026-10-20T07:00:00Z", "2026-10-27T07:30:00Z", "2026-10-27T08:00:00Z"),
            (&berlin, "2026-03-24T08:00:00Z", "2026-03-31T07:00:00Z", "2026-04-07T07:00:00Z"),
            (&Zone::site(), "2026-10-20T07:00:00Z", "2026-10-21T07:00:00Z", "2026-10-27T07:00:00Z"),
            (&Zone::site(), "2026-10-20T07:00:00Z", "2026-10-13T07:00:00Z", "2026-10-27T07:00:00Z"),
        ] {
            assert_eq!(next_week(moment(starts_at), moment(now), zone), moment(next), "{starts_at} {now}");
        }
    }
}
