//! What people of learning platforms do that admins look up later: exams that are given to a platform, links that are
//! confirmed or led elsewhere, and sign-ins. Their pages are no routes of admins and managers, whose use is recorded by
//! itself, so each of these stores its own entry.

use domain::lti::link::{LinkTarget, PlatformPerson};
use domain::lti::platform::Platform;
use domain::time::moment::Moment;

use super::deep_linking::NOBODY_NAMED;
use crate::auth::platform_account;
use crate::http::audit::kept;
use crate::store::audit::NewAuditEntry;

/// The entry of what somebody of a platform has done to this sitting or template.
pub(super) fn entry(
    action: &'static str,
    target: LinkTarget,
    (platform, deployment_id): (&Platform, &str),
    person: Option<&PlatformPerson>,
    now: Moment,
) -> NewAuditEntry {
    let account = |person: &PlatformPerson| platform_account::staff_name_of(person.id, deployment_id);
    let actor = person.map_or_else(|| NOBODY_NAMED.to_owned(), account);
    let name = person.map(|person| person.name.as_deref().unwrap_or(&person.subject));
    let facts = [target.kind(), platform.name.as_str(), deployment_id].into_iter().chain(name);
    let detail = kept(&facts.collect::<Vec<_>>().join(", "));
    NewAuditEntry { at: now, actor, action, subject: target.id().to_string(), detail }
}
