//! Access tokens for the services of platforms: asked for with an assertion that this server signs, and kept until they
//! are nearly over.

use std::sync::Arc;
use std::time::Duration;

use domain::lti::platform::Platform;
use domain::time::moment::Moment;
use moka::future::Cache;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use url::form_urlencoded::Serializer;
use uuid::Uuid;

use super::keys::OwnKeys;
use crate::clock::Clock;
use crate::outgoing::client::{Inquiry, OutgoingClient, PostError};

/// Tokens that are kept: of two hundred platforms with three sets of scopes each, and more.
const TOKENS_MAX: u64 = 1_000;
/// Bytes of an answer with a token that are read.
const TOKEN_BYTES_MAX: usize = 32 * 1_024;
/// How long an assertion is good. Platforms take none that is good for longer than a few minutes.
const ASSERTION_SECONDS: i64 = 60;
/// How long a token is good if the platform does not say.
const TOKEN_SECONDS: i64 = 3_600;
/// No token is kept for longer, whatever its platform says.
const KEPT_SECONDS_MAX: i64 = 24 * 3_600;
/// A token is not used in its last seconds, since a request may be slow.
const SPARED_SECONDS: i64 = 60;
/// Characters of a platform's own words.
const WORDS_MAX: usize = 200;
const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// A platform as it was registered or changed last, and what its token is for.
type TokenName = (Uuid, Moment, String);

/// A token that a platform has given.
#[derive(Debug)]
struct GivenToken {
    bearer: String,
    until: Moment,
}

/// A platform's answer with a token. The scopes may be fewer than were asked for; then the service says so.
#[derive(Deserialize)]
struct TokenAnswer {
    access_token: String,
    /// A number, but for some platforms that write it as a text.
    expires_in: Option<Value>,
}

/// What a platform says when it gives none.
#[derive(Default, Deserialize)]
struct TokenRefusal {
    error: Option<String>,
    error_description: Option<String>,
}

/// Gets and keeps access tokens.
pub struct AccessTokens {
    keys: Arc<OwnKeys>,
    clock: Clock,
    known: Cache<TokenName, Arc<GivenToken>>,
}

impl AccessTokens {
    #[must_use]
    pub fn new(keys: Arc<OwnKeys>, clock: Clock) -> Self {
        let longest = Duration::from_secs(KEPT_SECONDS_MAX.unsigned_abs());
        let known = Cache::builder().max_capacity(TOKENS_MAX).time_to_live(longest).build();
        Self { keys, clock, known }
    }

    /// A token for these scopes. Callers who ask at the same time share one request; a failure is not kept.
    pub async fn bearer(
        &self,
        client: &OutgoingClient,
        platform: &Platform,
        scopes: &[&str],
    ) -> Result<String, PostError> {
        let name = name(platform, scopes);
        if self.known.get(&name).await.is_some_and(|known| known.until <= self.clock.now()) {
            self.known.invalidate(&name).await;
        }
        let scopes = name.2.clone();
        // In a box, since whoever has a token to wait for would carry all that a request takes.
        let fetched = Box::pin(self.known.try_get_with(name, self.fetch(client, platform, &scopes))).await;
        fetched.map(|token| token.bearer.clone()).map_err(|error: Arc<PostError>| again(&error))
    }

    /// Forgets a token that the platform no longer takes.
    pub async fn forget(&self, platform: &Platform, scopes: &[&str]) {
        self.known.invalidate(&name(platform, scopes)).await;
    }

    async fn fetch(
        &self,
        client: &OutgoingClient,
        platform: &Platform,
        scopes: &str,
    ) -> Result<Arc<GivenToken>, PostError> {
        let now = self.clock.now();
        let assertion = self.assertion(platform, now).await?;
        let inquiry = Inquiry {
            method: Method::POST,
            url: &platform.endpoints.token,
            headers: vec![
                ("content-type", "application/x-www-form-urlencoded".to_owned()),
                ("accept", "application/json".to_owned()),
            ],
            body: Some(form(&assertion, scopes)),
            bytes_max: TOKEN_BYTES_MAX,
        };
        let answer = client.ask(inquiry, now).await?;
        if !matches!(answer.status, 200 | 201) {
            return Err(PostError::Unsent(refusal(answer.status, &answer.body)));
        }
        let given: TokenAnswer = serde_json::from_slice(&answer.body)
            .map_err(|_| PostError::Unsent("the platform's answer has no access token".to_owned()))?;
        let bearer = given.access_token;
        // It becomes a header, and an answer may be anything.
        if bearer.is_empty() || !bearer.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(PostError::Unsent("the platform's access token cannot be sent".to_owned()));
        }
        let seconds = good_seconds(given.expires_in.as_ref());
        Ok(Arc::new(GivenToken { bearer, until: now.plus((seconds - SPARED_SECONDS) * 1_000) }))
    }

    /// What this server says of itself, signed.
    async fn assertion(&self, platform: &Platform, now: Moment) -> Result<String, PostError> {
        let seconds = now.milliseconds() / 1_000;
        let claims = json!({
            "iss": platform.client_id,
            "sub": platform.client_id,
            "aud": platform.audience_of_tokens(),
            "iat": seconds,
            "exp": seconds + ASSERTION_SECONDS,
            "jti": Uuid::new_v4(),
        });
        self.keys.sign(&claims).await.map_err(|error| {
            tracing::error!(?error, "a request for an access token cannot be signed");
            PostError::Unsent("the request for an access token cannot be signed".to_owned())
        })
    }
}

/// The form by which a token is asked for. Its serializer may not wait for anything: it cannot change threads.
fn form(assertion: &str, scopes: &str) -> String {
    Serializer::new(String::new())
        .append_pair("grant_type", "client_credentials")
        .append_pair("client_assertion_type", ASSERTION_TYPE)
        .append_pair("client_assertion", assertion)
        .append_pair("scope", scopes)
        .finish()
}

fn name(platform: &Platform, scopes: &[&str]) -> TokenName {
    (platform.id, platform.updated_at, scopes.join(" "))
}

/// How long a token is good, in whole seconds.
fn good_seconds(told: Option<&Value>) -> i64 {
    let seconds = told.and_then(|told| told.as_i64().or_else(|| told.as_str()?.trim().parse().ok()));
    seconds.filter(|seconds| *seconds > 0).map_or(TOKEN_SECONDS, |seconds| seconds.min(KEPT_SECONDS_MAX))
}

/// One failure for each of those who waited for it.
fn again(error: &PostError) -> PostError {
    match error {
        PostError::Refused(refusal) => PostError::Refused(*refusal),
        PostError::Failed(reason) => PostError::Unsent(format!("no access token: {reason}")),
        PostError::Unsent(reason) => PostError::Unsent(reason.clone()),
        PostError::Hopeless(reason) => PostError::Hopeless(reason.clone()),
    }
}

/// Why there is no token, in the words that OAuth has for it.
fn refusal(status: u16, body: &[u8]) -> String {
    let told: TokenRefusal = serde_json::from_slice(body).unwrap_or_default();
    let words = [told.error, told.error_description].into_iter().flatten().map(|words| shown(&words));
    let words = words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(", ");
    let words = if words.is_empty() { String::new() } else { format!(": {words}") };
    format!("the platform gives no access token ({status}){words}")
}

fn shown(words: &str) -> String {
    words.chars().filter(|character| !character.is_control()).take(WORDS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_good_for_as_long_as_the_platform_says() {
        for (told, seconds) in [
            (json!(300), 300),
            (json!("300"), 300),
            (json!(0), 3_600),
            (json!(-5), 3_600),
            (json!(null), 3_600),
            (json!("soon"), 3_600),
            (json!(9_000_000_000_i64), 86_400),
        ] {
            assert_eq!(good_seconds(Some(&told)), seconds, "{told:?}");
        }
        assert_eq!(good_seconds(None), 3_600);
    }

    #[test]
    fn a_refusal_is_told_in_the_platforms_words() {
        let told = refusal(400, br#"{"error":"invalid_client","error_description":"no\nkey"}"#);
        assert_eq!(told, "the platform gives no access token (400): invalid_client, nokey");
        assert_eq!(refusal(502, b"<html>"), "the platform gives no access token (502)");
    }
}
