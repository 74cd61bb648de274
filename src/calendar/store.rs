//! The calendar's part of the database: events, venues, organizers and terms, and every query of them.
//!
//! Reads use `Database::read`. Every change is one transaction that `lock::begin` opens, and only one runs at a time.
//! What it finds (a free slug, an existing name, the count of a term) is therefore still true when it commits.

pub mod announcements;
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

/// Ids in one statement: SQLite takes 32,766 values, and other conditions need some of them.
const IDS_PER_STATEMENT: usize = 1_000;

/// The part of a list that is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// The number of the page, from 1.
    pub number: u64,
    /// Items of a page; at least 1.
    pub size: u64,
}

impl PageRequest {
    /// How many items come before the page.
    const fn offset(self) -> u64 {
        // Databases take no larger number than this, and no list is that long.
        let before = self.number.saturating_sub(1).saturating_mul(self.size);
        if before > i64::MAX as u64 { i64::MAX as u64 } else { before }
    }
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPage<T> {
    /// Number of items on all pages.
    pub total: u64,
    /// The items of this page in order. Empty past the last page.
    pub items: Vec<T>,
}
