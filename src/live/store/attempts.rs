//! Reads the state from which a seat is rebuilt, and single facts about attempts.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::attempt::{
    AnswerChange, Attempt, AttemptRun, CellKey, DeviceLines, Eliminations, Ending, Mode, Reason, SittingPlace, Stamp,
    Terms, ValueKind,
};
use domain::band::Band;
use domain::calculator::Calculator;
use domain::form::FormLetter;
use domain::grade::Grade;
use domain::question::Selected;
use domain::room::row::student;
use domain::session::Session;
use domain::time::moment::Moment;
use entities::{attempt, attempt_event, attempt_token, journal_entry};
use sea_orm::prelude::Expr;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::START_KEY_MILLISECONDS;
use super::claims::vacant_for;
use super::lines::find_lines;
use super::next_ends::Reopening;
use super::orders::pending::{Notice, find_notices};
use super::orders::reopening::find_reopening;
use super::presences::find_presences;
use crate::database::Database;
use crate::store::Unreadable;
use crate::store::attempt_times::StoredTimes;
use crate::store::attempts::is_overdue;
use crate::store::question_types::types_of;
use crate::store::sessions::{self, BandKeys, band_keys_from_text, keys_from_text};
use crate::store::{marks, silent_versions};

/// The kind of the event of an end; its detail is the reason.
pub const SUBMITTED: &str = "submitted";
/// Events of one attempt that are shown to a proctor, so that one student's record cannot fill the memory.
const EVENTS_MAX: u64 = 10_000;

/// Returns the drawings of an attempt by position.
pub async fn find_drawings(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
) -> Result<BTreeMap<usize, Box<RawValue>>, DbErr> {
    use journal_entry::{Column, Entity};
    let of_it = Column::SessionId
        .eq(session_id)
        .and(Column::Kind.eq(ValueKind::Drawing as i16))
        .and(Column::Value.is_not_null());
    let rows = Entity::find().filter(of_it).all(connection).await?;
    let drawing = |row: journal_entry::Model| {
        Some((usize::try_from(row.position).ok()?, RawValue::from_string(row.value?).ok()?))
    };
    Ok(rows.into_iter().filter_map(drawing).collect())
}

/// Finds the drawing at one position, and the command that has set it.
pub async fn find_drawing(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    position: usize,
) -> Result<Option<(Stamp, String)>, DbErr> {
    let place = i16::try_from(position).unwrap_or(i16::MAX);
    let row = journal_entry::Entity::find_by_id((session_id, place, ValueKind::Drawing as i16)).one(connection).await?;
    let drawing = |row: journal_entry::Model| {
        let (line, seq) = (u16::try_from(row.line).unwrap_or(0), u64::try_from(row.seq).unwrap_or(0));
        Some((Stamp { line, seq }, row.value?))
    };
    Ok(row.and_then(drawing))
}

/// An attempt as it is stored.
pub struct Stored {
    pub attempt: Attempt,
    pub token_hash: [u8; 32],
    /// Those of its devices.
    pub lines: DeviceLines,
    /// The session that the attempt has become. `None` while it lasts.
    pub session: Option<Session>,
    /// The receipt of that session, if there is one.
    pub receipt: Option<String>,
    /// The e-mail address of the proctor who has ordered the end of the attempt.
    pub finish_by: Option<String>,
    /// The word for the student while the clock stands still.
    pub pause_text: Option<String>,
    /// The notices that have not been delivered to the student.
    pub notices: Vec<Notice>,
    /// How it came to go on, if it had ended before.
    pub reopening: Option<Reopening>,
    /// Whether a proctor has ended it before it was reopened.
    pub had_proctors_end: bool,
    /// Whether it is stored that the student has been shown the key.
    pub has_seen_answers: bool,
}

impl Stored {
    /// An attempt that has just begun.
    #[must_use]
    pub fn begun(attempt: Attempt, token_hash: [u8; 32]) -> Self {
        Self {
            attempt,
            token_hash,
            lines: DeviceLines::of(token_hash, Vec::new()),
            session: None,
            receipt: None,
            finish_by: None,
            pause_text: None,
            notices: Vec::new(),
            reopening: None,
            had_proctors_end: false,
            has_seen_answers: false,
        }
    }
}

/// Rebuilds an attempt from the database.
pub async fn find(database: &Database, session_id: Uuid, now: Moment) -> Result<Option<Stored>, DbErr> {
    let Some(row) = attempt::Entity::find_by_id(session_id).one(&database.read).await? else { return Ok(None) };
    let token_hash = <[u8; 32]>::try_from(row.token_hash.as_slice()).map_err(|_| Unreadable("token"))?;
    let is_over = row.ended_at_ms.is_some();
    let (finish_by, pause_text) = (row.finish_by.clone(), row.pause_text.clone());
    let reopening = if is_over { None } else { find_reopening(database, &row).await? };
    let had_proctors_end = row.reopenings > 0 && was_ended_by_proctor(database, session_id).await?;
    let has_seen_answers = row.answers_seen_at_ms.is_some();
    let mut attempt = from_row(row, now)?;
    for entry in find_entries(database, session_id).await? {
        if let Some((key, change)) = value(&entry) {
            let seq = u64::try_from(entry.seq).unwrap_or(0);
            attempt.restore(key, &change, Stamp { line: u16::try_from(entry.line).unwrap_or(0), seq });
        }
    }
    if let Some(presence) = find_presences(database, &[session_id]).await?.get(&session_id) {
        attempt.presence = presence.of_one_who_began(attempt.presence.last_seen_at);
    }
    let session = if is_over { sessions::find_unmarked(database, session_id).await? } else { None };
    let receipt = match &session {
        Some(session) => silent_versions::find_told_receipt(&database.read, session).await?,
        None => None,
    };
    let notices = find_notices(database, &[session_id]).await?.remove(&session_id).unwrap_or_default();
    let lines = DeviceLines::of(token_hash, find_lines(&database.read, session_id).await?);
    Ok(Some(Stored {
        attempt,
        token_hash,
        lines,
        session,
        receipt,
        finish_by,
        pause_text,
        notices,
        reopening,
        had_proctors_end,
        has_seen_answers,
    }))
}

/// Whether an end of the attempt by a proctor is on its record.
async fn was_ended_by_proctor(database: &Database, session_id: Uuid) -> Result<bool, DbErr> {
    use attempt_event::Column;
    let query = attempt_event::Entity::find().select_only().column(Column::Id).filter(Column::SessionId.eq(session_id));
    let query = query.filter(Column::Kind.eq(SUBMITTED)).filter(Column::Detail.eq(Reason::Proctor.name()));
    let found: Option<i64> = query.into_tuple().one(&database.read).await?;
    Ok(found.is_some())
}

/// Whether an attempt has ended; `None` if there is no such attempt.
pub async fn has_ended(database: &Database, session_id: Uuid) -> Result<Option<bool>, DbErr> {
    let query = attempt::Entity::find_by_id(session_id).select_only().column(attempt::Column::EndedAtMs);
    let ended_at: Option<Option<i64>> = query.into_tuple().one(&database.read).await?;
    Ok(ended_at.map(|ended_at| ended_at.is_some()))
}

/// The present run of an attempt.
pub async fn find_run(database: &Database, session_id: Uuid) -> Result<Option<AttemptRun>, DbErr> {
    let query = attempt::Entity::find_by_id(session_id).select_only().column(attempt::Column::Reopenings);
    let reopenings: Option<i32> = query.into_tuple().one(&database.read).await?;
    Ok(reopenings.map(AttemptRun::after))
}

pub async fn find_token_hash(database: &Database, session_id: Uuid) -> Result<Option<[u8; 32]>, DbErr> {
    find_first_token(&database.read, session_id).await
}

/// The hash of the token with which an attempt was begun.
pub(super) async fn find_first_token(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
) -> Result<Option<[u8; 32]>, DbErr> {
    let query = attempt::Entity::find_by_id(session_id)
        .select_only()
        .column(attempt::Column::TokenHash)
        .into_tuple::<Vec<u8>>();
    let hash = query.one(connection).await?;
    Ok(hash.map(|hash| <[u8; 32]>::try_from(hash.as_slice()).map_err(|_| Unreadable("token"))).transpose()?)
}

/// Loads all values of an attempt. A drawing is loaded only as a sign that there is one, because drawings can be large.
async fn find_entries(database: &Database, session_id: Uuid) -> Result<Vec<journal_entry::Model>, DbErr> {
    use journal_entry::{Column, Entity};
    let is_drawing = Column::Kind.eq(ValueKind::Drawing as i16).and(Column::Value.is_not_null());
    let content = Expr::case(is_drawing, "1").finally(Expr::col(Column::Value));
    Entity::find()
        .select_only()
        .column(Column::SessionId)
        .column(Column::Position)
        .column(Column::Kind)
        .column(Column::Seq)
        .expr_as(content, "value")
        .column(Column::TimeTaken)
        .column(Column::Line)
        .filter(Column::SessionId.eq(session_id))
        .all(&database.read)
        .await
}

fn value(entry: &journal_entry::Model) -> Option<(CellKey, AnswerChange)> {
    let change = change_of(entry.kind, entry.value.as_deref(), entry.time_taken)?;
    Some((CellKey { position: usize::try_from(entry.position).ok()?, kind: change.kind() }, change))
}

/// The change that sets a stored value.
pub(super) fn change_of(kind: i16, text: Option<&str>, time_taken: Option<i32>) -> Option<AnswerChange> {
    let time_taken = time_taken.and_then(|seconds| u32::try_from(seconds).ok());
    Some(match kind {
        0 => AnswerChange::Choice { selected: text.and_then(Selected::parse), time_taken },
        1 => AnswerChange::Mark(text.is_some()),
        2 => AnswerChange::Visit,
        3 => AnswerChange::Drawing(text.is_some()),
        4 => AnswerChange::Elimination(Eliminations::of_text(text.unwrap_or_default())),
        _ => return None,
    })
}

fn from_row(row: attempt::Model, now: Moment) -> Result<Attempt, Unreadable> {
    let times = StoredTimes::of(&row).times();
    let terms = Terms {
        session_id: row.session_id,
        student: student(&row.annotations, row.owner.as_deref()),
        account: row.owner.as_deref().map(Into::into),
        grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
        mode: Mode::parse(&row.mode).ok_or(Unreadable("mode"))?,
        duration_minutes: u32::try_from(row.duration_minutes).map_err(|_| Unreadable("duration"))?,
        calculator: row
            .calculator
            .map_or(Some(Calculator::None), |name| Calculator::parse(&name))
            .ok_or(Unreadable("calculator"))?,
        types: types_of(row.types.as_deref())?,
        shuffles: row.shuffles,
        annotations: row.annotations.into(),
        webhook_url: row.webhook_url.map(Into::into),
        base_url: row.base_url.into(),
        template_id: row.template_id,
        sitting: sitting_place(row.sitting_id, row.candidate_id),
        form: row.form.as_deref().and_then(FormLetter::parse),
        mark_scale: marks::from_text(row.mark_scale.as_deref())?.map(Arc::new),
    };
    let mut attempt = Attempt::new(terms, times, keys_from_text(&row.paper)?, now);
    if let Some(second_paper) = row.second_paper {
        let band = row.band.as_deref().and_then(Band::parse).ok_or(Unreadable("band"))?;
        attempt.begin_second_stage(band, keys_from_text(&second_paper)?);
    }
    if let Some(ended_at_ms) = row.ended_at_ms {
        let reason = row.ended_by.as_deref().and_then(Reason::parse).ok_or(Unreadable("reason"))?;
        attempt.end(Ending { reason, at: Moment::from_milliseconds(ended_at_ms) });
    }
    Ok(attempt)
}

fn sitting_place(sitting_id: Option<Uuid>, candidate_id: Option<Uuid>) -> Option<SittingPlace> {
    Some(SittingPlace { sitting_id: sitting_id?, candidate_id: candidate_id? })
}

/// Returns the lists of stage 2 that the template had when the attempt began, and whose options the attempt shows in an
/// order of its own. They are empty for an attempt without such lists.
pub async fn find_second_papers(database: &Database, session_id: Uuid) -> Result<BandKeys, DbErr> {
    let query = attempt::Entity::find_by_id(session_id)
        .select_only()
        .column(attempt::Column::SecondPapers)
        .into_tuple::<Option<String>>();
    let text = query.one(&database.read).await?.flatten();
    Ok(text.map(|text| band_keys_from_text(&text)).transpose()?.unwrap_or_default())
}

/// Finds the session that was started with this key in the last 24 hours, and the salt of its token.
pub async fn find_by_start_key(
    database: &Database,
    key_hash: &[u8],
    now: Moment,
) -> Result<Option<(Uuid, Vec<u8>)>, DbErr> {
    let is_recent = attempt::Column::StartedAtMs.gte(now.plus(-START_KEY_MILLISECONDS).milliseconds());
    let found = attempt::Entity::find()
        .filter(attempt::Column::StartKeyHash.eq(key_hash))
        .filter(is_recent)
        .one(&database.read)
        .await?;
    Ok(found.and_then(|row| Some((row.session_id, row.token_salt?))))
}

/// Finds attempts whose time is up or whose end a proctor has ordered, longest overdue first: at most `count`. With
/// `server`, only those that this server may claim without asking another.
pub async fn find_overdue(
    database: &Database,
    server: Option<Uuid>,
    now: Moment,
    count: u64,
) -> Result<Vec<Uuid>, DbErr> {
    use attempt::Column;
    let query = attempt::Entity::find()
        .select_only()
        .column(Column::SessionId)
        .filter(Column::EndedAtMs.is_null())
        .filter(is_overdue(now));
    let query = match server {
        Some(server) => query.filter(Column::SessionId.in_subquery(vacant_for(server, now))),
        None => query,
    };
    query.order_by_asc(Column::DeadlineMs).limit(count).into_tuple().all(&database.read).await
}

/// The attempt of a sitting whose token someone has.
pub struct PaperHolder {
    pub candidate_id: Uuid,
    /// The form that they have of the paper.
    pub form: Option<FormLetter>,
    /// The band of stage 2, once it has begun.
    pub band: Option<Band>,
    pub has_ended: bool,
}

/// Finds the attempt of a sitting by the hash of its token, or of a further one.
pub async fn find_paper_holder(
    database: &Database,
    sitting_id: Uuid,
    token_hash: &[u8; 32],
) -> Result<Option<PaperHolder>, DbErr> {
    use attempt::Column;
    type Row = (Option<Uuid>, Option<String>, Option<String>, Option<i64>);
    let columns = [Column::CandidateId, Column::Form, Column::Band, Column::EndedAtMs];
    let of_it = attempt::Entity::find().select_only().columns(columns).filter(Column::SittingId.eq(sitting_id));
    let first = of_it.clone().filter(Column::TokenHash.eq(token_hash.to_vec()));
    let mut found: Option<Row> = first.into_tuple().one(&database.read).await?;
    if found.is_none()
        && let Some(further) = attempt_token::Entity::find_by_id(token_hash.to_vec()).one(&database.read).await?
    {
        found = of_it.filter(Column::SessionId.eq(further.session_id)).into_tuple().one(&database.read).await?;
    }
    Ok(found.and_then(|(candidate_id, form, band, ended_at)| {
        let (form, band) = (form.as_deref().and_then(FormLetter::parse), band.as_deref().and_then(Band::parse));
        Some(PaperHolder { candidate_id: candidate_id?, form, band, has_ended: ended_at.is_some() })
    }))
}

/// Returns the course of an adaptive test: the number of questions of stage 1, and the band of stage 2. `None` when
/// there is no such attempt, or when it has no stage 2.
pub async fn find_course(database: &Database, session_id: Uuid) -> Result<Option<(usize, Band)>, DbErr> {
    use attempt::Column;
    let query = attempt::Entity::find_by_id(session_id).select_only().columns([Column::Paper, Column::Band]);
    let Some((paper, Some(band))) = query.into_tuple::<(String, Option<String>)>().one(&database.read).await? else {
        return Ok(None);
    };
    Ok(Some((keys_from_text(&paper)?.len(), Band::parse(&band).ok_or(Unreadable("band"))?)))
}

/// Returns the events of an attempt in order.
pub async fn find_events(database: &Database, session_id: Uuid) -> Result<Vec<attempt_event::Model>, DbErr> {
    let of_it = attempt_event::Column::SessionId.eq(session_id);
    attempt_event::Entity::find()
        .filter(of_it)
        .order_by_asc(attempt_event::Column::Id)
        .limit(EVENTS_MAX)
        .all(&database.read)
        .await
}
