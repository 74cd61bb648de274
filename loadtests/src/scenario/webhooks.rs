//! The webhooks scenario: receivers first let all deliveries wait until many are due, and then take them as fast as
//! they come; after that tests are handed in at a steady pace, and each receiver is told of its own at once.

use crate::failure::Failure;
use crate::output;
use crate::server::Server;
use crate::table::{count, figure, latency, row};
use crate::tally::Times;
use crate::test_client::{HandedIn, HandingIn, TestClient, bank, test};
use crate::told_receiver::{ToldReceivers, ToldSessions};
use clap::Args;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};

const CONNECTIONS: u16 = 128;
const GRADE: u8 = 5;
/// Tests of which nothing is measured: the first ones open connections to the receivers.
const WARMING_TESTS: u64 = 2;
/// How long the run waits for receivers after the last test was handed in.
const TOLD_WITHIN: Duration = Duration::from_secs(120);
/// Receivers that let deliveries wait for longer would be given up by the server.
const HELD_FOR_MAX: Duration = Duration::from_secs(8);

#[derive(Args)]
pub struct WebhooksOptions {
    /// Receivers, each with an address of its own.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    hosts: u16,
    /// Milliseconds until a receiver answers.
    #[arg(long, default_value_t = 0)]
    receiver_millis: u64,
    /// One receiver more that takes connections and never answers, for one client in ten.
    #[arg(long)]
    dead_host: bool,
    /// Deliveries that become due while the receivers let them wait; 0 for none.
    #[arg(long, default_value_t = 20_000)]
    backlog: u32,
    /// Tests a second at the steady pace.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rate: u32,
    /// Length of the steady pace in seconds; 0 for none.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=3_600))]
    seconds: u32,
}

/// Runs the scenario. It passes when every test was stored, and every receiver that answers was told of each of its
/// own.
pub async fn run(server: &Server, options: &WebhooksOptions) -> Result<bool, Failure> {
    let bank = bank(server, GRADE).await?;
    let dead = if options.dead_host { Some(TcpListener::bind("127.0.0.1:0").await?) } else { None };
    let dead_url = dead.as_ref().map(TcpListener::local_addr).transpose()?.map(|at| format!("http://{at}/"));
    let delay = Duration::from_millis(options.receiver_millis);
    let mut rows = Vec::new();
    let (mut handed_in, mut told) = (HandedIn::default(), 0);
    for part in [Part::Warming, Part::Backlog(options.backlog), Part::Steady(options.rate, options.seconds)] {
        let receivers = ToldReceivers::open(options.hosts, delay).await?;
        let dead_url = dead_url.as_deref().filter(|_| matches!(part, Part::Steady(..)));
        let one = part.run(server, &bank, (&receivers, dead_url)).await?;
        told += one.told.count();
        if !matches!(part, Part::Warming) {
            rows.extend(part.rows(&one)?);
        }
        handed_in = handed_in.plus(one.handed_in);
    }
    let passed = handed_in.refused + handed_in.failed == 0 && handed_in.awaited > 0 && told == handed_in.awaited;
    rows.push(row("tests told", format!("{told} of {}", handed_in.awaited)));
    rows.push(count("refused", handed_in.refused));
    rows.push(count("failed", handed_in.failed));
    output::print_rows(&rows, passed);
    Ok(passed)
}

enum Part {
    Warming,
    /// As many deliveries as this wait, and are then taken.
    Backlog(u32),
    /// So many tests a second, for so many seconds.
    Steady(u32, u32),
}

struct PartOutcome {
    handed_in: HandedIn,
    told: Arc<ToldSessions>,
    /// From when the receivers took what they were told to the last of it.
    took: Duration,
    handing_in: Duration,
    held_too_long: bool,
}

impl Part {
    async fn run(
        &self,
        server: &Server,
        bank: &[Value],
        (receivers, dead_url): (&ToldReceivers, Option<&str>),
    ) -> Result<PartOutcome, Failure> {
        let begun = Instant::now();
        let (rate, end, tests_max) = match *self {
            Self::Warming => (0, begun + TOLD_WITHIN, WARMING_TESTS),
            Self::Backlog(tests) => (0, begun + TOLD_WITHIN, u64::from(tests.div_ceil(u32::from(CONNECTIONS)))),
            Self::Steady(rate, seconds) => (rate, begun + Duration::from_secs(seconds.into()), u64::MAX),
        };
        let (answered, is_held) = (Times::new()?, matches!(self, Self::Backlog(_)));
        receivers.hold(is_held);
        let told = receivers.told();
        let plan = HandingIn { connections: CONNECTIONS, rate, begun, end, tests_max };
        let handing_in = plan.run(&answered, |number| {
            // One client in ten reports to the receiver that is dead.
            let dead = dead_url.filter(|_| number % 10 == 9).map(str::to_owned);
            let is_awaited = dead.is_none();
            let url = dead.or_else(|| receivers.url(number));
            TestClient {
                address: server.address(),
                body: test(bank, GRADE, number, url.as_deref()).to_string(),
                keys: None,
                told: is_awaited.then(|| Arc::clone(&told)),
            }
        });
        let handed_in = handing_in.await;
        let (handing_in, taken_from) = (begun.elapsed(), if is_held { Instant::now() } else { begun });
        receivers.hold(false);
        output::progress(&format!("{} tests are stored; waiting for {} webhooks", handed_in.stored, handed_in.awaited));
        while told.count() < handed_in.awaited && taken_from.elapsed() < TOLD_WITHIN {
            sleep(Duration::from_millis(20)).await;
        }
        let took = told.last(taken_from);
        Ok(PartOutcome { handed_in, told, took, handing_in, held_too_long: is_held && handing_in > HELD_FOR_MAX })
    }

    fn rows(&self, outcome: &PartOutcome) -> Result<Vec<(String, String)>, Failure> {
        let delivered = outcome.told.count() as f64 / outcome.took.as_secs_f64();
        let stored = outcome.handed_in.stored as f64 / outcome.handing_in.as_secs_f64();
        Ok(match self {
            Self::Warming => Vec::new(),
            Self::Backlog(_) if outcome.held_too_long => {
                vec![row("deliveries that wait", "the server has given some up: choose a smaller --backlog".to_owned())]
            }
            Self::Backlog(_) => vec![
                count("deliveries that wait", outcome.told.count()),
                figure("then delivered a second", Some(delivered), ""),
            ],
            Self::Steady(..) => vec![
                figure("tests a second", Some(stored), ""),
                latency("delivered after the answer", outcome.told.times()?.percentiles()),
            ],
        })
    }
}
