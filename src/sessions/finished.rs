//! A finished test, and how it is stored with its webhook: for tests that clients hand in and for live exams alike.

use domain::session::Session;
use domain::time::moment::Moment;
use sea_orm::{ConnectionTrait, DbErr};

use crate::outgoing::store::NewDelivery;
use crate::outgoing::{self, Outbox, transfers};
use crate::store::receipts::{self, DueReceipt, NewReceipt};
use crate::store::session_rows::SessionRows;
use crate::store::sessions;
use crate::webhooks::events::TEST_COMPLETED;

/// A finished test, and where to report it.
#[derive(Clone, Debug)]
pub struct Finished {
    pub session: Session,
    /// The receipt that its student gets, if it has been made; of others it is made when somebody asks.
    pub receipt: Option<String>,
    /// As the caller sent it. An impossible address becomes a failed delivery, so that the result is never lost.
    pub webhook_url: Option<String>,
}

/// A finished test as it is stored.
#[derive(Clone, Debug)]
pub struct FinishedRows {
    session: SessionRows,
    receipt: Option<NewReceipt>,
    delivery: Option<NewDelivery>,
}

impl FinishedRows {
    pub fn of(finished: &Finished, outbox: &Outbox, now: Moment) -> Result<Self, DbErr> {
        let Finished { session, receipt, webhook_url } = finished;
        let delivery = webhook_url.as_deref().map(|url| outbox.delivery(TEST_COMPLETED, session.session_id, url, now));
        let version = i32::try_from(session.version.number).unwrap_or(i32::MAX);
        let receipt = receipt.clone().map(|jws| NewReceipt { name: (session.session_id, version), jws });
        Ok(Self { session: SessionRows::of(session)?, receipt, delivery })
    }

    /// Estimates the bytes that it sends to the database.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.session.bytes() + self.receipt.as_ref().map_or(0, |receipt| receipt.jws.len())
    }
}

/// Stores finished tests with their deliveries and, if there is an external data provider, their transfers to it. Must
/// run in a transaction, so that all or none are stored. A session that is stored already stays as it is.
pub async fn record(
    connection: &impl ConnectionTrait,
    finished: &[&FinishedRows],
    sends_sessions: bool,
) -> Result<(), DbErr> {
    let sessions: Vec<&SessionRows> = finished.iter().map(|one| &one.session).collect();
    sessions::insert(connection, &sessions).await?;
    let made: Vec<NewReceipt> = finished.iter().filter_map(|one| one.receipt.clone()).collect();
    receipts::insert(connection, &made).await?;
    let due: Vec<DueReceipt> = sessions.iter().filter_map(|session| session.due_receipt()).collect();
    receipts::queue(connection, &due).await?;
    if sends_sessions {
        transfers::insert_sessions(connection, sessions.iter().map(|session| (session.session_id(), 1))).await?;
    }
    let deliveries: Vec<&NewDelivery> = finished.iter().filter_map(|one| one.delivery.as_ref()).collect();
    outgoing::store::insert(connection, &deliveries).await
}
