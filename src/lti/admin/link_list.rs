//! The links in courses that lead here, for those who manage what they lead to.

use std::collections::HashMap;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, delete, get};
use domain::access::Identity;
use domain::lti::SCOPE_SCORE;
use domain::lti::link::{BoundLink, LinkTarget};
use domain::lti::platform::Platform;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::LearningPlatforms;
use crate::auth::caller::{Manager, NOT_ASSIGNED};
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::note_detail;
use crate::http::fallback::NOT_FOUND;
use crate::http::parameters::parsed;
use crate::sittings::{known, may_manage};
use crate::store::lti::{self, LinkFilter, NamedTarget};
use crate::store::lti_rosters::{self, RosterTaking};
use crate::store::lti_waiting;

/// Links that are listed, the newest: those of a few courses in each of a thousand sittings.
const LINKS_LISTED_MAX: u64 = 5_000;
/// Candidates of one link who are named because no score can be sent for them.
const UNGRADED_NAMED_MAX: usize = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LinksQuery {
    platform_id: Option<String>,
    sitting_id: Option<String>,
    template_id: Option<String>,
}

/// `{ links, cameByRemoved }`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CourseLinkList {
    links: Vec<CourseLinkView>,
    /// With `sittingId`: those who have a test and came by a link that was removed, also where no link is left; the
    /// first 200 by name.
    came_by_removed: Vec<UngradedView>,
}

/// A link in a course of a platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CourseLinkView {
    id: Uuid,
    /// The name of the platform.
    platform: String,
    platform_id: Uuid,
    /// The platform's name of the deployment.
    deployment_id: String,
    /// What the platform calls the course; null if it does not say.
    #[schema(required)]
    context_title: Option<String>,
    /// What the platform calls the link; null if it does not say.
    #[schema(required)]
    title: Option<String>,
    target: LinkTarget,
    /// The name of the sitting or the template; null if it is gone.
    #[schema(required)]
    target_name: Option<String>,
    /// The column of the grade book; null if none is known.
    #[schema(required)]
    line_item: Option<String>,
    /// Whether the platform lists the members of the course.
    has_roster: bool,
    /// Whether the roster of the sitting is taken from the course by itself, before the doors open.
    takes_roster: bool,
    /// When it was taken from the course last, by itself or by hand.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    roster_taken_at: Option<Moment>,
    /// When it could not be taken by itself, if the last time failed.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    roster_failed_at: Option<Moment>,
    /// When the platform took a score last.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    last_score_at: Option<Moment>,
    /// With `sittingId`: those who have a test and cannot be given a score, and why; the first 200 by name.
    ungraded: Vec<UngradedView>,
    /// With `sittingId` or `templateId`: number of tests that were begun by the link and whose results the platform
    /// does not have yet.
    waiting: usize,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
}

/// Somebody for whom no score can be sent.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UngradedView {
    candidate_id: Uuid,
    name: String,
    reason: UngradedReason,
}

impl UngradedView {
    fn of(candidate: lti::UngradedCandidate, reason: UngradedReason) -> Self {
        Self { candidate_id: candidate.id, name: candidate.name, reason }
    }
}

/// Why no score can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum UngradedReason {
    /// Nobody knows who they are in a platform.
    Unknown,
    /// The link by which they came was removed, or leads elsewhere now.
    Removed,
    /// The link has no column in the grade book.
    Column,
    /// The platform does not allow scores.
    Scope,
    /// The platform is blocked, or waits for an admin.
    Blocked,
}

/// The links in courses of learning platforms that lead to sittings and templates which the caller manages.
///
/// Staff of a learning platform see those of their own deployment, and nobody who came by those of others.
#[utoipa::path(
    operation_id = "listCourseLinks",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("platformId" = Option<String>, Query, description = "Only those of this platform"),
        ("sittingId" = Option<String>, Query, description = "Only those to this sitting, with whom they cannot grade"),
        ("templateId" = Option<String>, Query, description = "Only those to this template"),
    ),
    responses(
        (status = 200, description = "The newest first, 5,000 at most", body = CourseLinkList),
        (status = 400, description = "`Invalid platformId`, `Invalid sittingId` or `Invalid templateId`", body = ErrorBody),
        ManagerRefusals,
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/lti/links")]
pub async fn list(
    asked: After<Manager, Query<LinksQuery>>,
    service: Data<LearningPlatforms>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), asked) = asked;
    service.sittings.here()?;
    let id = |name, text| parsed(name, text, |text| text.parse::<Uuid>().ok());
    let platform_id = id("platformId", &asked.platform_id)?;
    let sitting = id("sittingId", &asked.sitting_id)?.map(LinkTarget::Sitting);
    let template = id("templateId", &asked.template_id)?.map(LinkTarget::Template);
    let (deployment, target) = (caller.deployment.clone(), sitting.or(template));
    let filter = LinkFilter { platform_id, deployment, target, count: LINKS_LISTED_MAX };
    let links = lti::list_links(&service.database.read, &filter).await?;
    let managed = service.managed(&caller, links).await?;
    let platforms = lti::list(&service.database.read).await?;
    let platforms: HashMap<Uuid, Platform> = platforms.into_iter().map(|one| (one.id, one)).collect();
    let of_target: Vec<Uuid> = managed.iter().filter(|_| target.is_some()).map(|(link, _)| link.id).collect();
    let waiting = lti_waiting::count(&service.database.read, &of_target).await?;
    let came_by_removed = match sitting {
        Some(sitting) => service.came_by_removed(&caller, sitting).await?,
        None => Vec::new(),
    };
    let ids: Vec<Uuid> = managed.iter().map(|(link, _)| link.id).collect();
    let rosters = lti_rosters::load_takings(&service.database.read, &ids).await?;
    let mut listed = Vec::with_capacity(managed.len());
    for (link, target) in managed {
        let platform = platforms.get(&link.platform_id);
        let ungraded = match sitting {
            Some(sitting) => service.ungraded(&link, platform, sitting.id(), &came_by_removed).await?,
            None => Vec::new(),
        };
        let waiting = waiting.get(&link.id).copied().unwrap_or_default();
        let roster = rosters.get(&link.id).copied().unwrap_or_default();
        listed.push(CourseLinkView { ungraded, waiting, ..view(link, platform, target, roster) });
    }
    Ok(HttpResponse::Ok().json(CourseLinkList { links: listed, came_by_removed }))
}

/// Removes a link: it leads nowhere until the exam is placed in the course again, or until staff of the course have
/// opened it and said yes.
///
/// What its deployment was given by the link is taken back, unless another link of the deployment leads there.
#[utoipa::path(
    operation_id = "deleteCourseLink",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Link id")),
    responses(
        (status = 200, description = "Removed", body = Done),
        ManagerRefusals,
        (status = 404, description = "Unknown; for staff of a platform also of another deployment", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[delete("/api/admin/lti/links/{id}")]
pub async fn remove(
    asked: After<Manager, Path<String>>,
    service: Data<LearningPlatforms>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    service.sittings.here()?;
    let found = lti::find_link_by_id(&service.database.read, known(&id)?).await?;
    let is_seen = |link: &BoundLink| caller.sees_courses_of(link.platform_id, &link.deployment_id);
    let link = found.filter(is_seen).ok_or(Error::NotFound(NOT_FOUND))?;
    let (link, _) = service.managed(&caller, vec![link]).await?.pop().ok_or(Error::Forbidden(NOT_ASSIGNED))?;
    note_detail(link.title.as_deref().unwrap_or_default());
    let transaction = service.database.begin().await?;
    if !lti::unbind(&transaction, link.id).await? {
        return Err(Error::NotFound(NOT_FOUND));
    }
    lti::note_removed(&transaction, &link, service.clock.now()).await?;
    lti::revoke_unlinked(&transaction, &link).await?;
    transaction.commit().await?;
    Ok(done())
}

impl LearningPlatforms {
    /// Those of these links that lead to something which the caller manages.
    async fn managed(
        &self,
        caller: &Identity,
        links: Vec<BoundLink>,
    ) -> Result<Vec<(BoundLink, Option<NamedTarget>)>, Error> {
        let targets: Vec<LinkTarget> = links.iter().map(|link| link.target).collect();
        let named = lti::name_targets(&self.database, &targets).await?;
        let with_target = links.into_iter().map(|link| {
            let target = named.get(&link.target).cloned();
            (link, target)
        });
        Ok(with_target.filter(|(_, target)| manages(caller, target.as_ref())).collect())
    }

    /// Those who came to a sitting by a link that was removed, as far as the caller manages it.
    async fn came_by_removed(&self, caller: &Identity, sitting: LinkTarget) -> Result<Vec<UngradedView>, Error> {
        let named = lti::name_targets(&self.database, &[sitting]).await?;
        if !manages(caller, named.get(&sitting)) {
            return Ok(Vec::new());
        }
        let (own, count) = (caller.deployment.as_ref(), UNGRADED_NAMED_MAX as u64);
        let removed = lti::came_by_removed(&self.database.read, sitting.id(), own, count).await?;
        Ok(removed.into_iter().map(|one| UngradedView::of(one, UngradedReason::Removed)).collect())
    }

    async fn ungraded(
        &self,
        link: &BoundLink,
        platform: Option<&Platform>,
        sitting_id: Uuid,
        came_by_removed: &[UngradedView],
    ) -> Result<Vec<UngradedView>, Error> {
        let count = UNGRADED_NAMED_MAX as u64;
        let mut listed = Vec::new();
        if let Some(reason) = reason_of(link, platform) {
            let came = lti::came_by_link(&self.database.read, sitting_id, link.id, count).await?;
            listed.extend(came.into_iter().map(|one| UngradedView::of(one, reason)));
        }
        listed.extend_from_slice(came_by_removed);
        let unknown = lti::came_by_none(&self.database.read, sitting_id, count).await?;
        listed.extend(unknown.into_iter().map(|one| UngradedView::of(one, UngradedReason::Unknown)));
        listed.truncate(UNGRADED_NAMED_MAX);
        Ok(listed)
    }
}

/// Whether the caller manages what a link leads to. What is gone is left to admins.
fn manages(caller: &Identity, target: Option<&NamedTarget>) -> bool {
    may_manage(caller, target.map_or(&[][..], |target| &target.grades[..]))
}

/// Why nobody who comes by this link can be given a score; `None` if they can.
fn reason_of(link: &BoundLink, platform: Option<&Platform>) -> Option<UngradedReason> {
    if !platform.is_some_and(Platform::is_active) {
        Some(UngradedReason::Blocked)
    } else if !link.scopes.iter().any(|scope| scope == SCOPE_SCORE) {
        Some(UngradedReason::Scope)
    } else if link.line_item.is_none() && link.line_items.is_none() {
        Some(UngradedReason::Column)
    } else {
        None
    }
}

fn view(
    link: BoundLink,
    platform: Option<&Platform>,
    target: Option<NamedTarget>,
    roster: RosterTaking,
) -> CourseLinkView {
    CourseLinkView {
        id: link.id,
        platform: platform.map(|platform| platform.name.clone()).unwrap_or_default(),
        platform_id: link.platform_id,
        deployment_id: link.deployment_id,
        context_title: link.context_title,
        title: link.title,
        target: link.target,
        target_name: target.map(|target| target.name),
        line_item: link.line_item,
        has_roster: link.memberships.is_some(),
        takes_roster: roster.is_by_itself,
        roster_taken_at: roster.taken_at,
        roster_failed_at: roster.failed_at,
        last_score_at: link.last_score_at,
        ungraded: Vec::new(),
        waiting: 0,
        created_at: link.created_at,
    }
}

#[cfg(test)]
mod tests {
    use domain::lti::platform::{Endpoints, PlatformState, ScoreForm};

    use super::*;
    use crate::lti::plain_link::plain_link;

    fn link() -> BoundLink {
        let line_items = Some("https://lms.example/items".to_owned());
        BoundLink { line_items, scopes: vec![SCOPE_SCORE.to_owned()], ..plain_link() }
    }

    fn platform(state: PlatformState) -> Platform {
        let endpoints = Endpoints { authorization: String::new(), token: String::new(), jwks: String::new() };
        Platform {
            id: Uuid::nil(),
            name: "Moodle".to_owned(),
            issuer: "https://lms.example".to_owned(),
            client_id: "client".to_owned(),
            endpoints,
            state,
            deployments: Vec::new(),
            grades: Vec::new(),
            frame_origins: Vec::new(),
            token_audience: None,
            score_form: ScoreForm::Percent,
            trusts_emails: false,
            registration: None,
            created_at: Moment::default(),
            updated_at: Moment::default(),
            staff_only_choose: false,
        }
    }

    #[test]
    fn a_link_says_why_it_grades_nobody() {
        let (active, blocked) = (platform(PlatformState::Active), platform(PlatformState::Blocked));
        assert_eq!(reason_of(&link(), Some(&active)), None, "a column may be asked for");
        assert_eq!(reason_of(&link(), Some(&blocked)), Some(UngradedReason::Blocked));
        assert_eq!(reason_of(&link(), None), Some(UngradedReason::Blocked));
        let without_scope = BoundLink { scopes: Vec::new(), ..link() };
        assert_eq!(reason_of(&without_scope, Some(&active)), Some(UngradedReason::Scope));
        let without_column = BoundLink { line_items: None, ..link() };
        assert_eq!(reason_of(&without_column, Some(&active)), Some(UngradedReason::Column));
    }
}
