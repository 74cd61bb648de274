//! What venues and organizers have in common: they are found, listed and written alike, each by its own table.

use domain::calendar::status::Status;
use domain::time::moment::Moment;
use entities::calendar::{event, text};
use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::filters::{contains, has_status};
pub use super::linked_post_changes::{create, publish_due, update};
use super::records::{Record, RecordKind};
use super::slugs::Slugged;
use super::{ListPage, PageRequest};
use crate::database::Database;
use crate::store::Unreadable;

/// A kind of record that events are linked with: [`super::Venues`] or [`super::Organizers`].
#[expect(private_bounds, reason = "its table is of no use outside the store")]
pub trait LinkedPosts: Send + Sync + 'static {
    /// The fields of its kind.
    type Fields: Clone + PartialEq + Send + Sync;
    /// Its table.
    type Entity: PostColumns;
    /// Its kind.
    const KIND: RecordKind;

    /// The row of a record.
    fn to_row(record: &Record<Self::Fields>) -> <Self::Entity as EntityTrait>::ActiveModel;

    /// The record of a row.
    ///
    /// # Errors
    /// When the service could not have written it.
    fn from_row(row: <Self::Entity as EntityTrait>::Model) -> Result<Record<Self::Fields>, Unreadable>;

    /// The fields that are searched.
    fn texts(fields: &Self::Fields) -> Vec<&str>;

    /// The name and the description.
    fn name_and_description(fields: &Self::Fields) -> (&str, &str);

    /// The events that a record is linked with and for which this is true, within a query of the records.
    fn linked_with(events: Condition) -> SelectStatement;
}

/// The columns that both tables have.
pub(super) trait PostColumns:
    Slugged + EntityTrait<Model: IntoActiveModel<Self::ActiveModel> + Send + Sync, ActiveModel: Send>
{
    /// Where it is in its life.
    const STATUS: Self::Column;
    /// Whose it is.
    const AUTHOR: Self::Column;
    /// When it was published.
    const PUBLISHED: Self::Column;
    /// Its name as names are compared.
    const NAME_KEY: Self::Column;
    /// What is said of it.
    const DESCRIPTION: Self::Column;
}

/// Which venues or organizers a list has (contract, section 10): those that pass all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedFilter {
    /// Of one of these statuses.
    pub statuses: Vec<Status>,
    /// Words, folded, that must all be in one and the same field; nothing is found by none.
    pub words: Option<Vec<String>>,
    /// Linked with this event, whatever its status.
    pub event: Option<i64>,
    /// Whether they are linked with an event of one of [`SHOWN`].
    pub has_events: Option<bool>,
    /// Linked with an event that comes.
    pub upcoming: Option<Upcoming>,
}

impl LinkedFilter {
    /// Whether such a list costs the database much: whether it reads every text, or many events.
    #[must_use]
    pub const fn is_costly(&self) -> bool {
        self.words.is_some() || self.upcoming.is_some()
    }
}

/// Statuses of the events that count for [`LinkedFilter::has_events`].
pub const SHOWN: [Status; 3] = [Status::Publish, Status::Future, Status::Private];

/// Events that come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upcoming {
    /// They start then or later.
    pub from: Moment,
    /// Of one of these statuses.
    pub statuses: Vec<Status>,
}

/// The record of that number, whatever its status.
///
/// # Errors
/// When the store is unavailable.
pub async fn find<K: LinkedPosts>(database: &Database, id: i64) -> Result<Option<Record<K::Fields>>, DbErr> {
    let row = K::Entity::find().filter(K::Entity::ID.eq(id)).one(&database.read).await?;
    Ok(row.map(K::from_row).transpose()?)
}

/// The record of that slug, whatever its status.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_by_slug<K: LinkedPosts>(database: &Database, slug: &str) -> Result<Option<Record<K::Fields>>, DbErr> {
    let row = K::Entity::find().filter(K::Entity::SLUG.eq(slug)).one(&database.read).await?;
    Ok(row.map(K::from_row).transpose()?)
}

/// A page of the records that pass, those published last first.
///
/// # Errors
/// When the store is unavailable.
pub async fn list<K: LinkedPosts>(
    database: &Database,
    filter: &LinkedFilter,
    page: PageRequest,
) -> Result<ListPage<Record<K::Fields>>, DbErr> {
    let snapshot = database.snapshot().await?;
    let passing = K::Entity::find().filter(conditions::<K>(filter, snapshot.get_database_backend()));
    let total = passing.clone().count(&snapshot).await?;
    let of_page =
        passing.order_by_desc(K::Entity::PUBLISHED).order_by_desc(K::Entity::ID).offset(page.offset()).limit(page.size);
    let rows = of_page.all(&snapshot).await?;
    snapshot.commit().await?;
    Ok(ListPage { total, items: rows.into_iter().map(K::from_row).collect::<Result<_, _>>()? })
}

fn conditions<K: LinkedPosts>(filter: &LinkedFilter, backend: DbBackend) -> Condition {
    // Of each record it is asked whether there is such an event, which ends with the first: events are many. That is said by a
    // limit, without which SQLite 3.51 makes a join of it, and takes each of its rows for one of those that OFFSET leaves out.
    let is_linked = |events: Condition| Expr::exists(K::linked_with(events).limit(1).to_owned());
    let mut all = Condition::all().add(has_status(&filter.statuses));
    if let Some(words) = &filter.words {
        all = all.add(K::Entity::ID.in_subquery(having_words(words, backend)));
    }
    if let Some(event) = filter.event {
        all = all.add(is_linked(Condition::all().add(event::Column::Id.eq(event))));
    }
    if let Some(wanted) = filter.has_events {
        let has_events = is_linked(of_statuses(&SHOWN));
        all = all.add(if wanted { has_events } else { has_events.not() });
    }
    if let Some(Upcoming { from, statuses }) = &filter.upcoming {
        all = all
            .add(is_linked(of_statuses(statuses).add(Expr::cust(format!("starts_at_ms >= {}", from.milliseconds())))));
    }
    all
}

fn of_statuses(statuses: &[Status]) -> Condition {
    // Organizers' links have no status.
    Condition::all().add(has_status(statuses))
}

/// The records that have all of these in one field.
fn having_words(words: &[String], backend: DbBackend) -> SelectStatement {
    use text::{Column, Entity};
    let all = words.iter().fold(Condition::all().add(Expr::value(!words.is_empty())), |all, word| {
        all.add(contains(Column::Text, word, backend))
    });
    Query::select().expr(Expr::col(Column::RecordId)).from(Entity).cond_where(all).to_owned()
}
