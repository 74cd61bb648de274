//! The sessions scenario: clients hand in finished tests as fast as the server answers.

use crate::failure::Failure;
use crate::machine::ProcessorTicks;
use crate::metrics::ServerReading;
use crate::output;
use crate::server::Server;
use crate::table::{count, figure, latency};
use crate::tally::Times;
use crate::test_client::{HandingIn, TestClient, bank, test};
use clap::Args;
use std::time::Duration;
use tokio::time::Instant;

#[derive(Args)]
pub struct SessionsOptions {
    /// Connections, each with one request at a time.
    #[arg(long, default_value_t = 128, value_parser = clap::value_parser!(u16).range(1..=4_096))]
    connections: u16,
    /// Length of the run in seconds.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Tests a second, of all connections together; 0 for as many as the server takes.
    #[arg(long, default_value_t = 0)]
    rate: u32,
    /// Sends each test with an `Idempotency-Key` of its own.
    #[arg(long)]
    keys: bool,
    /// Grade of the tests.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
}

/// Runs the scenario. It passes when every test was stored.
pub async fn run(server: &Server, options: &SessionsOptions) -> Result<bool, Failure> {
    let bank = bank(server, options.grade).await?;
    let answered = Times::new()?;
    let begun = Instant::now();
    let plan = HandingIn {
        connections: options.connections,
        rate: options.rate,
        begun,
        end: begun + Duration::from_secs(options.seconds.into()),
        tests_max: u64::MAX,
    };
    let (before, ticks) = (ServerReading::take(server).await, ProcessorTicks::take());
    let handed_in = plan.run(&answered, |number| TestClient {
        address: server.address(),
        body: test(&bank, options.grade, number, None).to_string(),
        keys: options.keys.then_some(number),
        told: None,
    });
    let handed_in = handed_in.await;
    let took = begun.elapsed().as_secs_f64();
    let (after, busy) = (ServerReading::take(server).await, ProcessorTicks::take());
    let stored = handed_in.stored;
    let cpu = after.cpu_seconds.zip(before.cpu_seconds).map(|(after, before)| (after - before) / stored.max(1) as f64);
    let used = ticks.zip(busy).and_then(|(before, after)| after.since(before)).map(|(busy, _)| busy);
    let passed = handed_in.refused + handed_in.failed == 0 && stored > 0;
    let rows = [
        count("tests stored", stored),
        figure("tests a second", Some(stored as f64 / took), ""),
        latency("answered within", answered.percentiles()),
        figure("server CPU a test", cpu.map(|seconds| seconds * 1e6), " µs"),
        figure("processors busy", used, " %"),
        count("refused", handed_in.refused),
        count("failed", handed_in.failed),
    ];
    output::print_rows(&rows, passed);
    Ok(passed)
}
