//! A later sitting, made of one that there is: what a make-up and a sitting that is held again have in common. The
//! plan, the rooms and the people come along at other times; codes are new, and nothing of what has happened is copied.

use std::collections::HashMap;

use actix_web::web::Path;
use chrono::TimeDelta;
use domain::access::Identity;
use domain::calendar::wall::Wall;
use domain::calendar::zones::Zone;
use domain::sitting::Hall;
use domain::sitting::candidate::Candidate;
use domain::sitting::plan::{HallDraft, SittingPlan};
use domain::sitting::terms::Layer;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::admin::{merged, new_hall};
use super::fields::SittingFields;
use super::{ManagedSitting, Sittings, new_sitting};
use crate::auth::caller::Manager;
use crate::error::Error;
use crate::http::after::After;
use crate::http::audit::note_detail;
use crate::http::body::Body;
use crate::http::fields::JsonFields;
use crate::store::school;

/// Bytes of the body, which may name every candidate of a sitting.
const LATER_BYTES_MAX: usize = 1_024 * 1_024;
const WEEK_MILLISECONDS: i64 = 7 * 24 * 60 * 60 * 1_000;

/// Of which sitting, and what is to differ from it; the body may be empty.
pub(super) type LaterRequest = After<Manager, After<Path<String>, Body<LATER_BYTES_MAX>>>;

/// The fields of a body that may be left out.
pub(super) fn fields_of(body: &Body<LATER_BYTES_MAX>) -> Result<JsonFields, Error> {
    let is_empty = body.0.iter().all(u8::is_ascii_whitespace);
    JsonFields::read(if is_empty { b"{}" } else { &body.0 })
}

/// How the times of the later sitting follow from those of the first: by the clocks of the school, so that nine stays
/// nine although a week in which they change has an hour more or less.
struct Delay {
    zone: Zone,
    /// How much later clocks on the wall show, in whole seconds.
    on_wall: TimeDelta,
    /// The rest, for times that were given more exactly.
    milliseconds: i64,
}

impl Delay {
    fn until(starts_at: Moment, given: Moment, zone: Zone) -> Self {
        let on_wall = zone.wall(given).naive().signed_duration_since(zone.wall(starts_at).naive());
        Self { zone, on_wall, milliseconds: fraction(given) - fraction(starts_at) }
    }

    /// Until the first week that lies ahead of now and of the sitting.
    fn until_next_week(starts_at: Moment, now: Moment, zone: Zone) -> Self {
        let passed = now.since(starts_at).max(0) / WEEK_MILLISECONDS;
        let lies_ahead = |weeks: &i64| later_on_wall(starts_at, TimeDelta::weeks(*weeks), &zone) > now.max(starts_at);
        let weeks = (passed..=passed + 2).find(lies_ahead).unwrap_or_default();
        Self { zone, on_wall: TimeDelta::weeks(weeks), milliseconds: 0 }
    }

    fn after(&self, moment: Moment) -> Moment {
        later_on_wall(moment, self.on_wall, &self.zone).plus(self.milliseconds)
    }
}

/// When the clocks on the wall show so much more.
fn later_on_wall(moment: Moment, by: TimeDelta, zone: &Zone) -> Moment {
    let wall = zone.wall(moment).naive().checked_add_signed(by).and_then(Wall::new);
    let settled = |wall| zone.settle(wall).moment.plus(fraction(moment));
    wall.map_or_else(|| moment.plus(by.num_milliseconds()), settled)
}

/// Clocks on a wall have no fractions of a second.
const fn fraction(moment: Moment) -> i64 {
    moment.milliseconds().rem_euclid(1_000)
}

impl Sittings {
    /// Stores a draft after the first sitting, with these people of it. `plan` is its plan, as far as the request does
    /// not say otherwise, at the times of the first.
    pub(super) async fn plan_later(
        &self,
        caller: &Identity,
        first: ManagedSitting,
        people: Vec<Candidate>,
        plan: SittingPlan,
        asked: SittingFields,
    ) -> Result<ManagedSitting, Error> {
        let SittingFields { draft, template_id, halls: drafts } = asked;
        let (template_id, drafts, now) = (template_id?, drafts?, self.clock.now());
        let zone = school::find_zone(&self.database.read).await?;
        let delay = match draft.starts_at {
            Some(starts_at) => Delay::until(plan.starts_at, starts_at, zone),
            None => Delay::until_next_week(plan.starts_at, now, zone),
        };
        let plan = draft.plan(Some(&plan.moved(|moment| delay.after(moment))))?;
        let template = match template_id.filter(|id| *id != first.sitting.template_id) {
            Some(id) => self.chosen_template(caller, id).await?,
            None => first.template,
        };
        let (halls, new_ids) = copied_halls(&first.sitting.halls, &delay)?;
        let roster: Vec<Candidate> = people.into_iter().map(|one| copied(one, &new_ids, &delay)).collect();
        let mut sitting = new_sitting(template.id, plan, halls, caller.email.clone(), now)?;
        if let Some(drafts) = drafts {
            // Ids are those that the caller knows.
            let new_id = |id: Uuid| new_ids.get(&id).copied().unwrap_or(id);
            let drafts = drafts.into_iter().map(|draft| HallDraft { id: draft.id.map(new_id), ..draft }).collect();
            let in_use: Vec<Uuid> = roster.iter().filter_map(|candidate| candidate.hall_id).collect();
            sitting.halls = merged(&sitting, drafts, &in_use)?;
        }
        note_detail(&sitting.id.to_string());
        self.insert(&mut sitting, &roster).await?;
        Ok(ManagedSitting { sitting, template })
    }
}

/// The halls with other times and codes, and their new ids by those of the first sitting.
fn copied_halls(halls: &[Hall], delay: &Delay) -> Result<(Vec<Hall>, HashMap<Uuid, Uuid>), Error> {
    let (mut copies, mut new_ids) = (Vec::with_capacity(halls.len()), HashMap::new());
    for hall in halls {
        let plan = hall.plan.clone().moved(|moment| delay.after(moment));
        let copy = new_hall(HallDraft { id: None, plan })?;
        new_ids.insert(hall.id, copy.id);
        copies.push(copy);
    }
    Ok((copies, new_ids))
}

/// The candidate with their place, their note and their own values, and without anything that they have done.
fn copied(candidate: Candidate, new_ids: &HashMap<Uuid, Uuid>, delay: &Delay) -> Candidate {
    let later = |moment: Option<Moment>| moment.map(|moment| delay.after(moment));
    let Candidate { person, name, hall_id, seat, own, note, .. } = candidate;
    let own = Layer { starts_at: later(own.starts_at), ends_at: later(own.ends_at), ..own };
    // A seat is one of its room.
    let seat = seat.filter(|_| hall_id.is_none_or(|id| new_ids.contains_key(&id)));
    let hall_id = hall_id.and_then(|id| new_ids.get(&id).copied());
    Candidate { hall_id, seat, own, note, ..Candidate::new(Uuid::new_v4(), person, name) }
}

#[cfg(test)]
mod tests {
    use domain::sitting::candidate::Person;

    use super::*;

    fn moment(text: &str) -> Moment {
        Moment::parse(text).unwrap()
    }

    #[test]
    fn a_week_later_is_the_same_time_of_day() {
        let berlin = Zone::parse("Europe/Berlin").unwrap();
        for (zone, starts_at, now, next) in [
            // The clocks of Berlin go back on 25 October, and forward on 29 March.
            (&berlin, "2026-10-20T07:00:00Z", "2026-10-21T07:00:00Z", "2026-10-27T08:00:00Z"),
            (&berlin, "2026-10-20T07:00:00Z", "2026-10-27T07:30:00Z", "2026-10-27T08:00:00Z"),
            (&berlin, "2026-03-24T08:00:00Z", "2026-03-31T07:00:00Z", "2026-04-07T07:00:00Z"),
            (&Zone::site(), "2026-10-20T07:00:00Z", "2026-10-21T07:00:00Z", "2026-10-27T07:00:00Z"),
            (&Zone::site(), "2026-10-20T07:00:00Z", "2026-10-13T07:00:00Z", "2026-10-27T07:00:00Z"),
        ] {
            let delay = Delay::until_next_week(moment(starts_at), moment(now), zone.clone());
            assert_eq!(delay.after(moment(starts_at)), moment(next), "{starts_at} {now}");
        }
    }

    #[test]
    fn each_time_keeps_its_own_time_of_day() {
        let berlin = Zone::parse("Europe/Berlin").unwrap();
        let starts_at = moment("2026-10-16T07:00:00Z");
        let delay = Delay::until_next_week(starts_at, moment("2026-10-17T00:00:00Z"), berlin);
        assert_eq!(delay.after(starts_at), moment("2026-10-23T07:00:00Z"));
        // The results of Monday at eight, after the weekend in which the clocks go back.
        assert_eq!(delay.after(moment("2026-10-19T06:00:00Z")), moment("2026-10-26T07:00:00Z"));
    }

    #[test]
    fn the_times_around_a_given_start_keep_their_time_of_day() {
        let berlin = Zone::parse("Europe/Berlin").unwrap();
        let starts_at = moment("2026-10-16T07:00:00Z");
        // A week and a quarter of an hour later, in the same summer time.
        let delay = Delay::until(starts_at, moment("2026-10-23T07:15:00Z"), berlin.clone());
        assert_eq!(delay.after(moment("2026-10-16T09:00:00Z")), moment("2026-10-23T09:15:00Z"));
        // Results of Monday at eight come at a quarter past eight, by the winter's clocks.
        assert_eq!(delay.after(moment("2026-10-19T06:00:00Z")), moment("2026-10-26T07:15:00Z"));
        let delay = Delay::until(starts_at, moment("2026-10-16T07:00:00.250Z"), berlin);
        assert_eq!(delay.after(moment("2026-10-16T09:00:00.500Z")), moment("2026-10-16T09:00:00.750Z"));
    }

    #[test]
    fn nobody_keeps_a_seat_of_a_room_that_is_gone() {
        let starts_at = moment("2026-10-16T07:00:00Z");
        let delay = Delay::until_next_week(starts_at, starts_at, Zone::site());
        let (known, new) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let new_ids = HashMap::from([(known, new)]);
        let in_hall = |hall_id| Candidate {
            hall_id,
            seat: Some("4".to_owned()),
            ..Candidate::new(Uuid::from_u128(3), Person::default(), "Ada".to_owned())
        };
        for (hall_id, hall_after, seat) in
            [(Some(known), Some(new), Some("4")), (Some(new), None, None), (None, None, Some("4"))]
        {
            let copy = copied(in_hall(hall_id), &new_ids, &delay);
            assert_eq!((copy.hall_id, copy.seat.as_deref()), (hall_after, seat));
        }
    }
}
