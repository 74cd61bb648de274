//! `/lti/register`: a platform registers itself. Its admin opens the page in a frame of the platform, sees who is to be
//! connected, and clicks; then the two exchange what they need, and the platform waits here for an admin of our own.
//! Nobody is signed in for it, and nothing that comes from there counts before the approval.

use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse};
use domain::lti::platform::{Deployment, DeploymentState, Platform, PlatformState, ScoreForm};
use domain::lti::registration::{
    PlatformConfiguration, RegistrationAnswer, RegistrationFault, is_usable, tool_registration,
};
use domain::text::NAME_CHARACTERS_MAX;
use reqwest::Method;
use serde::Deserialize;
use tokio::sync::Semaphore;
use url::{Url, form_urlencoded};
use uuid::Uuid;

use super::admin::{LearningPlatforms, PLATFORMS_MAX};
use super::register_page::{RegisterPage, RegisterRefusal};
use crate::config::Config;
use crate::error::Error;
use crate::http::body::Body;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::http::read_only;
use crate::outgoing::client::{Header, Inquiry, OutgoingClient, WholeAnswer};
use crate::store::lti;

/// Bytes of a platform's configuration, and of its answer to our registration.
const ANSWER_BYTES_MAX: usize = 64 * 1_024;
/// Bytes of the form by which the click comes.
const FORM_BYTES_MAX: usize = 16 * 1_024;
/// Characters of a registration token; those of platforms are tokens of some hundred.
const TOKEN_CHARACTERS_MAX: usize = 8_000;
/// Platforms that register at once. Each holds up to two requests to an address that anybody may name.
const REGISTRATIONS_AT_ONCE_MAX: usize = 4;
/// Platforms that wait for an admin. Anybody can have one made, so beyond these nobody can.
const PENDING_PLATFORMS_MAX: u64 = 20;
static REGISTERING: Semaphore = Semaphore::const_new(REGISTRATIONS_AT_ONCE_MAX);

/// What a platform sends to have itself registered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct RegistrationRequest {
    #[serde(default)]
    pub openid_configuration: String,
    pub registration_token: Option<String>,
}

impl RegistrationRequest {
    fn of_form(form: &[u8]) -> Self {
        let mut request = Self::default();
        for (name, value) in form_urlencoded::parse(form) {
            match &*name {
                "openid_configuration" => request.openid_configuration = value.into_owned(),
                "registration_token" => request.registration_token = Some(value.into_owned()),
                _ => {}
            }
        }
        request
    }

    /// Refuses what cannot be asked for: an address that is none, and a token that is no header.
    fn check(&self, service: &LearningPlatforms) -> Result<(), RegisterRefusal> {
        let address = &self.openid_configuration;
        if !is_usable(address, service.targets.lists_place(address)) {
            return Err(RegistrationFault::NotHttps.into());
        }
        let is_header = |token: &str| token.bytes().all(|byte| byte.is_ascii_graphic());
        match self.token() {
            Some(token) if token.len() > TOKEN_CHARACTERS_MAX || !is_header(token) => Err(RegisterRefusal::Token),
            _ => Ok(()),
        }
    }

    fn token(&self) -> Option<&str> {
        self.registration_token.as_deref().filter(|token| !token.is_empty())
    }

    /// The host of the platform, to be shown.
    #[must_use]
    pub fn host(&self) -> String {
        let url = Url::parse(&self.openid_configuration).ok();
        url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    }

    fn authorization(&self) -> Vec<Header> {
        let bearer = self.token().map(|token| ("Authorization", format!("Bearer {token}")));
        bearer.into_iter().chain([("Accept", "application/json".to_owned())]).collect()
    }
}

/// The page by which a learning platform registers itself. It asks nobody before a click.
pub async fn show(
    request: HttpRequest,
    asked: Query<RegistrationRequest>,
    service: Data<LearningPlatforms>,
) -> HttpResponse {
    let page = RegisterPage::of(&request).await;
    if read_only::is_on(&request) {
        return page.refused(&asked, &RegisterRefusal::ReadOnly);
    }
    match asked.check(&service) {
        Ok(()) => page.ask(&asked),
        Err(refusal) => page.refused(&asked, &refusal),
    }
}

/// Registers this server with a learning platform, and the platform here, where it waits for an admin.
pub async fn register(
    request: HttpRequest,
    body: Result<Body<FORM_BYTES_MAX>, Error>,
    service: Data<LearningPlatforms>,
    config: Data<Config>,
    limit: Data<AddressLimit>,
) -> Result<HttpResponse, Error> {
    let asked = RegistrationRequest::of_form(&body?.0);
    limit.count(Counted::SignIn, CountedCaller::of(&request).as_ref())?;
    let page = RegisterPage::of(&request).await;
    if read_only::is_on(&request) {
        return Ok(page.refused(&asked, &RegisterRefusal::ReadOnly));
    }
    Ok(match service.register(&asked, &config.server.auth_url).await {
        Ok(platform) => {
            tracing::info!(platform_id = %platform.id, issuer = platform.issuer, "a learning platform has registered itself");
            page.done(&platform)
        }
        Err(refusal) => page.refused(&asked, &refusal),
    })
}

impl LearningPlatforms {
    async fn register(&self, asked: &RegistrationRequest, own_address: &str) -> Result<Platform, RegisterRefusal> {
        asked.check(self)?;
        let _place = REGISTERING.try_acquire().map_err(|_| RegisterRefusal::Busy)?;
        self.refuse_too_many().await?;
        let client = OutgoingClient::new(self.targets.clone());
        let described = self.ask(&client, asked, Method::GET, &asked.openid_configuration, None).await?;
        let allows_http = |address: &str| self.targets.lists_place(address);
        let configuration = PlatformConfiguration::parse(&asked.openid_configuration, &described.body, allows_http)?;
        let own_address = own_address.trim_end_matches('/');
        let registration = tool_registration(own_address, configuration.shows_work).to_string();
        let url = configuration.registration.clone();
        let answered = self.ask(&client, asked, Method::POST, &url, Some(registration)).await?;
        let answer = RegistrationAnswer::parse(&answered.body)?;
        let platform = self.platform(&configuration, answer);
        let transaction = self.database.begin_alone().await.map_err(Error::from)?;
        self.refuse_too_many().await?;
        if !lti::insert(&transaction, &platform).await.map_err(Error::from)? {
            return Err(RegisterRefusal::Exists);
        }
        transaction.commit().await.map_err(Error::from)?;
        Ok(platform)
    }

    async fn refuse_too_many(&self) -> Result<(), RegisterRefusal> {
        let (all, pending) = lti::count(&self.database.read).await.map_err(Error::from)?;
        if all >= PLATFORMS_MAX || pending >= PENDING_PLATFORMS_MAX { Err(RegisterRefusal::TooMany) } else { Ok(()) }
    }

    async fn ask(
        &self,
        client: &OutgoingClient,
        asked: &RegistrationRequest,
        method: Method,
        url: &str,
        body: Option<String>,
    ) -> Result<WholeAnswer, RegisterRefusal> {
        let mut headers = asked.authorization();
        headers.extend(body.is_some().then(|| ("Content-Type", "application/json".to_owned())));
        let inquiry = Inquiry { method, url, headers, body, bytes_max: ANSWER_BYTES_MAX };
        let answer = client.ask(inquiry, self.clock.now()).await;
        let answer = answer.map_err(|error| RegisterRefusal::Unreachable(error.to_string()))?;
        match answer.status {
            200 | 201 => Ok(answer),
            status => Err(RegisterRefusal::Answered(status)),
        }
    }

    /// The platform as it waits for an admin.
    fn platform(&self, configuration: &PlatformConfiguration, answer: RegistrationAnswer) -> Platform {
        let (now, facts) = (self.clock.now(), answer.facts(configuration));
        let host = Url::parse(&configuration.issuer).ok().and_then(|url| url.host_str().map(str::to_owned));
        let name: String = host.unwrap_or_default().chars().take(NAME_CHARACTERS_MAX).collect();
        // It counts once the platform does.
        let deployment = answer.deployment_id.map(|id| Deployment { id, state: DeploymentState::Active });
        Platform {
            id: Uuid::new_v4(),
            name,
            issuer: configuration.issuer.clone(),
            client_id: answer.client_id,
            endpoints: configuration.endpoints.clone(),
            state: PlatformState::Pending,
            deployments: deployment.into_iter().collect(),
            grades: Vec::new(),
            frame_origins: Vec::new(),
            token_audience: None,
            score_form: ScoreForm::default(),
            trusts_emails: false,
            registration: Some(facts),
            created_at: now,
            updated_at: now,
            staff_only_choose: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_brings_what_the_address_did() {
        let form = b"openid_configuration=https%3A%2F%2Flms.example%2Fc&registration_token=a.b-c&more=x";
        let request = RegistrationRequest::of_form(form);
        assert_eq!((request.host().as_str(), request.token()), ("lms.example", Some("a.b-c")));
        let expected = [("Authorization", "Bearer a.b-c".to_owned()), ("Accept", "application/json".to_owned())];
        assert_eq!(request.authorization(), expected);
        let plain = RegistrationRequest::of_form(b"openid_configuration=x&registration_token=");
        assert_eq!((plain.host().as_str(), plain.token(), plain.authorization().len()), ("", None, 1));
    }
}
