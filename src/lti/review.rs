//! Submission review: from the grade book of a platform to the report of one person's test, for staff, and for the
//! person themselves.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::lti::claims::ResourceLink;
use domain::lti::link::{BoundLink, LinkTarget};
use domain::lti::roles::LaunchRole;
use domain::text::direction::isolated;
use uuid::Uuid;

use super::Launches;
use super::launch::BelievedLaunch;
use super::page::LaunchPageParts;
use super::refusal::LaunchRefusal;
use crate::store::{candidates, lti};

impl Launches {
    /// Leads to the report of whoever the platform names. Reports say themselves what may be seen of them, and when.
    pub(super) async fn review(
        &self,
        launch: &BelievedLaunch<'_>,
        link: Option<&ResourceLink>,
        for_user: &str,
    ) -> Result<HttpResponse, LaunchRefusal> {
        let (reading, platform_id) = (&self.database.read, launch.platform.id);
        let is_own = launch.launch.subject.as_deref() == Some(for_user);
        if launch.launch.role != LaunchRole::Staff && !is_own {
            return Err(LaunchRefusal::NoRole);
        }
        let link = link.ok_or(LaunchRefusal::NothingHandedIn)?;
        let bound = lti::find_link(reading, platform_id, &launch.launch.deployment_id, &link.id).await?;
        let bound = bound.ok_or(LaunchRefusal::NothingHandedIn)?;
        let person = lti::person_of(reading, platform_id, for_user).await?.ok_or(LaunchRefusal::NothingHandedIn)?;
        let session_id = self.test_of(&bound, person.id).await?.ok_or(LaunchRefusal::NothingHandedIn)?;
        let (path, name) = (format!("/report/{session_id}"), self.name_of(bound.target).await?);
        if launch.launch.role == LaunchRole::Staff {
            return self.show_staff(launch, bound.target, path, &name).await;
        }
        let words = launch.page.words();
        let body = format!(
            "<p>{}</p><p><a class=\"button main\" href=\"{path}\" target=\"_blank\" rel=\"noopener\">{}</a></p>",
            words.handed_in, words.see_result,
        );
        Ok(launch.page.shown(StatusCode::OK, &isolated(&name), &body, LaunchPageParts::default()).await)
    }

    /// The test of a person to which a link has led them.
    async fn test_of(&self, link: &BoundLink, person_id: Uuid) -> Result<Option<Uuid>, LaunchRefusal> {
        let reading = &self.database.read;
        let LinkTarget::Sitting(sitting_id) = link.target else {
            return Ok(lti::newest_test_of_link(reading, link.id, person_id).await?);
        };
        let Some(candidate_id) = lti::candidate_of_person(reading, sitting_id, person_id).await? else {
            return Ok(None);
        };
        let candidate = candidates::find(reading, sitting_id, candidate_id).await?;
        Ok(candidate.and_then(|candidate| candidate.session_id))
    }
}
