//! Users: their list, their roles, and their removal.

pub mod sign_ins;
pub mod tokens;
pub mod view;

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, get, patch, put};
use domain::access::{Role, User, new_email, normal_email, staff_email};
use domain::resources::UserChangeOutcome;
use domain::text;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::auth::caller::{Admin, Callers};
use crate::auth::refusals::AdminRefusals;
use crate::calendar::store::authors;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::note_detail;
use crate::http::fields::{Field, JsonFields, body};
use crate::provider::Provider;

pub const USER_NOT_FOUND: &str = "User not found";
const USER_EXISTS: &str = "User exists";
const LAST_ADMIN: &str = "At least one admin is required";

/// Users, API tokens, and what people have set the pages to.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(list)
        .service(invite)
        .service(change)
        .service(remove)
        .service(sign_out)
        .service(sign_ins::list)
        .service(sign_ins::end_one)
        .service(tokens::list)
        .service(tokens::make)
        .service(tokens::revoke)
        .service(view::read)
        .service(view::save);
}

/// Lists all users, ordered by address.
#[utoipa::path(
    operation_id = "listUsers",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "All users", body = Vec<User>),
        AdminRefusals,
    )
)]
#[get("/api/admin/users")]
pub async fn list(_admin: Admin, provider: Data<dyn Provider>) -> Result<HttpResponse, Error> {
    Ok(HttpResponse::Ok().json(provider.users().await?))
}

body! {
    /// Someone who has not signed in yet.
    struct InvitedUser {
        role: Role = |field| field.parsed(Role::parse),
        /// Shown until an identity provider tells another one. May be left out.
        #[schema(value_type = Option<String>)]
        name: String = shown_name,
    }
}

/// Gives a role to someone who has never signed in. They have it from their first sign-in on.
#[utoipa::path(
    operation_id = "inviteUser",
    tag = "administration",
    security(("api_token" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    request_body = InvitedUser,
    responses(
        (status = 200, description = "The user, whose `lastLogin` is null", body = User),
        (status = 400, description = "`Invalid role`, `Invalid name` or `Invalid email`", body = ErrorBody),
        AdminRefusals,
        (status = 409, description = "`User exists`: their role can be changed", body = ErrorBody),
    )
)]
#[put("/api/admin/users/{email}")]
pub async fn invite(
    asked: After<Admin, After<Path<String>, JsonFields>>,
    provider: Data<dyn Provider>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let After(_admin, After(email, fields)) = asked;
    let InvitedUser { role, name } = InvitedUser::read(&fields)?;
    let email = new_email(&email).ok_or_else(|| Error::invalid("email"))?;
    may_have(role, &email)?;
    note_detail(role.name());
    let user = provider.create_user(&email, &name, role).await?.ok_or(Error::Conflict(USER_EXISTS))?;
    // They may have tried to sign in already, and be remembered as nobody.
    callers.forget();
    Ok(HttpResponse::Ok().json(user))
}

body! {
    /// The change of a user.
    struct ChangeUser {
        role: Role = |field| field.parsed(Role::parse),
    }
}

/// Changes a user's role. The change holds at once.
#[utoipa::path(
    operation_id = "changeUser",
    tag = "administration",
    security(("api_token" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    request_body = ChangeUser,
    responses(
        (status = 200, description = "The user", body = User),
        (status = 400, description = "`Invalid role`, or `Invalid email` for an address that looks like another", body = ErrorBody),
        AdminRefusals,
        (status = 404, description = "Unknown user", body = ErrorBody),
        (status = 409, description = "The last admin", body = ErrorBody),
    )
)]
#[patch("/api/admin/users/{email}")]
pub async fn change(
    asked: After<Admin, After<Path<String>, JsonFields>>,
    provider: Data<dyn Provider>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let After(_admin, After(email, fields)) = asked;
    let ChangeUser { role } = ChangeUser::read(&fields)?;
    let email = normal_email(&email).ok_or(Error::NotFound(USER_NOT_FOUND))?;
    may_have(role, &email)?;
    note_detail(role.name());
    let outcome = provider.set_role(&email, role).await?;
    callers.forget();
    Ok(HttpResponse::Ok().json(changed(outcome)?))
}

/// Removes a user, their API tokens, and what they have set the pages to.
#[utoipa::path(
    operation_id = "removeUser",
    tag = "administration",
    security(("api_token" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    responses(
        (status = 200, description = "Removed", body = Done),
        AdminRefusals,
        (status = 404, description = "Unknown user", body = ErrorBody),
        (status = 409, description = "The last admin", body = ErrorBody),
    )
)]
#[delete("/api/admin/users/{email}")]
pub async fn remove(
    asked: After<Admin, Path<String>>,
    provider: Data<dyn Provider>,
    callers: Data<Callers>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let After(_admin, email) = asked;
    let email = normal_email(&email).ok_or(Error::NotFound(USER_NOT_FOUND))?;
    let outcome = provider.delete_user(&email).await?;
    callers.forget();
    // This is also done for an unknown user: an earlier request may have failed between the two steps.
    if !matches!(outcome, UserChangeOutcome::LastAdmin) {
        authors::forget(&database, &email).await?;
    }
    changed(outcome).map(|_| done())
}

/// Signs a user out on all their devices. Their API tokens stay.
#[utoipa::path(
    operation_id = "signUserOut",
    tag = "administration",
    security(("api_token" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    responses(
        (status = 200, description = "Signed out, or was not signed in", body = Done),
        AdminRefusals,
    )
)]
#[delete("/api/admin/users/{email}/sign-ins")]
pub async fn sign_out(asked: After<Admin, Path<String>>, callers: Data<Callers>) -> Result<HttpResponse, Error> {
    let After(_admin, email) = asked;
    // A text that is not an address has no sign-ins to end.
    if let Some(email) = normal_email(&email) {
        callers.end_sign_ins_of(&email).await?;
    }
    Ok(done())
}

/// Reads a displayed name, which may be absent or empty.
pub fn shown_name(field: Field<'_>) -> Result<String, Error> {
    let name = |given: &str| if given.trim().is_empty() { Some(String::new()) } else { text::name(given) };
    Ok(field.optional_text(name)?.unwrap_or_default())
}

/// Refuses (400) to give a role to a user whose address looks like another one. The role of students can be given to
/// anyone: it takes others away.
pub fn may_have(role: Role, email: &str) -> Result<(), Error> {
    let is_safe = role == Role::Student || staff_email(email).is_some();
    if is_safe { Ok(()) } else { Err(Error::invalid("email")) }
}

/// Returns the user who was changed.
///
/// # Errors
/// 404 for an unknown user, and 409 for the last admin.
pub fn changed(outcome: UserChangeOutcome) -> Result<User, Error> {
    match outcome {
        UserChangeOutcome::Done(user) => Ok(user),
        UserChangeOutcome::Unknown => Err(Error::NotFound(USER_NOT_FOUND)),
        UserChangeOutcome::LastAdmin => Err(Error::Conflict(LAST_ADMIN)),
    }
}
