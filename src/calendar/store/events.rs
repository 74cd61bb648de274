//! Finds single events with all records that they are linked to. Changes of events are in a file of their own and
//! exported from here.

use std::collections::HashMap;

use entities::calendar::event::{Column, Entity, Model};
use sea_orm::sea_query::{Expr, ExprTrait, SimpleExpr};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};

pub use super::event_changes::{create, publish_due, update};
use super::records::{Event, FullEvent, Taxonomy, Term};
use super::{IDS_PER_STATEMENT, event_rows, links};
use crate::database::Database;

/// The parts of events that are read. A calendar file has up to a thousand events and does not show organizers, of whom
/// each event may have many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    All,
    ButOrganizers,
}

/// The event with this number, whatever its status.
pub async fn find(database: &Database, id: i64) -> Result<Option<FullEvent>, DbErr> {
    let snapshot = database.snapshot().await?;
    let event = load(&snapshot, &[id], Parts::All).await?.pop();
    snapshot.commit().await?;
    Ok(event)
}

/// The event with this slug, whatever its status.
pub async fn find_by_slug(database: &Database, slug: &str) -> Result<Option<FullEvent>, DbErr> {
    let snapshot = database.snapshot().await?;
    let row = Entity::find().filter(of_slug(slug)).one(&snapshot).await?;
    let event = fill(&snapshot, row.into_iter().collect(), Parts::All).await?.pop();
    snapshot.commit().await?;
    Ok(event)
}

/// Returns whether an event has this slug, whatever its status.
pub async fn has_slug(database: &Database, slug: &str) -> Result<bool, DbErr> {
    let found: Option<i64> =
        Entity::find().select_only().column(Column::Id).filter(of_slug(slug)).into_tuple().one(&database.read).await?;
    Ok(found.is_some())
}

/// The index contains no empty slugs. SQLite uses it only if the statement excludes empty slugs as well.
fn of_slug(slug: &str) -> SimpleExpr {
    Column::Slug.eq(slug).and(Expr::cust("slug <> ''"))
}

/// The events with these numbers, in the order of the numbers.
pub(super) async fn load(
    connection: &impl ConnectionTrait,
    ids: &[i64],
    parts: Parts,
) -> Result<Vec<FullEvent>, DbErr> {
    let mut rows = Vec::with_capacity(ids.len());
    for ids in ids.chunks(IDS_PER_STATEMENT) {
        rows.extend(Entity::find().filter(Column::Id.is_in(ids.iter().copied())).all(connection).await?);
    }
    let places: HashMap<i64, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    rows.sort_by_key(|row| places.get(&row.id).copied());
    fill(connection, rows, parts).await
}

async fn fill(connection: &impl ConnectionTrait, rows: Vec<Model>, parts: Parts) -> Result<Vec<FullEvent>, DbErr> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut venue_ids: Vec<i64> = rows.iter().filter_map(|row| row.venue_id).collect();
    venue_ids.sort_unstable();
    venue_ids.dedup();
    let mut terms = links::find_terms(connection, &ids).await?;
    let mut organizers = match parts {
        Parts::All => links::find_organizers(connection, &ids).await?,
        Parts::ButOrganizers => HashMap::new(),
    };
    let venues = links::find_venues(connection, &venue_ids).await?;
    let full = |row: Model| {
        let event: Event = event_rows::from_row(row)?;
        let is_category = |term: &Term| term.taxonomy == Taxonomy::Category;
        let (categories, tags) = terms.remove(&event.id).unwrap_or_default().into_iter().partition(is_category);
        let venue = event.content.fields.venue.and_then(|id| venues.get(&id).cloned());
        let organizers = organizers.remove(&event.id).unwrap_or_default();
        Ok(FullEvent { event, categories, tags, venue, organizers })
    };
    rows.into_iter().map(full).collect()
}
