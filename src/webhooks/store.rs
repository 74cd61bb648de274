//! The outbox in the database: what waits, what was delivered, what failed.

use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use entities::delivery;
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use crate::database::Database;
use crate::store::{sessions, transfers};

/// A delivery that is claimed for an attempt is left alone so long: then whoever claimed it has died.
const CLAIM_MILLISECONDS: i64 = 60_000;
/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;

/// A delivery to be written with its session.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    /// The event's id.
    pub id: Uuid,
    /// The session that it tells of.
    pub session_id: Uuid,
    /// Where to.
    pub url: String,
    /// `host:port`; empty when the target is impossible.
    pub host: String,
    /// Waiting or failed.
    pub status: DeliveryStatus,
    /// Why it failed.
    pub last_error: Option<String>,
    /// Now.
    pub created_at: Moment,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted {
    /// The receiver's HTTP status, when it answered.
    pub status: Option<u16>,
    /// Why the attempt failed; `None` when the receiver has the event.
    pub error: Option<String>,
    /// When to try again; `None` when that is over.
    pub next_attempt_at: Option<Moment>,
}

/// Writes deliveries; a session that has one already keeps it.
///
/// # Errors
/// When the store is unavailable.
pub async fn insert(connection: &impl ConnectionTrait, deliveries: Vec<NewDelivery>) -> Result<(), DbErr> {
    let row = |new: NewDelivery| delivery::ActiveModel {
        id: Set(new.id),
        session_id: Set(new.session_id),
        url: Set(new.url),
        host: Set(new.host),
        status: Set(new.status.name().to_owned()),
        attempts: Set(0),
        last_status: Set(None),
        last_error: Set(new.last_error),
        next_attempt_at_ms: Set((new.status == DeliveryStatus::Pending).then(|| new.created_at.milliseconds())),
        created_at_ms: Set(new.created_at.milliseconds()),
        delivered_at_ms: Set(None),
    };
    let conflict = OnConflict::column(delivery::Column::SessionId).do_nothing().to_owned();
    let rows: Vec<_> = deliveries.into_iter().map(row).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        delivery::Entity::insert_many(rows.to_vec())
            .on_conflict(conflict.clone())
            .exec_without_returning(connection)
            .await?;
    }
    Ok(())
}

/// Deliveries whose time has come, the longest due first, leaving out these hosts.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_due(
    database: &Database,
    now: Moment,
    without_hosts: &[String],
    count: u64,
) -> Result<Vec<delivery::Model>, DbErr> {
    let due = delivery::Column::NextAttemptAtMs.lte(now.milliseconds());
    let query =
        delivery::Entity::find().filter(delivery::Column::Status.eq(DeliveryStatus::Pending.name())).filter(due);
    let query =
        if without_hosts.is_empty() { query } else { query.filter(delivery::Column::Host.is_not_in(without_hosts)) };
    query.order_by_asc(delivery::Column::NextAttemptAtMs).limit(count).all(&database.read).await
}

/// Claims a delivery for one attempt, which counts from now on; false when another server was first.
///
/// # Errors
/// When the store is unavailable.
pub async fn claim(database: &Database, due: &delivery::Model, now: Moment) -> Result<bool, DbErr> {
    let claimed = delivery::ActiveModel {
        id: Set(due.id),
        attempts: Set(due.attempts + 1),
        next_attempt_at_ms: Set(Some(now.plus(CLAIM_MILLISECONDS).milliseconds())),
        ..Default::default()
    };
    let unchanged =
        delivery::Column::Attempts.eq(due.attempts).and(delivery::Column::Status.eq(DeliveryStatus::Pending.name()));
    let unclaimed = delivery::Column::NextAttemptAtMs.eq(due.next_attempt_at_ms);
    let update = delivery::Entity::update_many()
        .set(claimed)
        .filter(delivery::Column::Id.eq(due.id))
        .filter(unchanged)
        .filter(unclaimed);
    Ok(update.exec(&database.write).await?.rows_affected == 1)
}

/// Notes how an attempt ended, and with the session that its receiver has the event, which an external data provider is
/// then to be told when there is one.
///
/// # Errors
/// When the store is unavailable.
pub async fn finish(
    database: &Database,
    due: &delivery::Model,
    attempted: &Attempted,
    now: Moment,
    sends_sessions: bool,
) -> Result<(), DbErr> {
    let is_delivered = attempted.error.is_none();
    let status = match attempted.next_attempt_at {
        _ if is_delivered => DeliveryStatus::Delivered,
        Some(_) => DeliveryStatus::Pending,
        None => DeliveryStatus::Failed,
    };
    let ended = delivery::ActiveModel {
        id: Set(due.id),
        status: Set(status.name().to_owned()),
        last_status: Set(attempted.status.and_then(|status| i16::try_from(status).ok())),
        last_error: Set(attempted.error.clone()),
        next_attempt_at_ms: Set(attempted.next_attempt_at.map(Moment::milliseconds)),
        delivered_at_ms: Set(is_delivered.then(|| now.milliseconds())),
        ..Default::default()
    };
    let transaction = database.begin().await?;
    // Only the attempt that was claimed last may say how it went: one that took too long has been overtaken.
    let of_it = delivery::Column::Id.eq(due.id).and(delivery::Column::Attempts.eq(due.attempts + 1));
    delivery::Entity::update_many().set(ended).filter(of_it).exec(&transaction).await?;
    if is_delivered {
        sessions::set_webhook_sent(&transaction, due.session_id).await?;
        if sends_sessions {
            transfers::renew(&transaction, due.session_id).await?;
        }
    }
    transaction.commit().await
}

/// How many deliveries wait.
///
/// # Errors
/// When the store is unavailable.
pub async fn count_waiting(database: &Database) -> Result<u64, DbErr> {
    delivery::Entity::find()
        .filter(delivery::Column::Status.eq(DeliveryStatus::Pending.name()))
        .count(&database.read)
        .await
}

/// One page of deliveries, the newest first, and how many there are in all.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_page(
    database: &Database,
    status: Option<DeliveryStatus>,
    page: u64,
    per_page: u64,
) -> Result<(Vec<delivery::Model>, u64), DbErr> {
    let query = delivery::Entity::find();
    let query = match status {
        Some(status) => query.filter(delivery::Column::Status.eq(status.name())),
        None => query,
    };
    let pages = query
        .order_by_desc(delivery::Column::CreatedAtMs)
        .order_by_desc(delivery::Column::Id)
        .paginate(&database.read, per_page);
    Ok((pages.fetch_page(page).await?, pages.num_items().await?))
}

/// Queues a delivery again, with all its attempts before it; false when there is none of that id.
///
/// # Errors
/// When the store is unavailable.
pub async fn replay(database: &Database, id: Uuid, host: impl Fn(&str) -> String, now: Moment) -> Result<bool, DbErr> {
    let Some(known) = delivery::Entity::find_by_id(id).one(&database.write).await? else { return Ok(false) };
    let queued = delivery::ActiveModel {
        id: Set(id),
        host: Set(host(&known.url)),
        status: Set(DeliveryStatus::Pending.name().to_owned()),
        attempts: Set(0),
        next_attempt_at_ms: Set(Some(now.milliseconds())),
        ..Default::default()
    };
    delivery::Entity::update_many().set(queued).filter(delivery::Column::Id.eq(id)).exec(&database.write).await?;
    Ok(true)
}
