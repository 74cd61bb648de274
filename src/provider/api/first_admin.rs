//! Makes the first person who signs in admin, while the users are in an external service and `ADMIN_EMAIL` is not set.

use std::cmp::Reverse;

use domain::access::{Role, User};
use futures_util::{StreamExt, stream};

use super::ExternalProvider;
use super::users::cannot_tell;
use crate::error::Error;
use crate::provider::contract::UserChange;
use crate::store::users;

/// People who have signed in here before that the service is asked about, most recent first. A sign-in waits for the
/// answers; for everyone else, the stored copy has to do.
const PEOPLE_ASKED_MAX: usize = 200;
/// Calls about these people that are in progress at once.
const PEOPLE_AT_ONCE: usize = 8;

impl ExternalProvider {
    /// Makes this user admin, if there has never been one. Returns the user as they are afterwards. A sign-in does not
    /// fail because nobody could be made admin: the next one tries again.
    pub(super) async fn as_first_admin(&self, user: User) -> Result<User, Error> {
        let is_settled = self.admin_email.is_some() || user.role == Role::Admin;
        if is_settled || users::has_had_admin(&self.database).await? {
            return Ok(user);
        }
        // In a task of its own: a browser that goes away must not end it between the claim and the change.
        let (api, claimant) = (self.clone(), user.clone());
        let made = tokio::spawn(async move { api.make_first_admin(&claimant).await }).await.map_err(Error::internal)?;
        Ok(made?.unwrap_or(user))
    }

    async fn make_first_admin(&self, user: &User) -> Result<Option<User>, Error> {
        match self.knows_admin_beside(user).await {
            Ok(false) => {}
            Ok(true) => return Ok(None),
            Err(error) => {
                tracing::warn!(%error, "nobody is made admin: the external data provider cannot say whether there is one");
                return Ok(None);
            }
        }
        let now = self.clock.now();
        if !users::claim_first_admin(&self.database, now).await? {
            return Ok(None);
        }
        match self.change(&user.email, UserChange { role: Some(Role::Admin), last_login_at: None }).await {
            Ok(user) if user.role == Role::Admin => {
                tracing::info!("the first to sign in has become admin");
                return Ok(Some(user));
            }
            Ok(_) => tracing::warn!("nobody is made admin: the external data provider keeps the role as it was"),
            Err(error) => tracing::warn!(%error, "nobody is made admin: the external data provider refuses the role"),
        }
        users::give_back_first_admin(&self.database, now).await?;
        Ok(None)
    }

    /// Whether the service has an admin among those who have signed in here. They may have been made admin since, so
    /// the service is asked again.
    async fn knows_admin_beside(&self, user: &User) -> Result<bool, Error> {
        let mut others = users::load_copies(&self.database).await?;
        others.retain(|other| other.email != user.email);
        if others.iter().any(|other| other.role == Role::Admin) {
            return Ok(true);
        }
        others.sort_by_key(|other| Reverse(other.last_login));
        others.truncate(PEOPLE_ASKED_MAX);
        let mut asked = stream::iter(others.into_iter().map(|other| async move { self.is_admin(&other.email).await }))
            .buffer_unordered(PEOPLE_AT_ONCE);
        while let Some(is_admin) = asked.next().await {
            if is_admin? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn is_admin(&self, email: &str) -> Result<bool, Error> {
        let asked_at = self.clock.now();
        match self.ask_of(email).await {
            Ok(user) => Ok(self.told_of(user, asked_at).await?.role == Role::Admin),
            // Nobody of that address, or a service without this call: it told at their sign-in, and the copy says it.
            Err(failure) if cannot_tell(&failure) => Ok(false),
            Err(failure) => Err(failure.into()),
        }
    }
}
