//! The window of a list of events: which dates are asked for, and between which moments its events begin and end.

use chrono::{Months, TimeDelta};

use super::dates;
use super::wall::Wall;
use super::zones::Zone;
use crate::time::moment::Moment;

/// Months ahead that a list without dates shows.
const MONTHS_AHEAD: u32 = 24;
/// Times of events are whole seconds, so that later than a second is the next one.
const SECOND: i64 = 1_000;

/// The date filters as they were sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct DateFilters<'a> {
    /// Events begin then or later.
    pub start_date: Option<&'a str>,
    /// Events begin before.
    pub end_date: Option<&'a str>,
    /// Events begin later.
    pub starts_after: Option<&'a str>,
    /// Events begin earlier.
    pub starts_before: Option<&'a str>,
    /// Events end later.
    pub ends_after: Option<&'a str>,
    /// Events end earlier.
    pub ends_before: Option<&'a str>,
    /// Whether dates are taken to the second, instead of as whole days.
    pub is_strict: bool,
    /// Whether `include` was sent, with which no date counts.
    pub is_included: bool,
}

/// Bounds of a list of events; `None` where there is none. Times of events are whole seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The event begins at this moment or later.
    pub start_from: Option<Moment>,
    /// The event begins before this moment.
    pub start_before: Option<Moment>,
    /// The event ends at this moment or later.
    pub end_from: Option<Moment>,
    /// The event ends before this moment.
    pub end_before: Option<Moment>,
    /// The parameters that counted with their values, as links have them.
    pub echo: Vec<(&'static str, String)>,
}

impl Window {
    /// The window that was asked for. Days are those of the site's zone. `None` when a date is none.
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
        // A day belongs to the list as a whole; a date that is taken to the second does not.
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
