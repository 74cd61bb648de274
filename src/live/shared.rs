//! The parts of [`Live`](super::Live) that all workers share, started once for the server.

use std::sync::Arc;

use actix::{Actor, Addr};
use actix_web::web::{Data, ServiceConfig};
use tokio::sync::Notify;

use super::Live;
use super::bell::Bell;
use super::counted;
use super::guesses::Guesses;
use super::guesses::shared_codes::SharedCodeGuesses;
use super::journal::Journal;
use super::late::LateFiles;
use super::late::keys::LateKeys;
use super::moves::MoveCodes;
use super::relay::Relay;
use super::reopening::Reopenings;
use super::rooms::feed::Feed;
use super::rooms::servers::Others;
use super::rooms::{RoomContext, Rooms};
use super::saving::Saving;
use super::seat::SeatServices;
use super::seats::claims::SeatClaims;
use super::seats::holders::Holders;
use super::seats::lease::Lease;
use super::seats::registry::Registry;
use crate::auth::caller::Callers;
use crate::base::Base;
use crate::http::health::WritesLately;
use crate::http::limits::AddressLimit;
use crate::http::turnstile::by_address::AddressTurnstile;
use crate::outgoing::Outbox;
use crate::questions::bank::Banks;
use crate::receipts::signer::ReceiptSigner;
use crate::sittings::Sittings;
use crate::templates::Templates;

/// The other features with which live exams work.
#[derive(Clone)]
pub struct LiveNeighbours {
    pub banks: Arc<Banks>,
    pub outbox: Arc<Outbox>,
    pub templates: Arc<Templates>,
    pub sittings: Arc<Sittings>,
    pub callers: Arc<Callers>,
    /// Limits how many tests one address or account may start.
    pub limit: Arc<AddressLimit>,
    /// Signs receipts.
    pub signer: Arc<ReceiptSigner>,
}

/// What the `Live` of all workers share.
#[derive(Clone)]
pub struct SharedLive {
    pub base: Base,
    pub neighbours: LiveNeighbours,
    pub registry: Arc<Registry>,
    pub claims: Addr<SeatClaims>,
    pub holders: Holders,
    pub relay: Arc<Relay>,
    pub lease: Arc<Lease>,
    pub rooms: Addr<Rooms>,
    /// Notified when there may be new orders of proctors in the database.
    pub new_orders: Arc<Notify>,
    /// Who has tried wrong codes of candidates.
    pub guesses: Arc<Guesses>,
    /// Who has tried wrong codes of templates.
    pub shared_codes: Arc<SharedCodeGuesses>,
    /// Has those wait who send too many wrong tokens.
    pub strangers: Arc<AddressTurnstile>,
    /// Who may try codes how often, and how they are stored.
    pub codes: Arc<MoveCodes>,
    /// Told of tests that go on.
    pub reopenings: Arc<Reopenings>,
    /// Who may hand in how many files with late work.
    pub late_files: Arc<LateFiles>,
    late_keys: Arc<LateKeys>,
    saving: Arc<Saving>,
    feed: Arc<Feed>,
    bell: Addr<Bell>,
    /// SQLite has one writer, so all workers share its journal; on Postgres each worker has its own.
    journal: Option<Addr<Journal>>,
}

impl SharedLive {
    #[must_use]
    pub fn open(base: &Base, neighbours: LiveNeighbours) -> Self {
        let (database, clock) = (&base.database, &base.clock);
        let relay = Arc::new(Relay::new(base.redis.clone(), clock.clone()));
        let saving = Arc::<Saving>::default();
        let lease =
            Arc::new(Lease::new(relay.server_id(), database.for_background(), clock.clone(), Arc::clone(&saving)));
        let (registry, feed) = (Arc::<Registry>::default(), Arc::<Feed>::default());
        let rooms = RoomContext {
            database: database.clone(),
            clock: clock.clone(),
            feed: Arc::clone(&feed),
            registry: Arc::clone(&registry),
            sittings: Arc::clone(&neighbours.sittings),
            servers: Box::new(Others { relay: Arc::clone(&relay), lease: Arc::clone(&lease) }),
        };
        let new_orders = Arc::<Notify>::default();
        let bell = Bell::new(Arc::clone(&neighbours.sittings), Arc::clone(&relay), Arc::clone(&new_orders));
        Self {
            holders: Holders::start(database.clone()),
            claims: SeatClaims::new(database.clone(), Arc::clone(&relay), clock.clone()).start(),
            rooms: Rooms::new(rooms).start(),
            bell: bell.start(),
            guesses: Arc::new(Guesses::new(clock.clone())),
            shared_codes: Arc::new(SharedCodeGuesses::new(clock.clone())),
            strangers: Arc::new(counted::strangers()),
            codes: Arc::new(MoveCodes::new(&base.secret, clock.clone())),
            reopenings: Arc::default(),
            late_files: Arc::default(),
            late_keys: Arc::new(LateKeys::new(&base.secret, database.clone(), clock.clone())),
            journal: database.is_sqlite().then(|| start_journal(base, &neighbours.outbox, &saving)),
            base: base.clone(),
            neighbours,
            registry,
            relay,
            lease,
            new_orders,
            saving,
            feed,
        }
    }

    /// What a worker's live exams work with: to be called on that worker, whose journal it starts.
    #[must_use]
    pub fn of_worker(&self) -> Live {
        let Self { base, neighbours, .. } = self;
        let own_journal = || start_journal(base, &neighbours.outbox, &self.saving);
        let services = SeatServices {
            server_id: self.relay.server_id(),
            directory: self.registry.clone(),
            feed: Arc::clone(&self.feed),
            journal: self.journal.clone().unwrap_or_else(own_journal),
            database: base.database.clone(),
            lease: Arc::clone(&self.lease),
            banks: Arc::clone(&neighbours.banks),
            bell: self.bell.clone(),
            outbox: Arc::clone(&neighbours.outbox),
            embargo: Arc::clone(&base.embargo),
            late_keys: Arc::clone(&self.late_keys),
            signer: Arc::clone(&neighbours.signer),
            clock: base.clock.clone(),
            metrics: Arc::clone(&base.metrics),
        };
        Live { services: Arc::new(services), shared: self.clone() }
    }

    /// Hands live exams to one worker's app, and what they know of the database: the lease is written every two
    /// seconds, and answers of students whenever there are some.
    pub fn provide(&self, config: &mut ServiceConfig) {
        let (lease, is_read_only) = (Arc::clone(&self.lease), self.base.database.is_read_only());
        let writes = WritesLately::by(move || is_read_only || lease.can_save());
        config.app_data(Data::new(self.of_worker())).app_data(Data::new(writes));
    }
}

fn start_journal(base: &Base, outbox: &Arc<Outbox>, saving: &Arc<Saving>) -> Addr<Journal> {
    let (database, clock, metrics) = (base.database.clone(), base.clock.clone(), Arc::clone(&base.metrics));
    Journal::new(database, Arc::clone(outbox), clock, metrics, Arc::clone(saving)).start()
}
