//! The upgrade scenario: a database from before results had versions, full of finished tests, is brought up to date.
//! Nothing that was stored may be another afterwards.

use crate::failure::Failure;
use crate::fleet::ServerProgram;
use crate::graded_tests::GradedTests;
use crate::output;
use crate::own_storage::OwnStorage;
use crate::table::{count, figure, row};
use crate::wall_clock::microseconds_now;
use clap::Args;
use entities::{attempt, session, session_body};
use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, Database, DatabaseConnection, DbBackend, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Statement,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use tokio::time::Instant;
use uuid::Uuid;

/// Steps of the schema before the one that made versions.
const STEPS_BEFORE: u32 = 24;
/// What a session had then, in two parts, since a tuple has twelve fields at most.
type FirstColumns = (Uuid, i16, i64, i64, bool, String, bool, i32, i32, i32);
type OtherColumns =
    (i32, Option<i64>, Option<Uuid>, Option<Uuid>, String, Option<String>, String, Option<String>, String);
const FIRST_COLUMNS: [session::Column; 10] = [
    session::Column::SessionId,
    session::Column::Grade,
    session::Column::StartedAtMs,
    session::Column::CompletedAtMs,
    session::Column::WebhookSent,
    session::Column::ReportUrl,
    session::Column::Verified,
    session::Column::Score,
    session::Column::CorrectAnswers,
    session::Column::TotalQuestions,
];
const OTHER_COLUMNS: [session::Column; 9] = [
    session::Column::TimeTaken,
    session::Column::EventId,
    session::Column::TemplateId,
    session::Column::SittingId,
    session::Column::Origin,
    session::Column::Account,
    session::Column::Student,
    session::Column::StudentId,
    session::Column::SearchText,
];
type BodyColumns = (Uuid, String, String, Option<String>, String);
const BODY_COLUMNS: [session_body::Column; 5] = [
    session_body::Column::SessionId,
    session_body::Column::Annotations,
    session_body::Column::Result,
    session_body::Column::Drawings,
    session_body::Column::GradedBy,
];
/// Rows of one statement. SQLite allows 32,766 values, and a row has 19.
const ROWS_PER_STATEMENT: usize = 1_000;
const QUESTIONS: usize = 20;
const GRADE: u8 = 5;
/// All tests ended an hour ago, so that the upgrade has something to note of each.
const ENDED_MILLISECONDS_AGO: i64 = 60 * 60 * 1_000;
const DATABASE: &str = "upgrade";

#[derive(Args)]
pub struct UpgradeOptions {
    /// Finished tests in the database.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    sessions: u32,
    /// Seconds within which the database must be up to date.
    #[arg(long, default_value_t = 60.0)]
    within: f64,
    /// Runs on a Postgres of its own (`scripts/services`) instead of SQLite.
    #[arg(long)]
    postgres: bool,
    /// The server's program.
    #[arg(long, default_value = "target/dist/examhall")]
    server: PathBuf,
}

/// Runs the scenario. It passes when the upgrade is fast enough and has changed nothing that was stored.
pub async fn run(options: &UpgradeOptions) -> Result<bool, Failure> {
    let storage = OwnStorage::open(options.postgres).await?;
    let (url, redis_url) = storage.empty(DATABASE).await?;
    let program = ServerProgram::of(&options.server, &url, &redis_url)?;
    let own_url = if options.postgres { url } else { format!("{url}?mode=rwc") };
    let database = Database::connect(&own_url).await?;
    Migrator::up(&database, Some(STEPS_BEFORE)).await?;
    output::progress(&format!("Inserting {} tests", options.sessions));
    insert(&database, options.sessions).await?;
    let (before, files_before) = (digest(&database).await?, files(&database).await?);
    database.close().await?;

    output::progress("Upgrading");
    let begun = Instant::now();
    program.migrate().await?;
    let seconds = begun.elapsed().as_secs_f64();

    let database = Database::connect(&own_url).await?;
    let (after, files_after) = (digest(&database).await?, files(&database).await?);
    let versions = session::Entity::find().filter(session::Column::Version.eq(1)).count(&database).await?;
    database.close().await?;
    let is_same = before == after && files_before == files_after && versions == u64::from(options.sessions);
    let passed = is_same && seconds <= options.within;
    let rows = [
        count("finished tests", options.sessions.into()),
        count("of them in their first version", versions),
        figure("up to date within", Some(seconds), " s"),
        row("SHA-256 of all results before", before),
        row("SHA-256 of all results after", after),
        row("files of the tables", if files_before == files_after { "the same" } else { "written anew" }.to_owned()),
    ];
    output::print_rows(&rows, passed);
    Ok(passed)
}

/// Inserts finished tests, each with the attempt that it was.
async fn insert(database: &DatabaseConnection, sessions: u32) -> Result<(), Failure> {
    let question = |number: usize| {
        let id = format!("g5-{number:03}");
        json!({ "id": id, "topic": "Fractions", "difficulty": number % 5 + 1, "answer": "B" })
    };
    let bank: Vec<Value> = (0..QUESTIONS * 3).map(question).collect();
    let (mut tests, mut left) = (GradedTests::new(GRADE, &bank)?, sessions as usize);
    let ended_at_ms = microseconds_now() / 1_000 - ENDED_MILLISECONDS_AGO;
    while left > 0 {
        let (rows, bodies): (Vec<_>, Vec<_>) =
            (0..left.min(ROWS_PER_STATEMENT)).map(|_| tests.session(QUESTIONS)).unzip();
        left -= rows.len();
        let attempts: Vec<_> = rows.iter().map(|row| attempt_of(row, ended_at_ms)).collect();
        let kept = OnConflict::column(attempt::Column::SessionId).do_nothing().to_owned();
        attempt::Entity::insert_many(attempts).on_conflict(kept).exec_without_returning(database).await?;
        let kept = OnConflict::column(session::Column::SessionId).do_nothing().to_owned();
        session::Entity::insert_many(rows).on_conflict(kept).exec_without_returning(database).await?;
        let kept = OnConflict::column(session_body::Column::SessionId).do_nothing().to_owned();
        session_body::Entity::insert_many(bodies).on_conflict(kept).exec_without_returning(database).await?;
    }
    Ok(())
}

fn attempt_of(row: &session::ActiveModel, ended_at_ms: i64) -> attempt::ActiveModel {
    let session_id = row.session_id.clone().take().unwrap_or_default();
    attempt::ActiveModel {
        session_id: Set(session_id),
        token_hash: Set(Sha256::digest(session_id.as_bytes()).to_vec()),
        grade: Set(GRADE.into()),
        mode: Set("standard".to_owned()),
        duration_minutes: Set(30),
        started_at_ms: Set(ended_at_ms - 1_800_000),
        deadline_ms: Set(ended_at_ms),
        annotations: Set("{}".to_owned()),
        base_url: Set("https://exam.example".to_owned()),
        paper: Set("[]".to_owned()),
        ended_at_ms: Set(Some(ended_at_ms)),
        ended_by: Set(Some("deadline".to_owned())),
        paused_in: Set(0),
        extended_minutes: Set(0),
        ..Default::default()
    }
}

/// The SHA-256 of everything that was stored of all tests before the upgrade.
async fn digest(database: &DatabaseConnection) -> Result<String, Failure> {
    const PAGE: u64 = ROWS_PER_STATEMENT as u64;
    let (mut hash, mut last) = (Sha256::new(), Uuid::nil());
    loop {
        let page = || {
            let rest = session::Entity::find().select_only().filter(session::Column::SessionId.gt(last));
            rest.order_by_asc(session::Column::SessionId).limit(PAGE)
        };
        let first: Vec<FirstColumns> = page().columns(FIRST_COLUMNS).into_tuple().all(database).await?;
        let others: Vec<OtherColumns> = page().columns(OTHER_COLUMNS).into_tuple().all(database).await?;
        let bodies = session_body::Entity::find().select_only().columns(BODY_COLUMNS);
        let bodies = bodies.filter(session_body::Column::SessionId.gt(last));
        let bodies = bodies.order_by_asc(session_body::Column::SessionId).limit(PAGE);
        let bodies: Vec<BodyColumns> = bodies.into_tuple().all(database).await?;
        let Some(newest) = first.last() else { break };
        last = newest.0;
        hash.update(format!("{first:?}{others:?}{bodies:?}"));
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The files in which Postgres has the tables of results: a table that is written anew gets another.
async fn files(database: &DatabaseConnection) -> Result<Vec<String>, Failure> {
    const FILES: &str = "SELECT relfilenode::text AS file FROM pg_class \
        WHERE relname IN ('sessions', 'session_bodies') AND relkind = 'r' ORDER BY relname";
    if database.get_database_backend() != DbBackend::Postgres {
        return Ok(Vec::new());
    }
    let rows = database.query_all_raw(Statement::from_string(DbBackend::Postgres, FILES)).await?;
    Ok(rows.iter().map(|row| row.try_get::<String>("", "file")).collect::<Result<_, _>>()?)
}
