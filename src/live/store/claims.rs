//! Which server holds which seat: taken with a higher fence each time, so that what a former holder still writes is
//! refused; and the leases by which servers know each other to be alive.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::time::moment::Moment;
use entities::{seat, server};
use sea_orm::sea_query::{Expr, ExprTrait, LockBehavior, LockType, OnConflict, Query, SelectStatement};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::ROWS_PER_STATEMENT;
use crate::database::{Database, bound_stalls};

/// Rows of servers that ended long ago are removed after this time.
const FORGET_SERVERS_MILLISECONDS: i64 = 60 * 60 * 1_000;

/// By what right a seat writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hold {
    /// The attempt.
    pub session_id: Uuid,
    /// Of the time when it was taken; a higher one in the store means that it was taken since.
    pub fence: i64,
    /// Orders of proctors that the seat knows.
    pub orders: i64,
}

/// Why a seat is wanted; of several wishes for one the last of these counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimMode {
    /// Only when no other living server has it.
    Vacant,
    /// Whoever has it does not answer.
    Forced,
    /// A student's socket wants it, whoever has it.
    Socket,
}

/// What came of a wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// It is held here from now on.
    Held(Hold),
    /// It stays with this server.
    Elsewhere(Uuid),
    /// Someone is writing for it at this moment: it is to be asked for again.
    Busy,
    /// Nobody can hold it: the attempt has ended, or there is none.
    Ended,
}

/// Takes seats for this server, all in one transaction. When this returns, whatever a former holder had under way is
/// committed or refused. Several wishes for one seat are one take.
///
/// # Errors
/// When the store is unavailable.
pub async fn take(
    database: &Database,
    server: Uuid,
    wishes: &[(Uuid, ClaimMode)],
    now: Moment,
) -> Result<HashMap<Uuid, ClaimOutcome>, DbErr> {
    let transaction = database.begin().await?;
    bound_stalls(&transaction).await?;
    let wishes = strongest(wishes);
    let ids: Vec<Uuid> = wishes.keys().copied().collect();
    let living = find_living_in(&transaction, now).await?;
    let mut taken: HashMap<Uuid, ClaimOutcome> = ids.iter().map(|id| (*id, ClaimOutcome::Ended)).collect();
    taken.extend(find_lasting(&transaction, &ids).await?.into_iter().map(|id| (id, ClaimOutcome::Busy)));
    let (mut by_socket, mut otherwise) = (Vec::new(), Vec::new());
    for row in lock_free(&transaction, &ids).await? {
        let wish = wishes.get(&row.session_id).copied().unwrap_or(ClaimMode::Vacant);
        let other =
            row.server.filter(|holder| *holder != server && living.contains(holder) && wish == ClaimMode::Vacant);
        let became = other.map_or(
            ClaimOutcome::Held(Hold { session_id: row.session_id, fence: row.fence + 1, orders: row.orders }),
            ClaimOutcome::Elsewhere,
        );
        taken.insert(row.session_id, became);
        match (became, wish) {
            (ClaimOutcome::Held(_), ClaimMode::Socket) => by_socket.push(row.session_id),
            (ClaimOutcome::Held(_), _) => otherwise.push(row.session_id),
            _ => {}
        }
    }
    set_holder(&transaction, server, by_socket, true).await?;
    set_holder(&transaction, server, otherwise, false).await?;
    transaction.commit().await?;
    Ok(taken)
}

fn strongest(wishes: &[(Uuid, ClaimMode)]) -> BTreeMap<Uuid, ClaimMode> {
    let mut strongest = BTreeMap::new();
    for (session_id, wish) in wishes {
        let one: &mut ClaimMode = strongest.entry(*session_id).or_insert(*wish);
        *one = Ord::max(*one, *wish);
    }
    strongest
}

async fn find_lasting(transaction: &DatabaseTransaction, ids: &[Uuid]) -> Result<Vec<Uuid>, DbErr> {
    let mut found = Vec::with_capacity(ids.len());
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let of_them = seat::Entity::find()
            .select_only()
            .column(seat::Column::SessionId)
            .filter(seat::Column::SessionId.is_in(ids.iter().copied()));
        found.extend(of_them.into_tuple::<Uuid>().all(transaction).await?);
    }
    Ok(found)
}

/// The rows of these seats that nobody else has locked: one that a stopped server has locked holds up no other.
async fn lock_free(transaction: &DatabaseTransaction, ids: &[Uuid]) -> Result<Vec<seat::Model>, DbErr> {
    let mut rows = Vec::with_capacity(ids.len());
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let of_them = seat::Entity::find()
            .filter(seat::Column::SessionId.is_in(ids.iter().copied()))
            .order_by_asc(seat::Column::SessionId);
        rows.extend(of_them.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked).all(transaction).await?);
    }
    Ok(rows)
}

async fn set_holder(
    transaction: &DatabaseTransaction,
    server: Uuid,
    sessions: Vec<Uuid>,
    by_socket: bool,
) -> Result<(), DbErr> {
    use seat::Column;
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        seat::Entity::update_many()
            .col_expr(Column::Server, Expr::value(server))
            .col_expr(Column::Fence, Expr::col(Column::Fence).add(1))
            .col_expr(Column::OrdersTaken, Expr::col(Column::Orders))
            .col_expr(Column::BySocket, Expr::value(by_socket))
            .filter(Column::SessionId.is_in(sessions.iter().copied()))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

/// The rows of these seats, locked until the transaction ends; always in one order, so that nobody waits in a circle.
pub(super) async fn lock(
    transaction: &DatabaseTransaction,
    sorted_ids: &[Uuid],
    lock: LockType,
) -> Result<Vec<seat::Model>, DbErr> {
    let mut rows = Vec::with_capacity(sorted_ids.len());
    for ids in sorted_ids.chunks(ROWS_PER_STATEMENT) {
        let of_them = seat::Entity::find().filter(seat::Column::SessionId.is_in(ids.iter().copied()));
        rows.extend(of_them.order_by_asc(seat::Column::SessionId).lock(lock).all(transaction).await?);
    }
    Ok(rows)
}

/// New seats, held by this server from the start.
pub(super) async fn insert(connection: &impl ConnectionTrait, server: Uuid, sessions: &[Uuid]) -> Result<(), DbErr> {
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        let row = |session_id: &Uuid| seat::ActiveModel {
            session_id: Set(*session_id),
            server: Set(Some(server)),
            fence: Set(FIRST_FENCE),
            orders: Set(0),
            orders_taken: Set(0),
            notices_told: Set(0),
            by_socket: Set(false),
        };
        // A batch that is tried again may have been stored at the first try.
        let again = OnConflict::new().do_nothing().to_owned();
        seat::Entity::insert_many(sessions.iter().map(row))
            .on_conflict(again)
            .exec_without_returning(connection)
            .await?;
    }
    Ok(())
}

/// The fence of a seat that has just begun.
pub const FIRST_FENCE: i64 = 1;

/// The seats of attempts that end.
pub(super) async fn remove(connection: &impl ConnectionTrait, sessions: &[Uuid]) -> Result<(), DbErr> {
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        seat::Entity::delete_many()
            .filter(seat::Column::SessionId.is_in(sessions.iter().copied()))
            .exec(connection)
            .await?;
    }
    Ok(())
}

/// The fences of all seats that this server holds.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_held(database: &Database, server: Uuid) -> Result<HashMap<Uuid, i64>, DbErr> {
    use seat::Column;
    let query = seat::Entity::find()
        .select_only()
        .columns([Column::SessionId, Column::Fence])
        .filter(Column::Server.eq(server));
    Ok(query.into_tuple::<(Uuid, i64)>().all(&database.read).await?.into_iter().collect())
}

/// Who holds a seat, and why.
#[derive(Clone, Copy, Debug)]
pub struct SeatHolder {
    /// The server.
    pub server: Option<Uuid>,
    /// Of its hold.
    pub fence: i64,
    /// Whether a student's socket was the reason.
    pub by_socket: bool,
}

/// Who holds the seat; `None` when the attempt has ended.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_holder(database: &Database, session_id: Uuid) -> Result<Option<SeatHolder>, DbErr> {
    let row = seat::Entity::find_by_id(session_id).one(&database.read).await?;
    Ok(row.map(|row| SeatHolder { server: row.server, fence: row.fence, by_socket: row.by_socket }))
}

/// Tells the other servers that this one lives until then.
///
/// # Errors
/// When the store is unavailable.
pub async fn renew_lease(database: &Database, server: Uuid, until: Moment) -> Result<(), DbErr> {
    use server::Column;
    let row = server::ActiveModel { id: Set(server), lease_until_ms: Set(until.milliseconds()) };
    let again = OnConflict::column(Column::Id).update_column(Column::LeaseUntilMs).to_owned();
    server::Entity::insert(row).on_conflict(again).exec_without_returning(&database.write).await?;
    let long_ago = Column::LeaseUntilMs.lt(until.plus(-FORGET_SERVERS_MILLISECONDS).milliseconds());
    server::Entity::delete_many().filter(long_ago).exec(&database.write).await.map(|_| ())
}

/// This server ends: others may take its seats at once.
///
/// # Errors
/// When the store is unavailable.
pub async fn release_lease(database: &Database, server: Uuid) -> Result<(), DbErr> {
    server::Entity::delete_by_id(server).exec(&database.write).await.map(|_| ())
}

/// The servers that live.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_living(database: &Database, now: Moment) -> Result<HashSet<Uuid>, DbErr> {
    find_living_in(&database.read, now).await
}

async fn find_living_in(connection: &impl ConnectionTrait, now: Moment) -> Result<HashSet<Uuid>, DbErr> {
    use server::Column;
    let query =
        server::Entity::find().select_only().column(Column::Id).filter(Column::LeaseUntilMs.gt(now.milliseconds()));
    Ok(query.into_tuple::<Uuid>().all(connection).await?.into_iter().collect())
}

/// The seats that this server may take without asking anyone: its own, and those that no living server holds.
pub(super) fn vacant_for(server: Uuid, now: Moment) -> SelectStatement {
    let living = Query::select()
        .column(server::Column::Id)
        .from(server::Entity)
        .and_where(server::Column::LeaseUntilMs.gt(now.milliseconds()))
        .to_owned();
    let is_vacant = Condition::any()
        .add(seat::Column::Server.is_null())
        .add(seat::Column::Server.eq(server))
        .add(seat::Column::Server.not_in_subquery(living));
    Query::select().column(seat::Column::SessionId).from(seat::Entity).cond_where(is_vacant).to_owned()
}
