//! The calendar: its interface as its clients know it, its store against a naive model in memory, and what must hold when
//! many write at once.

mod book;
mod client;
mod documents;
mod errors;
mod event_lists;
mod events;
mod exams;
mod model;
mod places;
mod races;
mod rights;
mod round_trips;
mod shapes;
mod statements;
mod terms;
mod transport;
mod values;
mod writing;
