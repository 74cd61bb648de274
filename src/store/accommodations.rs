//! Accommodations, in the database.

use std::collections::{HashMap, HashSet};

use domain::sitting::Sitting;
use domain::sitting::accommodation::Accommodation;
use domain::sitting::candidate::Candidate;
use domain::time::moment::Moment;
use entities::accommodation::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use super::sittings::{LockedSitting, factor, minutes, moment, percent, whole};
use super::{Unreadable, candidates};
use crate::database::Database;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;

/// Loads the register, by address: at most `count`.
pub async fn load_all(database: &Database, count: u64) -> Result<Vec<Accommodation>, DbErr> {
    from_rows(Entity::find().order_by_asc(Column::Email).limit(count).all(&database.read).await?)
}

/// Finds what a person needs.
pub async fn find(connection: &impl ConnectionTrait, email: &str) -> Result<Option<Accommodation>, DbErr> {
    Ok(Entity::find_by_id(email).one(connection).await?.map(from_row).transpose()?)
}

/// Loads what these people need, by address, and keeps others from changing it until the transaction ends.
pub async fn lock_those(
    transaction: &DatabaseTransaction,
    emails: &[String],
) -> Result<HashMap<String, Accommodation>, DbErr> {
    let mut found = HashMap::new();
    for emails in emails.chunks(ROWS_PER_STATEMENT) {
        let query = Entity::find().filter(Column::Email.is_in(emails.to_vec())).lock_exclusive();
        found.extend(by_email(from_rows(query.all(transaction).await?)?));
    }
    Ok(found)
}

/// Stores what people need.
pub async fn put(
    transaction: &DatabaseTransaction,
    accommodations: &[Accommodation],
    changed_by: &str,
    now: Moment,
) -> Result<(), DbErr> {
    let changed = [
        Column::Factor,
        Column::ExtraMinutes,
        Column::Flags,
        Column::Note,
        Column::ValidUntilMs,
        Column::ChangedBy,
        Column::ChangedAtMs,
    ];
    for accommodations in accommodations.chunks(ROWS_PER_STATEMENT) {
        let rows: Result<Vec<_>, _> = accommodations.iter().map(|one| to_row(one, changed_by, now)).collect();
        let instead = OnConflict::column(Column::Email).update_columns(changed).to_owned();
        Entity::insert_many(rows?).on_conflict(instead).exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// Removes what a person needed. Returns false if there was nothing.
pub async fn delete(transaction: &DatabaseTransaction, email: &str) -> Result<bool, DbErr> {
    Ok(Entity::delete_by_id(email).exec(transaction).await?.rows_affected > 0)
}

fn by_email(accommodations: Vec<Accommodation>) -> HashMap<String, Accommodation> {
    accommodations.into_iter().map(|one| (one.email.clone(), one)).collect()
}

fn from_rows(rows: Vec<Model>) -> Result<Vec<Accommodation>, DbErr> {
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

fn to_row(accommodation: &Accommodation, changed_by: &str, now: Moment) -> Result<ActiveModel, DbErr> {
    Ok(ActiveModel {
        email: Set(accommodation.email.clone()),
        factor: Set(accommodation.factor.map(percent)),
        extra_minutes: Set(accommodation.extra_minutes.map(whole)),
        flags: Set(serde_json::to_string(&accommodation.flags).map_err(|error| DbErr::Custom(error.to_string()))?),
        note: Set(accommodation.note.clone()),
        valid_until_ms: Set(accommodation.valid_until.map(Moment::milliseconds)),
        changed_by: Set(changed_by.to_owned()),
        changed_at_ms: Set(now.milliseconds()),
    })
}

fn from_row(row: Model) -> Result<Accommodation, Unreadable> {
    Ok(Accommodation {
        email: row.email,
        factor: factor(row.factor)?,
        extra_minutes: minutes(row.extra_minutes)?,
        flags: serde_json::from_str(&row.flags).map_err(|_| Unreadable("flags"))?,
        note: row.note,
        valid_until: moment(row.valid_until_ms),
    })
}

/// Gives candidates of a sitting the values of their accommodations that hold for it, and says whose have changed.
pub async fn fill(
    connection: &impl ConnectionTrait,
    sitting: &Sitting,
    candidates: &mut [Candidate],
) -> Result<HashSet<Uuid>, DbErr> {
    let emails: Vec<String> = candidates.iter().filter_map(|candidate| candidate.person.email.clone()).collect();
    let mut known = HashMap::new();
    for emails in emails.chunks(ROWS_PER_STATEMENT) {
        let query = Entity::find().filter(Column::Email.is_in(emails.to_vec()));
        known.extend(by_email(from_rows(query.all(connection).await?)?));
    }
    let mut changed = HashSet::new();
    for candidate in candidates {
        let before = candidate.accommodated();
        let accommodation = candidate.person.email.as_ref().and_then(|email| known.get(email));
        candidate.accommodate(accommodation.map(|one| one.layer(sitting.plan.starts_at)).unwrap_or_default());
        if candidate.accommodated() != before {
            changed.insert(candidate.id);
        }
    }
    Ok(changed)
}

/// Gives candidates the values that the register has for them, as long as the doors have not been opened: then they
/// have copies.
pub async fn fill_before_doors(
    connection: &impl ConnectionTrait,
    sitting: &Sitting,
    candidates: &mut [Candidate],
) -> Result<(), DbErr> {
    if sitting.opened_at.is_none() {
        fill(connection, sitting, candidates).await?;
    }
    Ok(())
}

/// Opens the doors of a sitting, if they have not been opened: its candidates get copies of their accommodations.
/// Repeating it changes nothing. Returns whether the doors have been opened now; then the caller saves the sitting.
pub async fn open_doors(sitting: &mut LockedSitting<'_>, now: Moment) -> Result<bool, DbErr> {
    if sitting.opened_at.is_some() {
        return Ok(false);
    }
    let mut roster = candidates::load_of(sitting.transaction(), sitting.id).await?;
    let changed = fill(sitting.transaction(), sitting, &mut roster).await?;
    roster.retain(|candidate| changed.contains(&candidate.id));
    candidates::put(sitting, &roster).await?;
    sitting.opened_at = Some(now);
    Ok(true)
}
