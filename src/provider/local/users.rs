//! Users and their API tokens in the database.

use entities::{api_token, user};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::Unreadable;
use crate::database::Database;
use crate::domain::access::Role;
use crate::domain::moment::Moment;

/// How long the noted time of a token's last use may lag behind.
const LAST_USED_LAG_MILLISECONDS: i64 = 60_000;

/// Someone who is signed in, or for whom a token acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// In lower case.
    pub email: String,
    /// As shown.
    pub name: String,
    /// Link or empty.
    pub image: String,
    /// What they may do here and now.
    pub role: Role,
}

/// Makes the user when missing; the role of one who exists stays. The role they have.
///
/// # Errors
/// When the store is unavailable.
pub async fn ensure(database: &Database, email: &str, name: &str, role: Role, now: Moment) -> Result<Role, DbErr> {
    let missing = user::ActiveModel {
        email: Set(email.to_owned()),
        name: Set(name.to_owned()),
        image: Set(String::new()),
        role: Set(role.name().to_owned()),
        created_at_ms: Set(now.milliseconds()),
        last_login_ms: Set(None),
    };
    let conflict = OnConflict::column(user::Column::Email).do_nothing().to_owned();
    user::Entity::insert(missing).on_conflict(conflict).exec_without_returning(&database.write).await?;
    let row = user::Entity::find_by_id(email).one(&database.write).await?.ok_or(Unreadable("user"))?;
    Ok(Role::parse(&row.role).ok_or(Unreadable("role"))?)
}

/// Keeps a token for a user, by its hash.
///
/// # Errors
/// When the store is unavailable.
pub async fn insert_token(database: &Database, token_hash: &[u8], email: &str, name: &str, role: Role, now: Moment) -> Result<(), DbErr> {
    let token = api_token::ActiveModel {
        id: Set(Uuid::new_v4()),
        token_hash: Set(token_hash.to_vec()),
        email: Set(email.to_owned()),
        name: Set(name.to_owned()),
        role: Set(role.name().to_owned()),
        created_at_ms: Set(now.milliseconds()),
        last_used_at_ms: Set(None),
    };
    api_token::Entity::insert(token).exec_without_returning(&database.write).await.map(|_| ())
}

/// Whom the token of this hash acts for, with the lower of the token's role and theirs; notes that it was used.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_by_token(database: &Database, token_hash: &[u8], now: Moment) -> Result<Option<Identity>, DbErr> {
    let found = api_token::Entity::find().filter(api_token::Column::TokenHash.eq(token_hash)).one(&database.read).await?;
    let Some(token) = found else { return Ok(None) };
    let Some(user) = user::Entity::find_by_id(&token.email).one(&database.read).await? else { return Ok(None) };
    if token.last_used_at_ms.is_none_or(|used| used < now.milliseconds() - LAST_USED_LAG_MILLISECONDS) {
        let used = api_token::ActiveModel { id: Set(token.id), last_used_at_ms: Set(Some(now.milliseconds())), ..Default::default() };
        let noted = api_token::Entity::update_many().set(used).filter(api_token::Column::Id.eq(token.id)).exec(&database.write).await;
        if let Err(error) = noted {
            tracing::warn!(%error, "the use of a token cannot be noted");
        }
    }
    let role = |name: &str| Role::parse(name).ok_or(Unreadable("role"));
    let role = role(&token.role)?.min(role(&user.role)?);
    Ok(Some(Identity { email: user.email, name: user.name, image: user.image, role }))
}
