//! The sitting scenario: candidates enter, wait with the sealed paper, begin all at one moment, work, hand in, and see
//! their results when these are released; another sitting runs beside it. What each was told is compared with what is
//! stored.

mod comparison;
mod neighbours;
mod outcome;
mod release;
mod site;
mod start;

use crate::cohort::{Cohort, CohortFigures};
use crate::failure::Failure;
use crate::output;
use crate::reconnecting_student::ReconnectingStudent;
use crate::seats;
use crate::seen_bytes::Secrets;
use crate::server::Server;
use crate::sitting_admin::{PlannedSitting, SittingAdmin, SittingPaper, SittingStart};
use crate::tally::{Tally, read};
use crate::waiting_candidate::WaitingCandidate;
use crate::wall_clock::from_now;
use clap::Args;
use comparison::Comparisons;
use futures_util::{StreamExt, stream};
use neighbours::Neighbours;
use outcome::SittingOutcome;
use reqwest::Method;
use site::Site;
use start::StartMeasures;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

/// Time between the last candidate's entry and the start, in addition to the quiet window and to that of the next line.
const SETTLING: Duration = Duration::from_secs(3);
/// Candidates who get the paper and are ready in a second, at worst.
const READY_PER_SECOND: u32 = 2_000;
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Longest wait for candidates who come back after T0.
const BEGIN_LIMIT: Duration = Duration::from_secs(60);

#[derive(Args)]
pub struct SittingOptions {
    /// Candidates, each with a socket of their own.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    candidates: u32,
    /// Candidates of the other sitting, who work all the time, each with one command a second; 0 for none.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(0..=20_000))]
    neighbours: u32,
    /// Who begins.
    #[arg(long, value_enum, default_value_t = SittingStart::Clock)]
    start: SittingStart,
    /// Seconds over which the candidates enter [default: candidates / 200].
    #[arg(long, value_parser = ramp)]
    ramp: Option<f64>,
    /// Seconds for which the other sitting is measured before the start; around the start it is for two.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=600))]
    quiet: u32,
    /// Seconds from the start until all hand in.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Seconds from the start to the first answers: everybody reads first.
    #[arg(long, default_value_t = 2.0, value_parser = ramp)]
    reading: f64,
    /// Commands a second for each candidate after the start.
    #[arg(long, default_value_t = 0.2, value_parser = seats::pace)]
    pace: f64,
    /// Search every byte that 200 candidates get before the start for the paper.
    #[arg(long)]
    search: bool,
    /// Grade whose bank the paper is drawn from; the other sitting takes the next one.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=9))]
    grade: u8,
    /// API token of an admin; not needed with `--outage`.
    #[arg(long, env = "EXAMHALL_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// URL of the servers' database; if it is Postgres, what is written at the start is counted.
    #[arg(long, env = "DATABASE_URL")]
    database_url: Option<String>,
    /// Several servers, which candidates take in turn, instead of `--url`: http://a:8080,http://b:8080
    #[arg(long, value_delimiter = ',')]
    targets: Vec<String>,
    /// Start three servers behind HAProxy, kill one of them 50 ms before the start, and freeze another one for 8 s.
    #[arg(long, requires_all = ["database_url", "redis_url"], conflicts_with = "targets")]
    outage: bool,
    /// The server program for `--outage`.
    #[arg(long, default_value = "target/dist/examhall")]
    server: PathBuf,
    /// The shipped configuration of HAProxy for `--outage`.
    #[arg(long, default_value = "deploy/haproxy.cfg")]
    haproxy: PathBuf,
    /// URL of a Redis for the servers of `--outage`.
    #[arg(long, env = "REDIS_URL")]
    redis_url: Option<String>,
    /// Longest wait in seconds before a candidate who lost the socket reconnects; each waits a random part of it.
    #[arg(long, default_value_t = 0.5, value_parser = ramp)]
    jitter: f64,
}

/// Candidates of whom every byte is kept with `--search`.
const SEARCHED: usize = 200;

/// A candidate whose exam has begun, with what they were told.
struct Participant {
    name: String,
    /// Milliseconds since 1970.
    started_at: i64,
    given_ms: i64,
    student: ReconnectingStudent,
}

impl Participant {
    /// The deadline that the waiting room has promised, in milliseconds since 1970.
    fn promised(&self) -> i64 {
        self.started_at + self.given_ms
    }
}

/// Runs the scenario and prints its table. It passes when everyone began, nothing differs from what is stored, nothing
/// was seen too early, and there was no error.
pub async fn run(url: &str, options: &SittingOptions) -> Result<bool, Failure> {
    let sockets = (options.candidates + options.neighbours) as usize;
    seats::open_files_for(sockets + release::WAITING_MAX.min(options.candidates as usize))?;
    let mut site = Site::open(url, options).await?;
    let students = site.students();
    let server = students.members().first().ok_or("there is no server")?;
    let token = site.token.clone();
    let admin = SittingAdmin { server, token: &token };

    output::progress("Planning: template, roster, slips");
    let paper = admin.paper(options.grade).await?;
    let sitting = admin.plan("Load test", &paper, options.start, options.candidates as usize).await?;
    let neighbours = match options.neighbours {
        0 => None,
        count => Some(Neighbours::seat(&admin, &students, options.grade + 1, count).await?),
    };

    let cohort = Arc::new(cohort(options, &site, &sitting)?);
    let ramp = Duration::from_secs_f64(options.ramp.unwrap_or(f64::from(options.candidates) / 200.0));
    let quiet = Duration::from_secs(options.quiet.into());
    let preparing = Duration::from_secs(options.candidates.into()) / READY_PER_SECOND;
    let lead = ramp + SETTLING + preparing + quiet;
    let planned_at = from_now(lead);
    let mut starts_at = Instant::now() + lead;
    admin.open_doors(&sitting, planned_at).await?;
    if options.search {
        look_around(server, &cohort, &paper, options.grade).await;
    }
    output::progress(&format!("{} candidates enter over {:.0} s", options.candidates, ramp.as_secs_f64()));
    let (stop, ends) = watch::channel(None);
    let mut tasks = let_enter(&cohort, &sitting, ramp, options, &ends);
    let latest = starts_at - quiet - Duration::from_secs(2);
    while read(&cohort.figures.ready) < u64::from(options.candidates) && Instant::now() < latest {
        sleep(POLL_INTERVAL).await;
    }
    let so_far = read(&cohort.figures.ready);
    output::progress(&format!("{so_far} are ready; the other sitting is measured for {} s", options.quiet));
    if options.start == SittingStart::Proctor {
        starts_at = Instant::now() + quiet + Duration::from_secs(3);
    }

    let measuring = neighbours.as_ref().map(|neighbours| neighbours.measure(starts_at, quiet));
    let ready = async {
        sleep_until(starts_at).await;
        read(&cohort.figures.ready)
    };
    let measures = StartMeasures::take(&mut site, options, &admin, &sitting, starts_at, &cohort.tally);
    let (measures, ready) = tokio::join!(measures, ready);
    let measures = measures?;
    sleep_until(starts_at + Duration::from_secs(options.seconds.into())).await;
    wait_for_all(&cohort, &tasks).await;
    stop.send_replace(Some(Instant::now()));
    let mut participants = seats::collect(&mut tasks, &cohort.tally).await;
    let beside = match (neighbours, measuring) {
        (Some(neighbours), Some(measuring)) => {
            measuring.await?;
            Some(neighbours.finish(server).await)
        }
        _ => None,
    };

    output::progress(&format!("Comparing what {} candidates know with what is stored", participants.len()));
    let mut comparisons = Comparisons::of_attempts(&participants, &students, &cohort.tally).await;
    output::progress("Handing in");
    hand_in(&mut participants, &cohort.tally).await;
    comparisons.add_roster(&admin, &sitting, &participants).await?;
    let released = release::release(&admin, &sitting, &paper, &participants, &students, &cohort.tally).await?;
    let findings = options.search.then(|| {
        let secrets = Secrets::of(&paper.questions, &paper.others, &cohort.shelf.keys());
        (cohort.seen.bytes(), secrets.len(), cohort.seen.find(&secrets))
    });
    let outcome = SittingOutcome {
        candidates: options.candidates.into(),
        has_outage: options.outage,
        ready,
        participants: participants.len() as u64,
        starts: participants.iter().map(|one| one.started_at).collect::<BTreeSet<i64>>().len() as u64,
        measures,
        beside,
        comparisons,
        released,
        findings,
    };
    Ok(outcome::print(&outcome, &cohort))
}

fn cohort(options: &SittingOptions, site: &Site, sitting: &PlannedSitting) -> Result<Cohort, Failure> {
    Ok(Cohort {
        servers: site.students(),
        sitting_id: sitting.id.clone(),
        code: sitting.code.clone(),
        start: options.start,
        jitter: Duration::from_secs_f64(options.jitter),
        searched: if options.search { SEARCHED } else { 0 },
        shelf: crate::paper_shelf::PaperShelf::default(),
        seen: crate::seen_bytes::SeenBytes::default(),
        figures: CohortFigures::new()?,
        tally: Arc::new(Tally::new()?),
    })
}

/// What is open to everyone must not have the paper either while candidates wait.
async fn look_around(server: &Server, cohort: &Cohort, paper: &SittingPaper, grade: u8) {
    for path in [
        format!("/api/questions?grade={grade}"),
        format!("/api/test-templates/{}", paper.template_id),
        "/api/sittings".to_owned(),
    ] {
        match server.send(Method::GET, &path, None, None).await {
            Ok(answer) => cohort.seen.record(&format!("GET {path}"), &answer.body),
            Err(code) => cohort.tally.error(&format!("probe: {code}")),
        }
    }
}

fn let_enter(
    cohort: &Arc<Cohort>,
    sitting: &PlannedSitting,
    ramp: Duration,
    options: &SittingOptions,
    ends: &watch::Receiver<Option<Instant>>,
) -> JoinSet<Option<Participant>> {
    let gap = ramp / u32::try_from(sitting.access_codes.len()).unwrap_or(u32::MAX).max(1);
    let (pace, reading) = (options.pace, Duration::from_secs_f64(options.reading));
    let (mut due, mut tasks) = (Instant::now(), JoinSet::new());
    for (number, access_code) in sitting.access_codes.iter().cloned().enumerate() {
        let (cohort, mut ends) = (Arc::clone(cohort), ends.clone());
        tasks.spawn(async move {
            sleep_until(due).await;
            let tally = Arc::clone(&cohort.tally);
            let mut participant =
                begin(cohort, number, &access_code).await.inspect_err(|code| tally.error(code)).ok()?;
            if let Err(code) = participant.student.work(Instant::now() + reading, &mut ends, pace).await {
                tally.error(&code);
            }
            Some(participant)
        });
        due += gap;
    }
    tasks
}

/// One candidate from the door to the first question.
async fn begin(cohort: Arc<Cohort>, number: usize, access_code: &str) -> Result<Participant, String> {
    let waiting = WaitingCandidate::enter(Arc::clone(&cohort), number, access_code).await?;
    let begun = waiting.wait().await?;
    let (servers, tally) = (Arc::clone(&cohort.servers), Arc::clone(&cohort.tally));
    let mut student = ReconnectingStudent::in_exam(begun.exam, servers, number, cohort.jitter, tally);
    student.told_deadlines.extend(begun.deadline);
    Ok(Participant { name: begun.name, started_at: begun.started_at, given_ms: begun.given_ms, student })
}

/// Waits for those who still reconnect: what they find is a part of the result.
async fn wait_for_all(cohort: &Cohort, tasks: &JoinSet<Option<Participant>>) {
    let limit = Instant::now() + BEGIN_LIMIT;
    while read(&cohort.figures.begun) < tasks.len() as u64 && !has_failed(cohort) && Instant::now() < limit {
        sleep(POLL_INTERVAL).await;
    }
}

/// Returns whether some candidates will never begin, for whom there is nothing to wait.
fn has_failed(cohort: &Cohort) -> bool {
    cohort.tally.errors().keys().any(|code| !outcome::is_expected(code))
}

/// All at once: a server must survive the moment of a common deadline.
async fn hand_in(participants: &mut [Participant], tally: &Tally) {
    let together = participants.len();
    stream::iter(participants)
        .for_each_concurrent(together, |participant| async move {
            if let Err(code) = participant.student.submit().await {
                tally.error(&code);
            }
        })
        .await;
}

fn ramp(text: &str) -> Result<f64, String> {
    seats::number_within(text, 0.0, 3_600.0)
}
