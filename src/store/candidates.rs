//! The candidates of sittings, in the database, with what their attempts say of them.

use std::collections::{BTreeSet, HashMap};

use domain::sitting::candidate::{AttendanceMark, Candidate, Person};
use domain::sitting::terms::{GrantedTime, Layer};
use domain::sitting::values::Factor;
use domain::time::moment::Moment;
use entities::{attempt, candidate, session, sitting};
use sea_orm::sea_query::{Expr, ExprTrait, Func, IntoCondition, OnConflict, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, JoinType,
    QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::Unreadable;
use super::attempt_times::StoredTimes;
use super::sittings::{factor, minutes, moment, percent, whole};
use crate::database::Database;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;

/// What an attempt says of its candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttemptStanding {
    /// Whether it has ended.
    pub has_ended: bool,
    /// Whether a proctor has stopped its time.
    pub is_paused: bool,
    /// The time that proctors have given.
    pub granted: GrantedTime,
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
    pub report_url: String,
}

/// Loads the candidates of a sitting, by name.
pub async fn load_of(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Vec<Candidate>, DbErr> {
    let of_it = candidate::Entity::find().filter(candidate::Column::SittingId.eq(sitting_id));
    let query = of_it.order_by_asc(candidate::Column::Name).order_by_asc(candidate::Column::Id);
    read(query.all(connection).await?)
}

/// Loads the candidates in one hall of a sitting, by name.
pub async fn load_in(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    hall_id: Uuid,
) -> Result<Vec<Candidate>, DbErr> {
    use candidate::Column;
    let of_it = candidate::Entity::find().filter(Column::SittingId.eq(sitting_id)).filter(Column::RoomId.eq(hall_id));
    read(of_it.order_by_asc(Column::Name).order_by_asc(Column::Id).all(connection).await?)
}

/// Finds the sitting and the hall of a candidate.
pub async fn find_place(connection: &impl ConnectionTrait, id: Uuid) -> Result<Option<(Uuid, Option<Uuid>)>, DbErr> {
    use candidate::Column;
    let query = candidate::Entity::find_by_id(id).select_only().columns([Column::SittingId, Column::RoomId]);
    query.into_tuple().one(connection).await
}

/// Finds one candidate of a sitting.
pub async fn find(connection: &impl ConnectionTrait, sitting_id: Uuid, id: Uuid) -> Result<Option<Candidate>, DbErr> {
    let query = candidate::Entity::find_by_id(id).filter(candidate::Column::SittingId.eq(sitting_id));
    Ok(query.one(connection).await?.map(from_row).transpose()?)
}

/// Loads these candidates of a sitting.
pub async fn load_those(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    ids: Vec<Uuid>,
) -> Result<Vec<Candidate>, DbErr> {
    let mut found = Vec::with_capacity(ids.len());
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let those = candidate::Column::SittingId.eq(sitting_id).and(candidate::Column::Id.is_in(ids.to_vec()));
        found.extend(read(candidate::Entity::find().filter(those).all(connection).await?)?);
    }
    Ok(found)
}

/// Finds the candidate of a sitting whose access code has this hash.
pub async fn find_by_access(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    access_code_hash: &[u8; 32],
) -> Result<Option<Candidate>, DbErr> {
    use candidate::Column;
    let is_theirs = Column::SittingId.eq(sitting_id).and(Column::AccessCodeHash.eq(access_code_hash.to_vec()));
    Ok(candidate::Entity::find().filter(is_theirs).one(connection).await?.map(from_row).transpose()?)
}

/// Finds the candidate of a sitting who signs in with that address.
pub async fn find_by_email(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    email: &str,
) -> Result<Option<Candidate>, DbErr> {
    let is_theirs = candidate::Column::SittingId.eq(sitting_id).and(candidate::Column::Email.eq(email));
    Ok(candidate::Entity::find().filter(is_theirs).one(connection).await?.map(from_row).transpose()?)
}

/// Whether any candidate who has entered a sitting has a start of their own before that moment.
pub async fn has_own_start_before(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    moment: Moment,
) -> Result<bool, DbErr> {
    use candidate::Column;
    let has_begun = Column::StartsAtMs.lte(moment.milliseconds()).and(Column::SessionId.is_not_null());
    let query = candidate::Entity::find().filter(Column::SittingId.eq(sitting_id)).filter(has_begun);
    Ok(query.select_only().column(Column::Id).into_tuple::<Uuid>().one(connection).await?.is_some())
}

/// Loads every entry of a person who signs in with that address, with the ids of the sittings.
pub async fn load_of_person(database: &Database, email: &str, count: u64) -> Result<Vec<(Uuid, Candidate)>, DbErr> {
    let query = candidate::Entity::find().filter(candidate::Column::Email.eq(email)).limit(count);
    let rows = query.all(&database.read).await?;
    rows.into_iter()
        .map(|row| Ok((row.sitting_id, from_row(row)?)))
        .collect::<Result<_, Unreadable>>()
        .map_err(DbErr::from)
}

/// Finds the sittings with open doors, not ended, on whose rosters any of these people are.
pub async fn find_open_sittings_of(database: &Database, emails: &[String]) -> Result<Vec<Uuid>, DbErr> {
    let to_sitting =
        candidate::Entity::belongs_to(sitting::Entity).from(candidate::Column::SittingId).to(sitting::Column::Id);
    let open = candidate::Entity::find()
        .select_only()
        .column(candidate::Column::SittingId)
        .distinct()
        .join(JoinType::InnerJoin, to_sitting.into())
        .filter(sitting::Column::OpenedAtMs.is_not_null())
        .filter(sitting::Column::EndedAtMs.is_null());
    let mut found = BTreeSet::new();
    for emails in emails.chunks(ROWS_PER_STATEMENT) {
        let those = open.clone().filter(candidate::Column::Email.is_in(emails.to_vec()));
        found.extend(those.into_tuple::<Uuid>().all(&database.read).await?);
    }
    Ok(found.into_iter().collect())
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
        #[sea_orm(nested)]
        times: StoredTimes,
    }
    let columns = [attempt::Column::CandidateId, attempt::Column::EndedAtMs];
    let query = attempt::Entity::find().select_only().columns(columns).columns(StoredTimes::COLUMNS).filter(those);
    let rows: Vec<Row> = query.into_model().all(connection).await?;
    let standing = |row: Row| {
        let times = row.times.times();
        let granted =
            GrantedTime { extended_minutes: times.extended_minutes, paused_milliseconds: times.paused_milliseconds };
        let (has_ended, is_paused) = (row.ended_at_ms.is_some(), times.paused_at.is_some());
        Some((row.candidate_id?, AttemptStanding { has_ended, is_paused, granted }))
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

/// Stores new candidates, and changes of others.
pub async fn put(transaction: &DatabaseTransaction, sitting_id: Uuid, candidates: &[Candidate]) -> Result<(), DbErr> {
    use candidate::Column;
    // Neither a code nor what its owner tries is changed by a roster.
    let changed = [
        Column::Email,
        Column::ExternalId,
        Column::Name,
        Column::RoomId,
        Column::Seat,
        Column::Factor,
        Column::ExtraMinutes,
        Column::StartsAtMs,
        Column::EndsAtMs,
        Column::AccommodationFactor,
        Column::AccommodationExtraMinutes,
        Column::Note,
    ];
    for candidates in candidates.chunks(ROWS_PER_STATEMENT) {
        let rows: Vec<_> = candidates.iter().map(|candidate| to_row(sitting_id, candidate)).collect();
        let instead = OnConflict::column(Column::Id).update_columns(changed).to_owned();
        candidate::Entity::insert_many(rows).on_conflict(instead).exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// Removes candidates of a sitting that was locked, unless they have entered meanwhile.
pub async fn delete(transaction: &DatabaseTransaction, sitting_id: Uuid, ids: &[Uuid]) -> Result<(), DbErr> {
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let those = candidate::Column::SittingId
            .eq(sitting_id)
            .and(candidate::Column::Id.is_in(ids.to_vec()))
            .and(candidate::Column::SessionId.is_null());
        candidate::Entity::delete_many().filter(those).exec(transaction).await?;
    }
    Ok(())
}

/// How an access code is stored.
pub struct AccessCodeHashes {
    pub whole: [u8; 32],
    /// Of the characters before the hyphen.
    pub half: [u8; 32],
}

/// Finds the candidate of a sitting whose code has this first half.
pub async fn find_by_access_half(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    half_hash: &[u8; 32],
) -> Result<Option<Candidate>, DbErr> {
    use candidate::Column;
    let is_theirs = Column::SittingId.eq(sitting_id).and(Column::AccessHalfHash.eq(half_hash.to_vec()));
    Ok(candidate::Entity::find().filter(is_theirs).one(connection).await?.map(from_row).transpose()?)
}

/// Counts a wrong code whose first half is that of a candidate. Returns how many there have been.
pub async fn count_wrong_try(transaction: &DatabaseTransaction, candidate_id: Uuid) -> Result<i32, DbErr> {
    use candidate::Column;
    candidate::Entity::update_many()
        .col_expr(Column::WrongTries, Expr::col(Column::WrongTries).add(1))
        .filter(Column::Id.eq(candidate_id))
        .exec(transaction)
        .await?;
    let count = candidate::Entity::find_by_id(candidate_id).select_only().column(Column::WrongTries);
    Ok(count.into_tuple().one(transaction).await?.unwrap_or_default())
}

/// Stores the hashes of new access codes, and forgets the wrong tries of the old ones.
pub async fn set_access_codes(
    transaction: &DatabaseTransaction,
    hashes: &[(Uuid, AccessCodeHashes)],
) -> Result<(), DbErr> {
    for (id, hashes) in hashes {
        let code = candidate::ActiveModel {
            access_code_hash: Set(Some(hashes.whole.to_vec())),
            access_half_hash: Set(Some(hashes.half.to_vec())),
            wrong_tries: Set(0),
            ..Default::default()
        };
        candidate::Entity::update_many().set(code).filter(candidate::Column::Id.eq(*id)).exec(transaction).await?;
    }
    Ok(())
}

/// Stores whom proctors have marked as present or absent, and admitted. The sitting was locked.
pub async fn set_marks(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    candidates: &[Candidate],
) -> Result<(), DbErr> {
    use candidate::Column;
    let changed = [Column::PresentBy, Column::PresentAtMs, Column::AbsentBy, Column::AbsentAtMs, Column::AdmittedBy];
    for candidates in candidates.chunks(ROWS_PER_STATEMENT) {
        // None of them is new, since candidates are only removed under the same lock.
        let rows: Vec<_> = candidates.iter().map(|candidate| to_row(sitting_id, candidate)).collect();
        let instead = OnConflict::column(Column::Id).update_columns(changed).to_owned();
        candidate::Entity::insert_many(rows).on_conflict(instead).exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// Loads the results of these finished tests.
pub async fn load_results(
    connection: &impl ConnectionTrait,
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

fn read(rows: Vec<candidate::Model>) -> Result<Vec<Candidate>, DbErr> {
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

fn to_row(sitting_id: Uuid, candidate: &Candidate) -> candidate::ActiveModel {
    let mark = |mark: &Option<AttendanceMark>| {
        (mark.as_ref().map(|mark| mark.by.clone()), mark.as_ref().map(|mark| mark.at.milliseconds()))
    };
    let ((present_by, present_at_ms), (absent_by, absent_at_ms)) = (mark(&candidate.present), mark(&candidate.absent));
    candidate::ActiveModel {
        id: Set(candidate.id),
        sitting_id: Set(sitting_id),
        email: Set(candidate.person.email.clone()),
        external_id: Set(candidate.person.external_id.clone()),
        name: Set(candidate.name.clone()),
        room_id: Set(candidate.hall_id),
        seat: Set(candidate.seat.clone()),
        factor: Set(candidate.own.factor.map(percent)),
        extra_minutes: Set(candidate.own.extra_minutes.map(whole)),
        starts_at_ms: Set(candidate.own.starts_at.map(Moment::milliseconds)),
        ends_at_ms: Set(candidate.own.ends_at.map(Moment::milliseconds)),
        accommodation_factor: Set(candidate.accommodation_factor.map(percent)),
        accommodation_extra_minutes: Set(candidate.accommodation_extra_minutes.map(whole)),
        note: Set(candidate.note.clone()),
        access_code_hash: Set(None),
        access_half_hash: Set(None),
        wrong_tries: Set(0),
        session_id: Set(candidate.session_id),
        entered_at_ms: Set(candidate.entered_at.map(Moment::milliseconds)),
        admitted_by: Set(candidate.admitted_by.clone()),
        present_by: Set(present_by),
        present_at_ms: Set(present_at_ms),
        absent_by: Set(absent_by),
        absent_at_ms: Set(absent_at_ms),
    }
}

fn from_row(row: candidate::Model) -> Result<Candidate, Unreadable> {
    let mark = |by: Option<String>, at_ms: Option<i64>| Some(AttendanceMark { by: by?, at: moment(at_ms)? });
    let own = Layer {
        starts_at: moment(row.starts_at_ms),
        ends_at: moment(row.ends_at_ms),
        factor: factor(row.factor)?,
        extra_minutes: minutes(row.extra_minutes)?,
    };
    let accommodation_factor: Option<Factor> = factor(row.accommodation_factor)?;
    Ok(Candidate {
        id: row.id,
        person: Person { email: row.email, external_id: row.external_id },
        name: row.name,
        hall_id: row.room_id,
        seat: row.seat,
        own,
        accommodation_factor,
        accommodation_extra_minutes: minutes(row.accommodation_extra_minutes)?,
        note: row.note,
        has_access_code: row.access_code_hash.is_some(),
        wrong_tries: u32::try_from(row.wrong_tries).unwrap_or_default(),
        session_id: row.session_id,
        entered_at: moment(row.entered_at_ms),
        admitted_by: row.admitted_by,
        present: mark(row.present_by, row.present_at_ms),
        absent: mark(row.absent_by, row.absent_at_ms),
    })
}
