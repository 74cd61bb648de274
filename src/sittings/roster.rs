//! `/api/admin/sittings/{id}/candidates`: the roster of a sitting, read and replaced as a whole. Below are single
//! candidates, what they need in every exam, and what the roster says of a sitting.

pub mod access_code;
pub mod accommodations;
pub mod applied;
pub mod candidates;
pub mod explain;
pub mod list_file;
pub mod overview;
pub mod report;
pub mod room_roster;
pub mod undo;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get, put};
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::plan::{HALLS_MAX, HallDraft, HallPlan};
use domain::sitting::roster::merge::{RosterChange, RosterPlace};
use domain::sitting::values::Factor;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::admin::new_hall;
use super::announcement::announce;
use super::change::{ChangeTerms, Changed};
use super::record::ManagedChange;
use super::view::{CandidateList, CandidateView};
use super::{ManagedSitting, Sittings};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::if_match::{IfMatch, version_tag};
use crate::http::parameters::flag;
use crate::http::upload::Upload;
use crate::sheets::turns::WorkbookTurnstile;
use crate::store::former_rosters::{ImportedRoster, NotedImport};
use crate::store::{accommodations as stored_accommodations, candidates as stored_candidates};
use report::RosterReport;

#[derive(Deserialize)]
struct RosterQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
    class: Option<String>,
}

/// Which roster is replaced, how, in which version of the sitting, and by what.
type RosterRequest = After<Path<String>, After<Query<RosterQuery>, After<IfMatch, Upload>>>;

/// A roster as JSON.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read row by row")]
struct RosterBody {
    #[schema(max_items = 20_000)]
    candidates: Vec<candidates::CandidateFields>,
}

/// A form with the files of a roster.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes the form in the document")]
pub struct RosterForm {
    /// A table of people, or of users.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The enrolments of OneRoster.
    #[schema(value_type = Option<String>, format = Binary)]
    enrollments: Option<Vec<u8>>,
}

/// The roster of a sitting, by name.
#[utoipa::path(
    operation_id = "listCandidates",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "All candidates", body = CandidateList, headers(("ETag" = String))),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/candidates")]
pub async fn read(asked: After<Manager, Path<String>>, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    let managed = service.managed(&caller, &id).await?;
    let candidates = service.views(&managed).await?;
    let last_import = service.last_import(&managed, &candidates).await?;
    let tag = version_tag(managed.sitting.version);
    Ok(HttpResponse::Ok().insert_header(tag).json(CandidateList { candidates, last_import }))
}

/// Replaces the roster of a sitting.
///
/// It takes JSON, a table as it is (CSV with commas, semicolons or tabs, xlsx, ods), or a form with files: one table,
/// or the `users.csv` and `enrollments.csv` of OneRoster together. Candidates are found by their e-mail address, else
/// by their `externalId`, and changed in place; a field without a value stays as it is. Those who are no longer on the
/// list are removed, unless a row could not be read, or they have entered, or the time of the sitting counts. Those who
/// have entered keep their times: a row that moves one of them into a room with other times is not taken.
#[utoipa::path(
    operation_id = "replaceCandidates",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("dryRun" = Option<bool>, Query, description = "Tell what the import would do, and write nothing"),
        ("class" = Option<String>, Query, description = "With files of OneRoster: only those who are enrolled in this class"),
        ("If-Match" = Option<String>, Header, description = "The version to change, in quotes"),
    ),
    request_body(content(
        (RosterBody = "application/json"),
        (inline(RosterForm) = "multipart/form-data"),
    )),
    responses(
        (status = 200, description = "What was done", body = RosterReport, headers(("ETag" = String))),
        (status = 400, description = "`Invalid file`, `Invalid candidates`, `Missing columns: email or externalId`, `Column … is not known: did you mean …?`, `Row …: a quotation mark is opened and not closed`, or another reason why nothing can be read", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 408, description = "The body came too slowly", body = ErrorBody),
        (status = 409, description = "`Sitting has ended`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 413, description = "Over 20 MiB", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "Too many workbooks at once", body = ErrorBody),
    )
)]
#[put("/api/admin/sittings/{id}/candidates")]
pub async fn replace(
    asked: After<Manager, RosterRequest>,
    service: Data<Sittings>,
    turns: Data<WorkbookTurnstile>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, After(query, After(if_match, upload)))) = asked;
    let managed = service.managed(&caller, &id).await?;
    let is_dry_run = flag("dryRun", query.dry_run.as_deref())?;
    let class = query.into_inner().class.filter(|class| !class.is_empty());
    let list = list_file::roster(upload, class, &turns).await?;
    let (report, roster) = (RosterReport::of_list(&list), list.list);
    let terms = ChangeTerms::of_version(&if_match);
    let replacing = service.change(&caller.email, managed.sitting.id, terms, async |sitting, now| {
        let transaction = sitting.transaction();
        let before = Sitting::clone(sitting);
        let mut stored = stored_candidates::load_of(transaction, sitting.id).await?;
        let known: HashSet<Uuid> = stored.iter().map(|candidate| candidate.id).collect();
        let entered: HashMap<Uuid, Candidate> =
            stored.iter().filter(|one| one.has_entered()).map(|one| (one.id, one.clone())).collect();
        // Until the doors open, the register counts, and what is copied from it now is copied again then.
        stored_accommodations::fill_before_doors(transaction, sitting, &mut stored).await?;
        let may_remove = !sitting.has_begun(now);
        let mut change = RosterChange::of(roster, stored, may_remove, &mut RosterHalls { sitting });
        let (mut new, old): (Vec<_>, Vec<_>) = change.put.into_iter().partition(|one| !known.contains(&one.id));
        stored_accommodations::fill(transaction, sitting, &mut new).await?;
        let report = RosterReport {
            added: change.added,
            updated: change.updated,
            removed: change.removed.len(),
            errors: std::mem::take(&mut change.errors),
            new_rooms: sitting.halls.iter().skip(before.halls.len()).map(|hall| hall.plan.name.clone()).collect(),
            ..report
        };
        if is_dry_run {
            return Ok(Changed::Nothing(report));
        }
        if sitting.plan.publish && sitting.halls.len() > before.halls.len() {
            let minutes = managed.template.duration_minutes;
            announce(transaction, Some(&before), sitting, minutes, false, now).await?;
        }
        let RosterReport { added, updated, removed, .. } = report;
        let import = NotedImport { at: now, by: caller.email.clone(), added, updated, removed };
        let halls: Vec<Uuid> = sitting.halls.iter().skip(before.halls.len()).map(|hall| hall.id).collect();
        let imported = ImportedRoster { added: &new, changed: &old, removed: &change.removed, halls: &halls };
        undo::keep(sitting, &import, imported, !entered.is_empty()).await?;
        stored_candidates::delete(sitting, &change.removed).await?;
        let let_go = stored_candidates::put(sitting, &old).await?.len();
        stored_candidates::put(sitting, &new).await?;
        let mut summary = format!("{added} added, {updated} updated, {removed} removed");
        if let_go > 0 {
            let _ = write!(summary, ", {let_go} nobody of a learning platform any more");
        }
        let mut changes = vec![ManagedChange::of_sitting("roster", summary)];
        // What becomes of those who have entered stands on their own records.
        let of_entered = |after: &Candidate| {
            let before = entered.get(&after.id)?;
            ManagedChange::of_candidate(sitting, "candidate", before, after)
        };
        changes.extend(old.iter().filter_map(of_entered));
        Ok(Changed::Noted(report, changes))
    });
    let (sitting, report) = replacing.await?;
    Ok(HttpResponse::Ok().insert_header(version_tag(sitting.version)).json(report))
}

impl Sittings {
    /// The candidates of a sitting as those who manage it see them.
    pub async fn views(&self, managed: &ManagedSitting) -> Result<Vec<CandidateView>, Error> {
        let (sitting, now) = (&managed.sitting, self.clock.now());
        let standings = stored_candidates::load_standings(&self.database.read, sitting.id).await?;
        let state = self.overview(managed, now).await?.state;
        let roster = self.roster(sitting).await?;
        let view = |one: Candidate| {
            let standing = standings.get(&one.id);
            CandidateView::of(one, managed, standing, state, now)
        };
        Ok(roster.into_iter().map(view).collect())
    }
}

/// A sitting whose halls may become more.
struct RosterHalls<'a> {
    sitting: &'a mut Sitting,
}

impl RosterPlace for RosterHalls<'_> {
    fn new_id(&mut self) -> Uuid {
        Uuid::new_v4()
    }

    fn hall(&mut self, name: &str) -> Option<Uuid> {
        if let Some(hall) = self.sitting.hall_named(name) {
            return Some(hall.id);
        }
        if self.sitting.halls.len() >= HALLS_MAX {
            return None;
        }
        let plan = HallPlan { name: name.to_owned(), ..HallPlan::default() };
        let hall = new_hall(HallDraft { id: None, plan }).ok()?;
        let id = hall.id;
        self.sitting.halls.push(hall);
        Some(id)
    }

    fn has_same_times(&self, before: &Candidate, after: &Candidate) -> bool {
        self.sitting.terms(before, 0).has_same_times(&self.sitting.terms(after, 0))
    }

    fn inherited(&self, candidate: &Candidate) -> (Factor, u32) {
        self.sitting.inherited(candidate)
    }
}
