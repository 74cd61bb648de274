//! Managers' decisions on grades, in an external service.

use std::cmp::Reverse;

use async_trait::async_trait;
use domain::access::{Grades, normal_email};
use domain::resources::Approval;
use reqwest::Method;
use serde_json::Value;

use super::call::Call;
use super::{ExternalProvider, envelopes};
use crate::error::Error;
use crate::provider;

#[async_trait]
impl provider::Approvals for ExternalProvider {
    async fn approvals(&self) -> Result<Vec<Approval>, Error> {
        let answer = self.client.send(Call::get("grade-approvals", &[])).await?;
        let mut approvals = answer.shaped(|value| envelopes::list(value, "approvals", approval))?;
        approvals.sort_by(|one, other| order(one).cmp(&order(other)));
        Ok(approvals)
    }

    async fn approvals_of(&self, manager_email: &str, grades: Grades) -> Result<Vec<Approval>, Error> {
        let mut approvals = self.approvals().await?;
        approvals.retain(|approval| approval.manager_email == manager_email && grades.has(approval.grade));
        Ok(approvals)
    }

    async fn put_approval(&self, approval: Approval) -> Result<(), Error> {
        let grade = approval.grade.number().to_string();
        let arguments = [grade.as_str(), approval.manager_email.as_str()];
        self.client
            .order(Call::new(Method::PUT, "grade-approvals/{grade}/{managerEmail}", &arguments).carrying(&approval)?)
            .await?;
        Ok(())
    }
}

fn approval(entry: Value) -> Option<Approval> {
    let approval: Approval = envelopes::sound(entry)?;
    Some(Approval { manager_email: normal_email(&approval.manager_email)?, ..approval })
}

/// Sorts newest first.
fn order(approval: &Approval) -> impl Ord + use<'_> {
    (Reverse(approval.decided_at), approval.grade, approval.manager_email.as_str())
}
