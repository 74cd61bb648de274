//! The corrections scenario: many graded tests are inserted into the database, then the key of a question that all of
//! them have is corrected, and taken back, while students save; and once more while the server is killed.

mod correcting_manager;
mod kills;
mod saved_windows;
mod stored_versions;
mod working_students;

use crate::failure::Failure;
use crate::fleet::{Fleet, ServerProgram};
use crate::graded_tests::GradedTests;
use crate::metrics::ServerReading;
use crate::output;
use crate::own::ROWS_FILE;
use crate::scenario::items::insert;
use crate::seats;
use crate::server::Server;
use crate::table::{Row, count, figure};
use clap::Args;
use correcting_manager::CorrectingManager;
use kills::{KilledCorrection, correct_and_kill};
use saved_windows::SavedWindows;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use stored_versions::{CountedVersions, ExpectedVersions, StoredVersions};
use tokio::time::Instant;
use working_students::{StudentsOutcome, WorkingStudents};

/// Questions of the tests: few, so that every test has the one that is corrected.
const QUESTIONS: usize = 20;

#[derive(Args)]
pub struct CorrectionsOptions {
    /// Graded tests to insert into the database.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    sessions: u32,
    /// Grade of the tests.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
    /// Seconds within which all tests must follow.
    #[arg(long, default_value_t = 120)]
    within: u64,
    /// Corrections, one after another, each of which is taken back.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10))]
    rounds: u32,
    /// Students who save meanwhile, each with a socket and a test of their own; 0 for none.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    seats: u32,
    /// Commands a second for each student.
    #[arg(long, default_value_t = 1.0, value_parser = seats::pace)]
    pace: f64,
    /// Length in seconds of the students' window before each correction and each revert, in which nothing is corrected.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=120))]
    quiet: u32,
    /// How often the server is killed in the middle of one more correction, without students. The scenario starts the
    /// server itself then, and takes neither `--url` nor `--token`.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=50))]
    kills: u32,
    /// The server program for `--kills`.
    #[arg(long, default_value = "target/dist/examhall")]
    server: PathBuf,
    /// URL of the server's database, which must have no session of the grade.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
    /// URL of a Redis for the server of `--kills`; without it there is none.
    #[arg(long, env = "REDIS_URL", default_value = "")]
    redis_url: String,
    /// API token of an admin; not needed with `--kills`.
    #[arg(long, env = "EXAMHALL_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// A correction or a revert that all tests have followed.
struct StepTime {
    is_revert: bool,
    took: Duration,
}

/// What a run has found.
struct CorrectionsOutcome {
    outlook: Value,
    dry_run: Duration,
    steps: Vec<StepTime>,
    windows: SavedWindows,
    students: Option<StudentsOutcome>,
    killed: Option<KilledCorrection>,
    versions: CountedVersions,
    cpu_seconds: Option<f64>,
}

/// Runs the scenario. It passes when all tests have followed each correction and each revert in time and once, also
/// while the server was killed, and the students noticed little of it and lost nothing.
pub async fn run(url: &str, options: &CorrectionsOptions) -> Result<bool, Failure> {
    seats::open_files_for(options.seats as usize)?;
    let (mut fleet, server, token) = open(url, options).await?;
    let bank = server.get(&format!("/api/questions?grade={}", options.grade), &token).await?;
    let bank: Vec<Value> = bank.as_array().ok_or("the bank is not an array")?.iter().take(QUESTIONS).cloned().collect();
    let question =
        bank.first().and_then(|question| question.get("id")?.as_str()).ok_or("the bank is empty")?.to_owned();
    let mut tests = GradedTests::new(options.grade, &bank)?;
    insert(&options.database_url, options.sessions, bank.len(), &mut tests).await?;
    output::progress("The tests are in the database; correcting a key");

    let manager = CorrectingManager::of(Arc::clone(&server), token, options.grade, &question);
    let begin = Instant::now();
    let outlook = manager.foresee().await?;
    let dry_run = begin.elapsed();
    let students = match options.seats {
        0 => None,
        seats => Some(WorkingStudents::seat(&server, seats, options.pace).await?),
    };
    let mut windows = SavedWindows::default();
    let before = ServerReading::take(&server).await;
    let steps = go_through(options, &manager, students.as_ref(), &mut windows).await?;
    let after = ServerReading::take(&server).await;
    let students = match students {
        Some(students) => Some(students.end().await),
        None => None,
    };

    let stored = StoredVersions::of(&options.database_url, options.grade).await?;
    let killed = match &mut fleet {
        Some(fleet) => Some(correct_and_kill(fleet, &manager, &stored, options.kills).await?),
        None => None,
    };
    output::progress("Counting the versions in the database");
    let versions = stored.count(options.expected()).await?;
    stored.close().await?;
    let cpu_seconds = after.cpu_seconds.zip(before.cpu_seconds).map(|(end, begin)| end - begin);
    let outcome = CorrectionsOutcome { outlook, dry_run, steps, windows, students, killed, versions, cpu_seconds };
    let passed = outcome.has_passed(options);
    output::print_rows(&outcome.rows(options), passed);
    Ok(passed)
}

/// The server that was given, or one of the scenario's own, with the token of an admin.
async fn open(url: &str, options: &CorrectionsOptions) -> Result<(Option<Fleet>, Arc<Server>, String), Failure> {
    if options.kills == 0 {
        let token = options.token.clone().ok_or("--token is needed: examhall token create … --role admin")?;
        return Ok((None, Arc::new(Server::at(url).await?), token));
    }
    if std::env::var_os(ROWS_FILE).is_some() {
        return Err("--kills starts a server itself, which would not be alone with --own".into());
    }
    let program = ServerProgram::of(&options.server, &options.database_url, &options.redis_url)?;
    let fleet = Fleet::start(program, 1).await?;
    let address = fleet.addresses().pop().ok_or("there is no server")?;
    let (server, token) = (Server::at(&format!("http://{address}")).await?, fleet.admin_token().await?);
    Ok((Some(fleet), Arc::new(server), token))
}

/// Corrects the key and takes that back, again and again. The students' windows take turns: a quiet one, and one beside
/// the tests that follow.
async fn go_through(
    options: &CorrectionsOptions,
    manager: &CorrectingManager,
    students: Option<&WorkingStudents>,
    windows: &mut SavedWindows,
) -> Result<Vec<StepTime>, Failure> {
    let quiet = Duration::from_secs(options.quiet.into());
    let (mut steps, mut id) = (Vec::new(), String::new());
    for number in 0..options.steps() {
        let is_revert = number % 2 == 1;
        if let Some(students) = students {
            students.measure_quiet(quiet, windows).await;
        }
        let begin = Instant::now();
        let step = if is_revert { manager.take_back(&id).await? } else { manager.correct().await? };
        manager.followed(&step).await?;
        let took = begin.elapsed();
        let (what, seconds) = (if is_revert { "revert" } else { "correction" }, took.as_secs_f64());
        output::progress(&format!("All have followed the {what} within {seconds:.1} s"));
        steps.push(StepTime { is_revert, took });
        id = step.id;
        if let Some(students) = students {
            students.end_beside(windows).await;
        }
    }
    Ok(steps)
}

impl CorrectionsOptions {
    /// Corrections and reverts without a kill.
    const fn steps(&self) -> u32 {
        2 * self.rounds
    }

    /// What the tests should be like in the end: each step changes the line of the corrected question in each of them.
    fn expected(&self) -> ExpectedVersions {
        ExpectedVersions::after(self.steps() + u32::from(self.kills > 0), self.sessions)
    }
}

impl CorrectionsOutcome {
    fn has_passed(&self, options: &CorrectionsOptions) -> bool {
        let limit = Duration::from_secs(options.within);
        let students_worked = self.students.as_ref().is_none_or(StudentsOutcome::is_whole);
        self.foreseen("sessions") == u64::from(options.sessions)
            && self.steps.iter().all(|step| step.took <= limit)
            && students_worked
            && (options.seats == 0 || self.windows.are_alike())
            && (options.kills == 0 || self.killed.as_ref().is_some_and(|killed| killed.is_in_time(limit)))
            && self.versions.are(options.expected())
    }

    fn rows(&self, options: &CorrectionsOptions) -> Vec<Row> {
        let mut rows = vec![
            count("tests", options.sessions.into()),
            count("of them rise", self.foreseen("rise")),
            figure("dry run", Some(self.dry_run.as_secs_f64()), " s"),
        ];
        for (number, step) in self.steps.iter().enumerate() {
            let what = if step.is_revert { " the revert" } else { "" };
            let label = format!("round {}: all have followed{what} within", number / 2 + 1);
            rows.push(figure(&label, Some(step.took.as_secs_f64()), " s"));
        }
        rows.push(figure("server CPU of all rounds", self.cpu_seconds, " s"));
        if let Some(students) = &self.students {
            rows.extend(self.windows.rows());
            rows.extend(students.rows());
        }
        rows.extend(self.killed.iter().flat_map(KilledCorrection::rows));
        rows.extend(self.versions.rows(options.expected()));
        rows
    }

    /// A number of the dry run.
    fn foreseen(&self, name: &str) -> u64 {
        self.outlook.get(name).and_then(Value::as_u64).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::saved_windows::WindowKind;
    use super::*;
    use crate::tally::Percentiles;
    use serde_json::json;

    /// Without tests, of which nothing can be forgotten.
    fn options() -> CorrectionsOptions {
        CorrectionsOptions {
            sessions: 0,
            grade: 5,
            within: 120,
            rounds: 1,
            seats: 0,
            pace: 1.0,
            quiet: 30,
            kills: 0,
            server: PathBuf::new(),
            database_url: String::new(),
            redis_url: String::new(),
            token: None,
        }
    }

    fn outcome() -> CorrectionsOutcome {
        let took = Duration::from_secs(120);
        CorrectionsOutcome {
            outlook: json!({ "sessions": 0, "rise": 0 }),
            dry_run: Duration::from_secs(1),
            steps: vec![StepTime { is_revert: false, took }, StepTime { is_revert: true, took }],
            windows: SavedWindows::default(),
            students: None,
            killed: None,
            versions: CountedVersions::default(),
            cpu_seconds: None,
        }
    }

    #[test]
    fn whatever_was_asked_for_has_to_be_shown() {
        assert!(outcome().has_passed(&options()));
        assert!(!outcome().has_passed(&CorrectionsOptions { within: 119, ..options() }));
        assert!(!outcome().has_passed(&CorrectionsOptions { sessions: 1, ..options() }));
        assert!(!outcome().has_passed(&CorrectionsOptions { kills: 1, ..options() }));
        let with_seats = CorrectionsOptions { seats: 1, ..options() };
        assert!(!outcome().has_passed(&with_seats));
        let mut measured = outcome();
        let p99 = Duration::from_millis(5);
        for kind in [WindowKind::Quiet, WindowKind::Beside] {
            measured.windows.push(kind, Some(Percentiles { p50: p99, p99, p999: p99, max: p99 }));
        }
        assert!(measured.has_passed(&with_seats));
        measured.windows.push(WindowKind::Beside, None);
        assert!(!measured.has_passed(&with_seats));
    }

    #[test]
    fn each_step_has_a_row() {
        let rows = outcome().rows(&options());
        let value = |label: &str| rows.iter().find(|(name, _)| name == label).map(|(_, value)| value.as_str());
        assert_eq!(value("round 1: all have followed within"), Some("120.0 s"));
        assert_eq!(value("round 1: all have followed the revert within"), Some("120.0 s"));
        assert_eq!(value("versions that each should have"), Some("3"));
        let killed = CorrectionsOptions { kills: 3, rounds: 2, ..options() };
        let rows = outcome().rows(&killed);
        assert!(rows.contains(&("versions that each should have".to_owned(), "6".to_owned())));
    }
}
