//! What others have of a seat: its address, and what they may ask without sending it a message.

use std::collections::HashSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix::Addr;
use domain::time::moment::Moment;
use tokio::sync::watch;

use super::Seat;
use crate::auth::token;
use crate::live::store::Hold;

/// Further tokens that a seat remembers; a student has one for each device.
const FURTHER_TOKENS_MAX: usize = 64;

/// What others have of a seat.
pub struct SeatHandle {
    /// Its mailbox. Used by reference: a clone would be granted a place of its own.
    pub address: Addr<Seat>,
    /// Hash of the attempt's first token.
    token_hash: [u8; 32],
    /// Hashes of further tokens that have been used here; those that have not are in the database.
    further_tokens: Mutex<HashSet<[u8; 32]>>,
    /// By what right it writes; none for a test that was over when the seat was built.
    pub hold: Option<Hold>,
    /// When it wants to be told the time, in milliseconds since 1970.
    pub due_ms: Arc<AtomicI64>,
    news: watch::Sender<()>,
}

impl SeatHandle {
    pub(super) fn new(
        address: Addr<Seat>,
        token_hash: [u8; 32],
        hold: Option<Hold>,
        due_ms: Arc<AtomicI64>,
        news: watch::Sender<()>,
    ) -> Self {
        Self { address, token_hash, further_tokens: Mutex::default(), hold, due_ms, news }
    }

    /// Changes with each order that the seat has heard, and with its end; what has come before is not news.
    #[must_use]
    pub fn news(&self) -> watch::Receiver<()> {
        self.news.subscribe()
    }

    /// Whether the token with this hash is the attempt's first one, or a further one that is known here.
    #[must_use]
    pub fn knows(&self, token_hash: &[u8; 32]) -> bool {
        token::is_same(token_hash, &self.token_hash) || self.further_tokens().contains(token_hash)
    }

    /// Remembers a further token, so that the database is not asked for each request.
    pub fn learn(&self, token_hash: [u8; 32]) {
        let mut known = self.further_tokens();
        if known.len() >= FURTHER_TOKENS_MAX {
            known.clear();
        }
        known.insert(token_hash);
    }

    /// A panic elsewhere may poison the lock, but does not make the set wrong.
    fn further_tokens(&self) -> MutexGuard<'_, HashSet<[u8; 32]>> {
        self.further_tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it wants to be told the time.
    #[must_use]
    pub fn is_due(&self, now: Moment) -> bool {
        self.due_ms.load(Ordering::Relaxed) <= now.milliseconds()
    }
}
