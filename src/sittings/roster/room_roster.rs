//! The roster of a sitting in the form in which the rooms of proctors show it.

use std::collections::HashMap;
use std::sync::Arc;

use domain::grade::Grade;
use domain::room::roster::RosterLine;
use domain::room::row::{AttemptRow, RosterRow, RowStanding};
use domain::sitting::candidate::{Candidate, WRONG_CODES_TOLD};
use domain::sitting::part::form_of;
use domain::sitting::{Sitting, SittingState};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::overview::Overview;
use crate::error::Error;
use crate::sittings::standing::{StandingView, WatchedSittingView};
use crate::sittings::{ManagedSitting, Sittings};
use crate::store::templates::TemplateHeader;
use crate::store::{accommodations, candidates, sessions, sittings};

/// The roster of a sitting, or of one of its halls.
#[derive(Default)]
pub struct RoomRosterPicture {
    /// The number of changes and marks of the sitting that it has at least.
    pub version: i64,
    /// The name of the hall.
    pub hall: Option<String>,
    /// What is watched; `None` if it is gone.
    pub watched: Option<(StandingView, WatchedSittingView)>,
    /// By candidate.
    pub lines: HashMap<Uuid, RosterLine>,
}

impl Sittings {
    /// Loads the roster for a room. It is empty if the sitting or the hall is gone.
    pub async fn room_roster(&self, sitting_id: Uuid, hall_id: Option<Uuid>) -> Result<RoomRosterPicture, Error> {
        // The number first: what is read later has all that it counts.
        let news = sittings::load_news(&self.database, vec![sitting_id]).await?;
        let Some(sitting) = sittings::find(&self.database, sitting_id).await? else {
            return Ok(RoomRosterPicture::default());
        };
        let version = news.get(&sitting_id).copied().unwrap_or_default();
        let hall = match (hall_id, sitting.hall(hall_id)) {
            (Some(_), None) => return Ok(RoomRosterPicture { version, ..RoomRosterPicture::default() }),
            (_, hall) => hall.map(|hall| hall.plan.name.clone()),
        };
        let template = self.find_template(sitting.template_id).await?;
        let connection = &self.database.read;
        let mut roster = match hall_id {
            Some(hall_id) => candidates::load_in(connection, sitting_id, hall_id).await?,
            None => candidates::load_of(connection, sitting_id).await?,
        };
        accommodations::fill_before_doors(connection, &sitting, &mut roster).await?;
        let now = self.clock.now();
        let managed = ManagedSitting { sitting, template };
        let Overview { state, .. } = self.overview(&managed, now).await?;
        let ManagedSitting { sitting, template } = managed;
        let names: HashMap<Uuid, Arc<str>> =
            sitting.halls.iter().map(|hall| (hall.id, Arc::from(&*hall.plan.name))).collect();
        // Seats that have ended report nothing more, so that rows have their scores from here when they may be seen.
        let scores = sessions::load_scores(connection, &sitting).await?;
        let standings =
            if template.forms > 1 { candidates::load_standings(connection, sitting_id).await? } else { HashMap::new() };
        let line = |one: Candidate| {
            let room = one.hall_id.and_then(|id| names.get(&id)).cloned();
            let mut line = line(&sitting, &template, &one, room, state, now);
            // Seats that have ended do not say which form theirs was.
            let given = standings.get(&one.id).and_then(|standing| standing.form);
            line.expected.form = form_of(&one, given, template.forms.into(), line.is_over).map(|(form, _)| form);
            let scored = one.session_id.and_then(|id| scores.get(&id)).copied();
            (line.expected.score, line.expected.version) = scored.unzip();
            (one.id, line)
        };
        let watched = Some(WatchedSittingView::of(&sitting, sitting.hall(hall_id), now));
        Ok(RoomRosterPicture { version, hall, watched, lines: roster.into_iter().map(line).collect() })
    }
}

fn line(
    sitting: &Sitting,
    template: &TemplateHeader,
    candidate: &Candidate,
    room: Option<Arc<str>>,
    state: SittingState,
    now: Moment,
) -> RosterLine {
    let terms = sitting.terms(candidate, template.duration_minutes);
    let hall = sitting.hall_time(candidate.hall_id);
    let base = terms.base(candidate.entered_at);
    let granted = hall.granted(base, now);
    let started_at = base.unwrap_or(terms.starts_at.value);
    let full = started_at.plus(terms.allowance_milliseconds() + granted.milliseconds());
    let deadline = terms.hard_end(granted).map_or(full, |hard_end| full.min(hard_end));
    let attendance = candidate.attendance();
    let marked_by = candidate.present.as_ref().or(candidate.absent.as_ref()).map(|mark| Arc::from(&*mark.by));
    let text = |text: &Option<String>| text.as_deref().map(Arc::from);
    // A template that is gone has no grade, and nobody can begin a test of it.
    let grade = template.grades.first().copied().unwrap_or(Grade::FIRST);
    let expected = AttemptRow {
        session_id: candidate.session_id,
        account: text(&candidate.person.email),
        standing: RowStanding::of(hall.paused_at().is_some()),
        last_seen_at: candidate.entered_at,
        sitting_id: Some(sitting.id),
        candidate_id: Some(candidate.id),
        ready: Some(false),
        ..AttemptRow::expected(Arc::from(&*candidate.name), grade, template.mode, started_at, deadline)
    };
    let roster = RosterRow {
        room,
        seat: text(&candidate.seat),
        factor: terms.factor.value.percent(),
        extra_minutes: Some(terms.extra_minutes.value).filter(|minutes| *minutes > 0),
        note: text(&candidate.note),
        attendance,
        attendance_by: marked_by,
        admitted_by: text(&candidate.admitted_by),
        wrong_codes: Some(candidate.wrong_tries).filter(|tries| *tries >= WRONG_CODES_TOLD),
    };
    RosterLine {
        expected,
        roster,
        has_entered: candidate.has_entered(),
        begins_at: terms.begins_at.map(|begins_at| begins_at.value),
        is_over: state == SittingState::Ended,
        is_held: !sitting.is_released(),
    }
}
