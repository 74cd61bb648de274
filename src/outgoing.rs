//! The one door for what this server sends by itself: the outbox in the database, and the actor that empties it.
//! Transfers to an external data provider have a queue of their own ([`transfers`]).
//!
//! A delivery is written in the transaction of what it reports, so neither exists without the other. What is sent, and
//! what an answer means, is up to its kind ([`kind::OutgoingKind`]); webhooks are one. Claims, repeats, and the places
//! that receivers share are the same for all kinds.

pub mod attempt;
pub mod client;
pub mod deliverer;
pub mod hosts;
pub mod kind;
pub mod store;
pub mod transfers;

use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr};
use domain::delivery::DeliveryStatus;
use domain::session::WEBHOOK_URL_BYTES_MAX;
use domain::time::moment::Moment;
use domain::webhook_target::TargetPolicy;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::base::Base;
use deliverer::{Deliverer, PauseDeliveries, Wake};
use kind::OutgoingKind;
use store::NewDelivery;

/// How long a planned stop waits for deliveries in progress. Those that take longer are repeated after the start.
const REST_TIMEOUT: Duration = Duration::from_secs(3);
/// Prefix of a link that could not be stored as it was sent. It makes the link invalid, so that no replay ever posts to
/// an address that nobody named.
const ALTERED: &str = "(not as it was sent) ";

/// The entrance to the outbox.
pub struct Outbox {
    events: Vec<&'static str>,
    targets: TargetPolicy,
    deliverer: Addr<Deliverer>,
    /// Wakes the sender task for an external data provider; `None` while the data is in this server's own database.
    sender: Option<Arc<Notify>>,
    /// Wakes whoever looks after receipts, since every commit that has something to send may have made a result.
    receipts: Arc<Notify>,
}

impl Outbox {
    /// Starts the delivery of these kinds. Deliveries of other kinds stay in the outbox until a server that knows their
    /// kind starts, such as a newer one during an update. Deliveries to targets that the policy refuses are stored as
    /// failed.
    #[must_use]
    pub fn open(
        base: &Base,
        kinds: Vec<Arc<dyn OutgoingKind>>,
        sender: Option<Arc<Notify>>,
        receipts: Arc<Notify>,
    ) -> Self {
        let targets = base.config.webhooks.targets.clone();
        let events = kinds.iter().flat_map(|kind| kind.events()).copied().collect();
        Self { events, targets, deliverer: Deliverer::new(base, kinds).start(), sender, receipts }
    }

    /// The events of all kinds that are delivered.
    #[must_use]
    pub fn events(&self) -> &[&'static str] {
        &self.events
    }

    /// Whether finished tests must be sent to an external data provider, too.
    #[must_use]
    pub const fn sends_sessions(&self) -> bool {
        self.sender.is_some()
    }

    /// The delivery to store with a session: pending, or failed if its target is impossible.
    #[must_use]
    pub fn delivery(&self, event: &'static str, session_id: Uuid, url: &str, now: Moment) -> NewDelivery {
        let refusal = self.targets.check(url).err();
        let status = if refusal.is_some() { DeliveryStatus::Failed } else { DeliveryStatus::Pending };
        let last_error = refusal.map(|refusal| refusal.to_string());
        NewDelivery {
            id: Uuid::new_v4(),
            session_id,
            event,
            url: kept(url),
            host: self.host(url),
            status,
            last_error,
            created_at: now,
        }
    }

    /// The `host:port` by which attempts are limited; empty if the target is impossible.
    #[must_use]
    pub fn host(&self, url: &str) -> String {
        self.targets.check(url).map(|target| target.place()).unwrap_or_default()
    }

    /// Stops the deliverer before the database is closed. Deliveries in progress have a moment to end.
    pub async fn rest(&self) {
        if tokio::time::timeout(REST_TIMEOUT, self.deliverer.send(PauseDeliveries)).await.is_err() {
            tracing::warn!("deliveries under way at the stop are sent again after the start");
        }
    }

    /// Wakes the tasks that send. They also look by themselves a moment later, so a message that a full mailbox refuses
    /// does no harm.
    pub fn wake(&self) {
        let _ = self.deliverer.try_send(Wake);
        self.receipts.notify_one();
        if let Some(sender) = &self.sender {
            sender.notify_waiters();
        }
    }
}

/// The link in the form in which it is stored: of limited length, and without control characters, which databases and
/// pages may not bear.
fn kept(url: &str) -> String {
    let mut kept = String::new();
    for character in url.chars().filter(|character| !character.is_control()) {
        if kept.len() + character.len_utf8() > WEBHOOK_URL_BYTES_MAX {
            break;
        }
        kept.push(character);
    }
    if kept == url { kept } else { format!("{ALTERED}{kept}") }
}
