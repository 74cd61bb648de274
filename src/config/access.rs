//! Options of access: roles, and how people sign in.

use url::Url;

use super::Secret;

#[derive(Clone, Debug)]
pub struct AccessConfig {
    /// The server's secret; `None` if the server is to create one beside the database.
    pub secret: Option<Secret>,
    /// Whether a live start without a template requires a sign-in.
    pub gate_starts: bool,
    /// Whether everyone gets questions with their keys, or only staff.
    pub public_answers: bool,
    /// Who may hand in the results of tests that were not sat live.
    pub client_results: ClientResults,
    /// Who becomes admin at sign-in, in lower case; `None`: the first person who signs in, once.
    pub admin_email: Option<String>,
    pub sign_in: SignIn,
}

/// From whom `POST /api/sessions` takes results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientResults {
    /// From anyone.
    Open,
    /// From people who are signed in, and from API tokens.
    SignedIn,
    /// From API tokens.
    Token,
    /// From nobody.
    Off,
}

#[derive(Clone, Debug)]
pub enum SignIn {
    /// Through an OpenID Connect provider.
    Provider(ProviderConfig),
    /// As anyone, but only from this machine: for development.
    Local,
    /// Not at all; API tokens are the only way in.
    Off,
}

#[derive(Clone, Debug)]
pub struct ProviderConfig {
    pub issuer: Url,
    /// The name under which the provider knows this server.
    pub client_id: String,
    pub client_secret: Secret,
}
