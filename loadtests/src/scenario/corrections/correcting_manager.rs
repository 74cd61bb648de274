//! Who corrects the key of one question for all tests of a grade, takes that back, and looks how far the tests are.

use crate::failure::Failure;
use crate::server::{HttpAnswer, HttpBody, Server};
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How often it is asked how far the tests are.
pub const POLLED_EVERY: Duration = Duration::from_millis(200);
/// How long the tests may take to follow.
const FOLLOWED_WITHIN: Duration = Duration::from_secs(1_800);
const PATH: &str = "/api/manager/corrections";

pub struct CorrectingManager {
    server: Arc<Server>,
    token: String,
    /// The correction, as it is sent.
    body: Value,
}

/// A correction that was made or taken back.
pub struct CorrectionStep {
    pub id: String,
    /// By which its tests are told from those of other steps.
    version: i64,
}

/// How far the tests have followed a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowedTests {
    pub done: u64,
    /// 0 until they are counted.
    pub total: u64,
    pub is_finished: bool,
}

impl CorrectingManager {
    pub fn of(server: Arc<Server>, token: String, grade: u8, question_id: &str) -> Self {
        let scope = json!({ "grade": grade, "from": "2000-01-01", "to": "2100-01-01" });
        let body = json!({ "questionId": question_id, "kind": "all", "scope": scope });
        Self { server, token, body }
    }

    /// What the correction would do.
    pub async fn foresee(&self) -> Result<Value, Failure> {
        self.ask(Method::POST, &format!("{PATH}?dryRun=true"), Some(&self.body)).await
    }

    pub async fn correct(&self) -> Result<CorrectionStep, Failure> {
        step_of(&self.ask(Method::POST, PATH, Some(&self.body)).await?)
    }

    pub async fn take_back(&self, id: &str) -> Result<CorrectionStep, Failure> {
        step_of(&self.ask(Method::DELETE, &format!("{PATH}/{id}"), None).await?)
    }

    /// Waits until all tests have followed a step. The server may be killed and started meanwhile; a token that it
    /// refuses is not good later either.
    pub async fn followed(&self, step: &CorrectionStep) -> Result<(), Failure> {
        self.wait_for(step, |tests| tests.is_finished).await.map(|_| ())
    }

    /// Waits until the tests have followed a step so far, as `followed` does, and returns how far that is.
    pub async fn wait_for(
        &self,
        step: &CorrectionStep,
        is_enough: impl Fn(FollowedTests) -> bool,
    ) -> Result<FollowedTests, Failure> {
        let begin = Instant::now();
        while begin.elapsed() < FOLLOWED_WITHIN {
            let list = match self.server.send(Method::GET, PATH, Some(&self.token), None).await {
                Ok(answer) => list_of(&answer)?,
                Err(_) => Value::Null,
            };
            if let Some(tests) = followed_in(&list, step.version).filter(|tests| is_enough(*tests)) {
                return Ok(tests);
            }
            sleep(POLLED_EVERY).await;
        }
        Err("the tests do not follow the correction".into())
    }

    /// Sends a request, and returns the JSON of its answer.
    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
        let json = |body: &Value| HttpBody { content_type: "application/json", bytes: body.to_string().into_bytes() };
        let answer = self.server.send(method, path, Some(&self.token), body.map(json)).await?;
        if answer.status != 200 {
            return Err(format!("{path} answered {}: {}", answer.status, String::from_utf8_lossy(&answer.body)).into());
        }
        Ok(serde_json::from_slice(&answer.body)?)
    }
}

fn step_of(correction: &Value) -> Result<CorrectionStep, Failure> {
    let id = correction.get("id").and_then(Value::as_str).map(str::to_owned);
    let (id, version) = id.zip(correction.get("version").and_then(Value::as_i64)).ok_or("a correction has no id")?;
    Ok(CorrectionStep { id, version })
}

/// How far the tests have followed the step of this version, by the list of corrections; `None` if it is not there.
fn followed_in(list: &Value, version: i64) -> Option<FollowedTests> {
    let listed = list.get("corrections")?.as_array()?;
    let progress = listed.iter().find(|one| one.get("version").and_then(Value::as_i64) == Some(version))?;
    let progress = progress.get("progress")?;
    let number = |name| progress.get(name).and_then(Value::as_u64);
    let is_finished = progress.get("finished")?.as_bool()?;
    Some(FollowedTests { done: number("done")?, total: number("total")?, is_finished })
}

/// The list in an answer; nothing in that of a server that is on its way up or down.
fn list_of(answer: &HttpAnswer) -> Result<Value, Failure> {
    match answer.status {
        200 => Ok(serde_json::from_slice(&answer.body).unwrap_or_default()),
        status @ (401 | 403) => {
            let said = String::from_utf8_lossy(&answer.body);
            Err(format!("the server refuses the token while the tests follow: {PATH} answered {status}: {said}").into())
        }
        _ => Ok(Value::Null),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_token_ends_the_run_and_a_server_that_is_away_does_not() {
        let listed = |status, body: &str| list_of(&HttpAnswer { status, body: body.as_bytes().to_vec() });
        assert_eq!(listed(200, r#"{"corrections":[]}"#).unwrap(), json!({ "corrections": [] }));
        for (status, body) in [(503, "{}"), (502, ""), (200, "{\"corr")] {
            assert_eq!(listed(status, body).unwrap(), Value::Null, "{status}");
        }
        for status in [401, 403] {
            let said = listed(status, r#"{"error":"Not signed in"}"#).unwrap_err().to_string();
            assert!(said.contains(&status.to_string()) && said.contains("Not signed in"), "{said}");
        }
    }

    #[test]
    fn tests_are_those_of_the_step_that_is_meant() {
        let one = |version: i64, done: u64| {
            let progress = json!({ "done": done, "total": 9, "finished": done == 9 });
            json!({ "version": version, "progress": progress })
        };
        let list = json!({ "corrections": [one(4, 2), one(3, 9)] });
        assert_eq!(followed_in(&list, 4), Some(FollowedTests { done: 2, total: 9, is_finished: false }));
        assert_eq!(followed_in(&list, 3), Some(FollowedTests { done: 9, total: 9, is_finished: true }));
        assert_eq!(followed_in(&list, 5), None);
        assert_eq!(followed_in(&Value::Null, 4), None);
    }

    #[test]
    fn a_step_has_an_id_and_a_version() {
        let step = step_of(&json!({ "id": "a", "version": 7 })).unwrap();
        assert_eq!((step.id.as_str(), step.version), ("a", 7));
        assert!(step_of(&json!({ "id": "a" })).is_err());
    }
}
