//! The fields of an event: from what was sent, and otherwise from the record as it was.

use domain::calendar::events::EventTimes;
use domain::calendar::rendering;
use domain::calendar::wall::Wall;
use domain::calendar::zones::Zone;

use super::invalid;
use crate::calendar::answer::error::CalendarError;
use crate::calendar::draft::{image, title};
use crate::calendar::request::parsed::ParsedValues;
use crate::calendar::store::records::EventFields;

/// Bytes of a description or an excerpt as shown: twice the limit of what is sent, since characters become entities.
const SHOWN_BYTES_MAX: usize = 128 * 1_024;

/// The fields of an event. `website` is the one that was sent, unless it is the derived one. 400 if a rendered text is
/// too long, or if a relative date is outside the calendar in the event's zone.
pub fn of(
    sent: &ParsedValues,
    website: Option<&str>,
    kept: Option<&EventFields>,
) -> Result<EventFields, CalendarError> {
    let truth = |name: &str, kept: Option<bool>| sent.truth(name).or(kept).unwrap_or(false);
    let body = |name: &'static str, kept: Option<&String>| {
        let body = sent.text(name).map(rendering::body).or_else(|| kept.cloned()).unwrap_or_default();
        if body.len() > SHOWN_BYTES_MAX { Err(invalid(name)) } else { Ok(body) }
    };
    let Clocks { times, timezone, is_all_day } = clocks(sent, kept)?;
    Ok(EventFields {
        title: title(sent, "title", kept.map(|kept| &kept.title)),
        description: body("description", kept.map(|kept| &kept.description))?,
        excerpt: body("excerpt", kept.map(|kept| &kept.excerpt))?,
        image: image(sent, kept.and_then(|kept| kept.image.as_ref())),
        times,
        timezone,
        is_all_day,
        cost: sent.cost("cost").or_else(|| kept.map(|kept| kept.cost.as_slice())).unwrap_or_default().to_vec(),
        website: website.map(str::to_owned).or_else(|| kept.and_then(|kept| kept.website.clone())),
        shows_map: truth("show_map", kept.map(|kept| kept.shows_map)),
        shows_map_link: truth("show_map_link", kept.map(|kept| kept.shows_map_link)),
        is_hidden: truth("hide_from_listings", kept.map(|kept| kept.is_hidden)),
        is_sticky: truth("sticky", kept.map(|kept| kept.is_sticky)),
        is_featured: truth("featured", kept.map(|kept| kept.is_featured)),
        venue: kept.and_then(|kept| kept.venue),
        exam: exam(sent, kept),
    })
}

/// The exam as JSON.
fn exam(sent: &ParsedValues, kept: Option<&EventFields>) -> Option<String> {
    match sent.exam("exam") {
        Some(exam) => exam.map(|exam| exam.json().to_string()),
        None => kept.and_then(|kept| kept.exam.clone()),
    }
}

struct Clocks {
    times: EventTimes,
    timezone: String,
    is_all_day: bool,
}

fn clocks(sent: &ParsedValues, kept: Option<&EventFields>) -> Result<Clocks, CalendarError> {
    let is_touched = ["start_date", "end_date", "timezone", "all_day"].into_iter().any(|name| sent.has(name));
    if let Some(kept) = kept.filter(|_| !is_touched) {
        return Ok(Clocks { times: kept.times, timezone: kept.timezone.clone(), is_all_day: kept.is_all_day });
    }
    let kept_zone = || kept.map_or_else(Zone::site, |kept| Zone::of_record(&kept.timezone));
    let zone = sent.zone("timezone").cloned().unwrap_or_else(kept_zone);
    let date = |name: &'static str, kept: Option<Wall>| {
        sent.date(name).map_or(kept, |date| date.on(&zone)).ok_or_else(|| invalid(name))
    };
    let start = date("start_date", kept.map(|kept| kept.times.start))?;
    let end = date("end_date", kept.map(|kept| kept.times.end))?;
    let is_all_day = sent.truth("all_day").or_else(|| kept.map(|kept| kept.is_all_day)).unwrap_or(false);
    Ok(Clocks { times: EventTimes::new(start, end, is_all_day, &zone), timezone: zone.name().to_owned(), is_all_day })
}
