//! Versions of questions that the bank no longer has, in the database: each is kept by the transaction that ends it, so
//! that the report of a test shows for ever what was asked.

use std::collections::HashMap;

use domain::question::{Question, VersionDigest, WholeQuestion};
use entities::former_question::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter};

use super::Unreadable;
use crate::database::Database;

/// Rows of one statement. A row has 3 values and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 500;

/// Keeps these questions, which are about to be changed or removed.
pub(super) async fn keep(
    transaction: &DatabaseTransaction,
    questions: impl IntoIterator<Item = &Question>,
) -> Result<(), DbErr> {
    let rows = questions.into_iter().map(to_row).collect::<Result<Vec<_>, _>>()?;
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        let conflict = OnConflict::columns([Column::QuestionId, Column::Version]).do_nothing().to_owned();
        let insert = Entity::insert_many(rows.to_vec()).on_conflict(conflict);
        insert.exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// A question as it is kept, whole.
pub(super) fn content(question: &Question) -> Result<String, DbErr> {
    serde_json::to_string(&WholeQuestion::of(question)).map_err(|error| DbErr::Custom(error.to_string()))
}

/// Loads versions of questions, each of another question, by the ids of these. Those that are not kept are left out.
pub async fn load(database: &Database, versions: &[(&str, VersionDigest)]) -> Result<HashMap<String, Question>, DbErr> {
    let mut found = HashMap::new();
    for versions in versions.chunks(ROWS_PER_STATEMENT) {
        let wanted: HashMap<&str, i64> = versions.iter().map(|(id, version)| (*id, version.number())).collect();
        let query = Entity::find().filter(Column::QuestionId.is_in(wanted.keys().copied()));
        let query = query.filter(Column::Version.is_in(wanted.values().copied()));
        for Model { question_id, version, content } in query.all(&database.read).await? {
            if wanted.get(&*question_id) == Some(&version) {
                let question = serde_json::from_str(&content).map_err(|_| Unreadable("former question"))?;
                found.insert(question_id, question);
            }
        }
    }
    Ok(found)
}

fn to_row(question: &Question) -> Result<ActiveModel, DbErr> {
    Ok(ActiveModel {
        question_id: Set(question.id.clone()),
        version: Set(VersionDigest::of(question).number()),
        content: Set(content(question)?),
    })
}
