//! Corrections of keys, in the database: those that hold while a result is stored, and how one is made and reverted.
//! How the tests of each follow is in `correction_work`.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use domain::correction::{AnswerSet, Correction, CorrectionKind, CorrectionScope, GradeScope, TestPlace};
use domain::grade::Grade;
use domain::question::OptionsDigest;
use domain::scoring::TestResult;
use domain::session::Session;
use domain::time::moment::Moment;
use entities::correction::{ActiveModel, Column, Entity, Model};
use entities::{correction_step, session};
use sea_orm::sea_query::{ExprTrait, Query, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
};
use tokio::time::Instant;
use uuid::Uuid;

use super::{Unreadable, many_rows};
use crate::clock::Clock;
use crate::database::bound_stalls;

/// The advisory lock on Postgres: held together by all who store results, and alone by whoever makes or reverts a
/// correction. So each result is graded by the corrections that hold when it is committed. Nothing that others wait for
/// is locked after it. The number has no other use in this database.
const CORRECTIONS_LOCK: i64 = 7_012;
/// How long a correction waits for those who store results, and how often it looks whether they have done.
const LOCKED_WITHIN: Duration = Duration::from_secs(5);
const LOCK_TRIED_EVERY: Duration = Duration::from_millis(10);
/// Corrections that hold of one sitting, of one template, or of one grade at any time. Each result of the scope is
/// graded with all of them in memory.
pub const CORRECTIONS_OF_SCOPE_MAX: u64 = 200;

/// By whom something was done, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectionAct {
    /// The step, which grows with each act.
    pub number: i64,
    /// E-mail.
    pub by: String,
    pub at: Moment,
}

/// A correction as it is stored.
#[derive(Clone, Debug)]
pub struct StoredCorrection {
    pub id: Uuid,
    pub correction: Correction,
    pub comment: String,
    pub made: CorrectionAct,
    /// `None` while it holds.
    pub reverted: Option<CorrectionAct>,
}

impl StoredCorrection {
    /// What was done with it last.
    #[must_use]
    pub fn last_act(&self) -> &CorrectionAct {
        self.reverted.as_ref().unwrap_or(&self.made)
    }

    /// The version of it, which `If-Match` names.
    #[must_use]
    pub fn version(&self) -> i64 {
        self.last_act().number
    }
}

/// A correction to make.
#[derive(Clone, Debug)]
pub struct NewCorrection {
    /// Its number is given to it when it is stored.
    pub correction: Correction,
    pub comment: String,
    pub by: String,
}

/// Why there is a version of a result.
#[derive(Clone, Copy, Debug)]
pub struct LastChange<'a> {
    pub act: &'a CorrectionAct,
    pub comment: &'a str,
    pub is_revert: bool,
}

/// The corrections of the scopes in which some tests are, as they stand until the transaction ends.
#[derive(Debug, Default)]
pub struct HeldCorrections {
    /// In the order in which they were made, with those that were reverted and whose tests are still following.
    all: Vec<StoredCorrection>,
    mark: i64,
}

impl HeldCorrections {
    /// The last step that these know of: what is graded by them has followed all steps up to it.
    #[must_use]
    pub const fn mark(&self) -> i64 {
        self.mark
    }

    /// Those that hold for a test, in the order in which they were made.
    #[must_use]
    pub fn of(&self, place: &TestPlace) -> Vec<&Correction> {
        let holding = self.all.iter().filter(|one| one.reverted.is_none()).map(|one| &one.correction);
        holding.filter(|correction| correction.scope.covers(place)).collect()
    }

    /// The result of a test by those that hold for it; `None` if it has that already.
    #[must_use]
    pub fn regraded(&self, session: &Session) -> Option<TestResult> {
        // Also without any that holds: one that was reverted may be in the result still.
        if self.mark == 0 { None } else { session.regraded(&self.of(&TestPlace::of(session))) }
    }

    /// What was done last of all that concerns a test and came after this step.
    #[must_use]
    pub fn last_change_after(&self, step: i64, session: &Session) -> Option<LastChange<'_>> {
        let place = TestPlace::of(session);
        let concerns = |one: &&StoredCorrection| {
            one.version() > step && one.correction.scope.covers(&place) && session.is_meant_by(&one.correction)
        };
        let last = self.all.iter().filter(concerns).max_by_key(|one| one.version())?;
        Some(LastChange { act: last.last_act(), comment: &last.comment, is_revert: last.reverted.is_some() })
    }
}

/// Finds the corrections of these tests, and keeps everyone from making or reverting any until the transaction ends.
/// Whoever also locks sittings and sessions locks them before.
pub async fn hold(
    connection: &impl ConnectionTrait,
    places: impl IntoIterator<Item = TestPlace>,
) -> Result<HeldCorrections, DbErr> {
    let places: Vec<TestPlace> = places.into_iter().filter(|place| place.is_live).collect();
    if places.is_empty() {
        return Ok(HeldCorrections::default());
    }
    if connection.get_database_backend() == DbBackend::Postgres {
        let sql = format!("SELECT pg_advisory_xact_lock_shared({CORRECTIONS_LOCK})");
        connection.execute_unprepared(&sql).await?;
    }
    // By statements of their own, which see what was committed before the lock was had.
    let mark = find_mark(connection).await?;
    if mark == 0 {
        return Ok(HeldCorrections::default());
    }
    Ok(HeldCorrections { all: load_of(connection, &places).await?, mark })
}

/// The same for those who only read.
pub async fn find_of(connection: &impl ConnectionTrait, places: &[TestPlace]) -> Result<HeldCorrections, DbErr> {
    let mark = find_mark(connection).await?;
    let all = if mark == 0 { Vec::new() } else { load_of(connection, places).await? };
    Ok(HeldCorrections { all, mark })
}

/// The number of the last step; 0 before the first.
async fn find_mark(connection: &impl ConnectionTrait) -> Result<i64, DbErr> {
    let query = correction_step::Entity::find().select_only().column(correction_step::Column::Number);
    let last = query.order_by_desc(correction_step::Column::Number).limit(1);
    Ok(last.into_tuple().one(connection).await?.unwrap_or_default())
}

async fn load_of(connection: &impl ConnectionTrait, places: &[TestPlace]) -> Result<Vec<StoredCorrection>, DbErr> {
    let sitting_ids: BTreeSet<Uuid> = places.iter().filter_map(|place| place.sitting_id).collect();
    let template_ids: BTreeSet<Uuid> = places.iter().filter_map(|place| place.template_id).collect();
    let grades: BTreeSet<i16> = places.iter().map(|place| place.grade.number().into()).collect();
    let began = || places.iter().map(|place| place.started_at.milliseconds());
    let (Some(first), Some(last)) = (began().min(), began().max()) else { return Ok(Vec::new()) };
    let in_time = Column::UntilMs.gt(first).and(Column::FromMs.lte(last));
    let named = Condition::any()
        .add(Column::SittingId.is_in(sitting_ids))
        .add(Column::TemplateId.is_in(template_ids))
        .add(Column::Grade.is_in(grades).and(in_time));
    // Of those that were reverted and whose tests have all followed, nothing is left in any result.
    let unfinished = Query::select()
        .column(correction_step::Column::Number)
        .from(correction_step::Entity)
        .and_where(correction_step::Column::FinishedAtMs.is_null())
        .to_owned();
    let matters = Column::RevertedNumber.is_null().or(Column::RevertedNumber.in_subquery(unfinished));
    let query = Entity::find().filter(named).filter(matters).order_by_asc(Column::Number);
    let rows = query.all(connection).await?;
    Ok(rows.into_iter().map(stored).collect::<Result<_, _>>()?)
}

/// Lets nobody store a result until the transaction ends. Whoever does so waits for it, so it must not stand still.
/// Returns false if that could not be had in time, since others store results without a gap.
///
/// It looks again and again rather than waits: behind one who waits for the lock alone, Postgres lets everyone wait who
/// wants it together with others, and so all answers that are saved with the end of a test.
pub async fn lock(transaction: &DatabaseTransaction, clock: &Clock) -> Result<bool, DbErr> {
    bound_stalls(transaction).await?;
    if transaction.get_database_backend() != DbBackend::Postgres {
        return Ok(true);
    }
    let text = format!("SELECT pg_try_advisory_xact_lock({CORRECTIONS_LOCK})");
    let until = Instant::now() + LOCKED_WITHIN;
    loop {
        let statement = Statement::from_string(DbBackend::Postgres, text.clone());
        let row = transaction.query_one_raw(statement).await?;
        if row.map(|row| row.try_get_by_index::<bool>(0)).transpose()?.unwrap_or_default() {
            return Ok(true);
        }
        if Instant::now() >= until {
            return Ok(false);
        }
        clock.sleep(LOCK_TRIED_EVERY).await;
    }
}

/// Makes a correction, with the step by which its tests follow; the caller has the lock.
pub async fn insert(
    transaction: &DatabaseTransaction,
    id: Uuid,
    new: NewCorrection,
    now: Moment,
) -> Result<StoredCorrection, DbErr> {
    let NewCorrection { correction, comment, by } = new;
    let number = begin_step(transaction, id).await?;
    let correction = Correction { number, ..correction };
    let made = CorrectionAct { number, by, at: now };
    let stored = StoredCorrection { id, correction, comment, made, reverted: None };
    Entity::insert(row(&stored)?).exec_without_returning(transaction).await?;
    Ok(stored)
}

/// Reverts a correction, with the step by which its tests follow; the caller has the lock. One that was reverted
/// already stays as it is.
pub async fn revert(
    transaction: &DatabaseTransaction,
    stored: StoredCorrection,
    by: String,
    now: Moment,
) -> Result<StoredCorrection, DbErr> {
    if stored.reverted.is_some() {
        return Ok(stored);
    }
    let number = begin_step(transaction, stored.id).await?;
    let change = ActiveModel {
        reverted_number: Set(Some(number)),
        reverted_by: Set(Some(by.clone())),
        reverted_at_ms: Set(Some(now.milliseconds())),
        ..Default::default()
    };
    Entity::update_many().set(change).filter(Column::Id.eq(stored.id)).exec(transaction).await?;
    Ok(StoredCorrection { reverted: Some(CorrectionAct { number, by, at: now }), ..stored })
}

async fn begin_step(transaction: &DatabaseTransaction, correction_id: Uuid) -> Result<i64, DbErr> {
    // Nobody else begins one, so the numbers are in the order of the commits.
    let number = find_mark(transaction).await? + 1;
    let step = correction_step::ActiveModel {
        number: Set(number),
        correction_id: Set(correction_id),
        total: Set(None),
        done: Set(0),
        finished_at_ms: Set(None),
    };
    correction_step::Entity::insert(step).exec_without_returning(transaction).await?;
    Ok(number)
}

/// Finds a correction.
pub async fn find(connection: &impl ConnectionTrait, id: Uuid) -> Result<Option<StoredCorrection>, DbErr> {
    Ok(Entity::find_by_id(id).one(connection).await?.map(stored).transpose()?)
}

/// The number of what was done last with corrections of a question; 0 if nothing was.
pub async fn find_version_of(connection: &impl ConnectionTrait, question_id: &str) -> Result<i64, DbErr> {
    let query = Entity::find().select_only().columns([Column::Number, Column::RevertedNumber]);
    let rows: Vec<(i64, Option<i64>)> =
        query.filter(Column::QuestionId.eq(question_id)).into_tuple().all(connection).await?;
    let last = rows.into_iter().map(|(number, reverted)| reverted.unwrap_or(number)).max();
    Ok(last.unwrap_or_default())
}

/// Counts the corrections that hold of a scope; of a grade, those whose times overlap.
pub async fn count_of_scope(connection: &impl ConnectionTrait, scope: &CorrectionScope) -> Result<u64, DbErr> {
    let holding = Entity::find().filter(of_scope(scope)).filter(Column::RevertedNumber.is_null());
    holding.count(connection).await
}

/// Loads by which steps these sessions have been graded last.
pub async fn find_marks(transaction: &DatabaseTransaction, session_ids: &[Uuid]) -> Result<HashMap<Uuid, i64>, DbErr> {
    use session::Column;
    let query = session::Entity::find().select_only().columns([Column::SessionId, Column::CorrectionsMark]);
    let query = query.filter(Column::SessionId.is_in(session_ids.iter().copied()));
    Ok(query.into_tuple::<(Uuid, i64)>().all(transaction).await?.into_iter().collect())
}

/// Notes that these sessions have followed all steps up to this one.
pub async fn set_marks(transaction: &DatabaseTransaction, session_ids: &[Uuid], mark: i64) -> Result<(), DbErr> {
    let backend = transaction.get_database_backend();
    let (of_these, ids) = many_rows::among(backend, "session_id", session_ids, 2);
    let text = format!("UPDATE sessions SET corrections_mark = $1 WHERE corrections_mark < $1 AND {of_these}");
    let values = std::iter::once(mark.into()).chain(ids);
    transaction.execute_raw(Statement::from_sql_and_values(backend, text, values)).await.map(|_| ())
}

/// The condition of corrections of exactly this scope; of a grade, of those at the same time.
fn of_scope(scope: &CorrectionScope) -> SimpleExpr {
    match scope {
        CorrectionScope::Sitting(id) => Column::SittingId.eq(*id),
        CorrectionScope::Template(id) => Column::TemplateId.eq(*id),
        CorrectionScope::Grade(GradeScope { grade, from, until, .. }) => Column::Grade
            .eq(i16::from(grade.number()))
            .and(Column::FromMs.lt(until.milliseconds()))
            .and(Column::UntilMs.gt(from.milliseconds())),
    }
}

fn row(stored: &StoredCorrection) -> Result<ActiveModel, DbErr> {
    let StoredCorrection { id, correction, comment, made, reverted } = stored;
    let (mut sitting_id, mut template_id, mut of_grade) = (None, None, None);
    match &correction.scope {
        CorrectionScope::Sitting(id) => sitting_id = Some(*id),
        CorrectionScope::Template(id) => template_id = Some(*id),
        CorrectionScope::Grade(scope) => of_grade = Some(scope),
    }
    let templates = of_grade.and_then(|scope| scope.templates.as_ref()).map(serde_json::to_string).transpose();
    Ok(ActiveModel {
        id: Set(*id),
        number: Set(made.number),
        question_id: Set(correction.question_id.to_string()),
        kind: Set(correction.kind.name().to_owned()),
        options: Set(correction.options.text()),
        of_options: Set(correction.of_options.map(OptionsDigest::number)),
        sitting_id: Set(sitting_id),
        template_id: Set(template_id),
        grade: Set(of_grade.map(|scope| scope.grade.number().into())),
        from_ms: Set(of_grade.map(|scope| scope.from.milliseconds())),
        until_ms: Set(of_grade.map(|scope| scope.until.milliseconds())),
        templates: Set(templates.map_err(|error| DbErr::Custom(error.to_string()))?),
        nobody_loses: Set(correction.nobody_loses),
        comment: Set(comment.clone()),
        made_by: Set(made.by.clone()),
        made_at_ms: Set(made.at.milliseconds()),
        reverted_number: Set(reverted.as_ref().map(|act| act.number)),
        reverted_by: Set(reverted.as_ref().map(|act| act.by.clone())),
        reverted_at_ms: Set(reverted.as_ref().map(|act| act.at.milliseconds())),
    })
}

pub(super) fn stored(row: Model) -> Result<StoredCorrection, Unreadable> {
    let correction = Correction {
        number: row.number,
        question_id: row.question_id.as_str().into(),
        kind: CorrectionKind::parse(&row.kind).ok_or(Unreadable("kind of a correction"))?,
        options: AnswerSet::of_text(&row.options),
        of_options: row.of_options.map(OptionsDigest::from_number),
        nobody_loses: row.nobody_loses,
        scope: scope(&row).ok_or(Unreadable("scope of a correction"))?,
    };
    let reverted = row.reverted_number.map(|number| CorrectionAct {
        number,
        by: row.reverted_by.clone().unwrap_or_default(),
        at: Moment::from_milliseconds(row.reverted_at_ms.unwrap_or(row.made_at_ms)),
    });
    let made = CorrectionAct { number: row.number, by: row.made_by, at: Moment::from_milliseconds(row.made_at_ms) };
    Ok(StoredCorrection { id: row.id, correction, comment: row.comment, made, reverted })
}

fn scope(row: &Model) -> Option<CorrectionScope> {
    if let Some(id) = row.sitting_id {
        return Some(CorrectionScope::Sitting(id));
    }
    if let Some(id) = row.template_id {
        return Some(CorrectionScope::Template(id));
    }
    let templates = row.templates.as_deref().map(serde_json::from_str::<BTreeSet<Uuid>>).transpose().ok()?;
    Some(CorrectionScope::Grade(GradeScope {
        grade: Grade::new(row.grade?.into())?,
        from: Moment::from_milliseconds(row.from_ms?),
        until: Moment::from_milliseconds(row.until_ms?),
        templates,
    }))
}
