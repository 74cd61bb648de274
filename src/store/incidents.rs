//! The proctors' record of a sitting, in the database: incidents, and acts that concern candidates and halls.

use domain::sitting::order::IncidentNote;
use domain::time::moment::Moment;
use entities::{incident, sitting_event};
use sea_orm::sea_query::ExprTrait;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;
/// Events of one candidate that are shown, so that one record cannot fill the memory.
const CANDIDATE_EVENTS_MAX: u64 = 10_000;

/// The name on the record for what the server does by itself.
pub const SERVER: &str = "server";

/// What a proctor has done about a candidate, a hall or the whole sitting.
#[derive(Clone, Debug)]
pub struct SittingEvent {
    pub sitting_id: Uuid,
    pub candidate_id: Option<Uuid>,
    pub hall_id: Option<Uuid>,
    pub at: Moment,
    /// Such as `begin`.
    pub kind: &'static str,
    /// E-mail of the proctor.
    pub by: String,
    /// What was and what is.
    pub detail: String,
}

/// Something on the record of a candidate.
#[derive(Clone, Debug)]
pub struct RecordEntry {
    pub at_ms: i64,
    pub kind: String,
    pub by: String,
    pub detail: String,
}

/// An incident as it is reported.
#[derive(Clone, Debug)]
pub struct ReportedIncident {
    pub id: Uuid,
    pub candidate_id: Option<Uuid>,
    pub hall_id: Option<Uuid>,
    pub kind: String,
    pub text: String,
    pub by: String,
    pub at: Moment,
}

/// Puts events on record.
pub async fn note(transaction: &DatabaseTransaction, events: &[SittingEvent]) -> Result<(), DbErr> {
    let row = |event: &SittingEvent| sitting_event::ActiveModel {
        id: NotSet,
        sitting_id: Set(event.sitting_id),
        candidate_id: Set(event.candidate_id),
        room_id: Set(event.hall_id),
        at_ms: Set(event.at.milliseconds()),
        kind: Set(event.kind.to_owned()),
        by: Set(event.by.clone()),
        detail: Set(event.detail.clone()),
    };
    for events in events.chunks(ROWS_PER_STATEMENT) {
        sitting_event::Entity::insert_many(events.iter().map(row)).exec_without_returning(transaction).await?;
    }
    Ok(())
}

/// Finds when something of this kind was last done to everyone in a hall, or to the whole sitting.
pub async fn find_last(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    hall_id: Option<Uuid>,
    kind: &str,
) -> Result<Option<Moment>, DbErr> {
    use sitting_event::Column;
    let of_everyone = Column::SittingId.eq(sitting_id).and(Column::Kind.eq(kind)).and(Column::CandidateId.is_null());
    let is_theirs = match hall_id {
        Some(hall_id) => Column::RoomId.is_null().or(Column::RoomId.eq(hall_id)),
        None => Column::RoomId.is_null(),
    };
    let query = sitting_event::Entity::find().select_only().column_as(Column::AtMs.max(), "last");
    let last: Option<Option<i64>> = query.filter(of_everyone).filter(is_theirs).into_tuple().one(connection).await?;
    Ok(last.flatten().map(Moment::from_milliseconds))
}

/// Stores an incident in a hall.
pub async fn insert(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    hall_id: Option<Uuid>,
    note: &IncidentNote,
    by: &str,
    now: Moment,
) -> Result<(), DbErr> {
    let row = incident::ActiveModel {
        id: Set(Uuid::new_v4()),
        sitting_id: Set(sitting_id),
        candidate_id: Set(note.candidate_id),
        room_id: Set(hall_id),
        kind: Set(note.kind.to_string()),
        text: Set(note.text.to_string()),
        by: Set(by.to_owned()),
        at_ms: Set(now.milliseconds()),
    };
    incident::Entity::insert(row).exec_without_returning(transaction).await.map(|_| ())
}

/// Counts the incidents of a sitting.
pub async fn count(transaction: &DatabaseTransaction, sitting_id: Uuid) -> Result<u64, DbErr> {
    use sea_orm::PaginatorTrait;
    incident::Entity::find().filter(incident::Column::SittingId.eq(sitting_id)).count(transaction).await
}

/// Loads the incidents of a sitting in order, or of one of its halls with those of the sitting as a whole: at most
/// `count`. Candidates without a hall are in nobody's.
pub async fn load_of(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    hall_id: Option<Uuid>,
    count: u64,
) -> Result<Vec<ReportedIncident>, DbErr> {
    use incident::Column;
    let of_all = Column::RoomId.is_null().and(Column::CandidateId.is_null());
    let of_hall = hall_id.map(|hall_id| Column::RoomId.eq(hall_id).or(of_all));
    let of_it = Condition::all().add(Column::SittingId.eq(sitting_id)).add_option(of_hall);
    let query = incident::Entity::find().filter(of_it).order_by_asc(Column::AtMs);
    let rows = query.order_by_asc(Column::Id).limit(count).all(connection).await?;
    let reported = |row: incident::Model| ReportedIncident {
        id: row.id,
        candidate_id: row.candidate_id,
        hall_id: row.room_id,
        kind: row.kind,
        text: row.text,
        by: row.by,
        at: Moment::from_milliseconds(row.at_ms),
    };
    Ok(rows.into_iter().map(reported).collect())
}

/// Loads what is on record of a candidate, and of their hall and the sitting as a whole, in order.
pub async fn load_record(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    candidate_id: Uuid,
    hall_id: Option<Uuid>,
) -> Result<Vec<RecordEntry>, DbErr> {
    let events = {
        use sitting_event::Column;
        let of_hall = Column::RoomId.is_null().or(Column::RoomId.eq(hall_id));
        let is_theirs = Column::CandidateId.eq(candidate_id).or(Column::CandidateId.is_null().and(of_hall));
        let of_it = sitting_event::Entity::find().filter(Column::SittingId.eq(sitting_id)).filter(is_theirs);
        of_it.order_by_asc(Column::Id).limit(CANDIDATE_EVENTS_MAX).all(connection).await?
    };
    let incidents = {
        use incident::Column;
        let of_hall = Column::RoomId.is_null().or(Column::RoomId.eq(hall_id));
        let is_theirs = Column::CandidateId.eq(candidate_id).or(Column::CandidateId.is_null().and(of_hall));
        let of_it = incident::Entity::find().filter(Column::SittingId.eq(sitting_id)).filter(is_theirs);
        of_it.order_by_asc(Column::AtMs).limit(CANDIDATE_EVENTS_MAX).all(connection).await?
    };
    let of_event =
        |row: sitting_event::Model| RecordEntry { at_ms: row.at_ms, kind: row.kind, by: row.by, detail: row.detail };
    let of_incident = |row: incident::Model| RecordEntry {
        at_ms: row.at_ms,
        kind: "incident".to_owned(),
        by: row.by,
        detail: format!("{}: {}", row.kind, row.text),
    };
    let mut record: Vec<RecordEntry> =
        events.into_iter().map(of_event).chain(incidents.into_iter().map(of_incident)).collect();
    record.sort_by_key(|entry| entry.at_ms);
    Ok(record)
}

/// Removes what is on record of a sitting.
pub async fn delete_of(transaction: &DatabaseTransaction, sitting_id: Uuid) -> Result<(), DbErr> {
    incident::Entity::delete_many().filter(incident::Column::SittingId.eq(sitting_id)).exec(transaction).await?;
    let events = sitting_event::Column::SittingId.eq(sitting_id);
    sitting_event::Entity::delete_many().filter(events).exec(transaction).await.map(|_| ())
}
