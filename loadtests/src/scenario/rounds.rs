//! The rounds scenario: one server is killed again and again, and Postgres with it now and then, while receipts are
//! asked for, tests reopened, late work accepted, and keys corrected. Whatever was handed out must be contained in what
//! is stored, and each event must come in its order.

mod contents;
mod dossier;
mod exam;
mod logged;
mod staff;
mod standing;
mod told;

use crate::failure::Failure;
use crate::fleet::{Fleet, ServerProgram};
use crate::output;
use crate::own_storage::OwnStorage;
use crate::patient_caller::PatientCaller;
use crate::seats;
use crate::signed_receipts::ReceiptKeys;
use crate::table::{Row, count, row};
use crate::webhook_receiver::{ReceivedEvent, WebhookReceiver};
use clap::Args;
use contents::StoredVersion;
use exam::{ExamKind, FinishedExam, FinishedTest};
use staff::RoundStaff;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// Exams that go on at once: two sittings, and tests of a template.
const LANES: [ExamKind; 3] = [ExamKind::Sitting, ExamKind::Sitting, ExamKind::Template];
/// Longest time from the beginning of a restart of Postgres until the server is killed.
const POSTGRES_FIRST_MAX: Duration = Duration::from_millis(500);
/// Faults after which no more rounds follow.
const FAULTS_MAX: usize = 20;
/// Longest wait for the last event. A delivery that a killed server was at rests for a minute.
const TOLD_WITHIN: Duration = Duration::from_secs(150);
const POLL_INTERVAL: Duration = Duration::from_millis(500);
const DATABASE: &str = "rounds";
/// The only server.
const SERVER: usize = 0;

#[derive(Args)]
pub struct RoundsOptions {
    /// Number of kills of the server.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: u32,
    /// Students, in three exams that go on at once.
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(3..=600))]
    students: u32,
    /// Longest time in seconds from when the server is ready to the next kill; each time is a random part of it.
    #[arg(long, default_value_t = 2.0, value_parser = seconds)]
    every: f64,
    /// Runs on a Postgres and a Redis of its own (`scripts/services`) instead of SQLite.
    #[arg(long)]
    postgres: bool,
    /// Every so many rounds Postgres is killed too; 0 for never.
    #[arg(long, default_value_t = 10)]
    postgres_every: u32,
    /// Rounds after which `examhall receipts check` looks at everything that is stored.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    check_every: u32,
    /// The server's program.
    #[arg(long, default_value = "target/dist/examhall")]
    server: PathBuf,
}

/// What the exams and the kills share.
struct Rounds {
    staff: RoundStaff,
    keys: ReceiptKeys,
    receiver: WebhookReceiver,
    exams: Mutex<Vec<FinishedExam>>,
    faults: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

/// Runs the scenario. It passes when nothing is wrong with what is stored and what was told.
pub async fn run(options: &RoundsOptions) -> Result<bool, Failure> {
    let storage = OwnStorage::open(options.postgres).await?;
    let (database_url, redis_url) = storage.empty(DATABASE).await?;
    let mut fleet = Fleet::start(ServerProgram::of(&options.server, &database_url, &redis_url)?, 1).await?;
    let (rounds, people) = begin(&fleet, options.students).await?;
    let mut lanes = JoinSet::new();
    for (kind, people) in LANES.into_iter().zip(people) {
        lanes.spawn(hold_exams(Arc::clone(&rounds), kind, people));
    }
    let (mut kills, mut postgres_kills) = (0, 0);
    while kills < options.rounds && rounds.fault_count() < FAULTS_MAX {
        sleep(Duration::from_secs_f64(options.every * fastrand::f64())).await;
        kills += 1;
        let is_postgres_due = options.postgres_every > 0 && kills % options.postgres_every == 0;
        postgres_kills += u32::from(kill(&mut fleet, &storage, is_postgres_due).await?);
        if kills % options.check_every == 0 {
            rounds.check(&fleet).await?;
            let (exams, faults) = (rounds.exams().len(), rounds.fault_count());
            output::progress(&format!("{kills} rounds, {exams} exams, {faults} faults"));
        }
    }
    rounds.is_over.store(true, Ordering::Relaxed);
    while lanes.join_next().await.is_some() {}
    rounds.check_in_the_end(&fleet).await?;
    Ok(rounds.print(kills, postgres_kills))
}

/// Makes the people of each exam, and what everybody shares.
async fn begin(fleet: &Fleet, students: u32) -> Result<(Arc<Rounds>, Vec<Vec<(String, String)>>), Failure> {
    let receiver = WebhookReceiver::open().await?;
    let caller = Arc::new(PatientCaller::of(Arc::clone(&fleet.servers)));
    let staff = RoundStaff { caller, token: fleet.admin_token().await?, webhook_url: receiver.url() };
    let server = fleet.servers.next().ok_or("there is no server")?;
    let keys = ReceiptKeys::of(&server.get_public("/.well-known/jwks.json").await?)?;
    let mut people = Vec::new();
    for lane in 0..LANES.len() {
        let mut of_lane = Vec::new();
        for number in 0..students as usize / LANES.len() {
            let email = format!("student-{lane}-{number}@load.test");
            let token = fleet.token(&email, "student").await?;
            of_lane.push((email, token));
        }
        people.push(of_lane);
    }
    let (exams, faults, is_over) = (Mutex::default(), Mutex::default(), AtomicBool::new(false));
    Ok((Arc::new(Rounds { staff, keys, receiver, exams, faults, is_over }), people))
}

/// Holds one exam after another.
async fn hold_exams(rounds: Arc<Rounds>, kind: ExamKind, people: Vec<(String, String)>) {
    while !rounds.is_over.load(Ordering::Relaxed) && rounds.fault_count() < FAULTS_MAX {
        match exam::hold(&rounds.staff, kind, &people).await {
            Ok(exam) => {
                rounds.note(exam.faults(&rounds.keys));
                rounds.write_dossiers(&exam).await;
                rounds.exams().push(exam);
            }
            Err(failure) => rounds.note(vec![format!("an exam was given up: {failure}")]),
        }
    }
}

/// Kills the server and starts it again. Returns whether Postgres was killed too.
async fn kill(fleet: &mut Fleet, storage: &OwnStorage, is_postgres_due: bool) -> Result<bool, Failure> {
    let was_killed = match storage {
        OwnStorage::Services(services) if is_postgres_due => {
            let server = async {
                sleep(POSTGRES_FIRST_MAX.mul_f64(fastrand::f64())).await;
                fleet.kill(SERVER).await
            };
            tokio::try_join!(services.crash_postgres(), server)?;
            true
        }
        _ => {
            fleet.kill(SERVER).await?;
            false
        }
    };
    fleet.restart(SERVER).await?;
    Ok(was_killed)
}

impl Rounds {
    fn exams(&self) -> MutexGuard<'_, Vec<FinishedExam>> {
        self.exams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fault_count(&self) -> usize {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn note(&self, faults: Vec<String>) {
        for fault in &faults {
            output::progress(&format!("Fault: {fault}"));
        }
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).extend(faults);
    }

    /// Writes down what is known of the tests of which something is wrong, before it is too late to ask.
    async fn write_dossiers(&self, exam: &FinishedExam) {
        for test in exam.tests.iter().filter(|test| !test.faults(&self.keys).is_empty()) {
            let session_id = &test.student.session_id;
            match dossier::write(&self.staff, &self.keys, test).await {
                Ok(path) => output::progress(&format!("{session_id}: see {}", path.display())),
                Err(failure) => output::progress(&format!("{session_id}: nothing more is known: {failure}")),
            }
        }
    }

    /// Leaves the server alone until it has made what is missing, thirty seconds at most.
    async fn check(&self, fleet: &Fleet) -> Result<(), Failure> {
        self.note(self.staff.caller.take_faults());
        let differences = standing::differences(fleet).await?;
        self.note(differences.into_iter().map(|line| format!("receipts check: {line}")).collect());
        Ok(())
    }

    /// Waits for the last event, then looks at everything once more.
    async fn check_in_the_end(&self, fleet: &Fleet) -> Result<(), Failure> {
        output::progress("Waiting for the last events");
        let limit = Instant::now() + TOLD_WITHIN;
        while !self.is_all_told() && Instant::now() < limit {
            sleep(POLL_INTERVAL).await;
        }
        let exams = std::mem::take(&mut *self.exams());
        for exam in &exams {
            self.note(exam.changes(&self.staff).await?);
        }
        *self.exams() = exams;
        self.note(self.event_faults());
        self.check(fleet).await
    }

    fn is_all_told(&self) -> bool {
        let events = self.receiver.received();
        let of_test = events_by_test(&events);
        let exams = self.exams();
        let mut tests = exams.iter().flat_map(|exam| &exam.tests);
        tests.all(|test| told::is_told(&test.versions, &test.telling, events_of(&of_test, test)))
    }

    fn event_faults(&self) -> Vec<String> {
        let events = self.receiver.received();
        let of_test = events_by_test(&events);
        let mut faults = Vec::new();
        for exam in self.exams().iter() {
            for test in &exam.tests {
                let of_test = told::faults(&test.versions, &test.telling, events_of(&of_test, test));
                faults.extend(of_test.into_iter().map(|fault| format!("{}: {fault}", test.student.session_id)));
            }
            let Some(sitting_id) = &exam.sitting_id else { continue };
            let told = events.iter().filter(|event| event.sitting_id.as_ref() == Some(sitting_id));
            let notes: Vec<String> = told.filter_map(|event| event.checkpoint.clone()).collect();
            faults.extend(exam.log_faults(&self.keys, &notes));
        }
        faults
    }

    fn print(&self, kills: u32, postgres_kills: u32) -> bool {
        let exams = self.exams();
        let tests: Vec<&FinishedTest> = exams.iter().flat_map(|exam| &exam.tests).collect();
        let versions: Vec<&StoredVersion> = tests.iter().flat_map(|test| &test.versions).collect();
        let mut reasons = BTreeMap::<&str, u64>::new();
        for version in &versions {
            *reasons.entry(&version.reason).or_default() += 1;
        }
        let sum = |of: fn(&FinishedTest) -> usize| tests.iter().map(|test| of(test) as u64).sum::<u64>();
        let mut rows: Vec<Row> = vec![
            row("kills", format!("{kills} of the server, {postgres_kills} of Postgres")),
            count("exams", exams.len() as u64),
            count("tests", tests.len() as u64),
            count("commands sent", sum(|test| test.student.sent.len())),
            count("commands kept as late", sum(|test| test.student.late.len())),
            count("requests sent again", self.staff.caller.sent_again()),
            count("receipts handed out", sum(|test| test.student.given.len())),
            count("checkpoints handed out", exams.iter().map(|exam| exam.checkpoints.len() as u64).sum()),
            count("versions", versions.len() as u64),
        ];
        rows.extend(reasons.into_iter().map(|(reason, number)| count(&format!("  {reason}"), number)));
        rows.push(count("events", self.receiver.received().len() as u64));
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        rows.push(count("faults", faults.len() as u64));
        rows.extend(faults.iter().take(FAULTS_MAX).map(|fault| row("  fault", fault.clone())));
        let passed = faults.is_empty() && !tests.is_empty();
        output::print_rows(&rows, passed);
        passed
    }
}

/// The events of tests, each in the order in which they came.
fn events_by_test(events: &[ReceivedEvent]) -> HashMap<&str, Vec<&ReceivedEvent>> {
    let mut by_test = HashMap::<&str, Vec<&ReceivedEvent>>::new();
    for event in events {
        if let Some(session_id) = &event.session_id {
            by_test.entry(session_id.as_str()).or_default().push(event);
        }
    }
    by_test
}

fn events_of<'a, 'b>(
    events: &'a HashMap<&str, Vec<&'b ReceivedEvent>>,
    test: &FinishedTest,
) -> &'a [&'b ReceivedEvent] {
    events.get(test.student.session_id.as_str()).map(Vec::as_slice).unwrap_or_default()
}

fn seconds(text: &str) -> Result<f64, String> {
    seats::number_within(text, 0.0, 600.0)
}
