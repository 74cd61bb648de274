//! Finished tests, in the database.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::band::Band;
use domain::calendar::exam::event_of;
use domain::grade::Grade;
use domain::question::{Choice, Difficulty, KeyedQuestion};
use domain::resources::{RowPosition, SessionSummary};
use domain::scoring::{AnswerLine, TestResult};
use domain::session::Session;
use domain::time::moment::Moment;
use entities::session;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, Iterable, Order, QueryFilter,
    QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{Unreadable, beyond};
use crate::database::{self, Database};

/// Rows of one statement. A row has 15 values and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;

/// A question with its key, as it is stored with attempts and sessions. It contains the right answer and is never sent
/// to anyone.
#[derive(Serialize, Deserialize)]
struct StoredKey {
    id: Arc<str>,
    topic: Arc<str>,
    difficulty: Difficulty,
    answer: Choice,
}

/// Turns questions with their keys into JSON to store.
pub fn keys_to_text(questions: &[Arc<KeyedQuestion>]) -> Result<String, DbErr> {
    to_text(&stored_keys(questions))
}

/// Like [`keys_to_text`], for one list for each band.
pub fn band_keys_to_text(lists: &BTreeMap<Band, Vec<Arc<KeyedQuestion>>>) -> Result<String, DbErr> {
    to_text(&lists.iter().map(|(band, questions)| (*band, stored_keys(questions))).collect::<BTreeMap<_, _>>())
}

/// Reads what [`keys_to_text`] has written.
pub fn keys_from_text(text: &str) -> Result<Vec<Arc<KeyedQuestion>>, Unreadable> {
    serde_json::from_str(text).map(keyed).map_err(|_| Unreadable("keys"))
}

/// Reads what [`band_keys_to_text`] has written.
pub fn band_keys_from_text(text: &str) -> Result<BTreeMap<Band, Vec<Arc<KeyedQuestion>>>, Unreadable> {
    let lists: BTreeMap<Band, Vec<StoredKey>> = serde_json::from_str(text).map_err(|_| Unreadable("keys"))?;
    Ok(lists.into_iter().map(|(band, stored)| (band, keyed(stored))).collect())
}

fn stored_keys(questions: &[Arc<KeyedQuestion>]) -> Vec<StoredKey> {
    let stored = |question: &Arc<KeyedQuestion>| StoredKey {
        id: Arc::clone(&question.id),
        topic: Arc::clone(&question.topic),
        difficulty: question.difficulty,
        answer: question.answer,
    };
    questions.iter().map(stored).collect()
}

fn keyed(stored: Vec<StoredKey>) -> Vec<Arc<KeyedQuestion>> {
    let keyed = |key: StoredKey| {
        Arc::new(KeyedQuestion { id: key.id, topic: key.topic, difficulty: key.difficulty, answer: key.answer })
    };
    stored.into_iter().map(keyed).collect()
}

/// Stores finished tests. A test that is stored already stays as it is, so that the same test can be stored twice.
pub async fn insert(connection: &impl ConnectionTrait, sessions: &[Session]) -> Result<(), DbErr> {
    let rows = sessions.iter().map(to_row).collect::<Result<Vec<_>, _>>()?;
    let conflict = OnConflict::column(session::Column::SessionId).do_nothing().to_owned();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        session::Entity::insert_many(rows.to_vec())
            .on_conflict(conflict.clone())
            .exec_without_returning(connection)
            .await?;
    }
    Ok(())
}

/// Stores a finished test that another service sends. It replaces a test of the same id. The keys by which the old one
/// was graded here stay as long as the answers are the same, because the other service does not know them.
pub async fn put(database: &Database, session: &Session) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    database::bound_lock_waits(&transaction).await?;
    let before = session::Entity::find_by_id(session.session_id).lock_exclusive().one(&transaction).await?;
    let mut row = to_row(session)?;
    if let Some(before) = before.filter(|before| has_answers_of(before, session)) {
        row.graded_by = Set(before.graded_by);
    }
    let replaced = session::Column::iter().filter(|column| !matches!(column, session::Column::SessionId));
    let conflict = OnConflict::column(session::Column::SessionId).update_columns(replaced).to_owned();
    session::Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
    transaction.commit().await
}

fn has_answers_of(row: &session::Model, session: &Session) -> bool {
    let stored = serde_json::from_str::<TestResult>(&row.result).map(|result| result.answers).unwrap_or_default();
    let sent = &session.result.answers;
    let is_same = |(stored, sent): (&AnswerLine, &AnswerLine)| {
        stored.question_id == sent.question_id && stored.selected == sent.selected
    };
    stored.len() == sent.len() && stored.iter().zip(sent).all(is_same)
}

pub async fn find(database: &Database, session_id: Uuid) -> Result<Option<Session>, DbErr> {
    let row = session::Entity::find_by_id(session_id).one(&database.read).await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

/// Notes that the session's webhook has been delivered.
pub async fn set_webhook_sent(connection: &impl ConnectionTrait, session_id: Uuid) -> Result<(), DbErr> {
    let sent = session::ActiveModel { session_id: Set(session_id), webhook_sent: Set(true), ..Default::default() };
    session::Entity::update_many()
        .set(sent)
        .filter(session::Column::SessionId.eq(session_id))
        .exec(connection)
        .await
        .map(|_| ())
}

#[derive(FromQueryResult)]
struct SummaryRow {
    session_id: Uuid,
    grade: i16,
    completed_at_ms: i64,
    score: i32,
    correct_answers: i32,
    total_questions: i32,
    report_url: String,
    webhook_sent: bool,
}

/// Loads the next summaries after `last`, newest first: at most `count`, of one event of the calendar or of all
/// sessions.
pub async fn summaries_after(
    database: &Database,
    event: Option<i64>,
    last: Option<RowPosition>,
    count: u64,
) -> Result<Vec<SessionSummary>, DbErr> {
    use session::Column;
    let mut query = session::Entity::find()
        .select_only()
        .column(Column::SessionId)
        .column(Column::Grade)
        .column(Column::CompletedAtMs)
        .column(Column::Score)
        .column(Column::CorrectAnswers)
        .column(Column::TotalQuestions)
        .column(Column::ReportUrl)
        .column(Column::WebhookSent);
    if let Some(event) = event {
        query = query.filter(Column::EventId.eq(event));
    }
    if let Some(last) = last {
        query = query.filter(beyond(Column::CompletedAtMs, Column::SessionId, last, &Order::Desc));
    }
    let in_order = query.order_by_desc(Column::CompletedAtMs).order_by_desc(Column::SessionId).limit(count);
    Ok(in_order.into_model().all(&database.read).await?.into_iter().map(summary).collect())
}

fn summary(row: SummaryRow) -> SessionSummary {
    let SummaryRow {
        session_id,
        grade,
        completed_at_ms,
        score,
        correct_answers,
        total_questions,
        report_url,
        webhook_sent,
    } = row;
    let timestamp = Moment::from_milliseconds(completed_at_ms);
    SessionSummary { session_id, grade, timestamp, score, correct_answers, total_questions, report_url, webhook_sent }
}

fn to_row(session: &Session) -> Result<session::ActiveModel, DbErr> {
    let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    Ok(session::ActiveModel {
        session_id: Set(session.session_id),
        grade: Set(session.grade.number().into()),
        started_at_ms: Set(session.started_at.milliseconds()),
        completed_at_ms: Set(session.completed_at.milliseconds()),
        webhook_sent: Set(session.webhook_sent),
        report_url: Set(session.report_url.clone()),
        annotations: Set(session.annotations.get().to_owned()),
        result: Set(to_text(&session.result)?),
        verified: Set(session.verified),
        drawings: Set(session.drawings.as_ref().map(|drawings| drawings.get().to_owned())),
        graded_by: Set(keys_to_text(&session.graded_by)?),
        score: Set(number(session.result.score)),
        correct_answers: Set(number(session.result.correct_answers)),
        total_questions: Set(number(session.result.total_questions)),
        event_id: Set(event_of(session.annotations.get())),
    })
}

fn from_row(row: session::Model) -> Result<Session, Unreadable> {
    let raw = |text: String, what| RawValue::from_string(text).map_err(|_| Unreadable(what));
    Ok(Session {
        session_id: row.session_id,
        grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
        started_at: Moment::from_milliseconds(row.started_at_ms),
        completed_at: Moment::from_milliseconds(row.completed_at_ms),
        webhook_sent: row.webhook_sent,
        report_url: row.report_url,
        annotations: raw(row.annotations, "annotations")?,
        result: serde_json::from_str(&row.result).map_err(|_| Unreadable("result"))?,
        verified: row.verified,
        drawings: row.drawings.map(|text| raw(text, "drawings")).transpose()?,
        graded_by: keys_from_text(&row.graded_by)?,
    })
}

fn to_text(value: &impl Serialize) -> Result<String, DbErr> {
    serde_json::to_string(value).map_err(|error| DbErr::Custom(error.to_string()))
}
