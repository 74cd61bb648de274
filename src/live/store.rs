//! Attempts in the database: what the journal commits, what seats are built from again, who holds which seat, and what
//! proctors ordered.

mod attempts;
mod claims;
mod commit;
mod entries;
mod orders;
mod rooms;

pub use attempts::{
    Stored, find, find_by_start_key, find_course, find_drawings, find_events, find_overdue, find_room_of,
    find_second_papers, find_token_hash,
};
pub use claims::{
    ClaimMode, ClaimOutcome, FIRST_FENCE, Hold, SeatHolder, find_held, find_holder, find_living, release_lease,
    renew_lease, take,
};
pub use commit::{AttemptEvent, Commit, Entry, Finish, NewAttempt, Write, commit};
pub use orders::apply::{CommandOutcome, ProctorCommand, apply};
pub use orders::pending::{NOTICES_WAITING_MAX, Notice, PendingOrders, find_ordered, mark_taken};
pub use rooms::{ListedSession, find_listed, find_rows};

/// A start may be repeated by its `key` for so long.
const START_KEY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// Rows of one statement: SQLite takes 32,766 values, and no table here has more than 20 columns.
const ROWS_PER_STATEMENT: usize = 1_500;
