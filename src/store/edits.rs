//! Edits of questions, and the log of these edits, in the database.

use std::collections::HashMap;

use domain::grade::Grade;
use domain::question::Question;
use domain::resources::{Edit, EditRequest, Importer, RowPosition};
use domain::review::{self, EditRefusal};
use domain::time::moment::Moment;
use entities::edit::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect,
};
use thiserror::Error as ThisError;
use uuid::Uuid;

use super::{Unreadable, beyond, questions};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::Error;

/// The comment of an edit by an import.
pub(super) const IMPORTED: &str = "Imported from a file";

/// Why a question was not edited.
#[derive(Debug, ThisError)]
pub enum EditError {
    /// The grade has no such question.
    #[error("no such question")]
    Unknown,
    /// The question cannot be edited in this way.
    #[error("{0:?}")]
    Refused(EditRefusal),
    /// The database or the external service has failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<DbErr> for EditError {
    fn from(cause: DbErr) -> Self {
        Self::Failed(Error::from(cause))
    }
}

/// Edits a question, logs the changes and raises the bank's version, all in one transaction. Of two people who edit at
/// once, the second changes what the first has left. Returns the edit's id.
///
/// # Errors
/// After an error nothing has been written.
pub async fn apply(database: &Database, asked: EditRequest<'_>, clock: &Clock) -> Result<Uuid, EditError> {
    let transaction = database.begin().await?;
    let id = apply_in(&transaction, asked, clock).await?;
    transaction.commit().await?;
    Ok(id)
}

/// The same within a transaction. An edit that is refused changes nothing.
pub async fn apply_in(
    transaction: &DatabaseTransaction,
    asked: EditRequest<'_>,
    clock: &Clock,
) -> Result<Uuid, EditError> {
    let before =
        questions::find_to_edit(transaction, asked.grade, asked.question_id).await?.ok_or(EditError::Unknown)?;
    asked.seen.check(&before).map_err(EditError::Refused)?;
    let (after, changes) = asked.updates.apply(&before).map_err(EditError::Refused)?;
    questions::replace(transaction, &before, &after).await?;
    let edit = Edit {
        id: Uuid::new_v4(),
        question_id: after.id,
        grade: after.grade,
        edited_by: asked.editor.email.clone(),
        edited_by_name: asked.editor.name.clone(),
        // The clock is read while the question is locked, so that the log lists the edits of a question in their order.
        edited_at: clock.now(),
        changes,
        comment: asked.comment,
    };
    let id = edit.id;
    log(transaction, edit).await?;
    Ok(id)
}

/// Logs an edit within the transaction that makes it.
pub(super) async fn log(transaction: &DatabaseTransaction, edit: Edit) -> Result<(), DbErr> {
    Entity::insert(to_row(edit)?).exec_without_returning(transaction).await.map(|_| ())
}

/// Logs what an import is about to change in stored questions, within its transaction. New questions are no edits.
pub(super) async fn log_import(
    transaction: &DatabaseTransaction,
    (stored, imported): (&HashMap<String, Question>, &[Question]),
    by: &Importer,
    at: Moment,
    comment: &str,
) -> Result<(), DbErr> {
    let edit = |after: &Question| {
        let changes = review::changes(stored.get(&after.id)?, after);
        (!changes.is_empty()).then(|| Edit {
            id: Uuid::new_v4(),
            question_id: after.id.clone(),
            grade: after.grade,
            edited_by: by.email.clone(),
            edited_by_name: by.name.clone(),
            edited_at: at,
            changes,
            comment: comment.to_owned(),
        })
    };
    let rows = imported.iter().filter_map(edit).map(to_row).collect::<Result<Vec<_>, _>>()?;
    if rows.is_empty() {
        return Ok(());
    }
    Entity::insert_many(rows).exec_without_returning(transaction).await.map(|_| ())
}

/// Logs an edit that another service has made. An edit that is in the log already stays as it is, so that a repeated
/// request does no harm.
pub async fn append(database: &Database, edit: Edit) -> Result<(), DbErr> {
    let conflict = OnConflict::column(Column::Id).do_nothing().to_owned();
    Entity::insert(to_row(edit)?).on_conflict(conflict).exec_without_returning(&database.write).await.map(|_| ())
}

/// Loads the next edits after `last`, newest first: at most `count`, of one grade or of all.
pub async fn load_after(
    database: &Database,
    grade: Option<Grade>,
    last: Option<RowPosition>,
    count: u64,
) -> Result<Vec<Edit>, DbErr> {
    let mut query = Entity::find();
    if let Some(grade) = grade {
        query = query.filter(Column::Grade.eq(i16::from(grade.number())));
    }
    if let Some(last) = last {
        query = query.filter(beyond(Column::EditedAtMs, Column::Id, last, &Order::Desc));
    }
    let rows =
        query.order_by_desc(Column::EditedAtMs).order_by_desc(Column::Id).limit(count).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

fn to_row(edit: Edit) -> Result<ActiveModel, DbErr> {
    Ok(ActiveModel {
        id: Set(edit.id),
        question_id: Set(edit.question_id),
        grade: Set(edit.grade.number().into()),
        edited_by: Set(edit.edited_by),
        edited_by_name: Set(edit.edited_by_name),
        edited_at_ms: Set(edit.edited_at.milliseconds()),
        changes: Set(serde_json::to_string(&edit.changes).map_err(|error| DbErr::Custom(error.to_string()))?),
        comment: Set(edit.comment),
    })
}

fn from_row(row: Model) -> Result<Edit, Unreadable> {
    Ok(Edit {
        grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
        edited_at: Moment::from_milliseconds(row.edited_at_ms),
        changes: serde_json::from_str(&row.changes).map_err(|_| Unreadable("changes"))?,
        id: row.id,
        question_id: row.question_id,
        edited_by: row.edited_by,
        edited_by_name: row.edited_by_name,
        comment: row.comment,
    })
}
