//! A link in a course of a platform, and what of this server it leads to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::time::moment::Moment;

/// In place of the account of whoever tries a template in a platform's view of a student. It is nobody's, since an
/// e-mail address has an `@`, and a test with it counts nowhere.
pub const TEST_STUDENT: &str = "lti:test-student";

/// What a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", content = "id", rename_all = "lowercase")]
pub enum LinkTarget {
    /// A sitting, by its id.
    Sitting(Uuid),
    /// A template, by its id.
    Template(Uuid),
}

impl LinkTarget {
    /// `sitting` or `template`: also the name of the custom parameter that says what is wanted.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Sitting(_) => "sitting",
            Self::Template(_) => "template",
        }
    }

    /// The id of the sitting or the template.
    #[must_use]
    pub const fn id(self) -> Uuid {
        match self {
            Self::Sitting(id) | Self::Template(id) => id,
        }
    }

    /// The target of a kind and an id; `None` for any other kind.
    #[must_use]
    pub fn parse(kind: &str, id: Uuid) -> Option<Self> {
        match kind {
            "sitting" => Some(Self::Sitting(id)),
            "template" => Some(Self::Template(id)),
            _ => None,
        }
    }
}

/// A deployment and its platform: the staff of one see nothing of the courses of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeploymentKey {
    /// The platform.
    pub platform_id: Uuid,
    /// The platform's name of the deployment.
    pub deployment_id: String,
}

impl DeploymentKey {
    /// Whether it is this one: another platform may have the same name for one of its own.
    #[must_use]
    pub fn is(&self, platform_id: Uuid, deployment_id: &str) -> bool {
        self.platform_id == platform_id && self.deployment_id == deployment_id
    }
}

/// A link in a course of a platform that leads to a sitting or a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundLink {
    /// Our own id of it.
    pub id: Uuid,
    /// The platform.
    pub platform_id: Uuid,
    /// The deployment, by the platform's name of it.
    pub deployment_id: String,
    /// The platform's name of the link; unique in the deployment.
    pub resource_link_id: String,
    /// What the platform calls the link.
    pub title: Option<String>,
    /// The platform's name of the course.
    pub context_id: Option<String>,
    /// What the platform calls the course.
    pub context_title: Option<String>,
    /// What it leads to.
    pub target: LinkTarget,
    /// The column of the grade book that scores go to.
    pub line_item: Option<String>,
    /// The list of the course's columns.
    pub line_items: Option<String>,
    /// What may be done with columns, as scopes.
    pub scopes: Vec<String>,
    /// Where the members of the course are listed.
    pub memberships: Option<String>,
    /// When a score was taken last.
    pub last_score_at: Option<Moment>,
    /// When it was bound.
    pub created_at: Moment,
}

/// What a deployment was given by deep linking or by an admin: only this may its links lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkGrant {
    /// The platform.
    pub platform_id: Uuid,
    /// The deployment, by the platform's name of it.
    pub deployment_id: String,
    /// What it was given.
    pub target: LinkTarget,
    /// Who gave it: the e-mail of an admin, the platform's subject of the instructor who chose it, or `deep linking`
    /// where the platform does not say who that was.
    pub granted_by: String,
    /// When.
    pub granted_at: Moment,
}

/// A person of a platform, as its launches and lists name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformPerson {
    /// Our own id of them, which stays when their name changes.
    pub id: Uuid,
    /// The platform.
    pub platform_id: Uuid,
    /// The platform's `sub`.
    pub subject: String,
    /// Their name, as it was told last.
    pub name: Option<String>,
    /// Their e-mail in lower case, as it was told last. It proves nothing unless the platform is trusted for e-mails.
    pub email: Option<String>,
    /// When they were first seen.
    pub created_at: Moment,
}
