//! Learning platforms in the form for admins.

use domain::grade::Grade;
use domain::lti::platform::{Deployment, Endpoints, Platform, PlatformState, RegistrationFacts, ScoreForm};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// `{ platforms }`.
#[derive(Serialize, ToSchema)]
pub struct PlatformList {
    pub platforms: Vec<PlatformView>,
}

/// `{ platform }`.
#[derive(Serialize, ToSchema)]
pub struct OnePlatform {
    pub platform: PlatformView,
}

/// A learning platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlatformView {
    id: Uuid,
    name: String,
    /// Who issues its tokens.
    issuer: String,
    /// By which it knows this server.
    client_id: String,
    endpoints: Endpoints,
    state: PlatformState,
    deployments: Vec<Deployment>,
    /// The grades that its instructors get.
    grades: Vec<Grade>,
    /// Origins that may frame the pages in which exams are chosen, beside the platform's own.
    frame_origins: Vec<String>,
    /// The audience of requests for tokens; null for the address of the tokens.
    #[schema(required)]
    token_audience: Option<String>,
    score_form: ScoreForm,
    /// Whether a learner is joined to a roster's row by the e-mail that the platform tells.
    trusts_emails: bool,
    /// What it said when it registered itself; absent of one that was connected by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    registration: Option<RegistrationFacts>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Whether its instructors only choose exams here, and see none with the rights of their platform.
    staff_only_choose: bool,
}

impl From<Platform> for PlatformView {
    fn from(platform: Platform) -> Self {
        Self {
            id: platform.id,
            name: platform.name,
            issuer: platform.issuer,
            client_id: platform.client_id,
            endpoints: platform.endpoints,
            state: platform.state,
            deployments: platform.deployments,
            grades: platform.grades,
            frame_origins: platform.frame_origins,
            token_audience: platform.token_audience,
            score_form: platform.score_form,
            trusts_emails: platform.trusts_emails,
            registration: platform.registration,
            created_at: platform.created_at,
            updated_at: platform.updated_at,
            staff_only_choose: platform.staff_only_choose,
        }
    }
}
