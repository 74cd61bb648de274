//! The standings of candidates by their attempts and results, in the database.

use std::collections::{BTreeSet, HashMap};

use domain::form::FormLetter;
use domain::sight::StaffSight;
use domain::sitting::terms::GrantedTime;
use domain::time::moment::Moment;
use entities::{attempt, candidate, session};
use sea_orm::sea_query::{Expr, ExprTrait, Func, IntoCondition, SimpleExpr};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter, QuerySelect};
use uuid::Uuid;

use super::ROWS_PER_STATEMENT;
use crate::store::attempt_times::StoredTimes;

/// What an attempt says of its candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttemptStanding {
    /// Whether it has ended.
    pub has_ended: bool,
    /// Since when its time stands still; `None` while it runs.
    pub paused_at: Option<Moment>,
    /// The time that proctors have given, without a pause that lasts.
    pub granted: GrantedTime,
    /// The form that the candidate sits; `None` for a template without forms.
    pub form: Option<FormLetter>,
}

/// Candidates of one sitting who share everything that their state depends on.
#[derive(Debug, FromQueryResult)]
pub struct CandidateGroup {
    pub sitting_id: Uuid,
    pub room_id: Option<Uuid>,
    pub starts_at_ms: Option<i64>,
    /// 1 or 0, as the next three.
    pub has_entered: i32,
    pub is_absent: i32,
    pub has_ended: i32,
    pub is_paused: i32,
    pub count: i64,
    pub factor_max: Option<i32>,
    pub extra_minutes_max: Option<i32>,
    pub ends_at_ms_max: Option<i64>,
}

/// The result of a candidate's finished test.
#[derive(Debug, FromQueryResult)]
pub struct CandidateResult {
    pub session_id: Uuid,
    pub score: i32,
    pub correct_answers: i32,
    pub total_questions: i32,
    /// Whole seconds.
    pub time_taken: i32,
}

/// Loads what the attempts of a sitting say of its candidates, by the candidates' ids.
pub async fn load_standings(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
) -> Result<HashMap<Uuid, AttemptStanding>, DbErr> {
    standings(connection, attempt::Column::SittingId.eq(sitting_id)).await
}

/// Loads the same of these attempts alone.
pub async fn load_standings_of(
    connection: &impl ConnectionTrait,
    session_ids: impl Iterator<Item = Uuid>,
) -> Result<HashMap<Uuid, AttemptStanding>, DbErr> {
    standings(connection, attempt::Column::SessionId.is_in(session_ids)).await
}

async fn standings(
    connection: &impl ConnectionTrait,
    those: impl IntoCondition,
) -> Result<HashMap<Uuid, AttemptStanding>, DbErr> {
    #[derive(FromQueryResult)]
    struct Row {
        candidate_id: Option<Uuid>,
        ended_at_ms: Option<i64>,
        form: Option<String>,
        #[sea_orm(nested)]
        times: StoredTimes,
    }
    let columns = [attempt::Column::CandidateId, attempt::Column::EndedAtMs, attempt::Column::Form];
    let query = attempt::Entity::find().select_only().columns(columns).columns(StoredTimes::COLUMNS).filter(those);
    let rows: Vec<Row> = query.into_model().all(connection).await?;
    let standing = |row: Row| {
        let times = row.times.times();
        let granted =
            GrantedTime { extended_minutes: times.extended_minutes, paused_milliseconds: times.paused_milliseconds };
        let (has_ended, form) = (row.ended_at_ms.is_some(), row.form.as_deref().and_then(FormLetter::parse));
        Some((row.candidate_id?, AttemptStanding { has_ended, paused_at: times.paused_at, granted, form }))
    };
    Ok(rows.into_iter().filter_map(standing).collect())
}

/// Counts the candidates of these sittings by everything that their state depends on.
pub async fn load_groups(
    connection: &impl ConnectionTrait,
    sitting_ids: Vec<Uuid>,
) -> Result<Vec<CandidateGroup>, DbErr> {
    use candidate::Column;
    let is = |column: SimpleExpr| -> SimpleExpr { Expr::case(column.is_not_null(), 1).finally(0).into() };
    let flags = [
        ("has_entered", is(Expr::col((candidate::Entity, Column::SessionId)))),
        ("is_absent", is(Expr::col((candidate::Entity, Column::AbsentBy)))),
        ("has_ended", is(Expr::col((attempt::Entity, attempt::Column::EndedAtMs)))),
        ("is_paused", is(Expr::col((attempt::Entity, attempt::Column::PausedAtMs)))),
    ];
    let to_attempt =
        candidate::Entity::belongs_to(attempt::Entity).from(Column::SessionId).to(attempt::Column::SessionId);
    let either = |own: Column, copied: Column| {
        Func::max(Func::coalesce([Expr::col((candidate::Entity, own)), Expr::col((candidate::Entity, copied))]))
    };
    let mut query = candidate::Entity::find()
        .select_only()
        .columns([Column::SittingId, Column::RoomId, Column::StartsAtMs])
        .expr_as(Expr::col((candidate::Entity, Column::Id)).count(), "count")
        .expr_as(either(Column::Factor, Column::AccommodationFactor), "factor_max")
        .expr_as(either(Column::ExtraMinutes, Column::AccommodationExtraMinutes), "extra_minutes_max")
        .expr_as(Expr::col((candidate::Entity, Column::EndsAtMs)).max(), "ends_at_ms_max")
        .join(JoinType::LeftJoin, to_attempt.into())
        .filter(Column::SittingId.is_in(sitting_ids))
        .group_by(Column::SittingId)
        .group_by(Column::RoomId)
        .group_by(Column::StartsAtMs);
    for (name, flag) in flags {
        // By its name: on Postgres, the same expression with other parameters would be another one.
        query = query.expr_as(flag, name).group_by(Expr::col(name));
    }
    query.into_model().all(connection).await
}

/// Loads the results of these finished tests. `_sight` is of those tests.
pub async fn load_results(
    connection: &impl ConnectionTrait,
    _sight: StaffSight,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, CandidateResult>, DbErr> {
    let mut results = HashMap::new();
    let ids: BTreeSet<Uuid> = session_ids.iter().copied().collect();
    for ids in ids.into_iter().collect::<Vec<_>>().chunks(ROWS_PER_STATEMENT) {
        let those = session::Column::SessionId.is_in(ids.to_vec());
        let found = session::Entity::find().filter(those).into_model::<CandidateResult>().all(connection).await?;
        results.extend(found.into_iter().map(|result| (result.session_id, result)));
    }
    Ok(results)
}
