//! The pictures of questions that were uploaded here, in the database.

use domain::grade::Grade;
use domain::time::moment::Moment;
use entities::{picture, question};
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::Unreadable;
use super::questions::ROWS_PER_STATEMENT;
use crate::database::Database;

/// Pictures of one statement, each of up to half a megabyte.
pub const PICTURES_PER_STATEMENT: usize = 8;

/// A picture that is about to be stored.
pub struct NewPicture {
    /// SHA-256 of its content, in hexadecimal.
    pub digest: String,
    pub media_type: &'static str,
    pub width: u32,
    pub height: u32,
    pub content: Vec<u8>,
}

/// A picture as it is stored.
#[derive(Debug)]
pub struct StoredPicture {
    pub media_type: String,
    pub content: Vec<u8>,
}

/// Stores a picture. One that is there already counts as uploaded now.
pub async fn put(database: &Database, picture: NewPicture, by: &str, at: Moment) -> Result<(), DbErr> {
    use picture::Column;
    let transaction = database.begin().await?;
    // A question may name it already, such as one that was imported from another server.
    let is_shown = question::Entity::find().filter(question::Column::Picture.eq(&picture.digest));
    let is_used = is_shown.count(&transaction).await? > 0;
    let again =
        OnConflict::column(Column::Digest).update_columns([Column::UploadedBy, Column::UploadedAtMs]).to_owned();
    let insert = picture::Entity::insert(to_row(picture, is_used, by, at)).on_conflict(again);
    insert.exec_without_returning(&transaction).await?;
    transaction.commit().await
}

/// Stores pictures that questions are about to show, which stay from now on. One that is there keeps its uploader.
pub(super) async fn put_shown(
    transaction: &DatabaseTransaction,
    pictures: Vec<NewPicture>,
    by: &str,
    at: Moment,
) -> Result<(), DbErr> {
    let mut rows = pictures.into_iter().map(|picture| to_row(picture, true, by, at)).peekable();
    while rows.peek().is_some() {
        let again = OnConflict::column(picture::Column::Digest).update_column(picture::Column::Used).to_owned();
        let insert = picture::Entity::insert_many(rows.by_ref().take(PICTURES_PER_STATEMENT)).on_conflict(again);
        insert.exec_without_returning(transaction).await?;
    }
    Ok(())
}

fn to_row(picture: NewPicture, is_used: bool, by: &str, at: Moment) -> picture::ActiveModel {
    let pixels = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    picture::ActiveModel {
        digest: Set(picture.digest),
        media_type: Set(picture.media_type.to_owned()),
        width: Set(pixels(picture.width)),
        height: Set(pixels(picture.height)),
        content: Set(picture.content),
        uploaded_by: Set(by.to_owned()),
        uploaded_at_ms: Set(at.milliseconds()),
        used: Set(is_used),
    }
}

pub async fn find(database: &Database, digest: &str) -> Result<Option<StoredPicture>, DbErr> {
    let row = picture::Entity::find_by_id(digest).one(&database.read).await?;
    Ok(row.map(|row| StoredPicture { media_type: row.media_type, content: row.content }))
}

/// Loads some pictures by their digests: at most [`PICTURES_PER_STATEMENT`]. Those that are not here are left out.
pub async fn load(database: &Database, digests: &[&str]) -> Result<Vec<(String, StoredPicture)>, DbErr> {
    let wanted = picture::Column::Digest.is_in(digests.iter().copied().take(PICTURES_PER_STATEMENT));
    let rows = picture::Entity::find().filter(wanted).all(&database.read).await?;
    let stored = |row: picture::Model| (row.digest, StoredPicture { media_type: row.media_type, content: row.content });
    Ok(rows.into_iter().map(stored).collect())
}

/// Counts the pictures that somebody has uploaded and no question has ever shown.
pub async fn count_unused_of(database: &Database, email: &str) -> Result<u64, DbErr> {
    let unused = picture::Entity::find().filter(picture::Column::Used.eq(false));
    unused.filter(picture::Column::UploadedBy.eq(email)).count(&database.read).await
}

/// Finds the questions of the bank that show a picture.
pub async fn find_questions(database: &Database, digest: &str) -> Result<Vec<(String, Grade)>, DbErr> {
    let query = question::Entity::find().select_only().columns([question::Column::Id, question::Column::Grade]);
    let rows: Vec<(String, i16)> =
        query.filter(question::Column::Picture.eq(digest)).into_tuple().all(&database.read).await?;
    let grade = |(id, grade): (String, i16)| Some((id, Grade::new(grade.into())?));
    rows.into_iter().map(|row| grade(row).ok_or_else(|| Unreadable("grade").into())).collect()
}

/// Notes that questions show these pictures, which stay from now on. Returns how many of them are stored.
pub(super) async fn mark_used<'a>(
    transaction: &DatabaseTransaction,
    digests: impl Iterator<Item = &'a str>,
) -> Result<u64, DbErr> {
    let mut found = 0;
    for digests in digests.collect::<Vec<_>>().chunks(ROWS_PER_STATEMENT) {
        let used = picture::ActiveModel { used: Set(true), ..Default::default() };
        let of_them = picture::Column::Digest.is_in(digests.iter().copied());
        found += picture::Entity::update_many().set(used).filter(of_them).exec(transaction).await?.rows_affected;
    }
    Ok(found)
}

/// Deletes pictures that were uploaded before this time and that no question has ever shown: at most `count`. Returns
/// how many they were.
pub async fn delete_unused(connection: &impl ConnectionTrait, before: Moment, count: u64) -> Result<u64, DbErr> {
    use picture::Column;
    let unused = || Column::Used.eq(false).and(Column::UploadedAtMs.lt(before.milliseconds()));
    let query = picture::Entity::find().select_only().column(Column::Digest).filter(unused());
    let digests: Vec<String> =
        query.order_by_asc(Column::UploadedAtMs).limit(count).into_tuple().all(connection).await?;
    if digests.is_empty() {
        return Ok(0);
    }
    // The condition again: a question may have taken one of them meanwhile.
    let deleted = picture::Entity::delete_many().filter(Column::Digest.is_in(digests)).filter(unused());
    Ok(deleted.exec(connection).await?.rows_affected)
}
