//! Postgres without a service: the rows of answers, as the server's table has them, upserted as fast as a few
//! connections can send them.

use crate::failure::Failure;
use fastrand::Rng;
use futures_util::future::try_join_all;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement, Value};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Rows of a statement that stores many.
pub const MANY_ROWS: usize = 1_000;
/// Connections, each with one statement at a time: as many as the processors, so that Postgres has all of them.
const CONNECTIONS_OF_MANY: u32 = 2;
/// Connections for single rows, which wait for the disk together.
const CONNECTIONS_OF_SINGLE: u32 = 64;
/// Students whose answers change again and again, all of them together.
const SESSIONS: u128 = 5_000;
const QUESTIONS: i16 = 40;

/// How many rows are upserted in a second, so many by each statement, with Postgres's own durability.
pub async fn upserts_a_second(database_url: &str, rows: usize, time: Duration) -> Result<f64, Failure> {
    let connections = if rows > 1 { CONNECTIONS_OF_MANY } else { CONNECTIONS_OF_SINGLE };
    let mut options = ConnectOptions::new(database_url);
    options.max_connections(connections).min_connections(connections).sqlx_logging(false);
    let database = Database::connect(options).await?;
    let table = "CREATE TABLE IF NOT EXISTS entries (session_id uuid, position int2, kind int2, seq int8, value text, \
                 time_taken int4, PRIMARY KEY (session_id, position, kind))";
    database.execute_unprepared(table).await?;
    let begun = Instant::now();
    let writers = (0..connections).map(|writer| write(&database, writer, connections, rows, begun + time));
    let written: usize = try_join_all(writers).await?.into_iter().sum();
    let a_second = written as f64 / begun.elapsed().as_secs_f64();
    database.close().await?;
    Ok(a_second)
}

async fn write(
    database: &DatabaseConnection,
    writer: u32,
    writers: u32,
    rows: usize,
    end: Instant,
) -> Result<usize, Failure> {
    let text = "INSERT INTO entries SELECT * FROM unnest($1, $2, $3, $4, $5, $6) \
                ON CONFLICT (session_id, position, kind) DO UPDATE SET seq = excluded.seq, value = excluded.value, \
                time_taken = excluded.time_taken WHERE entries.seq <= excluded.seq";
    let (mut written, mut seq, mut random) = (0, 0_i64, Rng::with_seed(writer.into()));
    // Each writer has students of its own, as each worker of the server has, so that none waits for another.
    let sessions = SESSIONS / u128::from(writers);
    let session = |random: &mut Rng| Uuid::from_u128(u128::from(writer) * SESSIONS + random.u128(0..sessions));
    while Instant::now() < end {
        seq += 1;
        let mut keys = BTreeSet::new();
        while keys.len() < rows {
            keys.insert((session(&mut random), random.i16(0..QUESTIONS)));
        }
        let values: [Value; 6] = [
            keys.iter().map(|(session_id, _)| *session_id).collect::<Vec<_>>().into(),
            keys.iter().map(|(_, position)| *position).collect::<Vec<_>>().into(),
            vec![0_i16; rows].into(),
            vec![seq; rows].into(),
            vec!["B".to_owned(); rows].into(),
            vec![30_i32; rows].into(),
        ];
        database.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, text, values)).await?;
        written += rows;
    }
    Ok(written)
}
