//! The command line: one subcommand and one function for each scenario, so that a scenario never parses arguments or builds a runtime.

mod autosave;
mod check;
mod drawn;
mod habits;
mod import;
mod items;
mod ledger;
mod metrics;
mod report;
mod seat;
mod server;
mod socket;
mod table;
mod tally;
mod wire;

use clap::{Args, Parser, Subcommand};
use std::error::Error;
use std::process::ExitCode;

/// What stops a scenario before it has a result; always said in one sentence.
type Failure = Box<dyn Error + Send + Sync>;

// Ten thousand small read and write buffers that live as long as the run: an allocator that keeps them apart cheaply.
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
    /// Students who answer, each on a socket of their own; every saved value is compared with what the server kept.
    Autosave {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        options: autosave::Options,
    },
    /// Teachers who ask for the statistics of many stored tests, all at once; every figure is compared with what was stored.
    Items {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        options: items::Options,
    },
    /// An admin who imports one large workbook: seconds, and the most memory that the server used.
    Import {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        options: import::Options,
    },
}

/// Where the load goes, and on how many threads it is made.
#[derive(Args)]
struct Place {
    /// Address of the server, as plain HTTP.
    #[arg(long, env = "EXAMHALL_URL", default_value = "http://127.0.0.1:8080")]
    url: String,
    /// Worker threads of the generator; it shares the machine with what it measures.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

fn main() -> ExitCode {
    let passed = match Cli::parse().scenario {
        Scenario::Autosave { place, options } => autosave(&place, &options),
        Scenario::Items { place, options } => items(&place, &options),
        Scenario::Import { place, options } => import(&place, &options),
    };
    match passed {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            report::failure(failure.as_ref());
            ExitCode::FAILURE
        }
    }
}

fn autosave(place: &Place, options: &autosave::Options) -> Result<bool, Failure> {
    runtime(place.threads)?.block_on(async {
        let server = server::Server::at(&place.url).await?;
        autosave::run(server, options).await
    })
}

fn items(place: &Place, options: &items::Options) -> Result<bool, Failure> {
    runtime(place.threads)?.block_on(async {
        let server = server::Server::at(&place.url).await?;
        items::run(&server, options).await
    })
}

fn import(place: &Place, options: &import::Options) -> Result<bool, Failure> {
    runtime(place.threads)?.block_on(async {
        let server = server::Server::at(&place.url).await?;
        import::run(&server, options).await
    })
}

fn runtime(threads: u16) -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(usize::from(threads)).enable_all().build()?)
}
