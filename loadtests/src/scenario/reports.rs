//! The reports scenario: finished tests are submitted and their reports requested, first one by one, then fifty at once
//! while students sit an exam.

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

/// Unanswered commands at which a seat pauses. At the usual paces a seat reaches it only when the server stalls.
const IN_FLIGHT_MAX: usize = 32;
/// Concurrent requests while the cost of a report is measured: one report is made while the previous one is read.
const UNDER_WAY: usize = 2;
/// Reports requested at the same moment during the exam.
const AT_ONCE: usize = 50;
/// Questions of each test: the most that a standard test can have.
const QUESTIONS: usize = 40;

const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

#[derive(Args)]
pub struct ReportsOptions {
    /// Tests whose reports are made one by one.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    reports: u32,
    /// Students who sit an exam while reports are made.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seats: u32,
    /// Length in seconds of each of the exam's two windows.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Commands a second for each student.
    #[arg(long, default_value_t = 1.0)]
    pace: f64,
    /// Grade of the finished tests.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
}

/// Runs the scenario. It passes when every report of the first part was made, and those of the second were made or
/// refused with 503.
pub async fn run(server: Server, options: &ReportsOptions) -> Result<bool, Failure> {
    seats::open_files_for(options.seats as usize)?;
    let server = Arc::new(server);
    let bank = server.get(&format!("/api/questions?grade={}", options.grade), "").await?;
    let bank = bank.as_array().ok_or("the bank is not an array")?;
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

/// What the two windows measured: the students' figures without and with reports, and the answers to the requests for
/// reports.
struct ExamWithReports {
    tallies: [Arc<Tally>; 2],
    made: u64,
    refused: u64,
    failed: u64,
}

/// Runs two windows of the same exam. In the second one fifty reports are requested at the same moment, and fifty
/// others as soon as all are answered.
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

/// Lets the students work for a window and runs `beside` until its end.
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

/// Submits `tests` finished tests, each of a different student, and returns their ids.
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

/// A finished test whose answers vary with its number, some of them left out.
fn test(bank: &[Value], grade: u8, number: usize) -> Value {
    let line = |(index, question): (usize, &Value)| {
        let selected = if (index + number) % 9 == 8 {
            ""
        } else {
            LETTERS.get((index * 7 + number) % LETTERS.len()).copied().unwrap_or_default()
        };
        json!({
            "questionId": question["id"], "selected": selected, "correct": "A", "isCorrect": false,
            "timeTaken": 20 + index,
        })
    };
    let answers: Vec<Value> = bank.iter().take(QUESTIONS).enumerate().map(line).collect();
    json!({
        "grade": grade, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example",
        "annotations": {
            "name": format!("Zoë Müller-Łukasiewicz {number}"), "studentId": number, "school": "Παιδεία № 5",
        },
        "result": {
            "score": 500, "correctAnswers": 0, "totalQuestions": answers.len(), "timeTaken": 2_052,
            "topicBreakdown": [], "difficultyBreakdown": [], "answers": answers,
        },
    })
}
