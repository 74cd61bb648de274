//! What a correction would meet, read from one snapshot of the database without a lock: the tests of its scope, and
//! whether anybody there is asked its question.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::band::Band;
use domain::correction::{CorrectionScope, SatTest, TestPlace};
use domain::grade::Grade;
use domain::question::{KeyedQuestion, OptionsDigest};
use domain::sight::StaffSight;
use domain::time::moment::Moment;
use entities::{attempt, session, session_body};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder,
    QuerySelect, Select,
};
use uuid::Uuid;

use super::Unreadable;
use super::correction_work::{has_question, has_text, in_scope};
use super::sessions::{body_of_session, keys_from_text};

/// Lists of keys that are read at once. Nearly always the first has the question as it is looked for.
const LISTS_AT_ONCE: u64 = 10;

#[derive(FromQueryResult)]
struct SatRow {
    session_id: Uuid,
    student: String,
    sitting_id: Option<Uuid>,
    template_id: Option<Uuid>,
    grade: i16,
    started_at_ms: i64,
    result: String,
    graded_by: String,
}

/// Loads those that were asked a question of the next `count` tests of a scope, after this one in the order of their
/// ids, with the last of these tests; `None` if there are no more. `_sight` is of the scope. One that can't be read is
/// left out, as by the correction itself.
pub async fn load_after(
    snapshot: &impl ConnectionTrait,
    _sight: StaffSight,
    (scope, question_id): (&CorrectionScope, &str),
    last: Option<Uuid>,
    count: u64,
) -> Result<(Vec<SatTest>, Option<Uuid>), DbErr> {
    use session::Column;
    let mut page = session::Entity::find().select_only().column(Column::SessionId).filter(in_scope(scope));
    if let Some(last) = last {
        page = page.filter(Column::SessionId.gt(last));
    }
    // Whoever looks for the question in the same statement has the database read all tests for each page, since it
    // takes a text within a text for rare.
    let page: Vec<Uuid> = page.order_by_asc(Column::SessionId).limit(count).into_tuple().all(snapshot).await?;
    let last = page.last().copied();
    let query = session::Entity::find()
        .select_only()
        .columns([Column::SessionId, Column::Student, Column::SittingId, Column::TemplateId])
        .columns([Column::Grade, Column::StartedAtMs])
        .columns([session_body::Column::Result, session_body::Column::GradedBy])
        .join(JoinType::InnerJoin, body_of_session())
        .filter(Column::SessionId.is_in(page))
        .filter(has_question(session_body::Column::GradedBy, question_id, snapshot.get_database_backend()));
    let rows: Vec<SatRow> = query.order_by_asc(Column::SessionId).into_model().all(snapshot).await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.session_id).collect();
    let mut courses = load_courses(snapshot, ids).await?;
    let tests = rows.into_iter().filter_map(|row| {
        let course = courses.remove(&row.session_id);
        row.test(course).inspect_err(|error| tracing::warn!(%error, "a test is left out of an outlook")).ok()
    });
    Ok((tests.collect(), last))
}

impl SatRow {
    fn test(self, course: Option<(usize, Band)>) -> Result<SatTest, Unreadable> {
        Ok(SatTest {
            session_id: self.session_id,
            student: self.student,
            place: TestPlace {
                sitting_id: self.sitting_id,
                template_id: self.template_id,
                grade: Grade::new(self.grade.into()).ok_or(Unreadable("grade"))?,
                started_at: Moment::from_milliseconds(self.started_at_ms),
                is_live: true,
            },
            result: serde_json::from_str(&self.result).map_err(|_| Unreadable("result"))?,
            keys: keys_from_text(&self.graded_by)?,
            course,
        })
    }
}

/// Of these tests, those that are adaptive: how many questions the first stage has, and the band that it led to.
async fn load_courses(
    snapshot: &impl ConnectionTrait,
    session_ids: Vec<Uuid>,
) -> Result<HashMap<Uuid, (usize, Band)>, DbErr> {
    use attempt::Column;
    let query = attempt::Entity::find().select_only().columns([Column::SessionId, Column::Band, Column::Paper]);
    let query = query.filter(Column::SessionId.is_in(session_ids)).filter(Column::Band.is_not_null());
    let rows: Vec<(Uuid, String, String)> = query.into_tuple().all(snapshot).await?;
    let course = |(id, band, paper): (Uuid, String, String)| {
        Some((id, (keys_from_text(&paper).ok()?.len(), Band::parse(&band)?)))
    };
    Ok(rows.into_iter().filter_map(course).collect())
}

/// Finds a question as the newest test of a scope has asked it, finished or under way; `None` if none has. With
/// options, as the newest one that has asked it with exactly those.
pub async fn find_asked(
    connection: &impl ConnectionTrait,
    _sight: StaffSight,
    scope: &CorrectionScope,
    (question_id, options): (&str, Option<OptionsDigest>),
) -> Result<Option<Arc<KeyedQuestion>>, DbErr> {
    let query = session::Entity::find().select_only().column(session_body::Column::GradedBy);
    let query = query.join(JoinType::InnerJoin, body_of_session()).filter(in_scope(scope));
    let query = query.filter(asks(session_body::Column::GradedBy, question_id, options, connection));
    let finished = query.order_by_desc(session::Column::CompletedAtMs).order_by_asc(session::Column::SessionId);
    let under_way = |paper: attempt::Column| {
        let query = attempt::Entity::find().select_only().column(paper).filter(attempt::Column::EndedAtMs.is_null());
        let query = query.filter(at_work_in(scope)).filter(asks(paper, question_id, options, connection));
        query.order_by_asc(attempt::Column::SessionId)
    };
    let asked = (question_id, options);
    if let Some(key) = find_key(connection, finished, asked).await? {
        return Ok(Some(key));
    }
    if let Some(key) = find_key(connection, under_way(attempt::Column::Paper), asked).await? {
        return Ok(Some(key));
    }
    find_key(connection, under_way(attempt::Column::SecondPaper), asked).await
}

/// The condition that stored keys have one of this question, and some question with these options.
fn asks(
    keys: impl ColumnTrait,
    question_id: &str,
    options: Option<OptionsDigest>,
    connection: &impl ConnectionTrait,
) -> Condition {
    let backend = connection.get_database_backend();
    let written = |options: OptionsDigest| serde_json::to_string(&options).unwrap_or_default();
    let has_options = options.map(|options| has_text(keys, &format!("\"options\":{}", written(options)), backend));
    Condition::all().add(has_question(keys, question_id, backend)).add_option(has_options)
}

/// The first key of a question with these options, if any, in lists of keys that a query gives.
async fn find_key<E: EntityTrait>(
    connection: &impl ConnectionTrait,
    lists: Select<E>,
    (question_id, options): (&str, Option<OptionsDigest>),
) -> Result<Option<Arc<KeyedQuestion>>, DbErr> {
    let is_it = |key: &Arc<KeyedQuestion>| {
        *key.id == *question_id && options.is_none_or(|options| key.options == Some(options))
    };
    for page in 0.. {
        let query = lists.clone().offset(page * LISTS_AT_ONCE).limit(LISTS_AT_ONCE);
        let found: Vec<String> = query.into_tuple().all(connection).await?;
        for keys in &found {
            if let Some(key) = keys_from_text(keys)?.into_iter().find(is_it) {
                return Ok(Some(key));
            }
        }
        if (found.len() as u64) < LISTS_AT_ONCE {
            break;
        }
    }
    Ok(None)
}

/// The condition of the tests under way of a scope.
fn at_work_in(scope: &CorrectionScope) -> Condition {
    use attempt::Column;
    match scope {
        CorrectionScope::Sitting(id) => Condition::all().add(Column::SittingId.eq(*id)),
        CorrectionScope::Template(id) => Condition::all().add(Column::TemplateId.eq(*id)),
        CorrectionScope::Grade(scope) => {
            let theirs = scope.templates.as_ref().map(|ids| {
                let named = Column::TemplateId.is_in(ids.iter().copied());
                Condition::any().add(Column::TemplateId.is_null()).add(named)
            });
            Condition::all()
                .add(Column::Grade.eq(i16::from(scope.grade.number())))
                .add(Column::StartedAtMs.gte(scope.from.milliseconds()))
                .add(Column::StartedAtMs.lt(scope.until.milliseconds()))
                .add_option(theirs)
        }
    }
}

/// Of these templates, those whose tests are of a grade: which of them there are among the tests of a scope.
pub async fn find_templates_of(
    connection: &impl ConnectionTrait,
    grade: Grade,
    (from, until): (Moment, Moment),
) -> Result<HashSet<Uuid>, DbErr> {
    let scope = domain::correction::GradeScope { grade, from, until, templates: None };
    let scope = CorrectionScope::Grade(scope);
    let finished = session::Entity::find().select_only().column(session::Column::TemplateId).distinct();
    let finished = finished.filter(in_scope(&scope)).filter(session::Column::TemplateId.is_not_null());
    let mut found: HashSet<Uuid> = finished.into_tuple::<Uuid>().all(connection).await?.into_iter().collect();
    let at_work = attempt::Entity::find().select_only().column(attempt::Column::TemplateId).distinct();
    let at_work = at_work.filter(attempt::Column::EndedAtMs.is_null()).filter(at_work_in(&scope));
    let at_work = at_work.filter(attempt::Column::TemplateId.is_not_null());
    found.extend(at_work.into_tuple::<Uuid>().all(connection).await?);
    Ok(found)
}
