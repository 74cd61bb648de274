//! Proctors of sittings: who may watch which hall, and what they may do there beside orders to seats. Every action is
//! on the record of the sitting.

use std::time::Duration;

use domain::access::Identity;
use domain::sitting::candidate::Candidate;
use domain::sitting::order::{BeginRefusal, CandidateTarget, IncidentNote, SittingOrder};
use domain::sitting::{SETTLED_BEFORE_MILLISECONDS, Sitting};
use domain::time::moment::Moment;
use moka::future::Cache;
use uuid::Uuid;

use super::record::ManagedChange;
use super::{SITTING_ENDED, Sittings, may_manage};
use crate::database::Transaction;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::store::incidents::SittingEvent;
use crate::store::sittings::LockedSitting;
use crate::store::{candidates, incidents, sittings, templates};

/// The answer to a caller who neither manages the sitting nor is a proctor of the hall.
pub const NOT_A_PROCTOR: &str = "Not a proctor of this room";
/// How long a proctor lookup is cached, so that a student cannot make the database search for it all the time.
const PROCTORS_CACHED_FOR: Duration = Duration::from_secs(3);
/// People whose proctor lookup is cached.
const PROCTORS_MAX: u64 = 10_000;
/// Incidents of one sitting, so that nobody can flood its report.
pub const INCIDENTS_OF_SITTING_MAX: u64 = 20_000;

/// Who is known to be a proctor of some hall, or of none.
pub(super) type KnownProctors = Cache<String, bool>;

pub(super) fn known_proctors() -> KnownProctors {
    Cache::builder().max_capacity(PROCTORS_MAX).time_to_live(PROCTORS_CACHED_FOR).build()
}

/// The result of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SittingOutcome {
    /// It is done, for this many candidates, halls or sittings. Those that were so already do not count.
    Done(u64),
    /// The room has no such candidate.
    UnknownCandidate,
    /// The sitting is over.
    Ended,
    /// The candidate who is to be let in has no time left, and would hand in at once.
    TimeIsUp,
    /// The proctor may not begin it, or not so.
    MayNotBegin(BeginRefusal),
    /// There are too many incidents.
    TooManyIncidents,
}

/// Which halls of a sitting somebody asks for.
#[derive(Clone, Copy, Debug)]
pub enum HallChoice<'a> {
    All,
    Id(Uuid),
    Name(&'a str),
}

/// What a proctor may watch.
#[derive(Clone, Copy, Debug)]
pub struct WatchedSitting {
    pub hall_id: Option<Uuid>,
    /// Whether they manage the sitting.
    pub is_chief: bool,
}

/// An order for a sitting, or for one of its halls.
pub struct OrderedSitting<'a> {
    pub sitting_id: Uuid,
    pub hall_id: Option<Uuid>,
    /// Whether the proctor manages the sitting.
    pub is_chief: bool,
    /// E-mail of the proctor.
    pub by: &'a str,
    pub order: &'a SittingOrder,
}

fn is_up_on_entry(sitting: &Sitting, candidate: &Candidate, minutes: u32, now: Moment) -> bool {
    sitting.terms(candidate, minutes).is_up_on_entry(&sitting.hall_time(candidate.hall_id), now)
}

impl Sittings {
    /// Whether someone is named as a proctor of any hall, at most [`PROCTORS_CACHED_FOR`] ago.
    pub async fn is_proctor(&self, email: &str) -> Result<bool, Error> {
        let finding = async { sittings::is_proctor(&self.database, email).await.map_err(Error::from) };
        self.proctors.try_get_with_by_ref(email, finding).await.map_err(|error: std::sync::Arc<Error>| error.shared())
    }

    /// Which part of a sitting a proctor may watch, and whether they manage it. The proctors of a hall see that hall
    /// alone, whatever their role is otherwise.
    ///
    /// # Errors
    /// 404 for an unknown sitting, 403 if they may not. Only those who manage it learn which halls there are, by 404.
    pub async fn watched(
        &self,
        identity: &Identity,
        id: Uuid,
        choice: HallChoice<'_>,
    ) -> Result<WatchedSitting, Error> {
        self.here()?;
        let sitting = sittings::find(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        let hall = match choice {
            HallChoice::All => None,
            HallChoice::Id(id) => sitting.hall(Some(id)),
            HallChoice::Name(name) => sitting.hall_named(name),
        };
        let hall_id = hall.map(|hall| hall.id);
        if may_manage(identity, &self.find_template(sitting.template_id).await?.grades) {
            let is_found = hall.is_some() || matches!(choice, HallChoice::All);
            return is_found.then_some(WatchedSitting { hall_id, is_chief: true }).ok_or(Error::NotFound(NOT_FOUND));
        }
        let is_theirs = hall.is_some_and(|hall| hall.plan.proctors.contains(&identity.email));
        is_theirs.then_some(WatchedSitting { hall_id, is_chief: false }).ok_or(Error::Forbidden(NOT_A_PROCTOR))
    }

    /// Carries out a proctor's order. The caller commits, and then tells of the change.
    pub async fn carry_out(
        &self,
        transaction: &Transaction,
        ordered: &OrderedSitting<'_>,
    ) -> Result<SittingOutcome, Error> {
        let OrderedSitting { sitting_id, hall_id, by, .. } = *ordered;
        let mut sitting = sittings::lock(transaction, sitting_id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        // Read after the lock, so that nothing is noted before what was noted before it.
        let now = self.clock.now();
        match ordered.order {
            SittingOrder::Begin => self.begin_for(&mut sitting, ordered, now).await,
            SittingOrder::Attend(attendance, target) => {
                let mark = |one: &mut Candidate, is_for_all| one.attend(*attendance, is_for_all, by, now);
                self.mark(&sitting, ordered, *target, now, mark).await
            }
            SittingOrder::Admit(target) => {
                let minutes = templates::find_in(transaction, sitting.template_id).await?;
                let minutes = minutes.map_or(0, |template| template.config.duration_minutes);
                if let CandidateTarget::One(id) = *target
                    && let Some(one) = candidates::find(transaction, sitting_id, id).await?
                    && (hall_id.is_none() || one.hall_id == hall_id)
                    && is_up_on_entry(&sitting, &one, minutes, now)
                {
                    return Ok(SittingOutcome::TimeIsUp);
                }
                let admit = |one: &mut Candidate, _| {
                    let is_in_time = !is_up_on_entry(&sitting, one, minutes, now);
                    is_in_time.then(|| one.admit(by)).flatten()
                };
                self.mark(&sitting, ordered, *target, now, admit).await
            }
            SittingOrder::Incident(note) => {
                let hall_id = match note.candidate_id {
                    Some(id) => match candidates::find(transaction, sitting_id, id).await? {
                        Some(one) if hall_id.is_none() || one.hall_id == hall_id => one.hall_id,
                        _ => return Ok(SittingOutcome::UnknownCandidate),
                    },
                    None => hall_id,
                };
                self.put_on_record(&sitting, hall_id, note, by, now).await
            }
        }
    }

    async fn begin_for(
        &self,
        sitting: &mut LockedSitting<'_>,
        ordered: &OrderedSitting<'_>,
        now: Moment,
    ) -> Result<SittingOutcome, Error> {
        if ordered.hall_id.is_none() && !ordered.is_chief {
            return Ok(SittingOutcome::MayNotBegin(BeginRefusal::NotTheChief));
        }
        match self.begin_locked(sitting, ordered.hall_id, now).await {
            Ok(Some(begun)) => {
                sittings::save(sitting).await?;
                self.note(sitting, ordered.by, now, vec![begun]).await?;
                Ok(SittingOutcome::Done(1))
            }
            Ok(None) => Ok(SittingOutcome::Done(0)),
            Err(Error::Conflict(SITTING_ENDED)) => Ok(SittingOutcome::Ended),
            Err(Error::Forbidden(_)) => Ok(SittingOutcome::MayNotBegin(BeginRefusal::NotPerRoom)),
            Err(error) => Err(error),
        }
    }

    /// Begins a sitting, or one of its halls; the caller stores it. The first beginning holds, and so does that of the
    /// clock, also when it is so near that not every server would hear of another one; then nothing has changed.
    ///
    /// # Errors
    /// 409 for a sitting that is over, 403 for a hall of one that begins as a whole.
    pub(super) async fn begin_locked(
        &self,
        sitting: &mut LockedSitting<'_>,
        hall_id: Option<Uuid>,
        now: Moment,
    ) -> Result<Option<ManagedChange>, Error> {
        if hall_id.is_some() && !sitting.begins_per_hall() {
            return Err(Error::Forbidden(BeginRefusal::NotPerRoom.sentence()));
        }
        if sitting.begun_at.is_some()
            || hall_id.is_some() && sitting.hall(hall_id).is_none_or(|one| one.begun_at.is_some())
        {
            return Ok(None);
        }
        if sitting.ended_at.is_some() {
            return Err(Error::Conflict(SITTING_ENDED));
        }
        let is_settled = |begins_at: &Moment| *begins_at > now && begins_at.since(now) <= SETTLED_BEFORE_MILLISECONDS;
        if sitting.begins_at().as_ref().is_some_and(is_settled) {
            return Ok(None);
        }
        // The clock may have begun it already: then that moment holds.
        let begun_at = sitting.begins_at().filter(|begins_at| *begins_at <= now).unwrap_or(now);
        match sitting.halls.iter_mut().find(|hall| Some(hall.id) == hall_id) {
            Some(hall) => hall.begun_at = Some(now),
            None => sitting.begun_at = Some(begun_at),
        }
        self.open_due_doors(sitting, now).await?;
        let detail = format!("not begun to begun: {}", begun_at.iso());
        Ok(Some(ManagedChange { candidate_id: None, hall_id, kind: "begin", detail }))
    }

    /// Changes the marks of candidates of the room, and puts each change on record.
    async fn mark(
        &self,
        sitting: &LockedSitting<'_>,
        ordered: &OrderedSitting<'_>,
        target: CandidateTarget,
        now: Moment,
        change: impl Fn(&mut Candidate, bool) -> Option<String>,
    ) -> Result<SittingOutcome, Error> {
        let transaction = sitting.transaction();
        let mut those = match (target, ordered.hall_id) {
            (CandidateTarget::One(id), _) => {
                candidates::find(transaction, sitting.id, id).await?.into_iter().collect::<Vec<_>>()
            }
            (CandidateTarget::All, Some(hall_id)) => {
                candidates::by_name(candidates::load_in(transaction, sitting.id, hall_id).await?)
            }
            (CandidateTarget::All, None) => candidates::by_name(candidates::load_of(transaction, sitting.id).await?),
        };
        those.retain(|one| ordered.hall_id.is_none() || one.hall_id == ordered.hall_id);
        let is_for_all = target == CandidateTarget::All;
        if !is_for_all && those.is_empty() {
            return Ok(SittingOutcome::UnknownCandidate);
        }
        if sitting.ended_at.is_some() && matches!(ordered.order, SittingOrder::Admit(_)) {
            return Ok(SittingOutcome::Ended);
        }
        let mut events = Vec::new();
        those.retain_mut(|one| {
            let Some(detail) = change(one, is_for_all) else { return false };
            events.push(SittingEvent {
                sitting_id: sitting.id,
                candidate_id: Some(one.id),
                hall_id: one.hall_id,
                at: now,
                kind: ordered.order.name(),
                by: ordered.by.to_owned(),
                detail,
            });
            true
        });
        if !those.is_empty() {
            sittings::count_mark(sitting).await?;
            candidates::set_marks(sitting, &those).await?;
            incidents::note(transaction, &events).await?;
        }
        Ok(SittingOutcome::Done(those.len() as u64))
    }

    async fn put_on_record(
        &self,
        sitting: &LockedSitting<'_>,
        hall_id: Option<Uuid>,
        note: &IncidentNote,
        by: &str,
        now: Moment,
    ) -> Result<SittingOutcome, Error> {
        let transaction = sitting.transaction();
        if incidents::count(transaction, sitting.id).await? >= INCIDENTS_OF_SITTING_MAX {
            return Ok(SittingOutcome::TooManyIncidents);
        }
        incidents::insert(transaction, sitting.id, hall_id, note, by, now).await?;
        sittings::count_mark(sitting).await?;
        Ok(SittingOutcome::Done(1))
    }
}
