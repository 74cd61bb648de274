//! Users in an external service. This server keeps a copy of each user it has asked for, so that an outage signs nobody
//! out.

use async_trait::async_trait;
use domain::access::{Identity, Profile, Role, User, is_picture};
use domain::resources::UserChangeOutcome;
use domain::time::moment::Moment;
use reqwest::Method;

use super::call::Call;
use super::client::ProviderAnswer;
use super::failure::ProviderFailure;
use super::{ExternalProvider, envelopes};
use crate::error::Error;
use crate::provider::contract::{NewUser, UserChange};
use crate::provider::{self, NO_SUCH_CALL};
use crate::store::users;

/// The address of a single user.
const USER: &str = "users/{email}";

#[async_trait]
impl provider::Users for ExternalProvider {
    async fn users(&self) -> Result<Vec<User>, Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }

    async fn known_users(&self) -> Result<Vec<User>, Error> {
        Ok(users::load_copies(&self.database).await?)
    }

    async fn set_role(&self, email: &str, role: Role) -> Result<UserChangeOutcome, Error> {
        match self.change(email, UserChange { role: Some(role), last_login_at: None }).await {
            Ok(user) => Ok(UserChangeOutcome::Done(self.told_of(user, self.clock.now()).await?)),
            Err(failure) if failure.is_unknown() => Ok(UserChangeOutcome::Unknown),
            Err(failure) if failure.is_conflict() => Ok(UserChangeOutcome::LastAdmin),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn delete_user(&self, _: &str) -> Result<UserChangeOutcome, Error> {
        Err(Error::NotHere(NO_SUCH_CALL))
    }

    async fn create_user(&self, email: &str, name: &str, role: Role) -> Result<Option<User>, Error> {
        let new = NewUser { email: email.to_owned(), name: name.to_owned(), image: String::new(), role };
        match self.create(&new).await {
            Ok(user) => Ok(Some(self.told_of(user, self.clock.now()).await?)),
            Err(failure) if failure.is_conflict() => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn ensure_user(&self, email: &str, name: &str, role: Role) -> Result<Role, Error> {
        let new = NewUser { email: email.to_owned(), name: name.to_owned(), image: String::new(), role };
        let found = match self.ask_of(email).await {
            Ok(user) => Ok(user),
            Err(failure) if says_nobody(&failure) => Err(failure),
            // A service without this call is asked for a change instead, which shows whether the user exists. Creating
            // the user again could take their role away.
            Err(failure) if cannot_tell(&failure) => {
                self.change(email, UserChange { role: None, last_login_at: Some(self.clock.now()) }).await
            }
            Err(failure) => return Err(failure.into()),
        };
        let user = match found {
            Err(failure) if failure.is_unknown() => self.create(&new).await?,
            found => found?,
        };
        Ok(self.told_of(user, self.clock.now()).await?.role)
    }

    async fn sign_in(&self, profile: &Profile) -> Result<Moment, Error> {
        let now = self.clock.now();
        let signed_in = || self.change(&profile.email, UserChange { role: None, last_login_at: Some(now) });
        let mut user = match signed_in().await {
            // On the morning of an exam, people who have signed in here before can sign in although the service is
            // down.
            Err(failure) if !failure.is_an_answer() => {
                return match users::find_copy(&self.database, &profile.email).await? {
                    Some(copy) => Ok(copy.user.created_at.max(now)),
                    None => Err(failure.into()),
                };
            }
            Err(failure) if failure.is_unknown() => {
                let Profile { email, name, image } = profile.clone();
                match self.create(&NewUser { email, name, image, role: Role::Student }).await {
                    // The same person has signed in twice at once, and the other sign-in has created the user.
                    Err(failure) if failure.is_conflict() => signed_in().await?,
                    made => made?,
                }
            }
            known => known?,
        };
        if self.admin_email.as_deref() == Some(profile.email.as_str()) && user.role != Role::Admin {
            user = self.change(&profile.email, UserChange { role: Some(Role::Admin), last_login_at: None }).await?;
        }
        let user = self.as_first_admin(user).await?;
        Ok(self.told_of(user, now).await?.created_at.max(now))
    }

    async fn identify(&self, email: &str, since: Moment, role_max: Role) -> Result<Option<Identity>, Error> {
        self.identity(email, since, role_max).await
    }
}

impl ExternalProvider {
    /// Asks the service for the user of that address.
    pub(super) async fn ask_of(&self, email: &str) -> Result<User, ProviderFailure> {
        read_user(email, &self.client.send(Call::get(USER, &[email]).quietly()).await?)
    }

    /// Updates the copy of a user who was asked for at `asked_at`, unless the copy is newer.
    pub(super) async fn told_of(&self, user: User, asked_at: Moment) -> Result<User, Error> {
        // A server that only reads keeps no copies.
        if !self.database.is_read_only() {
            users::copy(&self.database, &user, asked_at).await?;
        }
        Ok(user)
    }

    pub(super) async fn change(&self, email: &str, change: UserChange) -> Result<User, ProviderFailure> {
        let call =
            Call::new(Method::PATCH, USER, &[email]).carrying(&change).map_err(|_| ProviderFailure::Unreadable)?;
        read_user(email, &self.client.send(call).await?)
    }

    /// Creates a user. The call is not repeated: if the user were deleted between two attempts, the second would bring
    /// them back.
    async fn create(&self, new: &NewUser) -> Result<User, ProviderFailure> {
        let call = Call::new(Method::POST, "users", &[]).carrying(new).map_err(|_| ProviderFailure::Unreadable)?;
        read_user(&new.email, &self.client.send(call).await?)
    }
}

/// Returns whether the answer to `GET /users/{email}` says that there is no such user.
pub(super) fn says_nobody(failure: &ProviderFailure) -> bool {
    matches!(failure, ProviderFailure::Status(_, Some(message), _) if failure.is_unknown() && message == "User not found")
}

/// Returns whether the service has no `GET /users/{email}`, which is optional in the contract.
pub(super) fn cannot_tell(failure: &ProviderFailure) -> bool {
    failure.is_unknown() || failure.has_no_such_call()
}

/// Reads a user, and keeps the address that was asked for. The service may write it differently.
fn read_user(email: &str, answer: &ProviderAnswer) -> Result<User, ProviderFailure> {
    let user: User = answer.shaped(|value| envelopes::one(value, "user"))?;
    // A service may store anything as a picture, and pages show it.
    let image = if is_picture(&user.image) { user.image } else { String::new() };
    Ok(User { email: email.to_owned(), image, ..user })
}
