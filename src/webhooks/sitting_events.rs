//! The event of a sitting's end: its log has begun, and this is the first checkpoint of it. It is a kind of its own,
//! because it is about no finished test: the delivery has the id of the sitting in the place of a session's.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::time::moment::Moment;
use sea_orm::DbErr;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::events::{MEDIA_TYPE, judgement};
use super::signature::{SigningKey, headers};
use crate::clock::Clock;
use crate::config::Secret;
use crate::database::{Database, Transaction};
use crate::error::Error;
use crate::outgoing::client::{Header, Letter, PostError, ReceiverAnswer};
use crate::outgoing::kind::{Draft, Judgement, OutgoingKind};
use crate::outgoing::store::Delivery;
use crate::store::{sitting_logs, sittings};

/// A sitting has ended, and its log has begun.
pub const SITTING_ENDED: &str = "sitting.ended";

/// What the events of sittings are made of.
pub struct SittingEvents {
    pub database: Database,
    pub clock: Clock,
    pub key: SigningKey,
    /// `WEBHOOK_SECRET`.
    pub secret: Option<Secret>,
}

/// The body of the event.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SittingEndedEvent {
    /// `sitting.ended`.
    event: &'static str,
    sitting_id: Uuid,
    name: String,
    /// When the log of the sitting began.
    #[schema(value_type = String, format = DateTime)]
    ended_at: Moment,
    /// The first checkpoint of the log, a signed note of C2SP: how many receipts it has, and their root.
    checkpoint: String,
}

#[async_trait]
impl OutgoingKind for SittingEvents {
    fn events(&self) -> &'static [&'static str] {
        &[SITTING_ENDED]
    }

    async fn find_awaited(&self) -> Result<Vec<String>, Error> {
        // There is one event for each sitting, to the host that has had those of its tests.
        Ok(Vec::new())
    }

    async fn drafts(&self, due: &[&Delivery]) -> Result<Vec<Draft>, Error> {
        let ids: Vec<Uuid> = due.iter().map(|due| due.session_id).collect();
        let logs = sitting_logs::load_signed(&self.database, ids.clone()).await?;
        let mut logs: HashMap<Uuid, _> = logs.into_iter().map(|log| (log.sitting_id, log.signed)).collect();
        let sittings = sittings::load(&self.database, ids).await?;
        let names: HashMap<Uuid, String> = sittings.into_iter().map(|one| (one.id, one.plan.name)).collect();
        let mut draft = |due: &&Delivery| -> Result<Draft, Error> {
            let Some(signed) = logs.remove(&due.session_id).flatten() else {
                return Ok(Draft::Void("the log is gone".to_owned()));
            };
            let body = serde_json::to_string(&SittingEndedEvent {
                event: SITTING_ENDED,
                sitting_id: due.session_id,
                name: names.get(&due.session_id).cloned().unwrap_or_default(),
                ended_at: signed.begun_at,
                checkpoint: signed.first_checkpoint,
            })?;
            Ok(Draft::Ready(Letter { url: due.url.clone(), media_type: MEDIA_TYPE, body }))
        };
        due.iter().map(&mut draft).collect()
    }

    async fn headers(&self, due: &Delivery, letter: &mut Letter) -> Result<Vec<Header>, PostError> {
        Ok(headers(&self.key, self.secret.as_ref(), &due.id.to_string(), self.clock.now(), &letter.body))
    }

    fn judge(&self, _: &Delivery, answer: &ReceiverAnswer) -> Judgement {
        judgement(answer)
    }

    async fn note_accepted(&self, _: &Transaction, _: &[&Delivery]) -> Result<(), DbErr> {
        Ok(())
    }
}
