//! Rosters as they were before their last import, in the database: of each sitting the rows alone that the import has
//! changed or removed, so that it can be taken back.

use std::collections::HashSet;

use domain::sitting::candidate::Person;
use domain::sitting::roster::undone::FormerPerson;
use domain::time::moment::Moment;
use entities::{candidate, former_roster};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, ExprTrait,
    IntoActiveModel, QueryFilter, QuerySelect,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Unreadable;
use super::candidates::{self, ROWS_PER_STATEMENT};
use super::sittings::LockedSitting;

/// An import of a roster, as it is told.
#[derive(Clone, Debug)]
pub struct NotedImport {
    pub at: Moment,
    /// E-mail of who made it.
    pub by: String,
    pub added: usize,
    pub updated: usize,
    pub removed: usize,
}

/// What an import changes, by the ids of candidates and halls.
#[derive(Clone, Debug, Default)]
pub struct ImportedIds {
    pub added: Vec<Uuid>,
    pub changed: Vec<Uuid>,
    pub removed: Vec<Uuid>,
    /// Halls that it has made.
    pub halls: Vec<Uuid>,
}

/// What a roster was before its last import.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FormerRoster {
    /// Whom the import has added.
    pub added: HashSet<Uuid>,
    /// The halls that it has made.
    pub halls: Vec<Uuid>,
    /// Whether candidates had their copies of accommodations already.
    pub has_open_doors: bool,
    rows: Vec<candidate::Model>,
}

impl FormerRoster {
    /// Those whom the import has changed or removed.
    #[must_use]
    pub fn people(&self) -> Vec<FormerPerson> {
        let person = |row: &candidate::Model| Person { email: row.email.clone(), external_id: row.external_id.clone() };
        self.rows.iter().map(|row| FormerPerson { id: row.id, person: person(row) }).collect()
    }
}

/// Keeps what the roster of a sitting is now, in place of what it was before an earlier import. It is called before the
/// import is stored.
pub async fn keep(sitting: &LockedSitting<'_>, import: &NotedImport, ids: &ImportedIds) -> Result<(), DbErr> {
    use former_roster::Column;
    let transaction = sitting.transaction();
    let mut rows = Vec::with_capacity(ids.changed.len() + ids.removed.len());
    for part in [&ids.changed, &ids.removed] {
        for part in part.chunks(ROWS_PER_STATEMENT) {
            let those = candidate::Column::SittingId.eq(sitting.id).and(candidate::Column::Id.is_in(part.to_vec()));
            rows.extend(candidate::Entity::find().filter(those).all(transaction).await?);
        }
    }
    let former = FormerRoster {
        added: ids.added.iter().copied().collect(),
        halls: ids.halls.clone(),
        has_open_doors: sitting.opened_at.is_some(),
        rows,
    };
    let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
    let row = former_roster::ActiveModel {
        sitting_id: Set(sitting.id),
        at_ms: Set(import.at.milliseconds()),
        by: Set(import.by.clone()),
        added: Set(count(import.added)),
        updated: Set(count(import.updated)),
        removed: Set(count(import.removed)),
        body: Set(serde_json::to_string(&former).map_err(|error| DbErr::Custom(error.to_string()))?),
    };
    let all = [Column::AtMs, Column::By, Column::Added, Column::Updated, Column::Removed, Column::Body];
    let instead = OnConflict::column(Column::SittingId).update_columns(all).to_owned();
    former_roster::Entity::insert(row).on_conflict(instead).exec_without_returning(transaction).await.map(|_| ())
}

/// Finds the last import of a sitting that can be taken back, without what it has changed.
pub async fn find_import(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Option<NotedImport>, DbErr> {
    use former_roster::Column;
    let columns = [Column::AtMs, Column::By, Column::Added, Column::Updated, Column::Removed];
    let query = former_roster::Entity::find_by_id(sitting_id).select_only().columns(columns);
    let row: Option<(i64, String, i32, i32, i32)> = query.into_tuple().one(connection).await?;
    let count = |number: i32| usize::try_from(number).unwrap_or_default();
    Ok(row.map(|(at_ms, by, added, updated, removed)| NotedImport {
        at: Moment::from_milliseconds(at_ms),
        by,
        added: count(added),
        updated: count(updated),
        removed: count(removed),
    }))
}

/// Finds what the roster of a sitting was before its last import.
pub async fn find(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Option<FormerRoster>, DbErr> {
    let Some(row) = former_roster::Entity::find_by_id(sitting_id).one(connection).await? else { return Ok(None) };
    let former = serde_json::from_str(&row.body).map_err(|_| Unreadable("former roster"))?;
    Ok(Some(former))
}

/// Makes the roster what it was before its last import: those whom the import has added go, those whom it has changed
/// are as before, and those whom it has removed come back as they were, with their codes. Codes that were made since
/// stay. It can be done once.
pub async fn restore(sitting: &LockedSitting<'_>, former: FormerRoster) -> Result<(), DbErr> {
    let added: Vec<Uuid> = former.added.into_iter().collect();
    candidates::delete(sitting, &added).await?;
    let row = |mut row: candidate::Model| {
        // A hall may have been removed since.
        row.room_id = row.room_id.filter(|id| sitting.hall(Some(*id)).is_some());
        row.into_active_model()
    };
    let rows: Vec<_> = former.rows.into_iter().map(row).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        candidates::put_rows(sitting, rows.to_vec()).await?;
    }
    forget(sitting.transaction(), sitting.id).await
}

/// Forgets what the roster of a sitting was.
pub async fn forget(transaction: &DatabaseTransaction, sitting_id: Uuid) -> Result<(), DbErr> {
    former_roster::Entity::delete_by_id(sitting_id).exec(transaction).await.map(|_| ())
}
