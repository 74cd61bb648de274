//! Converts organizers into rows of their table and back, for the queries of linked records.

use domain::calendar::status::Status;
use domain::time::moment::Moment;
use entities::calendar::{event, event_organizer, organizer};
use sea_orm::ActiveValue::Set;
use sea_orm::Condition;
use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement};

use super::linked_posts::{LinkedPosts, PostColumns};
use super::records::{Organizer, OrganizerFields, Record, RecordContent, RecordKind, name_key};
use crate::store::Unreadable;

/// The organizers of events.
#[derive(Clone, Copy, Debug)]
pub struct Organizers;

impl PostColumns for organizer::Entity {
    const STATUS: organizer::Column = organizer::Column::Status;
    const AUTHOR: organizer::Column = organizer::Column::Author;
    const PUBLISHED: organizer::Column = organizer::Column::PublishedAtMs;
    const NAME_KEY: organizer::Column = organizer::Column::NameKey;
    const DESCRIPTION: organizer::Column = organizer::Column::Description;
}

impl LinkedPosts for Organizers {
    type Fields = OrganizerFields;
    type Entity = organizer::Entity;
    const KIND: RecordKind = RecordKind::Organizer;

    fn to_row(organizer: &Organizer) -> organizer::ActiveModel {
        let RecordContent { author, status, published_at, is_dated, fields } = &organizer.content;
        organizer::ActiveModel {
            id: Set(organizer.id),
            author: Set(*author),
            status: Set(status.name().to_owned()),
            slug: Set(organizer.slug.clone()),
            former_slug: Set(organizer.former_slug.clone()),
            published_at_ms: Set(published_at.milliseconds()),
            is_dated: Set(*is_dated),
            modified_at_ms: Set(organizer.modified_at.milliseconds()),
            name: Set(fields.name.clone()),
            name_key: Set(name_key(&fields.name)),
            description: Set(fields.description.clone()),
            image: Set(fields.image.clone()),
            phone: Set(fields.phone.clone()),
            website: Set(fields.website.clone()),
            email: Set(fields.email.clone()),
        }
    }

    fn from_row(row: organizer::Model) -> Result<Organizer, Unreadable> {
        let fields = OrganizerFields {
            name: row.name,
            description: row.description,
            image: row.image,
            phone: row.phone,
            website: row.website,
            email: row.email,
        };
        let content = RecordContent {
            author: row.author,
            status: Status::parse(&row.status).ok_or(Unreadable("status of an organizer"))?,
            published_at: Moment::from_milliseconds(row.published_at_ms),
            is_dated: row.is_dated,
            fields,
        };
        Ok(Record {
            id: row.id,
            slug: row.slug,
            former_slug: row.former_slug,
            modified_at: Moment::from_milliseconds(row.modified_at_ms),
            content,
        })
    }

    fn texts(fields: &OrganizerFields) -> Vec<&str> {
        let OrganizerFields { name, description, phone, website, email, .. } = fields;
        vec![name, description, phone, website, email]
    }

    fn name_and_description(fields: &OrganizerFields) -> (&str, &str) {
        (&fields.name, &fields.description)
    }

    fn linked_with(events: Condition) -> SelectStatement {
        use event_organizer::{Column, Entity};
        let is_linked = Expr::col((Entity, Column::EventId)).equals((event::Entity, event::Column::Id));
        let is_its = Expr::col((Entity, Column::OrganizerId)).equals((organizer::Entity, organizer::Column::Id));
        Query::select()
            .column((Entity, Column::EventId))
            .from(Entity)
            .inner_join(event::Entity, is_linked)
            .and_where(is_its)
            .cond_where(events)
            .to_owned()
    }
}
