//! The client of the identity provider (OpenID Connect, code flow with PKCE): where to send a browser, and who came
//! back.
//!
//! It is separate from `src/auth/sign_in.rs` so that nothing else in the server needs the types of `openidconnect`.

use std::time::Duration;

use domain::access::{Profile, is_picture, new_email};
use domain::text;
use moka::future::Cache;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreErrorResponseType, CoreIdTokenClaims,
    CoreProviderMetadata, CoreUserInfoClaims,
};
use openidconnect::{
    AccessTokenHash, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken,
    EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce, OAuth2TokenResponse,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, TokenResponse,
};
use reqwest::Client;
use thiserror::Error;
use tokio::sync::Semaphore;
use url::Url;

use crate::config::ProviderConfig;
use crate::tls;

/// Time for one call to the provider.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Time for all calls of one sign-in, with the wait for a turn: the person looks at an empty page meanwhile.
const REDEEMED_WITHIN: Duration = Duration::from_secs(20);
/// Bytes of one answer of the provider; its documents are a few kilobytes.
const ANSWER_BYTES_MAX: usize = 1_024 * 1_024;
/// Sign-ins that call the provider at the same time; more wait, since a whole school may sign in within a minute.
const EXCHANGES_AT_ONCE: usize = 64;
/// How long the provider's metadata is cached. Its keys are fetched again earlier, as soon as a token names an unknown
/// one.
const METADATA_KEPT: Duration = Duration::from_secs(60 * 60);
/// The path to which the provider sends the browser back.
pub const CALLBACK: &str = "/auth/callback";

type CoreErrorResponse = openidconnect::StandardErrorResponse<CoreErrorResponseType>;
type Metadata = CoreProviderMetadata;
type ReadyClient =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// Why a sign-in failed. The messages go to the log, so they name no person and no secret.
#[derive(Debug, Error)]
pub enum SignInFailure {
    /// The provider can't be reached, or its answer can't be read.
    #[error("the identity provider failed: {0}")]
    Failed(String),
    #[error("the identity provider did not answer in time")]
    Slow,
    /// The provider refuses the code.
    #[error("the identity provider refuses the code: {0}")]
    Refused(String),
    /// A token or a claim fails its check.
    #[error("the identity provider's token is not valid: {0}")]
    NotBelieved(String),
    /// The provider has not verified the person's e-mail address, or gives none.
    #[error("the e-mail address is not verified")]
    NotVerified,
    /// The e-mail address is verified, but is none that may be stored for a new person.
    #[error("the e-mail address is not valid, or has invisible characters")]
    BadAddress,
}

/// The provider, with a cache of its metadata.
pub struct IdentityProvider {
    config: ProviderConfig,
    redirect: RedirectUrl,
    http: Client,
    metadata: Cache<(), Metadata>,
    exchanges: Semaphore,
}

impl IdentityProvider {
    /// Calls nothing yet, so the server also starts while the provider is down.
    pub fn new(config: &ProviderConfig, auth_url: &str) -> Result<Self, SignInFailure> {
        let http = tls::client().map_err(failed)?.redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT).build();
        Ok(Self {
            redirect: RedirectUrl::new(format!("{auth_url}{CALLBACK}")).map_err(failed)?,
            http: http.map_err(failed)?,
            config: config.clone(),
            metadata: Cache::builder().max_capacity(1).time_to_live(METADATA_KEPT).build(),
            exchanges: Semaphore::new(EXCHANGES_AT_ONCE),
        })
    }

    /// Fetches the provider's metadata, for `examhall check`.
    pub async fn check(&self) -> Result<(), SignInFailure> {
        self.discovered().await.map(|_| ())
    }

    /// The address to which the browser is sent. The provider returns `state` and `nonce`, and keeps the hash of
    /// `verifier`.
    pub async fn authorization_url(&self, state: String, nonce: &str, verifier: &str) -> Result<Url, SignInFailure> {
        let client = self.client(self.discovered().await?);
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(verifier.to_owned()));
        let nonce = Nonce::new(nonce.to_owned());
        let request = client.authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            move || CsrfToken::new(state),
            move || nonce,
        );
        let request = request.add_scope(Scope::new("email".to_owned())).add_scope(Scope::new("profile".to_owned()));
        Ok(request.set_pkce_challenge(challenge).url().0)
    }

    /// Exchanges the code for a token, checks it, and reads the profile of the person who signed in.
    pub async fn redeem(&self, code: String, nonce: &str, verifier: String) -> Result<Profile, SignInFailure> {
        let redeeming = async {
            let _turn = self.exchanges.acquire().await.map_err(failed)?;
            self.exchange(code, nonce, verifier).await
        };
        tokio::time::timeout(REDEEMED_WITHIN, redeeming).await.map_err(|_| SignInFailure::Slow)?
    }

    async fn exchange(&self, code: String, nonce: &str, verifier: String) -> Result<Profile, SignInFailure> {
        let mut client = self.client(self.discovered().await?);
        let http = |request| self.call(request);
        let request = client
            .exchange_code(AuthorizationCode::new(code))
            .map_err(failed)?
            .set_pkce_verifier(PkceCodeVerifier::new(verifier));
        let response = request.request_async(&http).await.map_err(refused)?;
        let token = response.id_token().ok_or_else(|| SignInFailure::NotBelieved("there is none".to_owned()))?;
        let nonce = Nonce::new(nonce.to_owned());
        let checked = token.claims(&client.id_token_verifier(), &nonce).map(drop);
        if let Err(ClaimsVerificationError::SignatureVerification(_)) = checked {
            // The provider may have rotated its keys since they were fetched, so they are fetched once more.
            self.metadata.invalidate(&()).await;
            client = self.client(self.discovered().await?);
        }
        let verifier = client.id_token_verifier();
        let claims = token.claims(&verifier, &nonce).map_err(not_believed)?;
        if let Some(expected) = claims.access_token_hash() {
            let algorithm = token.signing_alg().map_err(not_believed)?;
            let key = token.signing_key(&verifier).map_err(not_believed)?;
            if AccessTokenHash::from_token(response.access_token(), algorithm, key).map_err(not_believed)? != *expected
            {
                return Err(SignInFailure::NotBelieved("the access token is another one".to_owned()));
            }
        }
        if claims.email().is_some() && claims.email_verified().is_some() {
            return profile_of_token(claims);
        }
        // Many providers put the claims of scopes only into the answer of this endpoint, and not into the token.
        let subject = Some(claims.subject().clone());
        let request =
            client.user_info(response.access_token().clone(), subject).map_err(|_| SignInFailure::NotVerified)?;
        let info: CoreUserInfoClaims = request.request_async(&http).await.map_err(|error| match error {
            openidconnect::UserInfoError::Request(CallFailure::Slow) => SignInFailure::Slow,
            openidconnect::UserInfoError::Request(failure) => failed(failure),
            error => not_believed(error),
        })?;
        profile_of_user_info(&info)
    }

    /// The provider's metadata. Callers who need it at the same time share one request, and its failure too; a failure
    /// is not cached.
    async fn discovered(&self) -> Result<Metadata, SignInFailure> {
        let discovering = async {
            // The issuer is compared letter by letter. A bare host is written without the slash that `Url` adds.
            let text = self.config.issuer.as_str();
            let text = if self.config.issuer.path() == "/" { text.trim_end_matches('/') } else { text };
            let issuer = IssuerUrl::new(text.to_owned()).map_err(failed)?;
            let http = |request| self.call(request);
            Metadata::discover_async(issuer, &http).await.map_err(|error| match error {
                openidconnect::DiscoveryError::Request(CallFailure::Slow) => SignInFailure::Slow,
                error => failed(error),
            })
        };
        self.metadata.try_get_with((), discovering).await.map_err(|failure| match &*failure {
            SignInFailure::Slow => SignInFailure::Slow,
            other => SignInFailure::Failed(other.to_string()),
        })
    }

    fn client(&self, metadata: Metadata) -> ReadyClient {
        let methods = metadata.token_endpoint_auth_methods_supported().cloned().unwrap_or_default();
        let takes_basic = methods.is_empty() || methods.contains(&CoreClientAuthMethod::ClientSecretBasic);
        let secret = String::from_utf8_lossy(self.config.client_secret.reveal()).into_owned();
        CoreClient::from_provider_metadata(
            metadata,
            ClientId::new(self.config.client_id.clone()),
            Some(ClientSecret::new(secret)),
        )
        .set_redirect_uri(self.redirect.clone())
        .set_auth_type(if takes_basic { AuthType::BasicAuth } else { AuthType::RequestBody })
    }

    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, CallFailure> {
        let mut response = self.http.execute(request.try_into()?).await?;
        let mut answer = HttpResponse::new(Vec::new());
        *answer.status_mut() = response.status();
        *answer.headers_mut() = std::mem::take(response.headers_mut());
        while let Some(chunk) = response.chunk().await? {
            if answer.body().len() + chunk.len() > ANSWER_BYTES_MAX {
                return Err(CallFailure::TooLarge);
            }
            answer.body_mut().extend_from_slice(&chunk);
        }
        Ok(answer)
    }
}

/// Why one call to the provider got no answer.
#[derive(Debug, Error)]
enum CallFailure {
    #[error("it did not answer in time")]
    Slow,
    #[error("it cannot be reached")]
    Unreachable,
    #[error("its answer is too large")]
    TooLarge,
}

impl From<reqwest::Error> for CallFailure {
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() { Self::Slow } else { Self::Unreachable }
    }
}

fn failed(error: impl std::error::Error) -> SignInFailure {
    SignInFailure::Failed(error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}")))
}

fn not_believed(error: impl std::error::Error) -> SignInFailure {
    SignInFailure::NotBelieved(error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {source}")))
}

/// Only a code that is no longer valid is the person's fault. Any other refusal, such as an unknown client, is a fault
/// of the configuration.
fn refused(error: openidconnect::RequestTokenError<CallFailure, CoreErrorResponse>) -> SignInFailure {
    match error {
        openidconnect::RequestTokenError::ServerResponse(response)
            if *response.error() == CoreErrorResponseType::InvalidGrant =>
        {
            SignInFailure::Refused(response.error().to_string())
        }
        openidconnect::RequestTokenError::ServerResponse(response) => {
            SignInFailure::Failed(response.error().to_string())
        }
        openidconnect::RequestTokenError::Request(CallFailure::Slow) => SignInFailure::Slow,
        openidconnect::RequestTokenError::Parse(..) => {
            SignInFailure::Failed("the answer to the code cannot be read".to_owned())
        }
        error => failed(error),
    }
}

fn profile_of_token(claims: &CoreIdTokenClaims) -> Result<Profile, SignInFailure> {
    let name = claims.name().and_then(|name| name.get(None)).map(|name| name.as_str());
    let image = claims.picture().and_then(|picture| picture.get(None)).map(|picture| picture.as_str());
    profile(claims.email().map(|email| email.as_str()), claims.email_verified(), name, image)
}

fn profile_of_user_info(claims: &CoreUserInfoClaims) -> Result<Profile, SignInFailure> {
    let name = claims.name().and_then(|name| name.get(None)).map(|name| name.as_str());
    let image = claims.picture().and_then(|picture| picture.get(None)).map(|picture| picture.as_str());
    profile(claims.email().map(|email| email.as_str()), claims.email_verified(), name, image)
}

fn profile(
    email: Option<&str>,
    is_verified: Option<bool>,
    name: Option<&str>,
    image: Option<&str>,
) -> Result<Profile, SignInFailure> {
    let email = email.filter(|_| is_verified == Some(true)).ok_or(SignInFailure::NotVerified)?;
    let email = new_email(email).ok_or(SignInFailure::BadAddress)?;
    Ok(Profile { email, name: shown_name(name.unwrap_or_default()), image: shown_image(image.unwrap_or_default()) })
}

/// A name that is fit to be shown: without control characters and the like, and cut at the limit of names.
#[must_use]
pub fn shown_name(name: &str) -> String {
    let shown: String =
        name.chars().filter(|character| !text::is_refused(*character)).take(text::NAME_CHARACTERS_MAX).collect();
    shown.trim().to_owned()
}

/// The picture, or an empty text when it is none.
fn shown_image(text: &str) -> String {
    if is_picture(text) { text.to_owned() } else { String::new() }
}
