//! The tables of the calendar: events, venues, organizers and terms. They share nothing with the tables of exams.

pub mod author;
pub mod day;
pub mod event;
pub mod event_organizer;
pub mod event_term;
pub mod number;
pub mod organizer;
pub mod term;
pub mod text;
pub mod venue;
