//! What the calendar answers: its shapes, lists, errors and headers, as clients of the system it stands in for know them.

pub mod error;
pub mod event;
pub mod headers;
pub mod ical;
pub mod json_ld;
pub mod organizer;
pub mod page;
pub mod selection;
pub mod site;
pub mod term;
pub mod values;
pub mod venue;
