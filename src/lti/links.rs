//! What a link in a course leads to. The link names it in its custom parameters, which whoever may edit the link can
//! change, so that alone is no right: its deployment must have been given it, by a choice of staff or by an admin.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::calendar::values::escaped;
use domain::lti::SCOPE_SCORE;
use domain::lti::claims::ResourceLink;
use domain::lti::link::{BoundLink, LinkTarget};
use domain::lti::roles::LaunchRole;
use domain::text::direction::isolated;
use uuid::Uuid;

use super::Launches;
use super::launch::BelievedLaunch;
use super::page::LaunchPageParts;
use super::refusal::LaunchRefusal;
use super::ticket::{CopiedLink, CopiedServices, Errand};
use crate::live::Live;
use crate::store::lti_places::{self, MissedScores};
use crate::store::templates::load_headers;
use crate::store::{lti, sittings};

/// What an unknown link names.
enum WantedTarget {
    /// What its course was given.
    Given(LinkTarget),
    /// The same, but another course has it: this one was copied.
    Copied(LinkTarget),
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
        let bound = match known {
            Some(known) => self.bind(launch, link, known.target, Some(&known)).await?,
            None => match self.named(launch).await? {
                WantedTarget::Given(target) => self.bind(launch, link, target, None).await?,
                WantedTarget::Copied(target) if role == LaunchRole::Staff => {
                    return self.ask_for_a_yes(launch, link, target).await;
                }
                WantedTarget::Copied(_) => return Err(LaunchRefusal::NotConfirmed),
            },
        };
        match role {
            LaunchRole::Learner => self.lead_learner(live, launch, &bound).await,
            LaunchRole::TestUser => self.lead_test_user(launch, &bound).await,
            LaunchRole::Staff => self.lead_staff(launch, bound.target).await,
            LaunchRole::Other => Err(LaunchRefusal::NoRole),
        }
    }

    async fn named(&self, launch: &BelievedLaunch<'_>) -> Result<WantedTarget, LaunchRefusal> {
        let told = &launch.launch;
        let nothing = if told.role == LaunchRole::Staff { LaunchRefusal::NotGiven } else { LaunchRefusal::NotPlaced };
        let named = |kind: &str| LinkTarget::parse(kind, told.custom.get(kind)?.parse::<Uuid>().ok()?);
        let target = named("sitting").or_else(|| named("template")).ok_or(nothing)?;
        let (reading, platform_id) = (&self.database.read, launch.platform.id);
        if !lti::has_grant(reading, platform_id, &told.deployment_id, target).await? {
            return Err(nothing);
        }
        let course = told.context.as_ref().map(|course| &course.id);
        let others = lti::links_of_target(reading, target).await?;
        let is_elsewhere = others.iter().any(|other| {
            other.platform_id == platform_id
                && other.deployment_id == told.deployment_id
                && other.context_id.as_ref() != course
        });
        Ok(if is_elsewhere { WantedTarget::Copied(target) } else { WantedTarget::Given(target) })
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
        if !known.is_some_and(|known| has_other_way(known, &bound)) {
            return Ok(lti::bind(&self.database.write, &bound).await?);
        }
        let transaction = self.database.begin().await?;
        let bound = lti::bind(&transaction, &bound).await?;
        lti_places::make_up(&transaction, MissedScores::OfLink(bound.id), launch.now).await?;
        transaction.commit().await?;
        Ok(bound)
    }

    /// Asks a member of the staff of a copied course whether its link leads to the right exam.
    async fn ask_for_a_yes(
        &self,
        launch: &BelievedLaunch<'_>,
        link: &ResourceLink,
        target: LinkTarget,
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
        let errand = Errand::Confirm { person_id: launch.person.id, link: Box::new(copied) };
        let words = launch.page.words();
        let form = self.form(launch, errand, words.leads_there, "button main")?;
        let body = format!("<p>{}</p><p><b>{}</b></p>{form}", words.copied_asks, escaped(&isolated(&name)));
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
        Ok(lti::bind_new(&self.database.write, &bound).await?)
    }

    /// The name of what a link leads to.
    pub(super) async fn name_of(&self, target: LinkTarget) -> Result<String, LaunchRefusal> {
        let found = match target {
            LinkTarget::Sitting(id) => {
                sittings::find(&self.database, id).await?.map(|sitting| sitting.plan.name.clone())
            }
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

#[cfg(test)]
mod tests {
    use domain::lti::SCOPE_LINE_ITEM;
    use domain::time::moment::Moment;

    use super::*;

    fn link(line_item: Option<&str>, scopes: &[&str]) -> BoundLink {
        BoundLink {
            id: Uuid::nil(),
            platform_id: Uuid::nil(),
            deployment_id: "1".to_owned(),
            resource_link_id: "link".to_owned(),
            title: None,
            context_id: None,
            context_title: None,
            target: LinkTarget::Sitting(Uuid::nil()),
            line_item: line_item.map(str::to_owned),
            line_items: None,
            scopes: scopes.iter().map(|&scope| scope.to_owned()).collect(),
            memberships: None,
            last_score_at: None,
            created_at: Moment::default(),
        }
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
