//! The tests by links whose results platforms do not have yet: whoever removes a link, or leads it elsewhere, is told
//! how many they are, since no score goes by it any more.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement};
use uuid::Uuid;

use super::lti_scores::{IS_NEWEST, events, taken};
use super::many_rows;

/// Counts, for each of these links that has some, the tests that go on, whose results are held, or whose scores have
/// not arrived. Of several tests of a person by one link the newest counts.
pub async fn count(connection: &impl ConnectionTrait, link_ids: &[Uuid]) -> Result<HashMap<Uuid, usize>, DbErr> {
    #[derive(FromQueryResult)]
    struct Row {
        link_id: Uuid,
        waiting: i64,
    }
    if link_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let backend = connection.get_database_backend();
    let (of_test, ids) = many_rows::among(backend, "lti_tests.link_id", link_ids, 1);
    let (of_attempt, _) = many_rows::among(backend, "lti_candidates.link_id", link_ids, 1);
    let of_score = |status: &str| {
        format!(
            "EXISTS (SELECT 1 FROM deliveries WHERE deliveries.session_id = taken.session_id \
             AND deliveries.event IN ({}) AND deliveries.status = '{status}')",
            events()
        )
    };
    let text = format!(
        "SELECT taken.link_id, COUNT(*) AS waiting FROM ({}) AS taken \
         LEFT JOIN sessions ON sessions.session_id = taken.session_id \
         LEFT JOIN sittings ON sittings.id = sessions.sitting_id WHERE {IS_NEWEST} AND ( \
         EXISTS (SELECT 1 FROM attempts WHERE attempts.session_id = taken.session_id AND attempts.ended_at_ms IS NULL) \
         OR (sittings.results <> 'now' AND sittings.released_at_ms IS NULL) OR {} OR NOT {}) GROUP BY taken.link_id",
        taken(&of_test, &of_attempt),
        of_score("pending"),
        of_score("delivered")
    );
    let rows = Row::find_by_statement(Statement::from_sql_and_values(backend, text, ids)).all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.link_id, usize::try_from(row.waiting).unwrap_or_default())).collect())
}
