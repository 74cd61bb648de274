//! Classes and their people, in the database. Whoever changes a class or its people locks its row first.

use std::collections::HashMap;

use domain::grade::Grade;
use domain::sitting::candidate::Person;
use domain::sitting::class::{Class, ClassPerson};
use domain::text::order::compare_names;
use domain::text::same::seen_in_any_case;
use domain::time::moment::Moment;
use entities::{class, class_person};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, ExprTrait, PaginatorTrait,
    QueryFilter, QuerySelect, SqlErr,
};
use uuid::Uuid;

use super::Unreadable;
use super::sittings::{factor, minutes, percent, whole};
use crate::database::bound_lock_waits;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;

/// Loads all classes. Of two that are made at the same moment one may be above the limit; it is not hidden.
pub async fn load_all(connection: &impl ConnectionTrait) -> Result<Vec<Class>, DbErr> {
    let rows = class::Entity::find().all(connection).await?;
    with_counts(connection, rows).await
}

/// Loads these classes, as far as they exist.
pub async fn load(connection: &impl ConnectionTrait, ids: &[Uuid]) -> Result<Vec<Class>, DbErr> {
    let those = class::Column::Id.is_in(ids.iter().copied());
    let rows = class::Entity::find().filter(those).all(connection).await?;
    with_counts(connection, rows).await
}

/// Finds a class.
pub async fn find(connection: &impl ConnectionTrait, id: Uuid) -> Result<Option<Class>, DbErr> {
    Ok(load(connection, &[id]).await?.pop())
}

/// Finds a class, and keeps everyone else from changing it or its people until the transaction ends.
pub async fn lock(transaction: &DatabaseTransaction, id: Uuid) -> Result<Option<Class>, DbErr> {
    bound_lock_waits(transaction).await?;
    let row = class::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
    Ok(with_counts(transaction, row.into_iter().collect()).await?.pop())
}

/// Whether somebody with this e-mail address, in lower case, is in one of these classes.
pub async fn has_person(connection: &impl ConnectionTrait, ids: &[Uuid], email: &str) -> Result<bool, DbErr> {
    use class_person::Column;
    let those = Column::ClassId.is_in(ids.iter().copied()).and(Column::Email.eq(email));
    let found = class_person::Entity::find().select_only().column(Column::Id).filter(those).limit(1);
    Ok(found.into_tuple::<Uuid>().one(connection).await?.is_some())
}

/// Whether all of these classes exist; each is named once.
pub async fn are_there(connection: &impl ConnectionTrait, ids: &[Uuid]) -> Result<bool, DbErr> {
    let those = class::Column::Id.is_in(ids.iter().copied());
    Ok(class::Entity::find().filter(those).count(connection).await? == ids.len() as u64)
}

/// Counts all classes.
pub async fn count(connection: &impl ConnectionTrait) -> Result<u64, DbErr> {
    class::Entity::find().count(connection).await
}

/// Stores a new class without people. Returns false, and stores nothing, if another one of the grade has its name.
pub async fn insert(transaction: &DatabaseTransaction, class: &Class) -> Result<bool, DbErr> {
    let taken = OnConflict::columns([class::Column::Grade, class::Column::FoldedName]).do_nothing().to_owned();
    let storing = class::Entity::insert(to_row(class)).on_conflict(taken);
    Ok(storing.exec_without_returning(transaction).await? > 0)
}

/// Stores a class that was locked. Returns false if another one of the grade has its name: then nothing more can be
/// done in the transaction.
pub async fn save(transaction: &DatabaseTransaction, class: &Class) -> Result<bool, DbErr> {
    let of_it = class::Column::Id.eq(class.id);
    match class::Entity::update_many().set(to_row(class)).filter(of_it).exec(transaction).await {
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => Ok(false),
        saved => saved.map(|_| true),
    }
}

/// Removes a class that was locked, with its people.
pub async fn delete(transaction: &DatabaseTransaction, id: Uuid) -> Result<(), DbErr> {
    class_person::Entity::delete_many().filter(class_person::Column::ClassId.eq(id)).exec(transaction).await?;
    class::Entity::delete_by_id(id).exec(transaction).await.map(|_| ())
}

/// Loads the people of a class, by name.
pub async fn load_people(connection: &impl ConnectionTrait, class_id: Uuid) -> Result<Vec<ClassPerson>, DbErr> {
    load_people_of(connection, &[class_id]).await
}

/// Loads the people of these classes, class by class in this order, each by name.
pub async fn load_people_of(connection: &impl ConnectionTrait, class_ids: &[Uuid]) -> Result<Vec<ClassPerson>, DbErr> {
    let mut found = Vec::new();
    for class_id in class_ids {
        let of_it = class_person::Column::ClassId.eq(*class_id);
        let rows = class_person::Entity::find().filter(of_it).all(connection).await?;
        let mut people = rows.into_iter().map(person_from).collect::<Result<Vec<_>, _>>()?;
        people.sort_unstable_by(|one, other| compare_names(&one.name, &other.name).then_with(|| one.id.cmp(&other.id)));
        found.append(&mut people);
    }
    Ok(found)
}

/// Replaces the people of a class that was locked.
pub async fn replace_people(
    transaction: &DatabaseTransaction,
    class_id: Uuid,
    people: &[ClassPerson],
) -> Result<(), DbErr> {
    class_person::Entity::delete_many().filter(class_person::Column::ClassId.eq(class_id)).exec(transaction).await?;
    for people in people.chunks(ROWS_PER_STATEMENT) {
        let rows: Vec<_> = people.iter().map(|person| person_row(class_id, person)).collect();
        class_person::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    }
    Ok(())
}

async fn with_counts(connection: &impl ConnectionTrait, rows: Vec<class::Model>) -> Result<Vec<Class>, DbErr> {
    use class_person::Column;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let query = class_person::Entity::find().select_only().column(Column::ClassId);
    let query =
        query.column_as(Column::Id.count(), "people").filter(Column::ClassId.is_in(rows.iter().map(|row| row.id)));
    let counts: Vec<(Uuid, i64)> = query.group_by(Column::ClassId).into_tuple().all(connection).await?;
    let counts: HashMap<Uuid, i64> = counts.into_iter().collect();
    let class = |row: class::Model| {
        let people = counts.get(&row.id).copied().unwrap_or_default();
        from_row(row, u64::try_from(people).unwrap_or_default())
    };
    rows.into_iter().map(class).collect::<Result<_, _>>().map_err(DbErr::from)
}

fn to_row(class: &Class) -> class::ActiveModel {
    class::ActiveModel {
        id: Set(class.id),
        grade: Set(class.grade.number().into()),
        name: Set(class.name.clone()),
        folded_name: Set(seen_in_any_case(&class.name)),
        created_by: Set(class.created_by.clone()),
        created_at_ms: Set(class.created_at.milliseconds()),
        updated_at_ms: Set(class.updated_at.milliseconds()),
    }
}

fn from_row(row: class::Model, people: u64) -> Result<Class, Unreadable> {
    Ok(Class {
        id: row.id,
        name: row.name,
        grade: Grade::new(row.grade.into()).ok_or(Unreadable("grade"))?,
        people,
        created_at: Moment::from_milliseconds(row.created_at_ms),
        updated_at: Moment::from_milliseconds(row.updated_at_ms),
        created_by: row.created_by,
    })
}

fn person_row(class_id: Uuid, person: &ClassPerson) -> class_person::ActiveModel {
    class_person::ActiveModel {
        id: Set(person.id),
        class_id: Set(class_id),
        email: Set(person.person.email.clone()),
        external_id: Set(person.person.external_id.clone()),
        name: Set(person.name.clone()),
        factor: Set(person.factor.map(percent)),
        extra_minutes: Set(person.extra_minutes.map(whole)),
        note: Set(person.note.clone()),
    }
}

fn person_from(row: class_person::Model) -> Result<ClassPerson, Unreadable> {
    Ok(ClassPerson {
        id: row.id,
        person: Person { email: row.email, external_id: row.external_id },
        name: row.name,
        factor: factor(row.factor)?,
        extra_minutes: minutes(row.extra_minutes)?,
        note: row.note,
    })
}
