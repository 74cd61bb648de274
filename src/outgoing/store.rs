//! The outbox in the database: which deliveries are pending, delivered and failed.

use std::collections::HashSet;

use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use entities::delivery;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, Statement, Value,
};
use uuid::Uuid;

use crate::database::Database;
use crate::outgoing::hosts::{AcceptingHost, DeliveryRoom};
use crate::store::lti_scores::SCORE_EVENTS;
use crate::store::many_rows;

/// How long a claimed delivery is left alone. An attempt takes less, so after this time its server must have died.
const CLAIM_MILLISECONDS: i64 = 60_000;
/// Rows of one statement. A row has 10 values, and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;
const DAY_MILLISECONDS: i64 = 86_400_000;
/// True of a delivery that nobody has claimed since it was read.
const UNCLAIMED: &str = "deliveries.id = new.column1 AND deliveries.attempts = new.column2 \
    AND deliveries.next_attempt_at_ms = new.column3 AND deliveries.status = 'pending'";

/// A row of the outbox.
pub type Delivery = delivery::Model;

/// A delivery to store with the session that it is about.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    pub id: Uuid,
    pub session_id: Uuid,
    /// By which its kind is known.
    pub event: &'static str,
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
    /// Why the attempt failed; `None` if the receiver has accepted the delivery.
    pub error: Option<String>,
    /// When to try again; `None` if there are no more attempts.
    pub next_attempt_at: Option<Moment>,
}

impl Attempted {
    pub const fn is_delivered(&self) -> bool {
        self.error.is_none()
    }

    const fn delivery_status(&self) -> DeliveryStatus {
        match self.next_attempt_at {
            _ if self.is_delivered() => DeliveryStatus::Delivered,
            Some(_) => DeliveryStatus::Pending,
            None => DeliveryStatus::Failed,
        }
    }
}

/// Stores deliveries of the first versions of sessions. A session that has one of the same event already keeps it.
pub async fn insert(connection: &impl ConnectionTrait, deliveries: &[&NewDelivery]) -> Result<(), DbErr> {
    const INTO: &str = "INSERT INTO deliveries (id, session_id, url, host, status, last_error, next_attempt_at_ms, \
        created_at_ms, attempts, event) VALUES";
    // A batch that is repeated may contain the end of a test that is stored already.
    const UNLESS_TOLD: &str = "ON CONFLICT (session_id, event, version) DO NOTHING";
    let values = |new: &&NewDelivery| -> [Value; 10] {
        let created_at = new.created_at.milliseconds();
        [
            new.id.into(),
            new.session_id.into(),
            new.url.clone().into(),
            new.host.clone().into(),
            new.status.name().into(),
            new.last_error.clone().into(),
            (new.status == DeliveryStatus::Pending).then_some(created_at).into(),
            created_at.into(),
            0.into(),
            new.event.into(),
        ]
    };
    for deliveries in deliveries.chunks(ROWS_PER_STATEMENT) {
        let text = format!("{INTO} {} {UNLESS_TOLD}", many_rows::places::<10>(deliveries.len()));
        let values = deliveries.iter().flat_map(values);
        let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
        connection.execute_raw(statement).await?;
    }
    Ok(())
}

/// Leaves deliveries alone until then, without an attempt.
pub async fn postpone(database: &Database, due: &[&Delivery], until: Moment) -> Result<(), DbErr> {
    const SET: &str = "UPDATE deliveries SET next_attempt_at_ms = new.column4";
    if due.is_empty() {
        return Ok(());
    }
    let values = |due: &&Delivery| -> [Value; 4] {
        [due.id.into(), due.attempts.into(), due.next_attempt_at_ms.into(), until.milliseconds().into()]
    };
    many_rows::update(&database.write, SET, UNCLAIMED, due.iter().map(values)).await
}

/// Deliveries that are due and for whose hosts there is room, the longest waiting first. Hosts without room are left
/// out, or their deliveries could fill the answer.
pub async fn find_due(database: &Database, now: Moment, room: &DeliveryRoom) -> Result<Vec<Delivery>, DbErr> {
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

/// Hosts that have accepted a delivery since then, at most `count`: those that did so on the most days first, and not
/// the latest, which anyone can invent.
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

/// Claims deliveries for one attempt each and counts the attempts. The update applies only to rows as they were read,
/// so of several servers one succeeds. Returns those that are claimed.
pub async fn claim(database: &Database, due: &[&Delivery], now: Moment) -> Result<HashSet<Uuid>, DbErr> {
    const SET: &str = "UPDATE deliveries SET attempts = new.column2 + 1, next_attempt_at_ms = new.column4";
    if due.is_empty() {
        return Ok(HashSet::new());
    }
    let until = now.plus(CLAIM_MILLISECONDS).milliseconds();
    let values = |due: &&Delivery| -> [Value; 4] {
        [due.id.into(), due.attempts.into(), due.next_attempt_at_ms.into(), until.into()]
    };
    let matching = format!("{UNCLAIMED} RETURNING id");
    let backend = database.write.get_database_backend();
    let statement = many_rows::statement(backend, SET, &matching, due.iter().map(values));
    let rows = database.write.query_all_raw(statement).await?;
    rows.iter().map(|row| row.try_get::<Uuid>("", "id")).collect()
}

/// An attempt that has ended, with the delivery as it was before.
#[derive(Clone, Debug)]
pub struct EndedAttempt {
    pub due: Delivery,
    pub attempted: Attempted,
}

/// Records how attempts ended.
pub async fn finish(transaction: &DatabaseTransaction, ended: &[EndedAttempt], now: Moment) -> Result<(), DbErr> {
    const SET: &str = "UPDATE deliveries SET status = new.column3, last_status = new.column4, last_error = new.column5, \
        next_attempt_at_ms = new.column6, delivered_at_ms = new.column7";
    // Only the attempt that was claimed last may record its end: one that took too long has been superseded.
    const OF_THIS_ATTEMPT: &str = "deliveries.id = new.column1 AND deliveries.attempts = new.column2";
    let values = |EndedAttempt { due, attempted }: &EndedAttempt| -> [Value; 7] {
        let last_status = attempted.status.and_then(|status| i16::try_from(status).ok());
        [
            due.id.into(),
            (due.attempts + 1).into(),
            attempted.delivery_status().name().into(),
            last_status.into(),
            attempted.error.clone().into(),
            attempted.next_attempt_at.map(Moment::milliseconds).into(),
            attempted.is_delivered().then(|| now.milliseconds()).into(),
        ]
    };
    many_rows::update(transaction, SET, OF_THIS_ATTEMPT, ended.iter().map(values)).await
}

/// One page of webhooks, the newest first, and the total number. Scores have a list of their own.
pub async fn find_page(
    database: &Database,
    status: Option<DeliveryStatus>,
    page: u64,
    per_page: u64,
) -> Result<(Vec<Delivery>, u64), DbErr> {
    let query = delivery::Entity::find().filter(delivery::Column::Event.is_not_in(SCORE_EVENTS));
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

/// Queues a webhook again, with the full number of attempts; false if there is none with this id.
pub async fn replay(database: &Database, id: Uuid, host: impl Fn(&str) -> String, now: Moment) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    let webhook = delivery::Entity::find_by_id(id).filter(delivery::Column::Event.is_not_in(SCORE_EVENTS));
    let Some(known) = webhook.one(&transaction).await? else { return Ok(false) };
    let queued = delivery::ActiveModel {
        id: Set(id),
        // The policy may have changed since, so the target may be possible now.
        host: Set(host(&known.url)),
        status: Set(DeliveryStatus::Pending.name().to_owned()),
        attempts: Set(0),
        next_attempt_at_ms: Set(Some(now.milliseconds())),
        ..Default::default()
    };
    delivery::Entity::update_many().set(queued).filter(delivery::Column::Id.eq(id)).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(true)
}
