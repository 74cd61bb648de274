//! Dynamic registration: what a platform says of itself, what this server asks of it, and what the platform answers.

use serde_json::{Value, json};
use thiserror::Error;
use url::Url;

use super::addresses::have_same_host;
use super::claims::{ADDRESS_CHARACTERS_MAX, ID_CHARACTERS_MAX, LISTED_MAX, shown};
use super::platform::{Endpoints, RegistrationFacts};
use super::{DEEP_LINKING_REQUEST, SCOPES, SUBMISSION_REVIEW_REQUEST, content_item};

const PLATFORM_CONFIGURATION: &str = "https://purl.imsglobal.org/spec/lti-platform-configuration";
const TOOL_CONFIGURATION: &str = "https://purl.imsglobal.org/spec/lti-tool-configuration";
const PRIVACY_LEVEL: &str = "https://canvas.instructure.com/lti/privacy_level";
/// What this server is called in platforms.
const CLIENT_NAME: &str = "Exam Hall";

/// Why a platform cannot be registered. Each message is one sentence for its admin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RegistrationFault {
    /// It is no object of JSON.
    #[error("the platform's configuration is not JSON")]
    NoConfiguration,
    /// The address of the configuration is none, or not of https.
    #[error("the address of the platform's configuration must be a whole address that begins with https")]
    NotHttps,
    /// The issuer is absent, or lies on another host than the configuration.
    #[error("the platform's issuer must be an address on the host of its configuration")]
    Issuer,
    /// One of the four addresses is absent or unusable.
    #[error("the platform's configuration lacks a usable {0}")]
    Endpoint(&'static str),
    /// The part that makes it a platform of LTI is absent.
    #[error("the platform's configuration says nothing of LTI")]
    NoPlatform,
    /// The answer to our registration has no client id.
    #[error("the platform's answer has no client_id")]
    NoClientId,
}

/// What a platform says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformConfiguration {
    /// Who issues its tokens.
    pub issuer: String,
    /// Where it answers.
    pub endpoints: Endpoints,
    /// Where this server is registered.
    pub registration: String,
    /// Its product, such as `moodle`.
    pub product: Option<String>,
    /// The version of the product.
    pub version: Option<String>,
    /// Whether it says that it can lead from its grade book to somebody's work. Those that don't may refuse whoever
    /// asks for it.
    pub shows_work: bool,
}

impl PlatformConfiguration {
    /// Reads the document at `address`. Endpoints may lie on other hosts than the issuer, as Canvas' do.
    ///
    /// # Errors
    /// The first that is wrong with it. Plain http is refused but for addresses of which `allows_http` says otherwise.
    pub fn parse(address: &str, json: &[u8], allows_http: impl Fn(&str) -> bool) -> Result<Self, RegistrationFault> {
        let is_usable = |address: &str| is_usable(address, allows_http(address));
        if !is_usable(address) {
            return Err(RegistrationFault::NotHttps);
        }
        let document: Value = serde_json::from_slice(json).map_err(|_| RegistrationFault::NoConfiguration)?;
        let document = document.as_object().ok_or(RegistrationFault::NoConfiguration)?;
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        let issuer = text("issuer").filter(|issuer| is_usable(issuer) && have_same_host(issuer, address));
        let endpoint = |name: &'static str| {
            let usable = text(name).filter(|address| is_usable(address));
            usable.map(str::to_owned).ok_or(RegistrationFault::Endpoint(name))
        };
        let issuer = issuer.filter(|issuer| is_id(issuer)).ok_or(RegistrationFault::Issuer)?.to_owned();
        let endpoints = Endpoints {
            authorization: endpoint("authorization_endpoint")?,
            token: endpoint("token_endpoint")?,
            jwks: endpoint("jwks_uri")?,
        };
        let registration = endpoint("registration_endpoint")?;
        let platform = document.get(PLATFORM_CONFIGURATION).and_then(Value::as_object);
        let platform = platform.ok_or(RegistrationFault::NoPlatform)?;
        let told = |name: &str| platform.get(name).and_then(Value::as_str).and_then(shown);
        let messages = platform.get("messages_supported").and_then(Value::as_array).into_iter().flatten();
        let mut types = messages.take(LISTED_MAX).filter_map(|message| message.get("type")?.as_str());
        let shows_work = types.any(|one| one == SUBMISSION_REVIEW_REQUEST);
        let (product, version) = (told("product_family_code"), told("version"));
        Ok(Self { issuer, endpoints, registration, product, version, shows_work })
    }
}

/// Whether an address of a platform can be used: https, or http where that is allowed, without a password or a part
/// behind `#`, and not too long.
#[must_use]
pub fn is_usable(address: &str, allows_http: bool) -> bool {
    let is_short = address.chars().count() <= ADDRESS_CHARACTERS_MAX && !address.chars().any(char::is_control);
    let url = Url::parse(address).ok().filter(|_| is_short);
    url.is_some_and(|url| {
        let has_scheme = url.scheme() == "https" || (allows_http && url.scheme() == "http");
        let is_bare = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        has_scheme && is_bare && url.has_host()
    })
}

/// What this server asks a platform to register, and whether that is to lead to somebody's work too. `base_url` is its
/// public address without a slash at the end.
#[must_use]
pub fn tool_registration(base_url: &str, shows_work: bool) -> Value {
    let launch_url = format!("{base_url}/lti/launch");
    let mut messages = vec![
        json!({ "type": "LtiResourceLinkRequest", "target_link_uri": launch_url }),
        json!({
            "type": DEEP_LINKING_REQUEST,
            "target_link_uri": launch_url,
            "label": CLIENT_NAME,
            "placements": ["assignment_selection", "link_selection"],
        }),
    ];
    messages.extend(shows_work.then(|| json!({ "type": SUBMISSION_REVIEW_REQUEST, "target_link_uri": launch_url })));
    let domain = Url::parse(base_url).ok().and_then(|url| {
        let host = url.host_str()?;
        Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")))
    });
    json!({
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": format!("{base_url}/lti/login"),
        "redirect_uris": [launch_url],
        "client_name": CLIENT_NAME,
        "jwks_uri": format!("{base_url}/lti/jwks"),
        "logo_uri": format!("{base_url}/icon.svg"),
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": SCOPES.join(" "),
        TOOL_CONFIGURATION: {
            "domain": domain,
            "description": "Exams that are saved as they are written, and graded by the server",
            "target_link_uri": launch_url,
            "claims": ["iss", "sub", "name", "given_name", "family_name", "email"],
            "custom_parameters": {
                content_item::DUE: content_item::DUE_VARIABLE,
                content_item::HISTORY: content_item::HISTORY_VARIABLE,
            },
            "messages": messages,
            PRIVACY_LEVEL: "public",
        },
    })
}

/// What a platform answers to our registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistrationAnswer {
    /// By which it knows this server.
    pub client_id: String,
    /// The deployment that it has made at once, as Moodle does.
    pub deployment_id: Option<String>,
    /// The scopes that it has granted: perhaps fewer than were asked for.
    pub scopes: Vec<String>,
}

impl RegistrationAnswer {
    /// Reads the answer.
    ///
    /// # Errors
    /// That it names no client id.
    pub fn parse(json: &[u8]) -> Result<Self, RegistrationFault> {
        let answer: Value = serde_json::from_slice(json).map_err(|_| RegistrationFault::NoClientId)?;
        let client_id = answer.get("client_id").and_then(id).ok_or(RegistrationFault::NoClientId)?;
        let deployment_id = answer.get(TOOL_CONFIGURATION).and_then(|tool| id(tool.get("deployment_id")?));
        let scopes = match answer.get("scope").and_then(Value::as_str) {
            Some(scopes) => scopes.split_ascii_whitespace().take(LISTED_MAX).map(str::to_owned).collect(),
            // RFC 7591: without a word of it, they are those that were asked for.
            None => SCOPES.map(str::to_owned).to_vec(),
        };
        Ok(Self { client_id, deployment_id, scopes })
    }

    /// What is kept of it.
    #[must_use]
    pub fn facts(&self, configuration: &PlatformConfiguration) -> RegistrationFacts {
        RegistrationFacts {
            product: configuration.product.clone(),
            version: configuration.version.clone(),
            scopes: self.scopes.clone(),
        }
    }
}

/// An id, which some platforms send as a number.
fn id(value: &Value) -> Option<String> {
    let id = match value {
        Value::String(id) => id.clone(),
        Value::Number(id) => id.to_string(),
        _ => return None,
    };
    is_id(&id).then_some(id)
}

/// Whether a text can be an issuer, a client id or the id of a deployment.
#[must_use]
pub fn is_id(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control) && text.chars().count() <= ID_CHARACTERS_MAX
}

#[cfg(test)]
mod tests;
