//! The items scenario: many graded tests are inserted into the database, then teachers request the item statistics all
//! at once.

use crate::failure::Failure;
use crate::graded_tests::GradedTests;
use crate::metrics::ServerReading;
use crate::output;
use crate::server::Server;
use crate::table::{count, figure};
use clap::Args;
use futures_util::future::{join, join_all};
use sea_orm::sea_query::OnConflict;
use sea_orm::{Database, EntityTrait};
use serde_json::Value;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// Rows of one statement. SQLite allows 32,766 values, and a row has 18.
const ROWS_PER_STATEMENT: usize = 1_000;
/// Interval between readings of the server's memory while it counts.
const READING_INTERVAL: Duration = Duration::from_millis(50);
/// The server gives four decimals: half of the last one, and a little for floating point.
const TOLERANCE: f64 = 0.000_051;

#[derive(Args)]
pub struct ItemsOptions {
    /// Graded tests to insert into the database.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    sessions: u32,
    /// Questions of each test.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(2..=40))]
    questions: u16,
    /// Grade of the tests.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
    /// Teachers who request the statistics at once.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    callers: u16,
    /// URL of the server's database, which must have no session of the grade.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
    /// API token of an admin.
    #[arg(long, env = "EXAMHALL_TOKEN", hide_env_values = true)]
    token: String,
}

/// Runs the scenario. It passes when every teacher gets the same answer and every figure is the generator's own.
pub async fn run(server: &Server, options: &ItemsOptions) -> Result<bool, Failure> {
    let bank = server.get(&format!("/api/questions?grade={}", options.grade), &options.token).await?;
    let mut tests = GradedTests::new(options.grade, bank.as_array().ok_or("the bank is not an array")?)?;
    let insertion = Instant::now();
    insert(&options.database_url, options.sessions, usize::from(options.questions), &mut tests).await?;
    let insertion = insertion.elapsed();
    output::progress("The tests are in the database; requesting statistics");

    let path = format!("/api/admin/items?grade={}", options.grade);
    let before = ServerReading::take(server).await;
    let (done, waiting) = watch::channel(false);
    let begin = Instant::now();
    let asking = async {
        let answers = join_all((0..options.callers).map(|_| server.get(&path, &options.token))).await;
        done.send_replace(true);
        (answers, begin.elapsed())
    };
    let ((answers, first), peak_bytes) = join(asking, peak_memory(server, waiting)).await;
    let after = ServerReading::take(server).await;
    let begin = Instant::now();
    server.get(&path, &options.token).await?;
    let again = begin.elapsed();

    let answers = answers.into_iter().collect::<Result<Vec<Value>, Failure>>()?;
    let are_alike = answers.windows(2).all(|pair| matches!(pair, [one, other] if one == other));
    let wrong = answers.first().map_or(1, |answer| tests.wrong(answer, options.sessions, TOLERANCE));
    let passed = are_alike && wrong == 0;
    let mebibytes = |bytes: Option<f64>| Some((bytes? - before.resident_bytes?) / 1_048_576.0);
    let rows = [
        count("tests", options.sessions.into()),
        figure("of text", Some(tests.bytes() as f64 / 1_048_576.0), " MiB"),
        figure("put into the database within", Some(insertion.as_secs_f64()), " s"),
        count("teachers at once", options.callers.into()),
        figure("all answered within", Some(first.as_secs_f64() * 1_000.0), " ms"),
        figure(
            "server CPU for all",
            after.cpu_seconds.zip(before.cpu_seconds).map(|(end, begin)| (end - begin) * 1_000.0),
            " ms",
        ),
        figure("asked once more", Some(again.as_secs_f64() * 1_000.0), " ms"),
        figure("server memory, growth at most", mebibytes(peak_bytes), " MiB"),
        count("wrong figures", wrong),
    ];
    output::print_rows(&rows, passed);
    Ok(passed)
}

/// Inserts so many tests of so many questions each.
pub async fn insert(url: &str, sessions: u32, questions: usize, tests: &mut GradedTests) -> Result<(), Failure> {
    let database = Database::connect(url).await?;
    let mut left = sessions as usize;
    while left > 0 {
        let (rows, bodies): (Vec<_>, Vec<_>) =
            (0..left.min(ROWS_PER_STATEMENT)).map(|_| tests.session(questions)).unzip();
        left -= rows.len();
        let conflict = OnConflict::column(entities::session::Column::SessionId).do_nothing().to_owned();
        entities::session::Entity::insert_many(rows).on_conflict(conflict).exec_without_returning(&database).await?;
        let conflict = OnConflict::column(entities::session_body::Column::SessionId).do_nothing().to_owned();
        entities::session_body::Entity::insert_many(bodies)
            .on_conflict(conflict)
            .exec_without_returning(&database)
            .await?;
    }
    Ok(database.close().await?)
}

async fn peak_memory(server: &Server, done: watch::Receiver<bool>) -> Option<f64> {
    let mut peak: Option<f64> = None;
    while !*done.borrow() {
        let reading = ServerReading::take(server).await.resident_bytes;
        peak = reading.map(|bytes| peak.map_or(bytes, |peak| peak.max(bytes))).or(peak);
        sleep(READING_INTERVAL).await;
    }
    peak
}
