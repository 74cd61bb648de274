//! `examhall token create`: an API token for a user, printed alone on standard output.

use std::process::ExitCode;

use super::{Failure, print};
use crate::auth::token;
use crate::clock::Clock;
use crate::config::Config;
use crate::database::Database;
use crate::domain::access::{Role, normal_email};
use crate::provider::local::users;

pub(super) async fn create(config: &Config, email: &str, role: Option<Role>, name: &str) -> Result<ExitCode, Failure> {
    let email = normal_email(email).ok_or("EMAIL must be an e-mail address")?;
    let database = Database::open(&config.store.database_url, 1, 1).await?;
    database.migrate().await?;
    let now = Clock::system().now();
    let shown_name = email.split('@').next().unwrap_or_default();
    let own_role = users::ensure(&database, &email, shown_name, role.unwrap_or(Role::Student), now).await?;
    let role = role.unwrap_or(own_role);
    if role > own_role {
        return Err(format!("{email} is a {}: the token cannot be that of a {}", own_role.name(), role.name()).into());
    }
    let token = token::new_api_token()?;
    users::insert_token(&database, &token::hash(&token), &email, name, role, now).await?;
    database.close().await;
    print(&token);
    Ok(ExitCode::SUCCESS)
}
