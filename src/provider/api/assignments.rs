//! Assignments in an external service. The copy here changes after each change there, because rights are read from it.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::access::{Duty, normal_email};
use domain::resources::Assignment;
use reqwest::Method;
use serde_json::Value;

use super::call::Call;
use super::{ExternalProvider, envelopes};
use crate::error::Error;
use crate::provider;
use crate::store::assignments;

#[async_trait]
impl provider::Assignments for ExternalProvider {
    async fn assignments(&self, duty: Duty) -> Result<Vec<Assignment>, Error> {
        self.all_assignments(duty, false).await
    }

    async fn put_assignment(&self, duty: Duty, assignment: Assignment) -> Result<(), Error> {
        let arguments = [assignment.email.as_str()];
        self.client.order(Call::new(Method::PUT, one(duty), &arguments).carrying(&assignment)?).await?;
        Ok(assignments::put(&self.database, duty, &assignment).await?)
    }

    async fn remove_assignment(&self, duty: Duty, email: &str) -> Result<(), Error> {
        match self.client.order(Call::new(Method::DELETE, one(duty), &[email])).await {
            Err(failure) if !failure.is_unknown() => return Err(failure.into()),
            _ => {}
        }
        Ok(assignments::delete(&self.database, duty, email).await?)
    }
}

impl ExternalProvider {
    /// Fetches all assignments of a duty, ordered by address.
    pub(super) async fn all_assignments(&self, duty: Duty, is_quiet: bool) -> Result<Vec<Assignment>, Error> {
        let call = Call::get(all(duty), &[]);
        let answer = self.client.send(if is_quiet { call.quietly() } else { call }).await?;
        let (found, left_out) = answer.shaped(|value| envelopes::list_with_sense(value, "assignments", assignment))?;
        envelopes::tell_left_out("assignments", left_out);
        let by_email: BTreeMap<String, Assignment> =
            found.into_iter().map(|assignment| (assignment.email.clone(), assignment)).collect();
        Ok(by_email.into_values().collect())
    }
}

/// Reads an assignment, and writes its address in the form in which addresses are compared.
pub(super) fn assignment(entry: Value) -> Option<Assignment> {
    let assignment: Assignment = envelopes::sound(entry)?;
    Some(Assignment { email: normal_email(&assignment.email)?, ..assignment })
}

const fn all(duty: Duty) -> &'static str {
    match duty {
        Duty::Reviewer => "assignments",
        Duty::Manager => "manager-assignments",
    }
}

const fn one(duty: Duty) -> &'static str {
    match duty {
        Duty::Reviewer => "assignments/{email}",
        Duty::Manager => "manager-assignments/{email}",
    }
}
