//! Finished tests in an external service. They are read there, or from this server's database while the service does
//! not have them or is down.

use std::time::Duration;

use async_trait::async_trait;
use domain::resources::{RowPosition, SessionEntry, SessionFilter, SessionSummary};
use domain::session::Session;
use domain::sight::SchoolSight;
use tokio::time::timeout;
use uuid::Uuid;

use super::ExternalProvider;
use super::call::Lane;
use super::failure::ProviderFailure;
use crate::error::Error;
use crate::outgoing::transfers;
use crate::provider::{self, NO_SUCH_CALL};
use crate::store::sessions;

/// How long a reader waits for the service when this server has the test too.
const READ_WITHIN: Duration = Duration::from_millis(1_200);

#[async_trait]
impl provider::Sessions for ExternalProvider {
    async fn session(&self, session_id: Uuid) -> Result<Option<Session>, Error> {
        let kept = sessions::find(&self.database, session_id).await?;
        let Some(kept) = kept else { return self.session_there(session_id).await };
        if self.client.is_tripped(Lane::Reports) || !transfers::is_sent(&self.database, session_id).await? {
            return Ok(Some(kept));
        }
        // A student can read the report even while the service is down, or when it has lost the test.
        match timeout(READ_WITHIN, self.session_there(session_id)).await {
            Ok(Ok(Some(found))) => Ok(Some(completed(found, kept))),
            Ok(Ok(None)) => Ok(Some(kept)),
            Ok(Err(_)) | Err(_) => {
                self.client.trip(Lane::Reports);
                Ok(Some(kept))
            }
        }
    }

    async fn summaries_after(
        &self,
        _: SchoolSight,
        _: Option<RowPosition>,
        _: u64,
    ) -> Result<Vec<SessionSummary>, Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }

    async fn entries_after(
        &self,
        _: SchoolSight,
        _: &SessionFilter,
        _: Option<RowPosition>,
        _: u64,
    ) -> Result<Vec<SessionEntry>, Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }

    async fn session_page(
        &self,
        _: SchoolSight,
        _: &SessionFilter,
        _: u64,
        _: u64,
    ) -> Result<(Vec<SessionEntry>, u64), Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }
}

impl ExternalProvider {
    async fn session_there(&self, session_id: Uuid) -> Result<Option<Session>, Error> {
        let Some(json) = self.client.session(session_id).await? else { return Ok(None) };
        Ok(Some(Session::from_stored_json_of(session_id, &json).ok_or(ProviderFailure::Unreadable)?))
    }
}

/// Adds what only this server knows. Where the test comes from, whose it is, what it was graded by and which of its
/// results this is are facts that the service can have only from here, and it may have left them out.
fn completed(found: Session, kept: Session) -> Session {
    let has_same_answers = found.has_answers_of(&kept);
    // A service that does not know what versions are has the newest all the same, since it was sent last.
    let version = if found.version.number > kept.version.number { found.version } else { kept.version };
    Session {
        origin: kept.origin,
        account: kept.account,
        template_id: kept.template_id,
        form: kept.form.or(found.form),
        mark_scale: kept.mark_scale,
        graded_by: kept.graded_by,
        verified: found.verified || (has_same_answers && kept.verified),
        drawings: found.drawings.or(kept.drawings.filter(|_| has_same_answers)),
        version,
        ..found
    }
}
