//! The queries that venues and organizers share. Each kind has its own table, and otherwise they are found, listed and
//! changed alike.

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

/// A kind of record that events link to: [`super::Venues`] or [`super::Organizers`].
#[expect(private_bounds, reason = "its table is of no use outside the store")]
pub trait LinkedPosts: Send + Sync + 'static {
    type Fields: Clone + PartialEq + Send + Sync;
    type Entity: PostColumns;
    const KIND: RecordKind;

    fn to_row(record: &Record<Self::Fields>) -> <Self::Entity as EntityTrait>::ActiveModel;

    /// The record of a row. It fails only if this server could not have written the row.
    fn from_row(row: <Self::Entity as EntityTrait>::Model) -> Result<Record<Self::Fields>, Unreadable>;

    /// The texts that a search looks into.
    fn texts(fields: &Self::Fields) -> Vec<&str>;

    fn name_and_description(fields: &Self::Fields) -> (&str, &str);

    /// A subquery of the events that are linked to a record of the outer query and meet this condition.
    fn linked_with(events: Condition) -> SelectStatement;
}

/// The columns that both tables have.
pub(super) trait PostColumns:
    Slugged + EntityTrait<Model: IntoActiveModel<Self::ActiveModel> + Send + Sync, ActiveModel: Send>
{
    const STATUS: Self::Column;
    const AUTHOR: Self::Column;
    const PUBLISHED: Self::Column;
    /// The name in the form in which names are compared.
    const NAME_KEY: Self::Column;
    const DESCRIPTION: Self::Column;
}

/// The records of a list: those that pass every filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkedFilter {
    /// Records with one of these statuses.
    pub statuses: Vec<Status>,
    /// Folded words that must all occur in the same field. An empty list of words finds nothing.
    pub words: Option<Vec<String>>,
    /// Records to which this event is linked, whatever the event's status.
    pub event: Option<i64>,
    /// Whether an event with one of the statuses in [`SHOWN`] is linked to the record.
    pub has_events: Option<bool>,
    /// Records to which an upcoming event is linked.
    pub upcoming: Option<Upcoming>,
}

impl LinkedFilter {
    /// Returns whether such a list is costly for the database: it reads every text, or many events.
    #[must_use]
    pub const fn is_costly(&self) -> bool {
        self.words.is_some() || self.upcoming.is_some()
    }
}

/// Statuses of events that count for [`LinkedFilter::has_events`].
pub const SHOWN: [Status; 3] = [Status::Publish, Status::Future, Status::Private];

/// The events that count as upcoming.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upcoming {
    /// They start at this moment or later.
    pub from: Moment,
    /// They have one of these statuses.
    pub statuses: Vec<Status>,
}

/// The record with this number, whatever its status.
pub async fn find<K: LinkedPosts>(database: &Database, id: i64) -> Result<Option<Record<K::Fields>>, DbErr> {
    let row = K::Entity::find().filter(K::Entity::ID.eq(id)).one(&database.read).await?;
    Ok(row.map(K::from_row).transpose()?)
}

/// The record with this slug, whatever its status.
pub async fn find_by_slug<K: LinkedPosts>(database: &Database, slug: &str) -> Result<Option<Record<K::Fields>>, DbErr> {
    let row = K::Entity::find().filter(K::Entity::SLUG.eq(slug)).one(&database.read).await?;
    Ok(row.map(K::from_row).transpose()?)
}

/// A page of the records that pass, the last published first.
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
    // There are many events, so the search for one ends with the first match. `LIMIT` says so: without it SQLite 3.51
    // turns the condition into a join, and OFFSET then skips rows of the join instead of records.
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
    // In the query of organizers, `status` is the event's, since the rows that link them have none.
    Condition::all().add(has_status(statuses))
}

/// The records that have all of these words in one field.
fn having_words(words: &[String], backend: DbBackend) -> SelectStatement {
    use text::{Column, Entity};
    let all = words.iter().fold(Condition::all().add(Expr::value(!words.is_empty())), |all, word| {
        all.add(contains(Column::Text, word, backend))
    });
    Query::select().expr(Expr::col(Column::RecordId)).from(Entity).cond_where(all).to_owned()
}
