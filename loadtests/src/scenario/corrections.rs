//! The corrections scenario: many graded tests are inserted into the database, then the key of a question that all of
//! them have is corrected, and taken back.

use crate::failure::Failure;
use crate::graded_tests::GradedTests;
use crate::metrics::ServerReading;
use crate::output;
use crate::scenario::items::insert;
use crate::server::{HttpAnswer, HttpBody, Server};
use crate::table::{count, figure};
use clap::Args;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Questions of the tests: few, so that every test has the one that is corrected.
const QUESTIONS: usize = 20;
const POLLED_EVERY: Duration = Duration::from_millis(200);
/// How long the tests may take to follow.
const FOLLOWED_WITHIN: Duration = Duration::from_secs(1_800);
const PATH: &str = "/api/manager/corrections";

#[derive(Args)]
pub struct CorrectionsOptions {
    /// Graded tests to insert into the database.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    sessions: u32,
    /// Grade of the tests.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    grade: u8,
    /// Seconds within which all tests must follow.
    #[arg(long, default_value_t = 120)]
    within: u64,
    /// URL of the server's database, which must have no session of the grade.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
    /// API token of an admin.
    #[arg(long, env = "EXAMHALL_TOKEN", hide_env_values = true)]
    token: String,
}

/// Runs the scenario. It passes when all tests have followed the correction and its revert in time.
pub async fn run(server: &Server, options: &CorrectionsOptions) -> Result<bool, Failure> {
    let bank = server.get(&format!("/api/questions?grade={}", options.grade), &options.token).await?;
    let bank: Vec<Value> = bank.as_array().ok_or("the bank is not an array")?.iter().take(QUESTIONS).cloned().collect();
    let question =
        bank.first().and_then(|question| question.get("id")?.as_str()).ok_or("the bank is empty")?.to_owned();
    let mut tests = GradedTests::new(options.grade, &bank)?;
    insert(&options.database_url, options.sessions, bank.len(), &mut tests).await?;
    output::progress("The tests are in the database; correcting a key");

    let scope = json!({ "grade": options.grade, "from": "2000-01-01", "to": "2100-01-01" });
    let body = json!({ "questionId": question, "kind": "all", "scope": scope });
    let begin = Instant::now();
    let outlook = ask(server, options, Method::POST, &format!("{PATH}?dryRun=true"), Some(&body)).await?;
    let dry = begin.elapsed();
    let before = ServerReading::take(server).await;
    let begin = Instant::now();
    let made = ask(server, options, Method::POST, PATH, Some(&body)).await?;
    followed(server, options, made.get("version")).await?;
    let corrected = begin.elapsed();
    let after = ServerReading::take(server).await;
    let begin = Instant::now();
    let id = made.get("id").and_then(Value::as_str).unwrap_or_default();
    let reverted = ask(server, options, Method::DELETE, &format!("{PATH}/{id}"), None).await?;
    followed(server, options, reverted.get("version")).await?;
    let taken_back = begin.elapsed();

    let limit = Duration::from_secs(options.within);
    let passed = corrected <= limit
        && taken_back <= limit
        && outlook.get("sessions").and_then(Value::as_u64) == Some(options.sessions.into());
    let rows = [
        count("tests", options.sessions.into()),
        count("of them rise", outlook.get("rise").and_then(Value::as_u64).unwrap_or_default()),
        figure("dry run", Some(dry.as_secs_f64()), " s"),
        figure("all have followed within", Some(corrected.as_secs_f64()), " s"),
        figure("all have followed the revert within", Some(taken_back.as_secs_f64()), " s"),
        figure("server CPU", after.cpu_seconds.zip(before.cpu_seconds).map(|(end, begin)| end - begin), " s"),
    ];
    output::print_rows(&rows, passed);
    Ok(passed)
}

/// Sends a request, and returns the JSON of its answer.
async fn ask(
    server: &Server,
    options: &CorrectionsOptions,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<Value, Failure> {
    let json = |body: &Value| HttpBody { content_type: "application/json", bytes: body.to_string().into_bytes() };
    let answer = server.send(method, path, Some(&options.token), body.map(json)).await?;
    if answer.status != 200 {
        return Err(format!("{path} answered {}: {}", answer.status, String::from_utf8_lossy(&answer.body)).into());
    }
    Ok(serde_json::from_slice(&answer.body)?)
}

/// Waits until all tests have followed the step of this version. The server may be killed and started meanwhile; a
/// token that it refuses is not good later either.
async fn followed(server: &Server, options: &CorrectionsOptions, version: Option<&Value>) -> Result<(), Failure> {
    let begin = Instant::now();
    while begin.elapsed() < FOLLOWED_WITHIN {
        let list = match server.send(Method::GET, PATH, Some(&options.token), None).await {
            Ok(answer) => list_of(&answer)?,
            Err(_) => Value::Null,
        };
        let mut listed = list.get("corrections").and_then(Value::as_array).into_iter().flatten();
        let is_finished = |one: &Value| one.get("progress")?.get("finished")?.as_bool();
        if listed.any(|one| one.get("version") == version && is_finished(one) == Some(true)) {
            return Ok(());
        }
        sleep(POLLED_EVERY).await;
    }
    Err("the tests do not follow the correction".into())
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
}
