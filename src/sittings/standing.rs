//! The standing of halls as proctors see it, and what it gives to candidates.

use domain::order::hall::HallStanding;
use domain::sitting::candidate::Candidate;
use domain::sitting::terms::GrantedTime;
use domain::sitting::values::StartRule;
use domain::sitting::{Hall, Sitting};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use crate::store::candidates::AttemptStanding;

/// What was ordered for everyone in a room.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Standing)]
pub struct StandingView {
    state: StandingState,
    /// Since when it is paused; null while it runs, like the next two.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    since: Option<Moment>,
    /// E-mail of the proctor who has paused it.
    #[schema(required)]
    by: Option<String>,
    /// The word for the students, if there is one.
    #[schema(required)]
    text: Option<String>,
    /// Whole minutes that everyone was given, less those that were taken.
    minutes: i32,
    /// The length of the pauses that have ended, in milliseconds.
    paused_ms: i64,
}

/// Whether the time of a room stands still.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StandingState {
    #[default]
    Running,
    Paused,
}

impl StandingView {
    #[must_use]
    pub fn of(standing: &HallStanding) -> Self {
        let pause = standing.pause();
        Self {
            state: if pause.is_some() { StandingState::Paused } else { StandingState::Running },
            since: pause.map(|pause| pause.from),
            by: pause.map(|pause| pause.by.clone()),
            text: pause.and_then(|pause| pause.text.clone()),
            minutes: standing.minutes,
            paused_ms: standing.paused_milliseconds(),
        }
    }
}

/// What orders have given a candidate by now, for them alone and for everyone in their room; of a pause that lasts, the
/// time until now.
#[must_use]
pub fn granted(
    sitting: &Sitting,
    candidate: &Candidate,
    standing: Option<&AttemptStanding>,
    now: Moment,
) -> GrantedTime {
    let Some(standing) = standing else {
        let base = sitting.terms(candidate, 0).base(candidate.entered_at);
        return sitting.hall_time(candidate.hall_id).granted(base, now);
    };
    // The attempt of whoever has entered has what was given to everyone too.
    let GrantedTime { extended_minutes, paused_milliseconds } = standing.granted;
    let present = standing.paused_at.filter(|_| !standing.has_ended).map_or(0, |from| now.since(from).max(0));
    GrantedTime { extended_minutes, paused_milliseconds: paused_milliseconds.saturating_add(present) }
}

/// The standing of one hall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = HallStanding)]
pub struct HallStandingView {
    /// The name of the hall.
    room: String,
    standing: StandingView,
}

/// What proctors are told of the sitting that they watch, or of the hall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WatchedSitting)]
pub struct WatchedSittingView {
    /// That of the whole sitting, where one hall is watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    sitting: Option<StandingView>,
    /// Where the whole sitting is watched: those of its halls in which something was ordered for everyone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    halls: Vec<HallStandingView>,
    /// When time begins to count: `clock`, `proctor` or `own`.
    start: &'static str,
    /// As planned.
    #[schema(value_type = String, format = DateTime)]
    starts_at: Moment,
    /// Whether time counts for those without times of their own.
    begun: bool,
    /// Whether the proctors of each hall begin it.
    per_room: bool,
}

impl WatchedSittingView {
    /// Of a sitting or of one of its halls, with the standing that is watched.
    #[must_use]
    pub fn of(sitting: &Sitting, hall: Option<&Hall>, now: Moment) -> (StandingView, Self) {
        let standing = StandingView::of(hall.map_or(&sitting.standing, |hall| &hall.standing));
        let of_hall =
            |one: &Hall| HallStandingView { room: one.plan.name.clone(), standing: StandingView::of(&one.standing) };
        let touched = sitting.halls.iter().filter(|one| hall.is_none() && one.standing != HallStanding::default());
        let terms = sitting.hall_terms(hall.map(|hall| hall.id));
        let view = Self {
            sitting: hall.map(|_| StandingView::of(&sitting.standing)),
            halls: touched.map(of_hall).collect(),
            start: sitting.plan.start.name(),
            starts_at: terms.starts_at.value,
            begun: terms.has_begun(now) && sitting.plan.start != StartRule::Own,
            per_room: sitting.begins_per_hall(),
        };
        (standing, view)
    }
}
