//! The command line: one subcommand for each scenario, so that a scenario never parses arguments or builds a runtime.

mod balancer;
mod begun_exam;
mod calendar_rows;
mod capacity;
mod check;
mod cohort;
mod commands;
mod database_proxy;
mod failover_database;
mod failure;
mod fleet;
mod frames;
mod graded_tests;
mod http_message;
mod ledger;
mod machine;
mod metrics;
mod ordering_proctor;
mod output;
mod own;
mod own_storage;
mod paper_shelf;
mod patient_caller;
mod probes;
mod reconnecting_seats;
mod reconnecting_student;
mod round_student;
mod saved_witness;
mod scenario;
mod seat;
mod seats;
mod seen_bytes;
mod server;
mod signed_receipts;
mod sitting_admin;
mod slips;
mod socket;
mod table;
mod tally;
mod test_client;
mod told_receiver;
mod waiting_candidate;
mod waiting_frames;
mod wall_clock;
mod watcher;
mod webhook_receiver;
mod written_pages;

use capacity::Capacity;
use clap::{Args, Parser, Subcommand};
use failure::Failure;
use own::OwnCli;
use scenario::storm::{self, Storm, StormOptions};
use scenario::{
    autosave, bank, calendar, corrections, dying_database, failover, import, items, memory, mixed, proctor, reports,
    rounds, school, sessions, sitting, upgrade, webhooks,
};
use server::Server;
use std::process::ExitCode;

// Ten thousand seats keep small buffers for the whole run, which mimalloc stores with little overhead.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Load scenarios against a running Exam Hall.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    scenario: Scenario,
}

#[derive(Subcommand)]
enum Scenario {
    /// Students who answer, each on their own socket; every saved value is compared with what the server stores.
    Autosave {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: autosave::AutosaveOptions,
    },
    /// Clients who read the questions of a grade, whole and unmodified; measures what a request costs.
    Bank {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: bank::BankOptions,
    },
    /// Teachers who request the statistics of many stored tests at once; every figure is checked.
    Items {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: items::ItemsOptions,
    },
    /// A key that is corrected for many stored tests, and taken back, beside students and kills; measures until all
    /// have followed, and what students notice.
    Corrections {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: corrections::CorrectionsOptions,
    },
    /// What an exam of many students needs, reckoned from measured costs; it needs no server.
    Capacity(capacity::CapacityOptions),
    /// A visitor who requests lists of many events, one after another; totals are checked.
    Calendar {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: calendar::CalendarOptions,
    },
    /// An admin who imports one large workbook; measures the time and the server's peak memory.
    Import {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: import::ImportOptions,
    },
    /// What a seat costs the server's memory, and whether it comes back when all have handed in.
    Memory {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: memory::MemoryOptions,
    },
    /// PDF reports: what one costs, and what fifty at once cost students who sit an exam.
    Reports {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: reports::ReportsOptions,
    },
    /// Proctors who watch a room of thousands; measures how old the rows are that they see, and what they cost
    /// students.
    Proctor {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: proctor::ProctorOptions,
    },
    /// Three servers, started by the scenario, that are killed in turn under load; nothing may be lost or stored twice.
    Failover {
        /// Worker threads of the generator.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
        threads: u16,
        #[command(flatten)]
        options: failover::FailoverOptions,
    },
    /// A Postgres with a standby, started by the scenario, whose machines die, hang and are cut off under load; nothing
    /// may be lost.
    DyingDatabase {
        /// Worker threads of the generator.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
        threads: u16,
        #[command(flatten)]
        options: dying_database::DyingDatabaseOptions,
    },
    /// A server, started by the scenario, that is killed again and again while results change; each receipt, version
    /// and event must be right in the end.
    Rounds {
        /// Worker threads of the generator.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
        threads: u16,
        #[command(flatten)]
        options: rounds::RoundsOptions,
    },
    /// An exam day with everything at once: students, readers of banks, finished tests, reports and proctors.
    Mixed {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: mixed::MixedOptions,
    },
    /// A whole school that comes to a sitting within a minute, while pupils and strangers guess access codes.
    School {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: school::SchoolOptions,
    },
    /// Clients who hand in finished tests as fast as they are answered.
    Sessions {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: sessions::SessionsOptions,
    },
    /// A database from before results had versions, full of finished tests, that is brought up to date.
    Upgrade(upgrade::UpgradeOptions),
    /// Receivers of webhooks who are told of finished tests: as many as wait, and at a steady pace.
    Webhooks {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: webhooks::WebhooksOptions,
    },
    /// Students who all start their tests at one moment.
    StartStorm {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: StormOptions,
    },
    /// Students who all lose their sockets and come back at one moment.
    ReconnectStorm {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: StormOptions,
    },
    /// Students who all hand in at one moment.
    SubmitStorm {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: StormOptions,
    },
    /// Candidates who enter a sitting, wait with the sealed paper and begin at one moment; another sitting runs beside
    /// it.
    Sitting {
        #[command(flatten)]
        target: Target,
        #[command(flatten)]
        options: sitting::SittingOptions,
    },
}

#[derive(Args)]
struct Target {
    /// URL of the server; plain HTTP only.
    #[arg(long, env = "EXAMHALL_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// Worker threads of the generator, which shares the machine with the server.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

fn main() -> ExitCode {
    let passed = if std::env::args().nth(1).is_some_and(|first| first == "--own") {
        let options = OwnCli::parse();
        with_fleet(1, async || own::run(&options).await)
    } else {
        run(Cli::parse().scenario)
    };
    match passed {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            output::failure(failure.as_ref());
            ExitCode::FAILURE
        }
    }
}

fn run(scenario: Scenario) -> Result<bool, Failure> {
    match scenario {
        Scenario::Autosave { target, options } => {
            on_server(&target, async |server| autosave::run(server, &options).await)
        }
        Scenario::Bank { target, options } => on_server(&target, async |server| bank::run(&server, &options).await),
        Scenario::Items { target, options } => on_server(&target, async |server| items::run(&server, &options).await),
        Scenario::Corrections { target, options } => {
            with_fleet(target.threads, async || corrections::run(&target.url, &options).await)
        }
        Scenario::Capacity(options) => {
            output::print_more(&Capacity::of(&options, &capacity::MEASURED).rows());
            Ok(true)
        }
        Scenario::Calendar { target, options } => {
            on_server(&target, async |server| calendar::run(&server, &options).await)
        }
        Scenario::Import { target, options } => on_server(&target, async |server| import::run(&server, &options).await),
        Scenario::Reports { target, options } => {
            on_server(&target, async |server| reports::run(server, &options).await)
        }
        Scenario::Proctor { target, options } => {
            on_server(&target, async |server| proctor::run(server, &options).await)
        }
        Scenario::Failover { threads, options } => with_fleet(threads, async || failover::run(&options).await),
        Scenario::DyingDatabase { threads, options } => {
            with_fleet(threads, async || dying_database::run(&options).await)
        }
        Scenario::Rounds { threads, options } => with_fleet(threads, async || rounds::run(&options).await),
        Scenario::School { target, options } => on_server(&target, async |server| school::run(server, &options).await),
        Scenario::Sessions { target, options } => {
            on_server(&target, async |server| sessions::run(&server, &options).await)
        }
        Scenario::Memory { target, options } => on_server(&target, async |server| memory::run(server, &options).await),
        Scenario::Upgrade(options) => with_fleet(1, async || upgrade::run(&options).await),
        Scenario::Webhooks { target, options } => {
            on_server(&target, async |server| webhooks::run(&server, &options).await)
        }
        Scenario::Mixed { target, options } => on_server(&target, async |server| mixed::run(server, &options).await),
        Scenario::StartStorm { target, options } => with_storm(&target, Storm::Start, &options),
        Scenario::ReconnectStorm { target, options } => with_storm(&target, Storm::Reconnect, &options),
        Scenario::SubmitStorm { target, options } => with_storm(&target, Storm::Submit, &options),
        Scenario::Sitting { target, options } => {
            with_fleet(target.threads, async || sitting::run(&target.url, &options).await)
        }
    }
}

fn with_storm(target: &Target, storm: Storm, options: &StormOptions) -> Result<bool, Failure> {
    on_server(target, async |server| storm::run(server, storm, options).await)
}

fn on_server(target: &Target, scenario: impl AsyncFnOnce(Server) -> Result<bool, Failure>) -> Result<bool, Failure> {
    runtime(target.threads)?.block_on(async {
        let server = Server::at(&target.url).await?;
        scenario(server).await
    })
}

/// Runs a scenario that may have servers of its own, which end with it when it is interrupted.
fn with_fleet(threads: u16, scenario: impl AsyncFnOnce() -> Result<bool, Failure>) -> Result<bool, Failure> {
    runtime(threads)?.block_on(async {
        tokio::select! {
            result = scenario() => result,
            signal = fleet::interrupted() => Err(signal.err().unwrap_or_else(|| "interrupted".into())),
        }
    })
}

fn runtime(threads: u16) -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(usize::from(threads)).enable_all().build()?)
}
