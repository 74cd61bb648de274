//! Scales of marks in the database: as text beside what they mark, and by which scale a finished test is marked now. A
//! test of a sitting has the sitting's, others have their own from their start (`docs/decisions/0086-marks.md`).

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use domain::mark::{MarkScale, MarkedFacts, ResultMark};
use domain::question::Difficulty;
use domain::session::Session;
use domain::sight::{SchoolSight, StaffSight, Untold};
use entities::{session, session_body, session_version, sitting, template};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter, QuerySelect,
    RelationDef,
};
use serde::Deserialize;
use uuid::Uuid;

use super::sessions::body_of_session;
use super::{Unreadable, school, session_rows, templates};
use crate::database::Database;

/// Tests of one statement.
const ROWS_PER_STATEMENT: usize = 1_000;

/// A scale as it is stored.
pub fn to_text(scale: Option<&MarkScale>) -> Result<Option<String>, DbErr> {
    scale.map(session_rows::to_text).transpose()
}

/// Reads what [`to_text`] has written.
pub fn from_text(text: Option<&str>) -> Result<Option<MarkScale>, Unreadable> {
    text.map(|text| MarkScale::parse(text).ok_or(Unreadable("mark scale"))).transpose()
}

/// The scale that the school has now.
pub async fn of_school(database: &Database) -> Result<Option<MarkScale>, DbErr> {
    school::find_mark_scale(&database.read).await
}

/// The scale that a template means now; `None` for an unknown one, too.
pub async fn of_template(database: &Database, id: Uuid) -> Result<Option<MarkScale>, DbErr> {
    let query = template::Entity::find_by_id(id).select_only().column(template::Column::MarkScale);
    let Some(text) = query.into_tuple::<Option<String>>().one(&database.read).await? else { return Ok(None) };
    let chosen = templates::chosen_scale(text.as_deref())?;
    let of_school = if chosen.is_of_school() { of_school(database).await? } else { None };
    Ok(chosen.scale(of_school))
}

/// The join of sessions with their sittings, which most have none of.
pub(super) fn sitting_of_session() -> RelationDef {
    session::Entity::belongs_to(sitting::Entity).from(session::Column::SittingId).to(sitting::Column::Id).into()
}

/// Whether a test has a scale, where its sitting has been joined.
pub(super) fn is_marked() -> Condition {
    Condition::any().add(session::Column::MarkScale.is_not_null()).add(sitting::Column::MarkScale.is_not_null())
}

/// The part of a stored result that says how many points there are.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredPoints {
    score: u32,
    correct_answers: u32,
    total_questions: u32,
    #[serde(default)]
    difficulty_breakdown: Vec<PointsLine>,
}

#[derive(Deserialize)]
struct PointsLine {
    difficulty: Difficulty,
    correct: u32,
    total: u32,
}

/// What a mark is reckoned from, of a result as it is stored.
pub fn facts(result: &str) -> Result<MarkedFacts, Unreadable> {
    let stored: StoredPoints = serde_json::from_str(result).map_err(|_| Unreadable("result"))?;
    let StoredPoints { score, correct_answers, total_questions, difficulty_breakdown } = stored;
    let lines = difficulty_breakdown.iter().map(|line| (line.difficulty.points(), line.correct, line.total));
    Ok(MarkedFacts::of_lines((score, correct_answers, total_questions), lines))
}

/// The same test with the scale by which it is marked now.
pub async fn completed(database: &Database, mut session: Session) -> Result<Session, DbErr> {
    complete(&database.read, vec![&mut session]).await?;
    Ok(session)
}

/// Gives tests of sittings the scales that these have now, and later versions what the mark before them is reckoned
/// from.
pub(super) async fn complete(connection: &impl ConnectionTrait, mut sessions: Vec<&mut Session>) -> Result<(), DbErr> {
    let sittings: BTreeSet<Uuid> = sessions.iter().filter_map(|session| session.sitting_id).collect();
    if !sittings.is_empty() {
        let scales = of_sittings(connection, sittings).await?;
        for session in &mut sessions {
            if let Some(id) = session.sitting_id {
                session.mark_scale = scales.get(&id).cloned();
            }
        }
    }
    let mut earlier: BTreeMap<u32, Vec<Uuid>> = BTreeMap::new();
    for session in sessions.iter().filter(|session| session.mark_scale.is_some() && session.version.is_change()) {
        earlier.entry(session.version.number.saturating_sub(1)).or_default().push(session.session_id);
    }
    let mut found = HashMap::new();
    for (number, ids) in earlier {
        for (id, result) in load_earlier(connection, number, ids).await? {
            found.insert((id, number), facts(&result)?);
        }
    }
    for session in sessions {
        let before = (session.session_id, session.version.number.saturating_sub(1));
        session.version.previous_facts = found.get(&before).copied().map(Untold::of);
    }
    Ok(())
}

async fn of_sittings(
    connection: &impl ConnectionTrait,
    ids: BTreeSet<Uuid>,
) -> Result<HashMap<Uuid, Arc<MarkScale>>, DbErr> {
    use sitting::Column;
    let query = sitting::Entity::find().select_only().columns([Column::Id, Column::MarkScale]);
    let query = query.filter(Column::Id.is_in(ids)).filter(Column::MarkScale.is_not_null());
    let rows: Vec<(Uuid, Option<String>)> = query.into_tuple().all(connection).await?;
    let mut scales = HashMap::new();
    for (id, text) in rows {
        if let Some(scale) = from_text(text.as_deref())? {
            scales.insert(id, Arc::new(scale));
        }
    }
    Ok(scales)
}

async fn load_earlier(
    connection: &impl ConnectionTrait,
    number: u32,
    ids: Vec<Uuid>,
) -> Result<Vec<(Uuid, String)>, DbErr> {
    use session_version::Column;
    let query = session_version::Entity::find().select_only().columns([Column::SessionId, Column::Result]);
    let query = query.filter(Column::SessionId.is_in(ids));
    query.filter(Column::Version.eq(i32::try_from(number).unwrap_or(i32::MAX))).into_tuple().all(connection).await
}

/// A finished test with its scale, and what its mark is reckoned from.
#[derive(FromQueryResult)]
struct MarkedRow {
    session_id: Uuid,
    own_scale: Option<String>,
    sitting_scale: Option<String>,
    result: String,
}

/// Loads the marks of these tests; those without a mark are left out. `_sight` is of those tests.
pub async fn load(
    connection: &impl ConnectionTrait,
    _sight: StaffSight,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, ResultMark>, DbErr> {
    marks(connection, session_ids).await
}

/// The same for those who may read all tests.
pub async fn load_of_any(
    connection: &impl ConnectionTrait,
    _sight: SchoolSight,
    session_ids: &[Uuid],
) -> Result<HashMap<Uuid, ResultMark>, DbErr> {
    marks(connection, session_ids).await
}

async fn marks(connection: &impl ConnectionTrait, session_ids: &[Uuid]) -> Result<HashMap<Uuid, ResultMark>, DbErr> {
    use session::Column;
    let (mut scales, mut marks) = (KnownScales::default(), HashMap::new());
    for ids in session_ids.chunks(ROWS_PER_STATEMENT) {
        let query = session::Entity::find()
            .select_only()
            .column(Column::SessionId)
            .column_as(Column::MarkScale, "own_scale")
            .column_as(sitting::Column::MarkScale, "sitting_scale")
            .column(session_body::Column::Result)
            .join(JoinType::InnerJoin, body_of_session())
            .join(JoinType::LeftJoin, sitting_of_session())
            .filter(Column::SessionId.is_in(ids.iter().copied()))
            .filter(is_marked());
        for row in query.into_model::<MarkedRow>().all(connection).await? {
            let scale = scales.of(row.own_scale.as_deref().or(row.sitting_scale.as_deref()))?;
            let mark = scale.map(|scale| facts(&row.result).map(|facts| scale.mark(facts))).transpose()?;
            marks.extend(mark.flatten().map(|mark| (row.session_id, mark)));
        }
    }
    Ok(marks)
}

/// Scales that have been read, by their texts: thousands of tests have one.
#[derive(Default)]
pub struct KnownScales(HashMap<String, MarkScale>);

impl KnownScales {
    /// The scale of a text.
    pub fn of(&mut self, text: Option<&str>) -> Result<Option<&MarkScale>, Unreadable> {
        let Some(text) = text else { return Ok(None) };
        Ok(Some(match self.0.entry(text.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(MarkScale::parse(text).ok_or(Unreadable("mark scale"))?),
        }))
    }
}

/// The newest version of a session, and the scale of its sitting as that is stored: what decides on its mark.
pub type NewestMarked = (i32, Option<String>);

/// Finds the newest version of a session with the scale of its sitting; `None` if there is no such session here.
pub async fn find_newest(database: &Database, session_id: Uuid) -> Result<Option<NewestMarked>, DbErr> {
    let query = session::Entity::find_by_id(session_id)
        .select_only()
        .column(session::Column::Version)
        .column(sitting::Column::MarkScale)
        .join(JoinType::LeftJoin, sitting_of_session());
    query.into_tuple().one(&database.read).await
}
