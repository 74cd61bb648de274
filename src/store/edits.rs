//! Edits of questions, and the log of these edits, in the database.

use domain::grade::Grade;
use domain::resources::{Edit, EditRequest, RowPosition};
use domain::review::EditRefusal;
use domain::time::moment::Moment;
use entities::edit::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect};
use thiserror::Error as ThisError;
use uuid::Uuid;

use super::{Unreadable, beyond, questions};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::Error;

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
    let before =
        questions::find_to_edit(&transaction, asked.grade, asked.question_id).await?.ok_or(EditError::Unknown)?;
    asked.seen.check(&before).map_err(EditError::Refused)?;
    let (after, changes) = asked.updates.apply(&before).map_err(EditError::Refused)?;
    questions::replace(&transaction, &after).await?;
    let id = Uuid::new_v4();
    let row = ActiveModel {
        id: Set(id),
        question_id: Set(after.id),
        grade: Set(after.grade.number().into()),
        edited_by: Set(asked.editor.email.clone()),
        edited_by_name: Set(asked.editor.name.clone()),
        // The clock is read while the question is locked, so that the log lists the edits of a question in their order.
        edited_at_ms: Set(clock.now().milliseconds()),
        changes: Set(serde_json::to_string(&changes).map_err(|error| DbErr::Custom(error.to_string()))?),
        comment: Set(asked.comment),
    };
    Entity::insert(row).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Logs an edit that another service has made. An edit that is in the log already stays as it is, so that a repeated
/// request does no harm.
pub async fn append(database: &Database, edit: Edit) -> Result<(), DbErr> {
    let row = ActiveModel {
        id: Set(edit.id),
        question_id: Set(edit.question_id),
        grade: Set(edit.grade.number().into()),
        edited_by: Set(edit.edited_by),
        edited_by_name: Set(edit.edited_by_name),
        edited_at_ms: Set(edit.edited_at.milliseconds()),
        changes: Set(serde_json::to_string(&edit.changes).map_err(|error| DbErr::Custom(error.to_string()))?),
        comment: Set(edit.comment),
    };
    let conflict = OnConflict::column(Column::Id).do_nothing().to_owned();
    Entity::insert(row).on_conflict(conflict).exec_without_returning(&database.write).await.map(|_| ())
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
