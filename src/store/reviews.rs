//! The latest review of each question, in the database.

use domain::grade::Grade;
use domain::resources::Review;
use domain::review::{ReviewOutcome, ReviewStatus};
use domain::time::moment::Moment;
use entities::{question, review};
use futures_util::stream::{self, BoxStream, StreamExt};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, Query, SelectStatement};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::Unreadable;
use crate::database::Database;
use crate::error::Error;

/// Reviews in memory at once when those of all grades are read. A note has at most 10,000 characters, so a page has at
/// most 20 MB.
const REVIEWS_AT_ONCE: usize = 500;

pub async fn load_of_grade(database: &Database, grade: Grade) -> Result<Vec<Review>, DbErr> {
    let of_grade = review::Column::QuestionId.in_subquery(ids_of_grade(grade));
    let rows = review::Entity::find().filter(of_grade).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Streams the reviews of all grades page by page, ordered by the questions' ids.
pub fn load_all(database: Database) -> BoxStream<'static, Result<Vec<Review>, Error>> {
    let pages = stream::try_unfold((database, Some(String::new())), |(database, last)| async move {
        let Some(last) = last else { return Ok(None) };
        let reviews = load_after(&database, last).await?;
        let is_full = reviews.len() == REVIEWS_AT_ONCE;
        let last = reviews.last().filter(|_| is_full).map(|review| review.question_id.clone());
        Ok::<_, Error>(Some((reviews, (database, last))))
    });
    pages.boxed()
}

async fn load_after(database: &Database, last: String) -> Result<Vec<Review>, DbErr> {
    let after =
        review::Entity::find().filter(review::Column::QuestionId.gt(last)).order_by_asc(review::Column::QuestionId);
    let rows = after.limit(REVIEWS_AT_ONCE as u64).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Stores a review. It replaces the question's last review, unless its author approves a question of their own.
pub async fn put(database: &Database, grade: Grade, review: Review) -> Result<ReviewOutcome, DbErr> {
    put_on(database, ids_of_grade(grade), review).await
}

/// Like [`put`], for a question of any grade.
pub async fn put_on_any(database: &Database, review: Review) -> Result<ReviewOutcome, DbErr> {
    put_on(database, ids(), review).await
}

/// The questions of a grade that somebody has written here, by id.
pub async fn load_own(database: &Database, grade: Grade, email: &str) -> Result<Vec<String>, DbErr> {
    use question::Column;
    let own = Column::Grade.eq(i16::from(grade.number())).and(Column::WrittenBy.eq(email));
    let query = question::Entity::find().select_only().column(Column::Id).filter(own).order_by_asc(Column::Id);
    query.into_tuple().all(&database.read).await
}

/// Whether somebody approves a question that they have written. Nobody becomes its author later.
async fn approves_own(database: &Database, review: &Review) -> Result<bool, DbErr> {
    if review.status != ReviewStatus::Approved {
        return Ok(false);
    }
    let author = question::Entity::find_by_id(&review.question_id).select_only().column(question::Column::WrittenBy);
    let author: Option<Option<String>> = author.into_tuple().one(&database.read).await?;
    Ok(author.flatten().is_some_and(|author| author == review.reviewed_by))
}

/// Selects the row to insert from the questions. One statement thus checks that the question exists and stores the
/// review.
async fn put_on(database: &Database, mut row: SelectStatement, review: Review) -> Result<ReviewOutcome, DbErr> {
    use review::Column;
    if approves_own(database, &review).await? {
        return Ok(ReviewOutcome::Own);
    }
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
    let is_stored = database.write.execute(&insert).await?.rows_affected() == 1;
    Ok(if is_stored { ReviewOutcome::Stored } else { ReviewOutcome::Unknown })
}

fn ids_of_grade(grade: Grade) -> SelectStatement {
    ids().and_where(Expr::col(question::Column::Grade).eq(i16::from(grade.number()))).to_owned()
}

fn ids() -> SelectStatement {
    Query::select().column(question::Column::Id).from(question::Entity).to_owned()
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
