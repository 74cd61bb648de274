//! The versions of finished tests: the newest in `sessions` and `session_bodies`, each earlier one in
//! `session_versions`, where rows are only ever inserted.

use std::collections::{BTreeMap, HashMap};

use domain::mark::MarkedFacts;
use domain::session::{Session, SessionVersion};
use domain::sight::StaffSight;
use entities::{session, session_body, session_version};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, FromQueryResult, JoinType,
    QueryFilter, QueryOrder, QuerySelect, Select, Statement, Value,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::session_rows::{ResultColumns, SessionRows, VersionColumns, as_it_was, keys_text, result_text};
use super::{Unreadable, many_rows, marks, sessions};
use crate::database::Database;

/// Sessions of one statement. Each has 15 values at most, and SQLite accepts 32,766 in a statement.
const SESSIONS_PER_STATEMENT: usize = 1_000;

/// A version as staff see it in a list.
pub struct ListedVersion {
    pub version: SessionVersion,
    pub score: i32,
    pub correct_answers: i32,
    /// SHA-256 of the result as it is stored: the text of its JSON, in UTF-8.
    pub digest: [u8; 32],
    /// What its mark is reckoned from.
    pub facts: MarkedFacts,
}

/// Locks sessions until the transaction ends, in the order in which everyone locks them. SQLite has one writer, and no
/// need for it.
pub async fn lock(transaction: &DatabaseTransaction, mut session_ids: Vec<Uuid>) -> Result<(), DbErr> {
    if transaction.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    session_ids.sort_unstable();
    session_ids.dedup();
    // Each row by itself in their order: what is locked is sorted before.
    const LOCK: &str =
        "SELECT session_id FROM sessions WHERE session_id = ANY($1::uuid[]) ORDER BY session_id FOR UPDATE";
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, LOCK, [session_ids.into()]);
    transaction.query_all_raw(statement).await.map(|_| ())
}

/// The sittings of these sessions, which never change.
pub async fn find_sittings(connection: &impl ConnectionTrait, session_ids: &[Uuid]) -> Result<Vec<Uuid>, DbErr> {
    use session::Column;
    let query = session::Entity::find().select_only().column(Column::SittingId).distinct();
    let query =
        query.filter(Column::SessionId.is_in(session_ids.iter().copied())).filter(Column::SittingId.is_not_null());
    query.order_by_asc(Column::SittingId).into_tuple().all(connection).await
}

/// Loads these sessions without their drawings, which may be megabytes of each, and which most changes leave alone. One
/// that can't be read costs no other. Whoever calls it has locked them, so that both of their rows are of one moment.
pub async fn find_undrawn(
    transaction: &DatabaseTransaction,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, Result<Session, Unreadable>>, DbErr> {
    use session_body::Column;
    let query = session::Entity::find().filter(session::Column::SessionId.is_in(session_ids.iter().copied()));
    let lists = query.all(transaction).await?;
    let columns = [Column::SessionId, Column::Annotations, Column::Result, Column::GradedBy, Column::OptionOrder];
    let query = session_body::Entity::find().select_only().columns(columns);
    let query = query.filter(Column::SessionId.is_in(session_ids.iter().copied()));
    let bodies: Vec<(Uuid, String, String, String, Option<String>)> = query.into_tuple().all(transaction).await?;
    let body = |(session_id, annotations, result, graded_by, option_order)| {
        let drawings = None;
        (session_id, session_body::Model { session_id, annotations, result, drawings, graded_by, option_order })
    };
    let mut bodies: HashMap<Uuid, session_body::Model> = bodies.into_iter().map(body).collect();
    let session = |list: session::Model| {
        let body = bodies.remove(&list.session_id)?;
        Some((list.session_id, SessionRows { list, body }.session()))
    };
    Ok(lists.into_iter().filter_map(session).collect())
}

/// Keeps the newest versions of these sessions, which are about to be replaced. Whoever calls it has locked them.
pub async fn keep(transaction: &DatabaseTransaction, session_ids: &[Uuid]) -> Result<(), DbErr> {
    const COPY: &str = "INSERT INTO session_versions (session_id, version, reason, at_ms, made_by, comment, \
        previous_score, completed_at_ms, verified, score, correct_answers, total_questions, time_taken, result, \
        drawings, graded_by) \
        SELECT sessions.session_id, version, version_reason, version_at_ms, version_by, version_comment, \
        previous_score, completed_at_ms, verified, score, correct_answers, total_questions, time_taken, result, \
        drawings, graded_by \
        FROM sessions JOIN session_bodies ON session_bodies.session_id = sessions.session_id WHERE";
    let backend = transaction.get_database_backend();
    for ids in session_ids.chunks(SESSIONS_PER_STATEMENT) {
        let (condition, values) = many_rows::among(backend, "sessions.session_id", ids, 1);
        let statement = Statement::from_sql_and_values(backend, format!("{COPY} {condition}"), values);
        transaction.execute_raw(statement).await?;
    }
    Ok(())
}

/// A session with its new result. It has drawings only if these are others.
pub struct ReplacedSession {
    pub session: Session,
    pub has_other_drawings: bool,
    /// The last step of corrections that it was graded by.
    pub corrections_mark: i64,
}

impl ReplacedSession {
    /// The session and the number of its new version.
    #[must_use]
    pub fn version(&self) -> (Uuid, i32) {
        (self.session.session_id, i32::try_from(self.session.version.number).unwrap_or(i32::MAX))
    }
}

/// Puts new versions in the place of the newest, which the caller has locked and kept. Nobody has been told of them.
pub async fn replace(transaction: &DatabaseTransaction, replaced: &[ReplacedSession]) -> Result<(), DbErr> {
    const LIST: &str = "UPDATE sessions SET version = new.column2, version_reason = new.column3, \
        version_at_ms = new.column4, version_by = new.column5, version_comment = new.column6, \
        previous_score = new.column7, completed_at_ms = new.column8, verified = new.column9, score = new.column10, \
        correct_answers = new.column11, total_questions = new.column12, time_taken = new.column13, \
        corrections_mark = new.column14, webhook_sent = FALSE";
    const OF_LIST: &str = "sessions.session_id = new.column1";
    const BODY: &str = "UPDATE session_bodies SET result = new.column2, graded_by = new.column3";
    // By themselves, so that Postgres does not write the others' again: they are most of what it has of a test.
    const DRAWINGS: &str = "UPDATE session_bodies SET drawings = new.column2";
    const OF_BODY: &str = "session_bodies.session_id = new.column1";
    for replaced in replaced.chunks(SESSIONS_PER_STATEMENT) {
        let listed = |one: &ReplacedSession| -> [Value; 14] {
            let columns = ResultColumns::of(&one.session);
            [
                one.session.session_id.into(),
                columns.version.into(),
                columns.reason.into(),
                columns.at_ms.into(),
                columns.by.into(),
                columns.comment.into(),
                columns.previous_score.into(),
                columns.completed_at_ms.into(),
                columns.verified.into(),
                columns.score.into(),
                columns.correct_answers.into(),
                columns.total_questions.into(),
                columns.time_taken.into(),
                one.corrections_mark.into(),
            ]
        };
        many_rows::update(transaction, LIST, OF_LIST, replaced.iter().map(listed)).await?;
        let body = |one: &ReplacedSession| -> Result<[Value; 3], DbErr> {
            Ok([one.session.session_id.into(), result_text(&one.session)?.into(), keys_text(&one.session)?.into()])
        };
        let bodies = replaced.iter().map(body).collect::<Result<Vec<_>, _>>()?;
        many_rows::update(transaction, BODY, OF_BODY, bodies.into_iter()).await?;
        let drawn = |one: &ReplacedSession| -> [Value; 2] {
            let drawings = one.session.drawings.as_ref().map(|drawings| drawings.get().to_owned());
            [one.session.session_id.into(), drawings.into()]
        };
        let drawn: Vec<[Value; 2]> = replaced.iter().filter(|one| one.has_other_drawings).map(drawn).collect();
        if !drawn.is_empty() {
            many_rows::update(transaction, DRAWINGS, OF_BODY, drawn.into_iter()).await?;
        }
    }
    Ok(())
}

/// Finds a version of a session, the newest or an earlier one.
pub async fn find(database: &Database, session_id: Uuid, version: u32) -> Result<Option<Session>, DbErr> {
    let Some(newest) = sessions::find(database, session_id).await? else { return Ok(None) };
    if newest.version.number == version {
        return Ok(Some(newest));
    }
    let Ok(number) = i32::try_from(version) else { return Ok(None) };
    // Whatever was the newest before is there, since it is inserted with what replaces it.
    let row = session_version::Entity::find_by_id((session_id, number)).one(&database.read).await?;
    let mut session = row.map(|row| as_it_was(newest, row)).transpose()?;
    marks::complete(&database.read, session.iter_mut().collect()).await?;
    Ok(session)
}

/// Of these sessions, the earlier versions that are asked for; one that can't be read costs no other.
pub async fn find_earlier(
    database: &Database,
    newest: &HashMap<Uuid, Result<Session, Unreadable>>,
    wanted: impl Iterator<Item = (Uuid, i32)>,
) -> Result<HashMap<(Uuid, i32), Result<Session, Unreadable>>, DbErr> {
    use session_version::Column;
    let mut found: HashMap<(Uuid, i32), Result<Session, Unreadable>> = HashMap::new();
    let mut by_number: BTreeMap<i32, Vec<Uuid>> = BTreeMap::new();
    for (id, number) in wanted {
        by_number.entry(number).or_default().push(id);
    }
    for (number, ids) in by_number {
        let query = session_version::Entity::find().filter(Column::SessionId.is_in(ids));
        for row in query.filter(Column::Version.eq(number)).all(&database.read).await? {
            let Some(Ok(newest)) = newest.get(&row.session_id) else { continue };
            found.insert((row.session_id, number), as_it_was(newest.clone(), row));
        }
    }
    marks::complete(&database.read, found.values_mut().flatten().collect()).await?;
    Ok(found)
}

/// Lists all versions of a session, the first one first; empty if there is no such session. `_sight` is of its grade.
pub async fn list(database: &Database, _sight: StaffSight, session_id: Uuid) -> Result<Vec<ListedVersion>, DbErr> {
    let snapshot = database.snapshot().await?;
    let newest = newest_listed(session_id).into_model::<ListedRow>().one(&snapshot).await?;
    let earlier = earlier_listed(session_id).into_model::<ListedRow>().all(&snapshot).await?;
    snapshot.commit().await?;
    let Some(newest) = newest else { return Ok(Vec::new()) };
    let versions = earlier.into_iter().chain([newest]).map(|row| row.listed());
    Ok(versions.collect::<Result<_, _>>()?)
}

/// What the list says of a version, without its drawings and keys.
#[derive(FromQueryResult)]
struct ListedRow {
    version: i32,
    reason: Option<String>,
    at_ms: Option<i64>,
    made_by: Option<String>,
    comment: Option<String>,
    previous_score: Option<i32>,
    completed_at_ms: i64,
    score: i32,
    correct_answers: i32,
    result: String,
}

fn newest_listed(session_id: Uuid) -> Select<session::Entity> {
    use session::Column;
    session::Entity::find_by_id(session_id)
        .select_only()
        .columns([Column::Version, Column::PreviousScore, Column::CompletedAtMs])
        .columns([Column::Score, Column::CorrectAnswers])
        .column_as(Column::VersionReason, "reason")
        .column_as(Column::VersionAtMs, "at_ms")
        .column_as(Column::VersionBy, "made_by")
        .column_as(Column::VersionComment, "comment")
        .column(session_body::Column::Result)
        .join(JoinType::InnerJoin, sessions::body_of_session())
}

fn earlier_listed(session_id: Uuid) -> Select<session_version::Entity> {
    use session_version::Column;
    session_version::Entity::find()
        .select_only()
        .columns([Column::Version, Column::Reason, Column::AtMs, Column::MadeBy, Column::Comment])
        .columns([Column::PreviousScore, Column::CompletedAtMs, Column::Score, Column::CorrectAnswers])
        .column(Column::Result)
        .filter(Column::SessionId.eq(session_id))
        .order_by_asc(Column::Version)
}

impl ListedRow {
    fn listed(&self) -> Result<ListedVersion, Unreadable> {
        let version = VersionColumns {
            number: self.version,
            reason: self.reason.as_deref(),
            at_ms: self.at_ms,
            by: self.made_by.as_deref(),
            comment: self.comment.as_deref(),
            previous_score: self.previous_score,
            completed_at_ms: self.completed_at_ms,
        };
        Ok(ListedVersion {
            version: version.read()?,
            score: self.score,
            correct_answers: self.correct_answers,
            digest: digest(&self.result),
            facts: marks::facts(&self.result)?,
        })
    }
}

impl ListedVersion {
    /// The version that a session is, as this server would store it. `sight` is of its grade.
    pub fn of(sight: StaffSight, session: &Session) -> Result<Self, DbErr> {
        let ResultColumns { score, correct_answers, .. } = ResultColumns::of(session);
        let version = session.version.clone();
        let (digest, facts) = (digest(&result_text(session)?), session.marked_facts(sight));
        Ok(Self { version, score, correct_answers, digest, facts })
    }
}

fn digest(result: &str) -> [u8; 32] {
    Sha256::digest(result.as_bytes()).into()
}

/// The number of the newest version of a session; `None` if there is no such session here.
pub async fn find_newest(database: &Database, session_id: Uuid) -> Result<Option<i32>, DbErr> {
    let query = session::Entity::find_by_id(session_id).select_only().column(session::Column::Version);
    query.into_tuple().one(&database.read).await
}
