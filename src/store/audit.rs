//! The record of what admins and managers have done, in the database.

use domain::time::moment::Moment;
use entities::audit_entry::{self, Column};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};

use crate::database::Database;

/// Something that was done.
#[derive(Clone, Debug)]
pub struct NewAuditEntry {
    pub at: Moment,
    /// E-mail of the one who acted.
    pub actor: String,
    /// Such as `user.role`.
    pub action: &'static str,
    pub subject: String,
    pub detail: String,
}

/// Something that is on record.
#[derive(Clone, Debug)]
pub struct AuditEntry {
    /// Also the order of entries of one moment.
    pub id: i64,
    pub at: Moment,
    /// E-mail of the one who acted.
    pub actor: String,
    pub action: String,
    pub subject: String,
    pub detail: String,
}

/// Which entries are asked for; each part may be left out.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    pub actor: Option<String>,
    pub action: Option<String>,
    /// From this moment on …
    pub from: Option<Moment>,
    /// … and before this one.
    pub to: Option<Moment>,
}

impl AuditFilter {
    fn condition(&self) -> Condition {
        Condition::all()
            .add_option(self.actor.as_ref().map(|actor| Column::Actor.eq(actor)))
            .add_option(self.action.as_ref().map(|action| Column::Action.eq(action)))
            .add_option(self.from.map(|from| Column::AtMs.gte(from.milliseconds())))
            .add_option(self.to.map(|to| Column::AtMs.lt(to.milliseconds())))
    }
}

/// Stores an entry.
pub async fn insert(database: &Database, entry: NewAuditEntry) -> Result<(), DbErr> {
    let row = audit_entry::ActiveModel {
        id: NotSet,
        at_ms: Set(entry.at.milliseconds()),
        actor: Set(entry.actor),
        action: Set(entry.action.to_owned()),
        subject: Set(entry.subject),
        detail: Set(entry.detail),
    };
    audit_entry::Entity::insert(row).exec_without_returning(&database.write).await.map(|_| ())
}

/// Stores an entry, unless there is one of the same since that moment. Those who ask at the same time may leave two.
pub async fn insert_unless_there(database: &Database, entry: NewAuditEntry, since: Moment) -> Result<(), DbErr> {
    let is_same = Condition::all()
        .add(Column::Actor.eq(&entry.actor))
        .add(Column::AtMs.gte(since.milliseconds()))
        .add(Column::Action.eq(entry.action))
        .add(Column::Subject.eq(&entry.subject))
        .add(Column::Detail.eq(&entry.detail));
    let known = audit_entry::Entity::find().filter(is_same).limit(1).count(&database.read).await?;
    if known > 0 { Ok(()) } else { insert(database, entry).await }
}

/// Finds a page of entries, the newest first, and counts all that the filter lets through. Pages count from 0.
pub async fn find_page(
    database: &Database,
    filter: &AuditFilter,
    page: u64,
    per_page: u64,
) -> Result<(Vec<AuditEntry>, u64), DbErr> {
    let total = audit_entry::Entity::find().filter(filter.condition()).count(&database.read).await?;
    let found = newest_first(filter).offset(page.saturating_mul(per_page)).limit(per_page).all(&database.read).await?;
    Ok((found.into_iter().map(from_row).collect(), total))
}

/// Loads the newest entries that the filter lets through: at most `count`.
pub async fn load(database: &Database, filter: &AuditFilter, count: u64) -> Result<Vec<AuditEntry>, DbErr> {
    let found = newest_first(filter).limit(count).all(&database.read).await?;
    Ok(found.into_iter().map(from_row).collect())
}

fn from_row(row: audit_entry::Model) -> AuditEntry {
    let audit_entry::Model { id, at_ms, actor, action, subject, detail } = row;
    AuditEntry { id, at: Moment::from_milliseconds(at_ms), actor, action, subject, detail }
}

fn newest_first(filter: &AuditFilter) -> sea_orm::Select<audit_entry::Entity> {
    audit_entry::Entity::find().filter(filter.condition()).order_by_desc(Column::AtMs).order_by_desc(Column::Id)
}
