//! What a link in a course leads to. The link names it in its custom parameters, which whoever may edit the link can
//! change, so that alone is no right: its deployment must have been given it, by a choice of staff or by an admin.

use std::fmt::Write;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::calendar::values::escaped;
use domain::lti::SCOPE_SCORE;
use domain::lti::claims::ResourceLink;
use domain::lti::content_item::HISTORY;
use domain::lti::link::{BoundLink, LinkTarget};
use domain::lti::roles::LaunchRole;
use domain::text::direction::isolated;
use uuid::Uuid;

use super::Launches;
use super::launch::BelievedLaunch;
use super::page::LaunchPageParts;
use super::refusal::LaunchRefusal;
use super::staff::page_of;
use super::ticket::{CopiedLink, CopiedServices, Errand, StaffPass};
use crate::live::Live;
use crate::store::lti_places::{self, MissedScores};
use crate::store::templates::load_headers;
use crate::store::{lti, lti_waiting, sittings};

/// What an unknown link names.
enum WantedTarget {
    /// What its course was given.
    Given(LinkTarget),
    /// The same, but another course has it: this one was copied.
    Copied(LinkTarget),
    /// The same, but somebody has removed the link here.
    Removed(LinkTarget),
}

impl Launches {
    /// Leads somebody who has followed a link.
    pub(super) async fn follow_link(
        &self,
        live: &Arc<Live>,
        launch: &BelievedLaunch<'_>,
        link: &ResourceLink,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let role = launch.launch.role;
        if role == LaunchRole::Other {
            return Err(LaunchRefusal::NoRole);
        }
        let (platform_id, deployment_id) = (launch.platform.id, &launch.launch.deployment_id);
        let known = lti::find_link(&self.database.read, platform_id, deployment_id, &link.id).await?;
        let is_staff = role == LaunchRole::Staff;
        let bound = match known {
            Some(known) => {
                let edited = self.named_otherwise(launch, known.target).await?;
                if let Some(target) = edited.filter(|_| is_staff) {
                    return self.ask_where(launch, &known, target).await;
                }
                if !lti::has_grant(&self.database.read, platform_id, deployment_id, known.target).await? {
                    return Err(nothing_for(role));
                }
                // Of a link that was edited the platform tells the column of what it names now.
                if edited.is_some() { known } else { self.bind(launch, link, known.target, Some(&known)).await? }
            }
            None => match self.named(launch, link).await? {
                WantedTarget::Given(target) => self.bind(launch, link, target, None).await?,
                WantedTarget::Copied(target) if is_staff => {
                    return self.ask_for_a_yes(launch, link, target, false).await;
                }
                WantedTarget::Removed(target) if is_staff => {
                    return self.ask_for_a_yes(launch, link, target, true).await;
                }
                WantedTarget::Copied(_) => return Err(LaunchRefusal::NotConfirmed),
                WantedTarget::Removed(_) => return Err(LaunchRefusal::LinkRemoved),
            },
        };
        match role {
            LaunchRole::Learner => self.lead_learner(live, launch, &bound).await,
            LaunchRole::TestUser => self.lead_test_user(launch, &bound).await,
            LaunchRole::Staff => self.lead_staff(launch, bound.target).await,
            LaunchRole::Other => Err(LaunchRefusal::NoRole),
        }
    }

    /// What a known link names now, if that is not where it leads, and its deployment has it: somebody has edited it.
    async fn named_otherwise(
        &self,
        launch: &BelievedLaunch<'_>,
        known: LinkTarget,
    ) -> Result<Option<LinkTarget>, LaunchRefusal> {
        let Some(target) = target_in(launch).filter(|target| *target != known) else { return Ok(None) };
        let (reading, platform_id) = (&self.database.read, launch.platform.id);
        let is_given = lti::has_grant(reading, platform_id, &launch.launch.deployment_id, target).await?;
        Ok(is_given.then_some(target))
    }

    async fn named(&self, launch: &BelievedLaunch<'_>, link: &ResourceLink) -> Result<WantedTarget, LaunchRefusal> {
        let told = &launch.launch;
        let nothing = nothing_for(told.role);
        let target = target_in(launch).ok_or(nothing)?;
        let (reading, platform_id) = (&self.database.read, launch.platform.id);
        if !lti::has_grant(reading, platform_id, &told.deployment_id, target).await? {
            return Err(nothing);
        }
        if lti::was_removed(reading, platform_id, &told.deployment_id, &link.id).await? {
            return Ok(WantedTarget::Removed(target));
        }
        let course = told.context.as_ref().map(|course| &course.id);
        let mut others = lti::links_of_target(reading, target).await?;
        others.retain(|other| other.platform_id == platform_id && other.deployment_id == told.deployment_id);
        let is_elsewhere = others.iter().any(|other| other.context_id.as_ref() != course);
        // The platform may say itself of which links this one is a copy: of others in the same course it may be one.
        let is_here = |id: &str| others.iter().any(|other| other.resource_link_id == id);
        let history = told.custom.get(HISTORY).unwrap_or_default().split(',').map(str::trim);
        let mut copied_from = history.filter(|id| !id.is_empty() && *id != link.id).peekable();
        let is_copy = is_elsewhere || (copied_from.peek().is_some() && !copied_from.any(is_here));
        Ok(if is_copy { WantedTarget::Copied(target) } else { WantedTarget::Given(target) })
    }

    /// Binds a link, or notes what the platform tells of it now. What a launch leaves out stays as it was: not everyone
    /// who follows the link is told where its grades go.
    async fn bind(
        &self,
        launch: &BelievedLaunch<'_>,
        link: &ResourceLink,
        target: LinkTarget,
        known: Option<&BoundLink>,
    ) -> Result<BoundLink, LaunchRefusal> {
        let told = &launch.launch;
        let ags = told.ags.as_ref();
        let or_known = |told: Option<String>, of: fn(&BoundLink) -> Option<String>| told.or_else(|| known.and_then(of));
        let context = told.context.as_ref();
        let bound = BoundLink {
            id: known.map_or_else(Uuid::new_v4, |known| known.id),
            platform_id: launch.platform.id,
            deployment_id: told.deployment_id.clone(),
            resource_link_id: link.id.clone(),
            title: or_known(link.title.clone(), |known| known.title.clone()),
            context_id: or_known(context.map(|context| context.id.clone()), |known| known.context_id.clone()),
            context_title: or_known(
                context.and_then(|context| context.title.clone().or_else(|| context.label.clone())),
                |known| known.context_title.clone(),
            ),
            target,
            line_item: or_known(ags.and_then(|ags| ags.line_item.clone()), |known| known.line_item.clone()),
            line_items: or_known(ags.and_then(|ags| ags.line_items.clone()), |known| known.line_items.clone()),
            scopes: match (ags, known) {
                // Some platforms tell learners less: what staff were told stays.
                (Some(ags), Some(known)) if told.role != LaunchRole::Staff => with_all(&known.scopes, &ags.scopes),
                (Some(ags), _) => ags.scopes.clone(),
                (None, Some(known)) => known.scopes.clone(),
                (None, None) => Vec::new(),
            },
            memberships: or_known(told.nrps.as_ref().map(|nrps| nrps.memberships.clone()), |known| {
                known.memberships.clone()
            }),
            last_score_at: known.and_then(|known| known.last_score_at),
            created_at: known.map_or(launch.now, |known| known.created_at),
        };
        if known == Some(&bound) {
            return Ok(bound);
        }
        if known.is_some_and(|known| !has_other_way(known, &bound)) {
            return Ok(lti::bind(&self.database.write, &bound).await?);
        }
        let transaction = self.database.begin().await?;
        let bound = lti::bind(&transaction, &bound).await?;
        lti::return_way(&transaction, &bound).await?;
        lti_places::make_up(&transaction, MissedScores::OfLink(bound.id), launch.now).await?;
        transaction.commit().await?;
        Ok(bound)
    }

    /// Asks a member of staff whether a known link leads to another exam from now on, as somebody has edited it.
    async fn ask_where(
        &self,
        launch: &BelievedLaunch<'_>,
        known: &BoundLink,
        target: LinkTarget,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let pass = || StaffPass::new(launch.person.id, &launch.launch.deployment_id);
        let line_item = launch.launch.ags.as_ref().and_then(|ags| ags.line_item.clone());
        let errand = Errand::Lead { pass: pass(), link_id: known.id, target, line_item };
        let words = launch.page.words();
        let shown = |name: &str| escaped(&isolated(name));
        let (name, yes) = (self.name_of(target).await?, self.form(launch, errand, words.leads_there, "button main")?);
        let waiting = lti_waiting::count(&self.database.read, &[known.id]).await?;
        let lost = words.without_scores(waiting.get(&known.id).copied().unwrap_or_default());
        let mut body = format!("<p>{}</p><p><b>{}</b></p>{lost}{yes}", words.edited_asks, shown(&name));
        // What it has led to may be gone.
        if let Ok(former) = self.name_of(known.target).await {
            let errand = Errand::Staff { pass: pass(), target: known.target, path: page_of(known.target) };
            let stay = self.form(launch, errand, words.to_its_page, "button")?;
            let _ = write!(body, "<p>{}</p><p><b>{}</b></p>{stay}", words.edited_stays, shown(&former));
        }
        Ok(launch.page.shown(StatusCode::OK, words.copied, &body, LaunchPageParts::default()).await)
    }

    /// Leads a known link to another exam, after a yes of staff. To the platform it is the same link; here it is
    /// another one, so that nothing of the former exam reaches the column that is now that of another. The deployment
    /// keeps the former exam: other links to it may not have been opened yet, and this one may be led back.
    pub(super) async fn lead_elsewhere(
        &self,
        link_id: Uuid,
        target: LinkTarget,
        line_item: Option<String>,
    ) -> Result<(), LaunchRefusal> {
        let transaction = self.database.begin_alone().await?;
        let Some(known) = lti::find_link_by_id(&transaction, link_id).await? else { return Ok(()) };
        lti::unbind(&transaction, link_id).await?;
        let (id, created_at) = (Uuid::new_v4(), self.clock.now());
        let led = BoundLink { id, target, line_item, last_score_at: None, created_at, ..known };
        let led = lti::bind(&transaction, &led).await?;
        lti::return_way(&transaction, &led).await?;
        lti_places::make_up(&transaction, MissedScores::OfLink(led.id), created_at).await?;
        Ok(transaction.commit().await?)
    }

    /// Asks a member of the staff of a copied course whether its link leads to the right exam, or of one whose link was
    /// removed.
    async fn ask_for_a_yes(
        &self,
        launch: &BelievedLaunch<'_>,
        link: &ResourceLink,
        target: LinkTarget,
        is_removed: bool,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let name = self.name_of(target).await?;
        let told = &launch.launch;
        let copied = CopiedLink {
            platform_id: launch.platform.id,
            deployment_id: told.deployment_id.clone(),
            resource_link_id: link.id.clone(),
            title: link.title.clone(),
            context_id: told.context.as_ref().map(|context| context.id.clone()),
            context_title: told.context.as_ref().and_then(|context| context.title.clone()),
            target,
            services: CopiedServices::of(told),
        };
        let pass = StaffPass::new(launch.person.id, &told.deployment_id);
        let errand = Errand::Confirm { pass, link: Box::new(copied) };
        let words = launch.page.words();
        let form = self.form(launch, errand, words.leads_there, "button main")?;
        let asks = if is_removed { words.removed_asks } else { words.copied_asks };
        let body = format!("<p>{asks}</p><p><b>{}</b></p>{form}", escaped(&isolated(&name)));
        Ok(launch.page.shown(StatusCode::OK, words.copied, &body, LaunchPageParts::default()).await)
    }

    /// Binds the link of a copied course, after a yes of its staff. One that is bound by now stays as it is: a launch
    /// may have told more of it since.
    pub(super) async fn confirm(&self, link: &CopiedLink) -> Result<(), LaunchRefusal> {
        let reading = &self.database.read;
        if !lti::has_grant(reading, link.platform_id, &link.deployment_id, link.target).await? {
            return Err(LaunchRefusal::NotGiven);
        }
        let services = link.services.clone();
        let bound = BoundLink {
            id: Uuid::new_v4(),
            platform_id: link.platform_id,
            deployment_id: link.deployment_id.clone(),
            resource_link_id: link.resource_link_id.clone(),
            title: link.title.clone(),
            context_id: link.context_id.clone(),
            context_title: link.context_title.clone(),
            target: link.target,
            line_item: services.line_item,
            line_items: services.line_items,
            scopes: services.scopes,
            memberships: services.memberships,
            last_score_at: None,
            created_at: self.clock.now(),
        };
        let transaction = self.database.begin().await?;
        lti::bind_new(&transaction, &bound).await?;
        let (platform_id, deployment_id) = (link.platform_id, &link.deployment_id);
        let stored = lti::find_link(&transaction, platform_id, deployment_id, &link.resource_link_id).await?;
        if let Some(stored) = stored {
            lti::return_way(&transaction, &stored).await?;
            lti_places::make_up(&transaction, MissedScores::OfLink(stored.id), bound.created_at).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// The name of what a link leads to.
    pub(super) async fn name_of(&self, target: LinkTarget) -> Result<String, LaunchRefusal> {
        let found = match target {
            LinkTarget::Sitting(id) => sittings::find(&self.database, id).await?.map(|sitting| sitting.plan.name),
            LinkTarget::Template(id) => {
                load_headers(&self.database, [id]).await?.remove(&id).map(|template| template.name)
            }
        };
        found.ok_or(LaunchRefusal::Gone)
    }
}

/// All of these and those, each once.
fn with_all(known: &[String], told: &[String]) -> Vec<String> {
    let new = told.iter().filter(|scope| !known.contains(scope));
    known.iter().chain(new).cloned().collect()
}

/// Whether scores can go another way than before: by another column, or since they are allowed now.
fn has_other_way(known: &BoundLink, bound: &BoundLink) -> bool {
    let takes_scores = |link: &BoundLink| link.scopes.iter().any(|scope| scope == SCOPE_SCORE);
    let is_other = (&known.line_item, &known.line_items) != (&bound.line_item, &bound.line_items);
    takes_scores(bound) && (is_other || !takes_scores(known))
}

/// What a link asks for.
fn target_in(launch: &BelievedLaunch<'_>) -> Option<LinkTarget> {
    let custom = &launch.launch.custom;
    let named = |kind: &str| LinkTarget::parse(kind, custom.get(kind)?.parse::<Uuid>().ok()?);
    named("sitting").or_else(|| named("template"))
}

/// Why a link leads nowhere to which its deployment has no right.
fn nothing_for(role: LaunchRole) -> LaunchRefusal {
    if role == LaunchRole::Staff { LaunchRefusal::NotGiven } else { LaunchRefusal::NotPlaced }
}

#[cfg(test)]
mod tests {
    use domain::lti::SCOPE_LINE_ITEM;

    use super::*;
    use crate::lti::plain_link::plain_link;

    fn link(line_item: Option<&str>, scopes: &[&str]) -> BoundLink {
        let scopes = scopes.iter().map(|&scope| scope.to_owned()).collect();
        BoundLink { line_item: line_item.map(str::to_owned), scopes, ..plain_link() }
    }

    #[test]
    fn scores_are_made_up_for_when_there_is_another_way() {
        let (none, one) = (link(None, &[]), link(Some("a"), &[SCOPE_SCORE]));
        assert!(has_other_way(&none, &one));
        assert!(has_other_way(&link(Some("a"), &[]), &one), "allowed now");
        assert!(has_other_way(&link(None, &[SCOPE_SCORE]), &one), "a column now");
        assert!(has_other_way(&one, &link(Some("b"), &[SCOPE_SCORE])));
        assert!(!has_other_way(&one, &link(Some("a"), &[SCOPE_LINE_ITEM, SCOPE_SCORE])), "the same way");
        assert!(!has_other_way(&one, &link(Some("b"), &[])), "not allowed any more");
    }

    #[test]
    fn what_was_allowed_before_stays_in_its_order() {
        let all = |scopes: &[&str]| scopes.iter().map(|&scope| scope.to_owned()).collect::<Vec<String>>();
        assert_eq!(with_all(&all(&["a", "b"]), &all(&["b", "c"])), ["a", "b", "c"]);
        assert_eq!(with_all(&all(&["a", "b"]), &[]), ["a", "b"]);
    }
}
