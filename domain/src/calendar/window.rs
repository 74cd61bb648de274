//! The window of a list of events: the moments between which its events start and end, from the date filters.

use chrono::{Months, TimeDelta};

use super::wall::Wall;
use super::zones::Zone;
use crate::time::moment::Moment;

/// Months ahead that a list without dates shows. The original has the same default.
const MONTHS_AHEAD: u32 = 24;
/// Milliseconds between possible times of events, which are whole seconds: "later than" means at least this much later.
const SECOND: i64 = 1_000;

/// The date filters of a list, on the clocks of the site.
#[derive(Clone, Copy, Debug, Default)]
pub struct DateFilters {
    /// Events start then or later.
    pub start_date: Option<Wall>,
    /// Events start before it.
    pub end_date: Option<Wall>,
    /// Events start later.
    pub starts_after: Option<Wall>,
    /// Events start earlier.
    pub starts_before: Option<Wall>,
    /// Events end later.
    pub ends_after: Option<Wall>,
    /// Events end earlier.
    pub ends_before: Option<Wall>,
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
    /// The window for these filters. Days are those of the site's zone.
    #[must_use]
    pub fn new(asked: DateFilters, now: Moment) -> Self {
        if asked.is_included {
            return Self::default();
        }
        let site = Zone::site();
        let DateFilters { starts_after, starts_before, ends_after, ends_before, .. } = asked;
        let is_open = [starts_after, starts_before, ends_after, ends_before].iter().any(Option::is_some);
        let today = site.wall(now);
        let first = |wall: Wall| if asked.is_strict { wall } else { wall.day_start() };
        let last = |wall: Wall| if asked.is_strict { wall } else { wall.day_end() };
        let start = asked.start_date.map(first).or_else(|| (!is_open).then(|| yesterday(today)));
        let end = asked.end_date.map(last).or_else(|| (!is_open).then(|| months_ahead(today)));
        let [after, before, ends_after, ends_before] =
            [starts_after, starts_before, ends_after, ends_before].map(|wall| wall.map(last));
        let moment = |wall: Wall| site.moment(wall);
        let next = |wall: Wall| site.moment(wall).plus(SECOND);
        // A whole day belongs to the list with its last second; a bound to the second is itself excluded.
        let until = |wall: Wall| if asked.is_strict { moment(wall) } else { next(wall) };
        Self {
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
        }
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
