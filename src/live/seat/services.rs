//! The services that a seat uses. The directory of seats is not among them, so that the directory can depend on the
//! seat.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use actix::Addr;
use uuid::Uuid;

use crate::clock::Clock;
use crate::database::Database;
use crate::live::bell::Bell;
use crate::live::journal::Journal;
use crate::live::late::keys::LateKeys;
use crate::live::rooms::feed::Feed;
use crate::live::seats::lease::Lease;
use crate::outgoing::Outbox;
use crate::questions::bank::Banks;
use crate::receipts::signer::ReceiptSigner;
use crate::store::embargo::Embargo;
use crate::telemetry::Metrics;

/// The part of the seats' directory that a seat needs.
pub trait SeatDirectory: Send + Sync {
    /// Forgets a seat that is about to stop, unless a newer one of its session has taken the place.
    fn remove(&self, session_id: Uuid, due_ms: &Arc<AtomicI64>);

    /// Returns whether a planned stop has begun.
    fn is_stopping(&self) -> bool;
}

/// One for each worker, with that worker's journal.
pub struct SeatServices {
    pub server_id: Uuid,
    pub directory: Arc<dyn SeatDirectory>,
    /// Where seats leave what proctors are shown.
    pub feed: Arc<Feed>,
    /// Commits for the seats of this worker.
    pub journal: Addr<Journal>,
    pub database: Database,
    /// Says whether this server could save just now.
    pub lease: Arc<Lease>,
    pub banks: Arc<Banks>,
    /// Tells those who wait in sittings when they begin.
    pub bell: Addr<Bell>,
    pub outbox: Arc<Outbox>,
    /// Decides whether a student is told the result.
    pub embargo: Arc<Embargo>,
    /// What students encrypt files with late work for.
    pub late_keys: Arc<LateKeys>,
    /// Signs receipts.
    pub signer: Arc<ReceiptSigner>,
    pub clock: Clock,
    pub metrics: Arc<Metrics>,
}
