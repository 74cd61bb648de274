//! Logs and metrics, apart from what they report, so that one file shows every metric.

mod pools;
mod process;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use tracing_subscriber::EnvFilter;

use crate::config::{LogConfig, LogFormat};
pub use pools::PoolState;
use pools::Pools;
use process::Process;
pub use process::expecting_panics;

/// The HTML parsers log every oddity of a text, and one text may have thousands. The steps of a migration, and
/// Postgres' notices that a table exists already, are no news to an operator. A pool logs an error each time that a new
/// connection leads to a standby, many times a second while a database moves; src/database/primary.rs says it once.
const QUIET: &str = "html5ever=error,markup5ever=error,sea_orm_migration=warn,sqlx=warn,sqlx_core::pool::inner=off";

/// Starts logging to standard error. A second call changes nothing, so tests may each call it.
pub fn start_logging(config: &LogConfig) {
    process::count_panics();
    let builder = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(format!("{QUIET},{}", config.filter)))
        .with_writer(std::io::stderr)
        // A line that cannot be written is lost: to say so on the same full disk would panic.
        .log_internal_errors(false)
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()));
    let started = match config.format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    drop(started);
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RequestLabels {
    pub method: &'static str,
    /// The route's pattern, never the path itself, since session ids are secrets.
    pub route: Arc<str>,
    pub status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct RouteLabels {
    /// As in [`RequestLabels`].
    pub route: Arc<str>,
}

/// A failure of the server itself: neither of its callers, nor of the services that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A request was answered with 500 for a reason of our own.
    Request,
    /// A request was answered with 503, since the database is away, busy, full or read only.
    Database,
    /// A batch of students' work could not be committed and is tried again.
    Journal,
    /// The database refuses a commit for good: work of a student is not saved.
    Commit,
    /// A part of the server has panicked.
    Panic,
}

impl Failure {
    const ALL: [Self; 5] = [Self::Request, Self::Database, Self::Journal, Self::Commit, Self::Panic];

    const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Database => "database",
            Self::Journal => "journal",
            Self::Commit => "commit",
            Self::Panic => "panic",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct FailureLabels {
    kind: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct AttemptLabels {
    /// `delivered`, `retry` or `failed`.
    pub outcome: &'static str,
}

#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    pub seats: Gauge,
    pub sockets: Gauge,
    pub proctors: Gauge,
    /// Commands that students sent, whether applied or refused.
    pub commands: Counter,
    /// Commands refused because their student sent too many.
    pub rate_limited: Counter,
    /// Writes that the journal committed: values of answers, and others such as events.
    pub journal_commands: Counter,
    pub journal_commits: Counter,
    pub journal_batch: Histogram,
    pub journal_seconds: Histogram,
    /// Batches that failed and were tried again.
    pub journal_failures: Counter,
    pub outbox_depth: Gauge,
    /// Scores that wait for learning platforms.
    pub scores_waiting: Gauge,
    /// Scores that learning platforms have not got, and that nobody has sent again.
    pub scores_failed: Gauge,
    /// Finished tests and edits that wait for the external data provider.
    pub transfers_waiting: Gauge,
    /// Finished tests and edits that the external data provider refuses.
    pub transfers_refused: Gauge,
    /// Messages and bodies from Redis that no server with the same secret has signed.
    pub redis_refused: Counter,
    pub deliveries: Family<AttemptLabels, Counter>,
    /// The same of scores.
    pub score_attempts: Family<AttemptLabels, Counter>,
    /// Reports that were made; reports from the cache do not count.
    pub reports_made: Counter,
    pub requests: Family<RequestLabels, Counter>,
    /// Seconds from the head of a request to the head of its answer.
    pub request_seconds: Family<RouteLabels, Histogram>,
    failures: Family<FailureLabels, Counter>,
    pools: Pools,
    process: Process,
    rendering: Mutex<()>,
}

/// Buckets from a quarter of a millisecond to eight seconds.
fn latencies() -> Histogram {
    Histogram::new(exponential_buckets(0.000_25, 2.0, 16))
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            seats: Gauge::default(),
            sockets: Gauge::default(),
            proctors: Gauge::default(),
            commands: Counter::default(),
            rate_limited: Counter::default(),
            journal_commands: Counter::default(),
            journal_commits: Counter::default(),
            journal_batch: Histogram::new(exponential_buckets(1.0, 2.0, 14)),
            journal_seconds: latencies(),
            journal_failures: Counter::default(),
            outbox_depth: Gauge::default(),
            scores_waiting: Gauge::default(),
            scores_failed: Gauge::default(),
            transfers_waiting: Gauge::default(),
            transfers_refused: Gauge::default(),
            redis_refused: Counter::default(),
            deliveries: Family::default(),
            score_attempts: Family::default(),
            reports_made: Counter::default(),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(latencies),
            failures: Family::default(),
            pools: Pools::default(),
            process: Process::default(),
            rendering: Mutex::default(),
        };
        metrics.register();
        metrics
    }
}

impl Metrics {
    fn register(&mut self) {
        let Self { registry, .. } = self;
        let live = registry.sub_registry_with_prefix("examhall");
        live.register("seats", "Seats in memory", self.seats.clone());
        live.register("sockets", "Open student sockets", self.sockets.clone());
        live.register("proctors", "Open proctors' sockets", self.proctors.clone());
        live.register("commands", "Commands that students sent", self.commands.clone());
        live.register("rate_limited", "Commands refused for their rate", self.rate_limited.clone());
        live.register("journal_commands", "Writes that the journal committed", self.journal_commands.clone());
        live.register("journal_commits", "Batches that the journal committed", self.journal_commits.clone());
        live.register("journal_batch", "Writes in each batch", self.journal_batch.clone());
        live.register_with_unit(
            "journal",
            "Time that each batch took to commit",
            Unit::Seconds,
            self.journal_seconds.clone(),
        );
        live.register("journal_failures", "Batches that failed and were tried again", self.journal_failures.clone());
        live.register("outbox_depth", "Webhook deliveries waiting", self.outbox_depth.clone());
        live.register("scores_waiting", "Scores waiting for learning platforms", self.scores_waiting.clone());
        live.register("scores_failed", "Scores that learning platforms have not got", self.scores_failed.clone());
        live.register(
            "transfers_waiting",
            "Tests and edits that wait for the external data provider",
            self.transfers_waiting.clone(),
        );
        live.register(
            "transfers_refused",
            "Tests and edits that the external data provider refuses",
            self.transfers_refused.clone(),
        );
        live.register(
            "redis_refused",
            "Messages and bodies from Redis without a valid signature",
            self.redis_refused.clone(),
        );
        live.register("webhook_attempts", "Attempts to deliver a webhook", self.deliveries.clone());
        live.register("score_attempts", "Attempts to send a score", self.score_attempts.clone());
        live.register("reports_made", "PDF reports made", self.reports_made.clone());
        live.register("http_requests", "Requests", self.requests.clone());
        live.register_with_unit(
            "http_request",
            "Time from a request's head to its answer's",
            Unit::Seconds,
            self.request_seconds.clone(),
        );
        live.register("failures", "Failures of the server itself, by kind", self.failures.clone());
        live.register("build", "The release", Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]));
        self.pools.register(live);
        self.process.register(registry);
        // An alarm can only compare with a figure that is there before the first failure.
        for failure in Failure::ALL {
            drop(self.failures.get_or_create(&FailureLabels { kind: failure.name() }));
        }
        for outcome in ["delivered", "retry", "failed"] {
            drop(self.deliveries.get_or_create(&AttemptLabels { outcome }));
        }
    }

    /// All metrics in the format that Prometheus reads.
    #[must_use]
    pub fn render(&self) -> String {
        // Counters that follow another figure: two calls at once would add the same difference twice.
        let _alone = self.rendering.lock().unwrap_or_else(PoisonError::into_inner);
        self.process.look();
        let panics = self.failures.get_or_create(&FailureLabels { kind: Failure::Panic.name() });
        panics.inc_by(process::panics().saturating_sub(panics.get()));
        drop(panics);
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(_) => String::new(),
        }
    }

    pub fn failed(&self, failure: Failure) {
        self.failures.get_or_create(&FailureLabels { kind: failure.name() }).inc();
    }

    /// Notes the connections of a pool, such as `read`, to `database` or `redis`.
    pub fn set_pool(&self, service: &'static str, pool: &'static str, state: PoolState) {
        self.pools.set(service, pool, state);
    }

    /// Notes whether Redis answers; without Redis it is never called, and nothing is shown.
    pub fn set_redis_up(&self, is_up: bool) {
        self.pools.set_up("redis", is_up);
    }

    /// Notes whether a standby has what is saved; where none is required it is never called, and nothing is shown.
    pub fn set_database_protected(&self, is_protected: bool) {
        self.pools.set_protected(is_protected);
    }

    pub fn batch_failed(&self) {
        self.journal_failures.inc();
        self.failed(Failure::Journal);
    }

    pub fn batch_committed(&self, writes: usize, took: Duration) {
        let writes = u32::try_from(writes).unwrap_or(u32::MAX);
        self.journal_commits.inc();
        self.journal_commands.inc_by(u64::from(writes));
        self.journal_batch.observe(f64::from(writes));
        self.journal_seconds.observe(took.as_secs_f64());
    }
}

/// Keeps a gauge one higher for as long as it lives, so that no early return can forget to lower it.
#[derive(Debug)]
pub struct GaugeGuard(Gauge);

impl GaugeGuard {
    #[must_use]
    pub fn on(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn scrapes_at_the_same_moment_count_nothing_twice() {
        process::count_panics();
        for _ in 0..20 {
            drop(thread::spawn(|| panic!("as intended")).join());
            let metrics = Metrics::default();
            thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(|| metrics.render()))));
            let counted = metrics.failures.get_or_create(&FailureLabels { kind: Failure::Panic.name() }).get();
            assert!((1..=process::panics()).contains(&counted), "{counted} of {}", process::panics());
        }
    }
}
