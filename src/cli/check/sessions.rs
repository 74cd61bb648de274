//! Checks of sessions, and of the key that all routes require.

use domain::session::Session;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use uuid::Uuid;

use super::visit::{CheckFault, CheckResult, Visit, came_back};
use crate::sessions::read::SESSION_NOT_FOUND;

/// Calls all routes that read and one that writes, without a key and with a wrong one.
pub(super) async fn key(visit: &Visit) -> CheckResult {
    let wrong = HeaderValue::from_static("examhall-check-wrong-key");
    let id = visit.session_id.to_string();
    for (key, when) in [(None, "without a key"), (Some(&wrong), "with a wrong key")] {
        for (route, path) in reading(visit, &id) {
            let grade = (route == "/questions").then_some("1");
            let answer = visit.get_with_key(&path, grade, key).await?;
            // This route is optional.
            if route != "/users/{email}" || !answer.is_of_no_route() {
                answer.is_error(401, &format!("{when} on GET {route}"))?;
            }
        }
        visit
            .put_with_key(key, &session(visit, false))
            .await?
            .is_error(401, &format!("{when} on PUT /sessions/{{id}}"))?;
    }
    Ok(())
}

/// Every `GET` of the contract, with its path.
fn reading<'a>(visit: &'a Visit, session_id: &'a str) -> [(&'static str, Vec<&'a str>); 9] {
    [
        ("/questions", vec!["questions"]),
        ("/users/{email}", vec!["users", &visit.email]),
        ("/sessions/{id}", vec!["sessions", session_id]),
        ("/reviews", vec!["reviews"]),
        ("/edit-log", vec!["edit-log"]),
        ("/assignments", vec!["assignments"]),
        ("/assignments/{email}", vec!["assignments", &visit.email]),
        ("/manager-assignments", vec!["manager-assignments"]),
        ("/grade-approvals", vec!["grade-approvals"]),
    ]
}

/// Puts the session twice unchanged, since a lost answer makes the server repeat the call, and then replaces it.
pub(super) async fn put(visit: &Visit) -> CheckResult {
    let id = visit.session_id.to_string();
    for is_webhook_sent in [false, false, true] {
        visit.put(&["sessions", &id], &session(visit, is_webhook_sent)).await?.is_done()?;
    }
    Ok(())
}

pub(super) async fn read_session(visit: &Visit) -> CheckResult {
    let answer = visit.get(&["sessions", &visit.session_id.to_string()]).await?.with(200)?;
    came_back(&session(visit, true), &answer)?;
    if Session::from_stored_json(&answer.to_string()).is_none() {
        return Err(CheckFault::new("answered another shape"));
    }
    visit.get(&["sessions", &Uuid::new_v4().to_string()]).await?.is_error_saying(
        404,
        SESSION_NOT_FOUND,
        "for an unknown session",
    )
}

/// A session with every field that the contract has.
fn session(visit: &Visit, is_webhook_sent: bool) -> Value {
    let at = visit.begun.iso();
    let question = "examhall-check";
    json!({
        "sessionId": visit.session_id,
        "grade": 1,
        "timestamp": at,
        "startedAt": visit.begun.plus(-600_000).iso(),
        "completedAt": at,
        "webhookSent": is_webhook_sent,
        "reportUrl": format!("https://examhall-check.example.invalid/report/{}", visit.session_id),
        "annotations": { "examhallCheck": true, "nested": { "list": [1, "two", null, 0.5], "text": "Zoë 王" } },
        "result": {
            "score": 200, "correctAnswers": 0, "totalQuestions": 1, "accuracy": 0.0, "timeTaken": 600,
            "topicBreakdown": [{ "topic": "Check", "correct": 0, "total": 1, "percentage": 0 }],
            "difficultyBreakdown": [{ "difficulty": 1, "correct": 0, "total": 1 }],
            "answers": [{ "questionId": question, "selected": "A", "correct": "B", "isCorrect": false, "timeTaken": 9 }],
        },
        "verified": false,
        "drawings": { (question): { "strokes": [[0, 0.5], [1, 1.25]] } },
    })
}
