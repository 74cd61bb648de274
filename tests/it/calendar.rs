//! The calendar: its interface as clients use it, its store compared with a naive model in memory, and concurrent
//! writes.

mod book;
mod client;
mod documents;
mod errors;
mod event_lists;
mod event_pages;
mod events;
mod exams;
mod model;
mod openings;
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
