//! The routes by which sittings are listed, made, read, changed and removed.

use std::collections::HashMap;

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, get, patch, post};
use domain::access::Identity;
use domain::order::hall::HallStanding;
use domain::sitting::plan::HallDraft;
use domain::sitting::values::{FieldChange, StartRule};
use domain::sitting::{Hall, SETTLED_BEFORE_MILLISECONDS, Sitting, SittingState};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::announcement::{announce, withdraw};
use super::change::{ChangeTerms, Changed};
use super::effects::EndsMoved;
use super::fields::{NewSitting, SittingChange, SittingFields};
use super::record::ManagedChange;
use super::roster::overview::Overview;
use super::view::{OneSitting, SittingList, SittingView};
use super::{
    CANDIDATE_ENTERED, ManagedSitting, ROOM_IN_USE, SITTING_AT_WORK, SITTING_BEGUN, SITTING_OPEN, SITTINGS_LISTED_MAX,
    Sittings, may_manage, new_code, new_sitting,
};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::database::{Transaction, bound_stalls};
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::note_subject;
use crate::http::fields::JsonFields;
use crate::http::if_match::{IfMatch, version_tag};
use crate::store::templates::{TemplateHeader, load_headers};
use crate::store::{candidates, marks, sittings, templates};

/// How often a new code is tried. Two sittings rarely get the same one.
const CODES_TRIED_MAX: usize = 8;

/// All sittings that the caller may manage: those that come next first, then those that have ended, the last one first.
#[utoipa::path(
    operation_id = "listSittings",
    tag = "sittings",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The 2,000 that start last", body = SittingList),
        ManagerRefusals,
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings")]
pub async fn list(Manager(caller): Manager, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    service.here()?;
    let sittings = service.listed(|template| may_manage(&caller, &template.grades)).await?;
    Ok(HttpResponse::Ok().json(SittingList { sittings }))
}

impl Sittings {
    /// The sittings whose template passes: those that come next first, then those that have ended, the last one first.
    pub async fn listed(&self, passes: impl Fn(&TemplateHeader) -> bool) -> Result<Vec<SittingView>, Error> {
        let (database, now) = (&self.database, self.clock.now());
        let all = sittings::load_last(database, SITTINGS_LISTED_MAX).await?;
        let templates = load_headers(database, all.iter().map(|sitting| sitting.template_id)).await?;
        let groups = candidates::load_groups(&database.read, all.iter().map(|sitting| sitting.id).collect()).await?;
        let mut by_sitting: HashMap<Uuid, Vec<_>> = HashMap::new();
        for group in groups {
            by_sitting.entry(group.sitting_id).or_default().push(group);
        }
        let view = |sitting: Sitting| {
            let template = templates.get(&sitting.template_id).cloned();
            let template = template.unwrap_or_else(|| super::removed_template(sitting.template_id));
            let groups = by_sitting.remove(&sitting.id).unwrap_or_default();
            let overview = Overview::of(&sitting, template.duration_minutes, &groups, now);
            passes(&template).then(|| SittingView::of(&sitting, &template, &overview, now))
        };
        let views: Vec<SittingView> = all.into_iter().filter_map(view).collect();
        let (ended, mut coming): (Vec<_>, Vec<_>) =
            views.into_iter().partition(|sitting| sitting.state == SittingState::Ended);
        coming.sort_by_key(|sitting| (sitting.starts_at, sitting.id));
        coming.extend(ended);
        Ok(coming)
    }
}

/// Makes a sitting: a draft until its doors open.
///
/// Without `markScale` it gets a copy of the template's scale of marks, or of the school's.
#[utoipa::path(
    operation_id = "createSitting",
    tag = "sittings",
    security(("api_token" = [])),
    request_body = NewSitting,
    responses(
        (status = 200, description = "The sitting", body = OneSitting, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`; of an unknown template `Invalid templateId`", body = ErrorBody),
        ManagerRefusals,
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings")]
pub async fn create(asked: After<Manager, JsonFields>, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    service.here()?;
    let After(Manager(caller), fields) = asked;
    let SittingFields { draft, template_id, halls } = SittingFields::read(&fields)?;
    let names_scale = draft.mark_scale != FieldChange::Keep;
    let mut plan = draft.plan(None)?;
    let template_id = template_id?.ok_or_else(|| Error::invalid("templateId"))?;
    let template = service.chosen_template(&caller, template_id).await?;
    if !names_scale {
        plan.mark_scale = marks::of_template(&service.database, template_id).await?;
    }
    let halls = halls?.unwrap_or_default().into_iter().map(new_hall).collect::<Result<_, _>>()?;
    let mut sitting = new_sitting(template_id, plan, halls, caller.email.clone(), service.clock.now())?;
    note_subject(&sitting.id.to_string(), &sitting.plan.name);
    service.insert(&mut sitting, &[]).await?;
    answer(&service, &caller, ManagedSitting { sitting, template }).await
}

/// A sitting with its state, its counts and its rooms.
#[utoipa::path(
    operation_id = "readSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "The sitting", body = OneSitting, headers(("ETag" = String))),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}")]
pub async fn read(asked: After<Manager, Path<String>>, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    let managed = service.managed(&caller, &id).await?;
    answer(&service, &caller, managed).await
}

/// Changes any fields of a sitting.
///
/// Without `If-Match` whatever version there is is changed. What has begun to count stays: the start, and what
/// latecomers lose, results that are seen at once. `markScale` may be another one at any time. An end that has passed
/// is refused while somebody is at work. `ends` says whom another time has reached, and whom it has left as they were.
#[utoipa::path(
    operation_id = "changeSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("If-Match" = Option<String>, Header, description = "The version to change, in quotes"),
    ),
    request_body = SittingChange,
    responses(
        (status = 200, description = "The sitting", body = OneSitting, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has begun`, `Sitting is open` for another template, `Room has candidates`, `Sitting has candidates at work` for `results` that would show what they did, `Candidate has entered` for another `webhookUrl`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[patch("/api/admin/sittings/{id}")]
pub async fn change(
    asked: After<Manager, After<Path<String>, After<IfMatch, JsonFields>>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, After(if_match, fields))) = asked;
    let managed = service.managed(&caller, &id).await?;
    let SittingFields { draft: plan, template_id, halls } = SittingFields::read(&fields)?;
    let (halls, template_id) = (halls?, template_id?);
    let is_to_appear = plan.publish == Some(true);
    let template = match template_id.filter(|id| *id != managed.sitting.template_id) {
        Some(id) => service.chosen_template(&caller, id).await?,
        None => managed.template,
    };
    // Its name, its rooms and its webhook may be put right afterwards.
    let terms = ChangeTerms::of_version(&if_match).even_after_the_end();
    let planning = service.change(&caller.email, managed.sitting.id, terms, async |sitting, now| {
        let transaction = sitting.transaction();
        let before = Sitting::clone(sitting);
        sitting.plan = plan.plan(Some(&before.plan))?;
        sitting.template_id = template.id;
        let groups = candidates::load_groups(transaction, vec![sitting.id]).await?;
        if let Some(drafts) = halls {
            let in_use: Vec<Uuid> = groups.iter().filter_map(|group| group.room_id).collect();
            sitting.halls = merged(&before, drafts, &in_use)?;
        }
        refuse_too_late(&before, sitting, now)?;
        let overview = Overview::of(&before, template.duration_minutes, &groups, now);
        refuse_for_candidates(&before, sitting, &overview, now)?;
        let minutes = keep_template(transaction, sitting.template_id).await?;
        announce(transaction, Some(&before), sitting, minutes, is_to_appear, now).await?;
        sitting.opened_early &= now < before.plan.doors_at();
        let ends = EndsMoved::of_plan(transaction, &before, sitting, minutes, now).await?;
        Ok(Changed::Noted(ends, ManagedChange::of_plan(&before, sitting)))
    });
    let (sitting, ends) = planning.await?;
    let tag = version_tag(sitting.version);
    let shown = service.shown(&caller, &ManagedSitting { sitting, template }).await?;
    Ok(HttpResponse::Ok().insert_header(tag).json(OneSitting { ends, ..shown }))
}

/// Removes a draft with its roster, or calls off a sitting whose doors are open and that has not begun.
///
/// A sitting that somebody has entered is kept with its record: it has ended, nobody begins any more, and its questions
/// and its template are free again. `POST …/make-up` makes another one for everybody.
#[utoipa::path(
    operation_id = "deleteSitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("If-Match" = Option<String>, Header, description = "The version to remove, in quotes"),
    ),
    responses(
        (status = 200, description = "Removed", body = Done),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has candidates at work`: it has begun, or will within seconds", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[delete("/api/admin/sittings/{id}")]
pub async fn delete(
    asked: After<Manager, After<Path<String>, IfMatch>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, if_match)) = asked;
    let managed = service.managed(&caller, &id).await?;
    // One that has ended is refused below, as one that has begun; and nobody is to come through its doors.
    let terms = ChangeTerms::of_version(&if_match).even_after_the_end().leaving_doors();
    let removing = service.change(&caller.email, managed.sitting.id, terms, async |sitting, now| {
        let groups = candidates::load_groups(sitting.transaction(), vec![sitting.id]).await?;
        let of = |now| Overview::of(sitting, managed.template.duration_minutes, &groups, now);
        let (overview, soon) = (of(now), of(now.plus(SETTLED_BEFORE_MILLISECONDS)));
        let is_to_come = |state| matches!(state, SittingState::Draft | SittingState::Open);
        // Other servers begin by their own clocks, and hear of this a little later.
        if !is_to_come(overview.state) || sitting.opened_at.is_some() && !is_to_come(soon.state) {
            return Err(Error::Conflict(SITTING_AT_WORK));
        }
        withdraw(sitting.transaction(), sitting, now).await?;
        if overview.outlook.at_work + overview.counts.submitted == 0 {
            return Ok(Changed::Removed(()));
        }
        // Who waits would begin by the clock.
        sitting.plan.start = StartRule::Proctor;
        sitting.plan.publish = false;
        (sitting.ended_at, sitting.released_at) = (Some(now), Some(now));
        let called_off = ManagedChange::of_sitting("call_off", "not called off to called off".to_owned());
        Ok(Changed::Noted((), vec![called_off]))
    });
    removing.await?;
    Ok(done())
}

impl Sittings {
    /// Stores a new sitting with its candidates, under a code that no other one has.
    pub async fn insert(
        &self,
        sitting: &mut Sitting,
        roster: &[domain::sitting::candidate::Candidate],
    ) -> Result<(), Error> {
        let transaction = self.database.begin().await?;
        // A release waits for the template, and entries for the release.
        bound_stalls(&transaction).await?;
        let minutes = keep_template(&transaction, sitting.template_id).await?;
        announce(&transaction, None, sitting, minutes, true, self.clock.now()).await?;
        for _ in 0..CODES_TRIED_MAX {
            if let Some(stored) = sittings::insert(&transaction, sitting).await? {
                candidates::put(&stored, roster).await?;
                return self.commit_and_tell(transaction, sitting.id).await;
            }
            sitting.code = new_code()?;
        }
        Err(Error::internal("no code is free"))
    }
}

/// Keeps the template of a sitting from being removed, and a sitting with the same paper from being released, until the
/// transaction ends; returns its minutes.
async fn keep_template(transaction: &Transaction, id: Uuid) -> Result<u32, Error> {
    let kept = templates::lock(transaction, id).await?.ok_or_else(|| Error::invalid("templateId"))?;
    Ok(kept.config.duration_minutes)
}

/// The answer with the sitting as it is now, to one who manages it.
pub(super) async fn answer(
    service: &Sittings,
    caller: &Identity,
    managed: ManagedSitting,
) -> Result<HttpResponse, Error> {
    let tag = version_tag(managed.sitting.version);
    Ok(HttpResponse::Ok().insert_header(tag).json(service.shown(caller, &managed).await?))
}

pub(super) fn new_hall(draft: HallDraft) -> Result<Hall, Error> {
    Ok(Hall {
        id: Uuid::new_v4(),
        code: new_code()?,
        plan: draft.plan,
        begun_at: None,
        standing: HallStanding::default(),
    })
}

/// The halls of a request, those that exist with their ids and codes. One that is left out goes, unless someone sits
/// there.
pub(super) fn merged(sitting: &Sitting, drafts: Vec<HallDraft>, in_use: &[Uuid]) -> Result<Vec<Hall>, Error> {
    let mut halls: Vec<Hall> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let known = match draft.id {
            Some(id) => Some(sitting.hall(Some(id)).ok_or_else(|| Error::invalid("rooms"))?),
            None => sitting.hall_named(&draft.plan.name),
        };
        let hall = match known {
            Some(hall) => Hall { plan: draft.plan, ..hall.clone() },
            None => new_hall(draft)?,
        };
        if halls.iter().any(|other| other.id == hall.id) {
            return Err(Error::invalid("rooms"));
        }
        halls.push(hall);
    }
    let is_gone = |id: &Uuid| !halls.iter().any(|hall| hall.id == *id);
    if in_use.iter().any(is_gone) { Err(Error::Conflict(ROOM_IN_USE)) } else { Ok(halls) }
}

/// Refuses a change that would hand in for those at work, show or hide results that some have, or reach only those who
/// have not entered yet.
fn refuse_for_candidates(before: &Sitting, after: &Sitting, overview: &Overview, now: Moment) -> Result<(), Error> {
    let (counts, at_work) = (overview.counts, overview.outlook.at_work);
    let is_cut = |was: Option<Moment>, is: Option<Moment>| at_work > 0 && was != is && is.is_some_and(|end| end <= now);
    if is_cut(before.plan.ends_at, after.plan.ends_at) {
        return Err(Error::invalid("endsAt"));
    }
    let end_before = |hall: &Hall| before.hall(Some(hall.id)).and_then(|hall| hall.plan.ends_at);
    if after.halls.iter().any(|hall| is_cut(end_before(hall), hall.plan.ends_at)) {
        return Err(Error::invalid("rooms"));
    }
    let has_worked = counts.submitted + counts.active + counts.paused > 0;
    // Those who have handed in would see their results, and nobody would be told: that is what a release is for.
    if has_worked && after.is_released() && !before.is_released() {
        return Err(Error::Conflict(SITTING_AT_WORK));
    }
    // Some have seen theirs.
    if has_worked && before.is_released() && !after.is_released() {
        return Err(Error::Conflict(SITTING_BEGUN));
    }
    // Attempts have a copy of it.
    let has_entered = at_work + counts.submitted > 0;
    if has_entered && before.plan.webhook_url != after.plan.webhook_url {
        return Err(Error::Conflict(CANDIDATE_ENTERED));
    }
    Ok(())
}

/// Refuses a change of what has begun to count, or of what candidates who wait rely on.
fn refuse_too_late(before: &Sitting, after: &Sitting, now: Moment) -> Result<(), Error> {
    let begins =
        |sitting: &Sitting, hall: Option<Uuid>| sitting.hall_terms(hall).begins_at.map(|begins_at| begins_at.value);
    let halls = before.halls.iter().filter(|hall| after.hall(Some(hall.id)).is_some()).map(|hall| Some(hall.id));
    let settled = if before.opened_at.is_some() { now.plus(SETTLED_BEFORE_MILLISECONDS) } else { now };
    let begun = |hall: Option<Uuid>| begins(before, hall).filter(|begins_at| *begins_at <= settled);
    let mut has_begun = false;
    for hall in std::iter::once(None).chain(halls) {
        if let Some(begun_at) = begun(hall) {
            has_begun = true;
            if begins(after, hall) != Some(begun_at) {
                return Err(Error::Conflict(SITTING_BEGUN));
            }
        }
    }
    let is_same_rule = before.plan.late == after.plan.late && before.plan.start == after.plan.start;
    if has_begun && !is_same_rule {
        return Err(Error::Conflict(SITTING_BEGUN));
    }
    let is_open = before.opened_at.is_some();
    if is_open && before.template_id != after.template_id {
        return Err(Error::Conflict(SITTING_OPEN));
    }
    // A slip of the pen would begin the exam at once, and take from everybody the time since then.
    let is_moved = before.plan.starts_at != after.plan.starts_at;
    if is_open && is_moved && after.plan.starts_at < now { Err(Error::invalid("startsAt")) } else { Ok(()) }
}
