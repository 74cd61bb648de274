//! A candidate's terms and deadline, compared with a second implementation on random rosters.

use domain::order::hall::{HallPause, HallStanding};
use domain::sitting::candidate::{Candidate, Person};
use domain::sitting::code::SittingCode;
use domain::sitting::plan::{HallPlan, SittingPlan};
use domain::sitting::terms::{GrantedTime, Layer, Sourced, ValueSource};
use domain::sitting::values::{Factor, LateRule, ResultsRule, StartRule};
use domain::sitting::{Hall, Sitting};
use domain::time::moment::Moment;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::oracle;

const ROSTERS: usize = 1_000;
const CANDIDATES_MAX: usize = 12;
const SEED: u64 = 0x5177_1265;
/// Moments lie within a day, so that they often come before and after each other.
const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;

/// A sitting with its candidates, when they entered and what they were granted.
struct RandomRoster {
    sitting: Sitting,
    minutes: u32,
    candidates: Vec<(Candidate, Option<Moment>, GrantedTime)>,
    /// After all pauses.
    now: Moment,
}

fn moment(random: &mut StdRng) -> Moment {
    Moment::from_milliseconds(1_800_000_000_000 + random.random_range(0..DAY_MILLISECONDS))
}

fn perhaps<T>(random: &mut StdRng, one_in: u32, make: impl FnOnce(&mut StdRng) -> T) -> Option<T> {
    random.random_ratio(1, one_in).then(|| make(random))
}

fn factor(random: &mut StdRng) -> Factor {
    Factor::new(random.random_range(100..=400)).unwrap()
}

fn extra(random: &mut StdRng) -> u32 {
    random.random_range(0..=600)
}

fn layer(random: &mut StdRng) -> Layer {
    Layer {
        starts_at: perhaps(random, 4, moment),
        ends_at: perhaps(random, 4, moment),
        factor: perhaps(random, 3, factor),
        extra_minutes: perhaps(random, 3, extra),
    }
}

/// Pauses one after the other, of which the last may still last, and minutes for everyone.
fn standing(random: &mut StdRng) -> HallStanding {
    let mut standing = HallStanding::default();
    let mut at = moment(random);
    for _ in 0..random.random_range(0..5) {
        at = at.plus(random.random_range(0..DAY_MILLISECONDS / 8));
        standing.stop("p@exam.test", None, at);
        at = at.plus(random.random_range(0..DAY_MILLISECONDS / 8));
        if random.random_ratio(9, 10) {
            standing.go_on(at);
        }
    }
    standing.give(random.random_range(-60..60));
    standing
}

impl RandomRoster {
    fn new(random: &mut StdRng) -> Self {
        let plan = SittingPlan {
            name: "Random".to_owned(),
            starts_at: moment(random),
            start: *[StartRule::Clock, StartRule::Proctor, StartRule::Own].choose(random).unwrap(),
            per_hall: random.random(),
            doors_at: None,
            entry_until: None,
            ends_at: perhaps(random, 2, moment),
            late: *[LateRule::Cut, LateRule::Full].choose(random).unwrap(),
            results: ResultsRule::Held,
            webhook_url: None,
            publish: false,
            mark_scale: None,
        };
        let hall = |random: &mut StdRng| {
            let Layer { starts_at, ends_at, factor, extra_minutes } = layer(random);
            let plan = HallPlan { starts_at, ends_at, factor, extra_minutes, ..HallPlan::default() };
            let code = SittingCode::parse("K7PQ2").unwrap();
            let begun_at = perhaps(random, 3, moment);
            Hall { id: Uuid::from_u128(random.random()), code, plan, begun_at, standing: standing(random) }
        };
        let halls: Vec<Hall> = (0..random.random_range(0..4)).map(|_| hall(random)).collect();
        let candidate = |random: &mut StdRng| {
            let mut candidate = Candidate::new(Uuid::from_u128(random.random()), Person::default(), String::new());
            candidate.hall_id = perhaps(random, 2, |random| halls.choose(random).map(|hall| hall.id)).flatten();
            candidate.own = layer(random);
            candidate.accommodation_factor = perhaps(random, 3, factor);
            candidate.accommodation_extra_minutes = perhaps(random, 3, extra);
            let granted = GrantedTime {
                extended_minutes: random.random_range(0..200),
                paused_milliseconds: random.random_range(0..10_000_000),
            };
            (candidate, perhaps(random, 2, moment), granted)
        };
        let candidates = (0..random.random_range(1..=CANDIDATES_MAX)).map(|_| candidate(random)).collect();
        let sitting = Sitting {
            id: Uuid::nil(),
            template_id: Uuid::nil(),
            plan,
            code: SittingCode::parse("K7PQ2").unwrap(),
            halls,
            event_id: None,
            opened_at: None,
            opened_early: false,
            begun_at: perhaps(random, 2, moment),
            standing: standing(random),
            released_at: None,
            ended_at: None,
            version: 1,
            created_by: String::new(),
            created_at: moment(random),
        };
        let now = Moment::from_milliseconds(1_800_000_000_000 + 4 * DAY_MILLISECONDS);
        Self { sitting, minutes: random.random_range(1..=600), candidates, now }
    }

    fn question(&self) -> Value {
        let time = |moment: Option<Moment>| moment.map(Moment::milliseconds);
        let of_layer = |layer: Layer| {
            json!({
                "startsAt": time(layer.starts_at), "endsAt": time(layer.ends_at),
                "factor": layer.factor.map(Factor::percent), "extraMinutes": layer.extra_minutes,
            })
        };
        let of_standing = |standing: &HallStanding| {
            let pause = |pause: &HallPause| json!([pause.from.milliseconds(), time(pause.until)]);
            json!({ "minutes": standing.minutes, "pauses": standing.pauses.iter().map(pause).collect::<Vec<_>>() })
        };
        let mut rooms = json!({});
        for hall in &self.sitting.halls {
            let mut room = of_layer(hall.plan.layer());
            room["begunAt"] = json!(time(hall.begun_at));
            room["standing"] = of_standing(&hall.standing);
            rooms[hall.id.to_string()] = room;
        }
        let candidate = |(candidate, entered_at, granted): &(Candidate, Option<Moment>, GrantedTime)| {
            json!({
                "room": candidate.hall_id, "own": of_layer(candidate.own),
                "accommodation": of_layer(candidate.accommodated()), "enteredAt": time(*entered_at),
                "extendedMinutes": granted.extended_minutes, "pausedMilliseconds": granted.paused_milliseconds,
                "now": self.now.milliseconds(),
            })
        };
        let plan = &self.sitting.plan;
        json!({
            "sitting": {
                "start": plan.start.name(), "late": plan.late.name(), "minutes": self.minutes,
                "startsAt": plan.starts_at.milliseconds(), "endsAt": time(plan.ends_at),
                "begunAt": time(self.sitting.begun_at),
                "standing": of_standing(&self.sitting.standing),
            },
            "rooms": rooms,
            "candidates": self.candidates.iter().map(candidate).collect::<Vec<_>>(),
        })
    }

    fn answer(&self) -> Value {
        let source = |source: ValueSource| serde_json::to_value(source).unwrap();
        let time = |found: Option<Sourced<Moment>>| match found {
            Some(found) => json!([found.value.milliseconds(), source(found.source)]),
            None => json!([null, null]),
        };
        let answer = |(candidate, entered_at, granted): &(Candidate, Option<Moment>, GrantedTime)| {
            let terms = self.sitting.terms(candidate, self.minutes);
            let base = terms.base(*entered_at);
            let standing = self.sitting.hall_time(candidate.hall_id).granted(base, self.now);
            json!({
                "startsAt": time(Some(terms.starts_at)),
                "beginsAt": time(terms.begins_at),
                "factor": [terms.factor.value.percent(), source(terms.factor.source)],
                "extraMinutes": [terms.extra_minutes.value, source(terms.extra_minutes.source)],
                "endsAt": time(terms.ends_at),
                "base": base.map(Moment::milliseconds),
                "standing": [standing.extended_minutes, standing.paused_milliseconds],
                "hardEnd": terms.hard_end(*granted).map(Moment::milliseconds),
                "deadline": terms.deadline(*entered_at, *granted).map(Moment::milliseconds),
            })
        };
        Value::Array(self.candidates.iter().map(answer).collect())
    }
}

#[test]
fn a_second_implementation_agrees_on_a_thousand_rosters() {
    let mut random = StdRng::seed_from_u64(SEED);
    let rosters: Vec<RandomRoster> = (0..ROSTERS).map(|_| RandomRoster::new(&mut random)).collect();
    let questions: Vec<Value> = rosters.iter().map(RandomRoster::question).collect();
    let expected = oracle::ask("sittings.py", &questions);
    assert_eq!(expected.len(), ROSTERS);
    let mut deadlines = 0;
    for ((roster, question), expected) in rosters.iter().zip(&questions).zip(&expected) {
        let own = roster.answer();
        assert_eq!(&own, expected, "{question:#}");
        deadlines += own.as_array().unwrap().iter().filter(|one| one["deadline"].is_i64()).count();
    }
    // Most candidates have a deadline, so that it is compared and not only absent twice.
    assert!(deadlines > 3 * ROSTERS, "{deadlines}");
}
