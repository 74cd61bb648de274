//! Corrections of keys: a manager says that the key of a question was wrong, sees before what would follow, and the
//! tests of the scope follow in the background (`docs/decisions/0075-corrected-keys.md`).

pub mod fields;
pub mod follow;
pub mod list;
pub mod make;
pub mod outlook;
pub mod revert;
pub mod scope;
pub mod view;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use crate::clock::Clock;
use crate::database::Database;
use crate::http::turnstile::Turnstile;
use crate::outgoing::Outbox;
use crate::sittings::Sittings;
use crate::strain::{BUSY, Deferrable};

/// Outlooks that are counted at once. Each reads every test of its scope, and live exams use the same database.
const OUTLOOKS_AT_ONCE: usize = 1;
/// Callers whose outlooks are being counted or who wait for it. They hold nothing but a connection.
const OUTLOOK_CALLERS_MAX: usize = 32;
/// How long a caller waits for the turn before they get 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(30);

/// The corrections of keys.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(list::list).service(make::make).service(revert::revert);
}

/// What corrections are made with, and what lets the tests follow them.
#[derive(Clone)]
pub struct Corrections {
    database: Database,
    clock: Clock,
    sittings: Arc<Sittings>,
    outbox: Arc<Outbox>,
    turns: Arc<Turnstile>,
    /// Says that there is something to follow.
    news: Arc<Notify>,
    /// Whether questions are in this database, and not in an external service.
    has_questions: bool,
}

impl Corrections {
    #[must_use]
    pub fn open(base: &Base, sittings: &Arc<Sittings>, outbox: &Arc<Outbox>) -> Self {
        let turns = Turnstile::new(OUTLOOKS_AT_ONCE, OUTLOOK_CALLERS_MAX, TURN_TIMEOUT);
        Self {
            database: base.database.clone(),
            clock: base.clock.clone(),
            sittings: Arc::clone(sittings),
            outbox: Arc::clone(outbox),
            turns: Arc::new(turns.yielding(&base.strain, Deferrable::Single)),
            news: Arc::default(),
            has_questions: base.is_local(),
        }
    }
}
