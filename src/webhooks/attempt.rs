//! Attempts at deliveries, for many at once: they are claimed and read together, each event is posted by itself, and
//! how the attempts ended is recorded together.

use std::sync::Arc;
use std::time::Instant;

use domain::retry;
use domain::session::{Session, SessionEvent};
use domain::time::moment::Moment;
use entities::delivery;
use rand::RngExt;
use sea_orm::DbErr;

use super::signature::SigningKey;
use super::store::{self, Attempted, EndedAttempt};
use crate::batch::{BatchOutcome, BatchStore, Remedy};
use crate::clock::Clock;
use crate::config::Secret;
use crate::database::Database;
use crate::database::failure::DatabaseFailure;
use crate::error::Error;
use crate::outgoing::client::{Post, PostError, ReceiverAnswer, WebhookClient};
use crate::outgoing::hosts::HostAnswer;
use crate::store::embargo::Embargo;
use crate::store::sessions;

/// How long a released result waits when the end of its test has not been delivered yet.
const WAIT_FOR_EARLIER_MILLISECONDS: i64 = 5_000;
/// The status by which a receiver asks for no more attempts of this event.
const GONE: u16 = 410;
/// The statuses by which a receiver says that it is asked too much.
const TOO_MANY: u16 = 429;
const UNAVAILABLE: u16 = 503;

/// Carries `WEBHOOK_SECRET`.
pub const SECRET_HEADER: &str = "X-Webhook-Secret";

/// What attempts need, and share.
pub struct AttemptContext {
    pub database: Database,
    pub clock: Clock,
    pub client: WebhookClient,
    pub key: SigningKey,
    pub secret: Option<Secret>,
    /// Whether finished tests must be sent to an external data provider, too.
    pub sends_sessions: bool,
    /// `PUBLIC_ANSWERS`, which decides whether a receiver is told keys.
    pub has_public_answers: bool,
    /// Decides whether a receiver is told the result.
    pub embargo: Arc<Embargo>,
}

/// A delivery that was claimed for one attempt.
pub enum ClaimedDelivery {
    /// An event that is to be posted.
    Ready(delivery::Model, Post),
    /// There is nothing to post any more.
    Ended(EndedAttempt),
}

impl ClaimedDelivery {
    const fn due(&self) -> &delivery::Model {
        match self {
            Self::Ready(due, _) => due,
            Self::Ended(ended) => &ended.due,
        }
    }
}

impl AttemptContext {
    /// Makes the events of deliveries and claims them. Those that another server has claimed, that must wait, or whose
    /// event can't be made now are left out: only what is claimed counts as an attempt.
    pub async fn prepare(&self, due: &[delivery::Model]) -> Result<Vec<ClaimedDelivery>, Error> {
        let early = store::find_too_early(&self.database, due).await?;
        // In one order on all servers, so that none waits for another that waits for it.
        let mut due: Vec<&delivery::Model> = due.iter().collect();
        due.sort_unstable_by_key(|due| due.id);
        let (early, due): (Vec<_>, Vec<_>) = due.into_iter().partition(|due| early.contains(&due.id));
        let now = self.clock.now();
        store::postpone(&self.database, &early, now.plus(WAIT_FOR_EARLIER_MILLISECONDS)).await?;
        let sessions = sessions::find_many(&self.database, due.iter().map(|due| due.session_id)).await?;
        let mut prepared = Vec::with_capacity(due.len());
        for due in due {
            let session = match sessions.get(&due.session_id) {
                Some(Ok(session)) => session,
                Some(Err(error)) => {
                    tracing::error!(delivery = %due.id, %error, "a webhook delivery waits");
                    continue;
                }
                None => {
                    let error = Some("the session is gone".to_owned());
                    let attempted = Attempted { status: None, error, next_attempt_at: None };
                    prepared.push(ClaimedDelivery::Ended(EndedAttempt { due: due.clone(), attempted }));
                    continue;
                }
            };
            match self.payload(due, session).await {
                Ok(payload) => prepared.push(ClaimedDelivery::Ready(due.clone(), self.post(due, payload))),
                Err(error) => tracing::warn!(delivery = %due.id, %error, "a webhook delivery waits"),
            }
        }
        let wanted: Vec<&delivery::Model> = prepared.iter().map(ClaimedDelivery::due).collect();
        let claimed = store::claim(&self.database, &wanted, now).await?;
        prepared.retain(|one| claimed.contains(&one.due().id));
        Ok(prepared)
    }

    /// Posts the event once. Also returns what the receiver did, where only its own time counts.
    pub async fn attempt(&self, due: delivery::Model, post: Post) -> (EndedAttempt, Option<HostAnswer>) {
        let began = Instant::now();
        let answer = self.client.post(&due.url, post, self.clock.now()).await;
        let of_host = match &answer {
            Ok(ReceiverAnswer { status: TOO_MANY | UNAVAILABLE, .. }) => Some(HostAnswer::Busy(began.elapsed())),
            Ok(_) => Some(HostAnswer::After(began.elapsed())),
            Err(PostError::Failed(_)) => Some(HostAnswer::Never),
            Err(PostError::Refused(_) | PostError::Unsent(_)) => None,
        };
        let attempted = self.judge(&due, answer);
        (EndedAttempt { due, attempted }, of_host)
    }

    /// What the receiver is told. Whoever names a webhook gets what they could read themselves.
    async fn payload(&self, due: &delivery::Model, session: &Session) -> Result<String, Error> {
        let mut sight = session.webhook_sight(self.has_public_answers);
        sight.keys &= !self.embargo.tells_withheld(session).await?;
        if due.event == store::RESULT_RELEASED {
            return Ok(session.event_json(SessionEvent::Released, sight)?);
        }
        sight.result = !self.embargo.is_held(session).await?;
        Ok(session.completed_json(sight)?)
    }

    /// The hosts of links, by which attempts are limited.
    pub fn hosts_of(&self, links: &[String]) -> Vec<String> {
        let mut hosts: Vec<String> = links.iter().filter_map(|link| self.client.host(link)).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    fn post(&self, due: &delivery::Model, body: String) -> Post {
        signed(&self.key, self.secret.as_ref(), &due.id.to_string(), self.clock.now(), body)
    }

    fn judge(&self, due: &delivery::Model, answer: Result<ReceiverAnswer, PostError>) -> Attempted {
        let (status, retry_after, error, is_final) = match answer {
            Ok(ReceiverAnswer { status: 200..=299, .. }) => {
                return Attempted {
                    status: answer.ok().map(|answer| answer.status),
                    error: None,
                    next_attempt_at: None,
                };
            }
            Ok(answer) => (
                Some(answer.status),
                answer.retry_after,
                format!("the receiver answered {}", answer.status),
                answer.status == GONE,
            ),
            Err(PostError::Refused(refusal)) => (None, None, refusal.to_string(), true),
            Err(PostError::Failed(reason) | PostError::Unsent(reason)) => (None, None, reason.replace('\0', ""), false),
        };
        let attempts = u32::try_from(due.attempts + 1).unwrap_or(u32::MAX);
        let wait = if is_final { None } else { retry::wait_after(attempts, rand::rng().random(), retry_after) };
        let next_attempt_at =
            wait.map(|wait| self.clock.now().plus(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)));
        Attempted { status, error: Some(error), next_attempt_at }
    }
}

/// Records how attempts ended. What the database refuses stands alone in the end, and is repeated when its claim
/// expires.
impl BatchStore for AttemptContext {
    type Item = EndedAttempt;
    type Found = ();
    type Error = DbErr;

    async fn store(&self, ended: &[EndedAttempt]) -> Result<(), DbErr> {
        store::finish(&self.database, ended, self.clock.now(), self.sends_sessions).await
    }

    fn remedy(&self, _: &[EndedAttempt], error: &DbErr) -> Remedy<EndedAttempt> {
        match DatabaseFailure::of(error) {
            DatabaseFailure::Unavailable => Remedy::GiveUp,
            DatabaseFailure::Values | DatabaseFailure::Unknown => Remedy::Halve,
        }
    }

    fn answer(&self, ended: Vec<EndedAttempt>, outcome: BatchOutcome<(), DbErr>) {
        if let BatchOutcome::Refused(error) | BatchOutcome::GivenUp(error) = outcome {
            tracing::warn!(%error, attempts = ended.len(), "how webhook attempts ended cannot be recorded");
        }
    }
}

/// An event with its signature, and with `WEBHOOK_SECRET` if there is one. No other event has this `id`.
pub fn signed(key: &SigningKey, secret: Option<&Secret>, id: &str, now: Moment, body: String) -> Post {
    let timestamp = now.milliseconds() / 1_000;
    let mut headers = vec![
        ("webhook-signature", key.sign(id, timestamp, &body)),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-id", id.to_owned()),
    ];
    if let Some(secret) = secret {
        headers.push((SECRET_HEADER, String::from_utf8_lossy(secret.reveal()).into_owned()));
    }
    Post { body, headers }
}
