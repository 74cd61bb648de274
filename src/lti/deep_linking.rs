//! Deep linking: a teacher chooses in a frame of the platform what a link is to lead to, and the platform is told by a
//! signed answer. What was chosen is what the links of their deployment may lead to.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::calendar::values::escaped;
use domain::lti::addresses::origin;
use domain::lti::claims::{DeepLinkingSettings, Launch};
use domain::lti::content_item::ChosenLink;
use domain::lti::link::{LinkGrant, PlatformPerson};
use domain::lti::platform::Platform;
use domain::lti::roles::LaunchRole;
use domain::lti::{CLAIM, DEEP_LINKING_CLAIM, VERSION};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Launches;
use super::page::{LaunchPage, LaunchPageParts, hidden, origins_of};
use super::record::entry;
use super::refusal::LaunchRefusal;
use super::ticket::ChoiceTicket;
use crate::auth::cookie::Cookies;
use crate::auth::platform_account;
use crate::http::audit::EXAM_PLACED;
use crate::store::{audit, lti};

/// How long the answer is good: the browser posts it at once.
const ANSWER_SECONDS: i64 = 5 * 60;
/// Bytes of what a platform wants back as it came. What is longer could not travel through a form of its own.
const DATA_BYTES_MAX: usize = 32 * 1_024;
/// Posts the answer by itself.
const SEND: &str = "document.getElementById('answer').submit();";

/// Who has given something, where the platform does not say who has chosen it.
pub(super) const NOBODY_NAMED: &str = "deep linking";

/// A request for a choice that was believed.
pub(super) struct AskedChoice<'a> {
    pub platform: &'a Platform,
    pub launch: &'a Launch,
    /// Who chooses, if the platform says so.
    pub person: Option<&'a PlatformPerson>,
    pub page: &'a LaunchPage<'a>,
    pub cookies: &'a Cookies,
}

impl Launches {
    /// Shows a teacher what can be chosen. A platform that asks without a word of who it is for has signed that they
    /// may place content in its course; more than that they may not do here.
    pub(super) async fn offer(
        &self,
        asked: &AskedChoice<'_>,
        settings: &DeepLinkingSettings,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let AskedChoice { platform, launch, person, page, cookies } = *asked;
        let is_staff = launch.role == LaunchRole::Staff;
        if !is_staff && launch.tells_role {
            return Err(LaunchRefusal::ChoiceIsForStaff);
        }
        if !settings.accepts_links || origin(&settings.return_url).is_none() {
            return Err(LaunchRefusal::TakesNoLinks);
        }
        let data = settings.data.clone().unwrap_or_default();
        if data.len() > DATA_BYTES_MAX {
            return Err(LaunchRefusal::TakesNoLinks);
        }
        let ticket = ChoiceTicket {
            platform_id: platform.id,
            deployment_id: launch.deployment_id.clone(),
            person_id: person.map(|person| person.id),
            look: (is_staff && person.is_some() && !platform.staff_only_choose).then(Uuid::new_v4),
            return_url: settings.return_url.clone(),
            frame_origins: launch.framing_origins(),
            accepts_multiple: settings.accepts_multiple,
            // Those that do not say so have mostly taken columns before there was a way to say it.
            accepts_line_item: settings.accepts_line_item.unwrap_or(true),
            locale: launch.locale.clone(),
            has_data: settings.data.is_some(),
            data_hash: crate::auth::token::hash(&data),
        };
        let offered = self.offered(&platform_account::chooser(person, platform)).await?;
        self.show_choice(page, cookies, ticket, &data, settings.title.as_deref(), &offered).await
    }

    /// Notes what was chosen, and answers the platform.
    pub(super) async fn place(
        &self,
        page: &LaunchPage<'_>,
        platform: &Platform,
        ticket: &ChoiceTicket,
        data: &str,
        chosen: &[ChosenLink],
    ) -> Result<HttpResponse, LaunchRefusal> {
        let now = self.clock.now();
        let person = self.chooser(ticket).await?;
        let granted_by = person.as_ref().map_or(NOBODY_NAMED, |person| person.subject.as_str());
        let transaction = self.database.begin_alone().await?;
        for link in chosen {
            let grant = LinkGrant {
                platform_id: platform.id,
                deployment_id: ticket.deployment_id.clone(),
                target: link.target,
                granted_by: granted_by.to_owned(),
                granted_at: now,
            };
            lti::grant(&transaction, &grant).await?;
            let place = (platform, ticket.deployment_id.as_str());
            audit::insert_in(&transaction, entry(EXAM_PLACED, link.target, place, person.as_ref(), now)).await?;
        }
        transaction.commit().await?;
        let answer = self.own_keys.sign(&self.answer(platform, ticket, data, chosen, page)).await?;
        self.send(page, platform, ticket, &answer).await
    }

    /// Who chooses, if the platform has said so.
    pub(super) async fn chooser(&self, ticket: &ChoiceTicket) -> Result<Option<PlatformPerson>, LaunchRefusal> {
        let Some(id) = ticket.person_id else { return Ok(None) };
        let person = lti::find_person(&self.database.read, id).await?;
        person.ok_or(LaunchRefusal::TicketOld).map(Some)
    }

    fn answer(
        &self,
        platform: &Platform,
        ticket: &ChoiceTicket,
        data: &str,
        chosen: &[ChosenLink],
        page: &LaunchPage<'_>,
    ) -> Value {
        let seconds = self.clock.now().milliseconds() / 1_000;
        let address = self.launch_address();
        let items: Vec<Value> = chosen.iter().map(|link| link.item(&address)).collect();
        let mut claims = Map::new();
        let mut say = |name: String, value: Value| drop(claims.insert(name, value));
        say("iss".to_owned(), json!(platform.client_id));
        say("aud".to_owned(), json!(platform.issuer));
        say("iat".to_owned(), json!(seconds));
        say("exp".to_owned(), json!(seconds + ANSWER_SECONDS));
        say("nonce".to_owned(), json!(Uuid::new_v4()));
        say(format!("{CLAIM}deployment_id"), json!(ticket.deployment_id));
        say(format!("{CLAIM}message_type"), json!("LtiDeepLinkingResponse"));
        say(format!("{CLAIM}version"), json!(VERSION));
        say(format!("{DEEP_LINKING_CLAIM}content_items"), json!(items));
        if ticket.has_data {
            say(format!("{DEEP_LINKING_CLAIM}data"), json!(data));
        }
        if chosen.is_empty() {
            say(format!("{DEEP_LINKING_CLAIM}msg"), json!(page.words().nothing_chosen));
        }
        claims.into()
    }

    /// The page that posts the answer to the platform.
    async fn send(
        &self,
        page: &LaunchPage<'_>,
        platform: &Platform,
        ticket: &ChoiceTicket,
        answer: &str,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let words = page.words();
        let body = format!(
            "<p>{}</p><form id=\"answer\" method=\"post\" action=\"{}\">{}<button class=\"button\">{}</button></form>",
            words.sending,
            escaped(&ticket.return_url),
            hidden("JWT", answer),
            words.send,
        );
        // The platform may lead on to another one of its addresses, which the policy of this page would refuse too.
        let mut origins = origins_of(platform);
        origins.extend(origin(&ticket.return_url));
        let parts = LaunchPageParts { script: SEND, form_origins: &origins, ..LaunchPageParts::default() };
        Ok(page.shown(StatusCode::OK, words.one_moment, &body, parts).await)
    }
}
