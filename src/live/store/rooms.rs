//! Reads the sessions of a room from the database: which ones there are, and the rows of those that no server reports.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use domain::attempt::{AttemptRun, Mode, QuestionCell, ValueKind};
use domain::form::FormLetter;
use domain::grade::Grade;
use domain::question::Choice;
use domain::room::RoomKey;
use domain::room::late::LateRow;
use domain::room::row::{AttemptRow, RowStanding, RowVersion, SessionState, VersionedRow, student};
use domain::sight::OpenResults;
use domain::time::moment::Moment;
use entities::{attempt, candidate, journal_entry, late_work, seat, session, sitting};
use sea_orm::prelude::Expr;
use sea_orm::sea_query::{ExprTrait, Func, IntoCondition, Query, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, DbBackend, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter, QuerySelect,
};
use serde::Deserialize;
use uuid::Uuid;

use super::presences::{StoredPresence, find_presences};
use crate::database::Database;
use crate::store::Unreadable;
use crate::store::attempt_times::StoredTimes;
use crate::store::late_rows::find_late_rows;
use crate::store::releases::open_results;

/// Rows that one statement reads. The rows contain whole papers, so a large room is read in parts.
const ROWS_AT_ONCE: usize = 2_000;
/// A command's number times this, plus its question's position, is one number whose maximum is the latest command.
/// Positions are therefore below it.
const POSITIONS: i64 = 1_000;
/// The kinds of values of a question.
const KINDS: usize = 5;

/// A session of a room, with the numbers that show whether its row has changed.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct ListedSession {
    pub session_id: Uuid,
    /// The candidate of its sitting.
    pub candidate_id: Option<Uuid>,
    /// The fence of its seat, while the attempt lasts.
    pub fence: Option<i64>,
    /// The number of proctors' orders for it, while the attempt lasts.
    pub orders: Option<i64>,
    /// Milliseconds since 1970. `None` while the attempt lasts.
    pub ended_at_ms: Option<i64>,
    /// How often it has gone on after an end.
    pub reopenings: i32,
    /// Rises with what comes after the end, and with what is decided about it.
    pub late_mark: Option<i64>,
}

impl ListedSession {
    /// The fence of its seat, or that with which its run began.
    #[must_use]
    pub fn fence(&self) -> i64 {
        self.fence.unwrap_or_else(|| AttemptRun::after(self.reopenings).fence())
    }

    /// How the room tells its row apart from others.
    #[must_use]
    pub fn id_in(&self, key: RoomKey) -> Uuid {
        self.candidate_id.filter(|_| key.sitting_id().is_some()).unwrap_or(self.session_id)
    }
}

/// Where a session belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionPlace {
    pub grade: Grade,
    pub template_id: Option<Uuid>,
    pub sitting_id: Option<Uuid>,
    pub candidate_id: Option<Uuid>,
    /// The hall in which the candidate sits.
    pub hall_id: Option<Uuid>,
}

impl SessionPlace {
    /// Whether a room has the session.
    #[must_use]
    pub fn is_in(&self, key: RoomKey) -> bool {
        let is_in_hall = match key {
            RoomKey::Sitting { hall_id: Some(hall_id), .. } => self.hall_id == Some(hall_id),
            _ => true,
        };
        is_in_hall && key.shows_those_of(self.grade, self.template_id, self.sitting_id)
    }
}

/// Finds where a session belongs.
pub async fn find_place_of(database: &Database, session_id: Uuid) -> Result<Option<SessionPlace>, DbErr> {
    use attempt::Column;
    let columns = [Column::Grade, Column::TemplateId, Column::SittingId, Column::CandidateId];
    let to_candidate =
        attempt::Entity::belongs_to(candidate::Entity).from(Column::CandidateId).to(candidate::Column::Id);
    let query = attempt::Entity::find_by_id(session_id)
        .select_only()
        .columns(columns)
        .column(candidate::Column::RoomId)
        .join(JoinType::LeftJoin, to_candidate.into());
    type Row = (i16, Option<Uuid>, Option<Uuid>, Option<Uuid>, Option<Uuid>);
    let Some((grade, template_id, sitting_id, candidate_id, hall_id)) =
        query.into_tuple::<Row>().one(&database.read).await?
    else {
        return Ok(None);
    };
    let grade = Grade::new(grade.into()).ok_or(Unreadable("grade"))?;
    Ok(Some(SessionPlace { grade, template_id, sitting_id, candidate_id, hall_id }))
}

/// Whether an attempt belongs to a room.
pub(in crate::live::store) fn is_of_room(key: RoomKey) -> SimpleExpr {
    use attempt::Column;
    match key {
        RoomKey::Grade(grade) => Column::Grade.eq(i16::from(grade.number())),
        RoomKey::Template(template_id) => Column::TemplateId.eq(template_id),
        RoomKey::Sitting { sitting_id, hall_id: None } => Column::SittingId.eq(sitting_id),
        RoomKey::Sitting { sitting_id, hall_id: Some(hall_id) } => {
            let in_hall = Query::select()
                .column(candidate::Column::Id)
                .from(candidate::Entity)
                .and_where(candidate::Column::SittingId.eq(sitting_id))
                .and_where(candidate::Column::RoomId.eq(hall_id))
                .to_owned();
            Column::SittingId.eq(sitting_id).and(Column::CandidateId.in_subquery(in_hall))
        }
    }
}

/// Finds the sessions of a room that are running, or have ended after that moment. A sitting's room shows all of them.
pub async fn find_listed(database: &Database, key: RoomKey, ended_after: Moment) -> Result<Vec<ListedSession>, DbErr> {
    use attempt::Column;
    let ended_after = if key.sitting_id().is_some() { Moment::from_milliseconds(0) } else { ended_after };
    let is_shown =
        Condition::any().add(Column::EndedAtMs.is_null()).add(Column::EndedAtMs.gt(ended_after.milliseconds()));
    attempt::Entity::find()
        .select_only()
        .columns([Column::SessionId, Column::CandidateId, Column::EndedAtMs, Column::Reopenings])
        .columns([seat::Column::Fence, seat::Column::Orders])
        .column_as(late_work::Column::Mark, "late_mark")
        .join(
            JoinType::LeftJoin,
            attempt::Entity::belongs_to(seat::Entity).from(Column::SessionId).to(seat::Column::SessionId).into(),
        )
        .join(
            JoinType::LeftJoin,
            attempt::Entity::belongs_to(late_work::Entity)
                .from(Column::SessionId)
                .to(late_work::Column::SessionId)
                .into(),
        )
        .filter(is_of_room(key))
        .filter(is_shown)
        .into_model()
        .all(&database.read)
        .await
}

/// Reads the rows of these sessions, as those of students who are not connected.
pub async fn find_rows(database: &Database, session_ids: &[Uuid]) -> Result<Vec<VersionedRow>, DbErr> {
    let mut found = Vec::with_capacity(session_ids.len());
    for session_ids in session_ids.chunks(ROWS_AT_ONCE) {
        // This comes first because it says whether a session has ended. One that has ended has all its values by then.
        let rows = find_stored(database, session_ids).await?;
        let works = find_works(database, session_ids).await?;
        let presences = find_presences(database, session_ids).await?;
        let late = find_late_rows(&database.read, session_ids).await?;
        for stored in rows {
            let session_id = stored.session_id;
            match stored.row(works.get(&session_id), presences.get(&session_id), late.get(&session_id)) {
                Ok(row) => found.push(row),
                // A session that cannot be read must not hide the rest of the room.
                Err(error) => tracing::error!(%error, %session_id, "a session cannot be shown to proctors"),
            }
        }
    }
    Ok(found)
}

/// The columns of an attempt, of its seat and of its session that a row needs.
#[derive(FromQueryResult)]
struct StoredRow {
    session_id: Uuid,
    grade: i16,
    mode: String,
    annotations: String,
    owner: Option<String>,
    paper: String,
    second_paper: Option<String>,
    template_id: Option<Uuid>,
    sitting_id: Option<Uuid>,
    candidate_id: Option<Uuid>,
    form: Option<String>,
    ended_at_ms: Option<i64>,
    reopenings: i32,
    #[sea_orm(nested)]
    times: StoredTimes,
    fence: Option<i64>,
    score: Option<i32>,
    version: Option<i32>,
    results: Option<String>,
    released_at_ms: Option<i64>,
}

async fn find_stored(database: &Database, session_ids: &[Uuid]) -> Result<Vec<StoredRow>, DbErr> {
    use attempt::Column;
    let columns = [
        Column::SessionId,
        Column::Grade,
        Column::Mode,
        Column::Annotations,
        Column::Owner,
        Column::Paper,
        Column::SecondPaper,
        Column::TemplateId,
        Column::SittingId,
        Column::CandidateId,
        Column::Form,
        Column::EndedAtMs,
        Column::Reopenings,
    ];
    attempt::Entity::find()
        .select_only()
        .columns(columns)
        .columns(StoredTimes::COLUMNS)
        .column(seat::Column::Fence)
        .columns([session::Column::Score, session::Column::Version])
        .columns([sitting::Column::Results, sitting::Column::ReleasedAtMs])
        .join(
            JoinType::LeftJoin,
            attempt::Entity::belongs_to(seat::Entity).from(Column::SessionId).to(seat::Column::SessionId).into(),
        )
        .join(
            JoinType::LeftJoin,
            attempt::Entity::belongs_to(session::Entity).from(Column::SessionId).to(session::Column::SessionId).into(),
        )
        .join(
            JoinType::LeftJoin,
            attempt::Entity::belongs_to(sitting::Entity).from(Column::SittingId).to(sitting::Column::Id).into(),
        )
        .filter(Column::SessionId.is_in(session_ids.iter().copied()))
        .into_model()
        .all(&database.read)
        .await
}

impl StoredRow {
    fn row(
        self,
        work: Option<&Work>,
        presence: Option<&StoredPresence>,
        late: Option<&LateRow>,
    ) -> Result<VersionedRow, Unreadable> {
        let mut question_ids = ids_of(&self.paper)?;
        let stage = if let Some(second_paper) = &self.second_paper {
            question_ids.extend(ids_of(second_paper)?);
            2
        } else {
            1
        };
        // Proctors of a hall need not be staff.
        let open = match self.sitting_id {
            Some(_) => open_results(self.results.as_deref().unwrap_or_default(), self.released_at_ms),
            None => OpenResults::WITHOUT_SITTING,
        };
        let times = self.times.times();
        let presence = presence.copied().unwrap_or_default().of_one_who_began(times.begins_at);
        let count = |count: i64| u32::try_from(count).unwrap_or(0);
        let at = work.and_then(Work::position).filter(|position| *position < question_ids.len());
        let progress =
            work.map(|work| work.progress(question_ids.len())).unwrap_or_else(|| "-".repeat(question_ids.len()));
        let score = self.score.filter(|_| self.ended_at_ms.is_some()).and_then(|score| open.seen_score(score));
        let row = AttemptRow {
            session_id: Some(self.session_id),
            student: student(&self.annotations, self.owner.as_deref()),
            account: self.owner.as_deref().map(Arc::from),
            grade: Grade::new(self.grade.into()).ok_or(Unreadable("grade"))?,
            template_id: self.template_id,
            mode: Mode::parse(&self.mode).ok_or(Unreadable("mode"))?,
            state: match (self.ended_at_ms, times.paused_at) {
                (Some(_), _) => SessionState::Submitted,
                (None, Some(_)) => SessionState::Paused,
                (None, None) => SessionState::Active,
            },
            standing: RowStanding::of(times.paused_at.is_some() && self.ended_at_ms.is_none()),
            connected: false,
            stage,
            answered: work.map_or(0, |work| count(work.answered)),
            marked: work.map_or(0, |work| count(work.marked)),
            total: u32::try_from(question_ids.len()).unwrap_or(u32::MAX),
            current_question_id: at.and_then(|at| question_ids.get(at)).map(|id| Arc::from(&**id)),
            progress: progress.into(),
            at: at.and_then(|at| u32::try_from(at).ok()),
            started_at: times.begins_at,
            deadline: times.deadline(),
            away: presence.away,
            away_count: presence.away_count,
            trouble: presence.troubles,
            refused: 0,
            last_seen_at: Some(presence.last_seen_at),
            // Only the seat knows.
            taken_over_at: None,
            score,
            version: self.version.filter(|_| score.is_some()).map(i32::unsigned_abs),
            late: late.copied(),
            sitting_id: self.sitting_id,
            candidate_id: self.candidate_id,
            // Only the seat knows.
            ready: self.candidate_id.map(|_| false),
            form: self.form.as_deref().and_then(FormLetter::parse),
        };
        // One that has ended has no seat, and a row of its run.
        let fence = self.fence.unwrap_or_else(|| AttemptRun::after(self.reopenings).fence());
        let version = RowVersion { fence, number: 0 };
        Ok(VersionedRow { version, is_held: false, ended_at: self.ended_at_ms.map(Moment::from_milliseconds), row })
    }
}

/// Returns the question ids of a stored paper in order. The keys beside them are not parsed.
fn ids_of(paper: &str) -> Result<Vec<Cow<'_, str>>, Unreadable> {
    #[derive(Deserialize)]
    struct Question<'a> {
        #[serde(borrow)]
        id: Cow<'a, str>,
    }
    let questions: Vec<Question> = serde_json::from_str(paper).map_err(|_| Unreadable("paper"))?;
    Ok(questions.into_iter().map(|question| question.id).collect())
}

/// A student's work so far.
#[derive(FromQueryResult)]
struct Work {
    session_id: Uuid,
    answered: i64,
    marked: i64,
    /// The maximum of command number times [`POSITIONS`] plus position, over choices and visits.
    latest: Option<i64>,
    /// The position times [`KINDS`] plus the kind of each choice, mark and visit that has a value, with commas.
    touched: Option<String>,
}

impl Work {
    /// A character for each question, as the seat would show it.
    fn progress(&self, questions: usize) -> String {
        let mut cells = vec![QuestionCell::default(); questions];
        for touched in self.touched.iter().flat_map(|touched| touched.split(',')).flat_map(str::parse::<usize>) {
            let Some(cell) = cells.get_mut(touched / KINDS) else { continue };
            match touched % KINDS {
                kind if kind == ValueKind::Choice as usize => cell.selected = Some(Choice::A.into()),
                kind if kind == ValueKind::Mark as usize => cell.marked = true,
                _ => cell.visited = true,
            }
        }
        cells.iter().map(QuestionCell::sign).collect()
    }

    fn position(&self) -> Option<usize> {
        usize::try_from(self.latest? % POSITIONS).ok()
    }
}

async fn find_works(database: &Database, session_ids: &[Uuid]) -> Result<HashMap<Uuid, Work>, DbErr> {
    use journal_entry::{Column, Entity};
    let is_of = |kind: ValueKind| Column::Kind.eq(kind as i16);
    let has_value = |kind: ValueKind| is_of(kind).and(Column::Value.is_not_null());
    let touched = is_of(ValueKind::Choice).or(is_of(ValueKind::Visit));
    let place = Expr::col(Column::Seq).mul(POSITIONS).add(Expr::col(Column::Position));
    let with_value = is_of(ValueKind::Choice).or(is_of(ValueKind::Mark)).or(is_of(ValueKind::Visit));
    let cell = Expr::col(Column::Position).mul(KINDS as i32).add(Expr::col(Column::Kind)).cast_as("text");
    let is_postgres = database.read.get_database_backend() == DbBackend::Postgres;
    let list = Func::cust(if is_postgres { "string_agg" } else { "group_concat" })
        .arg(Expr::case(with_value.and(Column::Value.is_not_null()), cell))
        .arg(",");
    let works: Vec<Work> = Entity::find()
        .select_only()
        .column(Column::SessionId)
        .expr_as(counted(has_value(ValueKind::Choice)), "answered")
        .expr_as(counted(has_value(ValueKind::Mark)), "marked")
        .expr_as(Expr::max(Expr::case(touched, place).into()), "latest")
        .expr_as(list, "touched")
        .filter(Column::SessionId.is_in(session_ids.iter().copied()))
        .group_by(Column::SessionId)
        .into_model()
        .all(&database.read)
        .await?;
    Ok(works.into_iter().map(|work| (work.session_id, work)).collect())
}

/// Counts the rows for which the condition holds.
pub(super) fn counted(is_so: impl IntoCondition) -> SimpleExpr {
    Expr::count(Expr::case(is_so, 1).into())
}
