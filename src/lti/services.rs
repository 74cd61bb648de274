//! The services of platforms, as this server calls them: with an access token, through the guard of all that leaves the
//! server, and with the exact media types that platforms compare.

use std::sync::Arc;

use domain::lti::platform::Platform;
use domain::lti::registration::is_usable;
use domain::webhook_target::TargetPolicy;
use reqwest::Method;

use super::keys::OwnKeys;
use super::tokens::AccessTokens;
use crate::base::Base;
use crate::clock::Clock;
use crate::outgoing::client::{Header, Inquiry, OutgoingClient, PostError, WholeAnswer};

/// The status by which a service says that a token is not good.
const UNAUTHORIZED: u16 = 401;
/// Why nothing is sent to an address.
const NO_HTTPS: &str = "the platform has named an address without https";

/// Calls the services of platforms.
pub struct PlatformServices {
    targets: TargetPolicy,
    client: OutgoingClient,
    clock: Clock,
    tokens: AccessTokens,
}

/// What is asked of a service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceCall<'a> {
    pub url: &'a str,
    /// What the token must be for.
    pub scopes: &'a [&'a str],
    /// The media type that the answer is to have.
    pub accept: &'a str,
    /// The media type and the text of what is posted; `None` for a GET.
    pub posted: Option<(&'a str, &'a str)>,
    /// The longest answer that is read.
    pub bytes_max: usize,
}

impl PlatformServices {
    #[must_use]
    pub fn open(base: &Base, keys: Arc<OwnKeys>) -> Self {
        let targets = base.config.webhooks.targets.clone();
        let client = OutgoingClient::new(targets.clone());
        Self { targets, client, clock: base.clock.clone(), tokens: AccessTokens::new(keys, base.clock.clone()) }
    }

    /// Refuses to send a token where others could read it. Launches name addresses of services, and not all platforms
    /// know by which scheme they are reached.
    pub fn refuse_plain(&self, url: &str) -> Result<(), PostError> {
        if is_safe(&self.targets, url) { Ok(()) } else { Err(PostError::Hopeless(NO_HTTPS.to_owned())) }
    }

    /// The header with a token for these scopes.
    pub async fn authorization(&self, platform: &Platform, scopes: &[&str]) -> Result<Header, PostError> {
        let bearer = self.tokens.bearer(&self.client, platform, scopes).await?;
        Ok(("authorization", format!("Bearer {bearer}")))
    }

    /// Has the next call ask for a new token, since the platform does not take the one that there is.
    pub async fn forget_token(&self, platform: &Platform, scopes: &[&str]) {
        self.tokens.forget(platform, scopes).await;
    }

    /// Calls a service. A token that it does not take any more is asked for again, once.
    pub async fn call(&self, platform: &Platform, call: ServiceCall<'_>) -> Result<WholeAnswer, PostError> {
        let answer = self.call_once(platform, call).await?;
        if answer.status != UNAUTHORIZED {
            return Ok(answer);
        }
        self.forget_token(platform, call.scopes).await;
        self.call_once(platform, call).await
    }

    async fn call_once(&self, platform: &Platform, call: ServiceCall<'_>) -> Result<WholeAnswer, PostError> {
        self.refuse_plain(call.url)?;
        let mut headers = vec![self.authorization(platform, call.scopes).await?, ("accept", call.accept.to_owned())];
        let method = if call.posted.is_some() { Method::POST } else { Method::GET };
        headers.extend(call.posted.map(|(media_type, _)| ("content-type", media_type.to_owned())));
        let body = call.posted.map(|(_, text)| text.to_owned());
        let inquiry = Inquiry { method, url: call.url, headers, body, bytes_max: call.bytes_max };
        self.client.ask(inquiry, self.clock.now()).await
    }
}

/// Whether others read nothing of what is sent there: by https, or in the school's own network, as the operator says.
fn is_safe(targets: &TargetPolicy, url: &str) -> bool {
    is_usable(url, targets.lists_place(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_nowhere_in_plain_text() {
        let targets = TargetPolicy::parse("lms.internal", "").unwrap();
        assert!(is_safe(&targets, "https://lms.example/columns?course=7"));
        assert!(is_safe(&targets, "http://lms.internal/columns"));
        for url in ["http://lms.example/columns", "ftp://lms.internal/columns", "columns"] {
            assert!(!is_safe(&targets, url), "{url}");
        }
    }
}
