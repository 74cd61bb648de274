//! What lists show of work that came after the end of tests. The work itself is a matter of live exams.

use std::collections::HashMap;

use domain::room::late::LateRow;
use domain::time::moment::Moment;
use entities::late_work;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};
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
