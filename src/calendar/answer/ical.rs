//! Events as a calendar file (RFC 5545), so that students can subscribe to their exams. Times are instants in UTC,
//! which each program shows in its own zone; whole days are dates. The identifier of an event never changes, since
//! programs recognise it by that.

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::block;
use chrono::{Datelike, Days};
use domain::calendar::rendering::plain;
use domain::calendar::status::Status;
use domain::time::moment::Moment;
use icalendar::{Calendar, CalendarDateTime, Class, Component, Event as Entry, EventLike, EventStatus, Property};

use super::event::link;
use super::site::Site;
use crate::calendar::CalendarRequest;
use crate::calendar::events::opening::opens_at;
use crate::calendar::store::records::{Event, FullEvent, Venue};
use crate::error::Error;
use crate::http::encoding;
use crate::http::ready_response::hash;

/// Identifies the program that wrote the file.
const PRODUCT: &str = "-//Exam Hall//Calendar//EN";
/// How often a program should fetch the file again: every hour.
const REFRESHED: &str = "PT1H";
/// Characters of a description: a file may have a thousand of them. The event itself has the whole text.
const DESCRIPTION_CHARACTERS_MAX: usize = 4_000;
/// The beginning of 2020, in seconds of Unix time.
const SEQUENCES_SINCE_SECONDS: i64 = 1_577_836_800;
/// The last year that the format, with four digits, can express.
const LAST_YEAR: i32 = 9_999;

/// Writes the calendar file of these events on a thread that may block: a thousand events take longer than other
/// requests may wait on a worker's thread.
pub async fn write(events: Vec<FullEvent>, site: Site, now: Moment) -> Result<String, Error> {
    block(move || file(&events, &site, now)).await.map_err(Error::internal)
}

/// Answers with a calendar file, or with 304 if the program has it already. Only the `ETag` decides: no event's date of
/// change shows that an event left the list or that a venue changed. With `alone`, it is the file of that event.
#[must_use]
pub fn answer(asked: &CalendarRequest<'_>, body: String, alone: Option<i64>) -> HttpResponse {
    let tag = hash(body.as_bytes());
    let (mut response, is_known) = encoding::begin(asked.headers, &tag, &[(CACHE_CONTROL, "no-cache")]);
    if is_known {
        return response.finish();
    }
    let name = alone.map_or_else(|| "events".to_owned(), |id| format!("event-{id}"));
    response.insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.ics\"")));
    response.insert_header((CONTENT_TYPE, "text/calendar; charset=utf-8")).body(body)
}

fn file(events: &[FullEvent], site: &Site, now: Moment) -> String {
    let mut file = Calendar::empty();
    let lines = [("VERSION", "2.0"), ("PRODID", PRODUCT), ("CALSCALE", "GREGORIAN"), ("METHOD", "PUBLISH")];
    for line in lines {
        file.append_property(line);
    }
    file.append_property(("X-WR-CALNAME", site.host.as_str()));
    file.append_property(Property::new("REFRESH-INTERVAL", REFRESHED).add_parameter("VALUE", "DURATION").done());
    for event in events {
        file.push(entry(event, site, now));
    }
    file.to_string()
}

fn entry(full: &FullEvent, site: &Site, now: Moment) -> Entry {
    let event = &full.event;
    let fields = &event.content.fields;
    let mut entry = Entry::new();
    // The stamp comes from the event too, so that the file of the same events is always the same and gets the same
    // `ETag`.
    let changed_at = changed_at(event, now).utc();
    entry.uid(&format!("event-{}@{}", event.id, site.host)).timestamp(changed_at);
    entry.created(event.content.published_at.utc()).last_modified(changed_at);
    entry.sequence(sequence(event, now));
    entry.summary(&line(&plain(&fields.title))).status(status(event.content.status));
    // The page of an event says no more than its entry, so only another link is written.
    if let Some(link) = link(event, site).filter(|link| !link.is_empty()) {
        entry.url(&link);
    }
    times(&mut entry, full);
    let description = plain(if fields.description.is_empty() { &fields.excerpt } else { &fields.description });
    if !description.is_empty() {
        entry.description(&text(&description));
    }
    if let Some(venue) = &full.venue {
        entry.location(&location(venue));
        if let Some(place) = venue.content.fields.place {
            entry.add_property("GEO", format!("{};{}", place.latitude, place.longitude));
        }
    }
    let terms: Vec<String> = full.categories.iter().chain(&full.tags).map(|term| line(&plain(&term.name))).collect();
    if !terms.is_empty() {
        entry.categories(terms);
    }
    if event.content.status == Status::Private {
        entry.class(Class::Private);
    }
    entry.done()
}

/// When the entry last changed. It does so when an exam opens, since it has the exam's link from then on; a program
/// that goes by the time would otherwise keep the entry without it.
fn changed_at(event: &Event, now: Moment) -> Moment {
    let opened_at = opens_at(event).filter(|opens_at| *opens_at <= now);
    opened_at.map_or(event.modified_at, |opened_at| opened_at.max(event.modified_at))
}

/// Programs keep an entry as it is unless this number has grown: the seconds from 2020 to its last change.
fn sequence(event: &Event, now: Moment) -> u32 {
    u32::try_from(changed_at(event, now).milliseconds() / 1_000 - SEQUENCES_SINCE_SECONDS).unwrap_or_default()
}

/// The end of an event of whole days is the day after it. The format requires an end to be after the start, so any
/// other one is left out. So is one in a year that it cannot express.
fn times(entry: &mut Entry, full: &FullEvent) {
    let fields = &full.event.content.fields;
    let times = fields.times;
    if fields.is_all_day {
        entry.starts(times.start.day());
        if let Some(end) = times.end.day().checked_add_days(Days::new(1)).filter(|end| end.year() <= LAST_YEAR) {
            entry.ends(end);
        }
    } else {
        entry.starts(CalendarDateTime::Utc(times.start_moment.utc()));
        if times.end_moment > times.start_moment {
            entry.ends(CalendarDateTime::Utc(times.end_moment.utc()));
        }
    }
}

const fn status(status: Status) -> EventStatus {
    match status {
        Status::Publish | Status::Private => EventStatus::Confirmed,
        Status::Trash => EventStatus::Cancelled,
        Status::Future | Status::Draft | Status::Pending | Status::AutoDraft | Status::Inherit => {
            EventStatus::Tentative
        }
    }
}

fn location(venue: &Venue) -> String {
    let fields = &venue.content.fields;
    let name = plain(&fields.name);
    let parts = [&name, &fields.address, &fields.city, &fields.state_province, &fields.zip, &fields.country];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).map(|part| line(part)).collect();
    parts.join(", ")
}

/// Replaces characters that would end a line of the file, or have no meaning in it, by blanks.
fn text(text: &str) -> String {
    let harmless = |character: char| {
        if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') { ' ' } else { character }
    };
    text.chars()
        .map(|character| if character == '\n' { character } else { harmless(character) })
        .take(DESCRIPTION_CHARACTERS_MAX)
        .collect()
}

fn line(part: &str) -> String {
    text(part).replace('\n', " ")
}
