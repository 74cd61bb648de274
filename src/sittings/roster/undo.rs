//! `POST /api/admin/sittings/{id}/candidates/undo`: takes the last import of a roster back, until somebody has entered.

use std::collections::HashSet;

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, post};
use domain::sitting::candidate::Candidate;
use domain::sitting::plan::HallPlan;
use domain::sitting::roster::undone::{UndoRefusal, UndoneImport};
use domain::sitting::{Hall, Sitting};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::candidates::ROSTER_FULL;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::note_detail;
use crate::http::if_match::{IfMatch, version_tag};
use crate::sittings::announcement::announce;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::record::ManagedChange;
use crate::sittings::view::CandidateView;
use crate::sittings::{CANDIDATE_ENTERED, ManagedSitting, SITTING_BEGUN, Sittings};
use crate::store::former_rosters::{self, ImportedRoster, NotedImport};
use crate::store::sittings::LockedSitting;
use crate::store::{accommodations as stored_accommodations, candidates as stored_candidates};

/// The answer when there was no import, or it was taken back already.
const NO_IMPORT: &str = "There is no import to undo";
/// The answer when somebody else has by now the address or the id that one of them would have again.
const ROSTER_CHANGED: &str = "The roster has changed since the import";

/// The last import of a roster, as long as it can be taken back.
#[derive(Serialize, ToSchema)]
pub struct LastImport {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// E-mail of who made it.
    by: String,
    /// Number of candidates who were new.
    added: usize,
    /// Number of those who were there before.
    updated: usize,
    /// Number of those who were removed.
    removed: usize,
}

/// What was taken back.
#[derive(Serialize, ToSchema)]
struct UndoneRoster {
    /// Number of candidates whom the import had added, and who are gone.
    removed: usize,
    /// Number of those whom it had changed, and who are as before, as far as nobody has changed them since.
    restored: usize,
    /// Number of those whom it had removed, and who are back.
    returned: usize,
    /// Number of those whom it had added or changed, and who were changed or removed by hand since: that stays.
    kept: usize,
}

impl From<UndoneImport> for UndoneRoster {
    fn from(UndoneImport { gone, restored, returned, kept }: UndoneImport) -> Self {
        Self { removed: gone.len(), restored: restored.len(), returned: returned.len(), kept }
    }
}

impl UndoneRoster {
    /// As it stands on the record.
    fn summary(&self) -> String {
        let Self { removed, restored, returned, kept } = self;
        let kept = if *kept > 0 { format!(", {kept} kept as changed since") } else { String::new() };
        format!("import undone: {removed} removed, {restored} changed back, {returned} brought back{kept}")
    }
}

/// Takes the last import of a roster back, as long as nobody has entered and the time of the sitting does not count.
///
/// Whom it has added goes, what it has changed of somebody is as before, and whom it has removed comes back, with seat,
/// note, times and access code. A room that it has made goes if nobody is in it and nothing was said about it since.
/// What was done by hand since stays: whoever was added by another way, or added by the import and changed since, what
/// was changed again, and that somebody was removed.
#[utoipa::path(
    operation_id = "undoImport",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("If-Match" = Option<String>, Header, description = "The version to change, in quotes"),
    ),
    responses(
        (status = 200, description = "What was taken back", body = UndoneRoster, headers(("ETag" = String))),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`There is no import to undo`, `Candidate has entered`, `Sitting has begun`, `Sitting has ended`, `The roster has changed since the import`, `The roster is full`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/candidates/undo")]
pub async fn undo(
    asked: After<Manager, After<Path<String>, IfMatch>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, if_match)) = asked;
    let managed = service.managed(&caller, &id).await?;
    let minutes = managed.template.duration_minutes;
    let terms = ChangeTerms::of_version(&if_match);
    let undoing = service.change(&caller.email, managed.sitting.id, terms, async |sitting, now| {
        let transaction = sitting.transaction();
        let found = former_rosters::find(transaction, sitting.id).await?;
        let former = found.ok_or(Error::Conflict(NO_IMPORT))?;
        if sitting.has_begun(now) {
            return Err(Error::Conflict(SITTING_BEGUN));
        }
        let present = stored_candidates::load_of(transaction, sitting.id).await?;
        let undone = former.undone(&present)?.map_err(refused)?;
        let (halls, had_open_doors) = (former.halls.clone(), former.has_open_doors);
        former_rosters::restore(sitting, former, &undone).await?;
        let mut roster = stored_candidates::load_of(transaction, sitting.id).await?;
        if sitting.opened_at.is_some() && !had_open_doors {
            // Their copies were made when the doors opened, after the import.
            let restored = undone.restored.iter().map(|one| one.id);
            let ids: HashSet<Uuid> = restored.chain(undone.returned.iter().copied()).collect();
            roster.retain(|one| ids.contains(&one.id));
            let stale = stored_accommodations::fill(transaction, sitting, &mut roster).await?;
            roster.retain(|one| stale.contains(&one.id));
            stored_candidates::put(sitting, &roster).await?;
            roster = stored_candidates::load_of(transaction, sitting.id).await?;
        }
        let before = Sitting::clone(sitting);
        sitting.halls.retain(|hall| !halls.contains(&hall.id) || is_used(hall, &roster));
        if sitting.plan.publish && sitting.halls.len() < before.halls.len() {
            announce(transaction, Some(&before), sitting, minutes, false, now).await?;
        }
        let undone = UndoneRoster::from(undone);
        let summary = undone.summary();
        note_detail(&summary);
        Ok(Changed::Noted(undone, vec![ManagedChange::of_sitting("roster", summary)]))
    });
    let (sitting, undone) = undoing.await?;
    Ok(HttpResponse::Ok().insert_header(version_tag(sitting.version)).json(undone))
}

fn refused(refusal: UndoRefusal) -> Error {
    Error::Conflict(match refusal {
        UndoRefusal::Entered => CANDIDATE_ENTERED,
        UndoRefusal::Taken => ROSTER_CHANGED,
        UndoRefusal::Full => ROSTER_FULL,
    })
}

/// Whether somebody is in a hall, or something was said about it beside its name.
fn is_used(hall: &Hall, roster: &[Candidate]) -> bool {
    let bare = HallPlan { name: hall.plan.name.clone(), ..HallPlan::default() };
    hall.plan != bare || hall.begun_at.is_some() || roster.iter().any(|one| one.hall_id == Some(hall.id))
}

/// Keeps what the roster was before an import that is about to be stored. Once somebody has entered, no import can be
/// taken back; and one that changes nothing leaves what can.
pub(super) async fn keep(
    sitting: &LockedSitting<'_>,
    import: &NotedImport,
    imported: ImportedRoster<'_>,
    has_entered: bool,
) -> Result<(), Error> {
    let ImportedRoster { added, changed, removed, halls } = imported;
    let is_empty = added.is_empty() && changed.is_empty() && removed.is_empty() && halls.is_empty();
    if has_entered || is_empty { Ok(()) } else { Ok(former_rosters::keep(sitting, import, imported).await?) }
}

impl Sittings {
    /// The last import of a roster, if it can be taken back now. `candidates` are those on it.
    pub(super) async fn last_import(
        &self,
        managed: &ManagedSitting,
        candidates: &[CandidateView],
    ) -> Result<Option<LastImport>, Error> {
        let sitting = &managed.sitting;
        let has_entered = candidates.iter().any(|one| one.session_id.is_some());
        if has_entered || sitting.ended_at.is_some() || sitting.has_begun(self.clock.now()) {
            return Ok(None);
        }
        let found = former_rosters::find_import(&self.database.read, sitting.id).await?;
        Ok(found.map(|NotedImport { at, by, added, updated, removed }| LastImport { at, by, added, updated, removed }))
    }
}
