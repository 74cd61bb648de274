//! What can happen to the database, and how it is brought about: to the primary, which is the machine that counts.

use crate::failover_database::FailoverDatabase;
use crate::failure::Failure;
use crate::saved_witness::SavedWitness;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until};

/// How long answers still come that were on their way when something happened.
const ON_THEIR_WAY: Duration = Duration::from_secs(2);
/// Longest wait until somebody is told again that something is saved.
const SAVED_WITHIN: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long a machine without power or network is away, at least.
const AWAY: Duration = Duration::from_secs(20);
/// How long a machine hangs, at least: Patroni 3.0.2 lost what was saved after 17 seconds.
const FROZEN: Duration = Duration::from_secs(17);
/// How long the monitor is away.
const MONITOR_AWAY: Duration = Duration::from_secs(20);
/// From the first of two faults to the second one.
const APART: Duration = Duration::from_secs(30);
/// How long an asynchronous standby gets nothing before its primary dies.
const HELD_BACK: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The primary's machine loses its power.
    MachineKilled,
    /// The primary's machine is cut off from the network, and comes back.
    Cut,
    /// The primary's machine hangs, and wakes up.
    Frozen,
    /// Postgres ends without finishing anything.
    PostgresKilled,
    /// A planned change of the primary.
    Switch,
    /// The primary's machine loses its power, and half a minute later that of its successor.
    TwoFaults,
    /// The monitor's machine loses its power.
    MonitorAway,
}

impl FaultKind {
    pub const ALL: [Self; 7] = [
        Self::MachineKilled,
        Self::Cut,
        Self::Frozen,
        Self::PostgresKilled,
        Self::Switch,
        Self::TwoFaults,
        Self::MonitorAway,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::MachineKilled => "machine killed",
            Self::Cut => "machine cut off",
            Self::Frozen => "machine frozen",
            Self::PostgresKilled => "Postgres alone killed",
            Self::Switch => "planned switch",
            Self::TwoFaults => "two machines killed",
            Self::MonitorAway => "monitor away",
        }
    }

    /// Brings it about, waits until students are saved again, and lets machines come back.
    pub async fn commit(
        self,
        database: &mut FailoverDatabase,
        witness: &SavedWitness,
        is_asynchronous: bool,
    ) -> Result<(), Failure> {
        let primary = database.primary().await?;
        if is_asynchronous {
            database.node(primary)?.hold_back_log();
            sleep(HELD_BACK).await;
        }
        let begun = Instant::now();
        match self {
            Self::MachineKilled => {
                database.node(primary)?.kill().await?;
                until_saved(witness).await?;
                sleep_until(begun + AWAY).await;
                database.node(primary)?.come_back()
            }
            Self::Cut => {
                database.node(primary)?.cut()?;
                until_saved(witness).await?;
                sleep_until(begun + AWAY).await;
                database.node(primary)?.put_in_plug()
            }
            Self::Frozen => {
                database.node(primary)?.freeze().await;
                until_saved(witness).await?;
                sleep_until(begun + FROZEN).await;
                database.node(primary)?.thaw();
                Ok(())
            }
            Self::PostgresKilled => {
                database.node(primary)?.kill_postgres()?;
                until_saved(witness).await
            }
            Self::Switch => {
                database.switch().await?;
                until_saved(witness).await
            }
            Self::TwoFaults => kill_both(database, witness, primary).await,
            Self::MonitorAway => {
                database.monitor().kill().await?;
                sleep(MONITOR_AWAY).await;
                database.monitor().come_back()
            }
        }
    }
}

/// Whoever is the primary then is killed whether or not the first one has everything again. If it has not, nobody can
/// take over until the second one is back.
async fn kill_both(database: &mut FailoverDatabase, witness: &SavedWitness, primary: usize) -> Result<(), Failure> {
    let begun = Instant::now();
    database.node(primary)?.kill().await?;
    until_saved(witness).await?;
    database.node(primary)?.come_back()?;
    sleep_until(begun + APART).await;
    let successor = 1 - primary;
    database.node(successor)?.kill().await?;
    sleep(AWAY).await;
    database.node(successor)?.come_back()?;
    until_saved(witness).await
}

async fn until_saved(witness: &SavedWitness) -> Result<(), Failure> {
    let since = Instant::now() + ON_THEIR_WAY;
    while !witness.has_heard_since(since) {
        if Instant::now() > since + SAVED_WITHIN {
            return Err(format!("nothing was saved for {} s", SAVED_WITHIN.as_secs()).into());
        }
        sleep(POLL_INTERVAL).await;
    }
    Ok(())
}
