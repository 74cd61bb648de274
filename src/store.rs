//! The SQL of the assessment tables in the server's own database, one file for each resource.

pub mod accommodations;
pub mod approvals;
pub mod assignments;
pub mod attempt_halls;
pub mod attempt_starts;
pub mod attempt_times;
pub mod attempts;
pub mod audit;
pub mod backups;
pub mod candidates;
pub mod choosable;
pub mod clashes;
pub mod classes;
pub mod correction_list;
pub mod correction_outlook;
pub mod correction_work;
pub mod corrections;
pub mod counted_attempts;
pub mod edits;
pub mod embargo;
pub mod former_questions;
pub mod former_rosters;
pub mod graded;
pub mod guarded_templates;
pub mod imports;
pub mod incidents;
pub mod known_papers;
pub mod late_rows;
pub mod lti;
pub mod lti_ledger;
pub mod lti_places;
pub mod lti_rosters;
pub mod lti_scores;
pub mod lti_waiting;
pub mod many_rows;
pub mod marks;
pub mod measurements;
pub mod openings;
pub mod operations;
pub mod outages;
pub mod pictures;
pub mod question_marks;
pub mod question_types;
pub mod questions;
pub mod receipts;
pub mod releases;
pub mod reopenings;
pub mod results;
pub mod retired;
pub mod reviews;
pub mod rewritten;
pub mod school;
pub mod sealed_parts;
pub mod seats;
pub mod session_keys;
pub mod session_lists;
pub mod session_rows;
pub mod session_versions;
pub mod sessions;
pub mod sign_ins;
pub mod silent_versions;
pub mod sitting_logs;
pub mod sittings;
pub mod standings;
pub mod stats;
pub mod status_messages;
pub mod templates;
pub mod test_students;
pub mod tokens;
mod use_notes;
pub mod users;
pub mod version_rows;
pub mod views;
pub mod written;

use domain::resources::RowPosition;
use sea_orm::{ColumnTrait, Condition, Order};

/// The rows that follow `last` in an order by these two columns.
fn beyond<C: ColumnTrait>(moment: C, id: C, last: RowPosition, order: &Order) -> Condition {
    let (last_moment, last_id) = last;
    let (later, not_before, next) = match order {
        Order::Desc => (moment.lt(last_moment), moment.lte(last_moment), id.lt(last_id)),
        _ => (moment.gt(last_moment), moment.gte(last_moment), id.gt(last_id)),
    };
    let same_moment = Condition::all().add(moment.eq(last_moment)).add(next);
    // The first condition follows from the second. It is there because a database can use an index for it, and cannot
    // for the OR.
    Condition::all().add(not_before).add(Condition::any().add(later).add(same_moment))
}

/// A stored row that this server cannot have written.
#[derive(Debug, thiserror::Error)]
#[error("the stored {0} cannot be read")]
pub struct Unreadable(pub &'static str);

impl From<Unreadable> for sea_orm::DbErr {
    fn from(unreadable: Unreadable) -> Self {
        Self::Custom(unreadable.to_string())
    }
}
