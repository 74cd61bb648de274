//! What lists show of work that came after the end of tests. The work itself is a matter of live exams.

use std::collections::HashMap;

use domain::room::late::LateRow;
use domain::time::moment::Moment;
use entities::{attempt, late_work};
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter};
use uuid::Uuid;

/// Sessions of one statement: fewer than SQLite accepts values.
const SESSIONS_PER_STATEMENT: usize = 10_000;
/// The same as [`undecided_changes`], as a condition on rows of late work.
const HAS_UNDECIDED: &str = "late_works.changes > COALESCE(late_works.decided_changes, \
    CASE WHEN late_works.accepted > 0 OR late_works.declined > 0 THEN late_works.changes ELSE 0 END)";

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

/// Counts the finished tests of a sitting with work that came after their end and about which nobody has decided since
/// it came. About that of a reopened test nobody can decide before its next end.
pub async fn count_undecided(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<u64, DbErr> {
    let of_sitting = Query::select()
        .column(attempt::Column::SessionId)
        .from(attempt::Entity)
        .and_where(attempt::Column::SittingId.eq(sitting_id))
        .and_where(attempt::Column::EndedAtMs.is_not_null())
        .to_owned();
    let query = late_work::Entity::find().filter(late_work::Column::SessionId.in_subquery(of_sitting));
    query.filter(Expr::cust(HAS_UNDECIDED)).count(connection).await
}

/// How many changes have come since somebody decided last. Visits of questions and what stood already are kept too, and
/// are no changes.
#[must_use]
pub fn undecided_changes(work: &late_work::Model) -> i32 {
    let is_decided = work.accepted > 0 || work.declined > 0;
    let decided = work.decided_changes.unwrap_or(if is_decided { work.changes } else { 0 });
    work.changes.saturating_sub(decided).max(0)
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
        undecided: count(undecided_changes(work)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_after_a_decision_is_to_be_decided_about() {
        let undecided = |changes, declined, decided_changes| {
            let (session_id, offline_since_ms) = (Uuid::nil(), None);
            let (first_at_ms, last_at_ms, ended_at_ms) = (0, 0, 0);
            undecided_changes(&late_work::Model {
                session_id,
                commands: changes,
                changes,
                bytes: 0,
                accepted: 0,
                declined,
                decided_changes,
                mark: 0,
                first_at_ms,
                last_at_ms,
                ended_at_ms,
                offline_since_ms,
            })
        };
        assert_eq!([undecided(0, 0, None), undecided(2, 0, None)], [0, 2]);
        assert_eq!([undecided(2, 2, Some(2)), undecided(5, 2, Some(2))], [0, 3]);
        assert_eq!(undecided(5, 2, None), 0, "a server of an earlier release has noted the decision");
        assert_eq!(undecided(1, 0, Some(2)), 0);
    }
}
