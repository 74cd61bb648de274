//! Attempts in the database: what the journal commits in batches; `reading.rs` has what a seat is built from again.

mod reading;

use std::collections::BTreeMap;
use std::sync::Arc;

use entities::{attempt, attempt_event, journal_entry};
use sea_orm::prelude::Expr;
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityTrait, QueryFilter,
};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::database::{self};
use crate::domain::attempt::{Ending, Key, Terms};
use crate::domain::band::Band;
use crate::domain::moment::Moment;
use crate::domain::question::KeyedQuestion;
use crate::provider::local::sessions::keys_to_text;
use crate::sessions::create::{self, Finished};
use crate::webhooks::Outbox;

pub use reading::{Stored, find, find_by_start_key, find_drawings, find_events, find_overdue, find_second_papers};

/// A start may be repeated by its `key` for so long.
const START_KEY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// Rows of one statement: SQLite takes 32,766 values, and no table here has more than 20 columns.
const ROWS_PER_STATEMENT: usize = 1_500;
/// About what an attempt or a session takes without its questions …
const ATTEMPT_BYTES: usize = 2 * 1_024;
/// … and for each of them, with its key or its line of the result.
const QUESTION_BYTES: usize = 200;

/// The hot statement: the latest value of each key, whatever arrives in whatever order.
const UPSERT: &str = "INSERT INTO journal_entries (session_id, position, kind, seq, value, time_taken) \
    SELECT * FROM unnest($1::uuid[], $2::int2[], $3::int2[], $4::int8[], $5::text[], $6::int4[]) \
    ON CONFLICT (session_id, position, kind) DO UPDATE SET seq = excluded.seq, value = excluded.value, time_taken = excluded.time_taken \
    WHERE journal_entries.seq <= excluded.seq";

/// One thing to be stored.
#[derive(Debug)]
pub enum Write {
    /// A new attempt.
    Begin(Box<NewAttempt>),
    /// The value of one key.
    Entry(Entry),
    /// Something that happened to an attempt.
    Event(Uuid, Event),
    /// Stage 2 begins.
    Stage {
        /// The attempt.
        session_id: Uuid,
        /// The band of stage 1.
        band: Band,
        /// Questions of stage 2.
        paper: Vec<Arc<KeyedQuestion>>,
    },
    /// The attempt ends, and becomes a session.
    Finish(Box<Finish>),
}

impl Write {
    /// About how many bytes it brings to the store.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Begin(new) => {
                let locked = new.second_papers.as_deref().map_or(0, str::len);
                ATTEMPT_BYTES + QUESTION_BYTES * new.paper.len() + locked + new.terms.annotations.len()
            }
            Self::Entry(entry) => entry.value.as_deref().map_or(0, str::len),
            Self::Event(..) => 0,
            Self::Stage { paper, .. } => QUESTION_BYTES * paper.len(),
            Self::Finish(finish) => {
                let session = &finish.finished.session;
                ATTEMPT_BYTES + 2 * QUESTION_BYTES * session.graded_by.len() + session.annotations.get().len()
            }
        }
    }
}

/// A new attempt.
#[derive(Debug)]
pub struct NewAttempt {
    /// What was agreed.
    pub terms: Terms,
    /// Questions of stage 1.
    pub paper: Vec<Arc<KeyedQuestion>>,
    /// Those of stage 2 by band with their keys, as text, when a template has locked them.
    pub second_papers: Option<Arc<str>>,
    /// When its time is up.
    pub deadline: Moment,
    /// Hash of its token.
    pub token_hash: [u8; 32],
    /// Hash of its start's `key`, and the salt by which the key makes the token again.
    pub start_key: Option<([u8; 32], [u8; 32])>,
    /// E-mail of who was signed in.
    pub owner: Option<String>,
}

/// The value of one key.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The attempt.
    pub session_id: Uuid,
    /// Which value.
    pub key: Key,
    /// The command that set it.
    pub seq: u64,
    /// Null when cleared.
    pub value: Option<Arc<str>>,
    /// Whole seconds, with a choice.
    pub time_taken: Option<u32>,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// When.
    pub at: Moment,
    /// Such as `away`.
    pub kind: &'static str,
    /// Who did it.
    pub by: &'static str,
    /// More about it.
    pub detail: String,
}

/// The end of an attempt.
#[derive(Debug)]
pub struct Finish {
    /// The session that it becomes.
    pub finished: Finished,
    /// How it ended.
    pub ending: Ending,
    /// Question ids by position, where there are drawings to keep with the session.
    pub drawn: BTreeMap<usize, Arc<str>>,
}

/// Stores a batch: all of it or nothing.
///
/// # Errors
/// When the store is unavailable, or refuses a value.
pub async fn commit(connection: &DatabaseConnection, writes: &[&Write], outbox: &Outbox, now: Moment) -> Result<(), DbErr> {
    let entries = latest_entries(writes);
    if connection.get_database_backend() == DbBackend::Postgres && writes.iter().all(|write| matches!(write, Write::Entry(_))) {
        return upsert_on_postgres(connection.get_postgres_connection_pool(), &entries).await;
    }
    let transaction = database::begin(connection).await?;
    insert_attempts(&transaction, writes, now).await?;
    upsert(&transaction, &entries).await?;
    insert_events(&transaction, writes).await?;
    for write in writes {
        match write {
            Write::Stage { session_id, band, paper } => begin_stage(&transaction, *session_id, *band, paper).await?,
            Write::Finish(finish) => end(&transaction, finish).await?,
            Write::Begin(_) | Write::Entry(_) | Write::Event(..) => {}
        }
    }
    insert_sessions(&transaction, writes, outbox, now).await?;
    transaction.commit().await
}

/// The highest `seq` of each key, sorted by key so that two batches at once never wait for each other in a circle.
fn latest_entries<'a>(writes: &[&'a Write]) -> Vec<&'a Entry> {
    let mut entries: Vec<&Entry> = writes.iter().filter_map(|write| if let Write::Entry(entry) = write { Some(entry) } else { None }).collect();
    entries.sort_by_key(|entry| (entry.session_id, entry.key, std::cmp::Reverse(entry.seq)));
    entries.dedup_by_key(|entry| (entry.session_id, entry.key));
    entries
}

async fn upsert_on_postgres(executor: impl sea_orm::sqlx::PgExecutor<'_>, entries: &[&Entry]) -> Result<(), DbErr> {
    let query = sea_orm::sqlx::query(UPSERT)
        .bind(entries.iter().map(|entry| entry.session_id).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| position(entry.key)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| kind(entry.key)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| number(entry.seq)).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| entry.value.as_deref()).collect::<Vec<_>>())
        .bind(entries.iter().map(|entry| entry.time_taken.and_then(|seconds| i32::try_from(seconds).ok())).collect::<Vec<_>>());
    query.execute(executor).await.map(|_| ()).map_err(|error| DbErr::Exec(sea_orm::RuntimeErr::SqlxError(Arc::new(error))))
}

async fn upsert(connection: &impl ConnectionTrait, entries: &[&Entry]) -> Result<(), DbErr> {
    use journal_entry::{ActiveModel, Column, Entity};
    let is_newer = Expr::col((Entity, Column::Seq)).lte(Expr::col(("excluded", Column::Seq)));
    let conflict = OnConflict::columns([Column::SessionId, Column::Position, Column::Kind])
        .update_columns([Column::Seq, Column::Value, Column::TimeTaken])
        .action_and_where(is_newer)
        .to_owned();
    for entries in entries.chunks(ROWS_PER_STATEMENT) {
        let row = |entry: &&Entry| ActiveModel {
            session_id: Set(entry.session_id),
            position: Set(position(entry.key)),
            kind: Set(kind(entry.key)),
            seq: Set(number(entry.seq)),
            value: Set(entry.value.as_deref().map(str::to_owned)),
            time_taken: Set(entry.time_taken.and_then(|seconds| i32::try_from(seconds).ok())),
        };
        Entity::insert_many(entries.iter().map(row)).on_conflict(conflict.clone()).exec_without_returning(connection).await?;
    }
    Ok(())
}

/// A start whose key is in use already leaves no row: its session is the one that has the key.
async fn insert_attempts(connection: &impl ConnectionTrait, writes: &[&Write], now: Moment) -> Result<(), DbErr> {
    let begins: Vec<&NewAttempt> = writes.iter().filter_map(|write| if let Write::Begin(begin) = write { Some(&**begin) } else { None }).collect();
    if begins.is_empty() {
        return Ok(());
    }
    let keys: Vec<Vec<u8>> = begins.iter().filter_map(|begin| Some(begin.start_key?.0.to_vec())).collect();
    if !keys.is_empty() {
        let forgotten = attempt::ActiveModel { start_key_hash: Set(None), token_salt: Set(None), ..Default::default() };
        let is_old = attempt::Column::StartedAtMs.lt(now.plus(-START_KEY_MILLISECONDS).milliseconds());
        attempt::Entity::update_many().set(forgotten).filter(attempt::Column::StartKeyHash.is_in(keys)).filter(is_old).exec(connection).await?;
    }
    let rows = begins.into_iter().map(attempt_row).collect::<Result<Vec<_>, _>>()?;
    let conflict = OnConflict::new().do_nothing().to_owned();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        attempt::Entity::insert_many(rows.to_vec()).on_conflict(conflict.clone()).exec_without_returning(connection).await?;
    }
    Ok(())
}

fn attempt_row(new: &NewAttempt) -> Result<attempt::ActiveModel, DbErr> {
    let terms = &new.terms;
    Ok(attempt::ActiveModel {
        session_id: Set(terms.session_id),
        token_hash: Set(new.token_hash.to_vec()),
        start_key_hash: Set(new.start_key.map(|(hash, _)| hash.to_vec())),
        token_salt: Set(new.start_key.map(|(_, salt)| salt.to_vec())),
        grade: Set(terms.grade.number().into()),
        mode: Set(terms.mode.name().to_owned()),
        duration_minutes: Set(i32::try_from(terms.duration_minutes).unwrap_or(i32::MAX)),
        started_at_ms: Set(terms.started_at.milliseconds()),
        deadline_ms: Set(new.deadline.milliseconds()),
        annotations: Set(terms.annotations.to_string()),
        webhook_url: Set(terms.webhook_url.as_deref().map(|url| url.replace('\0', ""))),
        base_url: Set(terms.base_url.to_string()),
        owner: Set(new.owner.clone()),
        paper: Set(keys_to_text(&new.paper)?),
        second_paper: Set(None),
        band: Set(None),
        template_id: Set(terms.template_id),
        second_papers: Set(new.second_papers.as_deref().map(str::to_owned)),
        ended_at_ms: Set(None),
        ended_by: Set(None),
    })
}

async fn insert_events(connection: &impl ConnectionTrait, writes: &[&Write]) -> Result<(), DbErr> {
    let row = |write: &&Write| match write {
        Write::Event(session_id, event) => Some(attempt_event::ActiveModel {
            id: NotSet,
            session_id: Set(*session_id),
            at_ms: Set(event.at.milliseconds()),
            kind: Set(event.kind.to_owned()),
            by: Set(event.by.to_owned()),
            detail: Set(event.detail.clone()),
        }),
        _ => None,
    };
    let rows: Vec<_> = writes.iter().filter_map(row).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        attempt_event::Entity::insert_many(rows.to_vec()).exec_without_returning(connection).await?;
    }
    Ok(())
}

async fn begin_stage(connection: &impl ConnectionTrait, session_id: Uuid, band: Band, paper: &[Arc<KeyedQuestion>]) -> Result<(), DbErr> {
    let stage = attempt::ActiveModel { second_paper: Set(Some(keys_to_text(paper)?)), band: Set(Some(band.label().to_owned())), ..Default::default() };
    let has_none = attempt::Column::SecondPaper.is_null();
    attempt::Entity::update_many().set(stage).filter(attempt::Column::SessionId.eq(session_id)).filter(has_none).exec(connection).await.map(|_| ())
}

async fn end(connection: &impl ConnectionTrait, finish: &Finish) -> Result<(), DbErr> {
    let ended = attempt::ActiveModel {
        ended_at_ms: Set(Some(finish.ending.at.milliseconds())),
        ended_by: Set(Some(finish.ending.reason.name().to_owned())),
        ..Default::default()
    };
    let lasts = attempt::Column::EndedAtMs.is_null();
    let of_it = attempt::Column::SessionId.eq(finish.finished.session.session_id);
    attempt::Entity::update_many().set(ended).filter(of_it).filter(lasts).exec(connection).await.map(|_| ())
}

/// Sessions of the attempts that end, each with the drawings that were saved.
async fn insert_sessions(connection: &impl ConnectionTrait, writes: &[&Write], outbox: &Outbox, now: Moment) -> Result<(), DbErr> {
    let mut finished = Vec::new();
    for write in writes {
        let Write::Finish(finish) = write else { continue };
        let mut one = finish.finished.clone();
        if !finish.drawn.is_empty() {
            let drawings = find_drawings(connection, one.session.session_id).await?;
            one.session.drawings = drawings_object(&drawings, &finish.drawn)?;
        }
        finished.push(one);
    }
    create::record(connection, &finished, outbox, now).await
}

fn drawings_object(drawings: &BTreeMap<usize, Box<RawValue>>, ids: &BTreeMap<usize, Arc<str>>) -> Result<Option<Box<RawValue>>, DbErr> {
    let by_id: BTreeMap<&str, &RawValue> = drawings.iter().filter_map(|(position, drawing)| Some((&**ids.get(position)?, &**drawing))).collect();
    if by_id.is_empty() {
        return Ok(None);
    }
    serde_json::value::to_raw_value(&by_id).map(Some).map_err(|error| DbErr::Custom(error.to_string()))
}

fn position(key: Key) -> i16 {
    i16::try_from(key.position).unwrap_or(i16::MAX)
}

fn kind(key: Key) -> i16 {
    key.kind as i16
}

fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}
