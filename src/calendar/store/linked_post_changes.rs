//! Changes of venues and organizers, by their own routes and together with an event.

use domain::calendar::status::Status;
use domain::calendar::words;
use domain::time::moment::Moment;
use entities::calendar::text;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::filters::has_status;
use super::linked_posts::{LinkedPosts, PostColumns};
use super::lock::begin;
use super::numbers;
use super::records::{PostLink, Record, RecordContent, Reuse, name_key};
use super::slugs::{self, Naming, Slugged};
use crate::database::Database;

/// Stores a new record.
pub async fn create<K: LinkedPosts>(
    database: &Database,
    now: Moment,
    content: RecordContent<K::Fields>,
) -> Result<Record<K::Fields>, DbErr> {
    let (_turn, transaction) = begin(database).await?;
    let record = insert::<K>(&transaction, now, content).await?;
    transaction.commit().await?;
    Ok(record)
}

/// Changes a record while no other change can run. Its slug stays. `change` gets the current record and returns its new
/// content; if it refuses, nothing is stored. The result is `None` if no record has this number.
pub async fn update<K: LinkedPosts, E>(
    database: &Database,
    id: i64,
    now: Moment,
    change: impl FnOnce(&Record<K::Fields>) -> Result<RecordContent<K::Fields>, E>,
) -> Result<Option<Result<Record<K::Fields>, E>>, DbErr> {
    let (_turn, transaction) = begin(database).await?;
    let row = K::Entity::find().filter(K::Entity::ID.eq(id)).one(&transaction).await?;
    let Some(before) = row.map(K::from_row).transpose()? else {
        return transaction.rollback().await.map(|()| None);
    };
    let content = match change(&before) {
        Ok(content) => content,
        Err(refusal) => return transaction.rollback().await.map(|()| Some(Err(refusal))),
    };
    let (name, _) = K::name_and_description(&content.fields);
    let naming = Naming { id, sent: None, text: name, may_be_empty: false };
    let (slug, former_slug) = slugs::next::<K::Entity, _>(&transaction, &before, content.status, &naming).await?;
    let after = Record { id, slug, former_slug, modified_at: now, content };
    K::Entity::update_many().set(K::to_row(&after)).filter(K::Entity::ID.eq(id)).exec(&transaction).await?;
    set_texts::<K>(&transaction, &after).await?;
    transaction.commit().await?;
    Ok(Some(Ok(after)))
}

/// Publishes records that are due, and returns how many there were.
pub async fn publish_due<K: LinkedPosts>(database: &Database, now: Moment) -> Result<u64, DbErr> {
    let due = K::Entity::find().select_only().column(K::Entity::ID).filter(has_status(&[Status::Future]));
    let due = due.filter(K::Entity::PUBLISHED.lte(now.milliseconds())).limit(1);
    // Nothing is written while nothing is due: answers in exams need SQLite's only writer too.
    if due.into_tuple::<i64>().one(&database.read).await?.is_none() {
        return Ok(0);
    }
    let update = K::Entity::update_many()
        .col_expr(K::Entity::STATUS, Expr::value(Status::Publish.name()))
        .filter(has_status(&[Status::Future]))
        .filter(K::Entity::PUBLISHED.lte(now.milliseconds()));
    let (_turn, transaction) = begin(database).await?;
    let published = update.exec(&transaction).await?.rows_affected;
    transaction.commit().await?;
    Ok(published)
}

/// The number of the record to which an event links. A new one is created if no existing one can be used.
pub(super) async fn resolve<K: LinkedPosts>(
    transaction: &DatabaseTransaction,
    now: Moment,
    link: PostLink<K::Fields>,
    reuse: Reuse,
) -> Result<i64, DbErr> {
    let content = match link {
        PostLink::To(id) => return Ok(id),
        PostLink::Inline(content) => content,
    };
    match find_alike::<K>(transaction, &content.fields, reuse).await? {
        Some(id) => Ok(id),
        None => Ok(insert::<K>(transaction, now, *content).await?.id),
    }
}

/// The oldest record of the same name that may be used. If the fields have a description, the record's must be the
/// same.
async fn find_alike<K: LinkedPosts>(
    transaction: &DatabaseTransaction,
    fields: &K::Fields,
    reuse: Reuse,
) -> Result<Option<i64>, DbErr> {
    let (name, description) = K::name_and_description(fields);
    let of_name = K::Entity::find()
        .filter(K::Entity::NAME_KEY.eq(name_key(name)))
        .filter(K::Entity::STATUS.ne(Status::Trash.name()));
    let editable = match reuse {
        Reuse::Nobodys => return Ok(None),
        Reuse::Unpublished { author } => {
            let is_unpublished = K::Entity::STATUS.is_not_in([Status::Publish.name(), Status::Future.name()]);
            of_name.filter(K::Entity::AUTHOR.eq(author)).filter(is_unpublished)
        }
        Reuse::Anybodys => of_name,
    };
    let alike = if description.is_empty() { editable } else { editable.filter(K::Entity::DESCRIPTION.eq(description)) };
    alike.select_only().column(K::Entity::ID).order_by_asc(K::Entity::ID).limit(1).into_tuple().one(transaction).await
}

async fn insert<K: LinkedPosts>(
    transaction: &DatabaseTransaction,
    now: Moment,
    content: RecordContent<K::Fields>,
) -> Result<Record<K::Fields>, DbErr> {
    let id = numbers::draw(transaction, K::KIND).await?;
    let (name, _) = K::name_and_description(&content.fields);
    let naming = Naming { id, sent: None, text: name, may_be_empty: false };
    let slug = slugs::first::<K::Entity>(transaction, &naming).await?;
    let record = Record { id, slug, former_slug: None, modified_at: now, content };
    K::Entity::insert(K::to_row(&record)).exec_without_returning(transaction).await?;
    set_texts::<K>(transaction, &record).await?;
    Ok(record)
}

async fn set_texts<K: LinkedPosts>(transaction: &DatabaseTransaction, record: &Record<K::Fields>) -> Result<(), DbErr> {
    text::Entity::delete_many().filter(text::Column::RecordId.eq(record.id)).exec(transaction).await?;
    let searched =
        (0..).zip(K::texts(&record.content.fields)).map(|(position, field)| (position, words::haystack(&[field])));
    let row = |(position, text): (i16, String)| text::ActiveModel {
        record_id: Set(record.id),
        position: Set(position),
        text: Set(text),
    };
    let rows: Vec<text::ActiveModel> = searched.filter(|(_, text)| !text.is_empty()).map(row).collect();
    if !rows.is_empty() {
        text::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    }
    Ok(())
}
