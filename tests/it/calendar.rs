//! The calendar: its interface as clients use it, its store compared with a naive model in memory, and concurrent
//! writes.

mod book;
mod client;
mod event_lists;
mod events;
mod exams;
mod model;
mod openings;
mod places;
mod races;
mod statements;
mod terms;
mod writing;

#[path = "calendar"]
mod edge {
    use super::*;

    mod documents;
    mod errors;
    mod event_pages;
    mod rights;
    mod round_trips;
    mod shapes;
    mod transport;
    mod values;
}
