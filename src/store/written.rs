//! Questions that are written here, as they come into the database: with their author and the first entry of their
//! history.

use domain::exchange::written::WrittenQuestion;
use domain::picture::stored_digest;
use domain::question::Question;
use domain::resources::{Edit, Importer};
use domain::review::changes_by_writing;
use entities::question;
use sea_orm::{DbErr, EntityTrait};
use thiserror::Error as ThisError;
use uuid::Uuid;

use super::questions::{StoredMarks, load_by_ids_in, raise_version, row_of_written, write_alone};
use super::{edits, pictures, retired};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::Error;

/// The comment of the first entry in the history of a question.
const WRITTEN: &str = "Written";

/// Why a question is not stored.
#[derive(Debug, ThisError)]
pub enum WriteError {
    /// It was stored before, and is retired.
    #[error("the question is retired")]
    Retired,
    /// Its picture is not among those that are stored here.
    #[error("the picture is not stored here")]
    NoPicture,
    /// The database or the external service has failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<DbErr> for WriteError {
    fn from(cause: DbErr) -> Self {
        Self::Failed(Error::from(cause))
    }
}

/// The first entry in the history of a question.
#[must_use]
pub fn first_edit(question: &Question, by: &Importer, clock: &Clock) -> Edit {
    Edit {
        id: Uuid::new_v4(),
        question_id: question.id.clone(),
        grade: question.grade,
        edited_by: by.email.clone(),
        edited_by_name: by.name.clone(),
        edited_at: clock.now(),
        changes: changes_by_writing(question),
        comment: WRITTEN.to_owned(),
    }
}

/// Stores a question that somebody has written, unless there is one of its id. Returns the one that is there now.
///
/// # Errors
/// After an error nothing has been written.
pub async fn put(
    database: &Database,
    written: WrittenQuestion,
    by: &Importer,
    clock: &Clock,
) -> Result<Question, WriteError> {
    let WrittenQuestion { question, secure, practice } = written;
    let transaction = database.begin().await?;
    write_alone(&transaction).await?;
    if let Some(there) = load_by_ids_in(&transaction, [question.id.as_str()]).await?.remove(&question.id) {
        return Ok(there);
    }
    if retired::has(&transaction, Some(&question.id)).await? {
        return Err(WriteError::Retired);
    }
    let picture = stored_digest(&question.image);
    if picture.is_some() && pictures::mark_used(&transaction, picture.into_iter()).await? == 0 {
        return Err(WriteError::NoPicture);
    }
    let row = row_of_written(&question, StoredMarks { secure, practice }, Some(by.email.clone()))?;
    question::Entity::insert(row).exec_without_returning(&transaction).await?;
    raise_version(&transaction, question.grade).await?;
    edits::log(&transaction, first_edit(&question, by, clock)).await?;
    transaction.commit().await?;
    Ok(question)
}
