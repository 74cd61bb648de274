//! Attempts at deliveries, for many at once: they are claimed and made together, each is sent by itself, and how the
//! attempts ended is recorded together.

use std::sync::Arc;
use std::time::Instant;

use domain::retry;
use rand::RngExt;
use sea_orm::DbErr;

use super::client::{Letter, OutgoingClient, PostError};
use super::hosts::HostAnswer;
use super::kind::{Draft, Judgement, OutgoingKind};
use super::store::{self, Attempted, Delivery, EndedAttempt};
use crate::batch::{BatchOutcome, BatchStore, Remedy};
use crate::clock::Clock;
use crate::database::Database;
use crate::database::failure::DatabaseFailure;
use crate::error::Error;

/// How long a delivery waits when another one must arrive before it.
const WAIT_FOR_EARLIER_MILLISECONDS: i64 = 5_000;

/// How long a delivery waits whose receiver may be sent nothing. The receiver may be let in again at any time, but not
/// without that being noted on its deliveries.
const WAIT_SHUT_OUT_MILLISECONDS: i64 = 10 * 60 * 1_000;

/// What attempts need, and share.
pub struct AttemptContext {
    pub database: Database,
    pub clock: Clock,
    pub client: OutgoingClient,
    pub kinds: Vec<Arc<dyn OutgoingKind>>,
}

/// A delivery that was claimed for one attempt.
pub enum ClaimedDelivery {
    /// Something is to be sent.
    Ready(ReadyDelivery),
    /// There is nothing to send any more.
    Ended(EndedAttempt),
}

/// A delivery with what is to be sent.
pub struct ReadyDelivery {
    pub due: Delivery,
    letter: Letter,
    kind: Arc<dyn OutgoingKind>,
}

impl ClaimedDelivery {
    const fn due(&self) -> &Delivery {
        match self {
            Self::Ready(ready) => &ready.due,
            Self::Ended(ended) => &ended.due,
        }
    }
}

impl AttemptContext {
    /// Makes what is to be sent, and claims the deliveries. Those that another server has claimed, that must wait, or
    /// that can't be made now are left out: only what is claimed counts as an attempt.
    pub async fn prepare(&self, due: &[Delivery]) -> Result<Vec<ClaimedDelivery>, Error> {
        let (mut prepared, mut early, mut shut_out) = (Vec::with_capacity(due.len()), Vec::new(), Vec::new());
        for kind in &self.kinds {
            let of_kind: Vec<&Delivery> = due.iter().filter(|due| is_of(&**kind, due)).collect();
            if of_kind.is_empty() {
                continue;
            }
            let drafts = match kind.drafts(&of_kind).await {
                Ok(drafts) => drafts,
                Err(error) => {
                    // Deliveries of other kinds must not wait for this one.
                    tracing::warn!(%error, events = ?kind.events(), "deliveries wait");
                    early.extend(of_kind);
                    continue;
                }
            };
            for (due, draft) in of_kind.iter().zip(drafts) {
                match draft {
                    Draft::Ready(letter) => {
                        let ready = ReadyDelivery { due: (*due).clone(), letter, kind: Arc::clone(kind) };
                        prepared.push(ClaimedDelivery::Ready(ready));
                    }
                    Draft::Void(reason) => {
                        let attempted = Attempted { status: None, error: Some(reason), next_attempt_at: None };
                        prepared.push(ClaimedDelivery::Ended(EndedAttempt { due: (*due).clone(), attempted }));
                    }
                    Draft::TooEarly => early.push(*due),
                    Draft::ShutOut => shut_out.push(*due),
                    Draft::NotNow => {}
                }
            }
        }
        // A newer server may know them.
        early.extend(due.iter().filter(|due| !self.kinds.iter().any(|kind| is_of(&**kind, due))));
        // In one order on all servers, so that none waits for another that waits for it.
        early.sort_unstable_by_key(|due| due.id);
        shut_out.sort_unstable_by_key(|due| due.id);
        prepared.sort_unstable_by_key(|one| one.due().id);
        let now = self.clock.now();
        store::postpone(&self.database, &early, now.plus(WAIT_FOR_EARLIER_MILLISECONDS)).await?;
        store::postpone(&self.database, &shut_out, now.plus(WAIT_SHUT_OUT_MILLISECONDS)).await?;
        let wanted: Vec<&Delivery> = prepared.iter().map(ClaimedDelivery::due).collect();
        let claimed = store::claim(&self.database, &wanted, now).await?;
        prepared.retain(|one| claimed.contains(&one.due().id));
        Ok(prepared)
    }

    /// Sends once. Also returns what the receiver did, where only its own time counts.
    pub async fn attempt(&self, ready: ReadyDelivery) -> (EndedAttempt, Option<HostAnswer>) {
        let ReadyDelivery { due, mut letter, kind } = ready;
        let began = Instant::now();
        let answer = match kind.headers(&due, &mut letter).await {
            Ok(headers) => self.client.post(letter, headers, self.clock.now()).await,
            Err(error) => Err(error),
        };
        let took = began.elapsed();
        let (attempted, of_host) = match answer {
            Ok(answer) => {
                let judgement = kind.judge(&due, &answer);
                let is_busy = matches!(judgement, Judgement::Busy { .. });
                let of_host = if is_busy { HostAnswer::Busy(took) } else { HostAnswer::After(took) };
                (self.attempted(&due, Some(answer.status), judgement), Some(of_host))
            }
            Err(error) => {
                let of_host = matches!(error, PostError::Failed(_)).then_some(HostAnswer::Never);
                (self.attempted(&due, None, kind.excuse(&due, error)), of_host)
            }
        };
        (EndedAttempt { due, attempted }, of_host)
    }

    /// The hosts to which deliveries will be made soon.
    pub async fn awaited_hosts(&self) -> Result<Vec<String>, Error> {
        let mut hosts = Vec::new();
        for kind in &self.kinds {
            hosts.extend(kind.find_awaited().await?.iter().filter_map(|link| self.client.host(link)));
        }
        hosts.sort_unstable();
        hosts.dedup();
        Ok(hosts)
    }

    fn attempted(&self, due: &Delivery, status: Option<u16>, judgement: Judgement) -> Attempted {
        let attempts = u32::try_from(due.attempts + 1).unwrap_or(u32::MAX);
        let (reason, wait) = match judgement {
            Judgement::Accepted => return Attempted { status, error: None, next_attempt_at: None },
            Judgement::Again { reason, retry_after } | Judgement::Busy { reason, retry_after } => {
                (reason, retry::wait_after(attempts, rand::rng().random(), retry_after))
            }
            Judgement::Refused(reason) => (reason, None),
        };
        let next_attempt_at =
            wait.map(|wait| self.clock.now().plus(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)));
        // Postgres stores no text with a NUL, and a receiver may send one.
        Attempted { status, error: Some(reason.replace('\0', "")), next_attempt_at }
    }

    async fn record(&self, ended: &[EndedAttempt]) -> Result<(), DbErr> {
        let transaction = self.database.begin().await?;
        store::finish(&transaction, ended, self.clock.now()).await?;
        for kind in &self.kinds {
            let accepted: Vec<&Delivery> = ended
                .iter()
                .filter(|one| one.attempted.is_delivered() && is_of(&**kind, &one.due))
                .map(|one| &one.due)
                .collect();
            if !accepted.is_empty() {
                kind.note_accepted(&transaction, &accepted).await?;
            }
        }
        transaction.commit().await
    }
}

/// Records how attempts ended. What the database refuses stands alone in the end, and is repeated when its claim
/// expires.
impl BatchStore for AttemptContext {
    type Item = EndedAttempt;
    type Found = ();
    type Error = DbErr;

    async fn store(&self, ended: &[EndedAttempt]) -> Result<(), DbErr> {
        self.record(ended).await
    }

    fn remedy(&self, _: &[EndedAttempt], error: &DbErr) -> Remedy<EndedAttempt> {
        match DatabaseFailure::of(error) {
            DatabaseFailure::Unavailable => Remedy::GiveUp,
            DatabaseFailure::Values | DatabaseFailure::Unknown => Remedy::Halve,
        }
    }

    fn answer(&self, ended: Vec<EndedAttempt>, outcome: BatchOutcome<(), DbErr>) {
        if let BatchOutcome::Refused(error) | BatchOutcome::GivenUp(error) = outcome {
            tracing::warn!(%error, attempts = ended.len(), "how deliveries were attempted cannot be recorded");
        }
    }
}

fn is_of(kind: &dyn OutgoingKind, due: &Delivery) -> bool {
    kind.events().contains(&due.event.as_str())
}
