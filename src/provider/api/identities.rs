//! Identifies callers when users are in an external service. The service is asked, but no caller waits long for it, and
//! while it is down its last answer counts.

use std::time::Duration;

use domain::access::{Duty, Grades, Identity, Role, User};
use domain::resources::Assignment;
use domain::time::moment::Moment;
use futures_util::future::join;
use reqwest::StatusCode;
use tokio::time::timeout;

use super::call::{Call, Lane};
use super::failure::ProviderFailure;
use super::users::{cannot_tell, says_nobody};
use super::{ExternalProvider, assignments, envelopes};
use crate::error::Error;
use crate::store;
use crate::store::users::{self, Copy};

/// How long a caller who has a copy waits to be identified. The copy counts after this time.
const IDENTIFIED_WITHIN: Duration = Duration::from_millis(1_200);
/// How long the copy of a student is used without asking the service. Students are many, and they have no rights that
/// could be taken away.
const STUDENT_CACHED_MILLISECONDS: i64 = 60_000;

impl ExternalProvider {
    pub(super) async fn identity(&self, email: &str, since: Moment, role_max: Role) -> Result<Option<Identity>, Error> {
        let copy = users::find_copy(&self.database, email).await?;
        let copy = if !self.must_ask(copy.as_ref()) {
            copy
        } else if self.database.is_read_only() {
            self.heard(email, copy).await?
        } else {
            self.asked(email, copy).await?
        };
        let Some(Copy { user, .. }) = copy.filter(|copy| copy.user.created_at <= since) else { return Ok(None) };
        let role = user.role.min(role_max);
        let (reviewer_of, manager_of) = match role {
            Role::Reviewer | Role::Manager => store::assignments::load_grades(&self.database, email).await?,
            Role::Student | Role::Admin => Default::default(),
        };
        let (email, name, image) = (user.email, user.name, user.image);
        Ok(Some(Identity { email, name, image, role, reviewer_of, manager_of, deployment: None }))
    }

    fn must_ask(&self, copy: Option<&Copy>) -> bool {
        let Some(Copy { user, copied_at }) = copy else { return true };
        let is_believed = user.role == Role::Student
            && (0..STUDENT_CACHED_MILLISECONDS).contains(&self.clock.now().since(*copied_at));
        !is_believed
    }

    /// Returns the copy after asking the service. An answer that comes too late for this caller serves the next one. A
    /// student's request does not wait for the answer, and nobody's does while the service is down.
    async fn asked(&self, email: &str, copy: Option<Copy>) -> Result<Option<Copy>, Error> {
        let (api, asked_for) = (self.clone(), email.to_owned());
        let asking = tokio::spawn(async move { api.ask(&asked_for).await });
        if copy.as_ref().is_some_and(|copy| copy.user.role == Role::Student || self.client.is_tripped(Lane::People)) {
            return Ok(copy);
        }
        let failure = match timeout(IDENTIFIED_WITHIN, asking).await {
            Ok(Ok(Ok(()))) => None,
            Ok(Ok(Err(error))) => Some(error),
            Ok(Err(panicked)) => return Err(Error::internal(panicked)),
            Err(_) => Some(ProviderFailure::Slow.into()),
        };
        let copy = users::find_copy(&self.database, email).await?;
        let Some(error) = failure else { return Ok(copy) };
        self.client.trip(Lane::People);
        if copy.is_none() { Err(error) } else { Ok(copy) }
    }

    /// The same on a server that only reads: what the service says counts for this caller, and no copy is changed.
    async fn heard(&self, email: &str, copy: Option<Copy>) -> Result<Option<Copy>, Error> {
        if copy.as_ref().is_some_and(|copy| copy.user.role == Role::Student || self.client.is_tripped(Lane::People)) {
            return Ok(copy);
        }
        let answer = timeout(IDENTIFIED_WITHIN, self.ask_of(email)).await.unwrap_or(Err(ProviderFailure::Slow));
        match answer {
            Ok(user) => Ok(Some(Copy { user, copied_at: self.clock.now() })),
            Err(failure) if says_nobody(&failure) => Ok(None),
            Err(failure) if cannot_tell(&failure) => Ok(copy),
            Err(failure) => {
                self.client.trip(Lane::People);
                if copy.is_none() { Err(failure.into()) } else { Ok(copy) }
            }
        }
    }

    /// Asks the service for a user and their assignments, and updates the copies.
    async fn ask(&self, email: &str) -> Result<(), Error> {
        let asked_at = self.clock.now();
        let role = match self.ask_of(email).await {
            Ok(user) => self.keep_user(user, asked_at).await?,
            Err(failure) if says_nobody(&failure) => return Ok(users::remove_copy(&self.database, email).await?),
            Err(failure) if cannot_tell(&failure) => match users::find_copy(&self.database, email).await? {
                Some(copy) => copy.user.role,
                None => return Ok(()),
            },
            Err(failure) => return Err(failure.into()),
        };
        if !matches!(role, Role::Reviewer | Role::Manager) {
            return Ok(());
        }
        let signs_off =
            async { if role == Role::Manager { self.keep_assignment(Duty::Manager, email).await } else { Ok(()) } };
        let (reviews, signs_off) = join(self.keep_assignment(Duty::Reviewer, email), signs_off).await;
        reviews.and(signs_off)
    }

    /// Updates the copy of a user. An unchanged one is not written again, except for a student, whose copy counts for a
    /// limited time.
    async fn keep_user(&self, user: User, asked_at: Moment) -> Result<Role, Error> {
        let copy = users::find_copy(&self.database, &user.email).await?;
        if user.role != Role::Student && copy.is_some_and(|copy| copy.user == user) {
            return Ok(user.role);
        }
        Ok(self.told_of(user, asked_at).await?.role)
    }

    async fn keep_assignment(&self, duty: Duty, email: &str) -> Result<(), Error> {
        let told = match duty {
            Duty::Reviewer => self.reviewer_assignment(email).await?,
            Duty::Manager => {
                self.all_assignments(duty, true).await?.into_iter().find(|assignment| assignment.email == email)
            }
        };
        let (reviewer_of, manager_of) = store::assignments::load_grades(&self.database, email).await?;
        let kept = match duty {
            Duty::Reviewer => reviewer_of,
            Duty::Manager => manager_of,
        };
        let grades = told.as_ref().map_or(Grades::NONE, |assignment| assignment.grades);
        match told {
            _ if grades == kept => Ok(()),
            Some(assignment) => Ok(store::assignments::put(&self.database, duty, &assignment).await?),
            None => Ok(store::assignments::delete(&self.database, duty, email).await?),
        }
    }

    async fn reviewer_assignment(&self, email: &str) -> Result<Option<Assignment>, Error> {
        match self.client.send(Call::get("assignments/{email}", &[email]).quietly()).await {
            Ok(answer) => {
                let understand = |value| {
                    assignments::assignment(envelopes::one(value, "assignment")?).ok_or(ProviderFailure::Unreadable)
                };
                let assignment = answer.shaped(understand)?;
                Ok(Some(Assignment { email: email.to_owned(), ..assignment }))
            }
            // Only a 404 with a message comes from the service. One without may be a proxy's page, which says nothing
            // about assignments.
            Err(ProviderFailure::Status(StatusCode::NOT_FOUND, Some(_), _)) => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }
}
