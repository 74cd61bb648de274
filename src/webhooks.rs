//! Webhooks: the outbox that a finished test's event is written to, its delivery, and what admins see of it (`decisions.md` 5).

pub mod admin;
pub mod client;
pub mod delivery;
pub mod signature;
pub mod store;

use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use domain::delivery::DeliveryStatus;
use domain::session::WEBHOOK_URL_BYTES_MAX;
use domain::time::moment::Moment;
use domain::webhook_target::TargetPolicy;
use tokio::sync::Notify;
use uuid::Uuid;

use delivery::{Deliverer, PauseDeliveries, Wake};
use store::NewDelivery;

/// How long a planned stop waits for deliveries under way.
const REST_TIMEOUT: Duration = Duration::from_secs(3);
/// Stands before a link that could not be kept as it was, so that no replay ever posts to another one.
const ALTERED: &str = "(not as it was sent) ";

/// What finished tests leave to be sent.
pub struct Outbox {
    targets: TargetPolicy,
    deliverer: Addr<Deliverer>,
    /// Wakes whoever sends tests to an external data provider; `None` while data is here.
    sender: Option<Arc<Notify>>,
}

impl Outbox {
    /// Events to targets that the policy refuses fail at once.
    #[must_use]
    pub fn new(targets: TargetPolicy, deliverer: Addr<Deliverer>, sender: Option<Arc<Notify>>) -> Self {
        Self { targets, deliverer, sender }
    }

    /// Whether finished tests are to be sent to an external data provider too.
    #[must_use]
    pub const fn sends_sessions(&self) -> bool {
        self.sender.is_some()
    }

    /// The delivery to store with a session: waiting, or failed when its target is impossible.
    #[must_use]
    pub fn delivery(&self, session_id: Uuid, url: &str, now: Moment) -> NewDelivery {
        let refusal = self.targets.check(url).err();
        let status = if refusal.is_some() { DeliveryStatus::Failed } else { DeliveryStatus::Pending };
        let last_error = refusal.map(|refusal| refusal.to_string());
        NewDelivery {
            id: Uuid::new_v4(),
            session_id,
            url: kept(url),
            host: self.host(url),
            status,
            last_error,
            created_at: now,
        }
    }

    /// `host:port`, by which attempts are limited; empty when the target is impossible.
    #[must_use]
    pub fn host(&self, url: &str) -> String {
        self.targets.check(url).map(|target| format!("{}:{}", target.host, target.port)).unwrap_or_default()
    }

    /// Ends deliveries before the store is closed; those under way have a moment to end.
    pub async fn rest(&self) {
        if tokio::time::timeout(REST_TIMEOUT, self.deliverer.send(PauseDeliveries)).await.is_err() {
            tracing::warn!("webhooks under way at the stop are sent again after the start");
        }
    }

    /// Tells those who send that something is waiting. They look by themselves a moment later, so a full mailbox is no loss.
    pub fn wake(&self) {
        let _ = self.deliverer.try_send(Wake);
        if let Some(sender) = &self.sender {
            sender.notify_waiters();
        }
    }
}

/// A link as it is kept: without the control characters that no database or page should meet, and not too long.
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
