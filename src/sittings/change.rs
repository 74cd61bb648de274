//! The one way to change a sitting: under its lock, in the version that is meant, as another version with an entry on
//! its record, and announced to everyone who waits (`docs/decisions/0066-a-sitting-is-changed-in-one-place.md`).
//!
//! Orders of proctors and changes of a template lock sittings too, in transactions that are about more than one of
//! them, and store through the same lock.

use domain::sitting::Sitting;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::record::ManagedChange;
use super::{SITTING_CHANGED, SITTING_ENDED, Sittings};
use crate::database::Transaction;
use crate::error::Error;
use crate::http::fallback::NOT_FOUND;
use crate::http::if_match::IfMatch;
use crate::store::sittings::{self, LockedSitting};
use crate::store::{attempt_halls, attempt_starts};

/// What a change of a sitting asks of it first, and what follows from the change. Whatever is left out is named.
#[derive(Clone, Copy)]
#[must_use]
pub struct ChangeTerms<'a> {
    if_match: Option<&'a IfMatch>,
    is_for_lasting: bool,
    opens_due_doors: bool,
    moves_attempts: bool,
}

impl<'a> ChangeTerms<'a> {
    /// For the version that the request names, if it names one: 412 for another. The sitting has not ended, its doors
    /// are opened first if they are due (409 if their paper has a list without questions, which the documents of all
    /// such routes name), and the times of those at work follow.
    pub const fn of_version(if_match: &'a IfMatch) -> Self {
        Self { if_match: Some(if_match), ..Self::of_any_version() }
    }

    /// The same for whatever version there is.
    pub const fn of_any_version() -> Self {
        Self { if_match: None, is_for_lasting: true, opens_due_doors: true, moves_attempts: true }
    }

    /// Also for a sitting that has ended.
    pub const fn even_after_the_end(self) -> Self {
        Self { is_for_lasting: false, ..self }
    }

    /// Doors that are due are opened by whoever enters, or by the next change.
    pub const fn leaving_doors(self) -> Self {
        Self { opens_due_doors: false, ..self }
    }

    /// Nobody at work has another time or place by this, or their times are written down later.
    pub const fn leaving_attempts(self) -> Self {
        Self { moves_attempts: false, ..self }
    }

    fn check(self, sitting: &Sitting) -> Result<(), Error> {
        if let Some(if_match) = self.if_match {
            if_match.check(sitting.version, SITTING_CHANGED)?;
        }
        if self.is_for_lasting && sitting.ended_at.is_some() { Err(Error::Conflict(SITTING_ENDED)) } else { Ok(()) }
    }
}

/// What has become of a sitting, with an answer for whoever asked.
pub enum Changed<T> {
    /// It is as it was: nothing is stored, also no doors that were due.
    Nothing(T),
    /// It is another version, and this goes on its record.
    Noted(T, Vec<ManagedChange>),
    /// Only what proctors see of it is another, and this goes on its record. The version stays, as with a mark: those
    /// who wait, who enter and who send `If-Match` have nothing to do with it.
    Marked(T, Vec<ManagedChange>),
    /// It is another version, and nothing goes on its record.
    Unnoted(T),
    /// It is to be removed, with its roster, its paper and its record.
    Removed(T),
}

impl Sittings {
    /// Changes a sitting while nobody else can, on this server or another: by whom and on which terms. When `change`
    /// refuses, nothing is stored. Returns the sitting as it is now.
    ///
    /// # Errors
    /// 404 for an unknown one, and 412 and 409 as the terms say.
    pub async fn change<T>(
        &self,
        by: &str,
        id: Uuid,
        terms: ChangeTerms<'_>,
        change: impl AsyncFnOnce(&mut LockedSitting<'_>, Moment) -> Result<Changed<T>, Error>,
    ) -> Result<(Sitting, T), Error> {
        self.change_if_there(by, id, terms, change).await?.ok_or(Error::NotFound(NOT_FOUND))
    }

    /// The same for those who have found the sitting themselves; `None` if it has been removed since.
    pub async fn change_if_there<T>(
        &self,
        by: &str,
        id: Uuid,
        terms: ChangeTerms<'_>,
        change: impl AsyncFnOnce(&mut LockedSitting<'_>, Moment) -> Result<Changed<T>, Error>,
    ) -> Result<Option<(Sitting, T)>, Error> {
        let transaction = self.database.begin().await?;
        let Some(mut sitting) = sittings::lock(&transaction, id).await? else { return Ok(None) };
        // After the lock: what has begun while this waited for it has begun.
        let now = self.clock.now();
        terms.check(&sitting)?;
        // For a change that changes nothing: doors that are opened below are rolled back with it.
        let before = Sitting::clone(&sitting);
        if terms.opens_due_doors {
            self.open_due_doors(&mut sitting, now).await?;
        }
        let (answer, changes) = match change(&mut sitting, now).await? {
            Changed::Nothing(answer) => {
                transaction.rollback().await?;
                return Ok(Some((before, answer)));
            }
            Changed::Removed(answer) => {
                sittings::delete(sitting).await?;
                self.commit_and_tell(transaction, id).await?;
                return Ok(Some((before, answer)));
            }
            Changed::Marked(answer, changes) => {
                sittings::count_mark(&sitting).await?;
                self.note(&sitting, by, now, changes).await?;
                transaction.commit().await?;
                self.changes.tell_proctors(id);
                return Ok(Some((before, answer)));
            }
            Changed::Noted(answer, changes) => (answer, changes),
            Changed::Unnoted(answer) => (answer, Vec::new()),
        };
        sittings::save(&mut sitting).await?;
        self.note(&sitting, by, now, changes).await?;
        // Before the doors open nobody has entered, so there are no times to move.
        if terms.moves_attempts && sitting.opened_at.is_some() {
            attempt_starts::write_changed(&sitting, self.clock.now()).await?;
            attempt_halls::follow(&sitting, self.clock.now()).await?;
        }
        let sitting = sitting.into_sitting();
        self.commit_and_tell(transaction, id).await?;
        Ok(Some((sitting, answer)))
    }

    /// Commits a change of a sitting that has been stored, and tells everyone who waits for one.
    pub async fn commit_and_tell(&self, transaction: Transaction, id: Uuid) -> Result<(), Error> {
        transaction.commit().await?;
        self.tell(id).await;
        Ok(())
    }

    /// Tells everyone who waits for a change of a sitting that there is one.
    pub(super) async fn tell(&self, id: Uuid) {
        // First, so that whoever asks when told does not get the cached one.
        self.current.forget(id).await;
        self.changes.tell(id);
    }
}
