//! A learning platform as it is registered here: who it is, where it answers, and what an admin allows it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::grade::Grade;
use crate::time::moment::Moment;

/// Whether launches of a platform are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlatformState {
    /// It has registered itself, and waits for an admin.
    Pending,
    /// It may launch.
    Active,
    /// An admin has shut it out.
    Blocked,
}

impl PlatformState {
    /// `pending`, `active` or `blocked`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Blocked => "blocked",
        }
    }

    /// Parses a state's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pending, Self::Active, Self::Blocked].into_iter().find(|state| state.name() == name)
    }
}

/// Whether launches of a deployment are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeploymentState {
    /// A launch has named it, and it waits for an admin.
    Pending,
    /// It may launch.
    Active,
}

impl DeploymentState {
    /// `pending` or `active`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
        }
    }

    /// Parses a state's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pending, Self::Active].into_iter().find(|state| state.name() == name)
    }
}

/// What of a result is sent as the score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScoreForm {
    /// The points earned of those that there are.
    Points,
    /// The score without its lowest 200, of 600: from 0 to 100 percent.
    #[default]
    Percent,
}

impl ScoreForm {
    /// `points` or `percent`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Percent => "percent",
        }
    }

    /// Parses a form's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Points, Self::Percent].into_iter().find(|form| form.name() == name)
    }
}

/// The three addresses of a platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Endpoints {
    /// Where a browser is sent to sign in.
    #[schema(example = "https://lms.school.example/mod/lti/auth.php")]
    pub authorization: String,
    /// Where access tokens are asked for.
    #[schema(example = "https://lms.school.example/mod/lti/token.php")]
    pub token: String,
    /// Where the platform's public keys are.
    #[schema(example = "https://lms.school.example/mod/lti/certs.php")]
    pub jwks: String,
}

/// A place of a platform in which the tool is installed, such as a school or a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Deployment {
    /// The platform's own name of it.
    #[schema(example = "1")]
    pub id: String,
    /// Whether its launches are taken.
    pub state: DeploymentState,
}

/// What a platform said of itself when it registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationFacts {
    /// Its product, such as `moodle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub product: Option<String>,
    /// The version of the product.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version: Option<String>,
    /// The scopes that it has granted.
    pub scopes: Vec<String>,
}

/// A learning platform: an issuer, and the client id that it has given this server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Our own id of it.
    pub id: Uuid,
    /// The name that admins see.
    pub name: String,
    /// Who issues its tokens; unique together with the client id.
    pub issuer: String,
    /// By which the platform knows this server.
    pub client_id: String,
    /// Where it answers.
    pub endpoints: Endpoints,
    /// Whether its launches are taken.
    pub state: PlatformState,
    /// Its deployments, in the order of their ids.
    pub deployments: Vec<Deployment>,
    /// The grades that its instructors get.
    pub grades: Vec<Grade>,
    /// The origins that may frame this server's pages, such as `https://lms.school.example`.
    pub frame_origins: Vec<String>,
    /// The audience of our requests for tokens, if it is not the address of the tokens.
    pub token_audience: Option<String>,
    /// What is sent as the score.
    pub score_form: ScoreForm,
    /// Whether a learner is joined to a roster's row by the e-mail that the platform tells.
    pub trusts_emails: bool,
    /// What it said when it registered; `None` of one that an admin has entered.
    pub registration: Option<RegistrationFacts>,
    /// When it was registered or entered.
    pub created_at: Moment,
    /// When it was changed last.
    pub updated_at: Moment,
    /// Whether its instructors only choose exams here, and see none with the rights of their platform.
    pub staff_only_choose: bool,
}

impl Platform {
    /// Whether its launches are taken.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.state == PlatformState::Active
    }

    /// The state of a deployment; `None` of one that no launch and no admin has named.
    #[must_use]
    pub fn deployment_state(&self, id: &str) -> Option<DeploymentState> {
        self.deployments.iter().find(|deployment| deployment.id == id).map(|deployment| deployment.state)
    }

    /// The audience of our requests for access tokens.
    #[must_use]
    pub fn audience_of_tokens(&self) -> &str {
        self.token_audience.as_deref().unwrap_or(&self.endpoints.token)
    }
}
