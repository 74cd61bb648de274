//! The events of finished tests as a kind of deliveries: their bodies, their signatures, and the meaning of receivers'
//! answers.

use std::sync::Arc;

use async_trait::async_trait;
use domain::session::{Session, SessionEvent};
use domain::sight::Reader;
use sea_orm::DbErr;

use super::signature::{SigningKey, headers};
use super::store;
use crate::clock::Clock;
use crate::config::Secret;
use crate::database::{Database, Transaction};
use crate::error::Error;
use crate::outgoing::client::{Header, Letter, PostError, ReceiverAnswer};
use crate::outgoing::kind::{Draft, Judgement, OutgoingKind};
use crate::outgoing::store::Delivery;
use crate::store::embargo::Embargo;
use crate::store::{session_versions, sessions};

/// A test has been finished.
pub const TEST_COMPLETED: &str = "test.completed";
/// The result of a finished test may be seen.
pub const RESULT_RELEASED: &str = "result.released";
/// A finished test has another result than was told before.
pub const RESULT_CHANGED: &str = "result.changed";
pub const MEDIA_TYPE: &str = "application/json";
/// The status by which a receiver asks for no more attempts of this event.
const GONE: u16 = 410;
/// The statuses by which a receiver says that it is asked too much.
const TOO_MANY: u16 = 429;
const UNAVAILABLE: u16 = 503;

/// What the events of finished tests are made of.
pub struct WebhookEvents {
    pub database: Database,
    pub clock: Clock,
    pub key: SigningKey,
    /// `WEBHOOK_SECRET`.
    pub secret: Option<Secret>,
    /// Whether finished tests must be sent to an external data provider, too.
    pub sends_sessions: bool,
    /// `PUBLIC_ANSWERS`, which decides whether a receiver is told keys.
    pub has_public_answers: bool,
    /// Decides whether a receiver is told the result.
    pub embargo: Arc<Embargo>,
}

#[async_trait]
impl OutgoingKind for WebhookEvents {
    fn events(&self) -> &'static [&'static str] {
        &[TEST_COMPLETED, RESULT_RELEASED, RESULT_CHANGED]
    }

    async fn find_awaited(&self) -> Result<Vec<String>, Error> {
        Ok(store::find_awaited_links(&self.database).await?)
    }

    async fn drafts(&self, due: &[&Delivery]) -> Result<Vec<Draft>, Error> {
        let early = store::find_too_early(&self.database, due).await?;
        let in_time = || due.iter().filter(|due| !early.contains(&due.id));
        let sessions = sessions::find_many(&self.database.read, in_time().map(|due| due.session_id)).await?;
        // Each event tells of its own version, also when another one has come since.
        let is_newest = |due: &&Delivery| match sessions.get(&due.session_id) {
            Some(Ok(session)) => i64::from(session.version.number) == i64::from(due.version),
            Some(Err(_)) | None => true,
        };
        let superseded = in_time().copied().filter(|due| !is_newest(due)).map(|due| (due.session_id, due.version));
        let earlier = session_versions::find_earlier(&self.database, &sessions, superseded).await?;
        let mut drafts = Vec::with_capacity(due.len());
        for due in due {
            let newest = sessions.get(&due.session_id).filter(|_| is_newest(due));
            drafts.push(match newest.or_else(|| earlier.get(&(due.session_id, due.version))) {
                _ if early.contains(&due.id) => Draft::TooEarly,
                Some(Ok(session)) => self.draft(due, session).await,
                Some(Err(error)) => {
                    tracing::error!(delivery = %due.id, %error, "a webhook delivery waits");
                    Draft::NotNow
                }
                None => Draft::Void("the session is gone".to_owned()),
            });
        }
        Ok(drafts)
    }

    async fn headers(&self, due: &Delivery, letter: &mut Letter) -> Result<Vec<Header>, PostError> {
        Ok(headers(&self.key, self.secret.as_ref(), &due.id.to_string(), self.clock.now(), &letter.body))
    }

    fn judge(&self, _: &Delivery, answer: &ReceiverAnswer) -> Judgement {
        judgement(answer)
    }

    async fn note_accepted(&self, transaction: &Transaction, accepted: &[&Delivery]) -> Result<(), DbErr> {
        store::set_sent(transaction, accepted, self.sends_sessions).await
    }
}

impl WebhookEvents {
    async fn draft(&self, due: &Delivery, session: &Session) -> Draft {
        match self.body(due, session).await {
            Ok(body) => Draft::Ready(Letter { url: due.url.clone(), media_type: MEDIA_TYPE, body }),
            Err(error) => {
                tracing::warn!(delivery = %due.id, %error, "a webhook delivery waits");
                Draft::NotNow
            }
        }
    }

    /// What the receiver is told. Whoever names a webhook gets what they could read themselves.
    async fn body(&self, due: &Delivery, session: &Session) -> Result<String, Error> {
        // A change is told by an event of its own only when the result may be seen.
        let is_of_release = due.event != TEST_COMPLETED;
        let reader = Reader::Receiver { has_public_answers: self.has_public_answers, is_of_release };
        let sight = self.embargo.sight(session, reader).await?;
        let event = match due.event.as_str() {
            RESULT_RELEASED => SessionEvent::Released,
            RESULT_CHANGED => SessionEvent::Changed,
            _ => SessionEvent::Completed,
        };
        Ok(session.event_json(event, sight)?)
    }
}

/// The status alone counts, so that a receiver needs no particular body.
pub fn judgement(answer: &ReceiverAnswer) -> Judgement {
    let (reason, retry_after) = (format!("the receiver answered {}", answer.status), answer.retry_after);
    match answer.status {
        200..=299 => Judgement::Accepted,
        GONE => Judgement::Refused(reason),
        TOO_MANY | UNAVAILABLE => Judgement::Busy { reason, retry_after },
        _ => Judgement::Again { reason, retry_after },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_receiver_is_judged_by_its_status() {
        let retry_after = Some(Duration::from_secs(7));
        let judged = |status| judgement(&ReceiverAnswer { status, retry_after, beginning: "no".to_owned() });
        let reason = |status: u16| format!("the receiver answered {status}");
        for status in [200, 204, 299] {
            assert_eq!(judged(status), Judgement::Accepted, "{status}");
        }
        for status in [301, 400, 404, 409, 500] {
            assert_eq!(judged(status), Judgement::Again { reason: reason(status), retry_after }, "{status}");
        }
        for status in [429, 503] {
            assert_eq!(judged(status), Judgement::Busy { reason: reason(status), retry_after }, "{status}");
        }
        assert_eq!(judged(410), Judgement::Refused(reason(410)));
    }
}
