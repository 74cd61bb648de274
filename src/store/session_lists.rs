//! Lists of finished tests, for those who may read all of them. They read `sessions` alone, never the large parts of
//! tests.

use domain::form::FormLetter;
use domain::resources::{RowPosition, SessionEntry, SessionFilter, SessionSummary};
use domain::session::SessionOrigin;
use domain::sight::SchoolSight;
use domain::time::moment::Moment;
use entities::session::{Column, Entity, Model};
use sea_orm::sea_query::{Expr, ExprTrait, Func};
use sea_orm::{
    ColumnTrait, DbBackend, DbErr, EntityTrait, FromQueryResult, JoinType, Order, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Select,
};
use uuid::Uuid;

use super::marks::{is_marked, sitting_of_session};
use super::{Unreadable, beyond};
use crate::database::Database;

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
    version: i32,
}

/// Loads the next summaries of all sessions after `last`, newest first: at most `count`.
pub async fn summaries_after(
    database: &Database,
    _sight: SchoolSight,
    last: Option<RowPosition>,
    count: u64,
) -> Result<Vec<SessionSummary>, DbErr> {
    let columns = [
        Column::SessionId,
        Column::Grade,
        Column::CompletedAtMs,
        Column::Score,
        Column::CorrectAnswers,
        Column::TotalQuestions,
        Column::ReportUrl,
        Column::WebhookSent,
        Column::Version,
    ];
    let query = after(Entity::find().select_only().columns(columns), last).limit(count);
    Ok(query.into_model().all(&database.read).await?.into_iter().map(summary).collect())
}

/// Loads the next sessions after `last` that pass the filter, newest first: at most `count`.
pub async fn entries_after(
    database: &Database,
    _sight: SchoolSight,
    filter: &SessionFilter,
    last: Option<RowPosition>,
    count: u64,
) -> Result<Vec<SessionEntry>, DbErr> {
    let query = after(filtered(Entity::find(), filter, database.read.get_database_backend()), last).limit(count);
    Ok(query.all(&database.read).await?.into_iter().map(entry).collect::<Result<_, _>>()?)
}

/// Loads one page, counted from 0, of the sessions that pass the filter, newest first, and counts all of them. Both are
/// of one moment.
pub async fn page(
    database: &Database,
    _sight: SchoolSight,
    filter: &SessionFilter,
    page: u64,
    per_page: u64,
) -> Result<(Vec<SessionEntry>, u64), DbErr> {
    let snapshot = database.snapshot().await?;
    let query = filtered(Entity::find(), filter, database.read.get_database_backend());
    let total = query.clone().count(&snapshot).await?;
    let first = page.saturating_mul(per_page);
    // A large offset would read all rows before it, for nothing.
    let rows =
        if first < total { after(query, None).offset(first).limit(per_page).all(&snapshot).await? } else { Vec::new() };
    snapshot.commit().await?;
    Ok((rows.into_iter().map(entry).collect::<Result<_, _>>()?, total))
}

/// Whether any session that passes the filter was sat in one of several forms.
pub async fn have_forms(database: &Database, _sight: SchoolSight, filter: &SessionFilter) -> Result<bool, DbErr> {
    let query = filtered(Entity::find(), filter, database.read.get_database_backend());
    let query = query.filter(Column::Form.is_not_null()).select_only().column(Column::SessionId).limit(1);
    Ok(query.into_tuple::<Uuid>().one(&database.read).await?.is_some())
}

/// Whether any session that passes the filter has a scale by which it is marked.
pub async fn have_marks(database: &Database, _sight: SchoolSight, filter: &SessionFilter) -> Result<bool, DbErr> {
    let query = filtered(Entity::find(), filter, database.read.get_database_backend());
    let query = query.join(JoinType::LeftJoin, sitting_of_session()).filter(is_marked());
    let query = query.select_only().column(Column::SessionId).limit(1);
    Ok(query.into_tuple::<Uuid>().one(&database.read).await?.is_some())
}

fn after(query: Select<Entity>, last: Option<RowPosition>) -> Select<Entity> {
    let query = match last {
        Some(last) => query.filter(beyond(Column::CompletedAtMs, Column::SessionId, last, &Order::Desc)),
        None => query,
    };
    query.order_by_desc(Column::CompletedAtMs).order_by_desc(Column::SessionId)
}

fn filtered(mut query: Select<Entity>, filter: &SessionFilter, backend: DbBackend) -> Select<Entity> {
    if let Some(grade) = filter.grade {
        query = query.filter(Column::Grade.eq(i16::from(grade.number())));
    }
    if let Some(from) = filter.from {
        query = query.filter(Column::CompletedAtMs.gte(from.milliseconds()));
    }
    if let Some(until) = filter.until {
        query = query.filter(Column::CompletedAtMs.lt(until.milliseconds()));
    }
    if let Some(event) = filter.event {
        query = query.filter(Column::EventId.eq(event));
    }
    if let Some(template_id) = filter.template_id {
        query = query.filter(Column::TemplateId.eq(template_id));
    }
    if let Some(origin) = filter.origin {
        query = query.filter(Column::Origin.eq(origin.name()));
    }
    if let Some(text) = &filter.text {
        // No pattern, so that `%` and `_` are only themselves.
        let function = if backend == DbBackend::Postgres { "strpos" } else { "instr" };
        let found = Func::cust(function).arg(Expr::col(Column::SearchText)).arg(text.as_str());
        query = query.filter(Expr::expr(found).gt(0));
    }
    query
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
        version,
    } = row;
    let timestamp = Moment::from_milliseconds(completed_at_ms);
    SessionSummary {
        session_id,
        grade,
        timestamp,
        score,
        correct_answers,
        total_questions,
        report_url,
        webhook_sent,
        version,
    }
}

fn entry(row: Model) -> Result<SessionEntry, Unreadable> {
    Ok(SessionEntry {
        summary: SessionSummary {
            session_id: row.session_id,
            grade: row.grade,
            timestamp: Moment::from_milliseconds(row.completed_at_ms),
            score: row.score,
            correct_answers: row.correct_answers,
            total_questions: row.total_questions,
            report_url: row.report_url,
            webhook_sent: row.webhook_sent,
            version: row.version,
        },
        started_at: Moment::from_milliseconds(row.started_at_ms),
        time_taken: row.time_taken,
        student: row.student,
        student_id: row.student_id,
        account: row.account,
        origin: SessionOrigin::parse(&row.origin).ok_or(Unreadable("origin"))?,
        verified: row.verified,
        template_id: row.template_id,
        event: row.event_id,
        form: row.form.as_deref().and_then(FormLetter::parse),
    })
}
