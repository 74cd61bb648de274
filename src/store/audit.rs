//! The record of what admins and managers have done, in the database. The entry of a change is stored by the
//! transaction of the change (`docs/decisions/0065-requests-outlive-their-connections.md`).

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::time::moment::Moment;
use entities::audit_entry::{self, Column};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use crate::clock::Clock;
use crate::database::{BesideChange, Database};

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
    /// Entries from this moment on.
    pub from: Option<Moment>,
    /// Entries before this moment.
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

/// The entry of one request, which the first transaction that it commits stores too.
#[derive(Default)]
pub struct RequestEntry(Mutex<EntryState>);

#[derive(Default)]
struct EntryState {
    due: Option<(NewAuditEntry, Clock)>,
    /// The row, in a transaction that is not committed yet.
    written: Option<i64>,
    stored: Option<i64>,
    has_failed: bool,
}

/// What has become of the entry of a request.
#[derive(Debug)]
pub enum EntryOutcome {
    /// Nothing was committed. The entry, if the request was let in and what it does is recorded.
    Nothing(Option<NewAuditEntry>),
    /// It could not be stored, and so the change was not.
    Failed,
    /// It was stored in this row together with what was changed.
    Stored(i64, NewAuditEntry),
}

impl RequestEntry {
    /// From now on a change is stored with this entry, at the time of its commit.
    pub fn set(&self, entry: NewAuditEntry, clock: Clock) {
        self.state().due = Some((entry, clock));
    }

    /// Says in the entry what is about to be done, and to what, where the request's path does not name that.
    pub fn tell(&self, subject: Option<String>, detail: String) {
        if let Some((entry, _)) = &mut self.state().due {
            entry.detail = detail;
            entry.subject = subject.unwrap_or(std::mem::take(&mut entry.subject));
        }
    }

    #[must_use]
    pub fn outcome(&self) -> EntryOutcome {
        let state = self.state();
        let entry = state.due.as_ref().map(|(entry, _)| entry.clone());
        match (state.stored, entry) {
            _ if state.has_failed => EntryOutcome::Failed,
            (Some(id), Some(entry)) => EntryOutcome::Stored(id, entry),
            (_, entry) => EntryOutcome::Nothing(entry),
        }
    }

    /// The entry at this moment, unless it is stored already or there is none.
    fn due(&self) -> Option<NewAuditEntry> {
        let mut state = self.state();
        if state.stored.is_some() {
            return None;
        }
        let (entry, clock) = state.due.as_mut()?;
        entry.at = clock.now();
        Some(entry.clone())
    }

    fn state(&self) -> MutexGuard<'_, EntryState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl BesideChange for RequestEntry {
    async fn store(&self, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
        let Some(entry) = self.due() else { return Ok(()) };
        let inserted = audit_entry::Entity::insert(to_row(entry)).exec(transaction).await;
        let mut state = self.state();
        state.has_failed = inserted.is_err();
        state.written = Some(inserted?.last_insert_id);
        Ok(())
    }

    fn committed(&self) {
        let mut state = self.state();
        state.stored = state.stored.or(state.written);
    }
}

/// Stores an entry of something that has changed nothing in this database.
pub async fn insert(database: &Database, entry: NewAuditEntry) -> Result<(), DbErr> {
    audit_entry::Entity::insert(to_row(entry)).exec_without_returning(&database.write).await.map(|_| ())
}

/// Stores an entry together with what it tells of.
pub async fn insert_in(transaction: &DatabaseTransaction, entry: NewAuditEntry) -> Result<(), DbErr> {
    audit_entry::Entity::insert(to_row(entry)).exec_without_returning(transaction).await.map(|_| ())
}

/// Completes an entry that was stored with its change.
pub async fn complete(database: &Database, id: i64, subject: String, detail: String) -> Result<(), DbErr> {
    let told = audit_entry::ActiveModel { subject: Set(subject), detail: Set(detail), ..Default::default() };
    audit_entry::Entity::update_many().set(told).filter(Column::Id.eq(id)).exec(&database.write).await.map(|_| ())
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

fn to_row(entry: NewAuditEntry) -> audit_entry::ActiveModel {
    audit_entry::ActiveModel {
        id: NotSet,
        at_ms: Set(entry.at.milliseconds()),
        actor: Set(entry.actor),
        action: Set(entry.action.to_owned()),
        subject: Set(entry.subject),
        detail: Set(entry.detail),
    }
}

fn from_row(row: audit_entry::Model) -> AuditEntry {
    let audit_entry::Model { id, at_ms, actor, action, subject, detail } = row;
    AuditEntry { id, at: Moment::from_milliseconds(at_ms), actor, action, subject, detail }
}

fn newest_first(filter: &AuditFilter) -> sea_orm::Select<audit_entry::Entity> {
    audit_entry::Entity::find().filter(filter.condition()).order_by_desc(Column::AtMs).order_by_desc(Column::Id)
}
