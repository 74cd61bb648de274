//! Which of several hosts is the primary: asked at start, and then again and again, so that all pools follow it. What
//! connections to hosts that are it no longer may still do is decided here too.

use std::cmp::Reverse;
use std::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use futures_util::future::join_all;
use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use sea_orm::sqlx::{self, ConnectOptions};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::address::{CONNECT_AGAIN, is_sqlite, place_of, postgres_options};
use super::durability::undurable;
use super::{ACQUIRE_TIMEOUT, Database, OpenError, hosts};
use crate::clock::Clock;

/// How often all hosts are asked who the primary is. A promotion is noticed so soon.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How long a host may take to answer. One that is late is asked again; the pools stay with it until another host is
/// the primary.
const ASK_TIMEOUT: Duration = Duration::from_secs(1);
/// How often the log says that a connection is not used. The pools try again many times a second.
const TELL_EVERY: Duration = Duration::from_secs(10);
/// Whether a host is a standby, whether it is read only, and on which line of Postgres' history it takes writes: each
/// promotion begins a new one, which the names of its log begin with.
const HOST_STATE: &str = "SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', \
    CASE WHEN pg_is_in_recovery() THEN NULL \
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint END";
/// Whether a host is a standby.
const IS_STANDBY: &str = "SELECT pg_is_in_recovery()";

/// What all pools of a database know about the host that they connect to.
#[derive(Debug)]
pub(super) struct Primary {
    may_move: bool,
    moved_at: ArcSwapOption<Instant>,
    /// Wakes those who wait for a host that is left.
    moves: Notify,
    /// The newest line on which any host took writes. Whoever takes writes on an earlier one was the primary once, and
    /// does not know yet that it is no longer.
    line: AtomicI64,
    told_at: ArcSwapOption<Instant>,
}

impl Primary {
    pub(super) fn new(may_move: bool) -> Arc<Self> {
        Arc::new(Self {
            may_move,
            moved_at: ArcSwapOption::empty(),
            moves: Notify::new(),
            line: AtomicI64::new(0),
            told_at: ArcSwapOption::empty(),
        })
    }

    /// Whether there is another host to which the pools may move.
    pub(super) const fn may_move(&self) -> bool {
        self.may_move
    }

    /// Whether a connection of this age leads to a host that the pools have left. It may still answer.
    pub(super) fn is_left(&self, age: Duration) -> bool {
        self.moved_at.load().as_deref().is_some_and(|moved_at| age >= moved_at.elapsed())
    }

    /// Refuses a new connection that does not lead to the primary: what a standby tells may be older than what this
    /// server has called saved.
    pub(super) async fn admit(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let is_primary = if self.may_move {
            let state: (bool, bool, Option<i64>) = sqlx::query_as(HOST_STATE).fetch_one(connection).await?;
            state.2.is_some_and(|line| line >= self.line.load(Ordering::SeqCst))
        } else {
            !sqlx::query_scalar::<_, bool>(IS_STANDBY).fetch_one(connection).await?
        };
        if is_primary {
            return Ok(());
        }
        if self.told_at.load().as_deref().is_none_or(|told_at| told_at.elapsed() >= TELL_EVERY) {
            self.told_at.store(Some(Arc::new(Instant::now())));
            tracing::warn!(
                "a new connection leads to a standby, or to a host that is no longer the primary; it is not used"
            );
        }
        Err(sqlx::Error::Protocol("this host is not the primary".to_owned()))
    }
}

impl Database {
    /// Resolves when the pools move to another host. What is asked of the former one then may never be answered.
    pub async fn moved(&self) {
        match &self.primary {
            Some(primary) => primary.moves.notified().await,
            None => future::pending().await,
        }
    }
}

/// Whether whatever this connection begins can only read.
pub(super) async fn is_read_only(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("SELECT current_setting('transaction_read_only') = 'on'").fetch_one(connection).await
}

/// The address of the primary alone, for programs that know addresses with one host. One that names one host stays as
/// it is, and is not asked.
pub async fn primary_url(url: &str) -> Result<String, OpenError> {
    if is_sqlite(url) {
        return Ok(url.to_owned());
    }
    let mut found = DatabaseHosts::of(url)?;
    found.find(ACQUIRE_TIMEOUT).await?;
    hosts::each(url)?.into_iter().nth(found.current).ok_or(OpenError::Scheme)
}

/// Makes the options of a pool from those of a host.
type OptionsOfPool = fn(PgConnectOptions) -> PgConnectOptions;

/// The hosts of an address.
pub(super) struct DatabaseHosts {
    hosts: Vec<DatabaseHost>,
    /// The place of the primary among them.
    current: usize,
    primary: Arc<Primary>,
}

struct DatabaseHost {
    place: String,
    options: PgConnectOptions,
    /// Kept, so that looking costs no new connection each time.
    connection: Option<PgConnection>,
}

impl DatabaseHosts {
    /// Reads an address, and asks nobody yet.
    pub(super) fn of(url: &str) -> Result<Self, OpenError> {
        let host = |options: PgConnectOptions| DatabaseHost { place: place_of(&options), options, connection: None };
        let hosts: Vec<DatabaseHost> = postgres_options(url)?.into_iter().map(host).collect();
        let primary = Primary::new(hosts.len() > 1);
        Ok(Self { hosts, current: 0, primary })
    }

    pub(super) fn primary(&self) -> &Arc<Primary> {
        &self.primary
    }

    pub(super) fn are_several(&self) -> bool {
        self.hosts.len() > 1
    }

    /// How the primary is called in sentences.
    pub(super) fn place(&self) -> String {
        self.hosts.get(self.current).map(|host| host.place.clone()).unwrap_or_default()
    }

    /// The options of the primary, which is looked for as long as `patience`. A single host is not asked: whoever
    /// connects to it learns what it is.
    pub(super) async fn find(&mut self, patience: Duration) -> Result<PgConnectOptions, OpenError> {
        let begun = Instant::now();
        while self.are_several() {
            let answers = self.ask().await;
            if self.choose(&answers).is_some() {
                break;
            }
            if begun.elapsed() >= patience {
                let told = self.hosts.iter().zip(&answers).filter_map(|(host, answer)| {
                    answer.as_ref().err().map(|reason| format!("{} {reason}", host.place))
                });
                return Err(OpenError::NoPrimary(told.collect::<Vec<_>>().join(", ")));
            }
            // Of a server that has no database yet, nobody moves the clock.
            Clock::system().sleep(CONNECT_AGAIN).await;
        }
        self.hosts.get(self.current).map(|host| host.options.clone()).ok_or(OpenError::Scheme)
    }

    /// Makes the pools follow the primary, until they are closed.
    pub(super) fn lead<const N: usize>(mut self, pools: [(PgPool, OptionsOfPool); N]) {
        if !self.are_several() {
            return;
        }
        tokio::spawn(async move {
            let mut has_primary = true;
            // Machines fail in the system's time, whatever a test makes of the server's clock.
            let clock = Clock::system();
            loop {
                clock.sleep(LOOK_EVERY).await;
                if pools.iter().all(|(pool, _)| pool.is_closed()) {
                    return;
                }
                let (former, answers) = (self.current, self.ask().await);
                let found = self.choose(&answers);
                if has_primary && found.is_none() {
                    tracing::warn!("no host of DATABASE_URL takes writes; looking for one that does");
                }
                has_primary = found.is_some();
                let Some(host) = self.hosts.get(self.current).filter(|_| self.current != former) else { continue };
                for (pool, options_of) in &pools {
                    pool.set_connect_options(options_of(host.options.clone()));
                }
                self.primary.moved_at.store(Some(Arc::new(Instant::now())));
                self.primary.moves.notify_waiters();
                tracing::warn!(host = host.place, "the database has another primary; all connections move to it");
                if let Some(host) = self.hosts.get_mut(self.current) {
                    host.warn_of_loss().await;
                }
            }
        });
    }

    /// Tells which of several hosts could lose what is saved, once it is the primary.
    pub(super) async fn warn_of_loss(&mut self) {
        for host in &mut self.hosts {
            host.warn_of_loss().await;
        }
    }

    async fn ask(&mut self) -> Vec<Result<i64, String>> {
        join_all(self.hosts.iter_mut().map(DatabaseHost::ask)).await
    }

    /// Notes who the primary is, if anyone.
    fn choose(&mut self, answers: &[Result<i64, String>]) -> Option<usize> {
        let line = self.primary.line.load(Ordering::SeqCst);
        let (found, line) = chosen(answers, self.current, line)?;
        self.primary.line.fetch_max(line, Ordering::SeqCst);
        self.current = found;
        Some(found)
    }
}

/// The host that takes writes on the newest line, and that line; of several the present one, else the first. None
/// counts that is behind the newest line known: it has been replaced by another host, which may be away right now.
fn chosen(answers: &[Result<i64, String>], current: usize, known_line: i64) -> Option<(usize, i64)> {
    let writers = answers.iter().enumerate().filter_map(|(place, answer)| Some((*answer.as_ref().ok()?, place)));
    let newest = writers.filter(|(line, _)| *line >= known_line);
    newest.max_by_key(|(line, place)| (*line, *place == current, Reverse(*place))).map(|(line, place)| (place, line))
}

impl DatabaseHost {
    /// The line on which this host takes writes, or why it takes none.
    async fn ask(&mut self) -> Result<i64, String> {
        let answer = timeout(ASK_TIMEOUT, self.look()).await;
        match answer {
            Ok(Ok((true, _, _))) => Err("is a standby".to_owned()),
            Ok(Ok((_, true, _))) => {
                // A setting of the database holds as long as a connection that was opened with it, and not longer.
                self.connection = None;
                Err("is read only".to_owned())
            }
            Ok(Ok((_, _, Some(line)))) => Ok(line),
            Ok(Ok(_)) => Err("does not say what it is".to_owned()),
            Ok(Err(sqlx::Error::Io(error))) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
                Err("refused the connection".to_owned())
            }
            Ok(Err(error)) => Err(format!("cannot be asked ({error})")),
            Err(_) => Err(format!("does not answer within {} s", ASK_TIMEOUT.as_secs())),
        }
    }

    /// Tells if this host could lose what is saved. Saving goes on: a server that refused it would lose more.
    async fn warn_of_loss(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        let answer = timeout(ASK_TIMEOUT, undurable(&mut connection)).await;
        let Ok(Ok(found)) = answer else { return };
        self.connection = Some(connection);
        if let Some(setting) = found {
            tracing::error!(host = self.place, "a host of the database has {setting} off: what is saved could be lost");
        }
    }

    /// A connection that fails, or is too slow, is not used again.
    async fn look(&mut self) -> Result<(bool, bool, Option<i64>), sqlx::Error> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        let state = sqlx::query_as(HOST_STATE).fetch_one(&mut connection).await?;
        self.connection = Some(connection);
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_line_wins() {
        let away = || Err(String::new());
        for (answers, current, known, expected) in [
            (vec![Ok(1), away()], 0, 0, Some((0, 1))),
            (vec![away(), Ok(2)], 0, 1, Some((1, 2))),
            // A former primary that wakes up.
            (vec![Ok(1), Ok(2)], 1, 2, Some((1, 2))),
            (vec![Ok(1), Ok(2)], 0, 1, Some((1, 2))),
            (vec![Ok(1), away()], 1, 2, None),
            // Two names of one host.
            (vec![Ok(3), Ok(3)], 1, 3, Some((1, 3))),
            (vec![Ok(3), Ok(3), away()], 2, 3, Some((0, 3))),
            (vec![away(), away()], 0, 0, None),
        ] {
            assert_eq!(chosen(&answers, current, known), expected, "{answers:?}");
        }
    }

    #[test]
    fn connections_from_before_a_move_are_left() {
        let primary = Primary::new(true);
        assert!(!primary.is_left(Duration::from_secs(9)));
        primary.moved_at.store(Instant::now().checked_sub(Duration::from_secs(5)).map(Arc::new));
        assert!(primary.is_left(Duration::from_secs(9)));
        assert!(!primary.is_left(Duration::from_secs(2)));
    }
}
