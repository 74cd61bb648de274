//! `/lti/login`: where a platform begins a login. The browser is sent on to the platform's own sign-in, from where it
//! comes back to `/lti/launch`.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, LOCATION, SET_COOKIE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::calendar::values::escaped;
use domain::lti::addresses::origin;
use domain::lti::platform::{Platform, PlatformState};
use url::{Url, form_urlencoded};

use super::Launches;
use super::page::{LaunchPage, LaunchPageParts};
use super::refusal::LaunchRefusal;
use super::state::{LoginHints, LoginState};
use super::storage;
use crate::auth::cookie::Cookies;
use crate::error::Error;
use crate::http::body::Body;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::http::read_only;
use crate::store::lti;

/// Bytes of the form with which a login begins. Hints of platforms have a few hundred bytes, some are tokens.
const LOGIN_BYTES_MAX: usize = 16 * 1_024;
/// Characters of the name of a frame.
const FRAME_NAME_CHARACTERS_MAX: usize = 200;

/// What a platform sends to begin a login.
#[derive(Debug, Default, PartialEq, Eq)]
struct LoginRequest {
    issuer: String,
    client_id: Option<String>,
    /// The frame of the platform that has storage.
    storage: Option<String>,
    hints: LoginHints,
}

impl LoginRequest {
    /// Reads a query or a form. Members that are not known are none of ours.
    fn parse(encoded: &[u8]) -> Result<Self, LaunchRefusal> {
        let mut request = Self::default();
        for (name, value) in form_urlencoded::parse(encoded) {
            let value = value.into_owned();
            if value.is_empty() || value.chars().any(char::is_control) {
                continue;
            }
            match &*name {
                "iss" => request.issuer = value,
                "client_id" => request.client_id = Some(value),
                "login_hint" => request.hints.login_hint = value,
                "target_link_uri" => request.hints.target_link_uri = value,
                "lti_message_hint" => request.hints.lti_message_hint = Some(value),
                "lti_deployment_id" | "deployment_id" => request.hints.deployment_id = Some(value),
                "lti_storage_target" => request.storage = Some(value),
                _ => {}
            }
        }
        request.storage = request.storage.filter(|name| name.chars().count() <= FRAME_NAME_CHARACTERS_MAX);
        let required = [
            ("iss", &request.issuer),
            ("login_hint", &request.hints.login_hint),
            ("target_link_uri", &request.hints.target_link_uri),
        ];
        let missing = required.into_iter().find(|(_, value)| value.is_empty()).map(|(name, _)| name);
        match missing {
            Some(name) => Err(LaunchRefusal::Incomplete(name)),
            None => Ok(request),
        }
    }
}

/// A login that begins by a link.
pub async fn by_link(
    request: HttpRequest,
    launches: Data<Launches>,
    cookies: Data<Cookies>,
    limit: Data<AddressLimit>,
) -> HttpResponse {
    begin(&request, request.query_string().as_bytes(), &launches, &cookies, &limit).await
}

/// A login that begins by a form.
pub async fn by_form(
    request: HttpRequest,
    body: Result<Body<LOGIN_BYTES_MAX>, Error>,
    launches: Data<Launches>,
    cookies: Data<Cookies>,
    limit: Data<AddressLimit>,
) -> HttpResponse {
    match body {
        Ok(Body(body)) => begin(&request, &body, &launches, &cookies, &limit).await,
        Err(_) => LaunchPage::of(&request, None).refused(LaunchRefusal::Incomplete("iss")).await,
    }
}

async fn begin(
    request: &HttpRequest,
    encoded: &[u8],
    launches: &Launches,
    cookies: &Cookies,
    limit: &AddressLimit,
) -> HttpResponse {
    // Before anybody signs in at the platform for nothing.
    if read_only::is_on(request) {
        return LaunchPage::of(request, None).refused(LaunchRefusal::ReadOnly).await;
    }
    let found = async {
        limit.count(Counted::SignIn, CountedCaller::of(request).as_ref())?;
        let asked = LoginRequest::parse(encoded)?;
        let platform = launches.find_platform(&asked).await?;
        Ok::<_, LaunchRefusal>((asked, platform))
    };
    let (asked, platform) = match found.await {
        Ok(found) => found,
        Err(refusal) => return LaunchPage::of(request, None).refused(refusal).await,
    };
    let page = LaunchPage::of(request, Some(&platform));
    match launches.led(request, cookies, &page, &platform, asked).await {
        Ok(answer) => answer,
        Err(refusal) => page.refused(refusal).await,
    }
}

impl Launches {
    async fn find_platform(&self, asked: &LoginRequest) -> Result<Platform, LaunchRefusal> {
        let database = &self.database.read;
        let Some(client_id) = &asked.client_id else {
            // Without a client id the issuer must have one here.
            let found = lti::find_only_platform(database, &asked.issuer).await?;
            return found.ok_or(LaunchRefusal::UnknownPlatform);
        };
        let found = lti::find_platform(database, &asked.issuer, client_id).await?;
        found.ok_or(LaunchRefusal::UnknownPlatform)
    }

    async fn led(
        &self,
        request: &HttpRequest,
        cookies: &Cookies,
        page: &LaunchPage<'_>,
        platform: &Platform,
        asked: LoginRequest,
    ) -> Result<HttpResponse, LaunchRefusal> {
        refuse_inactive(platform)?;
        self.refuse_foreign_target(&asked.hints.target_link_uri)?;
        let (hints, storage) = (asked.hints.clone(), asked.storage);
        let state = LoginState::begin(cookies, request.headers(), platform.id, storage, hints, self.clock.now())?;
        let next = self.authorization(platform, &asked.hints, &state.sealed(cookies)?, &state.nonce)?;
        let cookie = state.cookie(cookies);
        let origin = origin(&platform.endpoints.authorization);
        let mut answer = match (&state.storage, origin) {
            (Some(frame), Some(origin)) => {
                let body = storage::putting(frame, &origin, state.stored(), next.as_str());
                let words = page.words();
                let link = format!("<p><a class=\"button\" href=\"{}\">{}</a></p>", escaped(next.as_str()), words.send);
                let parts = LaunchPageParts { script: storage::PUT, ..LaunchPageParts::default() };
                page.shown(StatusCode::OK, words.one_moment, &format!("{body}<noscript>{link}</noscript>"), parts).await
            }
            _ => HttpResponse::Found().insert_header((LOCATION, next.as_str())).finish(),
        };
        let cookie: HeaderValue = cookie.parse().map_err(Error::internal)?;
        answer.headers_mut().append(SET_COOKIE, cookie);
        Ok(answer)
    }

    /// The platform's sign-in, with all that it needs to send the browser back.
    fn authorization(
        &self,
        platform: &Platform,
        hints: &LoginHints,
        state: &str,
        nonce: &str,
    ) -> Result<Url, LaunchRefusal> {
        let mut url = Url::parse(&platform.endpoints.authorization).map_err(Error::internal)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Error::internal("the address of a platform's sign-in is none of the web").into());
        }
        url.query_pairs_mut()
            .append_pair("scope", "openid")
            .append_pair("response_type", "id_token")
            .append_pair("response_mode", "form_post")
            .append_pair("prompt", "none")
            .append_pair("client_id", &platform.client_id)
            .append_pair("redirect_uri", &self.launch_address())
            .append_pair("login_hint", &hints.login_hint)
            .append_pair("state", state)
            .append_pair("nonce", nonce);
        if let Some(hint) = &hints.lti_message_hint {
            url.query_pairs_mut().append_pair("lti_message_hint", hint);
        }
        Ok(url)
    }
}

/// Refuses a platform that may not launch.
pub(super) fn refuse_inactive(platform: &Platform) -> Result<(), LaunchRefusal> {
    match platform.state {
        PlatformState::Active => Ok(()),
        PlatformState::Pending => Err(LaunchRefusal::PendingPlatform),
        PlatformState::Blocked => Err(LaunchRefusal::BlockedPlatform),
    }
}

/// The link that begins the same login in a window of its own. A form would be refused there by the policy of its page,
/// since the platform sends the browser to addresses that nobody here knows.
pub(super) fn again(platform: &Platform, hints: &LoginHints) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query
        .append_pair("iss", &platform.issuer)
        .append_pair("client_id", &platform.client_id)
        .append_pair("login_hint", &hints.login_hint)
        .append_pair("target_link_uri", &hints.target_link_uri);
    for (name, value) in [("lti_message_hint", &hints.lti_message_hint), ("lti_deployment_id", &hints.deployment_id)] {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    format!("/lti/login?{}", query.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_names_what_it_lacks() {
        let parse = |text: &str| LoginRequest::parse(text.as_bytes());
        assert_eq!(parse("login_hint=a&target_link_uri=b"), Err(LaunchRefusal::Incomplete("iss")));
        assert_eq!(parse("iss=a&login_hint=&target_link_uri=b"), Err(LaunchRefusal::Incomplete("login_hint")));
        assert_eq!(parse("iss=a&login_hint=b"), Err(LaunchRefusal::Incomplete("target_link_uri")));
        let whole = parse("iss=https%3A%2F%2Flms&login_hint=1&target_link_uri=u&deployment_id=7&more=x").unwrap();
        assert_eq!((whole.issuer.as_str(), whole.hints.deployment_id.as_deref()), ("https://lms", Some("7")));
        assert_eq!((whole.client_id, whole.storage), (None, None));
    }
}
