//! `POST /lti/enter`: where the pages of launches lead on with a ticket, mostly from a frame into a window.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::calendar::values::escaped;
use domain::lti::link::{LinkTarget, PlatformPerson};
use domain::lti::platform::{DeploymentState, Platform};
use domain::time::moment::Moment;
use url::form_urlencoded;
use uuid::Uuid;

use super::Launches;
use super::page::{LaunchPage, LaunchPageParts, hidden};
use super::record::entry;
use super::refusal::LaunchRefusal;
use super::staff::page_of;
use super::ticket::{Errand, StaffPass};
use crate::auth::caller::Callers;
use crate::auth::cookie::Cookies;
use crate::auth::{cross_site, platform_account};
use crate::error::Error;
use crate::http::audit::{LINK_CONFIRMED, LINK_LED};
use crate::http::body::Body;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::http::read_only;
use crate::live::Live;
use crate::store::{audit, candidates, lti};

/// Bytes of a form with a ticket.
const TICKET_BYTES_MAX: usize = 16 * 1_024;

/// Goes on with a ticket.
pub async fn enter(
    request: HttpRequest,
    body: Result<Body<TICKET_BYTES_MAX>, Error>,
    launches: Data<Launches>,
    cookies: Data<Cookies>,
    callers: Data<Callers>,
    limit: Data<AddressLimit>,
    live: Data<Live>,
) -> HttpResponse {
    let page = LaunchPage::in_a_window(&request);
    if read_only::is_on(&request) {
        return page.refused(LaunchRefusal::ReadOnly).await;
    }
    let errand = match errand_of(&request, body, &cookies, launches.clock.now()) {
        Ok(errand) => errand,
        Err(refusal) => return page.refused(refusal).await,
    };
    let person_id = errand.person_id();
    let led = async {
        let live = live.into_inner();
        match errand.clone() {
            Errand::Sitting { sitting_id, candidate_id, person_id } => {
                let place = (sitting_id, candidate_id);
                launches.still_theirs(place, person_id).await?;
                launches.enter_sitting(&live, (place, person_id), errand, &page, &cookies).await
            }
            Errand::Template { template_id, link_id, person_id } => {
                let person = launches.still_led(person_id, link_id, LinkTarget::Template(template_id)).await?;
                let account = CountedCaller::Account(platform_account::name_of(person_id));
                limit.count(Counted::Start, Some(&account))?;
                launches.enter_template(&live, (template_id, link_id), &person).await
            }
            Errand::TestUser { template_id, link_id, person_id } => {
                launches.still_led(person_id, link_id, LinkTarget::Template(template_id)).await?;
                limit.count(Counted::Start, CountedCaller::of(&request).as_ref())?;
                launches.try_template(&live, template_id).await
            }
            Errand::Staff { pass, target, path } => {
                launches.known_staff(&pass, target).await?;
                launches.enter_staff(&request, &pass, target, &path, &cookies, &callers).await
            }
            Errand::Confirm { pass, link } => {
                launches.say_yes(&pass, link.target, LINK_CONFIRMED).await?;
                launches.confirm(&link).await?;
                launches.after_a_yes(&pass, link.target, &page, &cookies).await
            }
            Errand::Lead { pass, link_id, target, line_item } => {
                launches.say_yes(&pass, target, LINK_LED).await?;
                launches.lead_elsewhere(link_id, target, line_item).await?;
                launches.after_a_yes(&pass, target, &page, &cookies).await
            }
        }
    };
    let led = Box::pin(led).await;
    match led {
        Ok(answer) => answer,
        Err(refusal) => {
            let person = lti::find_person(&launches.database.read, person_id).await.ok().flatten();
            page.with_platform(person.map(|person| person.platform_id)).refused(refusal).await
        }
    }
}

/// What a form asks for, if it is one of a page of ours.
fn errand_of(
    request: &HttpRequest,
    body: Result<Body<TICKET_BYTES_MAX>, Error>,
    cookies: &Cookies,
    now: Moment,
) -> Result<Errand, LaunchRefusal> {
    // A page of another site that has a ticket could sign its visitor in as somebody else.
    cross_site::refuse_foreign_page(request).map_err(|_| LaunchRefusal::TicketOld)?;
    let Body(body) = body?;
    let mut fields = form_urlencoded::parse(&body);
    let ticket = fields.find(|(name, _)| name == "ticket").map(|(_, value)| value.into_owned());
    Errand::open(&ticket.ok_or(LaunchRefusal::TicketOld)?, cookies, now)
}

impl Launches {
    /// Somebody of a platform that may still launch.
    async fn known_person(&self, id: Uuid) -> Result<(PlatformPerson, Platform), LaunchRefusal> {
        let person = lti::find_person(&self.database.read, id).await?.ok_or(LaunchRefusal::TicketOld)?;
        let platform = lti::load_platform(&self.database.read, person.platform_id).await?;
        let platform = platform.ok_or(LaunchRefusal::UnknownPlatform)?;
        super::login::refuse_inactive(&platform)?;
        Ok((person, platform))
    }

    /// A member of staff whose deployment may still launch, and still has this.
    async fn known_staff(
        &self,
        pass: &StaffPass,
        target: LinkTarget,
    ) -> Result<(PlatformPerson, Platform), LaunchRefusal> {
        let (person, platform) = self.known_person(pass.person_id).await?;
        self.still_given(&platform, &pass.deployment_id, target, LaunchRefusal::NotGiven).await?;
        Ok((person, platform))
    }

    /// Refuses what was taken from a deployment since a ticket was made.
    async fn still_given(
        &self,
        platform: &Platform,
        deployment_id: &str,
        target: LinkTarget,
        otherwise: LaunchRefusal,
    ) -> Result<(), LaunchRefusal> {
        if platform.deployment_state(deployment_id) != Some(DeploymentState::Active) {
            return Err(LaunchRefusal::PendingDeployment);
        }
        let is_given = lti::has_grant(&self.database.read, platform.id, deployment_id, target).await?;
        if is_given { Ok(()) } else { Err(otherwise) }
    }

    /// A learner whose link still leads there.
    async fn still_led(
        &self,
        person_id: Uuid,
        link_id: Uuid,
        target: LinkTarget,
    ) -> Result<PlatformPerson, LaunchRefusal> {
        let (person, platform) = self.known_person(person_id).await?;
        let link = lti::find_link_by_id(&self.database.read, link_id).await?;
        let link = link.filter(|link| link.target == target).ok_or(LaunchRefusal::NotPlaced)?;
        self.still_given(&platform, &link.deployment_id, target, LaunchRefusal::NotPlaced).await?;
        Ok(person)
    }

    /// Refuses a candidate who has become somebody else since their ticket was made, and whom the link by which they
    /// came would not lead there any more. Whoever has entered goes on also without the link.
    async fn still_theirs(
        &self,
        (sitting_id, candidate_id): (Uuid, Uuid),
        person_id: Uuid,
    ) -> Result<(), LaunchRefusal> {
        let (_, platform) = self.known_person(person_id).await?;
        let owner = lti::person_of_candidate(&self.database.read, candidate_id).await?;
        let Some((_, link_id)) = owner.filter(|(owner, _)| *owner == person_id) else {
            return Err(LaunchRefusal::NotOnRoster);
        };
        let link = match link_id {
            Some(link_id) => lti::find_link_by_id(&self.database.read, link_id).await?,
            None => None,
        };
        let Some(link) = link else {
            let candidate = candidates::find(&self.database.read, sitting_id, candidate_id).await?;
            let has_entered = candidate.is_some_and(|candidate| candidate.has_entered());
            return if has_entered { Ok(()) } else { Err(LaunchRefusal::NotPlaced) };
        };
        self.still_given(&platform, &link.deployment_id, link.target, LaunchRefusal::NotPlaced).await
    }

    /// Takes a yes of staff to where a link leads: once, and on record.
    async fn say_yes(&self, pass: &StaffPass, target: LinkTarget, action: &'static str) -> Result<(), LaunchRefusal> {
        let (person, platform) = self.known_staff(pass, target).await?;
        self.use_up(platform.id, pass).await?;
        let place = (&platform, pass.deployment_id.as_str());
        let entry = entry(action, target, place, Some(&person), self.clock.now());
        Ok(audit::insert(&self.database, entry).await?)
    }

    /// The page after a yes, with the way to what the link leads to now.
    async fn after_a_yes(
        &self,
        pass: &StaffPass,
        target: LinkTarget,
        page: &LaunchPage<'_>,
        cookies: &Cookies,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let pass = StaffPass::new(pass.person_id, &pass.deployment_id);
        let errand = Errand::Staff { pass, target, path: page_of(target) };
        let ticket = hidden("ticket", &errand.sealed(cookies, self.clock.now())?);
        let (words, name) = (page.words(), self.name_of(target).await?);
        let body = format!(
            "<p>{}</p><form method=\"post\" action=\"/lti/enter\">{ticket}<button class=\"button main\">{}</button></form>",
            escaped(words.for_staff),
            words.to_its_page,
        );
        Ok(page.shown(StatusCode::OK, &name, &body, LaunchPageParts::default()).await)
    }
}
