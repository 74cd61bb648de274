//! Orders of proctors that apply to everyone in a room, in the database: in the row of the sitting or of the hall, and
//! for grades and templates in a table of its own.

use std::collections::{BTreeSet, HashMap};

use domain::order::hall::HallStanding;
use domain::room::RoomKey;
use domain::time::moment::Moment;
use entities::room_standing::{self, Column, Entity};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, QueryFilter,
    Statement,
};

use super::Unreadable;

/// How long a pause of all tests of a grade or of a template meets those who begin one: a day of school, so that a
/// pause that nobody has ended stops nobody on another day.
const MEETS_NEWCOMERS_MILLISECONDS: i64 = 12 * 60 * 60 * 1_000;

/// A standing as a column has it: `None` for one in which nothing was ordered.
pub(super) fn to_text(standing: &HallStanding) -> Result<Option<String>, DbErr> {
    if *standing == HallStanding::default() {
        return Ok(None);
    }
    serde_json::to_string(standing).map(Some).map_err(|error| DbErr::Custom(error.to_string()))
}

pub(super) fn from_text(text: Option<&str>) -> Result<HallStanding, Unreadable> {
    text.map_or_else(
        || Ok(HallStanding::default()),
        |text| serde_json::from_str(text).map_err(|_| Unreadable("standing")),
    )
}

/// Finds the standing of a grade or a template, as of now.
pub async fn find(connection: &impl ConnectionTrait, room: RoomKey, now: Moment) -> Result<HallStanding, DbErr> {
    let found = find_those(connection, [room.name()].into(), now).await?;
    Ok(found.into_values().next().unwrap_or_default())
}

/// Finds the standing of a grade or a template, and keeps every test of the room from beginning until the transaction
/// ends.
pub async fn lock(transaction: &DatabaseTransaction, room: RoomKey, now: Moment) -> Result<HallStanding, DbErr> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        hold(transaction, "pg_advisory_xact_lock", &[room.name()].into()).await?;
    }
    find(transaction, room, now).await
}

/// Stores the standing of a grade or a template.
pub async fn save(
    transaction: &DatabaseTransaction,
    room: RoomKey,
    standing: &HallStanding,
    now: Moment,
) -> Result<(), DbErr> {
    let row = room_standing::ActiveModel {
        room: Set(room.name()),
        standing: Set(to_text(standing)?.unwrap_or_else(|| "{\"pauses\":[],\"minutes\":0}".to_owned())),
        changed_at_ms: Set(now.milliseconds()),
    };
    let instead = OnConflict::column(Column::Room).update_columns([Column::Standing, Column::ChangedAtMs]).to_owned();
    Entity::insert(row).on_conflict(instead).exec_without_returning(transaction).await.map(|_| ())
}

/// Finds the standings of rooms in which tests begin, by the rooms' names. Until the transaction ends, nobody changes
/// them: whoever does finds the tests that have begun.
pub async fn of_beginning(
    transaction: &DatabaseTransaction,
    rooms: BTreeSet<String>,
    now: Moment,
) -> Result<HashMap<String, HallStanding>, DbErr> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        hold(transaction, "pg_advisory_xact_lock_shared", &rooms).await?;
    }
    find_those(transaction, rooms, now).await
}

async fn find_those(
    connection: &impl ConnectionTrait,
    rooms: BTreeSet<String>,
    now: Moment,
) -> Result<HashMap<String, HallStanding>, DbErr> {
    let is_recent = Column::ChangedAtMs.gte(now.plus(-MEETS_NEWCOMERS_MILLISECONDS).milliseconds());
    let rows = Entity::find().filter(Column::Room.is_in(rooms)).filter(is_recent).all(connection).await?;
    let standing = |row: room_standing::Model| Ok::<_, Unreadable>((row.room, from_text(Some(&row.standing))?));
    rows.into_iter().map(standing).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Takes the locks of these rooms, in the order of their names, so that nobody waits for each other. SQLite has one
/// writer, and needs none.
async fn hold(transaction: &DatabaseTransaction, lock: &str, rooms: &BTreeSet<String>) -> Result<(), DbErr> {
    for room in rooms {
        let sql = format!("SELECT {lock}(hashtextextended($1, 0))");
        transaction.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, [room.into()])).await?;
    }
    Ok(())
}
