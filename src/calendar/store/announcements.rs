//! The events that a feature keeps for things of its own, such as sittings: written in the transaction of what they
//! announce, so that neither is ever stored without the other.

use domain::calendar::events::EventTimes;
use domain::calendar::exam::Exam;
use domain::calendar::rendering;
use domain::calendar::status::Status;
use domain::calendar::zones::Zone;
use domain::time::moment::Moment;
use sea_orm::{DatabaseTransaction, DbErr};

use super::records::{EventFields, EventLinks, PostLink, RecordContent, Reuse, VenueFields};
use super::{authors, event_changes, lock};

/// What an event says of the thing that it announces. Everything else of the event belongs to those who edit it.
pub struct Announcement {
    /// Plain text, not empty.
    pub title: String,
    pub starts_at: Moment,
    /// Not before the start.
    pub ends_at: Moment,
    /// The name of its venue, to which the event is linked. `None` leaves the venue as it is.
    pub venue: Option<String>,
    pub exam: Exam,
    /// The zone of its times, unless somebody has chosen another one in the calendar.
    pub zone: Zone,
    /// Whether an event that is not published is to be, one in the trash too.
    pub is_to_appear: bool,
}

/// Writes the event with this number, or a new one by this author (an e-mail address); returns its number.
pub async fn put(
    transaction: &DatabaseTransaction,
    event: Option<i64>,
    author: &str,
    announcement: Announcement,
    now: Moment,
) -> Result<i64, DbErr> {
    lock::join(transaction).await?;
    let before = match event {
        Some(id) => event_changes::find(transaction, id).await?,
        None => None,
    };
    let author = match &before {
        Some(before) => before.content.author,
        None => authors::assign(transaction, author).await?,
    };
    let Announcement { title, starts_at, ends_at, venue, exam, zone, is_to_appear } = announcement;
    let venue = venue.map(|name| Some(PostLink::Inline(Box::new(of_author(author, venue_named(&name), now)))));
    let links = EventLinks { venue, reuse: Reuse::Anybodys, ..EventLinks::default() };
    let chosen = before.as_ref().map(|before| Zone::of_record(&before.content.fields.timezone));
    let zone = chosen.filter(|chosen| chosen.name() != Zone::site().name()).unwrap_or(zone);
    let times = EventTimes {
        start: zone.wall(starts_at),
        end: zone.wall(ends_at),
        start_moment: starts_at,
        end_moment: ends_at,
    };
    let told = |fields: EventFields| EventFields {
        title: rendering::title(&title),
        times,
        timezone: zone.name().to_owned(),
        is_all_day: false,
        exam: Some(exam.json().to_string()),
        ..fields
    };
    let Some(before) = before else {
        let content = of_author(author, told(empty(times)), now);
        return event_changes::insert(transaction, now, None, content, links).await;
    };
    let kept = before.content.clone();
    let status = if is_to_appear { Status::Publish } else { kept.status };
    let published_at = if is_to_appear { kept.published_at.min(now) } else { kept.published_at };
    let is_dated = kept.is_dated || is_to_appear;
    let content = RecordContent { status, published_at, is_dated, fields: told(kept.fields), author };
    if content != before.content || links.venue.is_some() {
        event_changes::replace(transaction, &before, now, None, content, links).await?;
    }
    Ok(before.id)
}

/// Moves an event to the trash, where it keeps its number until it is to appear again.
pub async fn withdraw(transaction: &DatabaseTransaction, event: i64, now: Moment) -> Result<(), DbErr> {
    lock::join(transaction).await?;
    let Some(before) = event_changes::find(transaction, event).await? else { return Ok(()) };
    if before.content.status == Status::Trash {
        return Ok(());
    }
    let content = RecordContent { status: Status::Trash, ..before.content.clone() };
    event_changes::replace(transaction, &before, now, None, content, EventLinks::default()).await
}

const fn of_author<F>(author: i64, fields: F, now: Moment) -> RecordContent<F> {
    RecordContent { author, status: Status::Publish, published_at: now, is_dated: true, fields }
}

fn empty(times: EventTimes) -> EventFields {
    EventFields {
        title: String::new(),
        description: String::new(),
        excerpt: String::new(),
        image: None,
        times,
        timezone: String::new(),
        is_all_day: false,
        cost: Vec::new(),
        website: None,
        shows_map: false,
        shows_map_link: false,
        is_hidden: false,
        is_sticky: false,
        is_featured: false,
        venue: None,
        exam: None,
    }
}

fn venue_named(name: &str) -> VenueFields {
    let none = String::new;
    VenueFields {
        name: rendering::title(name),
        description: none(),
        image: None,
        address: none(),
        city: none(),
        country: none(),
        province: none(),
        state: none(),
        state_province: none(),
        zip: none(),
        phone: none(),
        website: none(),
        shows_map: true,
        shows_map_link: true,
        place: None,
    }
}
