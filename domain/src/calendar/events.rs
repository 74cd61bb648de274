//! Computes when an event takes place from the dates that were sent.

use super::wall::Wall;
use super::zones::Zone;
use crate::time::moment::Moment;

/// Start and end, as local times in the event's zone and as moments. The end is never before the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTimes {
    /// `start_date`.
    pub start: Wall,
    /// `end_date`.
    pub end: Wall,
    /// `utc_start_date`.
    pub start_moment: Moment,
    /// `utc_end_date`.
    pub end_moment: Moment,
}

impl EventTimes {
    /// The times of an event in `zone`. An event of whole days lasts from 00:00:00 to 23:59:59. Times within a gap of
    /// the clock move forward. An end before the start becomes the start, or the end of its day.
    #[must_use]
    pub fn new(start: Wall, end: Wall, is_all_day: bool, zone: &Zone) -> Self {
        if is_all_day {
            // These are not settled: the event is shown as whole days even where the clock jumps at midnight.
            let (start, end) = (start.day_start(), end.max(start).day_end());
            let start_moment = zone.moment(start);
            return Self { start, end, start_moment, end_moment: zone.moment(end).max(start_moment) };
        }
        let start = zone.settle(start);
        let end = zone.settle(end);
        let end = if end.wall < start.wall { start } else { end };
        Self { start: start.wall, end: end.wall, start_moment: start.moment, end_moment: end.moment.max(start.moment) }
    }
}

#[cfg(test)]
mod tests;
