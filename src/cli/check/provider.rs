//! `examhall check --provider URL`: whether a service keeps the contract of data providers, one line for each route.

use std::process::ExitCode;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use url::Url;

use super::visit::{CheckFault, CheckResult, Visit};
use super::{assignments, questions, reviews, sessions, users};
use crate::cli::CliFailure;
use crate::cli::output::print;
use crate::config::Secret;

/// One route, or a rule for all of them, and the function that checks it.
struct Check {
    name: &'static str,
    run: for<'a> fn(&'a Visit) -> BoxFuture<'a, CheckResult>,
}

/// In this order, because later checks read what earlier ones have written.
const CHECKS: [Check; 23] = [
    Check { name: "GET /questions", run: |visit| questions::bank(visit).boxed() },
    Check { name: "GET /questions?grade=11", run: |visit| questions::bad_grade(visit).boxed() },
    Check { name: "X-API-Key", run: |visit| sessions::key(visit).boxed() },
    Check { name: "PUT /questions/override", run: |visit| questions::override_one(visit).boxed() },
    Check { name: "POST /questions/import", run: |visit| questions::import(visit).boxed() },
    Check { name: "POST /users", run: |visit| users::create(visit).boxed() },
    Check { name: "PATCH /users/{email}", run: |visit| users::change(visit).boxed() },
    Check { name: "GET /users/{email}", run: |visit| users::read_user(visit).boxed() },
    Check { name: "PUT /sessions/{id}", run: |visit| sessions::put(visit).boxed() },
    Check { name: "GET /sessions/{id}", run: |visit| sessions::read_session(visit).boxed() },
    Check { name: "GET /reviews", run: |visit| reviews::list(visit).boxed() },
    Check { name: "PUT /reviews/{questionId}", run: |visit| reviews::put(visit).boxed() },
    Check { name: "GET /edit-log", run: |visit| reviews::log(visit).boxed() },
    Check { name: "POST /edit-log", run: |visit| reviews::append(visit).boxed() },
    Check { name: "GET /assignments", run: |visit| assignments::reviewers(visit).boxed() },
    Check { name: "PUT /assignments/{email}", run: |visit| assignments::put_reviewer(visit).boxed() },
    Check { name: "GET /assignments/{email}", run: |visit| assignments::reviewer(visit).boxed() },
    Check { name: "DELETE /assignments/{email}", run: |visit| assignments::remove_reviewer(visit).boxed() },
    Check { name: "GET /manager-assignments", run: |visit| assignments::managers(visit).boxed() },
    Check { name: "PUT /manager-assignments/{email}", run: |visit| assignments::put_manager(visit).boxed() },
    Check { name: "DELETE /manager-assignments/{email}", run: |visit| assignments::remove_manager(visit).boxed() },
    Check { name: "GET /grade-approvals", run: |visit| reviews::approvals(visit).boxed() },
    Check { name: "PUT /grade-approvals/{grade}/{managerEmail}", run: |visit| reviews::approve(visit).boxed() },
];

/// The number of checks with each result.
#[derive(Default)]
struct Counts {
    conform: usize,
    failed: usize,
    optional: usize,
    unchecked: usize,
}

pub(super) async fn check(base: Url, key: &Secret, timeout: Duration) -> Result<ExitCode, CliFailure> {
    let visit = Visit::new(base, key, timeout)?;
    let (mut counts, mut is_away) = (Counts::default(), false);
    for Check { name, run } in CHECKS {
        let checked = if is_away { Err(CheckFault::Unchecked("the service is away")) } else { run(&visit).await };
        is_away |= matches!(checked, Err(CheckFault::Away(_)));
        print(&format!("{name}: {}", counts.line(checked)))?;
    }
    let Counts { conform, failed, optional, unchecked } = counts;
    print(&format!("{conform} conform, {failed} failed, {optional} optional and not there, {unchecked} not checked"))?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

impl Counts {
    fn line(&mut self, checked: CheckResult) -> String {
        let (count, line) = match checked {
            Ok(()) => (&mut self.conform, "conforms".to_owned()),
            Err(CheckFault::Failed(reason) | CheckFault::Away(reason)) => {
                (&mut self.failed, format!("failed: {reason}"))
            }
            Err(CheckFault::NotThere) => (&mut self.optional, "optional, not there".to_owned()),
            Err(CheckFault::Unchecked(reason)) => (&mut self.unchecked, format!("not checked: {reason}")),
        };
        *count += 1;
        line
    }
}

/// Whether the provider answers, by a single call: for the check of the whole configuration.
pub(super) async fn is_there(base: Url, key: &Secret, timeout: Duration) -> Result<(), String> {
    let visit = Visit::new(base, key, timeout)?;
    questions::is_there(&visit).await.map_err(|fault| match fault {
        CheckFault::Failed(reason) | CheckFault::Away(reason) => reason,
        CheckFault::NotThere => "not there".to_owned(),
        CheckFault::Unchecked(reason) => reason.to_owned(),
    })
}
