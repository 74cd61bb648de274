//! `examhall user set-role`: gives a user another role.

use std::process::ExitCode;

use domain::access::{Role, normal_email, staff_email};
use domain::resources::UserChangeOutcome;

use super::CliFailure;
use super::output::print;
use crate::clock::Clock;
use crate::config::Config;
use crate::database::Database;
use crate::provider;

pub(super) async fn set_role(config: &Config, email: &str, role: Role) -> Result<ExitCode, CliFailure> {
    let email = normal_email(email).ok_or("EMAIL must be an e-mail address")?;
    if role != Role::Student && staff_email(&email).is_none() {
        return Err(format!("{email} has letters that look like others: it could be taken for another address").into());
    }
    let database = Database::open(&config.store.database_url, 1, 1).await?;
    database.migrate().await?;
    let outcome = provider::open(config, &database, &Clock::system())?.provider.set_role(&email, role).await?;
    database.close().await;
    match outcome {
        UserChangeOutcome::Done(_) => print(&format!("{email} is now {}", role.name()))?,
        UserChangeOutcome::Unknown => {
            return Err(format!("there is no user {email}: they must sign in once, or be given a token").into());
        }
        UserChangeOutcome::LastAdmin => return Err("at least one admin is required".into()),
    }
    Ok(ExitCode::SUCCESS)
}
