//! Rosters as they were before their last import, in the database: of each sitting the rows alone that the import has
//! changed or removed, so that it can be taken back.

use std::collections::{HashMap, HashSet};

use domain::sitting::candidate::{Candidate, Person};
use domain::sitting::roster::undone::{ImportedChange, UndoRefusal, UndoneImport};
use domain::time::moment::Moment;
use entities::{candidate, former_roster, lti_candidate, sitting};
use sea_orm::sea_query::{OnConflict, Query};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, ExprTrait,
    IntoActiveModel, QueryFilter, QuerySelect, TryIntoModel,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Unreadable;
use super::candidates::{self, ROWS_PER_STATEMENT};
use super::lti_rosters;
use super::sittings::LockedSitting;
use crate::database::Database;

/// How long after its planned start the former roster of a sitting is kept that nobody has entered: by then its import
/// is taken back or right.
const KEPT_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;

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

/// What an import makes of a roster.
#[derive(Clone, Copy, Debug)]
pub struct ImportedRoster<'a> {
    /// Whom it adds.
    pub added: &'a [Candidate],
    /// Whom it changes, as it leaves them.
    pub changed: &'a [Candidate],
    pub removed: &'a [Uuid],
    /// Halls that it has made.
    pub halls: &'a [Uuid],
}

/// What a roster was before its last import.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FormerRoster {
    /// The halls that it has made.
    pub halls: Vec<Uuid>,
    /// Whether candidates had their copies of accommodations already.
    pub has_open_doors: bool,
    /// Whom it has changed or removed, as they were.
    rows: Vec<candidate::Model>,
    /// Whom it has changed, as it has left them.
    changed: Vec<candidate::Model>,
    /// Whom it has added.
    added: Vec<candidate::Model>,
    /// Who those whom it has changed or removed were of learning platforms.
    #[serde(default)]
    joins: Vec<lti_candidate::Model>,
}

impl FormerRoster {
    /// What taking the import back does to the roster as it is now.
    ///
    /// # Errors
    /// Inside, why it can't be taken back.
    pub fn undone(&self, present: &[Candidate]) -> Result<Result<UndoneImport, UndoRefusal>, DbErr> {
        let of = |rows: &[candidate::Model]| candidates::from_rows(rows.to_vec());
        let mut changed: HashMap<Uuid, Candidate> = of(&self.changed)?.into_iter().map(|one| (one.id, one)).collect();
        let change = |before: Candidate| ImportedChange { after: changed.remove(&before.id), before };
        let changes: Vec<ImportedChange> = of(&self.rows)?.into_iter().map(change).collect();
        Ok(UndoneImport::of(&of(&self.added)?, &changes, present))
    }
}

/// Keeps what the roster of a sitting is now, in place of what it was before an earlier import. It is called before the
/// import is stored.
pub async fn keep(
    sitting: &LockedSitting<'_>,
    import: &NotedImport,
    imported: ImportedRoster<'_>,
) -> Result<(), DbErr> {
    use former_roster::Column;
    let transaction = sitting.transaction();
    let ids: Vec<Uuid> = imported.changed.iter().map(|one| one.id).chain(imported.removed.iter().copied()).collect();
    let mut rows = Vec::with_capacity(ids.len());
    for part in ids.chunks(ROWS_PER_STATEMENT) {
        let those = candidate::Column::SittingId.eq(sitting.id).and(candidate::Column::Id.is_in(part.to_vec()));
        rows.extend(candidate::Entity::find().filter(those).all(transaction).await?);
    }
    let put = |candidates: &[Candidate]| {
        let rows = candidates.iter().map(|one| candidates::to_row(sitting.id, one).try_into_model());
        rows.collect::<Result<Vec<_>, DbErr>>()
    };
    let former = FormerRoster {
        halls: imported.halls.to_vec(),
        has_open_doors: sitting.opened_at.is_some(),
        rows,
        changed: put(imported.changed)?,
        added: put(imported.added)?,
        joins: lti_rosters::load_joins(transaction, &ids).await?,
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

/// Takes the last import of a roster back: those whom it has added go, those whom it has changed are as before as far
/// as nobody has changed them since, and those whom it has removed come back as they were, with their codes. Codes that
/// were made since stay. Who they were of learning platforms is known again. It can be done once.
pub async fn restore(sitting: &LockedSitting<'_>, former: FormerRoster, undone: &UndoneImport) -> Result<(), DbErr> {
    candidates::delete(sitting, &undone.gone).await?;
    // A hall may have been removed since.
    let hall = |id: Option<Uuid>| id.filter(|id| sitting.hall(Some(*id)).is_some());
    let restored = undone.restored.iter().map(|one| Candidate { hall_id: hall(one.hall_id), ..one.clone() });
    candidates::put(sitting, &restored.collect::<Vec<_>>()).await?;
    let returned: HashSet<Uuid> = undone.returned.iter().copied().collect();
    let persons: HashMap<Uuid, Person> = former.rows.iter().map(|row| (row.id, person_of(row))).collect();
    // Of two halves of a person one may have been changed by hand since.
    let is_as_before = |one: &&Candidate| persons.get(&one.id) == Some(&one.person);
    let as_before = undone.restored.iter().filter(is_as_before).map(|one| one.id);
    let known_again: HashSet<Uuid> = as_before.chain(returned.iter().copied()).collect();
    let rows = former.rows.into_iter().filter(|row| returned.contains(&row.id));
    let rows: Vec<_> =
        rows.map(|row| candidate::Model { room_id: hall(row.room_id), ..row }.into_active_model()).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        candidates::put_rows(sitting, rows.to_vec()).await?;
    }
    let joins = former.joins.into_iter().filter(|join| known_again.contains(&join.candidate_id));
    lti_rosters::rejoin(sitting.transaction(), sitting.id, &joins.collect::<Vec<_>>()).await?;
    forget(sitting.transaction(), sitting.id).await
}

fn person_of(row: &candidate::Model) -> Person {
    Person { email: row.email.clone(), external_id: row.external_id.clone() }
}

/// Forgets what the rosters of these sittings were, which somebody has entered: no import can be taken back any more.
pub async fn forget_entered(
    connection: &impl ConnectionTrait,
    sitting_ids: impl IntoIterator<Item = Uuid>,
) -> Result<(), DbErr> {
    let those = former_roster::Column::SittingId.is_in(sitting_ids);
    former_roster::Entity::delete_many().filter(those).exec(connection).await.map(|_| ())
}

/// Forgets what the rosters were of sittings that have ended, or that nobody has come to.
pub async fn forget_over(database: &Database, now: Moment) -> Result<(), DbErr> {
    use sitting::Column;
    let is_over =
        Column::EndedAtMs.is_not_null().or(Column::StartsAtMs.lt(now.plus(-KEPT_MILLISECONDS).milliseconds()));
    let over = Query::select().column(Column::Id).from(sitting::Entity).and_where(is_over).to_owned();
    let those = former_roster::Column::SittingId.in_subquery(over);
    let query = former_roster::Entity::find().select_only().column(former_roster::Column::SittingId);
    let found: Vec<Uuid> = query.filter(those).into_tuple().all(&database.read).await?;
    // Mostly there is none, and nobody who writes has to wait.
    if found.is_empty() { Ok(()) } else { forget_entered(&database.write, found).await }
}

/// Forgets what the roster of a sitting was.
pub async fn forget(transaction: &DatabaseTransaction, sitting_id: Uuid) -> Result<(), DbErr> {
    former_roster::Entity::delete_by_id(sitting_id).exec(transaction).await.map(|_| ())
}
