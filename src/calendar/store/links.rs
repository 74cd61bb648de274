//! Reads the records that events are linked to, for all events of a page at once: one statement for each kind, however
//! long the page is.

use std::collections::HashMap;

use domain::calendar::status::Status;
use entities::calendar::{event_organizer, event_term, organizer, term, venue};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect};

use super::linked_posts::LinkedPosts;
use super::records::{Organizer, Term, Venue};
use super::{IDS_PER_STATEMENT, Organizers, Venues, terms};

/// The terms of these events. Those of each event are ordered by name.
pub(super) async fn find_terms(
    connection: &impl ConnectionTrait,
    events: &[i64],
) -> Result<HashMap<i64, Vec<Term>>, DbErr> {
    let mut found: HashMap<i64, Vec<Term>> = HashMap::new();
    for events in events.chunks(IDS_PER_STATEMENT) {
        let query = event_term::Entity::find()
            .join(
                JoinType::InnerJoin,
                event_term::Entity::belongs_to(term::Entity)
                    .from(event_term::Column::TermId)
                    .to(term::Column::Id)
                    .into(),
            )
            .select_also(term::Entity)
            .filter(event_term::Column::EventId.is_in(events.iter().copied()))
            .order_by_asc(term::Column::NameKey)
            .order_by_asc(term::Column::Id);
        for (link, row) in query.all(connection).await? {
            if let Some(row) = row {
                found.entry(link.event_id).or_default().push(terms::from_row(row)?);
            }
        }
    }
    Ok(found)
}

/// The organizers of these events that are not in the trash. Those of each event are in the order in which they were
/// given.
pub(super) async fn find_organizers(
    connection: &impl ConnectionTrait,
    events: &[i64],
) -> Result<HashMap<i64, Vec<Organizer>>, DbErr> {
    use event_organizer::{Column, Entity};
    let mut found: HashMap<i64, Vec<Organizer>> = HashMap::new();
    for events in events.chunks(IDS_PER_STATEMENT) {
        let query = Entity::find()
            .join(
                JoinType::InnerJoin,
                Entity::belongs_to(organizer::Entity).from(Column::OrganizerId).to(organizer::Column::Id).into(),
            )
            .select_also(organizer::Entity)
            .filter(Column::EventId.is_in(events.iter().copied()))
            .filter(organizer::Column::Status.ne(Status::Trash.name()))
            .order_by_asc(Column::Position);
        for (link, row) in query.all(connection).await? {
            if let Some(row) = row {
                found.entry(link.event_id).or_default().push(Organizers::from_row(row)?);
            }
        }
    }
    Ok(found)
}

/// Those of these venues that are not in the trash, by number.
pub(super) async fn find_venues(connection: &impl ConnectionTrait, ids: &[i64]) -> Result<HashMap<i64, Venue>, DbErr> {
    use venue::{Column, Entity};
    let mut found = HashMap::with_capacity(ids.len());
    for ids in ids.chunks(IDS_PER_STATEMENT) {
        let query = Entity::find()
            .filter(Column::Id.is_in(ids.iter().copied()))
            .filter(Column::Status.ne(Status::Trash.name()));
        for row in query.all(connection).await? {
            found.insert(row.id, Venues::from_row(row)?);
        }
    }
    Ok(found)
}
