//! Managers' decisions on grades, in the database.

use domain::access::Grades;
use domain::grade::Grade;
use domain::resources::{Approval, ReviewCounts};
use domain::review::ApprovalStatus;
use domain::time::moment::Moment;
use entities::approval::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};

use super::Unreadable;
use crate::database::Database;

/// Loads all decisions, newest first.
pub async fn load_all(database: &Database) -> Result<Vec<Approval>, DbErr> {
    load(database, None).await
}

/// Loads the decisions of one manager on these grades, newest first.
pub async fn load_of_manager(database: &Database, email: &str, grades: Grades) -> Result<Vec<Approval>, DbErr> {
    let found = load(database, Some(email)).await?;
    Ok(found.into_iter().filter(|approval| grades.has(approval.grade)).collect())
}

/// Stores a decision. It replaces the same manager's earlier decision on that grade.
pub async fn put(database: &Database, approval: Approval) -> Result<(), DbErr> {
    let row = ActiveModel {
        grade: Set(approval.grade.number().into()),
        manager_email: Set(approval.manager_email),
        manager_name: Set(approval.manager_name),
        status: Set(approval.status.name().to_owned()),
        comment: Set(approval.comment),
        decided_at_ms: Set(approval.decided_at.milliseconds()),
        approved: Set(approval.questions.map(|questions| stored(questions.approved))),
        pending: Set(approval.questions.map(|questions| stored(questions.pending))),
        flagged: Set(approval.questions.map(|questions| stored(questions.flagged))),
    };
    let decided = [
        Column::ManagerName,
        Column::Status,
        Column::Comment,
        Column::DecidedAtMs,
        Column::Approved,
        Column::Pending,
        Column::Flagged,
    ];
    let conflict = OnConflict::columns([Column::Grade, Column::ManagerEmail]).update_columns(decided).to_owned();
    let transaction = database.begin().await?;
    Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
    transaction.commit().await
}

async fn load(database: &Database, email: Option<&str>) -> Result<Vec<Approval>, DbErr> {
    let mut query = Entity::find();
    if let Some(email) = email {
        query = query.filter(Column::ManagerEmail.eq(email));
    }
    let in_order =
        query.order_by_desc(Column::DecidedAtMs).order_by_asc(Column::Grade).order_by_asc(Column::ManagerEmail);
    in_order.all(&database.read).await?.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

fn from_row(row: Model) -> Result<Approval, Unreadable> {
    Ok(Approval {
        grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
        status: ApprovalStatus::parse(&row.status).ok_or(Unreadable("status"))?,
        decided_at: Moment::from_milliseconds(row.decided_at_ms),
        manager_email: row.manager_email,
        manager_name: row.manager_name,
        comment: row.comment,
        questions: counts(row.approved, row.pending, row.flagged),
    })
}

fn counts(approved: Option<i32>, pending: Option<i32>, flagged: Option<i32>) -> Option<ReviewCounts> {
    let count = |stored: Option<i32>| u32::try_from(stored?).ok();
    Some(ReviewCounts { approved: count(approved)?, pending: count(pending)?, flagged: count(flagged)? })
}

fn stored(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
