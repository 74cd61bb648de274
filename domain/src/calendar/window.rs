//! The window of a list of events: the moments between which its events start and end, from the date filters.

use chrono::{Months, TimeDelta};

use super::dates;
use super::wall::Wall;
use super::zones::Zone;
use crate::time::moment::Moment;

/// Months ahead that a list without dates shows. The original has the same default.
const MONTHS_AHEAD: u32 = 24;
/// Milliseconds between possible times of events, which are whole seconds: "later than" means at least this much later.
const SECOND: i64 = 1_000;

/// The date filters of a list as they were sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct DateFilters<'a> {
    /// Events start then or later.
    pub start_date: Option<&'a str>,
    /// Events start before it.
    pub end_date: Option<&'a str>,
    /// Events start later.
    pub starts_after: Option<&'a str>,
    /// Events start earlier.
    pub starts_before: Option<&'a str>,
    /// Events end later.
    pub ends_after: Option<&'a str>,
    /// Events end earlier.
    pub ends_before: Option<&'a str>,
    /// Whether dates count to the second. Otherwise they stand for whole days.
    pub is_strict: bool,
    /// Whether `include` was sent. It names the events, so dates are then ignored.
    pub is_included: bool,
}

/// Bounds of a list of events; `None` means no bound. Times of events are whole seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The event starts at this moment or later.
    pub start_from: Option<Moment>,
    /// The event starts before this moment.
    pub start_before: Option<Moment>,
    /// The event ends at this moment or later.
    pub end_from: Option<Moment>,
    /// The event ends before this moment.
    pub end_before: Option<Moment>,
    /// The parameters that took effect, with their values, for links to further pages.
    pub echo: Vec<(&'static str, String)>,
}

impl Window {
    /// The window for these filters. Days are those of the site's zone. `None` if a date cannot be read.
    #[must_use]
    pub fn read(asked: &DateFilters<'_>, now: Moment) -> Option<Self> {
        let site = Zone::site();
        let date = |text: Option<&str>| text.map_or(Some(None), |text| dates::read(text, now, &site).map(Some));
        let (start, end) = (date(asked.start_date)?, date(asked.end_date)?);
        let (after, before) = (date(asked.starts_after)?, date(asked.starts_before)?);
        let (ends_after, ends_before) = (date(asked.ends_after)?, date(asked.ends_before)?);
        if asked.is_included {
            return Some(Self::default());
        }
        let is_open = [after, before, ends_after, ends_before].iter().any(Option::is_some);
        let today = site.wall(now);
        let first = |wall: Wall| if asked.is_strict { wall } else { wall.day_start() };
        let last = |wall: Wall| if asked.is_strict { wall } else { wall.day_end() };
        let start = start.map(first).or_else(|| (!is_open).then(|| yesterday(today)));
        let end = end.map(last).or_else(|| (!is_open).then(|| months_ahead(today)));
        let [after, before, ends_after, ends_before] =
            [after, before, ends_after, ends_before].map(|wall| wall.map(last));
        let moment = |wall: Wall| site.moment(wall);
        let next = |wall: Wall| site.moment(wall).plus(SECOND);
        // A whole day belongs to the list with its last second; a bound to the second is itself excluded.
        let until = |wall: Wall| if asked.is_strict { moment(wall) } else { next(wall) };
        Some(Self {
            start_from: start.map(moment).max(after.map(next)),
            start_before: least(end.map(until), before.map(moment)),
            end_from: ends_after.map(next),
            end_before: ends_before.map(moment),
            echo: echo(&[
                ("start_date", start),
                ("end_date", end),
                ("starts_before", before),
                ("starts_after", after),
                ("ends_before", ends_before),
                ("ends_after", ends_after),
            ]),
        })
    }
}

fn echo(dates: &[(&'static str, Option<Wall>)]) -> Vec<(&'static str, String)> {
    dates.iter().filter_map(|(name, wall)| wall.map(|wall| (*name, wall.text()))).collect()
}

fn least(one: Option<Moment>, other: Option<Moment>) -> Option<Moment> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn yesterday(today: Wall) -> Wall {
    today.naive().checked_sub_signed(TimeDelta::days(1)).and_then(Wall::new).unwrap_or(today).day_start()
}

fn months_ahead(today: Wall) -> Wall {
    today.naive().checked_add_months(Months::new(MONTHS_AHEAD)).and_then(Wall::new).unwrap_or(today).day_end()
}

#[cfg(test)]
mod tests;
