//! API tokens in the database, by their hashes.

use domain::access::Role;
use domain::time::moment::Moment;
use entities::{api_token, user};
use sea_orm::{ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::Unreadable;
use crate::database::Database;

/// How long the noted time of a token's last use may lag behind.
const LAST_USED_LAG_MILLISECONDS: i64 = 60_000;

/// A token, without its secret.
#[derive(Clone, Debug)]
pub struct ApiToken {
    /// Identifier.
    pub id: Uuid,
    /// Whom it acts for.
    pub email: String,
    /// What it is for.
    pub name: String,
    /// What it may do at most.
    pub role: Role,
    /// When it was made.
    pub created_at: Moment,
    /// When it was last used; behind by a minute at most.
    pub last_used_at: Option<Moment>,
}

/// Keeps a token for a user, by its hash. It is never older than its user, whatever the clocks of the servers say.
///
/// # Errors
/// When the store is unavailable.
pub async fn insert(database: &Database, token: &ApiToken, token_hash: &[u8]) -> Result<(), DbErr> {
    let user = user::Entity::find_by_id(&token.email).one(&database.write).await?.ok_or(Unreadable("user"))?;
    let row = api_token::ActiveModel {
        id: Set(token.id),
        token_hash: Set(token_hash.to_vec()),
        email: Set(token.email.clone()),
        name: Set(token.name.clone()),
        role: Set(token.role.name().to_owned()),
        created_at_ms: Set(token.created_at.milliseconds().max(user.created_at_ms)),
        last_used_at_ms: Set(None),
    };
    api_token::Entity::insert(row).exec_without_returning(&database.write).await.map(|_| ())
}

/// All tokens, the newest first.
///
/// # Errors
/// When the store is unavailable.
pub async fn load_all(database: &Database) -> Result<Vec<ApiToken>, DbErr> {
    let rows = api_token::Entity::find()
        .order_by_desc(api_token::Column::CreatedAtMs)
        .order_by_desc(api_token::Column::Id)
        .all(&database.read)
        .await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Revokes a token; whether there was one.
///
/// # Errors
/// When the store is unavailable.
pub async fn delete(database: &Database, id: Uuid) -> Result<bool, DbErr> {
    Ok(api_token::Entity::delete_by_id(id).exec(&database.write).await?.rows_affected > 0)
}

/// The token of this hash; notes that it was used. One acts for nobody whose user has been deleted since it was made,
/// also when they are back: that is for the caller to ask.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_used(database: &Database, token_hash: &[u8], now: Moment) -> Result<Option<ApiToken>, DbErr> {
    let found =
        api_token::Entity::find().filter(api_token::Column::TokenHash.eq(token_hash)).one(&database.read).await?;
    let Some(token) = found else { return Ok(None) };
    if token.last_used_at_ms.is_none_or(|used| used < now.milliseconds() - LAST_USED_LAG_MILLISECONDS) {
        // Nobody waits for this: SQLite's writer may be busy.
        tokio::spawn(note_use(database.clone(), token.id, now));
    }
    from_row(token).map(Some).map_err(DbErr::from)
}

async fn note_use(database: Database, id: Uuid, now: Moment) {
    let used = api_token::ActiveModel { last_used_at_ms: Set(Some(now.milliseconds())), ..Default::default() };
    let noted =
        api_token::Entity::update_many().set(used).filter(api_token::Column::Id.eq(id)).exec(&database.write).await;
    if let Err(error) = noted {
        tracing::warn!(%error, "the use of a token cannot be noted");
    }
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
