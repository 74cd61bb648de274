//! The ledger of scores for learning platforms: what staff see of the outbox, and what they send again.

use domain::delivery::DeliveryStatus;
use domain::lti::link::LinkTarget;
use domain::time::moment::Moment;
use entities::{delivery, lti_link, lti_score};
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
    pub name: Option<String>,
    /// What was sent, as far as something was.
    pub body: Option<String>,
}

/// Which scores of the ledger are wanted.
#[derive(Clone, Debug, Default)]
pub struct LedgerFilter {
    pub status: Option<DeliveryStatus>,
    /// Those of links to these sittings and templates alone; `None` for all.
    pub targets: Option<Vec<Uuid>>,
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
    if let Some(targets) = &filter.targets {
        let (of_them, ids) = many_rows::among(backend, "lti_links.target_id", targets, 1);
        // No database knows an empty list.
        let is_empty = targets.is_empty();
        conditions.push(if is_empty { "1 = 0".to_owned() } else { of_them });
        values = if is_empty { Vec::new() } else { ids };
    }
    let from = format!(
        "FROM deliveries JOIN ({}) AS taken ON taken.session_id = deliveries.session_id \
         JOIN lti_links ON lti_links.id = taken.link_id JOIN lti_people ON lti_people.id = taken.person_id \
         LEFT JOIN lti_scores ON lti_scores.delivery_id = deliveries.id WHERE {}",
        taken("1 = 1", "1 = 1"),
        conditions.join(" AND ")
    );
    let count = Statement::from_sql_and_values(backend, format!("SELECT COUNT(*) {from}"), values.clone());
    let counted = database.read.query_one_raw(count).await?;
    let total: i64 = counted.map_or(Ok(0), |row| row.try_get_by_index(0))?;
    let text = format!(
        "SELECT deliveries.id, deliveries.session_id, deliveries.event, deliveries.version, deliveries.url, \
         deliveries.status, deliveries.attempts, deliveries.last_status, deliveries.last_error, \
         deliveries.next_attempt_at_ms, deliveries.created_at_ms, deliveries.delivered_at_ms, taken.link_id, \
         lti_people.name, lti_scores.body {from} \
         ORDER BY deliveries.created_at_ms DESC, deliveries.id DESC LIMIT {per_page} OFFSET {}",
        page * per_page
    );
    let statement = Statement::from_sql_and_values(backend, text, values);
    let rows = LedgerRow::find_by_statement(statement).all(&database.read).await?;
    Ok((rows, u64::try_from(total).unwrap_or_default()))
}

/// Finds the test of a score, and what its link leads to.
pub async fn find_target(database: &Database, id: Uuid) -> Result<Option<(Uuid, LinkTarget)>, DbErr> {
    let backend = database.read.get_database_backend();
    let of_it = "session_id IN (SELECT deliveries.session_id FROM deliveries WHERE deliveries.id = $1)";
    let text = format!(
        "SELECT taken.session_id, lti_links.kind, lti_links.target_id FROM deliveries \
         JOIN ({}) AS taken ON taken.session_id = deliveries.session_id \
         JOIN lti_links ON lti_links.id = taken.link_id WHERE deliveries.id = $1 AND deliveries.event IN ({})",
        taken(&format!("lti_tests.{of_it}"), &format!("attempts.{of_it}")),
        events()
    );
    let row = database.read.query_one_raw(Statement::from_sql_and_values(backend, text, [id.into()])).await?;
    let Some(row) = row else { return Ok(None) };
    let (session_id, kind, target): (Uuid, String, Uuid) =
        (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
    Ok(LinkTarget::parse(&kind, target).map(|target| (session_id, target)))
}

/// Finds the sittings and templates to which links lead.
pub async fn find_targets(database: &Database) -> Result<Vec<LinkTarget>, DbErr> {
    use lti_link::Column;
    let query = lti_link::Entity::find().select_only().columns([Column::Kind, Column::TargetId]).distinct();
    let rows: Vec<(String, Uuid)> = query.into_tuple().all(&database.read).await?;
    Ok(rows.into_iter().filter_map(|(kind, id)| LinkTarget::parse(&kind, id)).collect())
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
