//! Orders of proctors as servers find them for their seats, and notices that wait for their students.

use std::collections::{BTreeMap, HashMap};

use domain::order::standing::Standing;
use entities::{attempt, attempt_event, seat};
use sea_orm::sea_query::{Expr, ExprTrait, LockType};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder, QuerySelect,
    Value,
};
use uuid::Uuid;

use super::apply::{LASTING_COLUMNS, Lasting, update_from};
use crate::database::{Database, bound_stalls};
use crate::live::store::ROWS_PER_STATEMENT;

/// Seats with orders that are found at once; more are found at the next look.
const ORDERED_AT_ONCE: u64 = 20_000;
/// Notices that wait for one student; of more the last ones are told.
pub const NOTICES_WAITING_MAX: usize = 50;
/// Notices that are read at once.
const NOTICES_AT_ONCE: u64 = 30_000;
/// What a notice is called among the events.
const NOTICE: &str = "notice";

/// A notice that a student has not been told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Rises from notice to notice.
    pub id: i64,
    /// 1 to 500 characters.
    pub text: String,
    /// E-mail of the proctor.
    pub from: String,
}

/// All that proctors have ordered for one seat.
#[derive(Clone, Debug)]
pub struct PendingOrders {
    /// How many there were.
    pub number: i64,
    /// Where they leave the attempt.
    pub standing: Standing,
    /// Those not told, in order.
    pub notices: Vec<Notice>,
}

/// The seats of this server with orders that it has not taken notice of; at most 20,000.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_ordered(database: &Database, server: Uuid) -> Result<Vec<(Uuid, PendingOrders)>, DbErr> {
    use seat::Column;
    #[derive(FromQueryResult)]
    struct Row {
        orders: i64,
        #[sea_orm(nested)]
        lasting: Lasting,
    }
    let is_news = Expr::col((seat::Entity, Column::Orders)).ne(Expr::col((seat::Entity, Column::OrdersTaken)));
    let rows: Vec<Row> = attempt::Entity::find()
        .select_only()
        .columns(LASTING_COLUMNS)
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
    let orders = |Row { orders, lasting }: Row| {
        let session_id = lasting.session_id;
        (
            session_id,
            PendingOrders {
                number: orders,
                standing: lasting.standing(),
                notices: notices.remove(&session_id).unwrap_or_default(),
            },
        )
    };
    Ok(rows.into_iter().map(orders).collect())
}

/// Notices that the students of these sessions have not been told, in order.
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

/// These seats have been given all orders up to these numbers.
///
/// # Errors
/// When the store is unavailable.
pub async fn mark_taken(database: &Database, taken: &mut [(Uuid, i64)]) -> Result<(), DbErr> {
    const SET: &str = "UPDATE seats SET orders_taken = new.column2";
    let transaction = database.begin().await?;
    bound_stalls(&transaction).await?;
    // In one order, so that nobody waits in a circle.
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
        update_from(
            &transaction,
            SET,
            "seats.session_id = new.column1 AND seats.orders_taken < new.column2",
            taken.iter().map(values),
        )
        .await?;
    }
    transaction.commit().await
}

/// Students have been told all notices up to these. Their seats are locked.
pub(in crate::live::store) async fn set_notices_told(
    connection: &impl ConnectionTrait,
    told: &BTreeMap<Uuid, i64>,
) -> Result<(), DbErr> {
    const SET: &str = "UPDATE seats SET notices_told = new.column2";
    let told: Vec<(&Uuid, &i64)> = told.iter().collect();
    for told in told.chunks(ROWS_PER_STATEMENT) {
        let values = |(session_id, id): &(&Uuid, &i64)| -> [Value; 2] { [(**session_id).into(), (**id).into()] };
        update_from(
            connection,
            SET,
            "seats.session_id = new.column1 AND seats.notices_told < new.column2",
            told.iter().map(values),
        )
        .await?;
    }
    Ok(())
}
