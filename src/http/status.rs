//! What all pages say for a while, such as during an outage: the setting, or what an admin has written. It is told by a
//! route that needs neither a sign-in nor the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use arc_swap::ArcSwap;
use domain::status_message::StatusMessage;
use moka::future::Cache;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::Base;
use crate::database::{Database, in_time};
use crate::store::status_messages;

/// How long a message is kept in memory: a change on another server takes effect after this time at the latest. While
/// the database is away it is asked as often, by one of all who wait.
const KEPT: Duration = Duration::from_secs(3);
/// How long the database may take. Pages that say why nothing works must not wait for what does not.
const READ_WITHIN: Duration = Duration::from_secs(1);

/// Knows what all pages say.
pub struct StatusMessages {
    database: Database,
    /// The setting, which takes the place of what is stored; empty for none.
    set: StatusMessage,
    is_read_only: bool,
    /// Counts the changes on this server. It is the cache's key, so what was read before a change is not found after
    /// it.
    changes: AtomicU64,
    kept: Cache<u64, Arc<StatusMessage>>,
    /// What was read last, for when the database is away.
    last: ArcSwap<StatusMessage>,
}

impl StatusMessages {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        let maintenance = &base.config.maintenance;
        Self {
            database: base.database.for_background(),
            set: maintenance.message.clone(),
            is_read_only: maintenance.read_only,
            changes: AtomicU64::new(0),
            kept: Cache::builder().max_capacity(1).time_to_live(KEPT).build(),
            last: ArcSwap::default(),
        }
    }

    /// The setting; empty if there is none.
    #[must_use]
    pub const fn setting(&self) -> &StatusMessage {
        &self.set
    }

    /// What pages say now, a few seconds old at most, or older while the database is away.
    pub async fn shown(&self) -> Arc<StatusMessage> {
        if !self.set.is_empty() {
            return Arc::new(self.set.clone());
        }
        let reading = async {
            let loading = status_messages::load(&self.database);
            if let Some(stored) = in_time("what pages say", READ_WITHIN, loading).await {
                self.last.store(Arc::new(stored.message));
            }
            self.last.load_full()
        };
        self.kept.get_with(self.changes.load(Ordering::Acquire), reading).await
    }

    /// The same without asking the database.
    #[must_use]
    pub fn at_hand(&self) -> Arc<StatusMessage> {
        if self.set.is_empty() { self.last.load_full() } else { Arc::new(self.set.clone()) }
    }

    /// To be called after a change, which then takes effect at once on this server.
    pub fn forget(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }
}

/// What pages say to somebody who asks for one: [`StatusMessages::shown`], or nothing in an app without it.
pub async fn shown_to(request: &HttpRequest) -> Arc<StatusMessage> {
    match request.app_data::<Data<StatusMessages>>() {
        Some(messages) => messages.shown().await,
        None => Arc::default(),
    }
}

/// The same without asking the database.
#[must_use]
pub fn at_hand_for(request: &HttpRequest) -> Arc<StatusMessage> {
    request.app_data::<Data<StatusMessages>>().map(|messages| messages.at_hand()).unwrap_or_default()
}

/// What all pages say now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PageStatus {
    message: StatusMessage,
    /// Whether the server only reads: whatever would change something is answered 503 `read_only`.
    read_only: bool,
}

/// What all pages say now: a message of the school, and whether anything can be saved.
///
/// It is answered while the database is away, too. Ask once a minute at most.
#[utoipa::path(
    operation_id = "readStatus",
    tag = "students",
    security(()),
    responses((status = 200, description = "The message, whose texts are empty if nothing is said", body = PageStatus))
)]
#[get("/api/status")]
pub async fn read(messages: Data<StatusMessages>) -> HttpResponse {
    let message = StatusMessage::clone(&*messages.shown().await);
    HttpResponse::Ok().json(PageStatus { message, read_only: messages.is_read_only })
}
