//! The candidates of sittings, in the database, with what their attempts say of them.

mod standings;

use std::collections::{BTreeSet, HashMap};

use domain::sitting::candidate::{AttendanceMark, Candidate, Person};
use domain::sitting::terms::Layer;
use domain::sitting::values::Factor;
use domain::text::order::compare_names;
use domain::time::moment::Moment;
use entities::{candidate, sitting};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, JoinType, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::sittings::{LockedSitting, SittingHold, factor, minutes, moment, percent, whole};
use super::{Unreadable, lti_rosters};
use crate::database::Database;
pub use standings::{
    AttemptStanding, CandidateGroup, CandidateResult, load_groups, load_results, load_standings, load_standings_of,
};

/// Rows of one statement: SQLite takes 32,766 values.
pub(super) const ROWS_PER_STATEMENT: usize = 1_000;

/// Loads the candidates of a sitting, by id.
pub async fn load_of(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Vec<Candidate>, DbErr> {
    let of_it = candidate::Entity::find().filter(candidate::Column::SittingId.eq(sitting_id));
    from_rows(of_it.order_by_asc(candidate::Column::Id).all(connection).await?)
}

/// Loads the candidates in one hall of a sitting, by id.
pub async fn load_in(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    hall_id: Uuid,
) -> Result<Vec<Candidate>, DbErr> {
    use candidate::Column;
    let of_it = candidate::Entity::find().filter(Column::SittingId.eq(sitting_id)).filter(Column::RoomId.eq(hall_id));
    from_rows(of_it.order_by_asc(Column::Id).all(connection).await?)
}

/// Sorts candidates as their names are sorted, for those who show them: each database has an order of letters of its
/// own, and this one costs too much where nobody looks.
#[must_use]
pub fn by_name(mut roster: Vec<Candidate>) -> Vec<Candidate> {
    roster.sort_unstable_by(|one, other| compare_names(&one.name, &other.name).then_with(|| one.id.cmp(&other.id)));
    roster
}

/// Loads the candidates of a sitting who have neither entered nor been marked as absent.
pub async fn load_expected(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Vec<Candidate>, DbErr> {
    use candidate::Column;
    let is_expected = Column::SessionId.is_null().and(Column::AbsentBy.is_null());
    let of_it = candidate::Entity::find().filter(Column::SittingId.eq(sitting_id)).filter(is_expected);
    from_rows(of_it.all(connection).await?)
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
        found.extend(from_rows(candidate::Entity::find().filter(those).all(connection).await?)?);
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

/// The first start of their own that a candidate of the sitting has.
pub async fn first_own_start(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Option<Moment>, DbErr> {
    use candidate::Column;
    let query = candidate::Entity::find().filter(Column::SittingId.eq(sitting_id)).select_only();
    let first = query.expr(Expr::col(Column::StartsAtMs).min());
    let first: Option<Option<i64>> = first.into_tuple().one(connection).await?;
    Ok(first.flatten().map(Moment::from_milliseconds))
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

/// Finds the sittings that have not ended on whose rosters any of these people are. Of one whose doors are being opened
/// it is not known yet.
pub async fn find_lasting_sittings_of(database: &Database, emails: &[String]) -> Result<Vec<Uuid>, DbErr> {
    let to_sitting =
        candidate::Entity::belongs_to(sitting::Entity).from(candidate::Column::SittingId).to(sitting::Column::Id);
    let lasting = candidate::Entity::find()
        .select_only()
        .column(candidate::Column::SittingId)
        .distinct()
        .join(JoinType::InnerJoin, to_sitting.into())
        .filter(sitting::Column::EndedAtMs.is_null());
    let mut found = BTreeSet::new();
    for emails in emails.chunks(ROWS_PER_STATEMENT) {
        let those = lasting.clone().filter(candidate::Column::Email.is_in(emails.to_vec()));
        found.extend(those.into_tuple::<Uuid>().all(&database.read).await?);
    }
    Ok(found.into_iter().collect())
}

/// Stores new candidates of a sitting, and changes of others. Whoever becomes somebody else by that is no longer known
/// as a person of a learning platform; returns those.
pub async fn put(sitting: &LockedSitting<'_>, candidates: &[Candidate]) -> Result<Vec<Uuid>, DbErr> {
    let replaced = lti_rosters::forget_replaced(sitting.transaction(), candidates).await?;
    for candidates in candidates.chunks(ROWS_PER_STATEMENT) {
        put_rows(sitting, candidates.iter().map(|candidate| to_row(sitting.id, candidate)).collect()).await?;
    }
    Ok(replaced)
}

/// Stores rows of candidates: as they are where there is none, else what a roster may change. There are as many of them
/// as a statement may have.
pub(super) async fn put_rows(sitting: &LockedSitting<'_>, rows: Vec<candidate::ActiveModel>) -> Result<(), DbErr> {
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
    let instead = OnConflict::column(Column::Id).update_columns(changed).to_owned();
    let storing = candidate::Entity::insert_many(rows).on_conflict(instead);
    storing.exec_without_returning(sitting.transaction()).await.map(|_| ())
}

/// Removes candidates of a sitting, unless they have entered meanwhile.
pub async fn delete(sitting: &LockedSitting<'_>, ids: &[Uuid]) -> Result<(), DbErr> {
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let those = candidate::Column::SittingId
            .eq(sitting.id)
            .and(candidate::Column::Id.is_in(ids.to_vec()))
            .and(candidate::Column::SessionId.is_null());
        candidate::Entity::delete_many().filter(those).exec(sitting.transaction()).await?;
    }
    lti_rosters::forget_removed(sitting.transaction(), ids).await
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

/// Counts wrong codes with this first half, if it is that of the candidate's code. Returns how many there have been.
pub async fn count_wrong_tries(
    transaction: &DatabaseTransaction,
    candidate_id: Uuid,
    half_hash: &[u8; 32],
    tries: i32,
) -> Result<Option<i32>, DbErr> {
    use candidate::Column;
    let is_theirs = Column::Id.eq(candidate_id).and(Column::AccessHalfHash.eq(half_hash.to_vec()));
    let counted = candidate::Entity::update_many()
        .col_expr(Column::WrongTries, Expr::col(Column::WrongTries).add(tries))
        .filter(is_theirs)
        .exec(transaction)
        .await?;
    if counted.rows_affected == 0 {
        return Ok(None);
    }
    let count = candidate::Entity::find_by_id(candidate_id).select_only().column(Column::WrongTries);
    count.into_tuple().one(transaction).await
}

/// What decides on a new access code for somebody: the hash of the present one, and whether they have entered.
#[derive(Debug, PartialEq, Eq)]
pub struct AccessStanding {
    pub code_hash: Option<Vec<u8>>,
    pub session_id: Option<Uuid>,
}

/// Loads that of all candidates of a sitting.
pub async fn load_access(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
) -> Result<HashMap<Uuid, AccessStanding>, DbErr> {
    use candidate::Column;
    let query = candidate::Entity::find().select_only();
    let query = query.columns([Column::Id, Column::AccessCodeHash, Column::SessionId]);
    let of_it = query.filter(Column::SittingId.eq(sitting_id));
    let rows: Vec<(Uuid, Option<Vec<u8>>, Option<Uuid>)> = of_it.into_tuple().all(connection).await?;
    let standing = |(id, code_hash, session_id)| (id, AccessStanding { code_hash, session_id });
    Ok(rows.into_iter().map(standing).collect())
}

/// Stores the hashes of new access codes, and forgets the wrong tries of the old ones.
pub async fn set_access_codes(held: &SittingHold<'_>, hashes: &[(Uuid, AccessCodeHashes)]) -> Result<(), DbErr> {
    for (id, hashes) in hashes {
        let code = candidate::ActiveModel {
            access_code_hash: Set(Some(hashes.whole.to_vec())),
            access_half_hash: Set(Some(hashes.half.to_vec())),
            wrong_tries: Set(0),
            ..Default::default()
        };
        candidate::Entity::update_many().set(code).filter(candidate::Column::Id.eq(*id)).exec(held.transaction).await?;
    }
    Ok(())
}

/// Stores whom proctors have marked as present or absent, and admitted.
pub async fn set_marks(sitting: &LockedSitting<'_>, candidates: &[Candidate]) -> Result<(), DbErr> {
    use candidate::Column;
    let changed = [Column::PresentBy, Column::PresentAtMs, Column::AbsentBy, Column::AbsentAtMs, Column::AdmittedBy];
    for candidates in candidates.chunks(ROWS_PER_STATEMENT) {
        // None of them is new, since candidates are only removed under the same lock.
        let rows: Vec<_> = candidates.iter().map(|candidate| to_row(sitting.id, candidate)).collect();
        let instead = OnConflict::column(Column::Id).update_columns(changed).to_owned();
        let storing = candidate::Entity::insert_many(rows).on_conflict(instead);
        storing.exec_without_returning(sitting.transaction()).await?;
    }
    Ok(())
}

pub(super) fn from_rows(rows: Vec<candidate::Model>) -> Result<Vec<Candidate>, DbErr> {
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

pub(super) fn to_row(sitting_id: Uuid, candidate: &Candidate) -> candidate::ActiveModel {
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
