//! Acts and measurements around T0: servers are broken, the sitting is begun, and the work of servers, database and
//! processors is counted.

use super::SittingOptions;
use super::site::Site;
use crate::failure::Failure;
use crate::machine::{ProcessorTicks, own_processor_time};
use crate::metrics::ServerReading;
use crate::output;
use crate::sitting_admin::{PlannedSitting, SittingAdmin, SittingStart};
use crate::tally::Tally;
use crate::written_pages::{LogPosition, Written};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// How long before T0 a server is killed and another one is frozen.
const BREAK_BEFORE: Duration = Duration::from_millis(50);
/// How long before T0 the figures are read with which those after it are compared. A beginning by an order comes right
/// after it.
const READ_BEFORE: Duration = Duration::from_millis(20);
/// Until when after T0 what was written is counted: while all begin, and until the first answers come. Afterwards the
/// answers are counted too, and what the servers note of the beginning when there is time.
const WRITTEN_UNTIL: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(1)];
/// For how long after T0 requests are counted.
const COUNTED: Duration = Duration::from_secs(10);
/// When a frozen server goes on.
const THAW_AFTER: Duration = Duration::from_secs(8);

pub struct StartMeasures {
    /// What was written from just before T0 until so long after it; empty where it is not measured.
    pub written: Vec<(Duration, Written)>,
    pub first_second: Load,
    pub first_ten: Load,
}

/// The work of a span of time.
pub struct Load {
    pub seconds: f64,
    pub requests: Option<f64>,
    pub commands: Option<f64>,
    /// Percent of one core.
    pub server_cpu: Option<f64>,
    pub generator_cpu: Option<f64>,
    /// Percent of all processors, and what they waited for disks.
    pub machine: Option<(f64, f64)>,
}

/// The figures at one moment.
struct Figures {
    at: Instant,
    server: ServerReading,
    generator_cpu: Option<Duration>,
    ticks: Option<ProcessorTicks>,
}

impl StartMeasures {
    /// Begins the sitting at `starts_at`, unless the clock does, and measures.
    pub async fn take(
        site: &mut Site,
        options: &SittingOptions,
        admin: &SittingAdmin<'_>,
        sitting: &PlannedSitting,
        starts_at: Instant,
        tally: &Tally,
    ) -> Result<Self, Failure> {
        sleep_until(starts_at - BREAK_BEFORE - Duration::from_millis(50)).await;
        let before = Figures::take(site).await;
        sleep_until(starts_at - BREAK_BEFORE).await;
        if options.outage {
            site.break_servers().await?;
        }
        sleep_until(starts_at - READ_BEFORE).await;
        let from = position(site).await?;
        if options.start == SittingStart::Proctor {
            admin.begin(sitting).await?;
        }
        let mut positions = Vec::new();
        for until in WRITTEN_UNTIL {
            sleep_until(starts_at + until).await;
            positions.push((until, position(site).await?));
        }
        let second = Figures::take(site).await;
        if options.outage {
            sleep_until(starts_at + THAW_AFTER).await;
            site.thaw().await?;
            output::progress("The frozen server goes on");
        }
        sleep_until(starts_at + COUNTED).await;
        positions.push((COUNTED, position(site).await?));
        let tenth = Figures::take(site).await;
        let mut written = Vec::new();
        for (until, to) in positions {
            if let (Some(database), Some(from), Some(to)) = (&site.database, &from, &to) {
                match database.between(from, to).await {
                    Ok(found) => written.push((until, found)),
                    Err(_) => tally.error("database: the log cannot be read"),
                }
            }
        }
        Ok(Self { written, first_second: before.until(&second), first_ten: before.until(&tenth) })
    }
}

async fn position(site: &Site) -> Result<Option<LogPosition>, Failure> {
    match &site.database {
        Some(database) => database.position().await.map(Some),
        None => Ok(None),
    }
}

impl Figures {
    async fn take(site: &Site) -> Self {
        let server = site.reading().await;
        Self { at: Instant::now(), server, generator_cpu: own_processor_time(), ticks: ProcessorTicks::take() }
    }

    fn until(&self, later: &Self) -> Load {
        let seconds = (later.at - self.at).as_secs_f64();
        let grown = |before: Option<f64>, after: Option<f64>| Some(after? - before?);
        let generator =
            later.generator_cpu.zip(self.generator_cpu).and_then(|(after, before)| after.checked_sub(before));
        Load {
            seconds,
            requests: grown(self.server.requests, later.server.requests),
            commands: grown(self.server.commands, later.server.commands),
            server_cpu: grown(self.server.cpu_seconds, later.server.cpu_seconds).map(|cpu| 100.0 * cpu / seconds),
            generator_cpu: generator.map(|cpu| 100.0 * cpu.as_secs_f64() / seconds),
            machine: later.ticks.zip(self.ticks).and_then(|(after, before)| after.since(before)),
        }
    }
}
