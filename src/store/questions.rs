//! The question banks, in the database.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::fixed_options::are_fixed;
use domain::grade::Grade;
use domain::number::{NumberKey, NumberTerms};
use domain::picture::stored_digest;
use domain::question::{Choice, Difficulty, Key, Question, VersionDigest};
use domain::resources::WriteCounts;
use entities::{bank_version, question};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Select,
};

use super::{Unreadable, former_questions, pictures, question_marks, retired};
use crate::database::{self, Database};

/// Called from time to time with the number of questions written so far.
pub type WriteProgress<'a> = &'a mut (dyn FnMut(usize) + Send);

/// Rows of one statement. A row has 20 values and SQLite accepts 32,766 in a statement, so this is far below the limit.
pub(super) const ROWS_PER_STATEMENT: usize = 500;

/// The columns that an imported question overwrites in a question of the same id.
const OVERWRITTEN: [question::Column; 16] = [
    question::Column::Grade,
    question::Column::Topic,
    question::Column::Subtopic,
    question::Column::Difficulty,
    question::Column::Source,
    question::Column::Kind,
    question::Column::Question,
    question::Column::Options,
    question::Column::Answer,
    question::Column::Number,
    question::Column::Explanation,
    question::Column::Image,
    question::Column::ImageDescription,
    question::Column::FixedOptions,
    question::Column::OrderDecided,
    question::Column::Picture,
];

/// Loads the whole bank of a grade, ordered by id.
pub async fn load_bank(database: &Database, grade: Grade) -> Result<Vec<Question>, DbErr> {
    let rows = of_grade(grade).order_by_asc(question::Column::Id).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Loads questions of any grade by their ids. Ids that do not exist are left out.
pub async fn load_by_ids(
    database: &Database,
    ids: impl IntoIterator<Item = &str>,
) -> Result<HashMap<String, Question>, DbErr> {
    load_by_ids_in(&database.read, ids).await
}

/// The same within a transaction, which needs no second connection then.
pub async fn load_by_ids_in(
    connection: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = &str>,
) -> Result<HashMap<String, Question>, DbErr> {
    let mut questions = HashMap::new();
    let ids: Vec<&str> = ids.into_iter().collect();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let rows =
            question::Entity::find().filter(question::Column::Id.is_in(ids.iter().copied())).all(connection).await?;
        for row in rows {
            questions.insert(row.id.clone(), from_row(row)?);
        }
    }
    Ok(questions)
}

/// Finds which of these questions are for exams alone.
pub async fn find_secure<'a>(
    connection: &impl ConnectionTrait,
    ids: impl Iterator<Item = &'a str>,
) -> Result<HashSet<String>, DbErr> {
    let mut secure = HashSet::new();
    for ids in ids.collect::<Vec<_>>().chunks(ROWS_PER_STATEMENT) {
        let query = secure_ids().filter(question::Column::Id.is_in(ids.iter().copied()));
        secure.extend(query.into_tuple::<String>().all(connection).await?);
    }
    Ok(secure)
}

/// Loads which questions of a grade are for exams alone.
pub async fn load_secure(database: &Database, grade: Grade) -> Result<HashSet<String>, DbErr> {
    let query = secure_ids().filter(question::Column::Grade.eq(i16::from(grade.number())));
    Ok(query.into_tuple::<String>().all(&database.read).await?.into_iter().collect())
}

fn secure_ids() -> Select<question::Entity> {
    question::Entity::find().select_only().column(question::Column::Id).filter(question::Column::Secure.eq(true))
}

/// Loads the version of each bank. A grade whose bank has never been written is left out.
pub async fn load_versions(database: &Database) -> Result<Vec<(Grade, i64)>, DbErr> {
    let rows = bank_version::Entity::find().all(&database.read).await?;
    Ok(rows.into_iter().filter_map(|row| Grade::new(row.grade.into()).map(|grade| (grade, row.version))).collect())
}

/// Returns whether there are no questions at all, and have been none: who has retired all of them wants none back.
pub async fn is_empty(database: &Database) -> Result<bool, DbErr> {
    let count = question::Entity::find().count(&database.read).await?;
    Ok(count == 0 && !retired::has(&database.read, None).await?)
}

/// Adds questions, or overwrites those of the same id, and raises the version of each bank that changes. No id may
/// occur twice.
///
/// # Errors
/// After an error nothing has been written.
pub async fn put(database: &Database, questions: &[Question]) -> Result<WriteCounts, DbErr> {
    let transaction = database.begin().await?;
    write_alone(&transaction).await?;
    let written = write(&transaction, questions, &mut |_| ()).await?;
    transaction.commit().await?;
    Ok(written)
}

/// The version of a grade's bank, or `None` when the bank has never been written.
pub async fn find_version(database: &Database, grade: Grade) -> Result<Option<i64>, DbErr> {
    version(&database.read, grade).await
}

/// Replaces a grade's bank by these questions; no id may occur twice. Raises the bank's version when anything differs,
/// or when there was none, and returns it.
///
/// # Errors
/// After an error the bank is as it was.
pub async fn replace_bank(database: &Database, grade: Grade, bank: &[Question]) -> Result<i64, DbErr> {
    replace_marked_bank(database, grade, bank, &BTreeMap::new()).await
}

/// The same with what another service says about who may read the keys of these questions.
pub async fn replace_marked_bank(
    database: &Database,
    grade: Grade,
    bank: &[Question],
    practice: &BTreeMap<String, Option<bool>>,
) -> Result<i64, DbErr> {
    if let Some(version) = version(&database.read, grade).await?
        && difference(&load_bank(database, grade).await?, bank).is_none()
        && question_marks::differing(&database.read, grade, practice).await?.is_empty()
    {
        return Ok(version);
    }
    let transaction = database.begin_alone().await?;
    write_alone(&transaction).await?;
    let rows = of_grade(grade).all(&transaction).await?;
    let here = rows.into_iter().map(from_row).collect::<Result<Vec<_>, _>>()?;
    let (changed, gone) = difference(&here, bank).unwrap_or_default();
    let ending: HashSet<&str> = gone.iter().copied().collect();
    former_questions::keep(&transaction, here.iter().filter(|question| ending.contains(&*question.id))).await?;
    for ids in gone.chunks(ROWS_PER_STATEMENT) {
        question::Entity::delete_many()
            .filter(question::Column::Id.is_in(ids.iter().copied()))
            .exec(&transaction)
            .await?;
    }
    if changed.is_empty() {
        raise_version(&transaction, grade).await?;
    } else {
        write(&transaction, &changed, &mut |_| ()).await?;
    }
    question_marks::copy(&transaction, grade, practice).await?;
    let are_copies = bank_version::ActiveModel { copied: Set(true), ..Default::default() };
    bank_version::Entity::update_many().set(are_copies).exec(&transaction).await?;
    let version = version(&transaction, grade).await?.unwrap_or_default();
    transaction.commit().await?;
    Ok(version)
}

/// Returns whether any bank is this server's own, and not a copy of an external service's.
pub async fn has_own_banks(database: &Database) -> Result<bool, DbErr> {
    Ok(bank_version::Entity::find().filter(bank_version::Column::Copied.eq(false)).count(&database.read).await? > 0)
}

/// Returns the questions that are new or changed, and the ids of those that are gone. `None` means that nothing
/// differs.
fn difference<'a>(here: &'a [Question], bank: &[Question]) -> Option<(Vec<Question>, Vec<&'a str>)> {
    let by_id: HashMap<&str, &Question> = here.iter().map(|question| (question.id.as_str(), question)).collect();
    let ids: BTreeSet<&str> = bank.iter().map(|question| question.id.as_str()).collect();
    let changed: Vec<Question> =
        bank.iter().filter(|question| by_id.get(question.id.as_str()) != Some(question)).cloned().collect();
    let gone: Vec<&str> = by_id.into_keys().filter(|id| !ids.contains(id)).collect();
    (!changed.is_empty() || !gone.is_empty()).then_some((changed, gone))
}

async fn version(connection: &impl ConnectionTrait, grade: Grade) -> Result<Option<i64>, DbErr> {
    Ok(bank_version::Entity::find_by_id(i16::from(grade.number())).one(connection).await?.map(|row| row.version))
}

pub(super) async fn write(
    transaction: &DatabaseTransaction,
    questions: &[Question],
    progress: WriteProgress<'_>,
) -> Result<WriteCounts, DbErr> {
    let mut touched: BTreeSet<Grade> = questions.iter().map(|question| question.grade).collect();
    let mut updated = 0;
    for (index, some) in questions.chunks(ROWS_PER_STATEMENT).enumerate() {
        let before = load_by_ids_in(transaction, some.iter().map(|question| question.id.as_str())).await?;
        updated += before.len();
        touched.extend(before.values().map(|question| question.grade));
        let ending =
            some.iter().filter_map(|after| before.get(&after.id).filter(|before| is_new_version(before, after)));
        former_questions::keep(transaction, ending).await?;
        let rows = some.iter().map(to_row).collect::<Result<Vec<_>, _>>()?;
        let conflict = OnConflict::column(question::Column::Id).update_columns(OVERWRITTEN).to_owned();
        question::Entity::insert_many(rows).on_conflict(conflict).exec_without_returning(transaction).await?;
        pictures::mark_used(transaction, some.iter().filter_map(|question| stored_digest(&question.image))).await?;
        progress(questions.len().min((index + 1) * ROWS_PER_STATEMENT));
    }
    for grade in touched {
        raise_version(transaction, grade).await?;
    }
    Ok(WriteCounts { added: questions.len() - updated, updated, errors: Vec::new() })
}

/// Locks the table for this writer alone. Two writers at once would both find a new question missing, and both count it
/// as added. SQLite has only one writer anyway.
pub(super) async fn write_alone(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        database::bound_lock_waits(transaction).await?;
        transaction.execute_unprepared("LOCK TABLE questions IN EXCLUSIVE MODE").await?;
    }
    Ok(())
}

/// Returns whether reports of tests before a change can't show what is there after it.
fn is_new_version(before: &Question, after: &Question) -> bool {
    VersionDigest::of(before) != VersionDigest::of(after)
}

fn of_grade(grade: Grade) -> Select<question::Entity> {
    question::Entity::find().filter(question::Column::Grade.eq(i16::from(grade.number())))
}

/// Finds a question of a grade and locks it until the transaction ends.
pub(super) async fn find_to_edit(
    transaction: &DatabaseTransaction,
    grade: Grade,
    id: &str,
) -> Result<Option<Question>, DbErr> {
    database::bound_lock_waits(transaction).await?;
    let of_grade = question::Column::Grade.eq(i16::from(grade.number()));
    let row = question::Entity::find_by_id(id).filter(of_grade).lock_exclusive().one(transaction).await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

/// Writes an edited question and raises the version of its grade's bank.
pub(super) async fn replace(
    transaction: &DatabaseTransaction,
    before: &Question,
    after: &Question,
) -> Result<(), DbErr> {
    former_questions::keep(transaction, Some(before).filter(|before| is_new_version(before, after))).await?;
    let edited = question::Column::Id.eq(&after.id);
    question::Entity::update_many().set(to_row(after)?).filter(edited).exec(transaction).await?;
    pictures::mark_used(transaction, stored_digest(&after.image).into_iter()).await?;
    raise_version(transaction, after.grade).await
}

/// What is said of a question beside its fields.
#[derive(Clone, Copy)]
pub(super) struct StoredMarks {
    /// Whether it is for exams alone.
    pub(super) secure: bool,
    /// Whether anyone may read its key; `None` if nobody has said.
    pub(super) practice: Option<bool>,
}

/// A question of the bank that is about to be retired, with what does not travel with it.
pub(super) struct QuestionToRetire {
    pub(super) question: Question,
    pub(super) marks: StoredMarks,
    pub(super) written_by: Option<String>,
}

/// Finds a question of any grade and locks it until the transaction ends.
pub(super) async fn find_to_retire(
    transaction: &DatabaseTransaction,
    id: &str,
) -> Result<Option<QuestionToRetire>, DbErr> {
    let Some(row) = question::Entity::find_by_id(id).lock_exclusive().one(transaction).await? else { return Ok(None) };
    let (marks, written_by) = (StoredMarks { secure: row.secure, practice: row.practice }, row.written_by.clone());
    Ok(Some(QuestionToRetire { question: from_row(row)?, marks, written_by }))
}

/// The row of a question that is not in the bank yet.
pub(super) fn row_of_written(
    question: &Question,
    StoredMarks { secure, practice }: StoredMarks,
    written_by: Option<String>,
) -> Result<question::ActiveModel, DbErr> {
    let row = to_row(question)?;
    Ok(question::ActiveModel { secure: Set(secure), practice: Set(practice), written_by: Set(written_by), ..row })
}

/// Keeps these questions from being retired until the transaction ends. Returns whether all of them are in the bank.
pub(super) async fn hold(transaction: &DatabaseTransaction, ids: &BTreeSet<&str>) -> Result<bool, DbErr> {
    database::bound_lock_waits(transaction).await?;
    let mut held = 0;
    for ids in ids.iter().copied().collect::<Vec<_>>().chunks(ROWS_PER_STATEMENT) {
        let query = question::Entity::find().select_only().column(question::Column::Id);
        let query = query.filter(question::Column::Id.is_in(ids.iter().copied())).order_by_asc(question::Column::Id);
        held += query.lock_shared().into_tuple::<String>().all(transaction).await?.len();
    }
    Ok(held == ids.len())
}

pub(super) async fn raise_version(transaction: &impl ConnectionTrait, grade: Grade) -> Result<(), DbErr> {
    let first = bank_version::ActiveModel { grade: Set(grade.number().into()), version: Set(1), copied: Set(false) };
    let raised = Expr::col((bank_version::Entity, bank_version::Column::Version)).add(1);
    let conflict =
        OnConflict::column(bank_version::Column::Grade).value(bank_version::Column::Version, raised).to_owned();
    bank_version::Entity::insert(first).on_conflict(conflict).exec_without_returning(transaction).await.map(|_| ())
}

fn to_row(question: &Question) -> Result<question::ActiveModel, DbErr> {
    let options = serde_json::to_string(&question.options).map_err(|error| DbErr::Custom(error.to_string()))?;
    Ok(question::ActiveModel {
        id: Set(question.id.clone()),
        grade: Set(question.grade.number().into()),
        topic: Set(question.topic.clone()),
        subtopic: Set(question.subtopic.clone()),
        difficulty: Set(question.difficulty.number().into()),
        source: Set(question.source.clone()),
        kind: Set(question.kind.clone()),
        question: Set(question.question.clone()),
        options: Set(options),
        answer: Set(question.answer.letter_or_number().to_owned()),
        number: Set(number_text(&question.answer)?),
        explanation: Set(question.explanation.clone()),
        image: Set(question.image.clone()),
        image_description: Set(question.image_description.clone()),
        fixed_options: Set(question.fixed_options),
        order_decided: Set(true),
        picture: Set(stored_digest(&question.image).map(str::to_owned)),
        // Not part of a question as it travels: they are set by themselves, or by an import that says so.
        secure: NotSet,
        practice: NotSet,
        // Stays as it is, whoever changes the question.
        written_by: NotSet,
    })
}

pub(super) fn from_row(row: question::Model) -> Result<Question, Unreadable> {
    let options: Vec<String> = serde_json::from_str(&row.options).map_err(|_| Unreadable("options"))?;
    Ok(Question {
        grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
        difficulty: Difficulty::new(row.difficulty.into()).ok_or(Unreadable("difficulty"))?,
        answer: key(row.answer, row.number.as_deref())?,
        id: row.id,
        topic: row.topic,
        subtopic: row.subtopic,
        source: row.source,
        kind: row.kind,
        question: row.question,
        explanation: row.explanation,
        image: row.image,
        image_description: row.image_description,
        // Nobody has decided about questions from before options were shuffled.
        fixed_options: row.fixed_options || !row.order_decided && are_fixed(&options),
        options,
    })
}

/// What the key of a number has beside its value, as text.
fn number_text(key: &Key) -> Result<Option<String>, DbErr> {
    let terms = key.number().map(|number| serde_json::to_string(&number.terms()));
    terms.transpose().map_err(|error| DbErr::Custom(error.to_string()))
}

/// Reads the key of a question.
pub(super) fn key(answer: String, number: Option<&str>) -> Result<Key, Unreadable> {
    match number {
        None => Choice::parse(&answer).map(Key::Choice).ok_or(Unreadable("answer")),
        Some(terms) => {
            let terms: NumberTerms = serde_json::from_str(terms).map_err(|_| Unreadable("number"))?;
            Ok(Key::Number(NumberKey::of(answer, terms)))
        }
    }
}
