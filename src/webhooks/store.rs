//! The outbox in the database: which deliveries are pending, delivered and failed.

use std::collections::{BTreeSet, HashSet};

use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use entities::{attempt, delivery};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Statement, Value,
};
use uuid::Uuid;

use crate::database::Database;
use crate::outgoing::hosts::{AcceptingHost, DeliveryRoom};
use crate::store::{many_rows, sessions, transfers};

/// How long a claimed delivery is left alone. An attempt takes less, so after this time its server must have died.
const CLAIM_MILLISECONDS: i64 = 60_000;
/// Rows of one statement. A row has 10 values, and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;
/// Links of running attempts whose hosts are expected to answer. Each student may have one of their own.
const AWAITED_LINKS_MAX: u64 = 2_000;
const DAY_MILLISECONDS: i64 = 86_400_000;
/// A delivery as it was read: nobody has claimed it since.
const UNCLAIMED: &str = "deliveries.id = new.column1 AND deliveries.attempts = new.column2 \
    AND deliveries.next_attempt_at_ms = new.column3 AND deliveries.status = 'pending'";
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

impl Attempted {
    const fn is_delivered(&self) -> bool {
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

/// Stores deliveries. A session that has one already keeps it.
pub async fn insert(connection: &impl ConnectionTrait, deliveries: &[&NewDelivery]) -> Result<(), DbErr> {
    const INTO: &str = "INSERT INTO deliveries (id, session_id, url, host, status, last_error, next_attempt_at_ms, \
        created_at_ms, attempts, event) VALUES";
    const UNLESS_TOLD: &str = "ON CONFLICT (session_id, event) DO NOTHING";
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
            TEST_COMPLETED.into(),
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

/// Of these, the events whose earlier event of the same test is still to be delivered.
pub async fn find_too_early(database: &Database, due: &[delivery::Model]) -> Result<HashSet<Uuid>, DbErr> {
    let released: Vec<&delivery::Model> = due.iter().filter(|due| due.event == RESULT_RELEASED).collect();
    if released.is_empty() {
        return Ok(HashSet::new());
    }
    let of_them = delivery::Column::SessionId.is_in(released.iter().map(|due| due.session_id));
    let pending = delivery::Column::Status.eq(DeliveryStatus::Pending.name());
    let query = delivery::Entity::find().select_only().column(delivery::Column::SessionId).filter(of_them);
    let query = query.filter(delivery::Column::Event.eq(TEST_COMPLETED)).filter(pending);
    let earlier: HashSet<Uuid> = query.into_tuple::<Uuid>().all(&database.read).await?.into_iter().collect();
    Ok(released.into_iter().filter(|due| earlier.contains(&due.session_id)).map(|due| due.id).collect())
}

/// Leaves deliveries alone until then, without an attempt.
pub async fn postpone(database: &Database, due: &[&delivery::Model], until: Moment) -> Result<(), DbErr> {
    const SET: &str = "UPDATE deliveries SET next_attempt_at_ms = new.column4";
    if due.is_empty() {
        return Ok(());
    }
    let values = |due: &&delivery::Model| -> [Value; 4] {
        [due.id.into(), due.attempts.into(), due.next_attempt_at_ms.into(), until.milliseconds().into()]
    };
    many_rows::update(&database.write, SET, UNCLAIMED, due.iter().map(values)).await
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

/// Claims deliveries for one attempt each and counts the attempts. The update applies only to rows as they were read,
/// so of several servers one succeeds. Returns those that are claimed.
pub async fn claim(database: &Database, due: &[&delivery::Model], now: Moment) -> Result<HashSet<Uuid>, DbErr> {
    const SET: &str = "UPDATE deliveries SET attempts = new.column2 + 1, next_attempt_at_ms = new.column4";
    if due.is_empty() {
        return Ok(HashSet::new());
    }
    let until = now.plus(CLAIM_MILLISECONDS).milliseconds();
    let values = |due: &&delivery::Model| -> [Value; 4] {
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
    pub due: delivery::Model,
    pub attempted: Attempted,
}

/// Records how attempts ended. The sessions of events that receivers have accepted are marked as sent, and are queued
/// for the external data provider again if there is one.
pub async fn finish(
    database: &Database,
    ended: &[EndedAttempt],
    now: Moment,
    sends_sessions: bool,
) -> Result<(), DbErr> {
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
    let transaction = database.begin().await?;
    many_rows::update(&transaction, SET, OF_THIS_ATTEMPT, ended.iter().map(values)).await?;
    let delivered = ended.iter().filter(|one| one.attempted.is_delivered()).map(|one| one.due.session_id);
    let delivered: BTreeSet<Uuid> = delivered.collect();
    sessions::set_webhook_sent(&transaction, &delivered).await?;
    if sends_sessions {
        for session_id in delivered {
            transfers::renew(&transaction, session_id).await?;
        }
    }
    transaction.commit().await
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
    let transaction = database.begin().await?;
    let Some(known) = delivery::Entity::find_by_id(id).one(&transaction).await? else { return Ok(false) };
    let queued = delivery::ActiveModel {
        id: Set(id),
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
