//! The grades to which reviewers and managers are assigned, in the database.

use domain::access::{Duty, Grades};
use domain::resources::Assignment;
use domain::time::moment::Moment;
use entities::assignment::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};

use super::Unreadable;
use crate::database::Database;

/// Loads the grades that a person reviews and the grades that they manage, in this order.
pub async fn load_grades(database: &Database, email: &str) -> Result<(Grades, Grades), DbErr> {
    let rows = Entity::find().filter(Column::Email.eq(email)).all(&database.read).await?;
    let mut of_duty = [(Duty::Reviewer, Grades::NONE), (Duty::Manager, Grades::NONE)];
    for row in rows {
        for (duty, grades) in &mut of_duty {
            if duty.name() == row.kind {
                *grades = parse_grades(&row)?;
            }
        }
    }
    let [(_, reviewer_of), (_, manager_of)] = of_duty;
    Ok((reviewer_of, manager_of))
}

/// Loads all assignments of a duty, ordered by address.
pub async fn load_all(database: &Database, duty: Duty) -> Result<Vec<Assignment>, DbErr> {
    let rows =
        Entity::find().filter(Column::Kind.eq(duty.name())).order_by_asc(Column::Email).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

pub async fn find(database: &Database, duty: Duty, email: &str) -> Result<Option<Assignment>, DbErr> {
    let row = Entity::find_by_id((duty.name().to_owned(), email.to_owned())).one(&database.read).await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

/// Stores an assignment. It replaces the person's earlier assignment of that duty.
pub async fn put(database: &Database, duty: Duty, assignment: &Assignment) -> Result<(), DbErr> {
    let row = ActiveModel {
        kind: Set(duty.name().to_owned()),
        email: Set(assignment.email.clone()),
        name: Set(assignment.name.clone()),
        grades: Set(serde_json::to_string(&assignment.grades).map_err(|error| DbErr::Custom(error.to_string()))?),
        assigned_by: Set(assignment.assigned_by.clone()),
        assigned_at_ms: Set(assignment.assigned_at.milliseconds()),
    };
    let replaced = [Column::Name, Column::Grades, Column::AssignedBy, Column::AssignedAtMs];
    let conflict = OnConflict::columns([Column::Kind, Column::Email]).update_columns(replaced).to_owned();
    let transaction = database.begin().await?;
    Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
    transaction.commit().await
}

/// Removes an assignment. A missing one is not an error.
pub async fn delete(database: &Database, duty: Duty, email: &str) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    Entity::delete_by_id((duty.name().to_owned(), email.to_owned())).exec(&transaction).await?;
    transaction.commit().await
}

/// Removes a person's assignments of every duty.
pub(super) async fn delete_all(connection: &impl ConnectionTrait, email: &str) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::Email.eq(email)).exec(connection).await.map(|_| ())
}

fn from_row(row: Model) -> Result<Assignment, Unreadable> {
    let grades = parse_grades(&row)?;
    let assigned_at = Moment::from_milliseconds(row.assigned_at_ms);
    Ok(Assignment { email: row.email, name: row.name, grades, assigned_by: row.assigned_by, assigned_at })
}

fn parse_grades(row: &Model) -> Result<Grades, Unreadable> {
    serde_json::from_str(&row.grades).map_err(|_| Unreadable("grades"))
}
