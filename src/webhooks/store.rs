//! The outbox in the database: which deliveries are pending, delivered and failed.

use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use entities::{attempt, delivery};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
};
use uuid::Uuid;

use super::hosts::{AcceptingHost, DeliveryRoom};
use crate::database::Database;
use crate::store::{sessions, transfers};

/// How long a claimed delivery is left alone. An attempt takes less, so after this time its server must have died.
const CLAIM_MILLISECONDS: i64 = 60_000;
/// Rows of one statement. A row has 12 values, and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;
/// Links of running attempts whose hosts are expected to answer. Each student may have one of their own.
const AWAITED_LINKS_MAX: u64 = 2_000;
const DAY_MILLISECONDS: i64 = 86_400_000;
/// A test has been finished.
pub const TEST_COMPLETED: &str = "test.completed";
/// The result of a finished test may be seen.
pub const RESULT_RELEASED: &str = "result.released";

/// A delivery to store with its session.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    /// Sent as `webhook-id`.
    pub id: Uuid,
    pub session_id: Uuid,
    pub url: String,
    /// `host:port`; empty if the target is impossible.
    pub host: String,
    /// Pending or failed.
    pub status: DeliveryStatus,
    pub last_error: Option<String>,
    pub created_at: Moment,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted {
    /// The receiver's HTTP status, if it answered.
    pub status: Option<u16>,
    /// Why the attempt failed; `None` if the receiver has accepted the event.
    pub error: Option<String>,
    /// When to try again; `None` if there are no more attempts.
    pub next_attempt_at: Option<Moment>,
}

/// Stores deliveries. A session that has one already keeps it.
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
        event: Set(TEST_COMPLETED.to_owned()),
    };
    let one_each = [delivery::Column::SessionId, delivery::Column::Event];
    let conflict = OnConflict::columns(one_each).do_nothing().to_owned();
    let rows: Vec<_> = deliveries.into_iter().map(row).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        delivery::Entity::insert_many(rows.to_vec())
            .on_conflict(conflict.clone())
            .exec_without_returning(connection)
            .await?;
    }
    Ok(())
}

/// Queues [`RESULT_RELEASED`] for all finished tests of a sitting that have a webhook, by one statement: ten thousand
/// may be released at once. They are due at once, and sent in the order in which the tests ended.
pub async fn insert_released(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    only_unbegun: bool,
    now: Moment,
) -> Result<(), DbErr> {
    let unbegun = if only_unbegun { "AND sessions.started_at_ms >= sessions.completed_at_ms " } else { "" };
    let backend = transaction.get_database_backend();
    let new_id = match backend {
        DbBackend::Postgres => "gen_random_uuid()",
        // Version 4, like those that this server makes itself.
        _ => {
            "unhex(hex(randomblob(6)) || '4' || substr(hex(randomblob(2)), 2) || '8' \
             || substr(hex(randomblob(2)), 2) || hex(randomblob(6)))"
        }
    };
    let statement = format!(
        "INSERT INTO deliveries (id, session_id, url, host, status, attempts, last_error, next_attempt_at_ms, \
         created_at_ms, event) \
         SELECT {new_id}, told.session_id, told.url, told.host, \
         CASE WHEN told.host = '' THEN 'failed' ELSE 'pending' END, 0, \
         CASE WHEN told.host = '' THEN told.last_error END, \
         CASE WHEN told.host = '' THEN NULL ELSE sessions.completed_at_ms END, $1, '{RESULT_RELEASED}' \
         FROM sessions JOIN deliveries told ON told.session_id = sessions.session_id \
         AND told.event = '{TEST_COMPLETED}' WHERE sessions.sitting_id = $2 {unbegun}\
         ON CONFLICT (session_id, event) DO NOTHING"
    );
    let values = [now.milliseconds().into(), sitting_id.into()];
    transaction.execute_raw(Statement::from_sql_and_values(backend, statement, values)).await.map(|_| ())
}

/// Whether the event before this one of the same test is still to be delivered.
pub async fn has_earlier(database: &Database, due: &delivery::Model) -> Result<bool, DbErr> {
    if due.event != RESULT_RELEASED {
        return Ok(false);
    }
    let of_it = delivery::Column::SessionId.eq(due.session_id).and(delivery::Column::Event.eq(TEST_COMPLETED));
    let pending = delivery::Column::Status.eq(DeliveryStatus::Pending.name());
    Ok(delivery::Entity::find().filter(of_it).filter(pending).count(&database.read).await? > 0)
}

/// Leaves a delivery alone until then, without an attempt.
pub async fn postpone(database: &Database, due: &delivery::Model, until: Moment) -> Result<(), DbErr> {
    let later = delivery::ActiveModel { next_attempt_at_ms: Set(Some(until.milliseconds())), ..Default::default() };
    let unclaimed =
        delivery::Column::Attempts.eq(due.attempts).and(delivery::Column::NextAttemptAtMs.eq(due.next_attempt_at_ms));
    let of_it = delivery::Entity::update_many().set(later).filter(delivery::Column::Id.eq(due.id));
    of_it.filter(unclaimed).exec(&database.write).await.map(|_| ())
}

/// Deliveries that are due and for whose hosts there is room, the longest waiting first. Hosts without room are left
/// out, or their deliveries could fill the answer.
pub async fn find_due(database: &Database, now: Moment, room: &DeliveryRoom) -> Result<Vec<delivery::Model>, DbErr> {
    let due = delivery::Column::NextAttemptAtMs.lte(now.milliseconds());
    let mut query =
        delivery::Entity::find().filter(delivery::Column::Status.eq(DeliveryStatus::Pending.name())).filter(due);
    if room.is_for_trusted_alone {
        query = query.filter(delivery::Column::Host.is_in(&room.trusted));
    }
    if room.is_without_silent {
        let is_not_silent = Condition::any()
            .add(delivery::Column::Attempts.eq(0))
            .add(delivery::Column::LastStatus.is_not_null())
            .add(delivery::Column::Host.is_in(&room.answering));
        query = query.filter(is_not_silent);
    }
    if !room.full.is_empty() {
        query = query.filter(delivery::Column::Host.is_not_in(&room.full));
    }
    query.order_by_asc(delivery::Column::NextAttemptAtMs).limit(room.places as u64).all(&database.read).await
}

/// Hosts that have accepted an event since then, at most `count`: those that did so on the most days first, and not the
/// latest, which anyone can invent.
pub async fn find_accepting_hosts(
    database: &Database,
    since: Moment,
    count: usize,
) -> Result<Vec<AcceptingHost>, DbErr> {
    let days = Expr::cust(format!("COUNT(DISTINCT delivered_at_ms / {DAY_MILLISECONDS})"));
    let query = delivery::Entity::find()
        .select_only()
        .column(delivery::Column::Host)
        .expr_as(days.clone(), "days")
        .expr_as(delivery::Column::Id.count(), "answers")
        .filter(delivery::Column::DeliveredAtMs.gte(since.milliseconds()))
        .group_by(delivery::Column::Host)
        .order_by_desc(days)
        .order_by_desc(delivery::Column::Id.count())
        .order_by_asc(delivery::Column::DeliveredAtMs.min())
        .limit(count as u64);
    let rows: Vec<(String, i64, i64)> = query.into_tuple().all(&database.read).await?;
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    let host = |(name, days, answers)| AcceptingHost { name, days: number(days), answers: number(answers) };
    Ok(rows.into_iter().map(host).collect())
}

/// Links that running attempts name, those of most attempts first.
pub async fn find_awaited_links(database: &Database) -> Result<Vec<String>, DbErr> {
    let query = attempt::Entity::find()
        .select_only()
        .column(attempt::Column::WebhookUrl)
        .filter(attempt::Column::EndedAtMs.is_null())
        .filter(attempt::Column::WebhookUrl.is_not_null())
        .group_by(attempt::Column::WebhookUrl)
        .order_by_desc(attempt::Column::SessionId.count())
        .limit(AWAITED_LINKS_MAX);
    query.into_tuple().all(&database.read).await
}

/// Claims a delivery for one attempt and counts the attempt. The update applies only to the row as it was read, so of
/// several servers one succeeds; the others get false.
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

/// Records how an attempt ended. If the receiver has accepted the event, its session is marked as sent, and is queued
/// for the external data provider again if there is one.
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
    // Only the attempt that was claimed last may record its end: one that took too long has been superseded.
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

pub async fn count_waiting(database: &Database) -> Result<u64, DbErr> {
    delivery::Entity::find()
        .filter(delivery::Column::Status.eq(DeliveryStatus::Pending.name()))
        .count(&database.read)
        .await
}

/// One page of deliveries, the newest first, and the total number.
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

/// Queues a delivery again, with the full number of attempts; false if there is none with this id.
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
