//! What a Postgres must be so that nothing is lost that was called saved: its commits are on its disk and, where that
//! is required, on that of a second machine.

use std::time::Duration;

use sea_orm::sqlx;
use sea_orm::sqlx::postgres::{PgConnection, PgPool};
use thiserror::Error;

use super::address::POSTGRES_SETTINGS;
use super::{Database, OpenError, within};
use crate::clock::Clock;
use crate::telemetry::Metrics;

/// How often it is asked whether a standby has what is committed.
const PROTECTION_EVERY: Duration = Duration::from_secs(5);
/// How long the answer may take.
const ANSWERED_WITHIN: Duration = Duration::from_secs(2);
/// How often the log says that none has.
const WARN_MILLISECONDS: i64 = 60_000;
/// Values of `synchronous_commit` with which a commit waits for no standby.
const WITHOUT_STANDBY: [&str; 2] = ["off", "local"];
/// What tells whether commits wait for a standby: the setting, whether any standby is named, how many machines follow,
/// of how many of them this role may see the state, and how many have what is committed.
const STANDBYS: &str = "SELECT current_setting('synchronous_commit'), \
    current_setting('synchronous_standby_names') <> '', count(*), count(state), count(*) FILTER (WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')) \
    FROM pg_stat_replication";

/// Why a machine of the database could take with it what was called saved. Each message is one sentence for the
/// operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unprotected {
    #[error("the database has no standby")]
    Missing,
    #[error("the synchronous standby of the database is away")]
    Away,
    #[error("the standby may lack what was called saved: it is asynchronous, since synchronous_standby_names is empty")]
    Asynchronous,
    #[error("a standby may lack what was called saved: synchronous_commit is off or local")]
    Local,
    #[error("the role of DATABASE_URL may not see standbys: GRANT pg_read_all_stats TO this role")]
    Hidden,
}

/// Refuses a Postgres that could lose or not take what is saved. Returns whether a connection has the limits that it
/// was opened with, which some proxies drop.
pub(super) async fn inspect(connection: &mut PgConnection) -> Result<bool, OpenError> {
    if let Some(name) = undurable(connection).await? {
        return Err(OpenError::NotDurable(name));
    }
    let in_recovery = sqlx::query_scalar::<_, bool>("SELECT pg_is_in_recovery()").fetch_one(&mut *connection).await?;
    if in_recovery {
        return Err(OpenError::Standby);
    }
    if setting(connection, "transaction_read_only").await? == "on" {
        return Err(OpenError::ReadOnly);
    }
    let (name, value) = POSTGRES_SETTINGS[0];
    Ok(setting(connection, name).await? == value)
}

/// The setting, if there is one, with which a Postgres could lose what was called saved.
pub(super) async fn undurable(connection: &mut PgConnection) -> Result<Option<&'static str>, sqlx::Error> {
    for name in ["fsync", "synchronous_commit"] {
        if setting(connection, name).await? == "off" {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

async fn setting(connection: &mut PgConnection, name: &'static str) -> Result<String, sqlx::Error> {
    sqlx::query_scalar("SELECT current_setting($1)").bind(name).fetch_one(connection).await
}

/// Whether commits wait until a standby has them too.
pub(super) async fn protection(pool: &PgPool) -> Result<Result<(), Unprotected>, sqlx::Error> {
    let (commit, is_any_named, followers, seen, synchronous): (String, bool, i64, i64, i64) =
        sqlx::query_as(STANDBYS).fetch_one(pool).await?;
    Ok(judge(&commit, is_any_named, followers, seen, synchronous))
}

fn judge(commit: &str, is_any_named: bool, followers: i64, seen: i64, synchronous: i64) -> Result<(), Unprotected> {
    if WITHOUT_STANDBY.contains(&commit) {
        return Err(Unprotected::Local);
    }
    match (is_any_named, followers) {
        (true, _) if synchronous > 0 => Ok(()),
        (_, followers) if seen < followers => Err(Unprotected::Hidden),
        (true, _) => Err(Unprotected::Away),
        (false, 0) => Err(Unprotected::Missing),
        (false, _) => Err(Unprotected::Asynchronous),
    }
}

/// Tells in the metrics whether a standby has what is committed, and in the log when none has. Saving goes on: a server
/// that refused it would lose more.
pub async fn watch_protection(database: &Database, metrics: &Metrics, clock: &Clock) {
    if database.is_sqlite() {
        return;
    }
    let pool = database.background.read.get_postgres_connection_pool();
    let mut warned_at = None;
    loop {
        // A database that does not answer is told of elsewhere.
        let answer = within(ANSWERED_WITHIN, protection(pool)).await.and_then(Result::ok);
        metrics.set_database_protected(answer == Some(Ok(())));
        match answer {
            Some(Err(reason)) => {
                let now = clock.now();
                if warned_at.is_none_or(|warned_at| now.since(warned_at) >= WARN_MILLISECONDS) {
                    warned_at = Some(now);
                    tracing::warn!("what is saved is on one machine alone: {reason}");
                }
            }
            Some(Ok(())) if warned_at.take().is_some() => {
                tracing::info!("a standby has all that is saved again");
            }
            _ => {}
        }
        clock.sleep(PROTECTION_EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_synchronous_standby_that_is_there_protects() {
        for (commit, is_any_named, followers, seen, synchronous, expected) in [
            ("on", true, 1, 1, 1, Ok(())),
            ("remote_apply", true, 2, 2, 1, Ok(())),
            ("remote_write", true, 1, 1, 1, Ok(())),
            ("on", true, 0, 0, 0, Err(Unprotected::Away)),
            // Named, but another one follows.
            ("on", true, 1, 1, 0, Err(Unprotected::Away)),
            ("on", false, 1, 1, 0, Err(Unprotected::Asynchronous)),
            ("on", false, 0, 0, 0, Err(Unprotected::Missing)),
            ("local", true, 1, 1, 1, Err(Unprotected::Local)),
            ("off", true, 1, 1, 1, Err(Unprotected::Local)),
            ("on", true, 1, 0, 0, Err(Unprotected::Hidden)),
            ("on", false, 2, 0, 0, Err(Unprotected::Hidden)),
        ] {
            let judged = judge(commit, is_any_named, followers, seen, synchronous);
            assert_eq!(judged, expected, "{commit} {is_any_named} {followers} {seen} {synchronous}");
        }
    }
}
