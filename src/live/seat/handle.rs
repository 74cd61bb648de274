//! The handle by which others reach a seat: its address, and state that they may read without sending it a message.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use actix::Addr;
use domain::time::moment::Moment;
use tokio::sync::watch;
use uuid::Uuid;

use super::{KnownTokens, Seat};
use crate::live::store::Hold;

/// What others have of a seat.
pub struct SeatHandle {
    pub session_id: Uuid,
    /// Its mailbox. Used by reference: a clone would be granted a place of its own.
    pub address: Addr<Seat>,
    /// Those with which one may come to it.
    pub tokens: Arc<KnownTokens>,
    /// By what right it writes; none for a test that was over when the seat was built.
    pub hold: Option<Hold>,
    /// When it wants to be told the time, in milliseconds since 1970.
    pub due_ms: Arc<AtomicI64>,
    news: watch::Sender<()>,
}

impl SeatHandle {
    pub(super) fn new(
        session_id: Uuid,
        address: Addr<Seat>,
        tokens: Arc<KnownTokens>,
        hold: Option<Hold>,
        due_ms: Arc<AtomicI64>,
        news: watch::Sender<()>,
    ) -> Self {
        Self { session_id, address, tokens, hold, due_ms, news }
    }

    /// Changes with each order that the seat has heard, and with its end; what has come before is not news.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    /// Returns whether it wants to be told the time.
    #[must_use]
    pub fn is_due(&self, now: Moment) -> bool {
        self.due_ms.load(Ordering::Relaxed) <= now.milliseconds()
    }
}
