//! Questions that are written anew where they stand as they are known, in the database: what a school has changed or
//! retired stays.

use std::collections::HashMap;

use domain::question::Question;
use domain::resources::Importer;
use sea_orm::DbErr;

use super::questions::{ROWS_PER_STATEMENT, load_by_ids_in, write, write_alone};
use super::{edits, retired};
use crate::clock::Clock;
use crate::database::Database;

/// The comment of the edit of a sample question.
const OTHER_LANGUAGE: &str = "Sample question in another language";

/// A question as it is known, and what is written in its place; both have the same id.
#[derive(Clone, Debug)]
pub struct Rewriting {
    pub known: Question,
    pub instead: Question,
}

/// What became of such questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RewriteCounts {
    /// Those that were written anew.
    pub changed: usize,
    /// Those that are neither as they are known nor as they would be written, or retired.
    pub left: usize,
}

impl Rewriting {
    fn is_due(&self, stored: &HashMap<String, Question>) -> bool {
        self.known != self.instead && stored.get(&self.known.id) == Some(&self.known)
    }

    fn is_left(&self, stored: &HashMap<String, Question>) -> bool {
        stored.get(&self.known.id).is_some_and(|there| *there != self.known && *there != self.instead)
    }
}

/// Writes questions anew that stand as they are known, as an import does: what changes is logged as edits, and reports
/// of tests show what was asked.
///
/// # Errors
/// After an error nothing has been written.
pub async fn put(
    database: &Database,
    rewritings: &[Rewriting],
    by: &Importer,
    clock: &Clock,
) -> Result<RewriteCounts, DbErr> {
    let transaction = database.begin().await?;
    write_alone(&transaction).await?;
    let retired = retired::load_ids(&transaction).await?;
    let mut left = rewritings.iter().filter(|rewriting| retired.contains(&rewriting.known.id)).count();
    let mut due = Vec::new();
    // The clock is read while nobody else can change a question.
    let now = clock.now();
    for rewritings in rewritings.chunks(ROWS_PER_STATEMENT) {
        let ids = rewritings.iter().map(|rewriting| rewriting.known.id.as_str());
        let stored = load_by_ids_in(&transaction, ids).await?;
        left += rewritings.iter().filter(|rewriting| rewriting.is_left(&stored)).count();
        let some = rewritings.iter().filter(|rewriting| rewriting.is_due(&stored));
        let some: Vec<Question> = some.map(|rewriting| rewriting.instead.clone()).collect();
        edits::log_import(&transaction, (&stored, some.as_slice()), by, now, OTHER_LANGUAGE).await?;
        due.extend(some);
    }
    if !due.is_empty() {
        write(&transaction, &due, &mut |_| ()).await?;
        transaction.commit().await?;
    }
    Ok(RewriteCounts { changed: due.len(), left })
}
