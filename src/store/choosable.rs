//! Which questions a template chooses by what the bank in memory does not have: their reviews and their sources.

use std::collections::HashSet;

use domain::grade::Grade;
use domain::review::ReviewStatus;
use domain::template::choice::TemplateChoice;
use entities::{question, review};
use sea_orm::sea_query::Query;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};

use crate::database::Database;

/// Loads the ids of the questions of these grades that a template with this choice may draw, by one statement.
pub async fn load_ids(
    database: &Database,
    grades: &[Grade],
    choice: &TemplateChoice,
) -> Result<HashSet<String>, DbErr> {
    use question::Column;
    let grades = grades.iter().map(|grade| i16::from(grade.number()));
    let mut query = question::Entity::find().select_only().column(Column::Id).filter(Column::Grade.is_in(grades));
    if !choice.sources.is_empty() {
        query = query.filter(Column::Source.is_in(choice.sources.iter().map(String::as_str)));
    }
    if choice.approved_only {
        let approved = Query::select()
            .column(review::Column::QuestionId)
            .from(review::Entity)
            .and_where(review::Column::Status.eq(ReviewStatus::Approved.name()))
            .to_owned();
        query = query.filter(Column::Id.in_subquery(approved));
    }
    Ok(query.into_tuple::<String>().all(&database.read).await?.into_iter().collect())
}
