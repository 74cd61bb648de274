//! People who are on the rosters of two sittings at the same time: nobody can sit both.

use domain::sitting::Sitting;
use entities::{candidate, sitting, template};
use sea_orm::sea_query::{Query, SelectStatement};
use sea_orm::{
    ColumnTrait, Condition, DbErr, EntityTrait, JoinType, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use crate::database::Database;

/// Sittings around the time of another that are looked at: more are not planned for one morning.
const NEAR_SITTINGS_MAX: u64 = 200;
const MINUTE_MILLISECONDS: i64 = 60 * 1_000;
/// No sitting takes longer, so none that starts earlier is still at work.
const DAY_MILLISECONDS: i64 = 24 * 60 * MINUTE_MILLISECONDS;

/// How many candidates of a sitting are on the roster of another one at the same time, and which these are.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Clashes {
    pub candidates: u64,
    /// By their starts.
    pub sittings: Vec<ClashingSitting>,
}

/// A sitting at the time of another.
#[derive(Debug, PartialEq, Eq)]
pub struct ClashingSitting {
    pub id: Uuid,
    pub name: String,
    /// Its grades decide who may see it.
    pub template_id: Uuid,
}

/// Finds who of this sitting is elsewhere at its planned time, with the usual minutes of both.
pub async fn find_clashes(database: &Database, of: &Sitting, minutes: u32) -> Result<Clashes, DbErr> {
    let near = find_near(database, of, minutes).await?;
    if near.is_empty() {
        return Ok(Clashes::default());
    }
    let ids: Vec<Uuid> = near.iter().map(|one| one.id).collect();
    let own = vec![of.id];
    let here = candidate::Entity::find().filter(candidate::Column::SittingId.eq(of.id)).filter(is_also_in(&ids));
    let candidates = here.count(&database.read).await?;
    if candidates == 0 {
        return Ok(Clashes::default());
    }
    let there: Vec<Uuid> = candidate::Entity::find()
        .select_only()
        .column(candidate::Column::SittingId)
        .distinct()
        .filter(candidate::Column::SittingId.is_in(ids))
        .filter(is_also_in(&own))
        .into_tuple()
        .all(&database.read)
        .await?;
    Ok(Clashes { candidates, sittings: near.into_iter().filter(|one| there.contains(&one.id)).collect() })
}

/// The sittings that are not over and that meet the time of this one.
async fn find_near(database: &Database, of: &Sitting, minutes: u32) -> Result<Vec<ClashingSitting>, DbErr> {
    use sitting::Column;
    let lasts = |minutes: i64| minutes.saturating_mul(MINUTE_MILLISECONDS);
    let starts_at = of.plan.starts_at.milliseconds();
    let to_template =
        sitting::Entity::belongs_to(template::Entity).from(Column::TemplateId).to(template::Column::Id).into();
    let rows: Vec<(Uuid, String, Uuid, i64, i32)> = sitting::Entity::find()
        .select_only()
        .columns([Column::Id, Column::Name, Column::TemplateId, Column::StartsAtMs])
        .column(template::Column::DurationMinutes)
        .join(JoinType::InnerJoin, to_template)
        .filter(Column::Id.ne(of.id))
        .filter(Column::EndedAtMs.is_null())
        .filter(Column::StartsAtMs.lt(starts_at.saturating_add(lasts(minutes.into()))))
        .filter(Column::StartsAtMs.gt(starts_at.saturating_sub(DAY_MILLISECONDS)))
        // Those that start last are the most likely to meet it: most of the first are over and not released yet.
        .order_by_desc(Column::StartsAtMs)
        .order_by_desc(Column::Id)
        .limit(NEAR_SITTINGS_MAX)
        .into_tuple()
        .all(&database.read)
        .await?;
    let meets = |(_, _, _, start, minutes): &(Uuid, String, Uuid, i64, i32)| {
        start.saturating_add(lasts(i64::from(*minutes))) > starts_at
    };
    let meeting = rows.into_iter().rev().filter(meets);
    Ok(meeting.map(|(id, name, template_id, _, _)| ClashingSitting { id, name, template_id }).collect())
}

/// Whether a candidate is on the roster of one of these sittings too, by their address or their id.
fn is_also_in(sitting_ids: &[Uuid]) -> Condition {
    use candidate::Column;
    let those = |column: Column| -> SelectStatement {
        Query::select()
            .column(column)
            .from(candidate::Entity)
            .and_where(Column::SittingId.is_in(sitting_ids.iter().copied()))
            .and_where(column.is_not_null())
            .to_owned()
    };
    Condition::any()
        .add(Column::Email.in_subquery(those(Column::Email)))
        .add(Column::ExternalId.in_subquery(those(Column::ExternalId)))
}
