//! Lists of events. However long the page is, it takes one statement for the page, one for the total, and a few for
//! linked records. All of them read one snapshot, so that nothing is shown that was withdrawn in between.

use domain::calendar::status::Status;
use domain::calendar::window::Window;
use domain::calendar::words::Search;
use entities::calendar::event::{Column, Entity};
use sea_orm::{
    Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::events::{self, Parts};
use super::records::{Coordinates, FullEvent};
use super::{ListPage, PageRequest, days, filters, terms};
use crate::database::Database;

/// The events of a list: those that pass every filter. Lists never include hidden events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventFilter {
    /// Events with one of these statuses.
    pub statuses: Vec<Status>,
    /// Only these events, in the order of their publication.
    pub include: Option<Vec<i64>>,
    pub window: Window,
    /// Words in title, description and excerpt.
    pub search: Search,
    /// Events in one of these categories or in one below them; empty for any.
    pub categories: Vec<i64>,
    /// Events with one of these tags; empty for any.
    pub tags: Vec<i64>,
    /// Events at one of these venues; empty for any.
    pub venues: Vec<i64>,
    /// Events of one of these organizers; empty for any.
    pub organizers: Vec<i64>,
    pub is_featured: Option<bool>,
    /// Whether the coordinates of the event's venue are known. The filter has no effect while no venue has coordinates.
    pub is_placed: Option<bool>,
    /// Events at a venue near a place. The filter has no effect while no venue has coordinates.
    pub near: Option<Near>,
}

impl EventFilter {
    /// Returns whether such a list is costly for the database: its events are counted one by one, and may be all that
    /// there are.
    #[must_use]
    pub fn is_costly(&self) -> bool {
        self.include.is_none() && !days::is_by_days(self)
    }
}

/// A circle on the globe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The centre.
    pub place: Coordinates,
    /// The radius.
    pub kilometres: f64,
}

/// A page of the events that pass, ordered by the local time at which they start, or with [`EventFilter::include`] by
/// publication.
pub async fn list(database: &Database, filter: &EventFilter, page: PageRequest) -> Result<ListPage<FullEvent>, DbErr> {
    let snapshot = database.snapshot().await?;
    let passing = passing(&snapshot, filter).await?;
    let items = items(&snapshot, filter, passing.clone(), page, Parts::All).await?;
    let total = match days::total(&snapshot, filter).await? {
        Some(total) => total,
        None => Entity::find().filter(passing).count(&snapshot).await?,
    };
    snapshot.commit().await?;
    Ok(ListPage { total, items })
}

/// The same page without the total, and with events that lack their organizers: calendar files need neither.
pub async fn page(database: &Database, filter: &EventFilter, page: PageRequest) -> Result<Vec<FullEvent>, DbErr> {
    let snapshot = database.snapshot().await?;
    let passing = passing(&snapshot, filter).await?;
    let items = items(&snapshot, filter, passing, page, Parts::ButOrganizers).await?;
    snapshot.commit().await?;
    Ok(items)
}

async fn passing(snapshot: &DatabaseTransaction, filter: &EventFilter) -> Result<Condition, DbErr> {
    let categories = terms::find_below(snapshot, &filter.categories).await?;
    Ok(filters::events(filter, &categories, snapshot.get_database_backend()))
}

async fn items(
    snapshot: &DatabaseTransaction,
    filter: &EventFilter,
    passing: Condition,
    page: PageRequest,
    parts: Parts,
) -> Result<Vec<FullEvent>, DbErr> {
    let (first, then) =
        if filter.include.is_some() { (Column::PublishedAtMs, Column::Id) } else { (Column::StartsLocal, Column::Id) };
    let numbers =
        Entity::find().select_only().column(Column::Id).filter(passing).order_by_asc(first).order_by_asc(then);
    let ids: Vec<i64> = numbers.offset(page.offset()).limit(page.size).into_tuple().all(snapshot).await?;
    events::load(snapshot, &ids, parts).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::time::moment::Moment;

    #[test]
    fn only_lists_that_read_little_take_no_turn() {
        let plain = || EventFilter { statuses: vec![Status::Publish], ..EventFilter::default() };
        let day = Moment::from_milliseconds(24 * 60 * 60 * 1_000);
        let window = |start_from: Moment| Window { start_from: Some(start_from), ..Window::default() };
        let search = || Search { required: vec!["maths".to_owned()], ..Search::default() };
        for (filter, is_costly) in [
            (plain(), false),
            (EventFilter { window: window(day), ..plain() }, false),
            (EventFilter { include: Some(vec![5]), search: search(), ..plain() }, false),
            (EventFilter { window: window(day.plus(1)), ..plain() }, true),
            (EventFilter { search: search(), ..plain() }, true),
            (EventFilter { venues: vec![1], search: search(), ..plain() }, true),
            (EventFilter { organizers: vec![1], ..plain() }, true),
            (EventFilter { categories: vec![1], ..plain() }, true),
            (EventFilter { is_featured: Some(true), ..plain() }, true),
        ] {
            assert_eq!(filter.is_costly(), is_costly, "{filter:?}");
        }
    }
}
