//! The dying-database scenario: a primary and its standby of pg_auto_failover, one of which is killed, frozen, cut off
//! or replaced again and again while students save and a proctor gives orders. Whatever was acknowledged must be in the
//! rows of the database, and nobody may wait longer than the bounds say.

mod fault;
mod findings;
mod live_exam;
mod stored_rows;

use crate::database_proxy::DatabaseProxy;
use crate::failover_database::{FailoverDatabase, FailoverPlan};
use crate::failure::Failure;
use crate::fleet::{Fleet, ServerProgram};
use crate::output;
use crate::reconnecting_seats;
use crate::reconnecting_student::ReconnectingStudent;
use crate::seats;
use clap::Args;
use fault::FaultKind;
use findings::{EndFindings, FaultFigures, Findings};
use live_exam::LiveExam;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;
use stored_rows::StoredRows;
use tokio::time::{Instant, sleep};

/// Most faults of one run: tests last seventy minutes, and a fault takes up to one.
const FAULTS_MAX: usize = 60;
/// The pause before each fault, in which nothing happens.
const QUIET: Duration = Duration::from_secs(3);
/// Longest wait for the webhook of every test.
const TOLD_WITHIN: Duration = Duration::from_secs(90);
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The only server.
const SERVER: usize = 0;
/// How the refusal of a server that requires a synchronous standby begins.
const REFUSAL: &str = "REQUIRE_SYNC_STANDBY";

#[derive(Args)]
pub struct DyingDatabaseOptions {
    /// Students, each with a WebSocket and a test of their own.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    seats: u32,
    /// Commands a second for each student.
    #[arg(long, default_value_t = 1.0, value_parser = seats::pace)]
    pace: f64,
    /// Longest wait in seconds before a student who lost the socket reconnects; each waits a random part of it.
    #[arg(long, default_value_t = 0.5, value_parser = seconds)]
    jitter: f64,
    /// How often the primary's machine loses its power.
    #[arg(long, default_value_t = 2)]
    machine_killed: u8,
    /// How often the primary's machine is cut off from the network; left out where machines have no network of their
    /// own.
    #[arg(long, default_value_t = 1)]
    cut: u8,
    /// How often the primary's machine hangs for a while.
    #[arg(long, default_value_t = 1)]
    frozen: u8,
    /// How often Postgres alone is killed.
    #[arg(long, default_value_t = 1)]
    postgres_killed: u8,
    /// How often the primary is changed as planned.
    #[arg(long, default_value_t = 1)]
    switch: u8,
    /// Kills the primary's machine, and within a minute that of its successor.
    #[arg(long)]
    two_faults: bool,
    /// Kills the machine of the monitor.
    #[arg(long)]
    monitor_away: bool,
    /// Shows that the trial can fail: with an asynchronous standby something must be lost, and a server that requires a
    /// synchronous one must refuse to start. Machines are killed, and nothing else.
    #[arg(long)]
    asynchronous: bool,
    /// Puts the shipped HAProxy between the server and the database, instead of naming both hosts.
    #[arg(long)]
    haproxy: bool,
    /// Lets root's machines share loopback, as those of other users do, instead of a network namespace for each.
    #[arg(long)]
    loopback: bool,
    /// Longest time in seconds without anything saved.
    #[arg(long, default_value_t = 15.0, value_parser = seconds)]
    gap_max: f64,
    /// The same, for planned switches.
    #[arg(long, default_value_t = 6.0, value_parser = seconds)]
    switch_gap_max: f64,
    /// The same, when Postgres alone is killed, and when the monitor is away.
    #[arg(long, default_value_t = 4.0, value_parser = seconds)]
    postgres_gap_max: f64,
    /// Longest time in seconds until there is a standby that has everything again.
    #[arg(long, default_value_t = 180.0, value_parser = seconds)]
    whole_within: f64,
    /// The server's program.
    #[arg(long, default_value = "target/dist/examhall")]
    server: PathBuf,
    /// The folder with the settings of pg_auto_failover and HAProxy.
    #[arg(long, default_value = "deploy")]
    deploy: PathBuf,
    /// A folder for the logs of the database's machines.
    #[arg(long)]
    logs: Option<PathBuf>,
}

/// Runs the scenario and prints its table. It passes when nothing was lost, and with an asynchronous standby when
/// something was.
pub async fn run(options: &DyingDatabaseOptions) -> Result<bool, Failure> {
    seats::open_files_for(options.seats as usize)?;
    output::progress("Making the database");
    let mut database = FailoverDatabase::start(&options.plan()).await?;
    let faults = options.faults(database.has_namespaces())?;
    let shipped = options.deploy.join("haproxy-database.cfg");
    let proxy = options.haproxy.then(|| DatabaseProxy::before(&database.addresses(), &shipped)).transpose()?;
    let url = proxy.as_ref().map_or_else(|| database.url(), DatabaseProxy::url);
    let program = || ServerProgram::of(&options.server, &url, "");
    let mut findings = Findings { has_namespaces: database.has_namespaces(), ..Findings::default() };
    let program = if options.asynchronous {
        database.make_asynchronous().await?;
        let refusal = program()?.requiring_standby().refusal().await?;
        findings.is_refused = Some(refusal.is_some_and(|said| said.contains(REFUSAL)));
        program()?
    } else {
        program()?.requiring_standby()
    };
    let mut fleet = Fleet::start(program, 1).await?;
    let jitter = Duration::from_secs_f64(options.jitter);
    let mut exam = LiveExam::begin(&fleet, options.seats, options.pace, jitter).await?;
    findings.broken = options.go_through(&faults, &mut database, &exam, &mut findings.faults).await.err();
    findings.sockets_lost = exam.tally.reconnect_times.count();
    let students = exam.end().await;
    if findings.broken.is_none() {
        findings.failed_requests = failed_requests(&fleet).await;
        match end(&mut fleet, &database, &exam, students).await {
            Ok(end) => findings.end = Some(end),
            Err(failure) => findings.broken = Some(format!("the end: {failure}")),
        }
        findings.failed_requests += failed_requests(&fleet).await;
    }
    findings.failed_requests += exam.proctor.take_faults().len() as u64;
    Ok(findings.print(options, &exam))
}

impl DyingDatabaseOptions {
    fn plan(&self) -> FailoverPlan<'_> {
        let programs: &[&str] = if self.haproxy { &["haproxy"] } else { &[] };
        FailoverPlan { deploy: &self.deploy, is_loopback: self.loopback, logs: self.logs.as_deref(), programs }
    }

    /// What is to happen, in this order.
    fn faults(&self, can_cut: bool) -> Result<Vec<FaultKind>, Failure> {
        let number = |kind: &FaultKind| match kind {
            FaultKind::MachineKilled => self.machine_killed,
            _ if self.asynchronous => 0,
            FaultKind::Cut => {
                if can_cut {
                    self.cut
                } else {
                    0
                }
            }
            FaultKind::Frozen => self.frozen,
            FaultKind::PostgresKilled => self.postgres_killed,
            FaultKind::Switch => self.switch,
            FaultKind::TwoFaults => u8::from(self.two_faults),
            FaultKind::MonitorAway => u8::from(self.monitor_away),
        };
        let times = |kind: FaultKind| std::iter::repeat_n(kind, usize::from(number(&kind)));
        let faults: Vec<FaultKind> = FaultKind::ALL.into_iter().flat_map(times).collect();
        if faults.is_empty() || faults.len() > FAULTS_MAX {
            return Err(format!("{} faults: there must be 1 to {FAULTS_MAX} in one run", faults.len()).into());
        }
        Ok(faults)
    }

    /// The longest time without anything saved; `None` when nobody can promise any.
    fn bound(&self, kind: FaultKind) -> Option<Duration> {
        let seconds = match kind {
            FaultKind::MachineKilled | FaultKind::Cut | FaultKind::Frozen => self.gap_max,
            FaultKind::PostgresKilled | FaultKind::MonitorAway => self.postgres_gap_max,
            FaultKind::Switch => self.switch_gap_max,
            FaultKind::TwoFaults => return None,
        };
        Some(Duration::from_secs_f64(seconds))
    }

    /// Lets one thing happen after another. The error says which one could not be got over.
    async fn go_through(
        &self,
        faults: &[FaultKind],
        database: &mut FailoverDatabase,
        exam: &LiveExam,
        figures: &mut Vec<FaultFigures>,
    ) -> Result<(), String> {
        for (number, kind) in (1..).zip(faults) {
            output::progress(&format!("{number} of {}: {}", faults.len(), kind.name()));
            let figure = self.go_through_one(*kind, database, exam).await;
            let figure = figure.map_err(|failure| format!("{}: {failure}", kind.name()))?;
            output::progress(&figure.in_words());
            figures.push(figure);
        }
        Ok(())
    }

    async fn go_through_one(
        &self,
        kind: FaultKind,
        database: &mut FailoverDatabase,
        exam: &LiveExam,
    ) -> Result<FaultFigures, Failure> {
        sleep(QUIET).await;
        exam.witness.begin(Instant::now());
        kind.commit(database, &exam.witness, self.asynchronous).await?;
        let whole = database.wait_until_whole(Duration::from_secs_f64(self.whole_within)).await?;
        let gap = exam.witness.longest(Instant::now());
        // Asked before the rows are read, which are therefore as new at least.
        let (acknowledged, orders) = (exam.witness.highest(), exam.proctor.take_new());
        let rows = StoredRows::of(&database.primary_url().await?).await?;
        let lost = rows.lost_values(&acknowledged).await?;
        let lost_orders = rows.lost_orders(&orders).await?;
        rows.close().await?;
        exam.witness.forget(&lost);
        Ok(FaultFigures { kind, gap, whole, lost: lost.len() as u64, lost_orders })
    }
}

/// Ends the server, so that nothing is in its memory, and compares; then hands in every test and compares again.
async fn end(
    fleet: &mut Fleet,
    database: &FailoverDatabase,
    exam: &LiveExam,
    mut students: Vec<ReconnectingStudent>,
) -> Result<EndFindings, Failure> {
    let unanswered = students.iter().map(|student| student.ledger.in_flight() as u64).sum();
    fleet.kill(SERVER).await?;
    fleet.restart(SERVER).await?;
    output::progress(&format!("Comparing what {} students know with what is stored", students.len()));
    let comparison = reconnecting_seats::compare(&students, &fleet.servers, &exam.tally).await;
    output::progress("Handing in");
    reconnecting_seats::submit_all(&mut students, &exam.tally).await;
    let (told, events) = told(exam, students.len()).await;
    let rows = StoredRows::of(&database.primary_url().await?).await?;
    let minutes = rows.compare_minutes(&students, &exam.proctor.orders()).await?;
    let sessions = rows.sessions(&students).await?;
    let wrong_answers = rows.wrong_answers(&students).await?;
    rows.close().await?;
    Ok(EndFindings { unanswered, comparison, minutes, sessions, wrong_answers, told, events })
}

/// Waits for the events of all tests. Returns of how many versions receivers were told, and under how many ids.
async fn told(exam: &LiveExam, tests: usize) -> (u64, u64) {
    let limit = Instant::now() + TOLD_WITHIN;
    loop {
        let mut ids = BTreeMap::<(String, u32), BTreeSet<String>>::new();
        for event in exam.receiver.received() {
            if let (Some(session_id), Some(version)) = (event.session_id, event.version) {
                ids.entry((session_id, version)).or_default().insert(event.id);
            }
        }
        if ids.len() >= tests || Instant::now() > limit {
            return (ids.len() as u64, ids.values().map(|ids| ids.len() as u64).sum());
        }
        sleep(POLL_INTERVAL).await;
    }
}

/// The requests that were answered with 500 so far, by the servers' own count.
async fn failed_requests(fleet: &Fleet) -> u64 {
    let mut failed = 0;
    for server in fleet.servers.members() {
        failed += failed_in(&server.metrics().await.unwrap_or_default());
    }
    failed
}

fn failed_in(metrics: &str) -> u64 {
    let lines = metrics.lines().filter(|line| line.contains("status=\"500\""));
    lines.filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok()).sum::<f64>() as u64
}

fn seconds(text: &str) -> Result<f64, String> {
    seats::number_within(text, 0.0, 600.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: DyingDatabaseOptions,
    }

    fn options(words: &[&str]) -> DyingDatabaseOptions {
        Line::parse_from([&["loadtests"][..], words].concat()).options
    }

    #[test]
    fn faults_come_one_kind_after_another() {
        let few = options(&["--switch", "0", "--monitor-away"]);
        let [killed, frozen] = [FaultKind::MachineKilled, FaultKind::Frozen];
        let rest = [FaultKind::PostgresKilled, FaultKind::MonitorAway];
        assert_eq!(few.faults(true).unwrap(), [&[killed, killed, FaultKind::Cut, frozen][..], &rest].concat());
        assert_eq!(few.faults(false).unwrap(), [&[killed, killed, frozen][..], &rest].concat());
        assert_eq!(options(&["--asynchronous", "--cut", "5"]).faults(true).unwrap(), [killed, killed]);
        assert!(options(&["--machine-killed", "100"]).faults(true).is_err());
        assert!(options(&["--asynchronous", "--machine-killed", "0"]).faults(true).is_err());
    }

    #[test]
    fn failed_requests_are_those_with_500() {
        let metrics = "examhall_http_requests_total{status=\"200\"} 7\nexamhall_http_requests_total{route=\"/a\",status=\"500\"} 2\n\
            examhall_http_requests_total{route=\"/b\",status=\"500\"} 1\n";
        assert_eq!((failed_in(metrics), failed_in("")), (3, 0));
    }
}
