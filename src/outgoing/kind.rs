//! The differences between kinds of deliveries: the body, the headers, and the meaning of an answer. Everything else is
//! common to all kinds, and a new kind changes none of it.

use std::time::Duration;

use async_trait::async_trait;
use sea_orm::DbErr;

use super::client::{Header, Letter, PostError, ReceiverAnswer};
use super::store::Delivery;
use crate::database::Transaction;
use crate::error::Error;

/// What is made of a delivery that is due, before it is claimed.
#[derive(Debug, PartialEq, Eq)]
pub enum Draft {
    /// This is to be sent.
    Ready(Letter),
    /// Another delivery must arrive before this one, so it waits for a few seconds without an attempt.
    TooEarly,
    /// Nothing may be sent to its receiver for now, so it waits for minutes without an attempt. Whoever lets the
    /// receiver in again makes it due.
    ShutOut,
    /// There is nothing to send any more, for this reason.
    Void(String),
    /// It can't be made now. The kind has logged why, and is asked again.
    NotNow,
}

/// What an answer means, or that there was none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The receiver has it.
    Accepted,
    /// It failed, and may be accepted later.
    Again {
        reason: String,
        /// How long the receiver wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// The same, and the receiver is asked too much, so that its host gets fewer at once.
    Busy { reason: String, retry_after: Option<Duration> },
    /// The receiver refuses it for this reason, and another attempt would not change that.
    Refused(String),
}

/// A kind of deliveries.
#[async_trait]
pub trait OutgoingKind: Send + Sync {
    /// The values of `event` in the outbox by which deliveries of this kind are known. No other kind has them.
    fn events(&self) -> &'static [&'static str];

    /// The links to which deliveries will be made soon. Their hosts are expected to answer, and places are kept for
    /// them.
    async fn find_awaited(&self) -> Result<Vec<String>, Error>;

    /// Makes what these are to send: the target, the body and its media type, for each in their order. They come many
    /// at once, so that they can be read together, and others wait for them, so that nobody but the database may be
    /// asked. An attempt that is repeated asks again.
    async fn drafts(&self, due: &[&Delivery]) -> Result<Vec<Draft>, Error>;

    /// Makes the headers of one attempt, beside `Content-Type` and `User-Agent`. The attempt has begun and has its
    /// place, so others may be asked first, such as for a token, or for the address that the letter really goes to. A
    /// failure counts as the attempt's.
    async fn headers(&self, due: &Delivery, letter: &mut Letter) -> Result<Vec<Header>, PostError>;

    /// What the receiver's answer means for this delivery.
    fn judge(&self, due: &Delivery, answer: &ReceiverAnswer) -> Judgement;

    /// What it means for this delivery that there was no answer, or that nothing could be sent.
    fn excuse(&self, _: &Delivery, error: PostError) -> Judgement {
        Judgement::from(error)
    }

    /// Notes what follows from deliveries that receivers have accepted, in the transaction that records it.
    async fn note_accepted(&self, transaction: &Transaction, accepted: &[&Delivery]) -> Result<(), DbErr>;
}

impl From<PostError> for Judgement {
    fn from(error: PostError) -> Self {
        match error {
            PostError::Refused(refusal) => Self::Refused(refusal.to_string()),
            PostError::Hopeless(reason) => Self::Refused(reason),
            PostError::Failed(reason) | PostError::Unsent(reason) => Self::Again { reason, retry_after: None },
        }
    }
}
