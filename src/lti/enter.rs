//! `POST /lti/enter`: where the pages of launches lead on with a ticket, mostly from a frame into a window.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::calendar::values::escaped;
use domain::lti::link::PlatformPerson;
use url::form_urlencoded;
use uuid::Uuid;

use super::Launches;
use super::page::{LaunchPage, LaunchPageParts, hidden};
use super::refusal::LaunchRefusal;
use super::staff::page_of;
use super::ticket::Errand;
use crate::auth::caller::Callers;
use crate::auth::cookie::Cookies;
use crate::auth::{cross_site, platform_account};
use crate::error::Error;
use crate::http::body::Body;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::live::Live;
use crate::store::lti;

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
    let led = async {
        // A page of another site that has a ticket could sign its visitor in as somebody else.
        cross_site::refuse_foreign_page(&request).map_err(|_| LaunchRefusal::TicketOld)?;
        let Body(body) = body?;
        let mut fields = form_urlencoded::parse(&body);
        let ticket = fields.find(|(name, _)| name == "ticket").map(|(_, value)| value.into_owned());
        let ticket = ticket.ok_or(LaunchRefusal::TicketOld)?;
        let live = live.into_inner();
        let errand = Errand::open(&ticket, &cookies, launches.clock.now())?;
        match errand.clone() {
            Errand::Sitting { sitting_id, candidate_id, person_id } => {
                launches.still_theirs(candidate_id, person_id).await?;
                let place = (sitting_id, candidate_id);
                launches.enter_sitting(&live, (place, person_id), errand, &page, &cookies).await
            }
            Errand::Template { template_id, link_id, person_id } => {
                let person = launches.known_person(person_id).await?;
                let account = CountedCaller::Account(platform_account::name_of(person_id));
                limit.count(Counted::Start, Some(&account))?;
                launches.enter_template(&live, (template_id, link_id), &person).await
            }
            Errand::TestUser { template_id } => {
                limit.count(Counted::Start, CountedCaller::of(&request).as_ref())?;
                launches.try_template(&live, template_id).await
            }
            Errand::Staff { person_id, target, path } => {
                launches.enter_staff(&request, person_id, target, &path, &cookies, &callers).await
            }
            Errand::Confirm { person_id, link } => {
                launches.known_person(person_id).await?;
                launches.confirm(&link).await?;
                let errand = Errand::Staff { person_id, target: link.target, path: page_of(link.target) };
                let ticket = hidden("ticket", &errand.sealed(&cookies, launches.clock.now())?);
                let (words, name) = (page.words(), launches.name_of(link.target).await?);
                let body = format!(
                    "<p>{}</p><form method=\"post\" action=\"/lti/enter\">{ticket}<button class=\"button main\">{}</button></form>",
                    escaped(words.for_staff),
                    words.to_its_page,
                );
                Ok(page.shown(StatusCode::OK, &name, &body, LaunchPageParts::default()).await)
            }
        }
    };
    match Box::pin(led).await {
        Ok(answer) => answer,
        Err(refusal) => page.refused(refusal).await,
    }
}

impl Launches {
    /// Somebody of a platform that may still launch.
    async fn known_person(&self, id: Uuid) -> Result<PlatformPerson, LaunchRefusal> {
        let person = lti::find_person(&self.database.read, id).await?.ok_or(LaunchRefusal::TicketOld)?;
        let platform = lti::load_platform(&self.database.read, person.platform_id).await?;
        super::login::refuse_inactive(&platform.ok_or(LaunchRefusal::UnknownPlatform)?)?;
        Ok(person)
    }

    /// Refuses a candidate who has become somebody else since their ticket was made.
    async fn still_theirs(&self, candidate_id: Uuid, person_id: Uuid) -> Result<(), LaunchRefusal> {
        self.known_person(person_id).await?;
        let owner = lti::person_of_candidate(&self.database.read, candidate_id).await?;
        if owner.is_some_and(|(owner, _)| owner == person_id) { Ok(()) } else { Err(LaunchRefusal::NotOnRoster) }
    }
}
