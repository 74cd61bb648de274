//! Edits of questions and their log in the database.

use entities::edit::{ActiveModel, Column, Entity, Model};
use sea_orm::{ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect};
use thiserror::Error;
use uuid::Uuid;

pub use super::Place;
use super::{Unreadable, beyond, questions};
use crate::clock::Clock;
use crate::database::Database;
use crate::domain::access::Identity;
use crate::domain::grade::Grade;
use crate::domain::moment::Moment;
use crate::domain::review::{Change, Refusal, Updates};

/// An edit as it is logged (`assessment.md` 2.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Identifier of the edit.
    pub id: Uuid,
    /// Identifier of the question.
    pub question_id: String,
    /// Grade of the question when it was edited.
    pub grade: Grade,
    /// The editor's e-mail.
    pub edited_by: String,
    /// The editor's name at that time.
    pub edited_by_name: String,
    /// When.
    pub edited_at: Moment,
    /// Field by field.
    pub changes: Vec<Change>,
    /// May be empty.
    pub comment: String,
}

impl Edit {
    /// Where it stands.
    #[must_use]
    pub const fn place(&self) -> Place {
        (self.edited_at.milliseconds(), self.id)
    }
}

/// What someone asks to be changed.
pub struct Asked<'a> {
    /// Identifier of the question.
    pub question_id: &'a str,
    /// Its grade.
    pub grade: Grade,
    /// The fields.
    pub updates: Updates,
    /// Why; may be empty.
    pub comment: String,
    /// Who asks.
    pub editor: &'a Identity,
}

/// Why a question is not edited.
#[derive(Debug, Error)]
pub enum NotEdited {
    /// The grade has no such question.
    #[error("no such question")]
    Unknown,
    /// The question can't be edited like that.
    #[error("{0:?}")]
    Refused(Refusal),
    /// The store is unavailable.
    #[error(transparent)]
    Store(#[from] DbErr),
}

/// Edits a question, logs what has changed and raises the bank's version, all in one transaction: of two who edit at
/// once, the second changes what the first has left. Gives the edit's id.
///
/// # Errors
/// Then nothing was written.
pub async fn apply(database: &Database, asked: Asked<'_>, clock: &Clock) -> Result<Uuid, NotEdited> {
    let transaction = database.begin().await?;
    let before = questions::find_to_edit(&transaction, asked.grade, asked.question_id).await?.ok_or(NotEdited::Unknown)?;
    let (after, changes) = asked.updates.apply(&before).map_err(NotEdited::Refused)?;
    questions::replace(&transaction, &after).await?;
    let id = Uuid::new_v4();
    let row = ActiveModel {
        id: Set(id),
        question_id: Set(after.id),
        grade: Set(after.grade.number().into()),
        edited_by: Set(asked.editor.email.clone()),
        edited_by_name: Set(asked.editor.name.clone()),
        // Asked for under the question's lock, so that the log has the edits of a question in their order.
        edited_at_ms: Set(clock.now().milliseconds()),
        changes: Set(serde_json::to_string(&changes).map_err(|error| DbErr::Custom(error.to_string()))?),
        comment: Set(asked.comment),
    };
    Entity::insert(row).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    Ok(id)
}

/// The next edits after `last`, the newest first; at most `count`, of one grade or of all.
///
/// # Errors
/// When the store is unavailable.
pub async fn load_after(database: &Database, grade: Option<Grade>, last: Option<Place>, count: u64) -> Result<Vec<Edit>, DbErr> {
    let mut query = Entity::find();
    if let Some(grade) = grade {
        query = query.filter(Column::Grade.eq(i16::from(grade.number())));
    }
    if let Some(last) = last {
        query = query.filter(beyond(Column::EditedAtMs, Column::Id, last, &Order::Desc));
    }
    let rows = query.order_by_desc(Column::EditedAtMs).order_by_desc(Column::Id).limit(count).all(&database.read).await?;
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
