//! The other sitting, which runs already when the big one begins: its candidates answer all the time, and what they
//! feel of the other start is measured.

use crate::check::check_all;
use crate::cohort::{Cohort, CohortFigures};
use crate::failure::Failure;
use crate::fleet::RoundRobin;
use crate::ledger::Comparison;
use crate::output;
use crate::seat::{Behaviour, Pace, Seat, Student, TimeWindow};
use crate::seats;
use crate::server::Server;
use crate::sitting_admin::{PlannedSitting, SittingAdmin, SittingStart};
use crate::tally::{Percentiles, Tally, read};
use crate::waiting_candidate::WaitingCandidate;
use crate::wall_clock::from_now;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};

/// How fast each of them works.
const PACE: Pace = Pace { commands_per_second: 1.0, in_flight_max: 32 };
/// Candidates who enter in a second.
const ENTERING_PER_SECOND: u32 = 200;
/// When it is planned to start. It is begun as soon as all are ready.
const START_AHEAD: Duration = Duration::from_secs(30 * 60);
/// Longest wait until all have entered.
const ENTER_LIMIT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The quiet window ends this long before T0, and the second one begins right after.
const BEFORE_START: Duration = Duration::from_millis(1_000);
const AROUND_START: Duration = Duration::from_millis(500);
/// Length of the second window. In a longer one, more quiet seconds would hide a second that is not.
const AROUND_LENGTH: Duration = Duration::from_secs(2);

pub struct Neighbours {
    seats: JoinSet<Option<Seat>>,
    count: u32,
    open: watch::Sender<Option<TimeWindow>>,
    tallies: [Arc<Tally>; 2],
    cohort: Arc<Cohort>,
}

/// What they felt.
pub struct NeighbourFindings {
    pub count: u32,
    pub seated: u64,
    pub quiet: Option<Percentiles>,
    pub around: Option<Percentiles>,
    pub comparison: Comparison,
    pub errors: BTreeMap<String, u64>,
}

impl Neighbours {
    /// Plans the sitting, lets its candidates enter and begins it.
    pub async fn seat(
        admin: &SittingAdmin<'_>,
        servers: &Arc<RoundRobin>,
        grade: u8,
        count: u32,
    ) -> Result<Self, Failure> {
        let paper = admin.paper(grade).await?;
        let sitting = admin.plan("The sitting beside it", &paper, SittingStart::Proctor, count as usize).await?;
        admin.open_doors(&sitting, from_now(START_AHEAD)).await?;
        let tallies = [Arc::new(Tally::new()?), Arc::new(Tally::new()?)];
        let [quiet, _] = &tallies;
        let cohort = Arc::new(cohort(servers, &sitting, Arc::clone(quiet))?);
        let (open, opening) = watch::channel(None);
        let (mut seats, mut due) = (JoinSet::new(), Instant::now());
        for (number, access_code) in sitting.access_codes.into_iter().enumerate() {
            due += Duration::from_secs(1) / ENTERING_PER_SECOND;
            seats.spawn(sit(Arc::clone(&cohort), number, access_code, due, tallies.clone(), opening.clone()));
        }
        let limit = Instant::now() + ENTER_LIMIT;
        while read(&cohort.figures.ready) < count.into() && Instant::now() < limit {
            sleep(POLL_INTERVAL).await;
        }
        let begun = PlannedSitting { id: cohort.sitting_id.clone(), code: sitting.code, access_codes: Vec::new() };
        admin.begin(&begun).await?;
        while read(&cohort.figures.begun) < count.into() && Instant::now() < limit {
            sleep(POLL_INTERVAL).await;
        }
        output::progress(&format!("{} candidates of the other sitting are at work", read(&cohort.figures.begun)));
        Ok(Self { seats, count, open, tallies, cohort })
    }

    /// Lets them work in a quiet window and in one around the start. Between the two all answers are awaited.
    pub fn measure(&self, starts_at: Instant, length: Duration) -> JoinHandle<()> {
        let open = self.open.clone();
        tokio::spawn(async move {
            let end = starts_at - BEFORE_START;
            open.send_replace(Some(TimeWindow { begin: end - length, end }));
            sleep_until(end + Duration::from_millis(100)).await;
            let begin = starts_at - AROUND_START;
            open.send_replace(Some(TimeWindow { begin, end: begin + AROUND_LENGTH }));
            sleep_until(begin + AROUND_LENGTH).await;
        })
    }

    /// Waits for outstanding answers and compares everything that was saved.
    pub async fn finish(mut self, server: &Server) -> NeighbourFindings {
        let [quiet, around] = &self.tallies;
        let seats = seats::collect(&mut self.seats, around).await;
        let comparison = check_all(server, &seats, around).await;
        let mut errors = quiet.errors();
        for (code, times) in around.errors() {
            *errors.entry(code).or_default() += times;
        }
        NeighbourFindings {
            count: self.count,
            seated: read(&self.cohort.figures.begun),
            quiet: quiet.saved_times.percentiles(),
            around: around.saved_times.percentiles(),
            comparison,
            errors,
        }
    }
}

fn cohort(servers: &Arc<RoundRobin>, sitting: &PlannedSitting, tally: Arc<Tally>) -> Result<Cohort, Failure> {
    Ok(Cohort {
        servers: Arc::clone(servers),
        sitting_id: sitting.id.clone(),
        code: sitting.code.clone(),
        start: SittingStart::Proctor,
        jitter: Duration::ZERO,
        searched: 0,
        shelf: crate::paper_shelf::PaperShelf::default(),
        seen: crate::seen_bytes::SeenBytes::default(),
        figures: CohortFigures::new()?,
        tally,
    })
}

async fn sit(
    cohort: Arc<Cohort>,
    number: usize,
    access_code: String,
    due: Instant,
    tallies: [Arc<Tally>; 2],
    mut opening: watch::Receiver<Option<TimeWindow>>,
) -> Option<Seat> {
    sleep_until(due).await;
    let [quiet, _] = &tallies;
    let begun = async { WaitingCandidate::enter(Arc::clone(&cohort), number, &access_code).await?.wait().await };
    let begun = begun.await.inspect_err(|code| quiet.error(code)).ok()?;
    let student = Student { number, grade: 0, behaviour: Behaviour::Answering };
    let mut seat = Seat::in_exam(begun.exam, student, PACE, Arc::clone(quiet));
    for tally in tallies {
        seat.use_tally(Arc::clone(&tally));
        if let Err(code) = seat.work_through(&mut opening).await {
            tally.error(&code);
            break;
        }
    }
    Some(seat)
}
