//! The numbers that events, venues and organizers share. Because of them, an error can say whether a number is unknown
//! or belongs to a record of another kind.

use std::collections::HashMap;

use entities::calendar::number::{ActiveModel, Column, Entity};
use sea_orm::{ActiveValue, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter};

use super::IDS_PER_STATEMENT;
use super::records::RecordKind;
use crate::database::Database;
use crate::store::Unreadable;

/// The kind of the record with this number.
pub async fn find_kind(database: &Database, id: i64) -> Result<Option<RecordKind>, DbErr> {
    Ok(find_kinds(database, &[id]).await?.remove(&id))
}

/// The kinds of the records with these numbers. Unknown numbers are left out.
pub async fn find_kinds(database: &Database, ids: &[i64]) -> Result<HashMap<i64, RecordKind>, DbErr> {
    let mut found = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(IDS_PER_STATEMENT) {
        for row in Entity::find().filter(Column::Id.is_in(ids.iter().copied())).all(&database.read).await? {
            found.insert(row.id, RecordKind::parse(&row.kind).ok_or(Unreadable("kind of record"))?);
        }
    }
    Ok(found)
}

/// Assigns the next number to a record of this kind.
pub(super) async fn draw(transaction: &DatabaseTransaction, kind: RecordKind) -> Result<i64, DbErr> {
    let row = ActiveModel { id: ActiveValue::NotSet, kind: ActiveValue::Set(kind.name().to_owned()) };
    let drawn = Entity::insert(row).exec_with_returning(transaction).await?;
    Ok(drawn.id)
}
