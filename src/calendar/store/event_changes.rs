//! Changes of events. Each is one transaction, with the venue, the organizers and the terms that the event brings
//! along.

use std::collections::{BTreeSet, HashSet};

use domain::calendar::status::Status;
use domain::time::moment::Moment;
use entities::calendar::{event, event_organizer, event_term};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect};

use super::lock::begin;
use super::records::{Event, EventFields, EventLinks, FullEvent, RecordContent, RecordKind, Taxonomy};
use super::slugs::{self, Naming};
use super::{Organizers, Venues, counts, days, event_rows, events, linked_post_changes, links, numbers, term_changes};
use crate::database::{Database, Transaction};
use crate::store::Unreadable;

/// Scheduled events that one transaction publishes. It must not block other changes for long; the rest follows with
/// later requests.
const PUBLISHED_AT_ONCE: u64 = 500;

/// The records that an event is linked to, by number; `None` means that a link stays as it is.
struct EventLinkNumbers {
    venue: Option<Option<i64>>,
    organizers: Option<Vec<i64>>,
    categories: Option<Vec<i64>>,
    tags: Option<Vec<i64>>,
}

/// Stores a new event. `slug` is what was sent, in the form of slugs. The venue comes from [`EventLinks::venue`];
/// [`EventFields::venue`] is ignored.
pub async fn create(
    database: &Database,
    now: Moment,
    slug: Option<&str>,
    content: RecordContent<EventFields>,
    links: EventLinks,
) -> Result<FullEvent, DbErr> {
    let (_turn, transaction) = begin(database).await?;
    let id = insert(&transaction, now, slug, content, links).await?;
    finish(transaction, id).await
}

/// Stores a new event in a transaction in which no other change can run; returns its number.
pub(super) async fn insert(
    transaction: &DatabaseTransaction,
    now: Moment,
    slug: Option<&str>,
    content: RecordContent<EventFields>,
    links: EventLinks,
) -> Result<i64, DbErr> {
    let linked = resolve(transaction, now, links).await?;
    let id = numbers::draw(transaction, RecordKind::Event).await?;
    let naming = Naming { id, sent: slug, text: &content.fields.title, may_be_empty: content.status.is_unfinished() };
    let slug = slugs::first::<event::Entity>(transaction, &naming).await?;
    let mut event = Event { id, slug, former_slug: None, modified_at: now, content };
    event.content.fields.venue = linked.venue.flatten();
    event::Entity::insert(event_rows::to_row(&event)?).exec_without_returning(transaction).await?;
    days::change(transaction, None, &event).await?;
    set_organizers(transaction, id, linked.organizers.as_deref()).await?;
    set_terms(transaction, None, &event, linked.categories, linked.tags).await?;
    Ok(id)
}

/// Changes an event while no other change can run. `change` gets the current event and returns its new content; if it
/// refuses, nothing is stored. The result is `None` if no event has this number. `slug` is what was sent, in the form
/// of slugs. Without it the event keeps its own slug, and gets it back when it leaves the trash.
pub async fn update<E>(
    database: &Database,
    id: i64,
    now: Moment,
    slug: Option<&str>,
    links: EventLinks,
    change: impl FnOnce(&Event) -> Result<RecordContent<EventFields>, E>,
) -> Result<Option<Result<FullEvent, E>>, DbErr> {
    let (_turn, transaction) = begin(database).await?;
    let Some(before) = find(&transaction, id).await? else {
        return transaction.rollback().await.map(|()| None);
    };
    let content = match change(&before) {
        Ok(content) => content,
        Err(refusal) => return transaction.rollback().await.map(|()| Some(Err(refusal))),
    };
    replace(&transaction, &before, now, slug, content, links).await?;
    finish(transaction, id).await.map(|event| Some(Ok(event)))
}

/// Gives an event new content in a transaction in which no other change can run.
pub(super) async fn replace(
    transaction: &DatabaseTransaction,
    before: &Event,
    now: Moment,
    slug: Option<&str>,
    content: RecordContent<EventFields>,
    links: EventLinks,
) -> Result<(), DbErr> {
    let id = before.id;
    let linked = resolve(transaction, now, links).await?;
    let naming = Naming { id, sent: slug, text: &content.fields.title, may_be_empty: content.status.is_unfinished() };
    let (slug, former_slug) = slugs::next::<event::Entity, _>(transaction, before, content.status, &naming).await?;
    let mut after = Event { id, slug, former_slug, modified_at: now, content };
    after.content.fields.venue = linked.venue.unwrap_or(before.content.fields.venue);
    store(transaction, &after).await?;
    days::change(transaction, Some(before), &after).await?;
    set_organizers(transaction, id, linked.organizers.as_deref()).await?;
    set_terms(transaction, Some(before), &after, linked.categories, linked.tags).await
}

/// Publishes events that are due, and returns how many there were.
pub async fn publish_due(database: &Database, now: Moment) -> Result<u64, DbErr> {
    use event::{Column, Entity};
    let is_due = || Column::PublishedAtMs.lte(now.milliseconds()).and(super::filters::has_status(&[Status::Future]));
    if Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(is_due())
        .limit(1)
        .into_tuple::<i64>()
        .one(&database.read)
        .await?
        .is_none()
    {
        return Ok(0);
    }
    let (_turn, transaction) = begin(database).await?;
    let due = Entity::find().filter(is_due()).limit(PUBLISHED_AT_ONCE).all(&transaction).await?;
    let ids: Vec<i64> = due.iter().map(|row| row.id).collect();
    let published = Expr::value(Status::Publish.name());
    Entity::update_many()
        .col_expr(Column::Status, published)
        .filter(Column::Id.is_in(ids.iter().copied()))
        .exec(&transaction)
        .await?;
    let mut terms = links::find_terms(&transaction, &ids).await?;
    for row in due {
        let before = event_rows::from_row(row)?;
        let after =
            Event { content: RecordContent { status: Status::Publish, ..before.content.clone() }, ..before.clone() };
        days::change(&transaction, Some(&before), &after).await?;
        let its_terms = terms.remove(&after.id).unwrap_or_default().into_iter().map(|term| term.id).collect();
        counts::change(&transaction, &BTreeSet::new(), &its_terms).await?;
    }
    transaction.commit().await?;
    Ok(ids.len() as u64)
}

async fn finish(transaction: Transaction, id: i64) -> Result<FullEvent, DbErr> {
    let event = events::load(&transaction, &[id], events::Parts::All).await?.pop().ok_or(Unreadable("event"))?;
    transaction.commit().await?;
    Ok(event)
}

pub(super) async fn find(transaction: &DatabaseTransaction, id: i64) -> Result<Option<Event>, DbErr> {
    let row = event::Entity::find_by_id(id).one(transaction).await?;
    Ok(row.map(event_rows::from_row).transpose()?)
}

async fn store(transaction: &DatabaseTransaction, event: &Event) -> Result<(), DbErr> {
    let row = event_rows::to_row(event)?;
    event::Entity::update_many().set(row).filter(event::Column::Id.eq(event.id)).exec(transaction).await.map(|_| ())
}

async fn resolve(transaction: &DatabaseTransaction, now: Moment, links: EventLinks) -> Result<EventLinkNumbers, DbErr> {
    let EventLinks { venue, organizers, categories, tags, reuse } = links;
    let venue = match venue {
        None => None,
        Some(None) => Some(None),
        Some(Some(link)) => Some(Some(linked_post_changes::resolve::<Venues>(transaction, now, link, reuse).await?)),
    };
    let organizers = match organizers {
        None => None,
        Some(links) => {
            let mut ids = Vec::with_capacity(links.len());
            for link in links {
                ids.push(linked_post_changes::resolve::<Organizers>(transaction, now, link, reuse).await?);
            }
            Some(ids)
        }
    };
    let categories = match categories {
        None => None,
        Some(wishes) => Some(term_changes::resolve(transaction, Taxonomy::Category, wishes).await?),
    };
    let tags = match tags {
        None => None,
        Some(wishes) => Some(term_changes::resolve(transaction, Taxonomy::Tag, wishes).await?),
    };
    Ok(EventLinkNumbers { venue, organizers, categories, tags })
}

async fn set_organizers(
    transaction: &DatabaseTransaction,
    event: i64,
    organizers: Option<&[i64]>,
) -> Result<(), DbErr> {
    use event_organizer::{ActiveModel, Column, Entity};
    let Some(organizers) = organizers else { return Ok(()) };
    Entity::delete_many().filter(Column::EventId.eq(event)).exec(transaction).await?;
    let mut seen = HashSet::new();
    let distinct = organizers.iter().filter(|id| seen.insert(**id));
    let row = |(position, id): (i32, &i64)| ActiveModel {
        event_id: Set(event),
        organizer_id: Set(*id),
        position: Set(position),
    };
    let rows: Vec<ActiveModel> = (0..).zip(distinct).map(row).collect();
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// Links the event to its terms, and updates their counts, in which only published events count.
async fn set_terms(
    transaction: &DatabaseTransaction,
    before: Option<&Event>,
    after: &Event,
    categories: Option<Vec<i64>>,
    tags: Option<Vec<i64>>,
) -> Result<(), DbErr> {
    let former = find_term_ids(transaction, after.id).await?;
    let of = |taxonomy: Taxonomy| {
        former.iter().filter(move |(_, one)| *one == taxonomy).map(|(id, _)| *id).collect::<Vec<i64>>()
    };
    let wanted = [categories.unwrap_or_else(|| of(Taxonomy::Category)), tags.unwrap_or_else(|| of(Taxonomy::Tag))];
    let wanted: BTreeSet<i64> = wanted.into_iter().flatten().collect();
    let former: BTreeSet<i64> = former.into_iter().map(|(id, _)| id).collect();
    let gone: Vec<i64> = former.difference(&wanted).copied().collect();
    let new: Vec<i64> = wanted.difference(&former).copied().collect();
    if !gone.is_empty() {
        use event_term::Column;
        event_term::Entity::delete_many()
            .filter(Column::EventId.eq(after.id))
            .filter(Column::TermId.is_in(gone))
            .exec(transaction)
            .await?;
    }
    if !new.is_empty() {
        let row = |id: i64| event_term::ActiveModel { event_id: Set(after.id), term_id: Set(id) };
        event_term::Entity::insert_many(new.into_iter().map(row)).exec_without_returning(transaction).await?;
    }
    let counted = |event: &Event, terms: BTreeSet<i64>| {
        if event.content.status == Status::Publish { terms } else { BTreeSet::new() }
    };
    let was_counted = before.map_or_else(BTreeSet::new, |before| counted(before, former));
    counts::change(transaction, &was_counted, &counted(after, wanted)).await
}

async fn find_term_ids(transaction: &DatabaseTransaction, event: i64) -> Result<Vec<(i64, Taxonomy)>, DbErr> {
    let of_event = links::find_terms(transaction, &[event]).await?;
    Ok(of_event.into_values().flatten().map(|term| (term.id, term.taxonomy)).collect())
}
