//! The lines of students' devices (`docs/decisions/0070-lines-of-devices.md`). Any server may give one: they are
//! numbered here, and not by the server that holds the seat.

use domain::attempt::{Comer, DeviceLine, DeviceLines};
use entities::attempt_line;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::attempts::find_first_token;
use super::entries::line_number;
use crate::database::{Database, bound_lock_waits};
use crate::store::Unreadable;

/// How often a line is numbered again that another device has got at the same moment.
const NUMBERED_MAX: usize = 8;

/// The lines of an attempt after the first, oldest first.
pub(super) async fn find_lines(connection: &impl ConnectionTrait, session_id: Uuid) -> Result<Vec<DeviceLine>, DbErr> {
    use attempt_line::Column;
    let query = attempt_line::Entity::find().filter(Column::SessionId.eq(session_id)).order_by_asc(Column::Line);
    let number = |stored: i16| u16::try_from(stored).map_err(|_| Unreadable("line"));
    let line = |row: attempt_line::Model| -> Result<DeviceLine, DbErr> {
        let token_hash = <[u8; 32]>::try_from(row.token_hash.as_slice()).map_err(|_| Unreadable("line"))?;
        Ok(DeviceLine { line: number(row.line)?, token_hash, device: number(row.device)? })
    };
    query.all(connection).await?.into_iter().map(line).collect()
}

/// Gives a device that has come to a test a line above all that were given and above `used`, unless it has the newest
/// already. `first` is the token with which the test was begun. Returns the line, and all lines after the first.
pub async fn give_line(
    database: &Database,
    session_id: Uuid,
    first: [u8; 32],
    comer: &Comer,
    used: u16,
) -> Result<(u16, Vec<DeviceLine>), DbErr> {
    let lines = find_lines(&database.read, session_id).await?;
    if let Some(line) = DeviceLines::of(first, lines.clone()).kept_by(comer, used) {
        return Ok((line, lines));
    }
    let transaction = database.begin_alone().await?;
    bound_lock_waits(&transaction).await?;
    let given = insert_line(&transaction, session_id, first, comer, used).await?;
    transaction.commit().await?;
    Ok(given)
}

/// Gives the device that gets a new token its first line.
pub(super) async fn give_first_line(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    token_hash: &[u8; 32],
) -> Result<u16, DbErr> {
    let first = find_first_token(connection, session_id).await?.unwrap_or_default();
    let comer = Comer { token_hash: *token_hash, line: Some(0) };
    insert_line(connection, session_id, first, &comer, 0).await.map(|(line, _)| line)
}

async fn insert_line(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    first: [u8; 32],
    comer: &Comer,
    used: u16,
) -> Result<(u16, Vec<DeviceLine>), DbErr> {
    for _ in 0..NUMBERED_MAX {
        let mut given = find_lines(connection, session_id).await?;
        let lines = DeviceLines::of(first, given.clone());
        if let Some(line) = lines.kept_by(comer, used) {
            return Ok((line, given));
        }
        let next = lines.next_for(comer, used);
        let row = attempt_line::ActiveModel {
            session_id: Set(session_id),
            line: Set(line_number(next.line)),
            token_hash: Set(next.token_hash.to_vec()),
            device: Set(line_number(next.device)),
        };
        // Another device may have got the number at this moment.
        let taken = OnConflict::new().do_nothing().to_owned();
        if attempt_line::Entity::insert(row).on_conflict(taken).exec_without_returning(connection).await? > 0 {
            given.push(next);
            return Ok((next.line, given));
        }
    }
    Err(DbErr::Custom("no line could be numbered".to_owned()))
}
