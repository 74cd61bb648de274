//! Users and their roles in the database. Once there has been an admin, there is always one.

use domain::access::{Profile, Role, User};
use domain::resources::UserChangeOutcome;
use domain::time::moment::Moment;
use entities::{api_token, first_admin, user};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::{Unreadable, assignments};
use crate::database::Database;

/// The row of `first_admin` that is always there, to be locked.
const ROLES_LOCK: i16 = 0;
/// The row that is there once an admin has existed.
const FIRST_ADMIN: i16 = 1;

/// All users, by address.
///
/// # Errors
/// When the store is unavailable.
pub async fn load_all(database: &Database) -> Result<Vec<User>, DbErr> {
    let rows = user::Entity::find().order_by_asc(user::Column::Email).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Whether an admin has ever existed.
///
/// # Errors
/// When the store is unavailable.
pub async fn has_had_admin(database: &Database) -> Result<bool, DbErr> {
    Ok(first_admin::Entity::find_by_id(FIRST_ADMIN).one(&database.read).await?.is_some())
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
        copied_at_ms: Set(None),
    };
    let transaction = database.begin().await?;
    let conflict = OnConflict::column(user::Column::Email).do_nothing().to_owned();
    user::Entity::insert(missing).on_conflict(conflict).exec_without_returning(&transaction).await?;
    let row = user::Entity::find_by_id(email).one(&transaction).await?.ok_or(Unreadable("user"))?;
    let role = Role::parse(&row.role).ok_or(Unreadable("role"))?;
    if role == Role::Admin {
        note_admin(&transaction, now).await?;
    }
    transaction.commit().await?;
    Ok(role)
}

/// Makes a user as they are given; false when there is one of that address, who stays as they are.
///
/// # Errors
/// When the store is unavailable.
pub async fn create(database: &Database, user: &User) -> Result<bool, DbErr> {
    let row = user::ActiveModel {
        email: Set(user.email.clone()),
        name: Set(user.name.clone()),
        image: Set(user.image.clone()),
        role: Set(user.role.name().to_owned()),
        created_at_ms: Set(user.created_at.milliseconds()),
        last_login_ms: Set(user.last_login.map(Moment::milliseconds)),
        copied_at_ms: Set(None),
    };
    let transaction = database.begin().await?;
    let conflict = OnConflict::column(user::Column::Email).do_nothing().to_owned();
    let is_new = user::Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await? > 0;
    if is_new && user.role == Role::Admin {
        note_admin(&transaction, user.created_at).await?;
    }
    transaction.commit().await?;
    Ok(is_new)
}

/// Notes when a user has last signed in; the user, or `None` when there is none of that address.
///
/// # Errors
/// When the store is unavailable.
pub async fn set_last_login(database: &Database, email: &str, at: Moment) -> Result<Option<User>, DbErr> {
    let transaction = database.begin().await?;
    let changed = user::ActiveModel { last_login_ms: Set(Some(at.milliseconds())), ..Default::default() };
    user::Entity::update_many().set(changed).filter(user::Column::Email.eq(email)).exec(&transaction).await?;
    let row = user::Entity::find_by_id(email).one(&transaction).await?;
    transaction.commit().await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

/// Notes a sign-in, and makes the user when missing. Who has `admin_email` becomes admin; without that address the
/// first to sign in does, as long as there has never been an admin: one atomic statement decides it (`decisions.md` 6).
/// The time of the sign-in, which is not before that of the user: the same person may sign in twice at once.
///
/// # Errors
/// When the store is unavailable.
pub async fn sign_in(
    database: &Database,
    profile: &Profile,
    admin_email: Option<&str>,
    now: Moment,
) -> Result<Moment, DbErr> {
    let row = user::ActiveModel {
        email: Set(profile.email.clone()),
        name: Set(profile.name.clone()),
        image: Set(profile.image.clone()),
        role: Set(Role::Student.name().to_owned()),
        created_at_ms: Set(now.milliseconds()),
        last_login_ms: Set(Some(now.milliseconds())),
        copied_at_ms: Set(None),
    };
    let transaction = database.begin().await?;
    // A provider that tells no name takes none away.
    let mut renewed = vec![user::Column::LastLoginMs];
    renewed.extend((!profile.name.is_empty()).then_some(user::Column::Name));
    renewed.extend((!profile.image.is_empty()).then_some(user::Column::Image));
    let conflict = OnConflict::column(user::Column::Email).update_columns(renewed).to_owned();
    user::Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
    let has_address = admin_email == Some(profile.email.as_str());
    let is_first = (has_address || admin_email.is_none()) && note_admin(&transaction, now).await?;
    if has_address || is_first {
        write_role(&transaction, &profile.email, Role::Admin).await?;
    }
    let row = user::Entity::find_by_id(&profile.email).one(&transaction).await?.ok_or(Unreadable("user"))?;
    transaction.commit().await?;
    Ok(Moment::from_milliseconds(Ord::max(row.created_at_ms, now.milliseconds())))
}

/// Gives a user a role.
///
/// # Errors
/// When the store is unavailable.
pub async fn set_role(database: &Database, email: &str, role: Role, now: Moment) -> Result<UserChangeOutcome, DbErr> {
    let transaction = database.begin().await?;
    let Some(mut user) = lock(&transaction, email).await? else { return Ok(UserChangeOutcome::Unknown) };
    if role != Role::Admin && is_last_admin(&transaction, &user).await? {
        return Ok(UserChangeOutcome::LastAdmin);
    }
    if role == Role::Admin {
        note_admin(&transaction, now).await?;
    }
    write_role(&transaction, email, role).await?;
    transaction.commit().await?;
    user.role = role;
    Ok(UserChangeOutcome::Done(user))
}

/// Deletes a user with their API tokens and assignments. What they have done stays, with their name.
///
/// # Errors
/// When the store is unavailable.
pub async fn delete(database: &Database, email: &str) -> Result<UserChangeOutcome, DbErr> {
    let transaction = database.begin().await?;
    let Some(user) = lock(&transaction, email).await? else { return Ok(UserChangeOutcome::Unknown) };
    if is_last_admin(&transaction, &user).await? {
        return Ok(UserChangeOutcome::LastAdmin);
    }
    api_token::Entity::delete_many().filter(api_token::Column::Email.eq(email)).exec(&transaction).await?;
    assignments::delete_all(&transaction, email).await?;
    user::Entity::delete_by_id(email).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(UserChangeOutcome::Done(user))
}

/// The user, with every other change of roles waiting.
async fn lock(transaction: &DatabaseTransaction, email: &str) -> Result<Option<User>, DbErr> {
    first_admin::Entity::find_by_id(ROLES_LOCK).lock_exclusive().one(transaction).await?;
    let row = user::Entity::find_by_id(email).lock_exclusive().one(transaction).await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

async fn is_last_admin(transaction: &DatabaseTransaction, user: &User) -> Result<bool, DbErr> {
    let admins = user::Entity::find().filter(user::Column::Role.eq(Role::Admin.name()));
    Ok(user.role == Role::Admin && admins.count(transaction).await? <= 1)
}

/// Notes that there is an admin; whether this is the first.
async fn note_admin(transaction: &impl ConnectionTrait, now: Moment) -> Result<bool, DbErr> {
    let row = first_admin::ActiveModel { id: Set(FIRST_ADMIN), since_ms: Set(now.milliseconds()) };
    let conflict = OnConflict::column(first_admin::Column::Id).do_nothing().to_owned();
    Ok(first_admin::Entity::insert(row).on_conflict(conflict).exec_without_returning(transaction).await? > 0)
}

async fn write_role(transaction: &impl ConnectionTrait, email: &str, role: Role) -> Result<(), DbErr> {
    let changed = user::ActiveModel { role: Set(role.name().to_owned()), ..Default::default() };
    user::Entity::update_many().set(changed).filter(user::Column::Email.eq(email)).exec(transaction).await.map(|_| ())
}

/// The user of that address; nobody when they have been made after `since`, so that who was deleted and is back is
/// another user.
///
/// # Errors
/// When the store is unavailable.
pub async fn find(database: &Database, email: &str, since: Moment) -> Result<Option<User>, DbErr> {
    let known = user::Entity::find_by_id(email).filter(user::Column::CreatedAtMs.lte(since.milliseconds()));
    known.one(&database.read).await?.map(from_row).transpose().map_err(DbErr::from)
}

/// A user as an external data provider has told of them.
pub struct Copy {
    /// As they were told.
    pub user: User,
    /// When.
    pub copied_at: Moment,
}

/// What was last told of the user of that address.
///
/// # Errors
/// When the store is unavailable.
pub async fn find_copy(database: &Database, email: &str) -> Result<Option<Copy>, DbErr> {
    let Some(row) = user::Entity::find_by_id(email).one(&database.read).await? else { return Ok(None) };
    let Some(copied_at) = row.copied_at_ms.map(Moment::from_milliseconds) else { return Ok(None) };
    Ok(Some(Copy { user: from_row(row)?, copied_at }))
}

/// All users of whom something was told, by address.
///
/// # Errors
/// When the store is unavailable.
pub async fn load_copies(database: &Database) -> Result<Vec<User>, DbErr> {
    let rows = user::Entity::find()
        .filter(user::Column::CopiedAtMs.is_not_null())
        .order_by_asc(user::Column::Email)
        .all(&database.read)
        .await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Keeps what was told of a user who was asked for at that time, unless something newer is known of them.
///
/// # Errors
/// When the store is unavailable.
pub async fn copy(database: &Database, user: &User, asked_at: Moment) -> Result<(), DbErr> {
    use user::Column;
    let row = user::ActiveModel {
        email: Set(user.email.clone()),
        name: Set(user.name.clone()),
        image: Set(user.image.clone()),
        role: Set(user.role.name().to_owned()),
        created_at_ms: Set(user.created_at.milliseconds()),
        last_login_ms: Set(user.last_login.map(Moment::milliseconds)),
        copied_at_ms: Set(Some(asked_at.milliseconds())),
    };
    let told =
        [Column::Name, Column::Image, Column::Role, Column::CreatedAtMs, Column::LastLoginMs, Column::CopiedAtMs];
    let known_at = Expr::col((user::Entity, Column::CopiedAtMs));
    let is_newer = known_at.clone().is_null().or(known_at.lte(asked_at.milliseconds()));
    let conflict = OnConflict::column(Column::Email).update_columns(told).action_and_where(is_newer).to_owned();
    let transaction = database.begin().await?;
    user::Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
    if user.role == Role::Admin {
        // Should this service keep its own data again one day, nobody becomes admin by coming first.
        note_admin(&transaction, asked_at).await?;
    }
    transaction.commit().await
}

/// Forgets a user who is told to be gone, and what they were assigned to. Their tokens are of no use to whoever comes
/// after them with the same address.
///
/// # Errors
/// When the store is unavailable.
pub async fn remove_copy(database: &Database, email: &str) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    assignments::delete_all(&transaction, email).await?;
    user::Entity::delete_by_id(email).filter(user::Column::CopiedAtMs.is_not_null()).exec(&transaction).await?;
    transaction.commit().await
}

fn from_row(row: user::Model) -> Result<User, Unreadable> {
    Ok(User {
        role: Role::parse(&row.role).ok_or(Unreadable("role"))?,
        email: row.email,
        name: row.name,
        image: row.image,
        created_at: Moment::from_milliseconds(row.created_at_ms),
        last_login: row.last_login_ms.map(Moment::from_milliseconds),
    })
}
