//! Users: created, read and changed.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, patch, post};
use domain::access::{Role, User, is_picture, new_email, normal_email};
use domain::time::moment::Moment;

use super::key::{KeyRefusal, ProviderKey};
use crate::auth::caller::Callers;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::fields::JsonFields;
use crate::provider::Provider;
use crate::provider::contract::{NewUser, UserChange};
use crate::store::users;
use crate::users::{USER_NOT_FOUND, changed, may_have, shown_name};

const USER_EXISTS: &str = "User already exists";

/// Creates a user.
#[utoipa::path(
    operation_id = "createUser",
    tag = "users",
    security(("key" = [])),
    request_body = NewUser,
    responses(
        (status = 201, description = "The user", body = User),
        (status = 400, description = "`Invalid email`, `Invalid name`, `Invalid image` or `Invalid role`", body = ErrorBody),
        KeyRefusal,
        (status = 409, description = "`User already exists`, who stays as they are", body = ErrorBody),
    )
)]
#[post("/users")]
pub async fn create(
    asked: After<ProviderKey, JsonFields>,
    database: Data<Database>,
    callers: Data<Callers>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_key, fields) = asked;
    let email = fields.field("email").parsed(new_email)?;
    let name = shown_name(fields.field("name"))?;
    let picture = |image: &str| (image.is_empty() || is_picture(image)).then(|| image.to_owned());
    let image = fields.field("image").optional_text(picture)?.unwrap_or_default();
    let role = fields.field("role").parsed(Role::parse)?;
    may_have(role, &email)?;
    let user = User { email, name, image, role, created_at: clock.now(), last_login: None };
    if !users::create(&database, &user).await? {
        return Err(Error::Conflict(USER_EXISTS));
    }
    callers.forget();
    Ok(HttpResponse::Created().json(user))
}

/// Returns a user.
#[utoipa::path(
    operation_id = "readUser",
    tag = "users",
    security(("key" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    responses(
        (status = 200, description = "The user", body = User),
        KeyRefusal,
        (status = 404, description = "`User not found`", body = ErrorBody),
    )
)]
#[get("/users/{email}")]
pub async fn read(asked: After<ProviderKey, Path<String>>, database: Data<Database>) -> Result<HttpResponse, Error> {
    let After(_key, email) = asked;
    let email = normal_email(&email).ok_or(Error::NotFound(USER_NOT_FOUND))?;
    // This finds the user whenever they were created. The caller has no sign-in whose time could matter.
    let user = users::find(&database, &email, Moment::from_milliseconds(i64::MAX)).await?;
    Ok(HttpResponse::Ok().json(user.ok_or(Error::NotFound(USER_NOT_FOUND))?))
}

/// Changes a user's role, or notes a sign-in.
#[utoipa::path(
    operation_id = "changeUser",
    tag = "users",
    security(("key" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    request_body = UserChange,
    responses(
        (status = 200, description = "The user as they are now", body = User),
        (status = 400, description = "`Invalid role`, `Invalid lastLoginAt`, or `Invalid body` when it has neither", body = ErrorBody),
        KeyRefusal,
        (status = 404, description = "`User not found`", body = ErrorBody),
        (status = 409, description = "`At least one admin is required`", body = ErrorBody),
    )
)]
#[patch("/users/{email}")]
pub async fn change(
    asked: After<ProviderKey, After<Path<String>, JsonFields>>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let After(_key, After(email, fields)) = asked;
    let role = fields.field("role").optional()?;
    let last_login_at = fields.field("lastLoginAt").optional()?;
    let email = normal_email(&email).ok_or(Error::NotFound(USER_NOT_FOUND))?;
    let mut user = None;
    if let Some(role) = role {
        may_have(role, &email)?;
        user = Some(changed(provider.set_role(&email, role).await?)?);
        callers.forget();
    }
    if let Some(at) = last_login_at {
        user = Some(users::set_last_login(&database, &email, at).await?.ok_or(Error::NotFound(USER_NOT_FOUND))?);
    }
    user.map(|user| HttpResponse::Ok().json(user)).ok_or_else(|| Error::invalid("body"))
}
