//! Converts venues into rows of their table and back, for the queries of linked records.

use domain::calendar::status::Status;
use domain::time::moment::Moment;
use entities::calendar::{event, venue};
use sea_orm::ActiveValue::Set;
use sea_orm::Condition;
use sea_orm::sea_query::{Expr, ExprTrait, Query, SelectStatement};

use super::linked_posts::{LinkedPosts, PostColumns};
use super::records::{Coordinates, Record, RecordContent, RecordKind, Venue, VenueFields, name_key};
use crate::store::Unreadable;

/// The venues of events.
#[derive(Clone, Copy, Debug)]
pub struct Venues;

impl PostColumns for venue::Entity {
    const STATUS: venue::Column = venue::Column::Status;
    const AUTHOR: venue::Column = venue::Column::Author;
    const PUBLISHED: venue::Column = venue::Column::PublishedAtMs;
    const NAME_KEY: venue::Column = venue::Column::NameKey;
    const DESCRIPTION: venue::Column = venue::Column::Description;
}

impl LinkedPosts for Venues {
    type Fields = VenueFields;
    type Entity = venue::Entity;
    const KIND: RecordKind = RecordKind::Venue;

    fn to_row(venue: &Venue) -> venue::ActiveModel {
        let RecordContent { author, status, published_at, is_dated, fields } = &venue.content;
        venue::ActiveModel {
            id: Set(venue.id),
            author: Set(*author),
            status: Set(status.name().to_owned()),
            slug: Set(venue.slug.clone()),
            former_slug: Set(venue.former_slug.clone()),
            published_at_ms: Set(published_at.milliseconds()),
            is_dated: Set(*is_dated),
            modified_at_ms: Set(venue.modified_at.milliseconds()),
            name: Set(fields.name.clone()),
            name_key: Set(name_key(&fields.name)),
            description: Set(fields.description.clone()),
            image: Set(fields.image.clone()),
            address: Set(fields.address.clone()),
            city: Set(fields.city.clone()),
            country: Set(fields.country.clone()),
            province: Set(fields.province.clone()),
            state: Set(fields.state.clone()),
            state_province: Set(fields.state_province.clone()),
            zip: Set(fields.zip.clone()),
            phone: Set(fields.phone.clone()),
            website: Set(fields.website.clone()),
            shows_map: Set(fields.shows_map),
            shows_map_link: Set(fields.shows_map_link),
            latitude: Set(fields.place.map(|place| place.latitude)),
            longitude: Set(fields.place.map(|place| place.longitude)),
        }
    }

    fn from_row(row: venue::Model) -> Result<Venue, Unreadable> {
        let fields = VenueFields {
            name: row.name,
            description: row.description,
            image: row.image,
            address: row.address,
            city: row.city,
            country: row.country,
            province: row.province,
            state: row.state,
            state_province: row.state_province,
            zip: row.zip,
            phone: row.phone,
            website: row.website,
            shows_map: row.shows_map,
            shows_map_link: row.shows_map_link,
            place: row.latitude.zip(row.longitude).map(|(latitude, longitude)| Coordinates { latitude, longitude }),
        };
        let content = RecordContent {
            author: row.author,
            status: Status::parse(&row.status).ok_or(Unreadable("status of a venue"))?,
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

    fn texts(fields: &VenueFields) -> Vec<&str> {
        let VenueFields { name, description, address, city, province, state, state_province, zip, phone, .. } = fields;
        vec![name, description, address, city, province, state, state_province, zip, phone]
    }

    fn name_and_description(fields: &VenueFields) -> (&str, &str) {
        (&fields.name, &fields.description)
    }

    fn linked_with(events: Condition) -> SelectStatement {
        let is_linked = Expr::col((event::Entity, event::Column::VenueId)).equals((venue::Entity, venue::Column::Id));
        Query::select()
            .column((event::Entity, event::Column::Id))
            .from(event::Entity)
            .and_where(is_linked)
            .cond_where(events)
            .to_owned()
    }
}
