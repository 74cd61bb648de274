//! Measures the difficulties of questions in the background: grade by grade, on one of several servers at a time, with
//! long pauses, and not while many are at work. The method is in `docs/decisions/0079-difficulty-as-measured.md`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web::block;
use domain::calendar::zones::Zone;
use domain::grade::Grade;
use domain::measured_difficulty::{FittedQuestion, LiveAnswers, RaschFit, SchoolYear, guess_of, on_scale_of_labels};
use domain::time::moment::Moment;
use tokio::time::timeout;

use crate::base::Base;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, UNAVAILABLE};
use crate::store::attempts::count_at_work;
use crate::store::graded::{self, Graded};
use crate::store::measurements::{self, ALL_YEARS, BankLabel, MeasuredRow};
use crate::store::school::find_zone;

/// How often each server looks whether there are new results. It costs one look at the list of tests.
const LOOK_EVERY: Duration = Duration::from_secs(600);
/// How old the difficulties of a grade become before new results have them measured again.
const MEASURED_EVERY_MILLISECONDS: i64 = 6 * 60 * 60 * 1_000;
/// Students at work, or waiting to begin, with whom nothing is measured: the next look may find fewer.
const AT_WORK_MAX: u64 = 30;
/// Tests of one page. Their results are some megabytes.
const TESTS_AT_ONCE: u64 = 250;
/// The pause after each piece of work, as a multiple of what it took: a fifth of one processor is used at most.
const PAUSE_TIMES: u32 = 4;
/// How long the database may take over one question of the measuring. Many small ones have no end together: a grade is
/// measured as long as it takes, and its server goes on saying that it is at work.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10 * 60);
/// How often it says so: well before others take it for dead.
const HELD_AGAIN_MILLISECONDS: i64 = 10 * 60 * 1_000;

/// What keeps the measured difficulties up to date.
#[derive(Clone)]
pub struct Measurements {
    /// By the connections that no request uses.
    database: Database,
    clock: Clock,
    is_here: bool,
}

/// A grade that this server measures.
struct TakenGrade {
    grade: Grade,
    fence: i64,
    held_at: Moment,
}

impl Measurements {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        Self { database: base.database.for_background(), clock: base.clock.clone(), is_here: base.is_local() }
    }

    /// Measures whatever has changed, again and again. Never returns.
    pub async fn run(&self) {
        // Finished tests that an external service keeps are not listed by it.
        if !self.is_here {
            return std::future::pending().await;
        }
        loop {
            self.clock.sleep(LOOK_EVERY).await;
            if let Err(error) = self.look().await {
                tracing::warn!(?error, "difficulties are not measured; trying again");
            }
        }
    }

    async fn look(&self) -> Result<(), Error> {
        // Before the marks, for which the tests are read through.
        if self.is_busy().await? {
            return Ok(());
        }
        for (grade, mark) in measurements::load_marks(&self.database).await? {
            if self.is_busy().await? {
                break;
            }
            let now = self.clock.now();
            let since = now.plus(-MEASURED_EVERY_MILLISECONDS);
            let Some(fence) = measurements::take(&self.database, (grade, &mark), now, since).await? else { continue };
            match self.measure(TakenGrade { grade, fence, held_at: now }).await {
                Ok(Some(rows)) => {
                    let at = self.clock.now();
                    let is_stored = measurements::put(&self.database, (grade, fence), &mark, at, &rows).await?;
                    tracing::info!(grade = grade.number(), rows = rows.len(), is_stored, "difficulties are measured");
                }
                given_up => {
                    measurements::give_back(&self.database, grade, fence).await?;
                    match given_up {
                        // Other grades may be measured all the same.
                        Err(error) => {
                            tracing::warn!(?error, grade = grade.number(), "a grade is not measured; trying again");
                        }
                        Ok(_) => break,
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether too many are at work to do anything that nobody waits for.
    async fn is_busy(&self) -> Result<bool, Error> {
        Ok(count_at_work(&self.database, self.clock.now(), AT_WORK_MAX + 1).await? > AT_WORK_MAX)
    }

    /// Whether the measuring of a grade goes on: not when too many have begun to work, or another server has taken it.
    async fn goes_on(&self, taken: &mut TakenGrade) -> Result<bool, Error> {
        if in_time(self.is_busy()).await? {
            return Ok(false);
        }
        let now = self.clock.now();
        if now < taken.held_at.plus(HELD_AGAIN_MILLISECONDS) {
            return Ok(true);
        }
        taken.held_at = now;
        in_time(measurements::hold(&self.database, (taken.grade, taken.fence), now)).await
    }

    /// Measures a grade, over all years and in each. `None` if too many have begun to work meanwhile.
    async fn measure(&self, mut taken: TakenGrade) -> Result<Option<Vec<MeasuredRow>>, Error> {
        let labels = Arc::new(in_time(measurements::load_labels(&self.database, taken.grade)).await?);
        let Some(answers) = self.gather(&mut taken, &labels).await? else { return Ok(None) };
        // The last live test of the grade may be gone, and with it what was measured.
        if answers.tests() == 0 {
            return Ok(Some(Vec::new()));
        }
        let answers = Arc::new(answers);
        let years = answers.years();
        let mut parts = vec![(ALL_YEARS, 0..answers.tests())];
        parts.extend(years.iter().filter(|_| years.len() > 1).cloned());
        let mut rows = Vec::new();
        for (year, tests) in parts {
            let Some(fitted) = self.fit(&mut taken, (&answers, &labels), tests).await? else { return Ok(None) };
            let measured = on_scale_of_labels(fitted, |id| labels.get(id).map(|label| label.difficulty));
            rows.extend(measured.into_iter().map(|(id, value)| (year, id, value)));
        }
        // What is measured in the only year is what is measured at all.
        if let [(year, _)] = years.as_slice() {
            let of_year: Vec<MeasuredRow> = rows.iter().map(|(_, id, value)| (*year, id.clone(), *value)).collect();
            rows.extend(of_year);
        }
        Ok(Some(rows))
    }

    /// The newest answers of a grade, for which there is room.
    async fn gather(
        &self,
        taken: &mut TakenGrade,
        labels: &Arc<HashMap<String, BankLabel>>,
    ) -> Result<Option<LiveAnswers>, Error> {
        let zone = Arc::new(in_time(find_zone(&self.database.read)).await?);
        let mut answers = LiveAnswers::default();
        let mut last = None;
        loop {
            if !self.goes_on(taken).await? {
                return Ok(None);
            }
            let tests = in_time(graded::load_live_before(&self.database, taken.grade, last, TESTS_AT_ONCE)).await?;
            last = tests.last().map(Graded::place);
            let is_last = last.is_none();
            let (zone, labels) = (Arc::clone(&zone), Arc::clone(labels));
            let (gathered, has_room) = self.quietly(move || add(answers, &tests, &zone, &labels)).await?;
            answers = gathered;
            if is_last || !has_room {
                return Ok(Some(answers));
            }
        }
    }

    async fn fit(
        &self,
        taken: &mut TakenGrade,
        (answers, labels): (&Arc<LiveAnswers>, &Arc<HashMap<String, BankLabel>>),
        tests: Range<usize>,
    ) -> Result<Option<Vec<FittedQuestion>>, Error> {
        let (answers, labels) = (Arc::clone(answers), Arc::clone(labels));
        let begin = move || {
            RaschFit::begin(answers, tests, |id| guess_of(labels.get(id).and_then(|label| label.answer.as_ref())))
        };
        let mut fit = self.quietly(begin).await?;
        while !fit.is_done() {
            if !self.goes_on(taken).await? {
                return Ok(None);
            }
            fit = self.quietly(move || fit.round()).await?;
        }
        self.quietly(move || fit.finish()).await.map(Some)
    }

    /// Does a piece of work apart from those who answer requests, and rests after it.
    async fn quietly<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let begun = Instant::now();
        let done = block(work).await.map_err(Error::internal)?;
        self.clock.sleep(begun.elapsed() * PAUSE_TIMES).await;
        Ok(done)
    }
}

/// What the database answers, unless it stands still.
async fn in_time<T, E: Into<Error>>(asked: impl Future<Output = Result<T, E>>) -> Result<T, Error> {
    timeout(ANSWERED_WITHIN, asked).await.map_err(|_| Error::Unavailable(UNAVAILABLE))?.map_err(Into::into)
}

/// Adds these tests, and says whether there is room for more. One that cannot be read costs no other.
fn add(
    mut answers: LiveAnswers,
    tests: &[Graded],
    zone: &Zone,
    labels: &HashMap<String, BankLabel>,
) -> (LiveAnswers, bool) {
    for test in tests {
        let (completed_at_ms, id) = test.place();
        let Ok(outcomes) = test.outcomes() else {
            tracing::warn!(session = %id, "a result cannot be read, and is left out of the measured difficulties");
            continue;
        };
        let year = SchoolYear::of(Moment::from_milliseconds(completed_at_ms), zone);
        if !answers.add(id.as_u128(), year, &outcomes, |id| labels.get(id)?.answer.as_ref()) {
            return (answers, false);
        }
    }
    (answers, true)
}
