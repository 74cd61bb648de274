//! Attempts in the database: the commits of the journal, the state from which seats are rebuilt, the claims of servers
//! on seats, and proctors' orders.

mod attempts;
mod beginnings;
mod claims;
mod commit;
mod entries;
pub mod late;
pub mod late_decisions;
pub mod late_files;
mod lines;
mod move_codes;
mod moves;
mod next_ends;
pub(super) mod orders;
mod presences;
mod rooms;
mod sitting_entries;
mod writes;

pub use attempts::{
    PaperHolder, SUBMITTED, Stored, find, find_by_start_key, find_course, find_drawing, find_drawings, find_events,
    find_overdue, find_paper_holder, find_run, find_second_papers, find_token_hash, has_ended,
};
pub use claims::{
    ClaimMode, ClaimOutcome, FIRST_FENCE, Hold, SeatHolder, claim_seats, find_held, find_holder, find_holders,
    find_living, release_lease, renew_lease,
};
pub use commit::commit;
pub use lines::give_line;
pub use move_codes::{NewCode, add_code, count_guesses, find_code_hash};
pub use moves::{MoveOutcome, Moved, Mover, OwnAttempt, add_token, find_own, has_further_token, has_token};
pub use next_ends::Reopening;
pub use orders::command::{CarriedOut, CommandContent, CommandOutcome, ProctorCommand};
pub use orders::pending::{NOTICES_WAITING_MAX, Notice, PendingOrders, find_ordered, mark_taken};
pub use orders::repeats::OrderConnection;
pub use rooms::{ListedSession, SessionPlace, find_listed, find_place_of, find_rows};
pub use writes::{AttemptEvent, Commit, Entry, Finish, NewAttempt, NewEntry, StartChannel, StoredResult, Write};

/// How long a start may be repeated by its `key` (`docs/decisions/0004-start-tokens-from-key-and-salt.md`). A client
/// that has lost the answer can repeat it for the whole day of the exam.
const START_KEY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// Rows of one statement. SQLite accepts 32,766 values in a statement, which is enough for the 42 columns of attempts.
const ROWS_PER_STATEMENT: usize = 780;

#[cfg(test)]
mod tests {
    use entities::{attempt, attempt_event, journal_entry, seat};
    use sea_orm::Iterable;

    use super::*;

    #[test]
    fn a_statement_has_no_more_values_than_sqlite_accepts() {
        let columns = [
            attempt::Column::iter().count(),
            attempt_event::Column::iter().count(),
            journal_entry::Column::iter().count(),
            seat::Column::iter().count(),
        ];
        let most = columns.into_iter().max().unwrap();
        assert!(ROWS_PER_STATEMENT * most <= 32_766, "{ROWS_PER_STATEMENT} rows of {most} columns");
    }
}
