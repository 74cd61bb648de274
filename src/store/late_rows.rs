//! What lists show of work that came after the end of tests. The work itself is a matter of live exams.

use std::collections::HashMap;

use domain::room::late::LateRow;
use domain::time::moment::Moment;
use entities::{attempt, late_work};
use sea_orm::sea_query::Query;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter};
use uuid::Uuid;

/// Sessions of one statement: fewer than SQLite accepts values.
const SESSIONS_PER_STATEMENT: usize = 10_000;

/// What rows show of the late work of these tests, without those that have none.
pub async fn find_late_rows(
    connection: &impl ConnectionTrait,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, LateRow>, DbErr> {
    let mut found = HashMap::new();
    for ids in session_ids.chunks(SESSIONS_PER_STATEMENT) {
        let query = late_work::Entity::find().filter(late_work::Column::SessionId.is_in(ids.iter().copied()));
        found.extend(query.all(connection).await?.into_iter().map(|work| (work.session_id, late_row(&work))));
    }
    Ok(found)
}

/// Counts the finished tests of a sitting to which work came after their end, about none of which anybody has decided.
/// About that of a reopened test nobody can decide before its next end.
pub async fn count_undecided(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<u64, DbErr> {
    use late_work::Column;
    let of_sitting = Query::select()
        .column(attempt::Column::SessionId)
        .from(attempt::Entity)
        .and_where(attempt::Column::SittingId.eq(sitting_id))
        .and_where(attempt::Column::EndedAtMs.is_not_null())
        .to_owned();
    let query = late_work::Entity::find().filter(Column::SessionId.in_subquery(of_sitting));
    // Visits of questions and what stood already are kept too, and are no changes.
    let query = query.filter(Column::Changes.gt(0)).filter(Column::Accepted.eq(0)).filter(Column::Declined.eq(0));
    query.count(connection).await
}

fn late_row(work: &late_work::Model) -> LateRow {
    let count = |number: i32| u32::try_from(number).unwrap_or(0);
    LateRow {
        changes: count(work.changes),
        late_ms: work.last_at_ms.saturating_sub(work.ended_at_ms),
        last_at: Moment::from_milliseconds(work.last_at_ms),
        offline_since: work.offline_since_ms.map(Moment::from_milliseconds),
        accepted: count(work.accepted),
        declined: count(work.declined),
    }
}
