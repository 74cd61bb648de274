//! `POST /lti/launch`: where a platform sends somebody's browser with a signed message. It is checked, used once, and
//! leads on.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::calendar::values::escaped;
use domain::lti::addresses::origin;
use domain::lti::claims::{Launch, LaunchFault, LaunchKind};
use domain::lti::link::PlatformPerson;
use domain::lti::platform::{DeploymentState, Platform};
use domain::time::moment::Moment;
use url::form_urlencoded;
use uuid::Uuid;

use super::Launches;
use super::deep_linking::AskedChoice;
use super::login::{again, refuse_inactive};
use super::page::{LaunchPage, LaunchPageParts};
use super::refusal::LaunchRefusal;
use super::state::{BrowserProof, LoginState, STATE_SECONDS};
use super::storage;
use super::verify::{ReceivedToken, TokenFault};
use crate::auth::cookie::Cookies;
use crate::error::Error;
use crate::http::body::Body;
use crate::http::read_only;
use crate::live::Live;
use crate::store::lti;

/// Bytes of a launch: tokens of platforms have a few kilobytes.
const LAUNCH_BYTES_MAX: usize = 128 * 1_024;
/// Codes by which platforms say why there is no launch: those of OAuth 2.0 and of OpenID Connect, and one of Canvas.
/// The log has these alone, and no other words of a platform.
const ERROR_CODES: [&str; 17] = [
    "access_denied",
    "account_selection_required",
    "consent_required",
    "interaction_required",
    "invalid_request",
    "invalid_request_object",
    "invalid_request_uri",
    "invalid_scope",
    "launch_no_longer_valid",
    "login_required",
    "registration_not_supported",
    "request_not_supported",
    "request_uri_not_supported",
    "server_error",
    "temporarily_unavailable",
    "unauthorized_client",
    "unsupported_response_type",
];
/// How long a nonce is remembered after its login could have come back: as long as a clock may be wrong.
const NONCE_SPARE_SECONDS: i64 = 60;

/// What a platform sends.
#[derive(Default)]
struct LaunchForm {
    id_token: String,
    state: String,
    /// That there is no launch.
    error: Option<String>,
    /// What the platform's storage has, if a page of ours has asked for it.
    stored: Option<String>,
}

impl LaunchForm {
    fn parse(encoded: &[u8]) -> Self {
        let mut form = Self::default();
        for (name, value) in form_urlencoded::parse(encoded) {
            match &*name {
                "id_token" => form.id_token = value.into_owned(),
                "state" => form.state = value.into_owned(),
                "error" => form.error = Some(value.into_owned()),
                "stored" => form.stored = Some(value.into_owned()),
                _ => {}
            }
        }
        form
    }
}

/// A launch that was believed, with all that belongs to it.
pub struct BelievedLaunch<'a> {
    pub platform: &'a Platform,
    pub launch: Launch,
    /// Who comes.
    pub person: PlatformPerson,
    pub page: LaunchPage<'a>,
    pub cookies: &'a Cookies,
    pub now: Moment,
}

impl BelievedLaunch<'_> {
    /// Whether a frame shows the answer. Where neither the browser nor the platform says so it counts as one: then
    /// somebody clicks once more than needed, and sees no empty frame.
    #[must_use]
    pub fn is_framed(&self) -> bool {
        self.page.is_framed.unwrap_or_else(|| self.launch.document_target.as_deref() != Some("window"))
    }
}

/// A launch.
pub async fn launch(
    request: HttpRequest,
    body: Result<Body<LAUNCH_BYTES_MAX>, Error>,
    launches: Data<Launches>,
    cookies: Data<Cookies>,
    live: Data<Live>,
) -> HttpResponse {
    if read_only::is_on(&request) {
        return LaunchPage::of(&request, None).refused(LaunchRefusal::ReadOnly).await;
    }
    let form = match &body {
        Ok(Body(body)) => LaunchForm::parse(body),
        Err(_) => LaunchForm::default(),
    };
    let now = launches.clock.now();
    let found = async {
        let state = LoginState::open(&cookies, &form.state, now).ok_or(LaunchRefusal::Expired)?;
        let platform = lti::load_platform(&launches.database.read, state.platform_id).await?;
        Ok::<_, LaunchRefusal>((state, platform.ok_or(LaunchRefusal::UnknownPlatform)?))
    };
    let (state, platform) = match found.await {
        Ok(found) => found,
        Err(refusal) => return LaunchPage::of(&request, None).refused(refusal).await,
    };
    let page = LaunchPage::of(&request, Some(&platform));
    let proof = state.proof(&cookies, request.headers(), form.stored.as_deref());
    if let Some(error) = &form.error {
        let code = ERROR_CODES.into_iter().find(|code| code == error);
        return page.refused(LaunchRefusal::PlatformFailed(code)).await;
    }
    match proof {
        BrowserProof::Same => {}
        BrowserProof::Other => return page.refused(LaunchRefusal::Expired).await,
        BrowserProof::Missing => return without_cookie(&page, &platform, &state, &form).await,
    }
    let launch = match Box::pin(launches.believed(&platform, &state, &form.id_token, now)).await {
        Ok(launch) => launch,
        Err(refusal) => return page.refused(refusal).await,
    };
    let page = page.in_language(launch.locale.as_deref()).framed_by(&launch.framing_origins());
    let led = async {
        launches.refuse_waiting(&platform, &launch.deployment_id, now).await?;
        launches.sittings.here()?;
        let person = launches.person(&platform, &launch, now).await?;
        if let LaunchKind::DeepLinking(settings) = &launch.kind {
            let asked = AskedChoice {
                platform: &platform,
                launch: &launch,
                person: person.as_ref(),
                page: &page,
                cookies: &cookies,
            };
            return launches.offer(&asked, settings).await;
        }
        let person = person.ok_or(LaunchFault::Anonymous)?;
        let (page, cookies) = (page.clone(), &cookies);
        let believed = BelievedLaunch { platform: &platform, launch, person, page, cookies, now };
        launches.follow(&live.into_inner(), &believed).await
    };
    match Box::pin(led).await {
        Ok(answer) => answer,
        Err(refusal) => page.refused(refusal).await,
    }
}

/// The way on for a browser that has kept no cookie: by the platform's storage, or in a window of its own.
async fn without_cookie(
    page: &LaunchPage<'_>,
    platform: &Platform,
    state: &LoginState,
    form: &LaunchForm,
) -> HttpResponse {
    // What is in no frame would have kept it.
    if page.is_framed == Some(false) {
        return page.refused(LaunchRefusal::NoCookies).await;
    }
    let words = page.words();
    let window = state.hints.as_ref().map(|hints| {
        format!(
            "<p>{}</p><p><a class=\"button main\" href=\"{}\" target=\"_blank\" rel=\"noopener\">{}</a></p>",
            words.keeps_nothing,
            escaped(&again(platform, hints)),
            words.open_window,
        )
    });
    // What the platform has stored needs no hints.
    if let (Some(frame), Some(origin)) = (&state.storage, origin(&platform.endpoints.authorization)) {
        let (name, _) = state.stored();
        let asking = storage::asking(frame, &origin, &name, (&form.id_token, &form.state));
        let otherwise = window.unwrap_or_else(|| page.said(LaunchRefusal::NoCookies));
        let body = format!("{asking}<div id=\"window\" class=\"stack\" hidden>{otherwise}</div>");
        let parts = LaunchPageParts { script: storage::GET, ..LaunchPageParts::default() };
        return page.shown(StatusCode::OK, words.one_moment, &body, parts).await;
    }
    let Some(window) = window else { return page.refused(LaunchRefusal::NoCookies).await };
    page.shown(StatusCode::OK, words.own_window, &window, LaunchPageParts::default()).await
}

impl Launches {
    /// The launch, if its platform has signed it just now for this login, and it has not been used.
    async fn believed(
        &self,
        platform: &Platform,
        state: &LoginState,
        id_token: &str,
        now: Moment,
    ) -> Result<Launch, LaunchRefusal> {
        refuse_inactive(platform)?;
        let token = ReceivedToken::of(id_token)?;
        let keys = self.platform_keys.named(platform, token.key_id()).await.map_err(|error| {
            tracing::warn!(platform = %platform.id, %error, "the keys of a platform are not known");
            LaunchRefusal::KeysUnreachable
        })?;
        let payload = token.verified(platform, keys, &state.nonce, now)?;
        let launch = Launch::parse(&payload)?;
        self.refuse_foreign_target(&launch.target_link_uri)?;
        if !state.began(&launch) {
            return Err(TokenFault::Nonce.into());
        }
        let expires_at = now.plus((STATE_SECONDS + NONCE_SPARE_SECONDS) * 1_000);
        let is_new = lti::spend_nonce(&self.database.write, platform.id, &launch.nonce, expires_at, now).await?;
        if is_new { Ok(launch) } else { Err(LaunchRefusal::Used) }
    }

    /// Refuses a deployment that waits for an admin. One that is new waits from now on.
    async fn refuse_waiting(&self, platform: &Platform, deployment_id: &str, now: Moment) -> Result<(), LaunchRefusal> {
        match platform.deployment_state(deployment_id) {
            Some(DeploymentState::Active) => return Ok(()),
            Some(DeploymentState::Pending) => {}
            None => {
                if lti::note_deployment(&self.database.write, platform.id, deployment_id, now).await? {
                    tracing::info!(platform = %platform.id, "a new deployment waits for an admin");
                }
            }
        }
        Err(LaunchRefusal::PendingDeployment)
    }

    /// Who comes, as the platform tells it now; `None` where it does not.
    async fn person(
        &self,
        platform: &Platform,
        launch: &Launch,
        now: Moment,
    ) -> Result<Option<PlatformPerson>, LaunchRefusal> {
        let Some(subject) = launch.subject.clone() else { return Ok(None) };
        let person = PlatformPerson {
            id: Uuid::new_v4(),
            platform_id: platform.id,
            subject,
            name: launch.name.clone(),
            email: launch.email.clone(),
            created_at: now,
        };
        Ok(Some(lti::insert_person(&self.database.write, &person).await?))
    }

    async fn follow(&self, live: &Arc<Live>, launch: &BelievedLaunch<'_>) -> Result<HttpResponse, LaunchRefusal> {
        match &launch.launch.kind {
            LaunchKind::Resource(link) => self.follow_link(live, launch, link).await,
            // It need not say who comes, so it was answered before.
            LaunchKind::DeepLinking(_) => Err(LaunchRefusal::TakesNoLinks),
            LaunchKind::SubmissionReview { link, for_user } => self.review(launch, link.as_ref(), for_user).await,
        }
    }
}
