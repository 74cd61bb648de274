//! What is said of questions beside their fields, in the database: whether they are for exams alone, and whether anyone
//! may read them with their keys.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::grade::Grade;
use domain::question::Question;
use domain::sitting::values::FieldChange;
use entities::{question, retired_question};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::questions::{ROWS_PER_STATEMENT, raise_version};
use crate::database::Database;

/// What is said of the questions of one grade, retired ones among them, about who may read their keys.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PracticeMarks {
    practice: HashSet<String>,
    kept: HashSet<String>,
}

impl PracticeMarks {
    /// Whether anyone may read the key of a question; `None` if nobody has said.
    #[must_use]
    pub fn of(&self, question_id: &str) -> Option<bool> {
        if self.kept.contains(question_id) {
            return Some(false);
        }
        self.practice.contains(question_id).then_some(true)
    }

    /// Marks of these ids.
    #[cfg(test)]
    pub(super) fn of_ids(practice: &[&str], kept: &[&str]) -> Self {
        let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        Self { practice: ids(practice), kept: ids(kept) }
    }

    /// Takes ids, whether anyone may read their keys, and whether they are for exams alone, which is stronger.
    fn add(&mut self, rows: Vec<(String, bool, bool)>) {
        for (id, is_practice, is_secure) in rows {
            if !is_practice {
                self.kept.insert(id);
            } else if !is_secure {
                self.practice.insert(id);
            }
        }
    }
}

/// Loads what is said of the questions of a grade.
pub async fn load(connection: &impl ConnectionTrait, grade: Grade) -> Result<PracticeMarks, DbErr> {
    let grade = i16::from(grade.number());
    let mut marks = PracticeMarks::default();
    {
        use question::Column;
        let query = question::Entity::find().select_only().columns([Column::Id, Column::Practice, Column::Secure]);
        let marked = query.filter(Column::Grade.eq(grade)).filter(Column::Practice.is_not_null());
        marks.add(marked.into_tuple().all(connection).await?);
    }
    use retired_question::Column;
    let query = retired_question::Entity::find().select_only().columns([Column::Id, Column::Practice, Column::Secure]);
    let marked = query.filter(Column::Grade.eq(grade)).filter(Column::Practice.is_not_null());
    marks.add(marked.into_tuple().all(connection).await?);
    Ok(marks)
}

/// The ids of the questions of a grade's bank that anyone may read with their keys, and of those of which it is said
/// that not everyone may, each in order.
pub async fn load_in_order(
    connection: &impl ConnectionTrait,
    grade: Grade,
) -> Result<(Vec<String>, Vec<String>), DbErr> {
    use question::Column;
    let query = question::Entity::find().select_only().columns([Column::Id, Column::Practice]);
    let marked = query.filter(Column::Grade.eq(i16::from(grade.number()))).filter(Column::Practice.is_not_null());
    let marked: Vec<(String, bool)> = marked.order_by_asc(Column::Id).into_tuple().all(connection).await?;
    let (practice, kept): (Vec<_>, Vec<_>) = marked.into_iter().partition(|(_, is_practice)| *is_practice);
    let ids = |marks: Vec<(String, bool)>| marks.into_iter().map(|(id, _)| id).collect();
    Ok((ids(practice), ids(kept)))
}

/// What is said of these questions of the bank about who may read their keys, by id.
pub async fn find_practice<'a>(
    connection: &impl ConnectionTrait,
    ids: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, bool>, DbErr> {
    use question::Column;
    let mut found = HashMap::new();
    for ids in ids.collect::<Vec<_>>().chunks(ROWS_PER_STATEMENT) {
        let query = question::Entity::find().select_only().columns([Column::Id, Column::Practice]);
        let marked = query.filter(Column::Id.is_in(ids.iter().copied())).filter(Column::Practice.is_not_null());
        found.extend(marked.into_tuple::<(String, bool)>().all(connection).await?);
    }
    Ok(found)
}

/// Of what another service says about questions of a grade, that which is not said here, by what it is.
pub(super) async fn differing<'a>(
    connection: &impl ConnectionTrait,
    grade: Grade,
    said: &'a BTreeMap<String, Option<bool>>,
) -> Result<BTreeMap<Option<bool>, Vec<&'a str>>, DbErr> {
    use question::Column;
    let mut differing: BTreeMap<Option<bool>, Vec<&str>> = BTreeMap::new();
    if said.is_empty() {
        return Ok(differing);
    }
    let query = question::Entity::find().select_only().columns([Column::Id, Column::Practice]);
    let here = query.filter(Column::Grade.eq(i16::from(grade.number())));
    let here: HashMap<String, Option<bool>> =
        here.into_tuple::<(String, Option<bool>)>().all(connection).await?.into_iter().collect();
    for (id, mark) in said.iter().filter(|(id, mark)| here.get(*id).is_some_and(|known| known != *mark)) {
        differing.entry(*mark).or_default().push(id);
    }
    Ok(differing)
}

/// Says of the questions of a copy what another service says. The version of the bank is raised by whoever copies it.
pub(super) async fn copy(
    transaction: &DatabaseTransaction,
    grade: Grade,
    said: &BTreeMap<String, Option<bool>>,
) -> Result<(), DbErr> {
    for (mark, ids) in differing(transaction, grade, said).await? {
        let marked = question::ActiveModel { practice: Set(mark), ..Default::default() };
        for ids in ids.chunks(ROWS_PER_STATEMENT) {
            let those = question::Column::Id.is_in(ids.iter().copied());
            question::Entity::update_many().set(marked.clone()).filter(those).exec(transaction).await?;
        }
    }
    Ok(())
}

/// What is to be said of questions from now on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkChange {
    /// Whether they are for exams alone.
    pub secure: Option<bool>,
    /// Whether anyone may read their keys.
    pub practice: FieldChange<bool>,
}

impl MarkChange {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Says this of questions, and raises the versions of their grades' banks.
pub async fn set(database: &Database, questions: &[Question], change: &MarkChange) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    let mut marked = question::ActiveModel::default();
    if let Some(is_secure) = change.secure {
        marked.secure = Set(is_secure);
    }
    match change.practice {
        FieldChange::Keep => {}
        FieldChange::Clear => marked.practice = Set(None),
        FieldChange::Set(is_practice) => marked.practice = Set(Some(is_practice)),
    }
    for questions in questions.chunks(ROWS_PER_STATEMENT) {
        let those = question::Column::Id.is_in(questions.iter().map(|question| question.id.as_str()));
        question::Entity::update_many().set(marked.clone()).filter(those).exec(&transaction).await?;
    }
    for grade in questions.iter().map(|question| question.grade).collect::<BTreeSet<_>>() {
        raise_version(&transaction, grade).await?;
    }
    transaction.commit().await
}

/// What an import says of its questions, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedMarks {
    /// Whether they are for exams alone.
    pub secure: Vec<(String, bool)>,
    /// Whether anyone may read their keys.
    pub practice: Vec<(String, bool)>,
}

/// Says what an import says. The versions of the banks have been raised.
pub(super) async fn mark(
    transaction: &DatabaseTransaction,
    secure: &[(String, bool)],
    practice: &[(String, bool)],
) -> Result<(), DbErr> {
    for mark in [true, false] {
        let marked = question::ActiveModel { secure: Set(mark), ..Default::default() };
        mark_those(transaction, secure, mark, marked).await?;
        let marked = question::ActiveModel { practice: Set(Some(mark)), ..Default::default() };
        mark_those(transaction, practice, mark, marked).await?;
    }
    Ok(())
}

/// Writes this of those that are marked so.
async fn mark_those(
    transaction: &DatabaseTransaction,
    marks: &[(String, bool)],
    mark: bool,
    marked: question::ActiveModel,
) -> Result<(), DbErr> {
    let ids: Vec<&str> = marks.iter().filter(|(_, said)| *said == mark).map(|(id, _)| id.as_str()).collect();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let those = question::Column::Id.is_in(ids.iter().copied());
        question::Entity::update_many().set(marked.clone()).filter(those).exec(transaction).await?;
    }
    Ok(())
}
