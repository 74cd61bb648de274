//! Retired questions, in the database: they are in a table of their own, so that no road that reads the bank can find
//! one. Tests that have asked them go on showing them.

use std::collections::{HashMap, HashSet};

use domain::grade::Grade;
use domain::picture::stored_digest;
use domain::question::Question;
use domain::time::moment::Moment;
use entities::{question, retired_question};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::questions::{
    self, ROWS_PER_STATEMENT, StoredMarks, find_to_retire, raise_version, row_of_written, write_alone,
};
use super::{Unreadable, former_questions, pictures, templates};
use crate::database::Database;

/// A question that was taken out of the bank.
#[derive(Clone, Debug)]
pub struct RetiredQuestion {
    pub question: Question,
    /// E-mail of the admin.
    pub retired_by: String,
    pub retired_at: Moment,
}

/// How an attempt to retire a question ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Retirement {
    Done,
    /// The bank has no such question.
    Unknown,
    /// Templates have it in their lists: their names.
    Locked(Vec<String>),
}

/// Takes a question out of the bank, unless a template has it in a list.
///
/// # Errors
/// After an error nothing has been written.
pub async fn retire(database: &Database, id: &str, by: &str, at: Moment) -> Result<Retirement, DbErr> {
    let transaction = database.begin().await?;
    // Whoever puts a question into a template holds its row, so that none comes between the look and the change.
    write_alone(&transaction).await?;
    let Some(found) = find_to_retire(&transaction, id).await? else { return Ok(Retirement::Unknown) };
    let names = templates::names_with_question(&transaction, id).await?;
    if !names.is_empty() {
        return Ok(Retirement::Locked(names));
    }
    former_questions::keep(&transaction, [&found.question]).await?;
    let row = retired_question::ActiveModel {
        id: Set(id.to_owned()),
        grade: Set(found.question.grade.number().into()),
        content: Set(former_questions::content(&found.question)?),
        secure: Set(found.marks.secure),
        practice: Set(found.marks.practice),
        written_by: Set(found.written_by),
        retired_by: Set(by.to_owned()),
        retired_at_ms: Set(at.milliseconds()),
    };
    retired_question::Entity::insert(row).exec_without_returning(&transaction).await?;
    question::Entity::delete_by_id(id).exec(&transaction).await?;
    raise_version(&transaction, found.question.grade).await?;
    transaction.commit().await?;
    Ok(Retirement::Done)
}

/// Brings a retired question back as it was. Returns false if there is no such retired question.
///
/// # Errors
/// After an error nothing has been written.
pub async fn restore(database: &Database, id: &str) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    write_alone(&transaction).await?;
    let Some(row) = retired_question::Entity::find_by_id(id).one(&transaction).await? else { return Ok(false) };
    let question = read(&row.content)?;
    let marks = StoredMarks { secure: row.secure, practice: row.practice };
    let restored = row_of_written(&question, marks, row.written_by)?;
    question::Entity::insert(restored).exec_without_returning(&transaction).await?;
    retired_question::Entity::delete_by_id(id).exec(&transaction).await?;
    pictures::mark_used(&transaction, stored_digest(&question.image).into_iter()).await?;
    raise_version(&transaction, question.grade).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Loads the retired questions of a grade, those that were retired last first.
pub async fn load_of_grade(database: &Database, grade: Grade) -> Result<Vec<RetiredQuestion>, DbErr> {
    use retired_question::Column;
    let of_grade = retired_question::Entity::find().filter(Column::Grade.eq(i16::from(grade.number())));
    let rows = of_grade.order_by_desc(Column::RetiredAtMs).order_by_asc(Column::Id).all(&database.read).await?;
    let retired = |row: retired_question::Model| {
        Ok(RetiredQuestion {
            question: read(&row.content)?,
            retired_by: row.retired_by,
            retired_at: Moment::from_milliseconds(row.retired_at_ms),
        })
    };
    rows.into_iter().map(retired).collect()
}

/// Loads the ids of all retired questions.
pub async fn load_ids(connection: &impl ConnectionTrait) -> Result<HashSet<String>, DbErr> {
    let query = retired_question::Entity::find().select_only().column(retired_question::Column::Id);
    Ok(query.into_tuple::<String>().all(connection).await?.into_iter().collect())
}

/// Returns whether there is any retired question, or one of this id if it is given.
pub async fn has(connection: &impl ConnectionTrait, id: Option<&str>) -> Result<bool, DbErr> {
    let mut query = retired_question::Entity::find().select_only().column(retired_question::Column::Id);
    if let Some(id) = id {
        query = query.filter(retired_question::Column::Id.eq(id));
    }
    Ok(query.limit(1).into_tuple::<String>().one(connection).await?.is_some())
}

/// Finds which of these questions are for exams alone, or were when they were retired.
pub async fn find_secure_asked<'a>(
    connection: &impl ConnectionTrait,
    ids: impl Iterator<Item = &'a str>,
) -> Result<HashSet<String>, DbErr> {
    use retired_question::Column;
    let ids: Vec<&str> = ids.collect();
    let mut secure = questions::find_secure(connection, ids.iter().copied()).await?;
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let query = retired_question::Entity::find().select_only().column(Column::Id).filter(Column::Secure.eq(true));
        let query = query.filter(Column::Id.is_in(ids.iter().copied()));
        secure.extend(query.into_tuple::<String>().all(connection).await?);
    }
    Ok(secure)
}

/// Writes a question, new or changed, unless one with its id is retired. Returns whether it was written.
///
/// # Errors
/// After an error nothing has been written.
pub async fn put_unless_retired(database: &Database, question: Question) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    write_alone(&transaction).await?;
    if has(&transaction, Some(&question.id)).await? {
        return Ok(false);
    }
    questions::write(&transaction, &[question], &mut |_| ()).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Loads the retired ones among these questions, if they are of this grade and were not for exams alone.
pub async fn load_open(database: &Database, grade: Grade, ids: &[&str]) -> Result<Vec<Question>, DbErr> {
    use retired_question::Column;
    let mut found = Vec::new();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let query = retired_question::Entity::find().filter(Column::Grade.eq(i16::from(grade.number())));
        let query = query.filter(Column::Secure.eq(false)).filter(Column::Id.is_in(ids.iter().copied()));
        for row in query.all(&database.read).await? {
            found.push(read(&row.content)?);
        }
    }
    Ok(found)
}

/// Loads questions of any grade by their ids, also retired ones, for tests that have asked them. Ids that do not exist
/// are left out.
pub async fn load_asked(
    database: &Database,
    ids: impl IntoIterator<Item = &str>,
) -> Result<HashMap<String, Question>, DbErr> {
    let ids: Vec<&str> = ids.into_iter().collect();
    let mut found = questions::load_by_ids(database, ids.iter().copied()).await?;
    let missing: Vec<&str> = ids.into_iter().filter(|id| !found.contains_key(*id)).collect();
    for ids in missing.chunks(ROWS_PER_STATEMENT) {
        let query = retired_question::Entity::find().filter(retired_question::Column::Id.is_in(ids.iter().copied()));
        for row in query.all(&database.read).await? {
            found.insert(row.id, read(&row.content)?);
        }
    }
    Ok(found)
}

fn read(content: &str) -> Result<Question, DbErr> {
    serde_json::from_str(content).map_err(|_| Unreadable("retired question").into())
}
