//! Changes to single candidates of a sitting: one who comes unannounced, a change, a removal.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, patch, post};
use domain::sitting::candidate::{Candidate, Person};
use domain::sitting::list::{ListRow, UnknownFields};
use domain::sitting::roster::merge::RosterPlace;
use domain::sitting::roster::{ANSWERED_FIELDS, CANDIDATES_OF_SITTING_MAX, ROSTER_HEADINGS, RosterEntry};
use domain::sitting::values::FieldChange;
use domain::sitting::{SETTLED_BEFORE_MILLISECONDS, Sitting, SittingState};
use domain::time::moment::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

use super::RosterHalls;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::fallback::NOT_FOUND;
use crate::http::fields::JsonFields;
use crate::http::if_match::{IfMatch, version_tag};
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::effects::EndsMoved;
use crate::sittings::record::ManagedChange;
use crate::sittings::view::{CandidateView, OneCandidate};
use crate::sittings::{CANDIDATE_ENTERED, ManagedSitting, SITTING_BEGUN, Sittings, known};
use crate::store::{accommodations, candidates};

/// The answer to a second candidate of the same address or id.
const CANDIDATE_KNOWN: &str = "Candidate is on the roster already";
/// On the record of a candidate who has become somebody else.
const LET_GO: &str = ", is nobody of a learning platform any more";
/// The answer when a roster would have more than it may have.
pub const ROSTER_FULL: &str = "The roster is full";

/// Which candidate is changed, in which version of the sitting, and how.
type CandidateRequest = After<Path<(String, String)>, After<IfMatch, JsonFields>>;

/// A candidate. `email` or `externalId` is required for a new one.
#[derive(ToSchema)]
#[schema(as = CandidateFields, rename_all = "camelCase", examples(json!({ "email": "ada@exam.example", "name": "Ada", "room": "B12", "seat": "14" })))]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
pub struct CandidateFields {
    email: Option<String>,
    external_id: Option<String>,
    /// 1 to 200 characters; the address or the id if it is left out.
    name: Option<String>,
    /// The name of a room, which is made if there is none.
    room: Option<String>,
    seat: Option<String>,
    /// A whole percentage.
    #[schema(minimum = 100, maximum = 400)]
    factor: Option<u32>,
    #[schema(minimum = 0, maximum = 600)]
    extra_minutes: Option<u32>,
    /// A start of their own, kept by the clock.
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<Moment>,
    /// A hard end of their own.
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Moment>,
    /// For proctors.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// Adds one candidate, also while the sitting runs.
#[utoipa::path(
    operation_id = "addCandidate",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    request_body = CandidateFields,
    responses(
        (status = 200, description = "The candidate", body = OneCandidate, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Candidate is on the roster already`, `The roster is full`, `Sitting has ended`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/candidates")]
pub async fn add(
    asked: After<Manager, After<Path<String>, JsonFields>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, fields)) = asked;
    let managed = service.managed(&caller, &id).await?;
    let entry = entry(fields)?;
    if entry.person == Person::default() {
        return Err(Error::invalid("email"));
    }
    // Whoever comes unannounced is in nobody's way, so no version is asked for.
    let terms = ChangeTerms::of_any_version();
    let adding = service.change(&caller.email, managed.sitting.id, terms, async |sitting, now| {
        let roster = candidates::load_of(sitting.transaction(), sitting.id).await?;
        refuse_known(&roster, &entry.person, None)?;
        if roster.len() >= CANDIDATES_OF_SITTING_MAX {
            return Err(Error::Conflict(ROSTER_FULL));
        }
        let name = entry.person.shown().to_owned();
        let mut candidate = [Candidate::new(Uuid::new_v4(), entry.person.clone(), name)];
        apply(sitting, entry, &mut candidate[0])?;
        accommodations::fill(sitting.transaction(), sitting, &mut candidate).await?;
        candidates::put(sitting, &candidate).await?;
        let added = ManagedChange {
            candidate_id: Some(candidate[0].id),
            hall_id: candidate[0].hall_id,
            kind: "candidate",
            detail: "not on the roster to expected".to_owned(),
        };
        let [candidate] = candidate;
        Ok(Changed::Noted((candidate, now), vec![added]))
    });
    let (sitting, (candidate, now)) = adding.await?;
    let managed = ManagedSitting { sitting, ..managed };
    answer(&service, &managed, candidate, (None, false), now).await
}

/// Changes any fields of a candidate; null takes a value of their own away.
///
/// Someone who has entered stays who they are, and a start that counts stays too. Someone at work can be moved to a
/// room with the same beginning, time and end. Who becomes somebody else, by another address or id, is nobody of a
/// learning platform any more: the answer says so.
#[utoipa::path(
    operation_id = "changeCandidate",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("candidateId" = String, Path, description = "Candidate id"),
        ("If-Match" = Option<String>, Header, description = "The version of the sitting to change, in quotes"),
    ),
    request_body = CandidateFields,
    responses(
        (status = 200, description = "The candidate", body = OneCandidate, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Candidate is on the roster already`, `Candidate has entered`, `Sitting has begun`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[patch("/api/admin/sittings/{id}/candidates/{candidateId}")]
pub async fn change(asked: After<Manager, CandidateRequest>, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(path, After(if_match, fields))) = asked;
    let (id, candidate_id) = path.into_inner();
    let managed = service.managed(&caller, &id).await?;
    let candidate_id = known(&candidate_id)?;
    let is_cleared =
        |name: &str| fields.field(name).change(|_| Some(())).is_ok_and(|asked| asked == FieldChange::Clear);
    let (without_email, without_id) = (is_cleared("email"), is_cleared("externalId"));
    let entry = entry(fields)?;
    let minutes = managed.template.duration_minutes;
    // A name, a seat or a note may be put right afterwards.
    let terms = ChangeTerms::of_version(&if_match).even_after_the_end();
    let changing = service.change(&caller.email, managed.sitting.id, terms, async |sitting, now| {
        let transaction = sitting.transaction();
        let roster = candidates::load_of(transaction, sitting.id).await?;
        refuse_known(&roster, &entry.person, Some(candidate_id))?;
        let before = roster.into_iter().find(|one| one.id == candidate_id).ok_or(Error::NotFound(NOT_FOUND))?;
        let mut candidate = [before.clone()];
        let person = &mut candidate[0].person;
        person.email = person.email.take().filter(|_| !without_email);
        person.external_id = person.external_id.take().filter(|_| !without_id);
        apply(sitting, entry, &mut candidate[0])?;
        refuse_too_late(sitting, &before, &candidate[0], now)?;
        // Another address may be that of someone with an accommodation.
        if candidate[0].person.email != before.person.email {
            accommodations::fill(transaction, sitting, &mut candidate).await?;
        }
        let let_go = !candidates::put(sitting, &candidate).await?.is_empty();
        let [candidate] = candidate;
        let standings = candidates::load_standings_of(transaction, before.session_id.into_iter()).await?;
        let standing = standings.get(&candidate_id);
        let ends = EndsMoved::of_candidate(sitting, &before, &candidate, standing, minutes, now);
        let mut changed = ManagedChange::of_candidate(sitting, "candidate", &before, &candidate);
        if let Some(changed) = changed.as_mut().filter(|_| let_go) {
            changed.detail.push_str(LET_GO);
        }
        Ok(Changed::Noted((candidate, (ends, let_go), now), changed.into_iter().collect()))
    });
    let (sitting, (candidate, followed, now)) = changing.await?;
    let managed = ManagedSitting { sitting, ..managed };
    answer(&service, &managed, candidate, followed, now).await
}

/// Removes a candidate before the sitting begins. Later, someone who has not come is absent.
///
/// With `If-Match` it is refused if the sitting has another version. Without it whatever version there is is changed.
#[utoipa::path(
    operation_id = "removeCandidate",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("candidateId" = String, Path, description = "Candidate id"),
        ("If-Match" = Option<String>, Header, description = "The version of the sitting to change, in quotes"),
    ),
    responses(
        (status = 200, description = "Removed", body = Done),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has begun`, `Sitting has ended`, `Candidate has entered`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[delete("/api/admin/sittings/{id}/candidates/{candidateId}")]
pub async fn remove(
    asked: After<Manager, After<Path<(String, String)>, IfMatch>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(path, if_match)) = asked;
    let (id, candidate_id) = path.into_inner();
    let managed = service.managed(&caller, &id).await?;
    let candidate_id = known(&candidate_id)?;
    let terms = ChangeTerms::of_version(&if_match);
    let removing = service.change(&caller.email, managed.sitting.id, terms, async |sitting, now| {
        let found = candidates::find(sitting.transaction(), sitting.id, candidate_id).await?;
        let candidate = found.ok_or(Error::NotFound(NOT_FOUND))?;
        if sitting.terms(&candidate, 0).has_begun(now) {
            return Err(Error::Conflict(SITTING_BEGUN));
        }
        if candidate.has_entered() {
            return Err(Error::Conflict(CANDIDATE_ENTERED));
        }
        candidates::delete(sitting, &[candidate.id]).await?;
        let removed = format!("{} ({}): removed", candidate.name, candidate.person.shown());
        Ok(Changed::Noted((), vec![ManagedChange::of_sitting("roster", removed)]))
    });
    removing.await?;
    Ok(done())
}

/// Reads the fields of one candidate: 400 for the first that is wrong.
fn entry(fields: JsonFields) -> Result<RosterEntry, Error> {
    let value = fields.into_value();
    let mut row = ListRow::of_json(1, &value, &ROSTER_HEADINGS);
    let rows = std::slice::from_ref(&value);
    row.refuse_mistyped(&value, &UnknownFields::of(rows, &ROSTER_HEADINGS, &ANSWERED_FIELDS));
    let entry = RosterEntry::read(&mut row);
    row.wrong_field().map_or(Ok(entry), |name| Err(Error::invalid(name)))
}

/// The database has each address and each id once in a sitting.
fn refuse_known(roster: &[Candidate], person: &Person, but: Option<Uuid>) -> Result<(), Error> {
    let is_same = |one: &Option<String>, other: &Option<String>| {
        one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| Person::is_same(one, other))
    };
    let is_known = roster
        .iter()
        .filter(|one| Some(one.id) != but)
        .any(|one| is_same(&one.person.email, &person.email) || is_same(&one.person.external_id, &person.external_id));
    if is_known { Err(Error::Conflict(CANDIDATE_KNOWN)) } else { Ok(()) }
}

/// Makes all changes that the caller asks for, unlike a roster also those of someone who has entered.
fn apply(sitting: &mut Sitting, mut entry: RosterEntry, candidate: &mut Candidate) -> Result<(), Error> {
    match std::mem::take(&mut entry.room) {
        FieldChange::Keep => {}
        FieldChange::Clear => candidate.hall_id = None,
        FieldChange::Set(name) => {
            candidate.hall_id = Some(RosterHalls { sitting }.hall(&name).ok_or_else(|| Error::invalid("room"))?);
        }
    }
    let RosterEntry { person, name, seat, factor, extra_minutes, starts_at, ends_at, note, .. } = entry;
    if let Some(name) = name {
        candidate.name = name;
    }
    candidate.person.email = person.email.or(candidate.person.email.take());
    candidate.person.external_id = person.external_id.or(candidate.person.external_id.take());
    if candidate.person == Person::default() {
        return Err(Error::invalid("email"));
    }
    seat.apply(&mut candidate.seat);
    note.apply(&mut candidate.note);
    factor.apply(&mut candidate.own.factor);
    extra_minutes.apply(&mut candidate.own.extra_minutes);
    starts_at.apply(&mut candidate.own.starts_at);
    ends_at.apply(&mut candidate.own.ends_at);
    let is_reversed = candidate.own.ends_at.zip(candidate.own.starts_at).is_some_and(|(end, start)| end <= start);
    if is_reversed { Err(Error::invalid("endsAt")) } else { Ok(()) }
}

/// Someone who has entered stays who they are; and when time counts, or will so soon that not every server might hear
/// of a change, that moment holds, and another room gives them neither more time nor less.
fn refuse_too_late(sitting: &Sitting, before: &Candidate, after: &Candidate, now: Moment) -> Result<(), Error> {
    if !before.has_entered() {
        return Ok(());
    }
    if before.person != after.person {
        return Err(Error::Conflict(CANDIDATE_ENTERED));
    }
    let terms = sitting.terms(before, 0);
    if !terms.has_begun(now.plus(SETTLED_BEFORE_MILLISECONDS)) {
        return Ok(());
    }
    let begins = |candidate: &Candidate| sitting.terms(candidate, 0).begins_at.map(|begins_at| begins_at.value);
    let moved = Candidate { hall_id: after.hall_id, ..before.clone() };
    if begins(before) != begins(after) || !terms.has_same_times(&sitting.terms(&moved, 0)) {
        return Err(Error::Conflict(SITTING_BEGUN));
    }
    // A slip of the pen would hand in for them.
    let is_cut = after.own.ends_at != before.own.ends_at && after.own.ends_at.is_some_and(|end| end <= now);
    if is_cut { Err(Error::invalid("endsAt")) } else { Ok(()) }
}

async fn answer(
    service: &Sittings,
    managed: &ManagedSitting,
    candidate: Candidate,
    (ends, let_go): (Option<EndsMoved>, bool),
    now: Moment,
) -> Result<HttpResponse, Error> {
    let sitting = &managed.sitting;
    let standings = candidates::load_standings_of(&service.database.read, candidate.session_id.into_iter()).await?;
    let state: SittingState = service.overview(managed, now).await?.state;
    let standing = standings.get(&candidate.id);
    let view = CandidateView::of(candidate, managed, standing, state, now);
    Ok(HttpResponse::Ok().insert_header(version_tag(sitting.version)).json(OneCandidate {
        candidate: view,
        ends,
        let_go,
    }))
}
