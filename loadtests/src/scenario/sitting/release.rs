//! Results are held until they are released: refused before, and shown to those who wait for them.

use super::Participant;
use crate::failure::Failure;
use crate::fleet::RoundRobin;
use crate::output;
use crate::server::HTTP_CONNECTIONS_MAX;
use crate::sitting_admin::{PlannedSitting, ResultRow, SittingAdmin, SittingPaper};
use crate::tally::{Tally, Times};
use futures_util::{StreamExt, stream};
use reqwest::Method;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// Candidates who wait for their results with an open request.
pub const WAITING_MAX: usize = 2_000;
/// Time for all requests to arrive before the release.
const SETTLING: Duration = Duration::from_secs(2);
/// How long a student waits for a result.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause after a refusal that came at once.
const RETRY_PAUSE: Duration = Duration::from_millis(500);

pub struct ReleaseFindings {
    /// Candidates who got a result before the release.
    pub seen_early: u64,
    pub waited: u64,
    /// From the order to release to the result of those who waited.
    pub shown_times: Times,
    /// Results that were compared with the answers and with the list of results.
    pub compared: u64,
    /// Those that differ, or are missing.
    pub wrong: u64,
}

/// What a candidate is told as the result.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ToldResult {
    score: i64,
    right: i64,
}

pub async fn release(
    admin: &SittingAdmin<'_>,
    sitting: &PlannedSitting,
    paper: &SittingPaper,
    participants: &[Participant],
    servers: &Arc<RoundRobin>,
    tally: &Arc<Tally>,
) -> Result<ReleaseFindings, Failure> {
    let early = told_results(participants, servers, tally, true).await;
    let seen_early = early.iter().flatten().count() as u64;
    output::progress("Releasing the results");
    let mut waiting = JoinSet::new();
    for participant in participants.iter().take(WAITING_MAX) {
        let student = &participant.student;
        let path = format!("/api/sessions/{}?wait=release", student.session_id);
        waiting.spawn(wait_for_result(Arc::clone(servers), path, student.token.clone()));
    }
    sleep(SETTLING).await;
    let ordered_at = Instant::now();
    admin.release(sitting).await?;
    let (shown_times, waited) = (Times::new()?, waiting.len() as u64);
    while let Some(joined) = waiting.join_next().await {
        match joined {
            Ok(Ok(shown_at)) => shown_times.record(shown_at.saturating_duration_since(ordered_at)),
            Ok(Err(code)) => tally.error(&code),
            Err(_) => tally.error("generator: candidate panicked"),
        }
    }
    let told = told_results(participants, servers, tally, false).await;
    let rows = admin.results(sitting).await?;
    let stored: HashMap<&str, &ResultRow> =
        rows.iter().filter_map(|row| Some((row.session_id.as_deref()?, row))).collect();
    let keys: HashMap<&str, &str> =
        paper.questions.iter().map(|question| (question.id.as_str(), question.answer.as_str())).collect();
    let is_right = |(participant, told): &(&Participant, Option<ToldResult>)| {
        let stored = stored.get(participant.student.session_id.as_str());
        let stored = stored.and_then(|row| Some(ToldResult { score: row.score?, right: row.right? }));
        told.is_some() && *told == stored && told.is_some_and(|told| told.right == right_answers(participant, &keys))
    };
    let wrong = participants.iter().zip(told).filter(|pair| !is_right(pair)).count() as u64;
    Ok(ReleaseFindings { seen_early, waited, shown_times, compared: participants.len() as u64, wrong })
}

/// How many of the saved answers are right, by the key that only admins have.
fn right_answers(participant: &Participant, keys: &HashMap<&str, &str>) -> i64 {
    let student = &participant.student;
    let pairs = student.question_ids.iter().zip(student.ledger.choices());
    let is_right = |(id, choice): &(&String, Option<char>)| {
        choice.is_some_and(|choice| keys.get(id.as_str()) == Some(&choice.to_string().as_str()))
    };
    pairs.filter(is_right).count() as i64
}

/// The result that each gets at once; before the release nobody does.
async fn told_results(
    participants: &[Participant],
    servers: &RoundRobin,
    tally: &Tally,
    is_held: bool,
) -> Vec<Option<ToldResult>> {
    stream::iter(participants)
        .map(async |participant| {
            let student = &participant.student;
            let path = format!("/api/sessions/{}", student.session_id);
            let answer = servers.next()?.send(Method::GET, &path, Some(&student.token), None).await;
            match answer {
                Ok(answer) if answer.status == 200 => read_result(&answer.body),
                Ok(answer) if answer.status == 403 && is_held => None,
                Ok(answer) => {
                    tally.error(&format!("result: http {}", answer.status));
                    None
                }
                Err(code) => {
                    tally.error(&format!("result: {code}"));
                    None
                }
            }
        })
        .buffered(HTTP_CONNECTIONS_MAX)
        .collect()
        .await
}

fn read_result(body: &[u8]) -> Option<ToldResult> {
    let session: Value = serde_json::from_slice(body).ok()?;
    let number = |name: &str| session.pointer(&format!("/result/{name}")).and_then(Value::as_i64);
    Some(ToldResult { score: number("score")?, right: number("correctAnswers")? })
}

/// Asks again whenever the wait has ended without a release. Returns when the result came.
async fn wait_for_result(servers: Arc<RoundRobin>, path: String, token: String) -> Result<Instant, String> {
    let limit = Instant::now() + PATIENCE;
    while Instant::now() < limit {
        let server = servers.next().ok_or("release: no server")?;
        let asked_at = Instant::now();
        let answer = server.send(Method::GET, &path, Some(&token), None).await?;
        match answer.status {
            200 if read_result(&answer.body).is_some() => return Ok(Instant::now()),
            403 => {}
            status => return Err(format!("release: http {status}")),
        }
        if asked_at.elapsed() < RETRY_PAUSE {
            sleep(RETRY_PAUSE).await;
        }
    }
    Err("release: no result".to_owned())
}
