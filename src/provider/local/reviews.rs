//! The latest review of each question in the database.

use entities::{question, review};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, Query, SelectStatement};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use super::Unreadable;
use crate::database::Database;
use crate::domain::grade::Grade;
use crate::domain::moment::Moment;
use crate::domain::review::ReviewStatus;

/// What someone has decided on a question (`assessment.md` 2.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Identifier of the question.
    pub question_id: String,
    /// The decision.
    pub status: ReviewStatus,
    /// The reviewer's e-mail.
    pub reviewed_by: String,
    /// The reviewer's name at that time.
    pub reviewed_by_name: String,
    /// When.
    pub reviewed_at: Moment,
    /// May be empty.
    pub note: String,
}

/// The reviews of a grade's questions.
///
/// # Errors
/// When the store is unavailable.
pub async fn load_of_grade(database: &Database, grade: Grade) -> Result<Vec<Review>, DbErr> {
    let of_grade = review::Column::QuestionId.in_subquery(ids_of_grade(grade));
    let rows = review::Entity::find().filter(of_grade).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Stores a review in the place of the question's last one; false when the grade has no such question.
///
/// # Errors
/// When the store is unavailable.
pub async fn put(database: &Database, grade: Grade, review: Review) -> Result<bool, DbErr> {
    use review::Column;
    // Selected from the question, so that one statement asks for it and stores.
    let mut row = ids_of_grade(grade);
    row.and_where(Expr::col(question::Column::Id).eq(review.question_id))
        .expr(Expr::val(review.status.name()))
        .expr(Expr::val(review.reviewed_by))
        .expr(Expr::val(review.reviewed_by_name))
        .expr(Expr::val(review.reviewed_at.milliseconds()))
        .expr(Expr::val(review.note));
    let decided = [Column::Status, Column::ReviewedBy, Column::ReviewedByName, Column::ReviewedAtMs, Column::Note];
    let mut insert = Query::insert();
    insert.into_table(review::Entity).columns([&[Column::QuestionId], &decided[..]].concat());
    insert.select_from(row).map_err(|error| DbErr::Custom(error.to_string()))?;
    insert.on_conflict(OnConflict::column(Column::QuestionId).update_columns(decided).to_owned());
    Ok(database.write.execute(&insert).await?.rows_affected() == 1)
}

fn ids_of_grade(grade: Grade) -> SelectStatement {
    let of_grade = Expr::col(question::Column::Grade).eq(i16::from(grade.number()));
    Query::select().column(question::Column::Id).from(question::Entity).and_where(of_grade).to_owned()
}

fn from_row(row: review::Model) -> Result<Review, Unreadable> {
    Ok(Review {
        status: ReviewStatus::parse(&row.status).ok_or(Unreadable("status"))?,
        reviewed_at: Moment::from_milliseconds(row.reviewed_at_ms),
        question_id: row.question_id,
        reviewed_by: row.reviewed_by,
        reviewed_by_name: row.reviewed_by_name,
        note: row.note,
    })
}
