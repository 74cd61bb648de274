//! Counts questions by grade, review status and reviewer. The database counts them, so that no question is loaded.

use domain::grade::Grade;
use domain::progress::Tally;
use domain::review::ReviewStatus;
use entities::{question, review, user};
use sea_orm::sea_query::{Expr, ExprTrait, Func, Query};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

use super::Unreadable;
use crate::database::Database;

#[derive(FromQueryResult)]
struct Row {
    grade: i16,
    status: Option<String>,
    email: Option<String>,
    /// The reviewer's present name.
    name: Option<String>,
    /// The name that was stored with the review, for a reviewer who is no longer a user.
    reviewed_by_name: Option<String>,
    questions: i64,
}

/// Counts every question of the bank exactly once. A single statement sees the whole bank at one moment.
pub async fn load_tallies(database: &Database) -> Result<Vec<Tally>, DbErr> {
    let id = (question::Entity, question::Column::Id);
    let (grade, status) = ((question::Entity, question::Column::Grade), (review::Entity, review::Column::Status));
    let email = (review::Entity, review::Column::ReviewedBy);
    let mut query = Query::select();
    query
        .column(grade)
        .column(status)
        .expr_as(Expr::col(email), "email")
        .expr_as(Func::max(Expr::col((user::Entity, user::Column::Name))), "name")
        .expr_as(Func::max(Expr::col((review::Entity, review::Column::ReviewedByName))), "reviewed_by_name")
        .expr_as(Func::count(Expr::col(id)), "questions")
        .from(question::Entity)
        .left_join(review::Entity, Expr::col((review::Entity, review::Column::QuestionId)).equals(id))
        .left_join(user::Entity, Expr::col((user::Entity, user::Column::Email)).equals(email))
        .add_group_by([Expr::col(grade), Expr::col(status), Expr::col(email)]);
    let rows = database.read.query_all(&query).await?;
    rows.iter().map(|row| Ok(tally(Row::from_query_result(row, "")?)?)).collect()
}

fn tally(row: Row) -> Result<Tally, Unreadable> {
    let status = row.status.map_or(Some(ReviewStatus::Pending), |status| ReviewStatus::parse(&status));
    let name = row.name.filter(|name| !name.is_empty()).or(row.reviewed_by_name).unwrap_or_default();
    Ok(Tally {
        grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
        status: status.ok_or(Unreadable("status"))?,
        reviewer: row.email.map(|email| (email, name)),
        questions: row.questions.unsigned_abs(),
    })
}
