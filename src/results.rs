//! Results with every answer, for those who teach: of a sitting, of a template or of a grade, also before they are
//! released. It stands above finished tests and sittings because it shows both together.

pub mod asked;
mod discrimination;
pub mod figures;
pub mod gathering;
pub mod marks;
pub mod one;
mod seen_orders;
pub mod sources;
mod subject;
pub mod table;
pub mod view;

use std::sync::Arc;
use std::time::Duration;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use crate::database::Database;
use crate::error::{Error, UNAVAILABLE};
use crate::http::turnstile::{TurnError, Turnstile};
use crate::provider::NO_SUCH_CALL;
use crate::sittings::Sittings;
use crate::strain::{BUSY, Deferrable};

/// Results that are gathered at once. Each reads thousands of tests, and live exams use the same database.
const RESULTS_AT_ONCE: usize = 1;
/// Callers whose results are being gathered or who wait for it. They hold nothing but a connection.
const RESULTS_CALLERS_MAX: usize = 64;
/// How long a caller waits for the turn before they get 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(30);
/// How long one gathering may take, with all its reads.
const GATHERED_WITHIN: Duration = Duration::from_secs(60);

/// The results of finished tests, for staff.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(one::results)
        .service(figures::figures)
        .service(table::results_text)
        .service(table::results_workbook)
        .service(sources::sources);
}

/// What the results are read with, in turns.
#[derive(Clone)]
pub struct Results {
    database: Database,
    sittings: Arc<Sittings>,
    turns: Arc<Turnstile>,
    /// Lists of sources do not wait for large results.
    lists: Arc<Turnstile>,
    /// Whether finished tests are in this database, and not in an external service.
    is_here: bool,
}

impl Results {
    #[must_use]
    pub fn open(base: &Base, sittings: &Arc<Sittings>) -> Self {
        let new = || Turnstile::new(RESULTS_AT_ONCE, RESULTS_CALLERS_MAX, TURN_TIMEOUT);
        let turns = || Arc::new(new().yielding(&base.strain, Deferrable::Single));
        let (database, sittings) = (base.database.clone(), Arc::clone(sittings));
        Self { database, sittings, turns: turns(), lists: turns(), is_here: base.is_local() }
    }

    /// Answers 501 unless finished tests are in this server's own database: the contract of external services has no
    /// list of them.
    pub fn here(&self) -> Result<(), Error> {
        if self.is_here { Ok(()) } else { Err(Error::NotHere(NO_SUCH_CALL)) }
    }
}

/// Does the work in its turn, which it keeps when its caller has gone.
async fn in_turn<T: Send + 'static>(
    turns: &Turnstile,
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    match turns.run(GATHERED_WITHIN, work).await {
        Ok(done) => done,
        Err(TurnError::Busy) => Err(Error::Unavailable(BUSY)),
        Err(TurnError::Broken(error)) => {
            tracing::error!(%error, "results could not be gathered");
            Err(Error::Unavailable(UNAVAILABLE))
        }
    }
}
