//! Where links to reports lead: to this server, or for tests that name a `baseUrl` of their own to one that is allowed.

use domain::session::report_url;
use uuid::Uuid;

use super::ServerConfig;
use super::addresses::origin;

impl ServerConfig {
    /// The link to a report on this server, whatever `baseUrl` its test was sent with.
    #[must_use]
    pub fn report_link(&self, session_id: Uuid) -> String {
        report_url(&self.auth_url, session_id)
    }

    /// Returns whether the report of a test outside sittings may be linked to there.
    #[must_use]
    pub fn may_link_to(&self, base_url: &str) -> bool {
        let is_named = |origin: String| self.base_urls.contains(&origin) || self.origins.first() == Some(&origin);
        self.base_urls.is_empty() || origin(base_url).is_some_and(is_named)
    }
}
