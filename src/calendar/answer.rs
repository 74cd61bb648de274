//! The answers of the calendar: shapes, lists, errors and headers as the clients of the original know them.

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
