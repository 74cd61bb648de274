//! API tokens, in the database. Only their hashes are stored, so that nobody who reads the database can use them.

use domain::access::Role;
use domain::time::moment::Moment;
use entities::{api_token, user};
use sea_orm::{ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::{Unreadable, use_notes};
use crate::database::Database;

/// How far the stored time of a token's last use may lag behind. Without it each request would write to the database; a
/// minute is exact enough to find tokens that nobody uses.
const LAST_USED_LAG_MILLISECONDS: i64 = 60_000;

/// A token without its secret.
#[derive(Clone, Debug)]
pub struct ApiToken {
    pub id: Uuid,
    /// The user for whom it acts.
    pub email: String,
    /// A name that says what the token is for.
    pub name: String,
    /// The highest role that the token gives, even when its user has a higher one.
    pub role: Role,
    pub created_at: Moment,
    /// At most a minute behind.
    pub last_used_at: Option<Moment>,
}

/// Stores a token for a user. It is never older than its user, even when the clocks of two servers differ, because a
/// token that is older counts as one of a deleted user.
pub async fn insert(database: &Database, token: &ApiToken, token_hash: &[u8]) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    let user = user::Entity::find_by_id(&token.email).one(&transaction).await?.ok_or(Unreadable("user"))?;
    let row = api_token::ActiveModel {
        id: Set(token.id),
        token_hash: Set(token_hash.to_vec()),
        email: Set(token.email.clone()),
        name: Set(token.name.clone()),
        role: Set(token.role.name().to_owned()),
        created_at_ms: Set(token.created_at.milliseconds().max(user.created_at_ms)),
        last_used_at_ms: Set(None),
    };
    api_token::Entity::insert(row).exec_without_returning(&transaction).await?;
    transaction.commit().await
}

/// Loads all tokens, newest first.
pub async fn load_all(database: &Database) -> Result<Vec<ApiToken>, DbErr> {
    let rows = api_token::Entity::find()
        .order_by_desc(api_token::Column::CreatedAtMs)
        .order_by_desc(api_token::Column::Id)
        .all(&database.read)
        .await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Revokes a token. Returns false when there was none.
pub async fn delete(database: &Database, id: Uuid) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    let was_there = api_token::Entity::delete_by_id(id).exec(&transaction).await?.rows_affected > 0;
    if was_there {
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(was_there)
}

/// Finds a token by its hash and notes that it was used. The caller must compare its age with its user's: a token from
/// before the user was made belonged to a deleted user of the same address.
pub async fn find_used(database: &Database, token_hash: &[u8], now: Moment) -> Result<Option<ApiToken>, DbErr> {
    let found =
        api_token::Entity::find().filter(api_token::Column::TokenHash.eq(token_hash)).one(&database.read).await?;
    let Some(token) = found else { return Ok(None) };
    let is_old = token.last_used_at_ms.is_none_or(|used| used < now.milliseconds() - LAST_USED_LAG_MILLISECONDS);
    if is_old && !database.is_read_only() {
        use_notes::begin(database, "the use of a token", note_use(database.clone(), token.id, now));
    }
    from_row(token).map(Some).map_err(DbErr::from)
}

async fn note_use(database: Database, id: Uuid, now: Moment) -> Result<(), DbErr> {
    let used = api_token::ActiveModel { last_used_at_ms: Set(Some(now.milliseconds())), ..Default::default() };
    let noting = api_token::Entity::update_many().set(used).filter(api_token::Column::Id.eq(id));
    noting.exec(&database.write).await.map(drop)
}

fn from_row(row: api_token::Model) -> Result<ApiToken, Unreadable> {
    Ok(ApiToken {
        role: Role::parse(&row.role).ok_or(Unreadable("role"))?,
        id: row.id,
        email: row.email,
        name: row.name,
        created_at: Moment::from_milliseconds(row.created_at_ms),
        last_used_at: row.last_used_at_ms.map(Moment::from_milliseconds),
    })
}
