//! The release of a sitting's results: by order, or by the rule of the sitting. One row opens all roads at once, and
//! the deliveries that report it are inserted in the same transaction
//! (`docs/decisions/0045-one-row-ends-an-embargo.md`).

use std::time::Duration;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, post};
use domain::sitting::candidate::Candidate;
use domain::sitting::values::ResultsRule;
use domain::sitting::{Sitting, SittingState};
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::fallback::NOT_FOUND;
use crate::http::if_match::version_tag;
use crate::http::parameters::flag;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::record::ManagedChange;
use crate::sittings::roster::overview::Overview;
use crate::sittings::view::SittingView;
use crate::sittings::{
    ManagedSitting, SITTING_AT_WORK, SITTING_EXPECTS, SITTING_FOLLOWS, SITTING_NOT_BEGUN, SITTING_PAPER_NEEDED,
    Sittings,
};
use crate::store::incidents::SERVER;
use crate::store::releases::{ReleaseOutlook, UnreleasedSittings};
use crate::store::sittings::LockedSitting;
use crate::store::templates::TemplateHeader;
use crate::store::{
    candidates, correction_work, former_rosters, late_rows, lti_scores, releases, silent_versions, sittings, templates,
};
use crate::webhooks;

/// How often each server searches for sittings that are released by their own rule.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// One search in this many also includes sittings that show results at once and have ended. It reads their rosters,
/// which is costly.
const LOOKS_FOR_ENDED: u64 = 15;
/// One search in this many also removes what rosters were before an import, of sittings that are over.
const LOOKS_FOR_FORMER: u64 = 60;
/// Names of other sittings with the same paper that one answer has.
const NEEDED_BY_MAX: usize = 20;
/// How long after its planned start a sitting still needs its paper for those who have not come.
const GIVEN_UP_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// How long a release by hand waits for tests that still follow a corrected key, and how often it looks. A class has
/// followed within a second or two, so whoever corrects and then releases by a program never hears of it. It is shorter
/// than what pages wait for an answer.
const FOLLOWED_WITHIN_MILLISECONDS: i64 = 10_000;
const FOLLOWED_LOOK_EVERY: Duration = Duration::from_millis(250);
/// Repeating a release changes nothing, so neither its version nor its end matters; and it opens no doors of those that
/// nobody has entered.
const RELEASE_TERMS: ChangeTerms<'_> = ChangeTerms::of_any_version().even_after_the_end().leaving_doors();

#[derive(Deserialize)]
struct ReleaseQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
    force: Option<String>,
}

/// The sitting, and whom its release reaches.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReleasedSitting {
    /// How many finished tests.
    reaches: u64,
    /// How many candidates have not entered and begin later, and would be shut out.
    to_come: u64,
    /// The names of other sittings of the same template in which somebody is still to sit its paper, those first that
    /// start first: 20 at most. Whoever sees their results knows the paper.
    needed_by: Vec<String>,
    /// How many of the finished tests have work that came after their end and about which nobody has decided since it
    /// came. After the release none of them can be reopened.
    undecided: u64,
    /// How many of the finished tests have still to follow a corrected key, which takes seconds as a rule. The release
    /// waits for them, so that nobody is told a score that changes at once. Those of a correction that was made or
    /// taken back more than an hour ago are not counted, and not waited for.
    following: u64,
    sitting: SittingView,
}

/// Shows the results to all candidates, and ends the sitting.
///
/// Repeating it changes nothing. Each finished test with a webhook gets a `result.released`. Candidates who
/// begin later must be marked as absent first, or be shut out by `force`; nobody at work is. While another sitting
/// still needs the paper, such as a make-up, `force` is needed too.
///
/// Tests that still follow a corrected key are waited for, up to ten seconds. If some are left then, the release is
/// refused, or with `force` done all the same: their scores may change afterwards, each with a `result.changed`.
#[utoipa::path(
    operation_id = "releaseSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("dryRun" = Option<bool>, Query, description = "Tell how many finished tests it would reach, and release nothing"),
        ("force" = Option<bool>, Query, description = "Shut out candidates who begin later, release a paper that another sitting needs, and results that still follow a corrected key"),
    ),
    responses(
        (status = 200, description = "The sitting, and how many finished tests the release reaches", body = ReleasedSitting),
        (status = 400, description = "`Invalid dryRun`, or `Invalid force`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has candidates at work`, `Sitting has candidates to come`, `Another sitting needs the paper`, `Corrections are being followed`, or `Sitting has not begun`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/release")]
pub async fn release(
    asked: After<Manager, After<Path<String>, Query<ReleaseQuery>>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, query)) = asked;
    let ManagedSitting { sitting, template } = service.managed(&caller, &id).await?;
    let is_dry_run = flag("dryRun", query.dry_run.as_deref())?;
    let is_forced = flag("force", query.force.as_deref())?;
    if is_dry_run {
        return service.foresee_release(sitting.id, template).await;
    }
    let minutes = template.duration_minutes;
    let (sitting, now) = service.release_by_hand(&caller.email, sitting.id, minutes, is_forced).await?;
    let managed = ManagedSitting { sitting, template };
    let overview = service.overview(&managed, now).await?;
    Ok(answer(&managed, &overview, Met::default(), now))
}

/// What a release would meet: those whom it would shut out, the sittings that need its paper, the tests with late work
/// about which nobody has decided, and those that still follow a corrected key.
#[derive(Default)]
struct Met {
    to_come: u64,
    needed_by: Vec<String>,
    undecided: u64,
    following: u64,
}

/// The sitting with what its release reaches, and with what it would meet.
fn answer(
    ManagedSitting { sitting, template }: &ManagedSitting,
    overview: &Overview,
    Met { to_come, needed_by, undecided, following }: Met,
    now: Moment,
) -> HttpResponse {
    let (tag, reaches) = (version_tag(sitting.version), overview.counts.submitted);
    let sitting = SittingView::of(sitting, template, overview, now);
    let released = ReleasedSitting { reaches, to_come, needed_by, undecided, following, sitting };
    HttpResponse::Ok().insert_header(tag).json(released)
}

impl Sittings {
    /// Releases a sitting for somebody, once its tests have followed all corrections of keys, or the time for that is
    /// up. What refuses it refuses it at once.
    ///
    /// It waits without the lock of the sitting, for which tests that follow would wait in their turn, and looks again
    /// under it: a correction may have come in between. One that comes while the lock is held follows after the
    /// release, and is told of as what it is, a change of a released result.
    async fn release_by_hand(
        &self,
        by: &str,
        id: Uuid,
        minutes: u32,
        is_forced: bool,
    ) -> Result<(Sitting, Moment), Error> {
        let until = self.clock.now().plus(FOLLOWED_WITHIN_MILLISECONDS);
        let mut is_time_up = false;
        loop {
            let releasing = self.change(by, id, RELEASE_TERMS, async |sitting, now| {
                if sitting.released_at.is_some() {
                    return Ok(Changed::Nothing(Some(now)));
                }
                check_release(sitting, minutes, now, is_forced).await?;
                if correction_work::has_following(sitting.transaction(), sitting.id, now).await? {
                    if !is_time_up {
                        return Ok(Changed::Nothing(None));
                    }
                    if !is_forced {
                        return Err(Error::Conflict(SITTING_FOLLOWS));
                    }
                }
                let released = release_locked(sitting, now).await?;
                Ok(Changed::Noted(Some(now), vec![released]))
            });
            if let (sitting, Some(now)) = releasing.await? {
                return Ok((sitting, now));
            }
            is_time_up = self.wait_for_followers(id, until).await?;
        }
    }

    /// Waits until no test of a sitting has still to follow a corrected key. Returns true if some have when the time is
    /// up.
    async fn wait_for_followers(&self, id: Uuid, until: Moment) -> Result<bool, Error> {
        while correction_work::has_following(&self.database.read, id, self.clock.now()).await? {
            if self.clock.now() >= until {
                return Ok(true);
            }
            self.clock.sleep(FOLLOWED_LOOK_EVERY).await;
        }
        Ok(false)
    }

    /// The answer to whoever asks what a release would do. Pages ask when they are opened, so it waits for nobody who
    /// changes the sitting, and keeps nobody waiting.
    async fn foresee_release(&self, id: Uuid, template: TemplateHeader) -> Result<HttpResponse, Error> {
        let found = releases::find_outlook(&self.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
        let ReleaseOutlook { sitting, groups, expected, others } = found;
        let (minutes, now) = (template.duration_minutes, self.clock.now());
        let overview = Overview::of(&sitting, minutes, &groups, now);
        let met = if sitting.released_at.is_some() {
            Met::default()
        } else {
            Met {
                to_come: count_to_come(&sitting, &expected, minutes, now),
                needed_by: names_in_need(others, minutes, now),
                undecided: late_rows::count_undecided(&self.database.read, id).await?,
                following: correction_work::count_following(&self.database.read, id, now).await?,
            }
        };
        Ok(answer(&ManagedSitting { sitting, template }, &overview, met, now))
    }

    /// Releases what its own rule releases, again and again. Each server does it; the lock on a sitting's row lets one
    /// of them succeed. Never returns.
    pub async fn release_by_rule(&self) {
        if !self.is_here {
            return std::future::pending().await;
        }
        for look in 1_u64.. {
            self.clock.sleep(LOOK_EVERY).await;
            if let Err(error) = self.release_due(look.is_multiple_of(LOOKS_FOR_ENDED)).await {
                tracing::warn!(?error, "sittings are not released by their rule; trying again");
            }
            if look.is_multiple_of(LOOKS_FOR_FORMER)
                && let Err(error) = former_rosters::forget_over(&self.database, self.clock.now()).await
            {
                tracing::warn!(%error, "rosters of before an import could not be removed; trying again");
            }
        }
    }

    async fn release_due(&self, with_shown: bool) -> Result<(), Error> {
        for id in releases::find_due(&self.database, self.clock.now(), with_shown).await? {
            if let Err(error) = self.release_one(id).await {
                tracing::warn!(?error, sitting = %id, "a sitting is not released by its rule; trying again");
            }
        }
        Ok(())
    }

    async fn release_one(&self, id: Uuid) -> Result<(), Error> {
        let Some(sitting) = sittings::find(&self.database, id).await? else { return Ok(()) };
        let template = self.find_template(sitting.template_id).await?;
        let minutes = template.duration_minutes;
        // Without the lock first: while another exam needs the paper, nobody who saves waits for this every second.
        let others = releases::load_unreleased_others(&self.database.read, &sitting).await?;
        if !names_in_need(others, minutes, self.clock.now()).is_empty() {
            return Ok(());
        }
        // The same while tests follow a corrected key, which each look under the lock would hold up.
        if correction_work::has_following(&self.database.read, id, self.clock.now()).await? {
            return Ok(());
        }
        let releasing = self.change_if_there(SERVER, id, RELEASE_TERMS, async |sitting, now| {
            let overview = overview_in(sitting, minutes, now).await?;
            // As by hand: not before anybody has begun, not while somebody is at work or begins later, not while
            // others are still to sit the paper, and not while tests follow a corrected key.
            let has_begun = !matches!(overview.state, SittingState::Draft | SittingState::Open);
            let is_due = match sitting.plan.results {
                // Its candidates have their results. Its questions are free when nobody can begin any more.
                ResultsRule::Now => sitting.released_at.is_none() && overview.state == SittingState::Ended,
                ResultsRule::Held | ResultsRule::At(_) => {
                    let is_over = sitting.is_release_due(now) && has_begun && overview.outlook.at_work == 0;
                    is_over && load_to_come(sitting, minutes, now).await? == 0
                }
            };
            if !is_due || !load_needed_by(sitting, minutes, now).await?.is_empty() {
                return Ok(Changed::Nothing(()));
            }
            if correction_work::has_following(sitting.transaction(), sitting.id, now).await? {
                return Ok(Changed::Nothing(()));
            }
            Ok(Changed::Noted((), vec![release_locked(sitting, now).await?]))
        });
        releasing.await.map(|_| ())
    }
}

/// Refuses a release by hand that nobody should order, or that needs `force` and has none.
async fn check_release(sitting: &LockedSitting<'_>, minutes: u32, now: Moment, is_forced: bool) -> Result<(), Error> {
    let to_come = load_to_come(sitting, minutes, now).await?;
    let needed_by = load_needed_by(sitting, minutes, now).await?;
    let overview = overview_in(sitting, minutes, now).await?;
    if matches!(overview.state, SittingState::Draft | SittingState::Open) {
        return Err(Error::Conflict(SITTING_NOT_BEGUN));
    }
    // Whoever is still at work would learn from those who see their results.
    if overview.outlook.at_work > 0 {
        return Err(Error::Conflict(SITTING_AT_WORK));
    }
    if to_come > 0 && !is_forced {
        return Err(Error::Conflict(SITTING_EXPECTS));
    }
    if !needed_by.is_empty() && !is_forced {
        return Err(Error::Conflict(SITTING_PAPER_NEEDED));
    }
    Ok(())
}

/// Releases a sitting, and ends it; the caller stores it.
async fn release_locked(sitting: &mut LockedSitting<'_>, now: Moment) -> Result<ManagedChange, Error> {
    // Those who saw their results at once were told of them at once, unless they were ended before they began.
    let only_unbegun = sitting.plan.results == ResultsRule::Now;
    webhooks::store::insert_released(sitting.transaction(), sitting.id, only_unbegun, now).await?;
    lti_scores::queue_released(sitting.transaction(), sitting.id, only_unbegun, now).await?;
    // From now on everybody may know what corrected keys have changed.
    silent_versions::queue_of_sitting(sitting.transaction(), sitting.id, now).await?;
    sitting.released_at = Some(now);
    // Nobody may enter any more, since whoever has seen results knows the paper.
    sitting.ended_at = sitting.ended_at.or(Some(now));
    Ok(ManagedChange::of_sitting("release", "not released to released".to_owned()))
}

/// What the roster says of the sitting under its lock.
async fn overview_in(sitting: &LockedSitting<'_>, minutes: u32, now: Moment) -> Result<Overview, Error> {
    let groups = candidates::load_groups(sitting.transaction(), vec![sitting.id]).await?;
    Ok(Overview::of(sitting, minutes, &groups, now))
}

/// Counts those for whom the results of a sitting wait, and who have not entered.
async fn load_to_come(sitting: &LockedSitting<'_>, minutes: u32, now: Moment) -> Result<u64, Error> {
    let expected = candidates::load_expected(sitting.transaction(), sitting.id).await?;
    Ok(count_to_come(sitting, &expected, minutes, now))
}

/// The same of those who have not entered, and are not marked as absent.
fn count_to_come(sitting: &Sitting, expected: &[Candidate], minutes: u32, now: Moment) -> u64 {
    let is_to_come = |one: &&Candidate| sitting.expects(one, &sitting.terms(one, minutes), now);
    expected.iter().filter(is_to_come).count() as u64
}

/// Names of other sittings with the same paper in which somebody still sits it, is still to sit it, or will be asked
/// to.
fn names_in_need(others: UnreleasedSittings, minutes: u32, now: Moment) -> Vec<String> {
    let UnreleasedSittings { mut sittings, groups } = others;
    sittings.retain(|other| {
        let Overview { state, counts, outlook, .. } = Overview::of(other, minutes, &groups, now);
        let is_recent = other.plan.starts_at > now.plus(-GIVEN_UP_MILLISECONDS);
        match state {
            SittingState::Draft | SittingState::Open => is_recent,
            SittingState::Running => outlook.at_work > 0 || counts.expected > 0 && is_recent,
            SittingState::Ended => false,
        }
    });
    sittings.sort_by_key(|other| (other.plan.starts_at, other.id));
    sittings.into_iter().map(|other| other.plan.name).take(NEEDED_BY_MAX).collect()
}

/// The same under the lock. Whoever plans a sitting locks its template (`Sittings::insert`), so this knows of all that
/// were planned before, and nobody plans another one until the release is stored.
async fn load_needed_by(sitting: &LockedSitting<'_>, minutes: u32, now: Moment) -> Result<Vec<String>, Error> {
    templates::hold(sitting.transaction(), sitting.template_id).await?;
    let others = releases::load_unreleased_others(sitting.transaction(), sitting).await?;
    Ok(names_in_need(others, minutes, now))
}
