//! Those who plan, decide and correct meanwhile, by REST. Everything that they send may be sent twice.

use super::contents::StoredVersion;
use crate::failure::Failure;
use crate::patient_caller::{PatientCaller, unexpected};
use crate::signed_receipts::ReceiptProof;
use crate::sitting_admin::time;
use crate::wall_clock::from_now;
use fastrand::Rng;
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// Longest wait until all tests have followed a correction, and until a version is in the log.
const FOLLOWED_WITHIN: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Questions of a paper: the fewest that a template can have.
const QUESTIONS: usize = 10;
const CORRECTIONS: &str = "/api/manager/corrections";

pub struct RoundStaff {
    pub caller: Arc<PatientCaller>,
    /// An API token of an admin.
    pub token: String,
    pub webhook_url: String,
}

/// A template, and its questions with their keys.
pub struct RoundPaper {
    pub template_id: String,
    pub questions: Vec<(String, String)>,
}

impl RoundStaff {
    async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.caller.json(&Method::GET, path, &self.token, None).await
    }

    /// Whatever is answered for this path, also if it is no success.
    pub async fn told(&self, path: &str) -> Result<Value, Failure> {
        let answer = self.caller.ask(&Method::GET, path, &self.token, None).await?;
        let text = || json!({ "status": answer.status, "text": String::from_utf8_lossy(&answer.body) });
        Ok(serde_json::from_slice(&answer.body).unwrap_or_else(|_| text()))
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.caller.json(&Method::POST, path, &self.token, Some(body)).await
    }

    /// Sends what may be refused because of what has happened meanwhile. Returns whether it was accepted.
    async fn post_if_possible(&self, path: &str, body: &Value) -> Result<bool, Failure> {
        let answer = self.caller.ask(&Method::POST, path, &self.token, Some(body)).await?;
        match answer.status {
            200 => Ok(true),
            409 => Ok(false),
            _ => Err(unexpected(&Method::POST, path, &answer)),
        }
    }

    /// Makes a template. One whose answer was lost stays, and nobody uses it.
    pub async fn paper(&self, grade: u8) -> Result<RoundPaper, Failure> {
        let each = QUESTIONS / 5;
        let config = json!({
            "name": "Rounds", "grades": [grade], "mode": "standard", "durationMinutes": 15,
            "standardTargets": { "1": each, "2": each, "3": each, "4": each, "5": each },
        });
        let made = self.post("/api/admin/test-templates", &config).await?;
        let id = made.pointer("/template/id").and_then(Value::as_str).ok_or("the template has no id")?;
        let questions = made.pointer("/template/standardQuestions").and_then(Value::as_array);
        let text = |question: &Value, name: &str| question.get(name).and_then(Value::as_str).map(str::to_owned);
        let keyed = |question: &Value| Some((text(question, "id")?, text(question, "answer")?));
        let questions = questions.into_iter().flatten().filter_map(keyed).collect();
        Ok(RoundPaper { template_id: id.to_owned(), questions })
    }

    /// Plans a sitting in which each candidate begins by entering, from now on and until `length` has passed.
    pub async fn sitting(&self, paper: &RoundPaper, emails: &[String], length: Duration) -> Result<String, Failure> {
        let now = time(from_now(Duration::ZERO));
        let plan = json!({
            "name": "Rounds", "templateId": paper.template_id, "doorsAt": now, "startsAt": now, "start": "own",
            "endsAt": time(from_now(length)), "results": "held", "webhookUrl": self.webhook_url,
        });
        let made = self.post("/api/admin/sittings", &plan).await?;
        let id = made.pointer("/sitting/id").and_then(Value::as_str).ok_or("the sitting has no id")?.to_owned();
        let roster: Vec<Value> = emails.iter().map(|email| json!({ "email": email, "name": email })).collect();
        let path = format!("/api/admin/sittings/{id}/candidates");
        self.caller.json(&Method::PUT, &path, &self.token, Some(&roster.into())).await?;
        Ok(id)
    }

    /// Lets a test go on that has ended. False if it can't.
    pub async fn reopen(&self, session_id: &str) -> Result<bool, Failure> {
        // What was submitted outside of a sitting has shown its result.
        let order = json!({ "id": Uuid::new_v4(), "type": "reopen", "force": true });
        self.post_if_possible(&format!("/api/live/sessions/{session_id}/orders"), &order).await
    }

    /// Decides about late work. False if there is none.
    pub async fn decide(&self, session_id: &str, is_accepted: bool) -> Result<bool, Failure> {
        let decision = if is_accepted { "accept" } else { "decline" };
        let body = json!({ "decision": decision, "comment": "The network was away", "force": true });
        self.post_if_possible(&format!("/api/live/sessions/{session_id}/late"), &body).await
    }

    /// Corrects the key of some question. Returns the correction's id.
    pub async fn correct(&self, paper: &RoundPaper, scope: &Value, random: &mut Rng) -> Result<String, Failure> {
        let (question, answer) = random.choice(&paper.questions).ok_or("the paper is empty")?;
        let others: Vec<&str> = ["A", "B", "C", "D"].into_iter().filter(|letter| letter != answer).collect();
        let other = random.choice(&others).copied().unwrap_or("A");
        let kind = random.choice(["key", "also", "all", "drop"]).unwrap_or("all");
        let id = Uuid::new_v4().to_string();
        let mut body = json!({
            "id": id, "questionId": question, "kind": kind, "scope": scope, "nobodyLoses": random.bool(),
            "comment": "The key was wrong",
        });
        if let Some(fields) = body.as_object_mut().filter(|_| kind == "key" || kind == "also") {
            fields.insert("options".to_owned(), json!([other]));
        }
        self.post(CORRECTIONS, &body).await?;
        Ok(id)
    }

    pub async fn revert(&self, correction_id: &str) -> Result<(), Failure> {
        self.caller.json(&Method::DELETE, &format!("{CORRECTIONS}/{correction_id}"), &self.token, None).await?;
        Ok(())
    }

    /// Waits until all tests have followed the corrections of a scope.
    pub async fn followed(&self, scope: &Value) -> Result<(), Failure> {
        let limit = Instant::now() + FOLLOWED_WITHIN;
        while Instant::now() < limit {
            let list = self.get(CORRECTIONS).await?;
            // A list without them would have to be of something else.
            if have_followed(&list, scope).ok_or("a correction is not listed")? {
                return Ok(());
            }
            sleep(POLL_INTERVAL).await;
        }
        Err(format!("the tests of {scope} do not follow a correction").into())
    }

    pub async fn release(&self, sitting_id: &str) -> Result<(), Failure> {
        self.post(&format!("/api/admin/sittings/{sitting_id}/release"), &json!({})).await?;
        Ok(())
    }

    /// The newest checkpoint of a sitting, once there is one.
    pub async fn checkpoint(&self, sitting_id: &str) -> Result<Option<String>, Failure> {
        let path = format!("/api/sittings/{sitting_id}/checkpoint");
        let answer = self.caller.ask(&Method::GET, &path, &self.token, None).await?;
        match answer.status {
            200 => Ok(Some(String::from_utf8(answer.body)?)),
            404 => Ok(None),
            _ => Err(unexpected(&Method::GET, &path, &answer)),
        }
    }

    /// The number of the newest version of a test.
    pub async fn newest_version(&self, session_id: &str) -> Result<u32, Failure> {
        let list = self.get(&format!("/api/sessions/{session_id}/versions")).await?;
        Ok(u32::try_from(list.get("versions").and_then(Value::as_array).map_or(0, Vec::len))?)
    }

    /// Everything that is stored of a test.
    pub async fn versions(&self, session_id: &str, is_logged: bool) -> Result<Vec<StoredVersion>, Failure> {
        let list = self.get(&format!("/api/sessions/{session_id}/versions")).await?;
        let mut versions = Vec::new();
        for row in list.get("versions").and_then(Value::as_array).into_iter().flatten() {
            let number = row.get("version").and_then(Value::as_u64).unwrap_or_default();
            let path = format!("/api/sessions/{session_id}");
            let session = self.get(&format!("{path}?version={number}")).await?;
            let receipt_path = format!("{path}/receipt?version={number}");
            let receipt = self.caller.ask(&Method::GET, &receipt_path, &self.token, None).await?;
            if receipt.status != 200 {
                return Err(unexpected(&Method::GET, &receipt_path, &receipt));
            }
            let proof = if is_logged { self.proof(session_id, number).await? } else { None };
            let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            versions.push(StoredVersion {
                number: u32::try_from(number)?,
                reason: text("reason"),
                score: row.get("score").and_then(Value::as_i64).unwrap_or_default(),
                digest: text("digest"),
                answers: answers_of(&session),
                jws: String::from_utf8(receipt.body)?,
                proof,
            });
        }
        Ok(versions)
    }

    /// Waits for the proof of a version.
    async fn proof(&self, session_id: &str, version: u64) -> Result<Option<ReceiptProof>, Failure> {
        let path = format!("/api/sessions/{session_id}/receipt.tlog-proof?version={version}");
        let limit = Instant::now() + FOLLOWED_WITHIN;
        while Instant::now() < limit {
            let answer = self.caller.ask(&Method::GET, &path, &self.token, None).await?;
            match answer.status {
                200 => return Ok(ReceiptProof::parse(&String::from_utf8(answer.body)?)),
                404 => sleep(POLL_INTERVAL).await,
                _ => return Err(unexpected(&Method::GET, &path, &answer)),
            }
        }
        Ok(None)
    }
}

fn answers_of(session: &Value) -> Vec<(String, String)> {
    let lines = session.pointer("/result/answers").and_then(Value::as_array);
    let text = |line: &Value, name: &str| line.get(name).and_then(Value::as_str).map(str::to_owned);
    let line = |line: &Value| Some((text(line, "questionId")?, text(line, "selected")?));
    lines.into_iter().flatten().filter_map(line).collect()
}

/// Whether all tests have followed the corrections of a scope; `None` if the list has none of it.
fn have_followed(list: &Value, scope: &Value) -> Option<bool> {
    let listed = list.get("corrections").and_then(Value::as_array).into_iter().flatten();
    let mut own = listed.filter(|one| one.get("scope") == Some(scope)).peekable();
    own.peek()?;
    Some(own.all(|one| one.pointer("/progress/finished").and_then(Value::as_bool) == Some(true)))
}
