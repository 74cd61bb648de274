//! `examhall token create`: creates an API token for a user and prints it alone on standard output, so that scripts can
//! read it.

use std::process::ExitCode;

use domain::access::{Role, staff_email};
use domain::text;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::CliFailure;
use super::output::{self, print};
use crate::auth::token;
use crate::clock::Clock;
use crate::config::Config;
use crate::database::Database;
use crate::provider;
use crate::store::tokens::{self, ApiToken};
use crate::store::users;

pub(super) async fn create(
    config: &Config,
    email: &str,
    role: Option<Role>,
    name: &str,
) -> Result<ExitCode, CliFailure> {
    if output::is_closed() {
        return Err("standard output is closed: nobody could read the token".into());
    }
    let email = staff_email(email).ok_or("EMAIL must be an e-mail address, without letters that look like others")?;
    let database = Database::open(&config.store.database_url, 1, 1).await?;
    database.migrate().await?;
    let shown_name = email.split('@').next().unwrap_or_default();
    let own_role = provider::open(config, &database, &Clock::system())?
        .provider
        .ensure_user(&email, shown_name, role.unwrap_or(Role::Student))
        .await?;
    let role = role.unwrap_or(own_role);
    if role > own_role {
        return Err(format!("{email} is a {}: the token cannot be that of a {}", own_role.name(), role.name()).into());
    }
    let name = text::name(name).ok_or("--name must be a name of 200 characters at most")?;
    let secret = token::new_api_token()?;
    // The user may have been created just now, by a server whose clock is ahead of this one. A token that is older than
    // its user would not count, since it could belong to an earlier user with the same address.
    let made_at = users::find(&database, &email, Moment::from_milliseconds(i64::MAX))
        .await?
        .map_or(Moment::default(), |user| user.created_at);
    let now = Clock::system().now().max(made_at);
    let new = ApiToken { id: Uuid::new_v4(), email, name, role, created_at: now, last_used_at: None };
    tokens::insert(&database, &new, &token::hash(&secret)).await?;
    // A token that nobody has read must not stay valid.
    let printed = print(&secret);
    if let Err(error) = &printed {
        tokens::delete(&database, new.id)
            .await
            .map_err(|failure| format!("{error}, and the token {} could not be revoked: {failure}", new.id))?;
    }
    database.close().await;
    printed.map(|()| ExitCode::SUCCESS).map_err(|error| format!("{error}; the token has been revoked").into())
}
