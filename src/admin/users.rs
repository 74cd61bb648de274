//! Users: the list, their roles, and removing them.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, get, patch};
use utoipa::ToSchema;

use super::user_view::UserView;
use crate::auth::caller::{Admin, Callers};
use crate::clock::Clock;
use crate::database::Database;
use crate::domain::access::{Role, User, normal_email};
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::done::{Done, done};
use crate::http::fields::Fields;
use crate::provider::local::users::{self, Outcome};

/// For an unknown user.
const USER_NOT_FOUND: &str = "User not found";
/// For a change that would leave nobody to administrate.
const LAST_ADMIN: &str = "At least one admin is required";

/// All users, by address.
#[utoipa::path(
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "All users", body = Vec<UserView>),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not an admin", body = ErrorBody),
    )
)]
#[get("/api/admin/users")]
pub async fn list(_admin: Admin, database: Data<Database>) -> Result<HttpResponse, Error> {
    let users: Vec<UserView> = users::load_all(&database).await?.into_iter().map(UserView::from).collect();
    Ok(HttpResponse::Ok().json(users))
}

/// What is changed of a user.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct ChangeUser {
    role: Role,
}

/// Gives a user another role, which holds at once.
#[utoipa::path(
    tag = "administration",
    security(("api_token" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    request_body = ChangeUser,
    responses(
        (status = 200, description = "The user", body = UserView),
        (status = 400, description = "`Invalid role`", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not an admin", body = ErrorBody),
        (status = 404, description = "Unknown user", body = ErrorBody),
        (status = 409, description = "The last admin", body = ErrorBody),
    )
)]
#[patch("/api/admin/users/{email}")]
pub async fn change(
    asked: After<Admin, After<Path<String>, Fields>>,
    database: Data<Database>,
    callers: Data<Callers>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_admin, After(email, fields)) = asked;
    let role = fields.parsed("role", Role::parse)?;
    let email = normal_email(&email).ok_or(Error::NotFound(USER_NOT_FOUND))?;
    let outcome = users::set_role(&database, &email, role, clock.now()).await?;
    callers.forget();
    Ok(HttpResponse::Ok().json(UserView::from(changed(outcome)?)))
}

/// Removes a user with their API tokens.
#[utoipa::path(
    tag = "administration",
    security(("api_token" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    responses(
        (status = 200, description = "Removed", body = Done),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "Not an admin", body = ErrorBody),
        (status = 404, description = "Unknown user", body = ErrorBody),
        (status = 409, description = "The last admin", body = ErrorBody),
    )
)]
#[delete("/api/admin/users/{email}")]
pub async fn remove(asked: After<Admin, Path<String>>, database: Data<Database>, callers: Data<Callers>) -> Result<HttpResponse, Error> {
    let After(_admin, email) = asked;
    let email = normal_email(&email).ok_or(Error::NotFound(USER_NOT_FOUND))?;
    let outcome = users::delete(&database, &email).await?;
    callers.forget();
    changed(outcome).map(|_| done())
}

fn changed(outcome: Outcome) -> Result<User, Error> {
    match outcome {
        Outcome::Done(user) => Ok(user),
        Outcome::Unknown => Err(Error::NotFound(USER_NOT_FOUND)),
        Outcome::LastAdmin => Err(Error::Conflict(LAST_ADMIN)),
    }
}
