//! Which tests count: those of a platform's view of a student do not, of which each has the same account.

use domain::lti::link::TEST_STUDENT;
use sea_orm::{ColumnTrait, Condition};

/// The condition that a test is nobody's try in the view of a student, by the column of its account.
#[must_use]
pub fn counts(account: impl ColumnTrait) -> Condition {
    Condition::any().add(account.is_null()).add(account.ne(TEST_STUDENT))
}
