//! Finished tests, in the database. Their large parts have a table of their own; the lists are in `session_lists`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use domain::band::Band;
use domain::form::FormLetter;
use domain::option_counts::OptionCounts;
use domain::option_order::OptionOrder;
use domain::question::{Difficulty, Key, KeyedQuestion, OptionsDigest, VersionDigest};
use domain::session::{Session, SessionOrigin};
use domain::sight::{SchoolSight, SeenScore, StaffSight};
use domain::sitting::Sitting;
use entities::{session, session_body};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, IntoActiveModel, Iterable,
    JoinType, QueryFilter, QuerySelect, RelationDef, Statement, Value,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::session_rows::{SessionRows, to_text};
use super::{Unreadable, many_rows, marks, session_versions};
use crate::database::{self, Database};

/// Rows of one statement. A row has 28 values and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;

/// A question with its key, as it is stored with attempts and sessions. It contains the right answer and is never sent
/// to anyone.
#[derive(Serialize, Deserialize)]
struct StoredKey {
    id: Arc<str>,
    topic: Arc<str>,
    difficulty: Difficulty,
    answer: Key,
    /// Missing in tests of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    options: Option<OptionsDigest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<VersionDigest>,
    /// How many options may stand in another order, in a list from which attempts draw theirs; not of a question that
    /// an attempt has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    movable: Option<u8>,
    /// Missing where the student sees the options as the bank has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<OptionOrder>,
}

/// Turns questions with their keys into JSON to store.
pub fn keys_to_text(questions: &[Arc<KeyedQuestion>]) -> Result<String, DbErr> {
    list_keys_to_text(questions, &OptionCounts::default())
}

/// Like [`keys_to_text`], for a list from which attempts draw the order of options.
pub fn list_keys_to_text(questions: &[Arc<KeyedQuestion>], counts: &OptionCounts) -> Result<String, DbErr> {
    to_text(&stored_keys(questions, counts))
}

/// Like [`list_keys_to_text`], for one list for each band.
pub fn band_keys_to_text(
    lists: &BTreeMap<Band, Vec<Arc<KeyedQuestion>>>,
    counts: &OptionCounts,
) -> Result<String, DbErr> {
    to_text(&lists.iter().map(|(band, questions)| (*band, stored_keys(questions, counts))).collect::<BTreeMap<_, _>>())
}

/// Reads what [`keys_to_text`] has written.
pub fn keys_from_text(text: &str) -> Result<Vec<Arc<KeyedQuestion>>, Unreadable> {
    serde_json::from_str(text).map(keyed).map_err(|_| Unreadable("keys"))
}

/// Reads what [`list_keys_to_text`] has written.
pub fn list_keys_from_text(text: &str) -> Result<(Vec<Arc<KeyedQuestion>>, OptionCounts), Unreadable> {
    let stored: Vec<StoredKey> = serde_json::from_str(text).map_err(|_| Unreadable("keys"))?;
    let counts = counts_of(&stored).collect();
    Ok((keyed(stored), counts))
}

/// Lists for each band, from which attempts may draw the order of options.
pub type BandKeys = (BTreeMap<Band, Vec<Arc<KeyedQuestion>>>, OptionCounts);

/// Reads what [`band_keys_to_text`] has written.
pub fn band_keys_from_text(text: &str) -> Result<BandKeys, Unreadable> {
    let lists: BTreeMap<Band, Vec<StoredKey>> = serde_json::from_str(text).map_err(|_| Unreadable("keys"))?;
    let counts = lists.values().flat_map(|stored| counts_of(stored)).collect();
    Ok((lists.into_iter().map(|(band, stored)| (band, keyed(stored))).collect(), counts))
}

fn counts_of(stored: &[StoredKey]) -> impl Iterator<Item = (Arc<str>, u8)> {
    stored.iter().filter_map(|key| Some((Arc::clone(&key.id), key.movable?)))
}

fn stored_keys(questions: &[Arc<KeyedQuestion>], counts: &OptionCounts) -> Vec<StoredKey> {
    let stored = |question: &Arc<KeyedQuestion>| StoredKey {
        id: Arc::clone(&question.id),
        topic: Arc::clone(&question.topic),
        difficulty: question.difficulty,
        answer: question.answer.clone(),
        options: question.options,
        version: question.version,
        movable: counts.get(&question.id),
        order: question.order,
    };
    questions.iter().map(stored).collect()
}

fn keyed(stored: Vec<StoredKey>) -> Vec<Arc<KeyedQuestion>> {
    let keyed = |StoredKey { id, topic, difficulty, answer, options, version, order, movable: _ }| KeyedQuestion {
        id,
        topic,
        difficulty,
        answer,
        options,
        version,
        order,
    };
    stored.into_iter().map(|key| Arc::new(keyed(key))).collect()
}

/// Loads the keys by which tests were graded. `_sight` is of those tests.
pub async fn load_keys(
    database: &Database,
    _sight: StaffSight,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, Vec<Arc<KeyedQuestion>>>, DbErr> {
    use session_body::Column;
    let mut found = HashMap::new();
    for ids in session_ids.chunks(ROWS_PER_STATEMENT) {
        let query = session_body::Entity::find().select_only().columns([Column::SessionId, Column::GradedBy]);
        let query = query.filter(Column::SessionId.is_in(ids.iter().copied()));
        for (id, keys) in query.into_tuple::<(Uuid, String)>().all(&database.read).await? {
            found.insert(id, keys_from_text(&keys)?);
        }
    }
    Ok(found)
}

/// Loads the scores of a sitting's tests that have ended, as far as proctors may see them, with the versions that have
/// them.
pub async fn load_scores(
    connection: &impl ConnectionTrait,
    sitting: &Sitting,
) -> Result<HashMap<Uuid, (SeenScore, u32)>, DbErr> {
    use session::Column;
    let open = sitting.open_results();
    if !open.are_shown() {
        return Ok(HashMap::new());
    }
    let query = session::Entity::find().select_only().columns([Column::SessionId, Column::Score, Column::Version]);
    let query = query.filter(Column::SittingId.eq(sitting.id));
    let rows: Vec<(Uuid, i32, i32)> = query.into_tuple().all(connection).await?;
    let seen = |(id, score, version): (Uuid, i32, i32)| Some((id, (open.seen_score(score)?, version.unsigned_abs())));
    Ok(rows.into_iter().filter_map(seen).collect())
}

/// Stores finished tests. A test that is stored already stays as it is, so that the same test can be stored twice.
pub async fn insert(connection: &impl ConnectionTrait, sessions: &[&SessionRows]) -> Result<(), DbErr> {
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        if connection.get_database_backend() == DbBackend::Postgres {
            insert_arrays(connection, sessions).await?;
            continue;
        }
        let conflict = OnConflict::column(session::Column::SessionId).do_nothing().to_owned();
        session::Entity::insert_many(sessions.iter().map(|rows| rows.list.clone().into_active_model()))
            .on_conflict(conflict)
            .exec_without_returning(connection)
            .await?;
        let conflict = OnConflict::column(session_body::Column::SessionId).do_nothing().to_owned();
        session_body::Entity::insert_many(sessions.iter().map(|rows| rows.body.clone().into_active_model()))
            .on_conflict(conflict)
            .exec_without_returning(connection)
            .await?;
    }
    Ok(())
}

/// The statements for Postgres have the same text for any number of tests, so that Postgres parses each only once.
/// Arrays hold no nulls here: a missing value is represented by one that cannot occur.
const INSERT_LISTED: &str = "INSERT INTO sessions (session_id, grade, started_at_ms, completed_at_ms, webhook_sent, \
    report_url, verified, score, correct_answers, total_questions, time_taken, event_id, template_id, sitting_id, \
    origin, account, student, student_id, search_text, corrections_mark, form, mark_scale) \
    SELECT n.c1, n.c2, n.c3, n.c4, n.c5, n.c6, n.c7, n.c8, n.c9, n.c10, n.c11, NULLIF(n.c12, 0), \
    NULLIF(n.c13, '00000000-0000-0000-0000-000000000000'), NULLIF(n.c14, '00000000-0000-0000-0000-000000000000'), \
    n.c15, NULLIF(n.c16, ''), n.c17, NULLIF(n.c18, ''), n.c19, n.c20, NULLIF(n.c21, ''), NULLIF(n.c22, '') \
    FROM unnest($1::uuid[], $2::int2[], $3::int8[], $4::int8[], $5::bool[], $6::text[], $7::bool[], $8::int4[], \
    $9::int4[], $10::int4[], $11::int4[], $12::int8[], $13::uuid[], $14::uuid[], $15::text[], $16::text[], \
    $17::text[], $18::text[], $19::text[], $20::int8[], $21::text[], $22::text[]) \
    AS n (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22) \
    ON CONFLICT (session_id) DO NOTHING";
const INSERT_BODIES: &str = "INSERT INTO session_bodies (session_id, annotations, result, drawings, graded_by, \
    option_order) SELECT n.c1, n.c2, n.c3, NULLIF(n.c4, ''), n.c5, NULLIF(n.c6, '') \
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) \
    AS n (c1, c2, c3, c4, c5, c6) \
    ON CONFLICT (session_id) DO NOTHING";

async fn insert_arrays(connection: &impl ConnectionTrait, sessions: &[&SessionRows]) -> Result<(), DbErr> {
    fn of<T>(sessions: &[&SessionRows], value: impl Fn(&SessionRows) -> T) -> Value
    where
        Vec<T>: Into<Value>,
    {
        sessions.iter().map(|rows| value(rows)).collect::<Vec<T>>().into()
    }
    let listed = [
        of(sessions, |rows| rows.list.session_id),
        of(sessions, |rows| rows.list.grade),
        of(sessions, |rows| rows.list.started_at_ms),
        of(sessions, |rows| rows.list.completed_at_ms),
        of(sessions, |rows| rows.list.webhook_sent),
        of(sessions, |rows| rows.list.report_url.clone()),
        of(sessions, |rows| rows.list.verified),
        of(sessions, |rows| rows.list.score),
        of(sessions, |rows| rows.list.correct_answers),
        of(sessions, |rows| rows.list.total_questions),
        of(sessions, |rows| rows.list.time_taken),
        of(sessions, |rows| rows.list.event_id.unwrap_or_default()),
        of(sessions, |rows| rows.list.template_id.unwrap_or_default()),
        of(sessions, |rows| rows.list.sitting_id.unwrap_or_default()),
        of(sessions, |rows| rows.list.origin.clone()),
        of(sessions, |rows| rows.list.account.clone().unwrap_or_default()),
        of(sessions, |rows| rows.list.student.clone()),
        of(sessions, |rows| rows.list.student_id.clone().unwrap_or_default()),
        of(sessions, |rows| rows.list.search_text.clone()),
        of(sessions, |rows| rows.list.corrections_mark),
        of(sessions, |rows| rows.list.form.clone().unwrap_or_default()),
        of(sessions, |rows| rows.list.mark_scale.clone().unwrap_or_default()),
    ];
    let bodies = [
        of(sessions, |rows| rows.body.session_id),
        of(sessions, |rows| rows.body.annotations.clone()),
        of(sessions, |rows| rows.body.result.clone()),
        of(sessions, |rows| rows.body.drawings.clone().unwrap_or_default()),
        of(sessions, |rows| rows.body.graded_by.clone()),
        of(sessions, |rows| rows.body.option_order.clone().unwrap_or_default()),
    ];
    connection.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, INSERT_LISTED, listed)).await?;
    connection.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, INSERT_BODIES, bodies)).await?;
    Ok(())
}

/// Stores a finished test that another service sends. It replaces a test of the same id, which is kept if it was an
/// earlier version; a version that has been replaced already changes nothing. What the other service does not know
/// stays as long as the answers are the same: the keys by which the test was graded here, and that it was sat live, by
/// whom and from which template.
pub async fn put(database: &Database, session: &Session) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    database::bound_lock_waits(&transaction).await?;
    let before = session::Entity::find_by_id(session.session_id).lock_exclusive().one(&transaction).await?;
    let body_before = session_body::Entity::find_by_id(session.session_id).one(&transaction).await?;
    let stored = before.as_ref().map_or(0, |before| before.version.unsigned_abs());
    if session.version.number < stored {
        return transaction.commit().await;
    }
    if before.is_some() && session.version.number > stored {
        session_versions::keep(&transaction, &[session.session_id]).await?;
    }
    let mut session = session.clone();
    let has_answers_before = |body: &session_body::Model| SessionRows::has_answers_of(body, &session);
    let before = before.zip(body_before).filter(|(_, body)| has_answers_before(body));
    let (mut keys_before, mut orders_before) = (None, None);
    if let Some((before, body_before)) = before {
        if SessionOrigin::parse(&before.origin) == Some(SessionOrigin::Live) {
            session.origin = SessionOrigin::Live;
        }
        session.account = session.account.or(before.account);
        session.template_id = before.template_id;
        session.mark_scale = marks::from_text(before.mark_scale.as_deref())?.map(Arc::new);
        session.form = session.form.or_else(|| before.form.as_deref().and_then(FormLetter::parse));
        (keys_before, orders_before) = (Some(body_before.graded_by), body_before.option_order);
    }
    let SessionRows { list, mut body } = SessionRows::of(&session)?;
    body.graded_by = keys_before.unwrap_or(body.graded_by);
    body.option_order = body.option_order.or(orders_before);
    let replaced = session::Column::iter().filter(|column| !matches!(column, session::Column::SessionId));
    let conflict = OnConflict::column(session::Column::SessionId).update_columns(replaced).to_owned();
    let list = list.into_active_model();
    session::Entity::insert(list).on_conflict(conflict).exec_without_returning(&transaction).await?;
    let replaced = session_body::Column::iter().filter(|column| !matches!(column, session_body::Column::SessionId));
    let conflict = OnConflict::column(session_body::Column::SessionId).update_columns(replaced).to_owned();
    let body = body.into_active_model();
    session_body::Entity::insert(body).on_conflict(conflict).exec_without_returning(&transaction).await?;
    transaction.commit().await
}

pub async fn find(database: &Database, session_id: Uuid) -> Result<Option<Session>, DbErr> {
    match Box::pin(find_unmarked(database, session_id)).await? {
        Some(session) => Box::pin(marks::completed(database, session)).await.map(Some),
        None => Ok(None),
    }
}

/// The same before it is known by which scale a test of a sitting is marked: for those who wait for a release, of whom
/// there are many at once.
pub async fn find_unmarked(database: &Database, session_id: Uuid) -> Result<Option<Session>, DbErr> {
    // One statement, so that a session that is being replaced is read as it was before or as it is afterwards.
    let found = session::Entity::find_by_id(session_id)
        .join(JoinType::InnerJoin, body_of_session())
        .select_also(session_body::Entity)
        .one(&database.read)
        .await?;
    let Some((row, Some(body))) = found else { return Ok(None) };
    Ok(Some(SessionRows { list: row, body }.session()?))
}

/// Loads the accuracies of these sessions as their results say them: a client's may not follow from its counts.
pub async fn load_accuracies(
    database: &Database,
    _sight: SchoolSight,
    session_ids: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, f64>, DbErr> {
    #[derive(Deserialize)]
    struct Accuracy {
        accuracy: f64,
    }
    let session_ids: Vec<Uuid> = session_ids.into_iter().collect();
    if session_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let columns = [session_body::Column::SessionId, session_body::Column::Result];
    let rows: Vec<(Uuid, String)> = session_body::Entity::find()
        .select_only()
        .columns(columns)
        .filter(session_body::Column::SessionId.is_in(session_ids))
        .into_tuple()
        .all(&database.read)
        .await?;
    let accuracy = |(id, result): (Uuid, String)| match serde_json::from_str::<Accuracy>(&result) {
        Ok(found) => Ok((id, found.accuracy)),
        Err(_) => Err(Unreadable("result")),
    };
    Ok(rows.into_iter().map(accuracy).collect::<Result<_, _>>()?)
}

/// The join of sessions with their large parts.
pub fn body_of_session() -> RelationDef {
    session::Entity::belongs_to(session_body::Entity)
        .from(session::Column::SessionId)
        .to(session_body::Column::SessionId)
        .into()
}

/// Finds these sessions; one that can't be read costs no other.
pub async fn find_many(
    connection: &impl ConnectionTrait,
    session_ids: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, Result<Session, Unreadable>>, DbErr> {
    let query = session::Entity::find().filter(session::Column::SessionId.is_in(session_ids));
    let query = query.join(JoinType::InnerJoin, body_of_session()).select_also(session_body::Entity);
    let rows = query.all(connection).await?;
    let session = |(list, body): (session::Model, Option<_>)| {
        Some((list.session_id, SessionRows { list, body: body? }.session()))
    };
    let mut found: HashMap<Uuid, Result<Session, Unreadable>> = rows.into_iter().filter_map(session).collect();
    marks::complete(connection, found.values_mut().flatten().collect()).await?;
    Ok(found)
}

/// Notes that these versions of sessions have been told by their webhooks. Returns the sessions that have no newer one.
pub async fn set_webhook_sent(
    transaction: &DatabaseTransaction,
    told: &BTreeSet<(Uuid, i32)>,
) -> Result<Vec<Uuid>, DbErr> {
    const SET: &str = "UPDATE sessions SET webhook_sent = TRUE";
    const NEWEST: &str =
        "sessions.session_id = new.column1 AND sessions.version = new.column2 RETURNING sessions.session_id";
    if told.is_empty() {
        return Ok(Vec::new());
    }
    session_versions::lock(transaction, told.iter().map(|(id, _)| *id).collect()).await?;
    let values = |(id, version): &(Uuid, i32)| -> [Value; 2] { [(*id).into(), (*version).into()] };
    let backend = transaction.get_database_backend();
    let rows = transaction.query_all_raw(many_rows::statement(backend, SET, NEWEST, told.iter().map(values))).await?;
    rows.iter().map(|row| row.try_get("", "session_id")).collect()
}
