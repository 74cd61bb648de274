//! API tokens for REST clients: shown once, listed, revoked.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, get, post};
use domain::access::Role;
use domain::text;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::{Admin, Callers};
use crate::auth::refusals::AdminRefusals;
use crate::auth::token;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::audit::note_subject;
use crate::http::compression::with_secret;
use crate::http::fallback::NOT_FOUND;
use crate::http::fields::{JsonFields, body};
use crate::store::tokens::{self, ApiToken};

/// A token without its secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TokenView {
    id: Uuid,
    /// The purpose of the token.
    name: String,
    /// The user for whom it acts.
    email: String,
    role: Role,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    /// At most a minute behind. Null when the token was never used.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    last_used_at: Option<Moment>,
}

/// All tokens.
#[derive(Serialize, ToSchema)]
struct TokensView {
    tokens: Vec<TokenView>,
}

/// Lists all API tokens, newest first.
#[utoipa::path(
    operation_id = "listTokens",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "All tokens, without their secrets", body = TokensView),
        AdminRefusals,
    )
)]
#[get("/api/admin/tokens")]
pub async fn list(_admin: Admin, database: Data<Database>) -> Result<HttpResponse, Error> {
    let tokens = tokens::load_all(&database).await?.into_iter().map(view).collect();
    Ok(HttpResponse::Ok().json(TokensView { tokens }))
}

body! {
    /// The token to create.
    struct NewToken {
        /// The purpose of the token.
        name: String = |field| field.parsed(text::name),
        role: Role = |field| field.parsed(Role::parse),
    }
}

/// The new token.
#[derive(Serialize, ToSchema)]
struct Made {
    id: Uuid,
    /// Shown only once.
    token: String,
}

/// Creates a token that acts for the calling admin, with the given role at most.
#[utoipa::path(
    operation_id = "createToken",
    tag = "administration",
    security(("api_token" = [])),
    request_body = NewToken,
    responses(
        (status = 200, description = "The token, shown this once", body = Made),
        (status = 400, description = "`Invalid name` or `Invalid role`", body = ErrorBody),
        AdminRefusals,
    )
)]
#[post("/api/admin/tokens")]
pub async fn make(
    asked: After<Admin, JsonFields>,
    database: Data<Database>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), fields) = asked;
    let NewToken { name, role } = NewToken::read(&fields)?;
    let secret = token::new_api_token().map_err(Error::internal)?;
    let new =
        ApiToken { id: Uuid::new_v4(), email: admin.email, name, role, created_at: clock.now(), last_used_at: None };
    note_subject(&new.id.to_string(), &format!("{}, {}", new.name, new.role.name()));
    tokens::insert(&database, &new, &token::hash(&secret)).await?;
    Ok(with_secret(HttpResponse::Ok().json(Made { id: new.id, token: secret })))
}

/// Revokes a token. It stops working at once.
#[utoipa::path(
    operation_id = "revokeToken",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Token id")),
    responses(
        (status = 200, description = "Revoked", body = Done),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
    )
)]
#[delete("/api/admin/tokens/{id}")]
pub async fn revoke(
    asked: After<Admin, Path<String>>,
    database: Data<Database>,
    callers: Data<Callers>,
) -> Result<HttpResponse, Error> {
    let After(_admin, id) = asked;
    let id = id.parse::<Uuid>().map_err(|_| Error::NotFound(NOT_FOUND))?;
    let was_there = tokens::delete(&database, id).await?;
    callers.forget();
    if was_there { Ok(done()) } else { Err(Error::NotFound(NOT_FOUND)) }
}

fn view(token: ApiToken) -> TokenView {
    let ApiToken { id, email, name, role, created_at, last_used_at } = token;
    TokenView { id, name, email, role, created_at, last_used_at }
}
