//! What others have of a seat: its address, and what they may ask without sending it a message.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use actix::Addr;
use domain::time::moment::Moment;

use super::Seat;
use crate::live::store::Hold;

/// What others have of a seat.
pub struct SeatHandle {
    /// Its mailbox. Used by reference: a clone would be granted a place of its own.
    pub address: Addr<Seat>,
    /// Hash of the attempt's token.
    pub token_hash: [u8; 32],
    /// By what right it writes; none for a test that was over when the seat was built.
    pub hold: Option<Hold>,
    /// When it wants to be told the time, in milliseconds since 1970.
    pub due_ms: Arc<AtomicI64>,
}

impl SeatHandle {
    /// Whether it wants to be told the time.
    #[must_use]
    pub fn is_due(&self, now: Moment) -> bool {
        self.due_ms.load(Ordering::Relaxed) <= now.milliseconds()
    }
}
