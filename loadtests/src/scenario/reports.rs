//! The reports scenario: finished tests are handed in and their reports asked for, one by one and fifty at once beside students who sit an exam.

use crate::failure::Failure;
use crate::frames;
use crate::metrics::{Reading, ServerReading};
use crate::output;
use crate::seat::{Behaviour, Pace, Seat, Student, TimeWindow};
use crate::seats;
use crate::server::Server;
use crate::table::{count, figure, latency};
use crate::tally::{Tally, read};
use clap::Args;
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

/// Commands without an answer at which a seat waits.
const IN_FLIGHT_MAX: usize = 32;
/// Reports under way while their cost is measured: one is made while the next is read.
const UNDER_WAY: usize = 2;
/// Reports that are asked for at the same moment beside the exam.
const AT_ONCE: usize = 50;
/// Questions of each test.
const QUESTIONS: usize = 40;

/// What can be chosen.
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

/// Options of the scenario.
#[derive(Args)]
pub struct ReportsOptions {
    /// Tests whose reports are made one by one.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    reports: u32,
    /// Students who sit an exam meanwhile.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seats: u32,
    /// Length of each of the two windows of the exam.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Commands a second for each student.
    #[arg(long, default_value_t = 1.0)]
    pace: f64,
    /// Their grade.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
}

/// Runs it; true when every report was made, and those asked for at once were made or refused cleanly.
pub async fn run(server: Server, options: &ReportsOptions) -> Result<bool, Failure> {
    seats::open_files_for(options.seats as usize)?;
    let server = Arc::new(server);
    let bank = server.get(&format!("/api/questions?grade={}", options.grade), "").await?;
    let bank = bank.as_array().ok_or("the bank is no array")?;
    let ids = create_sessions(&server, bank, options, options.reports as usize).await?;

    let (before, begun) = (ServerReading::take(&server).await, Instant::now());
    let made: Vec<Result<usize, Failure>> =
        stream::iter(&ids).map(|id| server.report_bytes(id)).buffer_unordered(UNDER_WAY).collect().await;
    let (took, after) = (begun.elapsed().as_secs_f64(), ServerReading::take(&server).await);
    let sizes = made.into_iter().collect::<Result<Vec<usize>, Failure>>()?;
    let cpu = after.cpu_seconds.zip(before.cpu_seconds).map(|(end, begin)| (end - begin) / ids.len() as f64);

    let exam = exam_with_reports(&server, bank, options).await?;
    let errors: u64 = exam.tallies.iter().flat_map(|tally| tally.errors().into_values()).sum();
    let passed = errors == 0 && exam.failed == 0 && sizes.iter().all(|bytes| *bytes > 0);
    let [alone, with] = &exam.tallies;
    let rows = [
        count("reports", ids.len() as u64),
        figure("bytes of a report", Some(sizes.iter().sum::<usize>() as f64 / sizes.len() as f64 / 1024.0), " KiB"),
        figure("reports a second", Some(ids.len() as f64 / took), ""),
        figure("server CPU per report", cpu.map(|seconds| seconds * 1e3), " ms"),
        figure("reports a core-second", cpu.filter(|seconds| *seconds > 0.0).map(f64::recip), ""),
        latency("saved latency without reports", alone.saved_times.percentiles()),
        latency("saved latency with reports", with.saved_times.percentiles()),
        count("commands saved without and with", read(&alone.saved) + read(&with.saved)),
        count("reports made beside the exam", exam.made),
        count("reports refused as busy", exam.refused),
        count("reports failed", exam.failed),
        count("errors", errors),
    ];
    output::print_rows(&rows, passed);
    Ok(passed)
}

/// What happened beside the students.
struct ExamWithReports {
    tallies: [Arc<Tally>; 2],
    made: u64,
    refused: u64,
    failed: u64,
}

/// Two windows of the same exam; in the second fifty reports are asked for at the same moment, again as soon as all are answered.
async fn exam_with_reports(
    server: &Arc<Server>,
    bank: &[Value],
    options: &ReportsOptions,
) -> Result<ExamWithReports, Failure> {
    let tallies = [Arc::new(Tally::new()?), Arc::new(Tally::new()?)];
    let (open, opening) = watch::channel(None);
    let mut seats = JoinSet::new();
    let seated = Arc::new(tokio::sync::Barrier::new(options.seats as usize + 1));
    for number in 0..options.seats as usize {
        let student = Student { number, grade: frames::spread_grade(number), behaviour: Behaviour::Answering };
        let pace = Pace { commands_per_second: options.pace, in_flight_max: IN_FLIGHT_MAX };
        seats.spawn(sit(Arc::clone(server), student, pace, tallies.clone(), opening.clone(), Arc::clone(&seated)));
    }
    seated.wait().await;
    output::progress(&format!("Students sit; {} s without reports", options.seconds));
    let [alone, with] = &tallies;
    window(server, alone, &open, options.seconds, async |_| Ok(())).await?;
    output::progress(&format!("{} s with {AT_ONCE} reports at once", options.seconds));
    let (mut made, mut refused, mut failed) = (0, 0, 0);
    window(server, with, &open, options.seconds, async |end| {
        while Instant::now() < end {
            let ids = create_sessions(server, bank, options, AT_ONCE).await?;
            for answer in join_all(ids.iter().map(|id| server.report_status(id))).await {
                match answer? {
                    200 => made += 1,
                    503 => refused += 1,
                    _ => failed += 1,
                }
            }
        }
        Ok(())
    })
    .await?;
    seats::collect(&mut seats, with).await;
    Ok(ExamWithReports { tallies, made, refused, failed })
}

async fn sit(
    server: Arc<Server>,
    student: Student,
    pace: Pace,
    tallies: [Arc<Tally>; 2],
    mut opening: watch::Receiver<Option<TimeWindow>>,
    seated: Arc<tokio::sync::Barrier>,
) -> Option<Seat> {
    let [alone, _] = &tallies;
    let started = Seat::start(&server, student, pace, Arc::clone(alone)).await;
    seated.wait().await;
    let mut seat = started.inspect_err(|code| alone.error(code)).ok()?;
    for tally in tallies {
        seat.use_tally(Arc::clone(&tally));
        if let Err(code) = seat.work_through(&mut opening).await {
            tally.error(&code);
            break;
        }
    }
    Some(seat)
}

/// Lets the students work for a window while something else is done until its end.
async fn window(
    server: &Server,
    tally: &Tally,
    open: &watch::Sender<Option<TimeWindow>>,
    seconds: u32,
    beside: impl AsyncFnOnce(Instant) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let window = seats::window(seconds);
    open.send_replace(Some(window));
    sleep_until(window.begin).await;
    Reading::take(server, tally).await;
    beside(window.end).await?;
    sleep_until(window.end).await;
    Ok(())
}

/// Hands in so many finished tests, each of another student; gives their ids.
async fn create_sessions(
    server: &Server,
    bank: &[Value],
    options: &ReportsOptions,
    tests: usize,
) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::with_capacity(tests);
    for number in 0..tests {
        ids.push(server.create_session(&test(bank, options.grade, number)).await?);
    }
    Ok(ids)
}

/// A finished test with answers of every kind.
fn test(bank: &[Value], grade: u8, number: usize) -> Value {
    let line = |(index, question): (usize, &Value)| {
        let selected = if (index + number) % 9 == 8 {
            ""
        } else {
            LETTERS.get((index * 7 + number) % LETTERS.len()).copied().unwrap_or_default()
        };
        json!({ "questionId": question["id"], "selected": selected, "correct": "A", "isCorrect": false, "timeTaken": 20 + index })
    };
    let answers: Vec<Value> = bank.iter().take(QUESTIONS).enumerate().map(line).collect();
    json!({
        "grade": grade, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
        "annotations": { "name": format!("Zoë Müller-Łukasiewicz {number}"), "studentId": number, "school": "Παιδεία № 5" },
        "result": {
            "score": 500, "correctAnswers": 0, "totalQuestions": answers.len(), "timeTaken": 2_052,
            "topicBreakdown": [], "difficultyBreakdown": [], "answers": answers,
        },
    })
}
