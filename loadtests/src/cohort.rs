//! State that the candidates of one sitting share: their servers, the paper, and the figures of entering, waiting and
//! beginning.

use crate::fleet::RoundRobin;
use crate::paper_shelf::PaperShelf;
use crate::seen_bytes::SeenBytes;
use crate::sitting_admin::SittingStart;
use crate::tally::{Tally, Times};
use hdrhistogram::CreationError;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

pub struct Cohort {
    pub servers: Arc<RoundRobin>,
    pub sitting_id: String,
    /// The code of the sitting.
    pub code: String,
    pub start: SittingStart,
    /// Longest wait of a candidate's own before reconnecting.
    pub jitter: Duration,
    /// Candidates of whom every byte is kept that they get before the beginning.
    pub searched: usize,
    pub shelf: PaperShelf,
    pub seen: SeenBytes,
    pub figures: CohortFigures,
    pub tally: Arc<Tally>,
}

pub struct CohortFigures {
    pub entered: AtomicU64,
    pub ready: AtomicU64,
    pub begun: AtomicU64,
    /// Those whose `begin` came before its own `startedAt`.
    pub begun_early: AtomicU64,
    /// Sockets lost while their candidates waited.
    pub sockets_lost: AtomicU64,
    /// From connecting to `waiting`.
    pub enter_times: Times,
    /// From the request for a sealed part to its last byte.
    pub fetch_times: Times,
    /// From T0 to `begin`, on sockets that were open at T0.
    pub begin_times: Times,
    /// The same for those who reconnected then.
    pub late_begin_times: Times,
    /// Of those from connecting to `begin`: what is the server's part.
    pub return_times: Times,
}

impl CohortFigures {
    pub fn new() -> Result<Self, CreationError> {
        Ok(Self {
            entered: AtomicU64::new(0),
            ready: AtomicU64::new(0),
            begun: AtomicU64::new(0),
            begun_early: AtomicU64::new(0),
            sockets_lost: AtomicU64::new(0),
            enter_times: Times::new()?,
            fetch_times: Times::new()?,
            begin_times: Times::new()?,
            late_begin_times: Times::new()?,
            return_times: Times::new()?,
        })
    }
}
