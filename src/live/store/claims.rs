//! Which server holds which seat, and which servers are alive.
//!
//! Each claim raises the fence of a seat, so that anything its former holder still writes is refused. Leases show
//! servers which other ones are alive (`docs/decisions/0015-leases-and-rooms.md`).

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::time::moment::Moment;
use entities::{seat, server};
use sea_orm::sea_query::{Expr, ExprTrait, LockBehavior, LockType, OnConflict, Query, SelectStatement};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, Value,
};
use uuid::Uuid;

use super::ROWS_PER_STATEMENT;
use crate::database::{Database, bound_stalls};
use crate::store::many_rows;

/// How long after its lease the row of a server is removed. A lease lasts seconds, so nothing needs an older row.
const FORGET_SERVERS_MILLISECONDS: i64 = 60 * 60 * 1_000;

/// The right of a seat to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hold {
    pub session_id: Uuid,
    /// The seat's fence when it was claimed. A higher one in the database means that the seat has been claimed since.
    pub fence: i64,
    /// The number of proctors' orders that the seat knows.
    pub orders: i64,
}

/// Why a server claims a seat. Of several claims of one seat, the one that comes last in this list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimMode {
    /// Claims the seat only when no other living server holds it.
    Vacant,
    /// Claims the seat because its holder does not answer.
    Forced,
    /// Claims the seat from any holder, because a student's socket needs it.
    Socket,
}

/// The result of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// This server holds the seat from now on.
    Held(Hold),
    /// Another server keeps the seat.
    Elsewhere(Uuid),
    /// Another server is writing for the seat at this moment. The claim must be repeated.
    Busy,
    /// The attempt has ended or does not exist, so nobody can hold its seat.
    Ended,
}

/// Claims seats for this server, all in one transaction. When this returns, every write that a former holder had in
/// progress is committed or will be refused. Several claims of one seat count as one.
pub async fn claim_seats(
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
    // Each step corrects the one before: an attempt without a seat has ended, and a seat that cannot be locked is busy.
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

/// Locks the rows of these seats and skips rows that are locked already, so that a seat that a stopped server has
/// locked holds up no other.
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
            // The socket that there was is gone with the former seat.
            .col_expr(Column::IsAtWork, Expr::value(false))
            .filter(Column::SessionId.is_in(sessions.iter().copied()))
            .exec(transaction)
            .await?;
    }
    Ok(())
}

/// Locks the rows of these seats until the transaction ends. The ids must be sorted: transactions that lock in the same
/// order cannot deadlock.
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

/// Notes at which devices students work: the hash of the token of each, and whether it still is. The caller has locked
/// the seats.
pub(super) async fn set_devices(
    connection: &impl ConnectionTrait,
    devices: BTreeMap<Uuid, ([u8; 32], bool)>,
) -> Result<(), DbErr> {
    const SET: &str = "UPDATE seats SET device = new.column2, is_connected = new.column3";
    let devices: Vec<_> = devices.into_iter().collect();
    for devices in devices.chunks(ROWS_PER_STATEMENT) {
        let values = |(session_id, (token_hash, is_at_work)): &(Uuid, ([u8; 32], bool))| -> [Value; 3] {
            [(*session_id).into(), token_hash.to_vec().into(), (*is_at_work).into()]
        };
        many_rows::update(connection, SET, "seats.session_id = new.column1", devices.iter().map(values)).await?;
    }
    Ok(())
}

/// Inserts new seats, which this server holds from the start.
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
            device: Set(None),
            is_at_work: Set(false),
        };
        // A batch that is repeated may have been stored by the first attempt.
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

/// Removes the seats of attempts that end.
pub(super) async fn remove(connection: &impl ConnectionTrait, sessions: &[Uuid]) -> Result<(), DbErr> {
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        seat::Entity::delete_many()
            .filter(seat::Column::SessionId.is_in(sessions.iter().copied()))
            .exec(connection)
            .await?;
    }
    Ok(())
}

/// Returns the fences of all seats that this server holds.
pub async fn find_held(database: &Database, server: Uuid) -> Result<HashMap<Uuid, i64>, DbErr> {
    use seat::Column;
    let query = seat::Entity::find()
        .select_only()
        .columns([Column::SessionId, Column::Fence])
        .filter(Column::Server.eq(server));
    Ok(query.into_tuple::<(Uuid, i64)>().all(&database.read).await?.into_iter().collect())
}

/// The holder of a seat.
#[derive(Clone, Copy, Debug)]
pub struct SeatHolder {
    pub server: Option<Uuid>,
    /// The fence of the holder's claim.
    pub fence: i64,
    /// Whether a student's socket was the reason for the claim.
    pub by_socket: bool,
}

/// Finds the holder of a seat. `None` when the attempt has ended.
pub async fn find_holder(database: &Database, session_id: Uuid) -> Result<Option<SeatHolder>, DbErr> {
    Ok(find_holders(database, &[session_id]).await?.remove(&session_id))
}

/// The same for many seats. An attempt that has ended is left out.
pub async fn find_holders(database: &Database, ids: &[Uuid]) -> Result<HashMap<Uuid, SeatHolder>, DbErr> {
    // Filled up to a power of two by the last one again: each length would be another statement to prepare.
    let again = ids.last().into_iter().cycle().take(ids.len().next_power_of_two() - ids.len());
    let ids: Vec<Uuid> = ids.iter().chain(again).copied().collect();
    let rows = seat::Entity::find().filter(seat::Column::SessionId.is_in(ids)).all(&database.read).await?;
    let holder = |row: &seat::Model| SeatHolder { server: row.server, fence: row.fence, by_socket: row.by_socket };
    Ok(rows.iter().map(|row| (row.session_id, holder(row))).collect())
}

/// Tells the other servers that this one is alive until then.
pub async fn renew_lease(database: &Database, server: Uuid, until: Moment) -> Result<(), DbErr> {
    use server::Column;
    let row = server::ActiveModel { id: Set(server), lease_until_ms: Set(until.milliseconds()) };
    let again = OnConflict::column(Column::Id).update_column(Column::LeaseUntilMs).to_owned();
    server::Entity::insert(row).on_conflict(again).exec_without_returning(&database.write).await?;
    let long_ago = Column::LeaseUntilMs.lt(until.plus(-FORGET_SERVERS_MILLISECONDS).milliseconds());
    server::Entity::delete_many().filter(long_ago).exec(&database.write).await.map(|_| ())
}

/// Ends this server's lease, so that others may claim its seats at once.
pub async fn release_lease(database: &Database, server: Uuid) -> Result<(), DbErr> {
    server::Entity::delete_by_id(server).exec(&database.write).await.map(|_| ())
}

/// Returns the servers that are alive.
pub async fn find_living(database: &Database, now: Moment) -> Result<HashSet<Uuid>, DbErr> {
    find_living_in(&database.read, now).await
}

/// Whether the server that last claimed a seat is alive; nobody is while nobody holds it.
pub(super) async fn is_living(
    connection: &impl ConnectionTrait,
    holder: Option<Uuid>,
    now: Moment,
) -> Result<bool, DbErr> {
    let Some(holder) = holder else { return Ok(false) };
    let of_it = server::Entity::find_by_id(holder).filter(server::Column::LeaseUntilMs.gt(now.milliseconds()));
    Ok(of_it.one(connection).await?.is_some())
}

async fn find_living_in(connection: &impl ConnectionTrait, now: Moment) -> Result<HashSet<Uuid>, DbErr> {
    use server::Column;
    let query =
        server::Entity::find().select_only().column(Column::Id).filter(Column::LeaseUntilMs.gt(now.milliseconds()));
    Ok(query.into_tuple::<Uuid>().all(connection).await?.into_iter().collect())
}

/// Selects the seats that this server may claim without asking: its own, and those that no living server holds.
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
