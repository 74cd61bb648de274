//! Postgres without a service: upserts of answers as fast as a few connections can send them.

use crate::failure::Failure;
use futures_util::future::try_join_all;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use std::time::Duration;
use tokio::time::Instant;

/// Rows of a statement that stores many.
pub const MANY_ROWS: usize = 1_000;
/// Connections, each with one statement at a time: with more, these statements got slower.
const CONNECTIONS_OF_MANY: u32 = 2;
/// The same for single rows, which wait for the disk together.
const CONNECTIONS_OF_SINGLE: u32 = 64;
/// Rows of the table, which a run goes through again and again.
const SESSIONS: usize = 10_000;

/// How many rows are upserted in a second, so many by each statement, with Postgres's own durability.
pub async fn upserts_a_second(database_url: &str, rows: usize, time: Duration) -> Result<f64, Failure> {
    let connections = if rows > 1 { CONNECTIONS_OF_MANY } else { CONNECTIONS_OF_SINGLE };
    let mut options = ConnectOptions::new(database_url);
    options.max_connections(connections).min_connections(connections).sqlx_logging(false);
    let database = Database::connect(options).await?;
    let table = "CREATE TABLE IF NOT EXISTS answers (session_id uuid, question_id text, seq bigint, selected text, \
                 PRIMARY KEY (session_id, question_id))";
    database.execute_unprepared(table).await?;
    let begun = Instant::now();
    let writers = (0..connections).map(|writer| write(&database, writer as usize, rows, begun + time));
    let written: usize = try_join_all(writers).await?.into_iter().sum();
    let a_second = written as f64 / begun.elapsed().as_secs_f64();
    database.close().await?;
    Ok(a_second)
}

async fn write(database: &DatabaseConnection, writer: usize, rows: usize, end: Instant) -> Result<usize, Failure> {
    let text = "INSERT INTO answers SELECT * FROM unnest($1, $2, $3, $4) \
                ON CONFLICT (session_id, question_id) DO UPDATE SET seq = excluded.seq, selected = excluded.selected \
                WHERE answers.seq < excluded.seq";
    let mut written = 0;
    while Instant::now() < end {
        // Each writer has sessions of its own, as each worker of the server has.
        let sessions = (0..rows).map(|row| {
            let number = (writer * SESSIONS + (written + row) % SESSIONS) as u128;
            uuid::Uuid::from_u128(number)
        });
        let seq = i64::try_from(written / SESSIONS + 1)?;
        let values = [
            sessions.collect::<Vec<_>>().into(),
            vec!["g5-001".to_owned(); rows].into(),
            vec![seq; rows].into(),
            vec!["B".to_owned(); rows].into(),
        ];
        database.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, text, values)).await?;
        written += rows;
    }
    Ok(written)
}
