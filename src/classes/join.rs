//! `POST /api/admin/sittings/{id}/classes`: the people of classes come onto the roster of a sitting.

use std::collections::HashSet;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, post};
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::class::Class;
use domain::sitting::roster::CANDIDATES_OF_SITTING_MAX;
use domain::sitting::roster::joined::JoinedPeople;
use serde::Deserialize;
use uuid::Uuid;

use super::{Classes, refuse_others};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::note_detail;
use crate::http::fields::{JsonFields, body};
use crate::http::if_match::{IfMatch, version_tag};
use crate::http::parameters::flag;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::record::ManagedChange;
use crate::sittings::roster::candidates::ROSTER_FULL;
use crate::sittings::roster::report::RosterReport;
use crate::store::{accommodations, candidates, classes};

/// Classes that one request may bring: a year of the largest schools. Each may have a thousand people.
const CLASSES_JOINED_MAX: usize = 40;
/// Characters of the names of classes in an entry of a record: those of 40 classes, if they are as short as usual.
const NAMED_CHARACTERS_MAX: usize = 400;

#[derive(Deserialize)]
struct JoinQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
}

body! {
    /// The classes whose people come.
    #[schema(examples(json!({ "classes": ["00000000-0000-4000-8000-000000000000"] })))]
    struct JoiningClasses {
        /// Their ids.
        #[schema(min_items = 1, max_items = 40)]
        classes: Vec<Uuid> = |field| field.required_parsed(distinct),
    }
}

/// Which sitting is joined, how, in which version of it, and by whom.
type JoinRequest = After<Path<String>, After<Query<JoinQuery>, After<IfMatch, JsonFields>>>;

/// Adds the people of classes to the roster of a sitting.
///
/// They get no rooms and seats yet. What the class says they need is theirs, unless the sitting or the register of
/// accommodations gives as much; of two classes the one that says more counts. Whoever is on the roster already stays
/// as they are, nobody is removed, and a person in two classes comes once. `updated` counts those who were there
/// before.
#[utoipa::path(
    operation_id = "joinClasses",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("dryRun" = Option<bool>, Query, description = "Tell who would come, and write nothing"),
        ("If-Match" = Option<String>, Header, description = "The version of the sitting to change, in quotes"),
    ),
    request_body = JoiningClasses,
    responses(
        (status = 200, description = "What was done", body = RosterReport, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`; of an unknown class `Invalid classes`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`The roster is full`, `Sitting has ended`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/classes")]
pub async fn join(asked: After<Manager, JoinRequest>, service: Data<Classes>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, After(query, After(if_match, fields)))) = asked;
    let sittings = &service.sittings;
    let managed = sittings.managed(&caller, &id).await?;
    let is_dry_run = flag("dryRun", query.dry_run.as_deref())?;
    let JoiningClasses { classes: ids } = JoiningClasses::read(&fields)?;
    let terms = ChangeTerms::of_version(&if_match);
    let changing = sittings.change(&caller.email, managed.sitting.id, terms, async |sitting, _| {
        let transaction = sitting.transaction();
        let joining = classes::load(transaction, &ids).await?;
        if joining.len() != ids.len() {
            return Err(Error::invalid("classes"));
        }
        for class in &joining {
            refuse_others(&caller, class.grade)?;
        }
        let stored = candidates::load_of(transaction, sitting.id).await?;
        let people = classes::load_people_of(transaction, &ids).await?;
        let JoinedPeople { mut new, known, errors } = JoinedPeople::of(people, &stored, Uuid::new_v4);
        if stored.len() + new.len() > CANDIDATES_OF_SITTING_MAX {
            return Err(Error::Conflict(ROSTER_FULL));
        }
        accommodations::fill(transaction, sitting, &mut new).await?;
        for candidate in &mut new {
            forget_what_is_given(sitting, candidate);
        }
        let report = RosterReport { added: new.len(), updated: known, errors, ..RosterReport::default() };
        if is_dry_run || new.is_empty() {
            return Ok(Changed::Nothing(report));
        }
        let summary = format!("{} added of {}", new.len(), names_of(&joining, &ids));
        note_detail(&summary);
        candidates::put(sitting, &new).await?;
        Ok(Changed::Noted(report, vec![ManagedChange::of_sitting("roster", summary)]))
    });
    let (sitting, report) = changing.await?;
    Ok(HttpResponse::Ok().insert_header(version_tag(sitting.version)).json(report))
}

/// What somebody has anyway, or less, does not become their own: a class takes no time away, and what it says today
/// does not hide what the register says tomorrow.
fn forget_what_is_given(sitting: &Sitting, candidate: &mut Candidate) {
    let (factor, extra_minutes) = sitting.inherited(candidate);
    candidate.own.factor = candidate.own.factor.filter(|own| *own > factor);
    candidate.own.extra_minutes = candidate.own.extra_minutes.filter(|own| *own > extra_minutes);
}

/// The names of these classes for a record, in the order in which they were asked for.
fn names_of(joining: &[Class], ids: &[Uuid]) -> String {
    let name_of = |id: &Uuid| joining.iter().find(|class| class.id == *id).map(|class| &*class.name);
    let all = ids.iter().filter_map(name_of).collect::<Vec<_>>().join(", ");
    match all.char_indices().nth(NAMED_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", all.get(..end).unwrap_or_default()),
        None => all,
    }
}

/// Ids of which each comes once; `None` if there are none, or too many.
fn distinct(mut ids: Vec<Uuid>) -> Option<Vec<Uuid>> {
    let is_sound = (1..=CLASSES_JOINED_MAX).contains(&ids.len());
    let mut known = HashSet::new();
    ids.retain(|id| known.insert(*id));
    is_sound.then_some(ids)
}
