//! Whether a test that has a stored result goes on again, and whether its student has been shown the key: both decide
//! on what may follow (`docs/live-protocol.md#reopening`).

use std::collections::HashSet;

use domain::time::moment::Moment;
use entities::attempt::{Column, Entity};
use sea_orm::prelude::Expr;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::database::Database;

/// How a test that was sat here stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndStanding {
    /// Whether it goes on.
    pub goes_on: bool,
    /// Whether it is stored that its student has been shown the key.
    pub has_seen_answers: bool,
}

/// How a test stands; `None` for one that was not sat here.
pub async fn find_standing(database: &Database, session_id: Uuid) -> Result<Option<EndStanding>, DbErr> {
    let query = Entity::find_by_id(session_id).select_only().columns([Column::EndedAtMs, Column::AnswersSeenAtMs]);
    let found: Option<(Option<i64>, Option<i64>)> = query.into_tuple().one(&database.read).await?;
    Ok(found
        .map(|(ended_at, seen_at)| EndStanding { goes_on: ended_at.is_none(), has_seen_answers: seen_at.is_some() }))
}

/// Of these tests, those that go on.
pub async fn find_going_on(connection: &impl ConnectionTrait, ids: &[Uuid]) -> Result<HashSet<Uuid>, DbErr> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let query = Entity::find().select_only().column(Column::SessionId).filter(Column::EndedAtMs.is_null());
    let query = query.filter(Column::SessionId.is_in(ids.iter().copied()));
    Ok(query.into_tuple::<Uuid>().all(connection).await?.into_iter().collect())
}

/// Notes that the student of a test is shown the key. Returns whether that is noted, and so whether they may be: a test
/// that goes on by now has none to show. A reopening comes before this or after it, and never beside it.
pub async fn note_answers_seen(database: &Database, session_id: Uuid, now: Moment) -> Result<bool, DbErr> {
    let has_ended = Column::SessionId.eq(session_id).and(Column::EndedAtMs.is_not_null());
    let noting = Entity::update_many()
        .col_expr(Column::AnswersSeenAtMs, Expr::value(now.milliseconds()))
        .filter(has_ended.and(Column::AnswersSeenAtMs.is_null()));
    if noting.exec(&database.write).await?.rows_affected > 0 {
        return Ok(true);
    }
    let standing = find_standing(database, session_id).await?;
    Ok(standing.is_some_and(|standing| standing.has_seen_answers && !standing.goes_on))
}
