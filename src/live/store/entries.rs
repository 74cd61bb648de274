//! Stores the values of attempts. On Postgres all autosaves go through a single statement.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use domain::attempt::CellKey;
use entities::journal_entry;
use sea_orm::prelude::Expr;
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::sqlx::{self, PgPool};
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbErr, EntityTrait, RuntimeErr};
use uuid::Uuid;

use super::ROWS_PER_STATEMENT;
use super::writes::{Commit, Entry, Write};

/// The statement of the hot path. It stores the latest value of each key, in whatever order values arrive, for the
/// seats whose fence is unchanged.
///
/// The rows of these seats stay locked until the commit, so that a server that claims a seat waits for writes in
/// progress. The lock is `FOR KEY SHARE`: a proctor's order for a whole room does not change the key, and neither waits
/// for the other.
const UPSERT: &str = "WITH held AS (SELECT seats.session_id FROM seats JOIN unnest($7::uuid[], $8::int8[]) AS wanted (session_id, fence) \
    ON seats.session_id = wanted.session_id AND seats.fence = wanted.fence ORDER BY seats.session_id FOR KEY SHARE OF seats), \
    stored AS (INSERT INTO journal_entries (session_id, position, kind, seq, value, time_taken, line) \
    SELECT * FROM unnest($1::uuid[], $2::int2[], $3::int2[], $4::int8[], $5::text[], $6::int4[], $9::int2[]) AS entry (session_id, position, kind, seq, value, time_taken, line) \
    WHERE entry.session_id IN (SELECT session_id FROM held) ORDER BY 1, 2, 3 \
    ON CONFLICT (session_id, position, kind) DO UPDATE SET seq = excluded.seq, value = excluded.value, time_taken = excluded.time_taken, line = excluded.line \
    WHERE (journal_entries.line, journal_entries.seq) <= (excluded.line, excluded.seq)) SELECT session_id FROM held";

/// Returns the newest entry of each key. The entries are sorted by key, so that two batches at once
/// cannot deadlock.
pub(super) fn latest<'a>(writes: &[&'a Write]) -> Vec<&'a Entry> {
    let mut entries: Vec<&Entry> =
        writes.iter().filter_map(|write| if let Write::Entry(entry) = write { Some(entry) } else { None }).collect();
    entries.sort_by_key(|entry| (entry.session_id, entry.key, std::cmp::Reverse(entry.stamp)));
    entries.dedup_by_key(|entry| (entry.session_id, entry.key));
    entries
}

/// Stores commits by the one statement of the hot path. Returns the indexes of the commits that were left out.
pub(super) async fn upsert_held(pool: &PgPool, commits: &[&Commit]) -> Result<HashSet<usize>, DbErr> {
    // A seat that was rebuilt has a higher fence than before. If one batch has commits of both, only the newer ones
    // count.
    let mut newest: BTreeMap<Uuid, i64> = BTreeMap::new();
    for hold in commits.iter().filter_map(|commit| commit.hold) {
        let fence = newest.entry(hold.session_id).or_insert(hold.fence);
        *fence = Ord::max(*fence, hold.fence);
    }
    let is_newest = |commit: &Commit| commit.hold.is_some_and(|hold| newest.get(&hold.session_id) == Some(&hold.fence));
    let writes: Vec<&Write> =
        commits.iter().filter(|commit| is_newest(commit)).flat_map(|commit| &commit.writes).collect();
    let entries = latest(&writes);
    let query = sqlx::query_scalar::<_, Uuid>(UPSERT)
        .bind(entries.iter().map(|entry| entry.session_id).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| position(entry.key)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| kind(entry.key)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| number(entry.stamp.seq)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| entry.value.as_deref()).collect::<Vec<_>>())
        .bind(
            entries
                .iter()
                .map(|entry| entry.time_taken.and_then(|seconds| i32::try_from(seconds).ok()))
                .collect::<Vec<_>>(),
        )
        .bind(newest.keys().copied().collect::<Vec<_>>())
        .bind(newest.values().copied().collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| line_number(entry.stamp.line)).collect::<Vec<_>>());
    let failed = |error: sqlx::Error| RuntimeErr::SqlxError(Arc::new(error));
    // Whatever comes from connecting says nothing about the values.
    let mut connection = pool.acquire().await.map_err(|error| DbErr::Conn(failed(error)))?;
    let held = query.fetch_all(&mut *connection).await.map_err(|error| DbErr::Exec(failed(error)))?;
    let held: HashSet<Uuid> = held.into_iter().collect();
    let is_kept =
        |commit: &Commit| is_newest(commit) && commit.hold.is_some_and(|hold| held.contains(&hold.session_id));
    Ok(commits.iter().enumerate().filter(|(_, commit)| !is_kept(commit)).map(|(place, _)| place).collect())
}

/// Stores entries on any database, within a transaction that has locked the seats.
pub(super) async fn upsert(connection: &impl ConnectionTrait, entries: &[&Entry]) -> Result<(), DbErr> {
    use journal_entry::{ActiveModel, Column, Entity};
    let stored = |column: Column| Expr::col((Entity, column));
    let given = |column: Column| Expr::col(("excluded", column));
    let is_of_line = stored(Column::Line).eq(given(Column::Line));
    let is_newer =
        stored(Column::Line).lt(given(Column::Line)).or(is_of_line.and(stored(Column::Seq).lte(given(Column::Seq))));
    let conflict = OnConflict::columns([Column::SessionId, Column::Position, Column::Kind])
        .update_columns([Column::Seq, Column::Value, Column::TimeTaken, Column::Line])
        .action_and_where(is_newer)
        .to_owned();
    for entries in entries.chunks(ROWS_PER_STATEMENT) {
        let row = |entry: &&Entry| ActiveModel {
            session_id: Set(entry.session_id),
            position: Set(position(entry.key)),
            kind: Set(kind(entry.key)),
            seq: Set(number(entry.stamp.seq)),
            value: Set(entry.value.as_deref().map(str::to_owned)),
            time_taken: Set(entry.time_taken.and_then(|seconds| i32::try_from(seconds).ok())),
            line: Set(line_number(entry.stamp.line)),
        };
        Entity::insert_many(entries.iter().map(row))
            .on_conflict(conflict.clone())
            .exec_without_returning(connection)
            .await?;
    }
    Ok(())
}

fn position(key: CellKey) -> i16 {
    i16::try_from(key.position).unwrap_or(i16::MAX)
}

fn kind(key: CellKey) -> i16 {
    key.kind as i16
}

/// Lines are at most [`domain::attempt::LINE_MAX`].
pub(super) fn line_number(line: u16) -> i16 {
    i16::try_from(line).unwrap_or(i16::MAX)
}

fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
