//! The times of sittings' attempts in their rows. Until its time counts, a row has none: they follow from the sitting,
//! the hall, the accommodation and the candidate. Afterwards they are written down, and again when any of these
//! changes. Both may be done again and again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::values::StartRule;
use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use entities::{attempt, attempt_event, candidate, room, sitting};
use sea_orm::sea_query::{Expr, ExprTrait, Func, SimpleExpr};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::sittings::LockedSitting;
use super::{candidates, seats, sittings};
use crate::database::Database;

/// Attempts of one transaction, so that none takes long while students save their answers.
const ATTEMPTS_AT_ONCE: usize = 500;
/// The kind of the event that says when the time began to count.
const STARTED: &str = "started";

/// What a row says of an attempt's plan: beginning, given time, and hard end, in milliseconds.
type Plan = (i64, i64, Option<i64>);

/// The columns of an attempt from which its plan follows, or which it changes.
struct PlannedRow {
    session_id: Uuid,
    candidate_id: Uuid,
    minutes: u32,
    stored: Plan,
}

#[derive(FromQueryResult)]
struct StoredPlan {
    session_id: Uuid,
    candidate_id: Option<Uuid>,
    duration_minutes: i32,
    started_at_ms: i64,
    given_ms: Option<i64>,
    hard_end_ms: Option<i64>,
}

impl StoredPlan {
    fn row(self) -> Option<PlannedRow> {
        Some(PlannedRow {
            session_id: self.session_id,
            candidate_id: self.candidate_id?,
            minutes: u32::try_from(self.duration_minutes).ok()?,
            stored: (self.started_at_ms, self.given_ms?, self.hard_end_ms),
        })
    }
}

/// Finds sittings with attempts whose time has begun to count before that moment, and whose rows have no times yet. The
/// beginning is that of [`domain::sitting::terms::CandidateTerms`]; those who wait for a proctor are left out, however
/// many there are, and for however long.
pub async fn find_sittings_without(database: &Database, before: Moment) -> Result<Vec<Uuid>, DbErr> {
    let to_sitting =
        attempt::Entity::belongs_to(sitting::Entity).from(attempt::Column::SittingId).to(sitting::Column::Id);
    let to_candidate =
        attempt::Entity::belongs_to(candidate::Entity).from(attempt::Column::CandidateId).to(candidate::Column::Id);
    let to_room = candidate::Entity::belongs_to(room::Entity).from(candidate::Column::RoomId).to(room::Column::Id);
    let by_clock = |start: SimpleExpr| {
        Expr::case(Expr::col((sitting::Entity, sitting::Column::Start)).ne(StartRule::Proctor.name()), start)
    };
    let begins_at = Func::coalesce([
        Expr::col((candidate::Entity, candidate::Column::StartsAtMs)),
        Expr::col((room::Entity, room::Column::BegunAtMs)),
        by_clock(Expr::col((room::Entity, room::Column::StartsAtMs))).into(),
        Expr::col((sitting::Entity, sitting::Column::BegunAtMs)),
        by_clock(Expr::col((sitting::Entity, sitting::Column::StartsAtMs))).into(),
    ]);
    let query = attempt::Entity::find()
        .select_only()
        .column(attempt::Column::SittingId)
        .distinct()
        .join(JoinType::InnerJoin, to_sitting.into())
        .join(JoinType::InnerJoin, to_candidate.into())
        .join(JoinType::LeftJoin, to_room.into())
        .filter(is_without_times())
        .filter(Expr::expr(begins_at).lte(before.milliseconds()));
    query.into_tuple().all(&database.read).await
}

/// Finds the sittings of those of some attempts whose rows have no times yet.
pub async fn find_sittings_of(database: &Database, which: SimpleExpr) -> Result<Vec<Uuid>, DbErr> {
    let query = attempt::Entity::find().select_only().column(attempt::Column::SittingId).distinct();
    let query = query.filter(is_without_times()).filter(which);
    let ids: Vec<Option<Uuid>> = query.into_tuple().all(&database.read).await?;
    Ok(ids.into_iter().flatten().collect())
}

/// Writes down the times of the attempts of a sitting that have begun to count, in transactions of their own. It stops
/// if the sitting or its roster is changed meanwhile: then these times are old, and the next look finds what is left.
pub async fn write_begun(database: &Database, sitting: &Sitting, now: Moment) -> Result<(), DbErr> {
    let rows = find(&database.read, sitting.id, is_without_times()).await?;
    let roster = roster(&database.read, sitting.id, &rows).await?;
    let stored: HashMap<Uuid, Plan> = rows.iter().map(|row| (row.session_id, row.stored)).collect();
    let (mut begun, missed) = plans(sitting, &rows, &roster);
    begun.retain(|(_, (begins_at_ms, ..))| *begins_at_ms <= now.milliseconds());
    for begun in begun.chunks(ATTEMPTS_AT_ONCE) {
        let transaction = database.begin().await?;
        let held = sittings::hold(&transaction, sitting.id).await?;
        if held.is_none_or(|held| held.version != sitting.version) {
            return Ok(());
        }
        seats::lock(&transaction, ids_of(begun)).await?;
        // Another server may have been quicker.
        let ids = attempt::Entity::find().select_only().column(attempt::Column::SessionId);
        let ids = ids.filter(attempt::Column::SessionId.is_in(begun.iter().map(|(session_id, _)| *session_id)));
        let left: HashSet<Uuid> =
            ids.filter(is_without_times()).into_tuple::<Uuid>().all(&transaction).await?.into_iter().collect();
        let begun: Vec<(Uuid, Plan)> = begun.iter().filter(|(id, _)| left.contains(id)).copied().collect();
        write(&transaction, &begun, &missed).await?;
        insert_events(&transaction, &begun).await?;
        // A seat that began just before it heard of the change has the time that was given at the entry.
        let given = |(_, given_ms, hard_end_ms): Plan| (given_ms, hard_end_ms);
        let changed =
            begun.iter().filter(|(id, plan)| stored.get(id).map(|stored| given(*stored)) != Some(given(*plan)));
        seats::raise_orders(&transaction, changed.map(|(id, _)| *id)).await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// Writes down the times of running attempts of a sitting that has been changed, as far as they have others now. Their
/// seats are told as they are told of proctors' orders. That is also so of those whose time has begun to count and
/// stands in no row yet: their seats are at work by the times of before.
pub async fn write_changed(sitting: &LockedSitting<'_>, now: Moment) -> Result<(), DbErr> {
    let transaction = sitting.transaction();
    // For how long a reopened test goes on was decided when it was, and is changed by orders alone.
    let is_by_plan = attempt::Column::Reopenings.eq(0).or(is_without_times());
    let rows = find(transaction, sitting.id, is_by_plan).await?;
    let roster = roster(transaction, sitting.id, &rows).await?;
    let stored: HashMap<Uuid, Plan> = rows.iter().map(|row| (row.session_id, row.stored)).collect();
    let has_times =
        |session_id: &Uuid| stored.get(session_id).is_some_and(|(at_ms, ..)| *at_ms != Moment::LAST.milliseconds());
    let (mut changed, missed) = plans(sitting, &rows, &roster);
    changed.retain(|(id, plan)| stored.get(id) != Some(plan) && (has_times(id) || plan.0 <= now.milliseconds()));
    for changed in changed.chunks(ATTEMPTS_AT_ONCE) {
        seats::lock(transaction, ids_of(changed)).await?;
        write(transaction, changed, &missed).await?;
        let begun: Vec<(Uuid, Plan)> = changed.iter().filter(|(id, _)| !has_times(id)).copied().collect();
        insert_events(transaction, &begun).await?;
        seats::raise_orders(transaction, ids_of(changed)).await?;
    }
    Ok(())
}

fn ids_of(plans: &[(Uuid, Plan)]) -> impl Iterator<Item = Uuid> {
    plans.iter().map(|(session_id, _)| *session_id)
}

fn is_without_times() -> SimpleExpr {
    attempt::Column::StartedAtMs.eq(Moment::LAST.milliseconds()).and(attempt::Column::EndedAtMs.is_null())
}

/// Finds running attempts of a sitting.
async fn find(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    which: SimpleExpr,
) -> Result<Vec<PlannedRow>, DbErr> {
    use attempt::Column;
    let columns = [
        Column::SessionId,
        Column::CandidateId,
        Column::DurationMinutes,
        Column::StartedAtMs,
        Column::GivenMs,
        Column::HardEndMs,
    ];
    let lasting = Column::SittingId.eq(sitting_id).and(Column::EndedAtMs.is_null()).and(which);
    let query = attempt::Entity::find().select_only().columns(columns).filter(lasting);
    let found: Vec<StoredPlan> = query.order_by_asc(Column::SessionId).into_model().all(connection).await?;
    Ok(found.into_iter().filter_map(StoredPlan::row).collect())
}

async fn roster(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    rows: &[PlannedRow],
) -> Result<HashMap<Uuid, Candidate>, DbErr> {
    let those: BTreeSet<Uuid> = rows.iter().map(|row| row.candidate_id).collect();
    let found = candidates::load_those(connection, sitting_id, those.into_iter().collect()).await?;
    Ok(found.into_iter().map(|candidate| (candidate.id, candidate)).collect())
}

/// The plans of these attempts, and of those who came late the length of the pauses that they have missed, in
/// milliseconds.
fn plans(
    sitting: &Sitting,
    rows: &[PlannedRow],
    roster: &HashMap<Uuid, Candidate>,
) -> (Vec<(Uuid, Plan)>, HashMap<Uuid, i64>) {
    let times = |row: &PlannedRow| Some((row.session_id, sitting.times(roster.get(&row.candidate_id)?, row.minutes)?));
    let all: Vec<(Uuid, AttemptTimes)> = rows.iter().filter_map(times).collect();
    let plan = |(session_id, times): &(Uuid, AttemptTimes)| {
        let hard_end = times.hard_end.map(Moment::milliseconds);
        (*session_id, (times.begins_at.milliseconds(), times.given_milliseconds, hard_end))
    };
    let missed = all.iter().map(|(session_id, times)| (*session_id, times.paused_milliseconds));
    (all.iter().map(plan).collect(), missed.filter(|(_, missed)| *missed > 0).collect())
}

/// Most candidates have the same times, so this takes few statements. The deadline moves by as much as what it is made
/// of, so whatever proctors have given stays in it.
async fn write(
    transaction: &DatabaseTransaction,
    plans: &[(Uuid, Plan)],
    missed: &HashMap<Uuid, i64>,
) -> Result<(), DbErr> {
    use attempt::Column;
    let mut groups: BTreeMap<(Plan, i64), Vec<Uuid>> = BTreeMap::new();
    for (session_id, plan) in plans {
        let missed = missed.get(session_id).copied().unwrap_or_default();
        groups.entry((*plan, missed)).or_default().push(*session_id);
    }
    for (((begins_at_ms, given_ms, hard_end_ms), missed_ms), ids) in groups {
        let extended = Expr::col(Column::ExtendedMinutes).mul(60_000_i64);
        let moved = Expr::col(Column::DeadlineMs)
            .add(begins_at_ms)
            .sub(Expr::col(Column::StartedAtMs))
            .add(given_ms)
            .sub(Expr::col(Column::GivenMs));
        let is_without = Expr::col(Column::StartedAtMs).eq(Moment::LAST.milliseconds());
        // Only pauses of the hall can lie before the entry, and none before the time began to count.
        let first = Expr::value(begins_at_ms + given_ms + missed_ms).add(extended);
        let deadline = Expr::case(is_without, first).finally(moved);
        for ids in ids.chunks(ATTEMPTS_AT_ONCE) {
            attempt::Entity::update_many()
                .col_expr(Column::DeadlineMs, deadline.clone().into())
                .col_expr(Column::StartedAtMs, Expr::value(begins_at_ms))
                .col_expr(Column::GivenMs, Expr::value(given_ms))
                .col_expr(Column::HardEndMs, Expr::value(hard_end_ms))
                .filter(Column::SessionId.is_in(ids.to_vec()))
                .exec(transaction)
                .await?;
        }
    }
    Ok(())
}

async fn insert_events(connection: &impl ConnectionTrait, begun: &[(Uuid, Plan)]) -> Result<(), DbErr> {
    let row = |(session_id, (begins_at_ms, ..)): &(Uuid, Plan)| attempt_event::ActiveModel {
        id: NotSet,
        session_id: Set(*session_id),
        at_ms: Set(*begins_at_ms),
        kind: Set(STARTED.to_owned()),
        by: Set("server".to_owned()),
        detail: Set(String::new()),
    };
    if !begun.is_empty() {
        attempt_event::Entity::insert_many(begun.iter().map(row)).exec_without_returning(connection).await?;
    }
    Ok(())
}
