//! Joins rows of a roster to people of learning platforms by hand: where a platform is not trusted for e-mails, or
//! tells none, staff alone know who is who. Those are offered who were seen at the sitting's links.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, post};
use domain::access::Identity;
use domain::lti::link::DeploymentKey;
use domain::sitting::candidate::Candidate;
use domain::sitting::values::FieldChange;
use domain::time::moment::Moment;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::CourseRosters;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::note_detail;
use crate::http::fallback::NOT_FOUND;
use crate::http::fields::{JsonFields, body};
use crate::http::if_match::IfMatch;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::record::ManagedChange;
use crate::sittings::{CANDIDATE_ENTERED, known};
use crate::store::lti_places::{self, MissedScores};
use crate::store::sittings::LockedSitting;
use crate::store::{candidates, lti, lti_rosters};

/// People who are offered to be joined, by name.
const UNJOINED_LISTED_MAX: u64 = 1_000;
const SOMEBODY_ELSE: &str = "Candidate is somebody else of a learning platform";
const JOINED_ELSEWHERE: &str = "Another candidate is this person";

/// `{ people }`.
#[derive(Serialize, ToSchema)]
struct UnjoinedPeople {
    people: Vec<UnjoinedPerson>,
}

/// Somebody of a learning platform who was seen at a link to the sitting, and is no candidate of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnjoinedPerson {
    id: Uuid,
    /// The platform's id of them.
    subject: String,
    /// Null if the platform has never told it.
    #[schema(required)]
    name: Option<String>,
    /// Null if the platform has never told it. People may have typed it there themselves.
    #[schema(required)]
    email: Option<String>,
    /// The name of the platform.
    platform: String,
    /// What the platform calls the course; null if it does not say.
    #[schema(required)]
    context_title: Option<String>,
    /// When they followed the link last, or were found in its course.
    #[schema(value_type = String, format = DateTime)]
    seen_at: Moment,
}

body! {
    /// Says who a candidate is on a learning platform.
    #[schema(examples(json!({ "personId": "00000000-0000-4000-8000-000000000000" })))]
    struct CandidateJoin {
        /// Somebody who was seen at a link to the sitting. Null: nobody, so that they can be joined otherwise.
        #[schema(value_type = Option<Uuid>, required)]
        person_id: FieldChange<Uuid> = |field| field.change(|value: &Value| value.as_str()?.parse().ok()),
    }
}

/// Which candidate, in which version of the sitting, and who they are.
type JoinRequest = After<Path<(String, String)>, After<IfMatch, JsonFields>>;

/// Those who came by links to a sitting, or are in their courses, and are no candidates of it.
///
/// They have followed a link and were turned away, or taking the roster from the course has left them out. Staff of a
/// learning platform see those of links of their own deployment.
#[utoipa::path(
    operation_id = "listUnjoinedPeople",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "By name, 1,000 at most", body = UnjoinedPeople),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/lti/people")]
pub async fn list(asked: After<Manager, Path<String>>, service: Data<CourseRosters>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    let managed = service.sittings.managed(&caller, &id).await?;
    let (reading, own) = (&service.database.read, caller.deployment.as_ref());
    let found = lti::list_arrivals(reading, managed.sitting.id, own, UNJOINED_LISTED_MAX).await?;
    let view = |one: lti::Arrival| UnjoinedPerson {
        id: one.person_id,
        subject: one.subject,
        name: one.name,
        email: one.email,
        platform: one.platform,
        context_title: one.context_title,
        seen_at: Moment::from_milliseconds(one.seen_at_ms),
    };
    Ok(HttpResponse::Ok().json(UnjoinedPeople { people: found.into_iter().map(view).collect() }))
}

/// Says who a candidate is on a learning platform: from then on that person enters as them, and gets their score.
///
/// A candidate stays this person. To be joined to another one they are let go first, with null, which can be done
/// until they have entered; and they are let go by themselves when they get another address or id. A candidate who has
/// entered with an access code can still be joined: what is told of them later arrives. They go on as they have
/// entered, since nobody goes on with their test by a link; and that can be taken back at any time, though not what a
/// platform was told before.
#[utoipa::path(
    operation_id = "joinCandidate",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("candidateId" = String, Path, description = "Candidate id"),
        ("If-Match" = Option<String>, Header, description = "The version of the sitting to change, in quotes"),
    ),
    request_body = CandidateJoin,
    responses(
        (status = 200, description = "Joined, or let go", body = Done),
        (status = 400, description = "`Invalid personId`, also of somebody who was not seen at a link to the sitting", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown; also of a candidate who is to be let go by staff of a platform, and is somebody of another deployment", body = ErrorBody),
        (status = 409, description = "`Candidate is somebody else of a learning platform`, `Another candidate is this person`, or `Candidate has entered` when they are to be let go and have entered as this person", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/candidates/{candidateId}/lti")]
pub async fn join(asked: After<Manager, JoinRequest>, service: Data<CourseRosters>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(path, After(if_match, fields))) = asked;
    let (id, candidate_id) = path.into_inner();
    let managed = service.sittings.managed(&caller, &id).await?;
    let candidate_id = known(&candidate_id)?;
    let person_id = match CandidateJoin::read(&fields)?.person_id {
        FieldChange::Keep => return Err(Error::invalid("personId")),
        FieldChange::Clear => None,
        FieldChange::Set(person_id) => Some(person_id),
    };
    // Nobody at work has other times by this; but whoever enters at this moment is decided about anew.
    let terms = ChangeTerms::of_version(&if_match).even_after_the_end().leaving_doors().leaving_attempts();
    let joining = service.sittings.change(&caller.email, managed.sitting.id, terms, async |sitting, now| {
        let found = candidates::find(sitting.transaction(), sitting.id, candidate_id).await?;
        let candidate = found.ok_or(Error::NotFound(NOT_FOUND))?;
        let said = match person_id {
            Some(person_id) => joined(sitting, &candidate, person_id, caller.deployment.as_ref(), now).await?,
            None => let_go(sitting, &candidate, &caller).await?,
        };
        let Some(detail) = said else { return Ok(Changed::Nothing(())) };
        note_detail(&format!("{}: {detail}", candidate.name));
        let (candidate_id, hall_id) = (Some(candidate.id), candidate.hall_id);
        Ok(Changed::Noted((), vec![ManagedChange { candidate_id, hall_id, kind: "candidate", detail }]))
    });
    joining.await?;
    Ok(done())
}

/// Joins a candidate to a person who was seen at a link; with a deployment, at one of its links. Returns what goes on
/// the record; `None` if they were joined.
async fn joined(
    sitting: &LockedSitting<'_>,
    candidate: &Candidate,
    person_id: Uuid,
    deployment: Option<&DeploymentKey>,
    now: Moment,
) -> Result<Option<String>, Error> {
    let transaction = sitting.transaction();
    let link_id = lti::find_arrival(transaction, sitting.id, person_id, deployment).await?;
    if deployment.is_some() && link_id.is_none() {
        // Not even that somebody else of the roster is this person.
        return Err(Error::invalid("personId"));
    }
    match lti::candidate_of_person(transaction, sitting.id, person_id).await? {
        Some(id) if id == candidate.id => return Ok(None),
        Some(_) => return Err(Error::Conflict(JOINED_ELSEWHERE)),
        None => {}
    }
    let person = lti::find_person(transaction, person_id).await?;
    let (link_id, person) = link_id.zip(person).ok_or_else(|| Error::invalid("personId"))?;
    if !lti::join_candidate(transaction, candidate.id, person_id, Some(link_id)).await? {
        return Err(Error::Conflict(SOMEBODY_ELSE));
    }
    if candidate.has_entered() {
        lti::note_after_entry(transaction, candidate.id).await?;
    }
    // Their test may have ended before anybody knew who they are there.
    lti_places::make_up(transaction, MissedScores::OfCandidates(&[candidate.id]), now).await?;
    let name = person.name.map(|name| format!("{name}, ")).unwrap_or_default();
    Ok(Some(format!("is {name}{} of a learning platform", person.subject)))
}

/// Lets go of whoever a candidate is known as. Returns what goes on the record; `None` if they were nobody.
async fn let_go(
    sitting: &LockedSitting<'_>,
    candidate: &Candidate,
    caller: &Identity,
) -> Result<Option<String>, Error> {
    let transaction = sitting.transaction();
    let Some(known) = lti::deployment_of_candidate(transaction, candidate.id).await? else { return Ok(None) };
    if !caller.sees_courses_of(known.platform_id, &known.deployment_id) {
        return Err(Error::NotFound(NOT_FOUND));
    }
    if candidate.has_entered() {
        if !lti::is_after_entry(transaction, candidate.id).await? {
            return Err(Error::Conflict(CANDIDATE_ENTERED));
        }
        lti_places::forget_told(transaction, candidate.id).await?;
    }
    lti_rosters::forget_candidates(transaction, &[candidate.id]).await?;
    Ok(Some("is nobody of a learning platform any more".to_owned()))
}
