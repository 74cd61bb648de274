//! Imports of questions in the database: what they write, and what they would change.

use std::collections::{HashMap, HashSet};

use domain::exchange::{CHANGES_MAX, ImportPreview, QuestionRows, StoredRowMarks};
use domain::picture::stored_digest;
use domain::question::Question;
use domain::resources::{Importer, WriteCounts};
use entities::question;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect};

use super::pictures::NewPicture;
use super::question_marks::{ImportedMarks, find_practice, mark};
use super::questions::{
    ROWS_PER_STATEMENT, WriteProgress, find_secure, from_row, load_by_ids, load_by_ids_in, write, write_alone,
};
use super::{Unreadable, edits, pictures, retired};
use crate::clock::Clock;
use crate::database::Database;

/// Adds and overwrites the questions of a workbook's rows, and stores those of the pictures that they show. Fields for
/// which a row's sheet has no column keep their values, and what changes in stored questions is logged as edits.
/// `progress` is called from time to time with the number of questions written.
///
/// # Errors
/// After an error nothing has been written.
pub async fn put(
    database: &Database,
    (rows, mut pictures): (&mut QuestionRows, Vec<NewPicture>),
    by: &Importer,
    clock: &Clock,
    progress: WriteProgress<'_>,
) -> Result<WriteCounts, DbErr> {
    let transaction = database.begin().await?;
    write_alone(&transaction).await?;
    complete(&transaction, rows).await?;
    rows.refuse_retired(&retired::load_ids(&transaction).await?);
    let shown: HashSet<&str> = rows.questions.iter().filter_map(|question| stored_digest(&question.image)).collect();
    pictures.retain(|picture| shown.contains(&*picture.digest));
    pictures::put_shown(&transaction, pictures, &by.email, clock.now()).await?;
    if rows.practice_of_new.is_some() {
        let stored = find_stored(&transaction, &rows.questions).await?;
        rows.mark_new(&stored);
    }
    log(&transaction, &rows.questions, by, clock).await?;
    let written = write(&transaction, &rows.questions, progress).await?;
    mark(&transaction, &rows.secure, &rows.practice).await?;
    transaction.commit().await?;
    Ok(written)
}

/// The ids of those of these questions that are stored already.
async fn find_stored(transaction: &DatabaseTransaction, questions: &[Question]) -> Result<HashSet<String>, DbErr> {
    use question::Column;
    let mut stored = HashSet::new();
    for questions in questions.chunks(ROWS_PER_STATEMENT) {
        let those = Column::Id.is_in(questions.iter().map(|question| question.id.as_str()));
        let query = question::Entity::find().select_only().column(Column::Id).filter(those);
        stored.extend(query.into_tuple::<String>().all(transaction).await?);
    }
    Ok(stored)
}

/// The same for questions that `make` derives from those stored under `ids`, which nobody else can change meanwhile,
/// and from the ids of retired questions, of which none may be among them. No id may occur twice. Also returns the last
/// value of `make`.
///
/// # Errors
/// After an error nothing has been written.
pub async fn put_made<T: Send + 'static>(
    database: &Database,
    ids: Vec<String>,
    by: &Importer,
    clock: &Clock,
    make: impl FnOnce(&HashMap<String, Question>, &HashSet<String>) -> (Vec<Question>, ImportedMarks, T) + Send + 'static,
) -> Result<(WriteCounts, T), DbErr> {
    let transaction = database.begin().await?;
    write_alone(&transaction).await?;
    let stored = load_by_ids_in(&transaction, ids.iter().map(String::as_str)).await?;
    let retired = retired::load_ids(&transaction).await?;
    let making = tokio::task::spawn_blocking(move || make(&stored, &retired));
    let (questions, marks, rest) = making.await.map_err(|error| DbErr::Custom(error.to_string()))?;
    log(&transaction, &questions, by, clock).await?;
    let written = write(&transaction, &questions, &mut |_| ()).await?;
    mark(&transaction, &marks.secure, &marks.practice).await?;
    transaction.commit().await?;
    Ok((written, rest))
}

/// Logs what these questions are about to change.
async fn log(
    transaction: &DatabaseTransaction,
    questions: &[Question],
    by: &Importer,
    clock: &Clock,
) -> Result<(), DbErr> {
    // The clock is read while nobody else can change a question.
    let now = clock.now();
    for questions in questions.chunks(ROWS_PER_STATEMENT) {
        let stored = load_by_ids_in(transaction, questions.iter().map(|question| question.id.as_str())).await?;
        edits::log_import(transaction, (&stored, questions), by, now, edits::IMPORTED).await?;
    }
    Ok(())
}

/// Returns what [`put`] would return now, and writes nothing.
pub async fn count(database: &Database, rows: &mut QuestionRows) -> Result<ImportPreview, DbErr> {
    complete(&database.read, rows).await?;
    rows.refuse_retired(&retired::load_ids(&database.read).await?);
    let mut preview = ImportPreview::default();
    // A part after the other, since the stored questions may be as large as the file.
    for questions in rows.questions.chunks(ROWS_PER_STATEMENT) {
        let ids = || questions.iter().map(|question| question.id.as_str());
        let stored = load_by_ids(database, ids()).await?;
        let stored_marks = StoredRowMarks {
            secure: find_secure(&database.read, ids()).await?,
            practice: find_practice(&database.read, ids()).await?,
        };
        preview.updated += stored.len();
        preview.added += questions.len() - stored.len();
        preview.changes.extend(rows.changes(questions, &stored, &stored_marks));
        preview.changes.truncate(CHANGES_MAX);
    }
    Ok(preview)
}

/// Gives each waiting row the stored question of its id, whose values fill the columns that the sheet lacks.
async fn complete(connection: &impl ConnectionTrait, rows: &mut QuestionRows) -> Result<(), DbErr> {
    let mut waiting = rows.take_waiting().into_iter().peekable();
    while waiting.peek().is_some() {
        let some: Vec<_> = waiting.by_ref().take(ROWS_PER_STATEMENT).collect();
        let ids = some.iter().map(|row| row.id());
        let found = question::Entity::find().filter(question::Column::Id.is_in(ids)).all(connection).await?;
        let stored = found
            .into_iter()
            .map(|row| Ok((row.id.clone(), from_row(row)?)))
            .collect::<Result<HashMap<_, _>, Unreadable>>()?;
        for row in some {
            let before = stored.get(row.id());
            rows.complete(row, before);
        }
    }
    Ok(())
}
