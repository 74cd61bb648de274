//! Users and their roles, in the database. Once there has been an admin, there is always one.

use domain::access::{Profile, Role, User};
use domain::resources::UserChangeOutcome;
use domain::time::moment::Moment;
use entities::{api_token, first_admin, user};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::{Unreadable, assignments, sign_ins, views};
use crate::database::Database;

/// The row of `first_admin` that always exists and is locked while roles change.
const ROLES_LOCK: i16 = 0;
/// The row of `first_admin` that exists once there has been an admin.
const FIRST_ADMIN: i16 = 1;

/// Loads all users, ordered by address.
pub async fn load_all(database: &Database) -> Result<Vec<User>, DbErr> {
    let rows = user::Entity::find().order_by_asc(user::Column::Email).all(&database.read).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Loads the address and the name of each who is more than a student, by address: at most `count`.
pub async fn load_staff(database: &Database, count: u64) -> Result<Vec<(String, String)>, DbErr> {
    use user::Column;
    let query = user::Entity::find().select_only().columns([Column::Email, Column::Name]);
    let staff = query.filter(Column::Role.ne(Role::Student.name())).order_by_asc(Column::Email);
    staff.limit(count).into_tuple::<(String, String)>().all(&database.read).await
}

pub async fn has_had_admin(database: &Database) -> Result<bool, DbErr> {
    Ok(first_admin::Entity::find_by_id(FIRST_ADMIN).one(&database.read).await?.is_some())
}

/// Creates a user when there is none of that address; an existing one keeps their role. Returns the role that the user
/// has.
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

/// Creates a user with the given fields. Returns false, and changes nothing, when the address is taken.
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
    if !is_new {
        transaction.rollback().await?;
        return Ok(false);
    }
    if user.role == Role::Admin {
        note_admin(&transaction, user.created_at).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

/// Notes when a user last signed in. Returns `None` when there is no such user.
pub async fn set_last_login(database: &Database, email: &str, at: Moment) -> Result<Option<User>, DbErr> {
    let transaction = database.begin().await?;
    let changed = user::ActiveModel { last_login_ms: Set(Some(at.milliseconds())), ..Default::default() };
    user::Entity::update_many().set(changed).filter(user::Column::Email.eq(email)).exec(&transaction).await?;
    let row = user::Entity::find_by_id(email).one(&transaction).await?;
    transaction.commit().await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

/// Notes a sign-in, and creates the user when there is none.
///
/// The person with `admin_email` becomes admin. Without that option the first person to sign in does, as long as there
/// has never been an admin. One atomic statement decides this, so that two people who sign in at once cannot both be
/// first.
///
/// Returns the time of the sign-in. It is never before the user's creation, even when the same person signs in twice at
/// once.
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
    // A sign-in provider that sends no name or picture leaves the stored one as it is.
    let mut renewed = vec![user::Column::LastLoginMs];
    renewed.extend((!profile.name.is_empty()).then_some(user::Column::Name));
    renewed.extend((!profile.image.is_empty()).then_some(user::Column::Image));
    let conflict = OnConflict::column(user::Column::Email).update_columns(renewed).to_owned();
    user::Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
    let has_address = admin_email == Some(profile.email.as_str());
    // The person with the address counts as the first admin too: without the option, later, nobody else becomes one by
    // signing in.
    let is_first = (has_address || admin_email.is_none()) && note_admin(&transaction, now).await?;
    if has_address || is_first {
        write_role(&transaction, &profile.email, Role::Admin).await?;
    }
    let row = user::Entity::find_by_id(&profile.email).one(&transaction).await?.ok_or(Unreadable("user"))?;
    transaction.commit().await?;
    Ok(Moment::from_milliseconds(Ord::max(row.created_at_ms, now.milliseconds())))
}

/// Changes a user's role, unless that would leave no admin.
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

/// Deletes a user with their sign-ins, API tokens, assignments and view. Their reviews, edits and decisions stay, with
/// their name.
pub async fn delete(database: &Database, email: &str) -> Result<UserChangeOutcome, DbErr> {
    let transaction = database.begin().await?;
    let Some(user) = lock(&transaction, email).await? else { return Ok(UserChangeOutcome::Unknown) };
    if is_last_admin(&transaction, &user).await? {
        return Ok(UserChangeOutcome::LastAdmin);
    }
    api_token::Entity::delete_many().filter(api_token::Column::Email.eq(email)).exec(&transaction).await?;
    sign_ins::delete_of(&transaction, email).await?;
    assignments::delete_all(&transaction, email).await?;
    views::delete(&transaction, email).await?;
    user::Entity::delete_by_id(email).exec(&transaction).await?;
    transaction.commit().await?;
    Ok(UserChangeOutcome::Done(user))
}

/// Loads a user, and makes every other change of roles wait until the transaction ends. Otherwise two admins could
/// demote each other at once, and none would be left.
async fn lock(transaction: &DatabaseTransaction, email: &str) -> Result<Option<User>, DbErr> {
    first_admin::Entity::find_by_id(ROLES_LOCK).lock_exclusive().one(transaction).await?;
    let row = user::Entity::find_by_id(email).lock_exclusive().one(transaction).await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

async fn is_last_admin(transaction: &DatabaseTransaction, user: &User) -> Result<bool, DbErr> {
    let admins = user::Entity::find().filter(user::Column::Role.eq(Role::Admin.name()));
    Ok(user.role == Role::Admin && admins.count(transaction).await? <= 1)
}

/// Notes that there is an admin. Returns whether this is the first one.
async fn note_admin(transaction: &impl ConnectionTrait, now: Moment) -> Result<bool, DbErr> {
    let row = first_admin::ActiveModel { id: Set(FIRST_ADMIN), since_ms: Set(now.milliseconds()) };
    let conflict = OnConflict::column(first_admin::Column::Id).do_nothing().to_owned();
    Ok(first_admin::Entity::insert(row).on_conflict(conflict).exec_without_returning(transaction).await? > 0)
}

/// Claims the place of the first admin for a user of an external service, whom the service is about to make admin.
/// Returns false when there has been an admin, or when another server is faster. One atomic statement decides this.
pub async fn claim_first_admin(database: &Database, now: Moment) -> Result<bool, DbErr> {
    note_admin(&database.write, now).await
}

/// Withdraws the claim of that time, because the external service did not make the user admin.
pub async fn give_back_first_admin(database: &Database, claimed_at: Moment) -> Result<(), DbErr> {
    let claim = first_admin::Entity::delete_by_id(FIRST_ADMIN);
    let of_that_time = first_admin::Column::SinceMs.eq(claimed_at.milliseconds());
    claim.filter(of_that_time).exec(&database.write).await.map(|_| ())
}

async fn write_role(transaction: &impl ConnectionTrait, email: &str, role: Role) -> Result<(), DbErr> {
    let changed = user::ActiveModel { role: Set(role.name().to_owned()), ..Default::default() };
    user::Entity::update_many().set(changed).filter(user::Column::Email.eq(email)).exec(transaction).await.map(|_| ())
}

/// Finds a user who was created at `since` or before. Someone who was deleted and has come back is another user, for
/// whom an older sign-in does not count.
pub async fn find(database: &Database, email: &str, since: Moment) -> Result<Option<User>, DbErr> {
    let known = user::Entity::find_by_id(email).filter(user::Column::CreatedAtMs.lte(since.milliseconds()));
    known.one(&database.read).await?.map(from_row).transpose().map_err(DbErr::from)
}

/// A user as an external data provider has described them.
pub struct Copy {
    pub user: User,
    /// When the provider was asked.
    pub copied_at: Moment,
}

/// Finds the copy of a user. A user who did not come from the external provider has none.
pub async fn find_copy(database: &Database, email: &str) -> Result<Option<Copy>, DbErr> {
    let Some(row) = user::Entity::find_by_id(email).one(&database.read).await? else { return Ok(None) };
    let Some(copied_at) = row.copied_at_ms.map(Moment::from_milliseconds) else { return Ok(None) };
    Ok(Some(Copy { user: from_row(row)?, copied_at }))
}

/// Loads the copies of all users, ordered by address.
pub async fn load_copies(database: &Database) -> Result<Vec<User>, DbErr> {
    let rows = user::Entity::find()
        .filter(user::Column::CopiedAtMs.is_not_null())
        .order_by_asc(user::Column::Email)
        .all(&database.read)
        .await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Stores the copy of a user who was asked for at `asked_at`, unless a newer one is stored.
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
    let transaction = database.begin_alone().await?;
    user::Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
    if user.role == Role::Admin {
        // Should this server keep its own data again one day, nobody becomes admin just by signing in first.
        note_admin(&transaction, asked_at).await?;
    }
    transaction.commit().await
}

/// Removes the copy of a user whom the external service no longer has, their assignments and their view. Their tokens
/// may stay: they are older than any later user of the same address, and therefore worthless.
pub async fn remove_copy(database: &Database, email: &str) -> Result<(), DbErr> {
    let transaction = database.begin_alone().await?;
    assignments::delete_all(&transaction, email).await?;
    views::delete(&transaction, email).await?;
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
