//! The measured difficulties of questions in the database, and which server measures those of a grade.

use std::collections::{BTreeMap, HashMap};

use domain::grade::Grade;
use domain::measured_difficulty::{MeasuredDifficulty, MeasuredValue, SchoolYear};
use domain::question::Key;
use domain::session::SessionOrigin;
use domain::time::moment::Moment;
use entities::measured_difficulty::{ActiveModel, Column, Entity, Model};
use entities::{measurement, question, session};
use sea_orm::sea_query::ExprTrait;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
};

use super::questions::{key, load_versions};
use super::test_students::counts;
use crate::database::{Database, bound_stalls};

/// Stands for all school years together.
pub const ALL_YEARS: SchoolYear = SchoolYear(0);
/// How long a server may say nothing of a grade that it measures before another one takes it for dead.
const LEASE_MILLISECONDS: i64 = 45 * 60 * 1_000;
/// Rows of one statement. A row has 6 values and SQLite accepts 32,766 in a statement.
const ROWS_PER_STATEMENT: usize = 1_000;

/// What the measuring needs of a question as it is today.
#[derive(Clone, Debug)]
pub struct BankLabel {
    pub difficulty: u8,
    pub answer: Option<Key>,
}

/// What is measured of a question, in one school year or in [`ALL_YEARS`].
pub type MeasuredRow = (SchoolYear, String, MeasuredValue);

/// The mark of a grade whose live tests are gone.
const NO_TESTS: &str = "none";

/// The grades with live tests, each with a mark that is another one when there are other tests, other results or other
/// questions; and those that were measured when they had some.
pub async fn load_marks(database: &Database) -> Result<Vec<(Grade, String)>, DbErr> {
    use session::Column as Test;
    let query = session::Entity::find()
        .select_only()
        .column(Test::Grade)
        .column_as(Test::SessionId.count(), "tests")
        .column_as(Test::CompletedAtMs.max(), "latest")
        .column_as(Test::Version.sum(), "versions")
        .filter(Test::Origin.eq(SessionOrigin::Live.name()))
        .filter(Test::Verified.eq(true))
        .filter(counts(Test::Account))
        .group_by(Test::Grade)
        .order_by_asc(Test::Grade);
    let rows: Vec<(i16, i64, i64, i64)> = query.into_tuple().all(&database.read).await?;
    let banks: HashMap<Grade, i64> = load_versions(database).await?.into_iter().collect();
    let mark = |(grade, tests, latest, versions): (i16, i64, i64, i64)| {
        let grade = Grade::new(grade.into())?;
        let bank = banks.get(&grade).copied().unwrap_or_default();
        Some((grade, format!("{tests} {latest} {versions} {bank}")))
    };
    let mut marks: BTreeMap<Grade, String> = rows.into_iter().filter_map(mark).collect();
    let measured = measurement::Entity::find().select_only().column(measurement::Column::Grade);
    for grade in measured.into_tuple::<i16>().all(&database.read).await? {
        if let Some(grade) = Grade::new(grade.into()) {
            marks.entry(grade).or_insert_with(|| NO_TESTS.to_owned());
        }
    }
    Ok(marks.into_iter().collect())
}

/// Loads the labels and keys of a grade's questions.
pub async fn load_labels(database: &Database, grade: Grade) -> Result<HashMap<String, BankLabel>, DbErr> {
    use question::Column as Of;
    let query = question::Entity::find().select_only().columns([Of::Id, Of::Difficulty, Of::Answer, Of::Number]);
    let query = query.filter(Of::Grade.eq(i16::from(grade.number())));
    let rows: Vec<(String, i16, String, Option<String>)> = query.into_tuple().all(&database.read).await?;
    let label = |(id, difficulty, answer, number): (String, i16, String, Option<String>)| {
        let difficulty = u8::try_from(difficulty).unwrap_or_default();
        (id, BankLabel { difficulty, answer: key(answer, number.as_deref()).ok() })
    };
    Ok(rows.into_iter().map(label).collect())
}

/// Takes a grade to measure it, unless another server has it, or it was measured after `since`, or the mark is that of
/// the last measurement. Returns the number by which the result is stored.
pub async fn take(
    database: &Database,
    (grade, mark): (Grade, &str),
    now: Moment,
    since: Moment,
) -> Result<Option<i64>, DbErr> {
    const TAKE: &str = "INSERT INTO measurements (grade, mark, measured_at_ms, fence, leased_until_ms) \
        VALUES ($1, '', 0, 1, $2) ON CONFLICT (grade) DO UPDATE \
        SET fence = measurements.fence + 1, leased_until_ms = excluded.leased_until_ms \
        WHERE measurements.leased_until_ms <= $3 AND measurements.measured_at_ms <= $4 AND measurements.mark <> $5 \
        RETURNING fence";
    // Most looks find nothing to do, and on SQLite one that writes makes others wait.
    let is_measured = measurement::Column::Mark.eq(mark).or(measurement::Column::MeasuredAtMs.gt(since.milliseconds()));
    let of_grade = measurement::Entity::find_by_id(i16::from(grade.number())).filter(is_measured);
    if of_grade.one(&database.read).await?.is_some() {
        return Ok(None);
    }
    let until = now.plus(LEASE_MILLISECONDS).milliseconds();
    let values = [
        i16::from(grade.number()).into(),
        until.into(),
        now.milliseconds().into(),
        since.milliseconds().into(),
        mark.into(),
    ];
    let statement = Statement::from_sql_and_values(database.write.get_database_backend(), TAKE, values);
    let row = database.write.query_one_raw(statement).await?;
    row.map(|row| row.try_get_by_index(0)).transpose()
}

/// Says that a grade is still being measured. Returns false if another server has taken it meanwhile.
pub async fn hold(database: &Database, (grade, fence): (Grade, i64), now: Moment) -> Result<bool, DbErr> {
    let until = Set(now.plus(LEASE_MILLISECONDS).milliseconds());
    let held = measurement::ActiveModel { leased_until_ms: until, ..Default::default() };
    let update = measurement::Entity::update_many().set(held).filter(measurement::Column::Fence.eq(fence));
    let of_grade = measurement::Column::Grade.eq(i16::from(grade.number()));
    Ok(update.filter(of_grade).exec(&database.write).await?.rows_affected > 0)
}

/// Gives a grade back that was not measured after all.
pub async fn give_back(database: &Database, grade: Grade, fence: i64) -> Result<(), DbErr> {
    let free = measurement::ActiveModel { leased_until_ms: Set(0), ..Default::default() };
    let update = measurement::Entity::update_many().set(free).filter(measurement::Column::Fence.eq(fence));
    let of_grade = measurement::Column::Grade.eq(i16::from(grade.number()));
    update.filter(of_grade).exec(&database.write).await.map(|_| ())
}

/// Replaces the measured difficulties of a grade. Returns false if another server has taken it meanwhile.
pub async fn put(
    database: &Database,
    (grade, fence): (Grade, i64),
    mark: &str,
    now: Moment,
    rows: &[MeasuredRow],
) -> Result<bool, DbErr> {
    let number = i16::from(grade.number());
    let transaction = database.begin_alone().await?;
    bound_stalls(&transaction).await?;
    let measured = measurement::ActiveModel {
        mark: Set(mark.to_owned()),
        measured_at_ms: Set(now.milliseconds()),
        leased_until_ms: Set(0),
        ..Default::default()
    };
    let taken = measurement::Column::Grade.eq(number).and(measurement::Column::Fence.eq(fence));
    let update = measurement::Entity::update_many().set(measured).filter(taken);
    if update.exec(&transaction).await?.rows_affected == 0 {
        transaction.rollback().await?;
        return Ok(false);
    }
    Entity::delete_many().filter(Column::Grade.eq(number)).exec(&transaction).await?;
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        let row = |(year, question_id, value): &MeasuredRow| ActiveModel {
            grade: Set(number),
            school_year: Set(year.0),
            question_id: Set(question_id.clone()),
            difficulty_thousandths: Set(value.difficulty_thousandths),
            error_thousandths: Set(value.error_thousandths),
            answers: Set(value.answers.into()),
        };
        Entity::insert_many(rows.iter().map(row)).exec_without_returning(&transaction).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

/// Loads what is measured of a grade's questions, by their ids.
pub async fn load(database: &Database, grade: Grade) -> Result<HashMap<String, MeasuredDifficulty>, DbErr> {
    let of_grade = Column::Grade.eq(i16::from(grade.number()));
    let rows = Entity::find().filter(of_grade).all(&database.read).await?;
    let mut found: HashMap<String, BTreeMap<SchoolYear, MeasuredValue>> = HashMap::new();
    for Model { question_id, school_year, difficulty_thousandths, error_thousandths, answers, .. } in rows {
        let answers = u32::try_from(answers).unwrap_or(u32::MAX);
        let value = MeasuredValue { difficulty_thousandths, error_thousandths, answers };
        found.entry(question_id).or_default().insert(SchoolYear(school_year), value);
    }
    let measured = |(id, mut years): (String, BTreeMap<SchoolYear, MeasuredValue>)| {
        let all = years.remove(&ALL_YEARS)?;
        Some((id, MeasuredDifficulty::of(all, years)))
    };
    Ok(found.into_iter().filter_map(measured).collect())
}
