//! The versions of finished tests: the newest in `sessions` and `session_bodies`, each earlier one in
//! `session_versions`, where rows are only ever inserted.

use std::collections::{BTreeMap, HashMap};

use domain::session::{Session, VersionReason};
use domain::sight::StaffSight;
use domain::time::moment::Moment;
use entities::{session, session_body, session_version};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, JoinType, QueryFilter,
    QueryOrder, QuerySelect, Statement, Value,
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::session_rows::{SessionRows, as_it_was, number, reason};
use super::{Unreadable, many_rows, sessions};
use crate::database::Database;

/// Sessions of one statement. Each has 14 values at most, and SQLite accepts 32,766 in a statement.
pub const SESSIONS_PER_STATEMENT: usize = 1_000;

/// A version as staff see it in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedVersion {
    pub number: u32,
    pub at: Moment,
    pub reason: VersionReason,
    pub by: Option<String>,
    pub comment: Option<String>,
    pub score: i32,
    pub correct_answers: i32,
    /// SHA-256 of the result as it is stored: the text of its JSON, in UTF-8.
    pub digest: [u8; 32],
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

/// A session with its new result, and whether that has other drawings.
pub struct ReplacedSession {
    pub session: Session,
    pub has_other_drawings: bool,
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
        webhook_sent = FALSE";
    const OF_LIST: &str = "sessions.session_id = new.column1";
    const BODY: &str = "UPDATE session_bodies SET result = new.column2, graded_by = new.column3";
    // By themselves, so that Postgres does not write the others' again: they are most of what it has of a test.
    const DRAWINGS: &str = "UPDATE session_bodies SET drawings = new.column2";
    const OF_BODY: &str = "session_bodies.session_id = new.column1";
    for replaced in replaced.chunks(SESSIONS_PER_STATEMENT) {
        let rows: Vec<SessionRows> =
            replaced.iter().map(|one| SessionRows::of(&one.session)).collect::<Result<_, _>>()?;
        let listed = |SessionRows { list, .. }: &SessionRows| -> [Value; 13] {
            [
                list.session_id.into(),
                list.version.into(),
                list.version_reason.clone().into(),
                list.version_at_ms.into(),
                list.version_by.clone().into(),
                list.version_comment.clone().into(),
                list.previous_score.into(),
                list.completed_at_ms.into(),
                list.verified.into(),
                list.score.into(),
                list.correct_answers.into(),
                list.total_questions.into(),
                list.time_taken.into(),
            ]
        };
        many_rows::update(transaction, LIST, OF_LIST, rows.iter().map(listed)).await?;
        let drawn: Vec<[Value; 2]> = rows
            .iter()
            .zip(replaced)
            .filter(|(_, one)| one.has_other_drawings)
            .map(|(rows, _)| [rows.body.session_id.into(), rows.body.drawings.clone().into()])
            .collect();
        let body = |rows: SessionRows| -> [Value; 3] {
            [rows.body.session_id.into(), rows.body.result.into(), rows.body.graded_by.into()]
        };
        many_rows::update(transaction, BODY, OF_BODY, rows.into_iter().map(body)).await?;
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
    Ok(row.map(|row| as_it_was(newest, row)).transpose()?)
}

/// Of these sessions, the earlier versions that are asked for; one that can't be read costs no other.
pub async fn find_earlier(
    database: &Database,
    newest: &HashMap<Uuid, Result<Session, Unreadable>>,
    wanted: impl Iterator<Item = (Uuid, i32)>,
) -> Result<HashMap<(Uuid, i32), Result<Session, Unreadable>>, DbErr> {
    use session_version::Column;
    let mut found = HashMap::new();
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
    Ok(found)
}

/// Lists all versions of a session, the first one first; empty if there is no such session. `_sight` is of its grade.
pub async fn list(database: &Database, _sight: StaffSight, session_id: Uuid) -> Result<Vec<ListedVersion>, DbErr> {
    let snapshot = database.snapshot().await?;
    let newest = session::Entity::find_by_id(session_id)
        .join(JoinType::InnerJoin, sessions::body_of_session())
        .select_also(session_body::Entity)
        .one(&snapshot)
        .await?;
    let query = session_version::Entity::find().filter(session_version::Column::SessionId.eq(session_id));
    let earlier = query.order_by_asc(session_version::Column::Version).all(&snapshot).await?;
    snapshot.commit().await?;
    let Some((row, Some(body))) = newest else { return Ok(Vec::new()) };
    let mut versions = Vec::with_capacity(earlier.len() + 1);
    for row in earlier {
        versions.push(ListedVersion {
            number: number(row.version)?,
            at: Moment::from_milliseconds(row.at_ms.unwrap_or(row.completed_at_ms)),
            reason: reason(row.reason.as_deref())?,
            by: row.made_by,
            comment: row.comment,
            score: row.score,
            correct_answers: row.correct_answers,
            digest: digest(&row.result),
        });
    }
    versions.push(ListedVersion::of_rows(SessionRows { list: row, body })?);
    Ok(versions)
}

impl ListedVersion {
    /// The version that a session is, as this server would store it. `_sight` is of its grade.
    pub fn of(_sight: StaffSight, session: &Session) -> Result<Self, DbErr> {
        Ok(Self::of_rows(SessionRows::of(session)?)?)
    }

    fn of_rows(SessionRows { list, body }: SessionRows) -> Result<Self, Unreadable> {
        Ok(Self {
            number: number(list.version)?,
            at: Moment::from_milliseconds(list.version_at_ms.unwrap_or(list.completed_at_ms)),
            reason: reason(list.version_reason.as_deref())?,
            by: list.version_by,
            comment: list.version_comment,
            score: list.score,
            correct_answers: list.correct_answers,
            digest: digest(&body.result),
        })
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
