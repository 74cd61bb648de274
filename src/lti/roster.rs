//! The roster of a sitting from a course of a learning platform: by hand, said first and done then, or by itself before
//! the doors open. Platforms tell no changes, so that the whole list is compared each time.

mod by_itself;
pub mod joining;

use std::collections::HashSet;
use std::sync::Arc;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, post};
use domain::lti::course_roster::{CourseChange, CoursePlatform};
use domain::lti::link::{BoundLink, LinkTarget, PlatformPerson};
use domain::lti::member::CourseMember;
use domain::lti::platform::Platform;
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::roster::CANDIDATES_OF_SITTING_MAX;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::members::{MembersFault, fetch_members};
use super::services::PlatformServices;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::base::Base;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::note_detail;
use crate::http::fields::{Field, JsonFields, body};
use crate::http::if_match::{IfMatch, version_tag};
use crate::http::parameters::flag;
use crate::sittings::Sittings;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::record::ManagedChange;
use crate::sittings::roster::candidates::ROSTER_FULL;
use crate::store::lti_places::{self, MissedScores};
use crate::store::sittings::LockedSitting;
use crate::store::{accommodations, candidates, lti, lti_rosters};

/// Names of one kind in a report: as many as people read.
const NAMES_MAX: usize = 500;
const NOT_LISTED: &str = "The platform does not list the members of the course";
const UNREACHABLE: &str = "The platform does not answer";
const TOO_MANY_MEMBERS: &str = "The course has more than 20,000 members";
/// A list without learners is rather a fault of the platform than an empty course.
const NO_LEARNERS: &str = "The course lists no learners";
const NOT_ACTIVE: &str = "The platform is not active";
const JOINED_MEANWHILE: &str = "Somebody on the roster has come meanwhile: try again";

#[derive(Deserialize)]
struct CourseQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
}

body! {
    /// Takes the roster from the course of a link.
    #[schema(examples(json!({ "linkId": "00000000-0000-4000-8000-000000000000" })))]
    struct CourseRoster {
        /// A link that leads to this sitting.
        link_id: Uuid = Field::required,
        /// Whether those who have left the course are removed.
        remove_left: Option<bool> = Field::optional,
        /// Whether those who are new come onto the roster, as they do if it is left out. Else only those who are on it
        /// already are known from now on, and the others are left to be joined by hand.
        adds_new: Option<bool> = Field::optional,
        /// Whether it is taken by itself from now on: shortly before the sitting, until the doors open. Nobody is
        /// removed by that.
        by_itself: Option<bool> = Field::optional,
        /// Whether it is taken now, as it is if this is left out. Else `byItself` alone is noted, without asking the
        /// platform, which may be away.
        takes_now: Option<bool> = Field::optional,
    }
}

/// What taking the roster from a course has done, or would do.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CourseReport {
    /// The names of those who are new; 500 at most.
    pub added: Vec<String>,
    /// Number of those who were there before.
    pub updated: usize,
    /// The names of those who came from the course, have left it and have not entered; 500 at most.
    pub left: Vec<String>,
    /// The names of those of whom the platform tells no e-mail address; 500 at most.
    pub without_email: Vec<String>,
    /// A sentence for each person who was not taken, beginning with their name.
    pub errors: Vec<String>,
    /// Number of those who were not taken, and can be joined to rows of the roster by hand.
    pub unjoined: usize,
}

/// Which sitting it is for, how, in which version of it, and from which course.
type CourseRequest = After<Path<String>, After<Query<CourseQuery>, After<IfMatch, JsonFields>>>;

/// Takes the roster of a sitting from the course of one of its links.
///
/// Those who learn in the course now come onto the roster, without room and seat. Whoever is on it as a person of the
/// platform stays as they are, with the link by which they came; with a platform that is trusted for e-mails, so does
/// whoever has the same address. The others can be joined to rows by hand.
/// Whether it is taken by itself from now on is noted with it, or alone, with `takesNow` false.
/// Nobody is removed unless `removeLeft` says so, and then only who came by this link and has not entered, before the
/// time of the sitting counts.
#[utoipa::path(
    operation_id = "takeCourseRoster",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("dryRun" = Option<bool>, Query, description = "Tell what it would do, and write nothing"),
        ("If-Match" = Option<String>, Header, description = "The version of the sitting to change, in quotes"),
    ),
    request_body = CourseRoster,
    responses(
        (status = 200, description = "What was done, or would be", body = CourseReport, headers(("ETag" = String))),
        (status = 400, description = "`Invalid <field>`; of a link that does not lead to this sitting, and for staff of a platform of one of another deployment `Invalid linkId`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`The platform does not list the members of the course`, `The platform is not active`, `The course has more than 20,000 members`, `The course lists no learners` when those who have left are to be removed, `The roster is full`, `Somebody on the roster has come meanwhile: try again`, `Sitting has ended`, or `The template has a list without questions` when the doors are due", body = ErrorBody),
        (status = 412, description = "`Sitting has changed`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 502, description = "`The platform does not answer`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/roster/lti")]
pub async fn take(asked: After<Manager, CourseRequest>, service: Data<CourseRosters>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, After(query, After(if_match, fields)))) = asked;
    let managed = service.sittings.managed(&caller, &id).await?;
    let is_dry_run = flag("dryRun", query.dry_run.as_deref())?;
    let CourseRoster { link_id, remove_left, adds_new, by_itself, takes_now } = CourseRoster::read(&fields)?;
    // To staff of a platform the links of others are none.
    let is_seen = |Course { link, .. }: &Course| caller.sees_courses_of(link.platform_id, &link.deployment_id);
    let course = service.find_course(managed.sitting.id, link_id).await?.filter(is_seen);
    let course = course.ok_or_else(|| Error::invalid("linkId"))?;
    if takes_now == Some(false) {
        let by_itself = by_itself.ok_or_else(|| Error::invalid("byItself"))?;
        if !is_dry_run {
            service.set_by_itself(link_id, by_itself).await?;
        }
        let tag = version_tag(managed.sitting.version);
        return Ok(HttpResponse::Ok().insert_header(tag).json(CourseReport::default()));
    }
    let members = service.members(&course).await?;
    let terms = ChangeTerms::of_version(&if_match);
    let removes_left = remove_left.unwrap_or(false);
    let taking = Taking { is_dry_run, removes_left, adds_new: adds_new.unwrap_or(true) };
    let (sitting, report) = service.change(&caller.email, managed.sitting.id, terms, &course, &members, taking).await?;
    if !is_dry_run {
        service.note_by_hand(link_id, by_itself).await?;
    }
    Ok(HttpResponse::Ok().insert_header(version_tag(sitting.version)).json(report))
}

/// What rosters are taken from courses with.
pub struct CourseRosters {
    database: Database,
    clock: Clock,
    sittings: Arc<Sittings>,
    services: Arc<PlatformServices>,
}

/// A link, and the platform in which its course is.
struct Course {
    platform: Platform,
    link: BoundLink,
}

#[derive(Clone, Copy)]
struct Taking {
    is_dry_run: bool,
    removes_left: bool,
    adds_new: bool,
}

impl CourseRosters {
    #[must_use]
    pub fn open(base: &Base, sittings: &Arc<Sittings>, services: Arc<PlatformServices>) -> Self {
        let (database, clock) = (base.database.clone(), base.clock.clone());
        Self { database, clock, sittings: Arc::clone(sittings), services }
    }

    /// The link and its platform, if it leads to this sitting.
    async fn find_course(&self, sitting_id: Uuid, link_id: Uuid) -> Result<Option<Course>, Error> {
        let link = lti::find_link_by_id(&self.database.read, link_id).await?;
        let Some(link) = link.filter(|link| link.target == LinkTarget::Sitting(sitting_id)) else { return Ok(None) };
        let platform = lti::load_platform(&self.database.read, link.platform_id).await?;
        Ok(platform.map(|platform| Course { platform, link }))
    }

    async fn members(&self, Course { platform, link }: &Course) -> Result<Vec<CourseMember>, Error> {
        if !platform.is_active() {
            return Err(Error::Conflict(NOT_ACTIVE));
        }
        fetch_members(&self.services, platform, link).await.map_err(|fault| {
            tracing::warn!(platform = %platform.id, link = %link.id, ?fault, "the members of a course are not known");
            match fault {
                MembersFault::NotListed(_) => Error::Conflict(NOT_LISTED),
                MembersFault::Unreachable(_) => Error::BadGateway(UNREACHABLE),
                MembersFault::TooMany => Error::Conflict(TOO_MANY_MEMBERS),
            }
        })
    }

    async fn change(
        &self,
        by: &str,
        sitting_id: Uuid,
        terms: ChangeTerms<'_>,
        course: &Course,
        members: &[CourseMember],
        taking: Taking,
    ) -> Result<(Sitting, CourseReport), Error> {
        let changing = self.sittings.change(by, sitting_id, terms, async |sitting, now| {
            let transaction = sitting.transaction();
            let stored = candidates::load_of(transaction, sitting.id).await?;
            let Course { platform, link } = course;
            let known = lti_rosters::load_known(transaction, sitting.id, platform.id, link.id).await?;
            let told_by = CoursePlatform { id: platform.id, is_trusted: platform.trusts_emails };
            let mut change = CourseChange::of(members, &stored, &known, told_by, Uuid::new_v4);
            if taking.removes_left && !members.iter().any(CourseMember::is_learning) {
                return Err(Error::Conflict(NO_LEARNERS));
            }
            if !taking.adds_new {
                change.leave_new();
            }
            if stored.len() + change.new.len() > CANDIDATES_OF_SITTING_MAX {
                return Err(Error::Conflict(ROSTER_FULL));
            }
            let report = (report(&mut change, &stored), std::mem::take(&mut change.unjoined));
            let removes = taking.removes_left && !sitting.has_begun(now) && !change.left.is_empty();
            let is_same = change.new.is_empty() && change.joined.is_empty() && !removes;
            if taking.is_dry_run || is_same {
                return Ok(Changed::Nothing(report));
            }
            if !removes {
                change.left.clear();
            }
            let summary = format!("{} added, {} removed of a course", change.new.len(), change.left.len());
            note_detail(&summary);
            store(sitting, course, members, change, now).await?;
            Ok(Changed::Noted(report, vec![ManagedChange::of_sitting("roster", summary)]))
        });
        let (sitting, (report, unjoined)) = changing.await?;
        if !taking.is_dry_run {
            self.note_unjoined(course, members, &unjoined).await?;
        }
        Ok((sitting, report))
    }

    /// Notes who of a course was not taken, for staff to join them. That changes nothing of the sitting.
    async fn note_unjoined(
        &self,
        Course { platform, link }: &Course,
        members: &[CourseMember],
        unjoined: &[String],
    ) -> Result<(), Error> {
        if unjoined.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        let transaction = self.database.begin_alone().await?;
        let people = people_of(platform.id, members, unjoined.iter().map(String::as_str).collect(), now);
        let ids = lti_rosters::put_people(&transaction, platform.id, people).await?;
        let ids: Vec<Uuid> = unjoined.iter().filter_map(|subject| ids.get(subject)).copied().collect();
        lti::note_arrivals(&transaction, link.id, &ids, now).await?;
        Ok(transaction.commit().await?)
    }
}

/// What is told of a change, with as many names as people read.
fn report(change: &mut CourseChange, stored: &[Candidate]) -> CourseReport {
    let left: HashSet<Uuid> = change.left.iter().copied().collect();
    let left = stored.iter().filter(|candidate| left.contains(&candidate.id));
    let mut without_email = std::mem::take(&mut change.without_email);
    without_email.truncate(NAMES_MAX);
    CourseReport {
        added: change.new.iter().map(|(candidate, _)| candidate.name.clone()).take(NAMES_MAX).collect(),
        updated: change.updated,
        left: left.map(|candidate| candidate.name.clone()).take(NAMES_MAX).collect(),
        without_email,
        errors: std::mem::take(&mut change.errors),
        unjoined: change.unjoined.len(),
    }
}

async fn store(
    sitting: &LockedSitting<'_>,
    Course { platform, link }: &Course,
    members: &[CourseMember],
    change: CourseChange,
    now: Moment,
) -> Result<(), Error> {
    let transaction = sitting.transaction();
    let CourseChange { new, mut joined, left, .. } = change;
    let (mut new, subjects): (Vec<Candidate>, Vec<String>) = new.into_iter().unzip();
    accommodations::fill(transaction, sitting, &mut new).await?;
    candidates::delete(sitting, &left).await?;
    candidates::put(sitting, &new).await?;
    joined.extend(new.iter().map(|candidate| candidate.id).zip(subjects));
    let wanted = joined.iter().map(|(_, subject)| subject.as_str()).collect();
    let ids = lti_rosters::put_people(transaction, platform.id, people_of(platform.id, members, wanted, now)).await?;
    let pairs: Vec<(Uuid, Uuid)> =
        joined.iter().filter_map(|(candidate_id, subject)| Some((*candidate_id, *ids.get(subject)?))).collect();
    let count = lti_rosters::join_candidates(transaction, link.id, &pairs).await?;
    if count != pairs.len() as u64 {
        return Err(Error::Conflict(JOINED_MEANWHILE));
    }
    let candidate_ids: Vec<Uuid> = pairs.iter().map(|(candidate_id, _)| *candidate_id).collect();
    Ok(lti_places::make_up(transaction, MissedScores::OfCandidates(&candidate_ids), now).await?)
}

/// Those of the members who are wanted by their subjects, each once.
fn people_of(
    platform_id: Uuid,
    members: &[CourseMember],
    mut wanted: HashSet<&str>,
    now: Moment,
) -> Vec<PlatformPerson> {
    let theirs = members.iter().filter(|member| wanted.remove(member.subject.as_str()));
    theirs.map(|member| person(platform_id, member, now)).collect()
}

fn person(platform_id: Uuid, member: &CourseMember, now: Moment) -> PlatformPerson {
    PlatformPerson {
        id: Uuid::new_v4(),
        platform_id,
        subject: member.subject.clone(),
        name: member.name.clone(),
        email: member.email.clone(),
        created_at: now,
    }
}
