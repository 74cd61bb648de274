//! Reads from the write-ahead log what Postgres writes around a moment: every byte, and every row by table. Statistics
//! of tables would come up to ten seconds late, and this is exact.

use crate::failure::Failure;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};

const POSITION: &str = "SELECT pg_current_wal_insert_lsn()::text AS position";
const BYTES: &str = "SELECT pg_wal_lsn_diff($1::pg_lsn, $2::pg_lsn)::bigint AS bytes";
const EXTENSION: &str = "CREATE EXTENSION IF NOT EXISTS pg_walinspect";
/// Each record of the heap is one row that was inserted, changed or deleted. Rows of the system's own tables have other
/// schemas, and those of other databases another number.
const ROWS: &str = "\
    SELECT c.relname::text AS name, count(*) AS rows \
    FROM pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn) r \
    JOIN pg_class c ON c.relfilenode = substring(r.block_ref from 'rel \\d+/\\d+/(\\d+)')::oid \
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname NOT IN ('pg_catalog', 'pg_toast', 'information_schema') \
    JOIN pg_database d ON d.datname = current_database() \
        AND substring(r.block_ref from 'rel \\d+/(\\d+)/')::oid = d.oid \
    WHERE r.resource_manager IN ('Heap', 'Heap2') AND r.record_type ~ '^(INSERT|UPDATE|HOT_UPDATE|DELETE|MULTI_INSERT)' \
    GROUP BY c.relname ORDER BY c.relname";

/// A position in the log.
#[derive(Clone, Debug)]
pub struct LogPosition(String);

/// A connection of its own to the servers' database.
pub struct WrittenPages {
    database: DatabaseConnection,
    has_rows: bool,
}

/// What was written between two positions.
#[derive(Debug)]
pub struct Written {
    pub bytes: u64,
    /// By table; `None` where the log may not be read.
    pub rows: Option<Vec<(String, u64)>>,
}

impl WrittenPages {
    /// `None` for another database than Postgres.
    pub async fn of(url: &str) -> Result<Option<Self>, Failure> {
        if !url.starts_with("postgres") {
            return Ok(None);
        }
        let database = Database::connect(url).await?;
        // An ordinary user may not read the log. The bytes are known all the same.
        let has_rows = database.execute_unprepared(EXTENSION).await.is_ok();
        Ok(Some(Self { database, has_rows }))
    }

    pub async fn position(&self) -> Result<LogPosition, Failure> {
        let row = self.database.query_one_raw(Statement::from_string(DbBackend::Postgres, POSITION)).await?;
        Ok(LogPosition(row.ok_or("the database has no log")?.try_get("", "position")?))
    }

    pub async fn between(&self, from: &LogPosition, to: &LogPosition) -> Result<Written, Failure> {
        let row = self.database.query_one_raw(statement(BYTES, to, from)).await?.ok_or("the log has no length")?;
        let bytes: i64 = row.try_get("", "bytes")?;
        let rows = if self.has_rows && bytes > 0 { Some(self.rows(from, to).await?) } else { None };
        let is_empty = self.has_rows && bytes == 0;
        Ok(Written { bytes: u64::try_from(bytes)?, rows: rows.or(is_empty.then(Vec::new)) })
    }

    async fn rows(&self, from: &LogPosition, to: &LogPosition) -> Result<Vec<(String, u64)>, Failure> {
        let found = self.database.query_all_raw(statement(ROWS, from, to)).await?;
        let row = |row: &sea_orm::QueryResult| {
            let rows: i64 = row.try_get("", "rows")?;
            Ok((row.try_get("", "name")?, u64::try_from(rows)?))
        };
        found.iter().map(row).collect()
    }
}

fn statement(sql: &str, first: &LogPosition, second: &LogPosition) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, [first.0.clone().into(), second.0.clone().into()])
}
