//! Questions of the bank in the database.

use entities::{bank_version, question};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder};

use super::Unreadable;
use crate::database::Database;
use crate::domain::grade::Grade;
use crate::domain::question::{Choice, Difficulty, Question};

/// Rows of one statement, well below the number of values that SQLite takes.
const ROWS_PER_STATEMENT: usize = 500;

/// The whole bank of a grade, in the order of the ids.
///
/// # Errors
/// When the store is unavailable.
pub async fn load_bank(database: &Database, grade: Grade) -> Result<Vec<Question>, DbErr> {
    let rows =
        question::Entity::find().filter(question::Column::Grade.eq(i16::from(grade.number()))).order_by_asc(question::Column::Id).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// The version of each grade's bank that has one.
///
/// # Errors
/// When the store is unavailable.
pub async fn load_versions(database: &Database) -> Result<Vec<(Grade, i64)>, DbErr> {
    let rows = bank_version::Entity::find().all(&database.read).await?;
    Ok(rows.into_iter().filter_map(|row| Grade::new(row.grade.into()).map(|grade| (grade, row.version))).collect())
}

/// Whether there is no question at all.
///
/// # Errors
/// When the store is unavailable.
pub async fn is_empty(database: &Database) -> Result<bool, DbErr> {
    Ok(question::Entity::find().count(&database.read).await? == 0)
}

/// Adds or overwrites questions by id, and raises the version of each grade's bank that changes.
///
/// # Errors
/// When the store is unavailable; then nothing was written.
pub async fn put(database: &Database, questions: &[Question]) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    let overwritten = [
        question::Column::Grade,
        question::Column::Topic,
        question::Column::Subtopic,
        question::Column::Difficulty,
        question::Column::Source,
        question::Column::Kind,
        question::Column::Question,
        question::Column::Options,
        question::Column::Answer,
        question::Column::Explanation,
        question::Column::Image,
    ];
    for rows in questions.chunks(ROWS_PER_STATEMENT) {
        let rows = rows.iter().map(to_row).collect::<Result<Vec<_>, _>>()?;
        let conflict = OnConflict::column(question::Column::Id).update_columns(overwritten).to_owned();
        question::Entity::insert_many(rows).on_conflict(conflict).exec_without_returning(&transaction).await?;
    }
    for grade in Grade::all().filter(|grade| questions.iter().any(|question| question.grade == *grade)) {
        raise_version(&transaction, grade).await?;
    }
    transaction.commit().await
}

async fn raise_version(transaction: &impl ConnectionTrait, grade: Grade) -> Result<(), DbErr> {
    let first = bank_version::ActiveModel { grade: Set(grade.number().into()), version: Set(1) };
    let raised = Expr::col((bank_version::Entity, bank_version::Column::Version)).add(1);
    let conflict = OnConflict::column(bank_version::Column::Grade).value(bank_version::Column::Version, raised).to_owned();
    bank_version::Entity::insert(first).on_conflict(conflict).exec_without_returning(transaction).await.map(|_| ())
}

fn to_row(question: &Question) -> Result<question::ActiveModel, DbErr> {
    let options = serde_json::to_string(&question.options).map_err(|error| DbErr::Custom(error.to_string()))?;
    Ok(question::ActiveModel {
        id: Set(question.id.clone()),
        grade: Set(question.grade.number().into()),
        topic: Set(question.topic.clone()),
        subtopic: Set(question.subtopic.clone()),
        difficulty: Set(question.difficulty.number().into()),
        source: Set(question.source.clone()),
        kind: Set(question.kind.clone()),
        question: Set(question.question.clone()),
        options: Set(options),
        answer: Set(question.answer.letter().to_owned()),
        explanation: Set(question.explanation.clone()),
        image: Set(question.image.clone()),
    })
}

fn from_row(row: question::Model) -> Result<Question, Unreadable> {
    Ok(Question {
        grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
        difficulty: Difficulty::new(row.difficulty.into()).ok_or(Unreadable("difficulty"))?,
        options: serde_json::from_str(&row.options).map_err(|_| Unreadable("options"))?,
        answer: Choice::parse(&row.answer).ok_or(Unreadable("answer"))?,
        id: row.id,
        topic: row.topic,
        subtopic: row.subtopic,
        source: row.source,
        kind: row.kind,
        question: row.question,
        explanation: row.explanation,
        image: row.image,
    })
}
