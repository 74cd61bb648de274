//! Finds proctors' orders for the seats of a server, and the notices that wait for students.

use std::collections::{BTreeMap, HashMap};

use domain::order::standing::Standing;
use entities::{attempt, attempt_event, seat};
use sea_orm::sea_query::{Expr, ExprTrait, LockType};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder, QuerySelect,
    Value,
};
use uuid::Uuid;

use super::devices;
use super::sessions::Lasting;
use crate::database::{Database, bound_stalls};
use crate::live::store::ROWS_PER_STATEMENT;
use crate::store::many_rows;

/// Seats with new orders that one search returns: twice the ten thousand of a large server. The next search finds the
/// rest.
const ORDERED_AT_ONCE: u64 = 20_000;
/// Notices that wait for one student. Of more, only the newest are delivered, because nobody reads fifty at once.
pub const NOTICES_WAITING_MAX: usize = 50;
/// Notices that one statement reads.
const NOTICES_AT_ONCE: u64 = 30_000;
/// The kind of an event that is a notice.
const NOTICE: &str = "notice";

/// A notice that has not been delivered to its student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Later notices have higher ids.
    pub id: i64,
    /// 1 to 500 characters.
    pub text: String,
    /// The proctor's e-mail address.
    pub from: String,
}

/// All orders of proctors for one seat, taken together.
#[derive(Clone, Debug)]
pub struct PendingOrders {
    /// The number of orders so far.
    pub number: i64,
    /// The state in which the orders leave the attempt.
    pub standing: Standing,
    /// The notices that have not been delivered, in order.
    pub notices: Vec<Notice>,
    /// The event of the last order that has ended devices; 0 if there was none.
    pub devices_ended: i64,
}

/// Finds the seats of this server that have new orders: at most 20,000.
pub async fn find_ordered(database: &Database, server: Uuid) -> Result<Vec<(Uuid, PendingOrders)>, DbErr> {
    use seat::Column;
    #[derive(FromQueryResult)]
    struct Row {
        orders: i64,
        #[sea_orm(nested)]
        lasting: Lasting,
    }
    let is_news = Expr::col((seat::Entity, Column::Orders)).ne(Expr::col((seat::Entity, Column::OrdersTaken)));
    let rows: Vec<Row> = Lasting::select(attempt::Entity::find())
        .column(Column::Orders)
        .join(
            JoinType::InnerJoin,
            attempt::Entity::belongs_to(seat::Entity).from(attempt::Column::SessionId).to(Column::SessionId).into(),
        )
        .filter(Column::Server.eq(server))
        .filter(is_news)
        .limit(ORDERED_AT_ONCE)
        .into_model()
        .all(&database.read)
        .await?;
    let sessions: Vec<Uuid> = rows.iter().map(|row| row.lasting.session_id).collect();
    let mut notices = find_notices(database, &sessions).await?;
    let devices_ended = devices::find_ended(database, &sessions).await?;
    let orders = |Row { orders, lasting }: Row| {
        let session_id = lasting.session_id;
        (
            session_id,
            PendingOrders {
                number: orders,
                standing: lasting.standing(),
                notices: notices.remove(&session_id).unwrap_or_default(),
                devices_ended: devices_ended.get(&session_id).copied().unwrap_or_default(),
            },
        )
    };
    Ok(rows.into_iter().map(orders).collect())
}

/// Finds the notices that have not been delivered to the students of these sessions, in order.
pub(in crate::live::store) async fn find_notices(
    database: &Database,
    sessions: &[Uuid],
) -> Result<HashMap<Uuid, Vec<Notice>>, DbErr> {
    use attempt_event::{Column, Entity};
    let is_untold = Expr::col((Entity, Column::Id)).gt(Expr::col((seat::Entity, seat::Column::NoticesTold)));
    let mut found: HashMap<Uuid, Vec<Notice>> = HashMap::new();
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        let events = Entity::find()
            .join(
                JoinType::InnerJoin,
                Entity::belongs_to(seat::Entity).from(Column::SessionId).to(seat::Column::SessionId).into(),
            )
            .filter(Column::SessionId.is_in(sessions.iter().copied()))
            .filter(Column::Kind.eq(NOTICE))
            .filter(is_untold.clone())
            .order_by_desc(Column::Id)
            .limit(NOTICES_AT_ONCE);
        for event in events.all(&database.read).await? {
            let waiting = found.entry(event.session_id).or_default();
            if waiting.len() < NOTICES_WAITING_MAX {
                waiting.push(Notice { id: event.id, text: event.detail, from: event.by });
            }
        }
    }
    found.values_mut().for_each(|waiting| waiting.reverse());
    Ok(found)
}

/// Notes that these seats know all orders up to these numbers.
pub async fn mark_taken(database: &Database, taken: &mut [(Uuid, i64)]) -> Result<(), DbErr> {
    const SET: &str = "UPDATE seats SET orders_taken = new.column2";
    let transaction = database.begin().await?;
    bound_stalls(&transaction).await?;
    // Transactions that lock rows in the same order cannot deadlock.
    taken.sort_unstable();
    for taken in taken.chunks(ROWS_PER_STATEMENT) {
        let query = seat::Entity::find().select_only().column(seat::Column::SessionId);
        let query = query.filter(seat::Column::SessionId.is_in(taken.iter().map(|(session_id, _)| *session_id)));
        query
            .order_by_asc(seat::Column::SessionId)
            .lock(LockType::NoKeyUpdate)
            .into_tuple::<Uuid>()
            .all(&transaction)
            .await?;
        let values = |(session_id, number): &(Uuid, i64)| -> [Value; 2] { [(*session_id).into(), (*number).into()] };
        many_rows::update(
            &transaction,
            SET,
            "seats.session_id = new.column1 AND seats.orders_taken < new.column2",
            taken.iter().map(values),
        )
        .await?;
    }
    transaction.commit().await
}

/// Notes that all notices up to these have been delivered. The caller has locked the seats.
pub(in crate::live::store) async fn set_notices_told(
    connection: &impl ConnectionTrait,
    told: &BTreeMap<Uuid, i64>,
) -> Result<(), DbErr> {
    const SET: &str = "UPDATE seats SET notices_told = new.column2";
    let told: Vec<(&Uuid, &i64)> = told.iter().collect();
    for told in told.chunks(ROWS_PER_STATEMENT) {
        let values = |(session_id, id): &(&Uuid, &i64)| -> [Value; 2] { [(**session_id).into(), (**id).into()] };
        many_rows::update(
            connection,
            SET,
            "seats.session_id = new.column1 AND seats.notices_told < new.column2",
            told.iter().map(values),
        )
        .await?;
    }
    Ok(())
}
