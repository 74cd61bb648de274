//! The school scenario: within a minute a whole school at one address reads pages, enters a sitting and hands in
//! finished tests, while some of its pupils try wrong access codes, and, if one likes, strangers at other addresses do
//! so for as long as one likes. Nobody who belongs there may be held up, and nobody may find a code.

mod budget;
mod guessers;
mod outcome;

use crate::cohort::{Cohort, CohortFigures};
use crate::failure::Failure;
use crate::fleet::RoundRobin;
use crate::machine::ProcessorTicks;
use crate::output;
use crate::seats;
use crate::server::{HttpBody, Server};
use crate::sitting_admin::{PlannedSitting, SittingAdmin, SittingStart};
use crate::tally::{Tally, Times};
use crate::test_client::finished_test;
use crate::waiting_candidate::WaitingCandidate;
use crate::wall_clock::from_now;
use clap::Args;
use futures_util::{StreamExt, stream};
use guessers::{GuessFigures, Guessers};
use outcome::SchoolOutcome;
use reqwest::Method;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// Between the preparation and the minute.
const QUIET: Duration = Duration::from_secs(3);
/// How much later than the school the strangers begin: once they are many, a school of which nobody has entered yet is
/// treated as one of them.
const STRANGERS_AFTER: Duration = Duration::from_secs(5);
/// How much later than everything else the sitting begins, so that candidates wait to the end.
const START_AFTER: Duration = Duration::from_secs(60 * 60);

#[derive(Args)]
pub struct SchoolOptions {
    /// Candidates, each of whom reads a page and enters, on a socket of their own.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    candidates: u32,
    /// Finished tests that others at the school hand in meanwhile.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(0..=20_000))]
    hand_ins: u32,
    /// Pupils of the school who try wrong codes meanwhile, each as fast as answers come.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(0..=1_000))]
    guessers: u16,
    /// Seconds within which the whole school comes, evenly spread.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Minutes for which strangers try codes of the same sitting; 0 for none. Their addresses are invented, so the
    /// server must take them from this machine: TRUSTED_PROXIES=127.0.0.1
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_440))]
    minutes: u32,
    /// How many addresses the strangers use, in turn.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=131_072))]
    addresses: u32,
    /// Strangers who guess at the same time.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    strangers: u16,
    /// Grade whose bank the paper is drawn from.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
    /// API token of an admin.
    #[arg(long, env = "EXAMHALL_TOKEN", hide_env_values = true)]
    token: String,
}

/// When the school comes, and what it measures besides the figures of its cohort.
struct Morning {
    begun: Instant,
    end: Instant,
    /// From the request for a page to its last byte.
    read_times: Times,
    hand_in_times: Times,
}

/// Runs the scenario and prints its table. It passes when everybody has read, entered and handed in, nobody has waited
/// long, and nobody has found a code or could look up more than the limits allow.
pub async fn run(server: Server, options: &SchoolOptions) -> Result<bool, Failure> {
    let guessing = usize::from(options.guessers) + usize::from(options.strangers);
    seats::open_files_for(options.candidates as usize + guessing)?;
    let servers = Arc::new(RoundRobin::of(vec![server]));
    let server = servers.members().first().ok_or("there is no server")?;
    let admin = SittingAdmin { server, token: &options.token };
    output::progress("Planning: template, roster, slips");
    let paper = admin.paper(options.grade).await?;
    let sitting = admin.plan("A school's exam", &paper, SittingStart::Clock, options.candidates as usize).await?;
    let (school_time, attack_time) =
        (Duration::from_secs(options.seconds.into()), Duration::from_secs(60 * u64::from(options.minutes)));
    admin.open_doors(&sitting, from_now(school_time + attack_time + START_AFTER)).await?;

    let cohort = Arc::new(cohort(&servers, &sitting)?);
    let begun = Instant::now() + QUIET;
    let morning =
        Arc::new(Morning { begun, end: begun + school_time, read_times: Times::new()?, hand_in_times: Times::new()? });
    let guessers = |count, addresses, begun, time| -> Result<Guessers<'_>, Failure> {
        let (server, sitting_code, end) = (server.address(), sitting.code.as_str(), begun + time);
        let (answered_at, figures) = (OnceLock::new(), GuessFigures::new()?);
        Ok(Guessers { server, sitting_code, count, addresses, begun, end, answered_at, figures })
    };
    let pupils = guessers(options.guessers, None, begun, school_time)?;
    let is_attacked = options.minutes > 0;
    let strangers = guessers(
        if is_attacked { options.strangers } else { 0 },
        Some(options.addresses),
        begun + STRANGERS_AFTER,
        attack_time,
    )?;

    output::progress(&format!("The school comes for {} s, strangers for {} min", options.seconds, options.minutes));
    let school = async {
        sleep_until(begun).await;
        let ticks = ProcessorTicks::take();
        tokio::join!(
            let_enter(&cohort, &sitting, &morning),
            hand_in(server, options.hand_ins, &morning, &cohort.tally),
            pupils.run(&cohort.tally),
        );
        let used = ticks.zip(ProcessorTicks::take()).and_then(|(before, after)| after.since(before));
        used.map(|(busy, _)| busy)
    };
    let (busy, ()) = tokio::join!(school, strangers.run(&cohort.tally));
    let outcome = SchoolOutcome { options, cohort: &cohort, morning: &morning, pupils, strangers, busy };
    Ok(outcome.print())
}

fn cohort(servers: &Arc<RoundRobin>, sitting: &PlannedSitting) -> Result<Cohort, Failure> {
    Ok(Cohort {
        servers: Arc::clone(servers),
        sitting_id: sitting.id.clone(),
        code: sitting.code.clone(),
        start: SittingStart::Clock,
        jitter: Duration::ZERO,
        searched: 0,
        shelf: crate::paper_shelf::PaperShelf::default(),
        seen: crate::seen_bytes::SeenBytes::default(),
        figures: CohortFigures::new()?,
        tally: Arc::new(Tally::new()?),
    })
}

/// Candidates come one after another, and stay until the last has come.
async fn let_enter(cohort: &Arc<Cohort>, sitting: &PlannedSitting, morning: &Arc<Morning>) {
    let mut tasks = JoinSet::new();
    let pages = morning_pages(&sitting.code);
    let moments = spread(morning, sitting.access_codes.len());
    for ((number, access_code), due) in sitting.access_codes.iter().cloned().enumerate().zip(moments) {
        let (cohort, morning) = (Arc::clone(cohort), Arc::clone(morning));
        let Some(page) = pages.get(number % pages.len()).cloned() else { continue };
        tasks.spawn(async move {
            sleep_until(due).await;
            if let Err(code) = come(&cohort, &morning, number, &page, &access_code).await {
                cohort.tally.error(&code);
            }
            Some(())
        });
    }
    seats::collect(&mut tasks, &cohort.tally).await;
}

/// What the devices of a school ask for in the morning.
fn morning_pages(sitting_code: &str) -> [String; 3] {
    [format!("/s/{sitting_code}"), "/api/school".to_owned(), "/".to_owned()]
}

async fn come(
    cohort: &Arc<Cohort>,
    morning: &Morning,
    number: usize,
    page: &str,
    access_code: &str,
) -> Result<(), String> {
    let server = cohort.servers.next().ok_or("read: no server")?;
    let asked = Instant::now();
    match server.send(Method::GET, page, None, None).await {
        Ok(answer) if answer.status == 200 => morning.read_times.record(asked.elapsed()),
        Ok(answer) => cohort.tally.error(&format!("read: http {}", answer.status)),
        Err(code) => cohort.tally.error(&format!("read: {code}")),
    }
    let waiting = WaitingCandidate::enter(Arc::clone(cohort), number, access_code).await?;
    tokio::select! {
        begun = waiting.wait() => Err(begun.err().unwrap_or_else(|| "wait: begun too early".to_owned())),
        () = sleep_until(morning.end) => Ok(()),
    }
}

/// Others at the school have finished tests of their own.
async fn hand_in(server: &Server, tests: u32, morning: &Morning, tally: &Tally) {
    let sending = stream::iter(spread(morning, tests as usize).enumerate()).map(async |(number, due)| {
        let body = HttpBody { content_type: "application/json", bytes: finished_test(number).to_string().into_bytes() };
        sleep_until(due).await;
        let sent = Instant::now();
        match server.send(Method::POST, "/api/sessions", None, Some(body)).await {
            Ok(answer) if answer.status == 200 => morning.hand_in_times.record(sent.elapsed()),
            Ok(answer) => tally.error(&format!("hand in: http {}", answer.status)),
            Err(code) => tally.error(&format!("hand in: {code}")),
        }
    });
    sending.buffer_unordered((tests as usize).max(1)).collect::<()>().await;
}

/// So many moments, spread evenly over the time for which the school comes.
fn spread(morning: &Morning, count: usize) -> impl Iterator<Item = Instant> + use<> {
    let (begun, time) = (morning.begun, morning.end - morning.begun);
    (0..count).map(move |number| begun + time.mul_f64(number as f64 / count as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_school_comes_evenly() {
        let begun = Instant::now();
        let times = || Times::new().unwrap();
        let end = begun + Duration::from_secs(60);
        let morning = Morning { begun, end, read_times: times(), hand_in_times: times() };
        let moments: Vec<Duration> = spread(&morning, 4).map(|due| due - begun).collect();
        assert_eq!(moments, [0, 15, 30, 45].map(Duration::from_secs));
        assert_eq!(spread(&morning, 0).count(), 0);
    }
}
