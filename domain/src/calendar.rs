//! The rules of the calendar: how texts from clients become dates, zones, costs, slugs and safe HTML, who may do what,
//! and which events a list selects. They need no database and no clock, so they are tested alone. Names are those of
//! the interface that `docs/calendar.md` describes; "the original" is the system that this calendar stands in for.

pub mod cost;
pub mod dates;
pub mod events;
pub mod exam;
pub mod rendering;
pub mod rights;
pub mod slug;
pub mod status;
pub mod truth;
pub mod values;
pub mod venues;
pub mod wall;
pub mod window;
pub mod words;
pub mod zones;

/// The site's time zone: the zone of publication dates, of days in a list's window, and of events that name none.
pub const SITE_ZONE: &str = "UTC";

#[cfg(test)]
mod tests;
