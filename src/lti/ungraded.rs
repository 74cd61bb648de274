//! Who of a sitting cannot be given a score by a link, and why: for those who wonder why a grade book has gaps.

use domain::lti::SCOPE_SCORE;
use domain::lti::link::{BoundLink, LinkTarget};
use domain::lti::platform::Platform;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::database::Database;
use crate::error::Error;
use crate::store::lti_ledger;

/// People of one link who are listed: as many as somebody reads.
const UNGRADED_MAX: u64 = 200;

/// Why somebody cannot be given a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum UngradedReason {
    /// They entered by another way, and no platform has named them.
    Unknown,
    /// The link has no column, and no list of columns in which one could be made.
    Column,
    /// The platform does not allow scores by this link.
    Scope,
    /// The platform is not active.
    Blocked,
}

/// Somebody who cannot be given a score.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UngradedCandidate {
    pub candidate_id: Uuid,
    pub name: String,
    pub reason: UngradedReason,
}

/// Those of a link's sitting who have entered and get no score: nobody has said who they are in the platform, or nothing
/// can be sent by the link. 200 at most.
pub async fn load_ungraded(
    database: &Database,
    platform: &Platform,
    link: &BoundLink,
) -> Result<Vec<UngradedCandidate>, Error> {
    let LinkTarget::Sitting(sitting_id) = link.target else { return Ok(Vec::new()) };
    let of_link = of_link(platform, link);
    // Where nothing can be sent, those who came by the link miss their score, and else those who came by none.
    let by_link = of_link.map(|_| link.id);
    let found = lti_ledger::find_entered(database, sitting_id, by_link, UNGRADED_MAX).await?;
    let reason = of_link.unwrap_or(UngradedReason::Unknown);
    let ungraded = |(candidate_id, name)| UngradedCandidate { candidate_id, name, reason };
    Ok(found.into_iter().map(ungraded).collect())
}

/// Why nothing can be sent by a link, if that is so.
fn of_link(platform: &Platform, link: &BoundLink) -> Option<UngradedReason> {
    if !platform.is_active() {
        Some(UngradedReason::Blocked)
    } else if link.line_item.is_none() && link.line_items.is_none() {
        Some(UngradedReason::Column)
    } else if !link.scopes.iter().any(|scope| scope == SCOPE_SCORE) {
        Some(UngradedReason::Scope)
    } else {
        None
    }
}
