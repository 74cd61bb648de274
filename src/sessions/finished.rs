//! A finished test, and how it is stored with its webhook: for tests that clients hand in and for live exams alike.

use std::borrow::Cow;
use std::collections::HashMap;

use domain::correction::TestPlace;
use domain::session::{Session, SubmittedResult};
use domain::time::moment::Moment;
use sea_orm::{ConnectionTrait, DbErr};
use uuid::Uuid;

use crate::outgoing::store::NewDelivery;
use crate::outgoing::{self, Outbox, transfers};
use crate::store::receipts::{self, DueReceipt, NewReceipt};
use crate::store::session_rows::SessionRows;
use crate::store::{corrections, sessions};
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

impl Finished {
    /// Its receipt for the database.
    #[must_use]
    pub fn new_receipt(&self) -> Option<NewReceipt> {
        let version = i32::try_from(self.session.version.number).unwrap_or(i32::MAX);
        let jws = self.receipt.clone()?;
        Some(NewReceipt { name: (self.session.session_id, version), jws })
    }
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
        let Finished { session, webhook_url, .. } = finished;
        let delivery = webhook_url.as_deref().map(|url| outbox.delivery(TEST_COMPLETED, session.session_id, url, now));
        Ok(Self { session: SessionRows::of(session)?, receipt: finished.new_receipt(), delivery })
    }

    /// Estimates the bytes that it sends to the database.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.session.bytes() + self.receipt.as_ref().map_or(0, |receipt| receipt.jws.len())
    }
}

/// What tests were stored with that a corrected key has given another result than they were graded with before.
pub type CorrectedResults = HashMap<Uuid, SubmittedResult>;

/// Stores finished tests with their deliveries and, if there is an external data provider, their transfers to it. Must
/// run in a transaction, so that all or none are stored. A session that is stored already stays as it is. Each is
/// graded by the corrections of keys that hold at the commit; those that have another result by them are returned.
pub async fn record(
    connection: &impl ConnectionTrait,
    finished: &[&FinishedRows],
    sends_sessions: bool,
) -> Result<CorrectedResults, DbErr> {
    let places = finished.iter().map(|one| one.session.place()).collect::<Result<Vec<TestPlace>, _>>()?;
    let held = corrections::hold(connection, places.iter().copied()).await?;
    let mut corrected = CorrectedResults::new();
    let mut sessions: Vec<Cow<'_, SessionRows>> = Vec::with_capacity(finished.len());
    for (one, place) in finished.iter().zip(&places) {
        if held.of(place).is_empty() {
            sessions.push(Cow::Borrowed(&one.session));
            continue;
        }
        let (rows, result) = one.session.corrected(&held)?;
        corrected.extend(result.map(|result| (rows.session_id(), result)));
        sessions.push(Cow::Owned(rows));
    }
    let sessions: Vec<&SessionRows> = sessions.iter().map(|rows| &**rows).collect();
    sessions::insert(connection, &sessions).await?;
    let made: Vec<NewReceipt> = finished.iter().filter_map(|one| one.receipt.clone()).collect();
    receipts::insert(connection, &made).await?;
    let due: Vec<DueReceipt> = sessions.iter().filter_map(|session| session.due_receipt()).collect();
    receipts::queue(connection, &due).await?;
    if sends_sessions {
        transfers::insert_sessions(connection, sessions.iter().map(|session| (session.session_id(), 1))).await?;
    }
    let deliveries: Vec<&NewDelivery> = finished.iter().filter_map(|one| one.delivery.as_ref()).collect();
    outgoing::store::insert(connection, &deliveries).await?;
    Ok(corrected)
}
