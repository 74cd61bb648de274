//! Converts events into rows of their table and back. It has no queries, so that the long list of columns stands alone.

use domain::calendar::events::EventTimes;
use domain::calendar::exam::Exam;
use domain::calendar::status::Status;
use domain::calendar::wall::Wall;
use domain::calendar::words;
use domain::time::moment::Moment;
use entities::calendar::event::{ActiveModel, Model};
use sea_orm::ActiveValue::Set;
use sea_orm::DbErr;

use super::records::{Event, EventFields, RecordContent};
use crate::store::Unreadable;

/// The row of an event. It fails only if the cost cannot become JSON, which does not happen.
pub(super) fn to_row(event: &Event) -> Result<ActiveModel, DbErr> {
    let RecordContent { author, status, published_at, is_dated, fields } = &event.content;
    let EventFields { title, description, excerpt, times, .. } = fields;
    let exam = fields.exam.as_deref().and_then(Exam::parse);
    Ok(ActiveModel {
        id: Set(event.id),
        author: Set(*author),
        status: Set(status.name().to_owned()),
        slug: Set(event.slug.clone()),
        former_slug: Set(event.former_slug.clone()),
        published_at_ms: Set(published_at.milliseconds()),
        is_dated: Set(*is_dated),
        modified_at_ms: Set(event.modified_at.milliseconds()),
        title: Set(title.clone()),
        description: Set(description.clone()),
        excerpt: Set(excerpt.clone()),
        image: Set(fields.image.clone()),
        is_all_day: Set(fields.is_all_day),
        starts_local: Set(times.start.text()),
        ends_local: Set(times.end.text()),
        starts_at_ms: Set(times.start_moment.milliseconds()),
        ends_at_ms: Set(times.end_moment.milliseconds()),
        timezone: Set(fields.timezone.clone()),
        cost: Set(serde_json::to_string(&fields.cost).map_err(|error| DbErr::Custom(error.to_string()))?),
        website: Set(fields.website.clone()),
        shows_map: Set(fields.shows_map),
        shows_map_link: Set(fields.shows_map_link),
        is_hidden: Set(fields.is_hidden),
        is_sticky: Set(fields.is_sticky),
        is_featured: Set(fields.is_featured),
        venue_id: Set(fields.venue),
        exam: Set(fields.exam.clone()),
        exam_template: Set(exam.and_then(Exam::template).map(|id| id.to_string())),
        exam_opens_at_ms: Set(exam.and_then(|exam| exam.opens_at(times.start_moment)).map(Moment::milliseconds)),
        search: Set(words::haystack(&[title, description, excerpt])),
    })
}

/// The event of a row. It fails only if this server could not have written the row.
pub(super) fn from_row(row: Model) -> Result<Event, Unreadable> {
    let wall = |text: &str| Wall::parse(text).ok_or(Unreadable("time of an event"));
    let times = EventTimes {
        start: wall(&row.starts_local)?,
        end: wall(&row.ends_local)?,
        start_moment: Moment::from_milliseconds(row.starts_at_ms),
        end_moment: Moment::from_milliseconds(row.ends_at_ms),
    };
    let fields = EventFields {
        title: row.title,
        description: row.description,
        excerpt: row.excerpt,
        image: row.image,
        times,
        timezone: row.timezone,
        is_all_day: row.is_all_day,
        cost: serde_json::from_str(&row.cost).map_err(|_| Unreadable("cost of an event"))?,
        website: row.website,
        shows_map: row.shows_map,
        shows_map_link: row.shows_map_link,
        is_hidden: row.is_hidden,
        is_sticky: row.is_sticky,
        is_featured: row.is_featured,
        venue: row.venue_id,
        exam: row.exam,
    };
    let content = RecordContent {
        author: row.author,
        status: Status::parse(&row.status).ok_or(Unreadable("status of an event"))?,
        published_at: Moment::from_milliseconds(row.published_at_ms),
        is_dated: row.is_dated,
        fields,
    };
    Ok(Event {
        id: row.id,
        slug: row.slug,
        former_slug: row.former_slug,
        modified_at: Moment::from_milliseconds(row.modified_at_ms),
        content,
    })
}
