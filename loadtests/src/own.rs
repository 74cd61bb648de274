//! `--own`: a scenario on a Postgres, a Redis and a server of its own, several times, with what it is compared with in
//! the same run, and with what the machine was busy with.

mod baselines;
mod busy;
mod children;
mod figures;
pub mod services;

use crate::failure::Failure;
use crate::fleet::{Fleet, ServerProgram};
use crate::output;
use crate::scenario::bank::{BankRequests, bank_path};
use crate::table::{Row, figure};
use busy::BusySamples;
use clap::Parser;
use figures::Figures;
use services::{OwnServices, PostgresUsage};
use std::path::{Path, PathBuf};
use tokio::process::Command;

/// Where a scenario writes the rows of its table, for the program that runs it.
pub const ROWS_FILE: &str = "LOADTESTS_ROWS_FILE";

const DATABASE: &str = "own";
const MEBIBYTE: f64 = 1_048_576.0;
/// The scenario of which the limits on addresses are a part.
const LIMITED_SCENARIO: &str = "school";
/// The grade whose questions nginx sends too.
const COMPARED_GRADE: u8 = 5;

/// Runs a scenario on services of its own.
#[derive(Parser)]
#[command(name = "loadtests --own")]
pub struct OwnCli {
    #[arg(long, hide = true)]
    own: bool,
    /// How often the scenario is run, each time on an empty database; the table has the medians.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=99))]
    runs: u8,
    /// A file for all figures as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// The server's program.
    #[arg(long, default_value = "target/dist/examhall")]
    program: PathBuf,
    /// Leaves out what the scenario is compared with.
    #[arg(long)]
    no_baselines: bool,
    /// The scenario and its options, without `--url`.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    scenario: Vec<String>,
}

/// Runs the scenario. It passes when every run has.
pub async fn run(options: &OwnCli) -> Result<bool, Failure> {
    let services = OwnServices::start().await?;
    let (mut figures, mut passed) = (Figures::default(), true);
    for run in 0..options.runs {
        output::progress(&format!("Run {} of {}", run + 1, options.runs));
        let (rows, has_passed) = run_once(options, &services, run).await?;
        passed &= has_passed;
        figures.add(&rows);
    }
    if options.runs > 1 {
        output::remark("Medians:");
        output::print_rows(&figures.medians(), passed);
    }
    if let Some(path) = &options.json {
        std::fs::write(path, figures.json(&options.scenario, passed)?)?;
    }
    Ok(passed)
}

async fn run_once(options: &OwnCli, services: &OwnServices, run: u8) -> Result<(Vec<Row>, bool), Failure> {
    let database_url = services.empty_database(DATABASE).await?;
    let redis_url = services.redis_url(run);
    let mut program = ServerProgram::of(&options.program, &database_url, &redis_url)?;
    if options.scenario.first().is_some_and(|scenario| scenario == LIMITED_SCENARIO) {
        program = program.limiting_addresses();
    }
    let fleet = Fleet::start(program, 1).await?;
    let token = fleet.admin_token().await?;
    let address = fleet.addresses().pop().unwrap_or_default();
    let rows_file = services.folder().join("rows.json");
    let (before, samples) = (services.usage(DATABASE).await?, BusySamples::begin());
    let status = Command::new(std::env::current_exe()?)
        .args(&options.scenario)
        .env("EXAMHALL_URL", format!("http://{address}"))
        .env("EXAMHALL_TOKEN", token)
        .env("DATABASE_URL", &database_url)
        .env("REDIS_URL", &redis_url)
        .env(ROWS_FILE, &rows_file)
        .kill_on_drop(true)
        .status()
        .await?;
    let mut rows = read_rows(&rows_file).unwrap_or_default();
    let mut compared = vec![("saturated first".to_owned(), samples.end())];
    compared.extend(postgres_rows(&before, &services.usage(DATABASE).await?));
    let bank = BankRequests::new(address.parse()?, &bank_path(COMPARED_GRADE)).compressed().await?;
    // What is compared has the machine to itself.
    drop(fleet);
    if !options.no_baselines {
        compared.extend(baselines::run(&options.scenario, services, &rows, &bank).await?);
    }
    output::print_more(&compared);
    rows.extend(compared);
    Ok((rows, status.success()))
}

fn postgres_rows(before: &PostgresUsage, after: &PostgresUsage) -> [Row; 3] {
    [
        figure("Postgres: CPU", Some(after.processor.saturating_sub(before.processor).as_secs_f64()), " s"),
        figure("Postgres: write-ahead log", Some((after.wal_bytes - before.wal_bytes) / MEBIBYTE), " MiB"),
        figure("Postgres: database grown by", Some((after.stored_bytes - before.stored_bytes) / MEBIBYTE), " MiB"),
    ]
}

fn read_rows(path: &Path) -> Result<Vec<Row>, Failure> {
    let rows = serde_json::from_slice(&std::fs::read(path)?)?;
    std::fs::remove_file(path)?;
    Ok(rows)
}
