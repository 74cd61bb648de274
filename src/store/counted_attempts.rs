//! The tests of a template that an account has begun, where they are counted, in the database. The number of each is
//! unique, so that of two that begin at once one is stored (`docs/decisions/0087-who-may-sit-a-template.md`).

use domain::time::moment::Moment;
use entities::attempt::{Column, Entity};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, Select};
use uuid::Uuid;

use super::attempts::is_overdue;
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

fn of_account(template_id: Uuid, owner: &str) -> Select<Entity> {
    let of_both = Column::TemplateId.eq(template_id).and(Column::Owner.eq(owner));
    Entity::find().filter(of_both).filter(Column::Counted.is_not_null())
}
