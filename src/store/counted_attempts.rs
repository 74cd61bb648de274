//! The tests of a template that an account has begun, where they are counted, in the database. The number of each is
//! unique, so that of two that begin at once one is stored (`docs/decisions/0087-who-may-sit-a-template.md`).

use domain::time::moment::Moment;
use entities::attempt::{Column, Entity};
use entities::candidate;
use sea_orm::sea_query::{Query, SimpleExpr};
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use uuid::Uuid;

use super::attempts::is_overdue;
use super::test_students::counts;
use crate::database::Database;

/// Tests of one account that are looked through for one that goes on, the newest first: more than the attempts that a
/// template may allow.
const LOOKED_AT_MAX: u64 = 50;

/// What an account has begun of a template.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountedAttempts {
    /// How many tests; also the number of the last.
    pub begun: u32,
    /// The newest of those that go on and whose time is not up.
    pub running: Option<Uuid>,
}

/// Finds what an account has begun of a template.
pub async fn find(database: &Database, template_id: Uuid, owner: &str, now: Moment) -> Result<CountedAttempts, DbErr> {
    let newest = || of_account(template_id, owner).select_only().order_by_desc(Column::Counted);
    let query = newest().columns([Column::Counted, Column::EndedAtMs]).limit(LOOKED_AT_MAX);
    let found: Vec<(Option<i32>, Option<i64>)> = query.into_tuple().all(&database.read).await?;
    let begun = found.first().and_then(|(number, _)| u32::try_from((*number)?).ok()).unwrap_or_default();
    if found.iter().all(|(_, ended_at)| ended_at.is_some()) {
        return Ok(CountedAttempts { begun, running: None });
    }
    // One whose time is up may not have been ended yet.
    let query = newest().column(Column::SessionId).filter(Column::EndedAtMs.is_null()).filter(is_overdue(now).not());
    let running = query.limit(1).into_tuple().one(&database.read).await?;
    Ok(CountedAttempts { begun, running })
}

/// Finds the test of an account that has this number.
pub async fn find_numbered(
    database: &Database,
    template_id: Uuid,
    owner: &str,
    number: i32,
) -> Result<Option<Uuid>, DbErr> {
    let query = of_account(template_id, owner).filter(Column::Counted.eq(number));
    query.select_only().column(Column::SessionId).into_tuple().one(&database.read).await
}

/// How many tests of a template have been begun by its link, in no sitting.
pub async fn count_by_link(database: &Database, template_id: Uuid) -> Result<u64, DbErr> {
    Entity::find().filter(is_by_link(template_id)).filter(counts(Column::Owner)).count(&database.read).await
}

/// How many candidates of a sitting have begun a test of this template by its link, with the account by which the
/// roster knows them.
pub async fn count_candidates_by_link(database: &Database, sitting_id: Uuid, template_id: Uuid) -> Result<u64, DbErr> {
    let owners = Query::select()
        .column(Column::Owner)
        .from(Entity)
        .and_where(is_by_link(template_id).and(Column::Owner.is_not_null()))
        .to_owned();
    let of_sitting = candidate::Column::SittingId.eq(sitting_id).and(candidate::Column::Email.in_subquery(owners));
    candidate::Entity::find().filter(of_sitting).count(&database.read).await
}

fn is_by_link(template_id: Uuid) -> SimpleExpr {
    Column::TemplateId.eq(template_id).and(Column::SittingId.is_null())
}

fn of_account(template_id: Uuid, owner: &str) -> Select<Entity> {
    let of_both = Column::TemplateId.eq(template_id).and(Column::Owner.eq(owner));
    Entity::find().filter(of_both).filter(Column::Counted.is_not_null())
}
