//! What the calendar remembers: events, venues, organizers and terms in the own database, and every query of them.
//!
//! Reading goes to `Database::read`. Every change is one transaction of [`writing`], and there is one at a time: what it
//! finds (a slug that is free, a name that exists, a term's count) is still so when it commits.

pub mod authors;
mod counts;
mod days;
mod event_changes;
pub mod event_lists;
mod event_rows;
pub mod events;
mod filters;
mod linked_post_changes;
pub mod linked_posts;
mod links;
mod lock;
pub mod numbers;
mod organizers;
pub mod records;
mod slugs;
mod term_changes;
pub mod terms;
mod venues;

pub use organizers::Organizers;
pub use venues::Venues;

/// Ids of one statement: SQLite takes 32,766 values.
const IDS_PER_STATEMENT: usize = 1_000;

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// From 1.
    pub number: u64,
    /// How many it has at most; not 0.
    pub size: u64,
}

impl PageRequest {
    /// How many come before it.
    const fn offset(self) -> u64 {
        // No list has as many as the database can count.
        let before = self.number.saturating_sub(1).saturating_mul(self.size);
        if before > i64::MAX as u64 { i64::MAX as u64 } else { before }
    }
}

/// One page, and how many there are on all pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage<T> {
    /// On all pages.
    pub total: u64,
    /// Of this page, in order; none past the last page.
    pub items: Vec<T>,
}
