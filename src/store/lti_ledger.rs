//! The ledger of scores for learning platforms: what staff see of the outbox, and what they send again.

use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use entities::{delivery, lti_score};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, Statement, Value,
};
use uuid::Uuid;

use super::lti_scores::{NOT_MADE, SCORE_EVENTS, events, taken};
use super::many_rows;
use crate::database::Database;

/// A score of the ledger.
#[derive(Debug, FromQueryResult)]
pub struct LedgerRow {
    pub id: Uuid,
    pub session_id: Uuid,
    pub event: String,
    pub version: i32,
    pub url: String,
    pub status: String,
    pub attempts: i32,
    pub last_status: Option<i16>,
    pub last_error: Option<String>,
    pub next_attempt_at_ms: Option<i64>,
    pub created_at_ms: i64,
    pub delivered_at_ms: Option<i64>,
    pub link_id: Uuid,
    pub platform_id: Uuid,
    pub subject: String,
    pub name: Option<String>,
}

/// Which scores of the ledger are wanted.
#[derive(Clone, Debug, Default)]
pub struct LedgerFilter {
    pub status: Option<DeliveryStatus>,
    pub link_id: Option<Uuid>,
    /// Those of these links alone; `None` for all.
    pub links: Option<Vec<Uuid>>,
}

/// One page of the ledger, the newest first, and the total number.
pub async fn find_page(
    database: &Database,
    filter: &LedgerFilter,
    page: u64,
    per_page: u64,
) -> Result<(Vec<LedgerRow>, u64), DbErr> {
    let backend = database.read.get_database_backend();
    let mut values: Vec<Value> = Vec::new();
    let mut conditions = vec![format!("deliveries.event IN ({})", events())];
    if let Some(status) = filter.status {
        conditions.push(format!("deliveries.status = '{}'", status.name()));
    }
    if let Some(link_id) = filter.link_id {
        values.push(link_id.into());
        conditions.push(format!("taken.link_id = ${}", values.len()));
    }
    if let Some(links) = &filter.links {
        let (of_them, ids) = many_rows::among(backend, "taken.link_id", links, values.len() + 1);
        // No database knows an empty list.
        conditions.push(if links.is_empty() { "FALSE".to_owned() } else { of_them });
        values.extend(if links.is_empty() { Vec::new() } else { ids });
    }
    let from = format!(
        "FROM deliveries JOIN ({}) AS taken ON taken.session_id = deliveries.session_id \
         JOIN lti_links ON lti_links.id = taken.link_id JOIN lti_people ON lti_people.id = taken.person_id WHERE {}",
        taken("TRUE", "TRUE"),
        conditions.join(" AND ")
    );
    let count = Statement::from_sql_and_values(backend, format!("SELECT COUNT(*) {from}"), values.clone());
    let counted = database.read.query_one_raw(count).await?;
    let total: i64 = counted.map_or(Ok(0), |row| row.try_get_by_index(0))?;
    let text = format!(
        "SELECT deliveries.id, deliveries.session_id, deliveries.event, deliveries.version, deliveries.url, \
         deliveries.status, deliveries.attempts, deliveries.last_status, deliveries.last_error, \
         deliveries.next_attempt_at_ms, deliveries.created_at_ms, deliveries.delivered_at_ms, taken.link_id, \
         lti_links.platform_id, lti_people.subject, lti_people.name {from} \
         ORDER BY deliveries.created_at_ms DESC, deliveries.id DESC LIMIT {per_page} OFFSET {}",
        page * per_page
    );
    let statement = Statement::from_sql_and_values(backend, text, values);
    let rows = LedgerRow::find_by_statement(statement).all(&database.read).await?;
    Ok((rows, u64::try_from(total).unwrap_or_default()))
}

/// Finds the test of a score.
pub async fn find_session(database: &Database, id: Uuid) -> Result<Option<Uuid>, DbErr> {
    use delivery::Column;
    let query = delivery::Entity::find_by_id(id).filter(Column::Event.is_in(SCORE_EVENTS));
    query.select_only().column(Column::SessionId).into_tuple().one(&database.read).await
}

/// Queues the newest score of a test again, with the full number of attempts and a moment of its own: an older one
/// would take the place of what the platform has. False if there is none.
pub async fn resend(database: &Database, session_id: Uuid, now: Moment) -> Result<bool, DbErr> {
    use delivery::Column;
    let transaction = database.begin().await?;
    let of_it = delivery::Entity::find().filter(Column::SessionId.eq(session_id));
    let of_it = of_it.filter(Column::Event.is_in(SCORE_EVENTS));
    let newest = of_it.order_by_desc(Column::CreatedAtMs).order_by_desc(Column::Id).one(&transaction).await?;
    let Some(newest) = newest else { return Ok(false) };
    let queued = delivery::ActiveModel {
        status: Set(DeliveryStatus::Pending.name().to_owned()),
        attempts: Set(0),
        last_status: Set(None),
        next_attempt_at_ms: Set(Some(now.milliseconds())),
        ..Default::default()
    };
    delivery::Entity::update_many().set(queued).filter(Column::Id.eq(newest.id)).exec(&transaction).await?;
    let emptied = lti_score::Entity::update_many().col_expr(lti_score::Column::Body, Expr::value(NOT_MADE));
    emptied.filter(lti_score::Column::DeliveryId.eq(newest.id)).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(true)
}

/// How many scores wait, and how many have failed.
pub async fn count(database: &Database) -> Result<(i64, i64), DbErr> {
    use delivery::Column;
    let query = delivery::Entity::find().select_only().column(Column::Status);
    let query = query.expr(Expr::col(Column::Id).count()).filter(Column::Event.is_in(SCORE_EVENTS));
    let query = query.filter(Column::Status.ne(DeliveryStatus::Delivered.name())).group_by(Column::Status);
    let counts: Vec<(String, i64)> = query.into_tuple().all(&database.read).await?;
    let of = |status: DeliveryStatus| {
        counts.iter().filter(|(name, _)| name == status.name()).map(|(_, count)| *count).sum::<i64>()
    };
    Ok((of(DeliveryStatus::Pending), of(DeliveryStatus::Failed)))
}
