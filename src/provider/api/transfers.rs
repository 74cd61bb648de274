//! Sends finished tests and edits to the external service.

use std::time::Duration;

use async_trait::async_trait;
use domain::transfer::TransferKind;

use super::client::Client;
use crate::database::Database;
use crate::error::Error;
use crate::outgoing::kind::Judgement;
use crate::outgoing::transfers::{Transfer, TransferService, store_within};
use crate::store::embargo::Embargo;
use crate::store::session_versions;

/// The calls by which the external service is given what it keeps.
pub struct TransferCalls {
    pub database: Database,
    pub client: Client,
}

#[async_trait]
impl TransferService for TransferCalls {
    fn timeout(&self) -> Duration {
        self.client.timeout()
    }

    async fn send(&self, kind: TransferKind, transfer: &Transfer) -> Result<Judgement, Error> {
        if kind == TransferKind::Edit {
            return Ok(self.client.post_edit_log(transfer.body.clone().unwrap_or_default()).await);
        }
        let version = transfer.version.unsigned_abs();
        match store_within(session_versions::find(&self.database, transfer.key, version)).await {
            Ok(Some(session)) => {
                let json = session.stored_json(Embargo::sight_of_keeper(&session))?;
                Ok(self.client.put_session(transfer.key, json).await)
            }
            Ok(None) => Ok(Judgement::Refused("the session is not here any more".to_owned())),
            // Waiting would not help, and it would hold up all others for ever.
            Err(Error::Internal(_)) => Ok(Judgement::Refused("the session cannot be read".to_owned())),
            Err(error) => Err(error),
        }
    }
}
