//! What the calendar decides: how texts that clients send become dates, zones, costs, slugs and safe HTML, who may do
//! what, and which events a list asks for. The names are those of `calendar.md` and `calendar-contract.md`.

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

/// The zone of the site: that of publication dates, of the days of a list's window, and of events that name none.
pub const SITE_ZONE: &str = "UTC";

#[cfg(test)]
mod tests;
