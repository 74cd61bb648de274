//! The fields of an event: from what was sent, and otherwise from the record as it was.

use domain::calendar::cost::number_text;
use domain::calendar::events::EventTimes;
use domain::calendar::exam::Exam;
use domain::calendar::wall::Wall;
use domain::calendar::zones::Zone;
use domain::calendar::{dates, rendering, truth};
use domain::time::moment::Moment;
use serde_json::Value;

use super::invalid;
use crate::calendar::answer::error::CalendarError;
use crate::calendar::draft::{SentValues, text};
use crate::calendar::request::parameters::text_of;
use crate::calendar::store::records::EventFields;

/// Bytes of a description or an excerpt as shown: twice the limit of what is sent, since characters become entities.
const SHOWN_BYTES_MAX: usize = 128 * 1_024;

/// The fields of an event. 400 if a rendered text is too long. Dates were checked before, so they fail only next to the
/// values of the record.
pub fn of(sent: &SentValues<'_>, kept: Option<&EventFields>, now: Moment) -> Result<EventFields, CalendarError> {
    let truth = |name: &str, kept: Option<bool>| sent(name).as_ref().and_then(truth::checked).or(kept).unwrap_or(false);
    let body = |name: &'static str, kept: Option<&String>| {
        let body = text(sent, name).map(|text| rendering::body(&text)).or_else(|| kept.cloned()).unwrap_or_default();
        if body.len() > SHOWN_BYTES_MAX { Err(invalid(name)) } else { Ok(body) }
    };
    let Clocks { times, timezone, is_all_day } = clocks(sent, kept, now)?;
    Ok(EventFields {
        title: text(sent, "title")
            .map(|title| rendering::title(&title))
            .or_else(|| kept.map(|kept| kept.title.clone()))
            .unwrap_or_default(),
        description: body("description", kept.map(|kept| &kept.description))?,
        excerpt: body("excerpt", kept.map(|kept| &kept.excerpt))?,
        image: image(sent, kept),
        times,
        timezone,
        is_all_day,
        cost: sent("cost").map(|cost| costs(&cost)).or_else(|| kept.map(|kept| kept.cost.clone())).unwrap_or_default(),
        website: text(sent, "website").or_else(|| kept.and_then(|kept| kept.website.clone())),
        shows_map: truth("show_map", kept.map(|kept| kept.shows_map)),
        shows_map_link: truth("show_map_link", kept.map(|kept| kept.shows_map_link)),
        is_hidden: truth("hide_from_listings", kept.map(|kept| kept.is_hidden)),
        is_sticky: truth("sticky", kept.map(|kept| kept.is_sticky)),
        is_featured: truth("featured", kept.map(|kept| kept.is_featured)),
        venue: kept.and_then(|kept| kept.venue),
        exam: exam(sent, kept),
    })
}

/// A picture. `false`, which an event without a picture shows, removes it. An object is the form in which answers show
/// it, and stands for its link.
fn image(sent: &SentValues<'_>, kept: Option<&EventFields>) -> Option<String> {
    match sent("image") {
        Some(Value::Bool(_)) => None,
        Some(Value::Object(shown)) => shown.get("url").and_then(text_of),
        Some(value) => text_of(&value),
        None => kept.and_then(|kept| kept.image.clone()),
    }
}

/// The texts of a cost as they were sent. They are read each time the cost is shown.
fn costs(sent: &Value) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::Number(number) => Some(number_text(number)),
        value => text_of(value),
    };
    match sent {
        Value::Array(items) => items.iter().filter_map(text).collect(),
        value => text(value).into_iter().collect(),
    }
}

/// The exam as JSON. An empty one removes it.
fn exam(sent: &SentValues<'_>, kept: Option<&EventFields>) -> Option<String> {
    match sent("exam") {
        Some(value) => Exam::read(&value).flatten().map(|exam| exam.json().to_string()),
        None => kept.and_then(|kept| kept.exam.clone()),
    }
}

struct Clocks {
    times: EventTimes,
    timezone: String,
    is_all_day: bool,
}

fn clocks(sent: &SentValues<'_>, kept: Option<&EventFields>, now: Moment) -> Result<Clocks, CalendarError> {
    let is_touched = ["start_date", "end_date", "timezone", "all_day"].into_iter().any(|name| sent(name).is_some());
    if let Some(kept) = kept.filter(|_| !is_touched) {
        return Ok(Clocks { times: kept.times, timezone: kept.timezone.clone(), is_all_day: kept.is_all_day });
    }
    let zone = match text(sent, "timezone").filter(|name| !name.is_empty()) {
        Some(name) => Zone::parse(&name).ok_or_else(|| invalid("timezone"))?,
        None => {
            kept.filter(|_| sent("timezone").is_none()).map_or_else(Zone::site, |kept| Zone::of_record(&kept.timezone))
        }
    };
    let date = |name: &'static str, kept: Option<Wall>| {
        let read = text(sent, name).map(|text| dates::read(&text, now, &zone).ok_or_else(|| invalid(name)));
        read.or_else(|| kept.map(Ok)).unwrap_or_else(|| Err(invalid(name)))
    };
    let start = date("start_date", kept.map(|kept| kept.times.start))?;
    let end = date("end_date", kept.map(|kept| kept.times.end))?;
    let is_all_day =
        sent("all_day").as_ref().and_then(truth::checked).or_else(|| kept.map(|kept| kept.is_all_day)).unwrap_or(false);
    Ok(Clocks { times: EventTimes::new(start, end, is_all_day, &zone), timezone: zone.name().to_owned(), is_all_day })
}
