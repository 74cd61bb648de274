//! The one who plans a sitting, begins it and releases its results, all by REST: what a school does with curl.

use crate::failure::Failure;
use crate::server::{HttpAnswer, HttpBody, Server};
use crate::slips::access_codes;
use crate::wall_clock::from_now;
use chrono::{DateTime, SecondsFormat, Utc};
use clap::ValueEnum;
use reqwest::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// Candidates of one room: below the number of slips that the server prints in one file.
const ROOM_CANDIDATES: usize = 500;
/// Time between planning and the first start, after which the start is set exactly: longer than the doors are open
/// before it, so that they are closed until then.
const PLANNED_AHEAD: Duration = Duration::from_secs(2 * 60 * 60);
const ROUTE: &str = "/api/admin/sittings";

/// Who says when the time of a sitting begins to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SittingStart {
    /// The clock, at the time that is set.
    Clock,
    /// Someone who says begin.
    Proctor,
}

/// The paper of a sitting, as admins see it.
pub struct SittingPaper {
    pub template_id: String,
    pub questions: Vec<KeyedQuestion>,
    /// The rest of the bank, which anyone may see.
    pub others: Vec<KeyedQuestion>,
}

/// A question with its key.
#[derive(Clone, Debug, Deserialize)]
pub struct KeyedQuestion {
    pub id: String,
    pub question: String,
    pub options: Vec<String>,
    pub answer: String,
    #[serde(default)]
    pub explanation: String,
}

/// A sitting with the access codes of its candidates.
pub struct PlannedSitting {
    pub id: String,
    pub code: String,
    pub access_codes: Vec<String>,
}

/// A candidate as those who manage the sitting see them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedCandidate {
    pub id: String,
    pub name: String,
    pub state: String,
    pub session_id: Option<String>,
}

/// What is stored as the result of a candidate.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultRow {
    pub session_id: Option<String>,
    pub score: Option<i64>,
    pub right: Option<i64>,
}

/// An admin of the server.
pub struct SittingAdmin<'a> {
    pub server: &'a Server,
    pub token: &'a str,
}

impl SittingAdmin<'_> {
    /// Makes a template of forty questions of a grade's bank.
    pub async fn paper(&self, grade: u8) -> Result<SittingPaper, Failure> {
        #[derive(Deserialize)]
        struct Made {
            template: Template,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Template {
            id: String,
            standard_questions: Vec<KeyedQuestion>,
        }
        let config = json!({
            "name": "Load test", "grades": [grade], "mode": "standard",
            "durationMinutes": crate::frames::DURATION_MINUTES,
            "standardTargets": { "1": 8, "2": 8, "3": 8, "4": 8, "5": 8 },
        });
        let made: Made = self.json(Method::POST, "/api/admin/test-templates", Some(&config)).await?;
        let Template { id, standard_questions } = made.template;
        if standard_questions.len() != crate::frames::QUESTION_COUNT as usize {
            return Err(format!("the bank of grade {grade} has too few questions").into());
        }
        let mut others: Vec<KeyedQuestion> =
            self.json(Method::GET, &format!("/api/questions?grade={grade}"), None).await?;
        others.retain(|other| standard_questions.iter().all(|question| question.id != other.id));
        Ok(SittingPaper { template_id: id, questions: standard_questions, others })
    }

    /// Plans a sitting whose doors are closed, with its roster, and prints the slips.
    pub async fn plan(
        &self,
        name: &str,
        paper: &SittingPaper,
        start: SittingStart,
        candidates: usize,
    ) -> Result<PlannedSitting, Failure> {
        let start = if start == SittingStart::Clock { "clock" } else { "proctor" };
        let body = json!({
            "name": name, "templateId": paper.template_id, "startsAt": time(from_now(PLANNED_AHEAD)),
            "start": start, "late": "cut", "results": "held",
        });
        let sitting = self.json::<Value>(Method::POST, ROUTE, Some(&body)).await?;
        let text = |pointer: &str| sitting.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let (Some(id), Some(code)) = (text("/sitting/id"), text("/sitting/code")) else {
            return Err("the sitting has no id or no code".into());
        };
        let csv = HttpBody { content_type: "text/csv", bytes: roster(candidates).into_bytes() };
        let answer = self.send(Method::PUT, &format!("{ROUTE}/{id}/candidates"), Some(csv)).await?;
        let report: Value = serde_json::from_slice(&answer.body)?;
        if report.pointer("/added").and_then(Value::as_u64) != Some(candidates as u64) {
            return Err(format!("the roster was not taken: {report}").into());
        }
        let mut codes = Vec::with_capacity(candidates);
        for room in 0..candidates.div_ceil(ROOM_CANDIDATES) {
            let path = format!("{ROUTE}/{id}/slips.pdf?room={}", room_name(room).replace(' ', "%20"));
            let file = self.send(Method::POST, &path, None).await?.body;
            // Thousands of letters are placed one by one, which takes a moment in a build without optimisation.
            codes.extend(tokio::task::spawn_blocking(move || access_codes(&file)).await??);
        }
        if codes.len() != candidates {
            return Err(format!("the slips have {} access codes for {candidates} candidates", codes.len()).into());
        }
        Ok(PlannedSitting { id, code, access_codes: codes })
    }

    /// Opens the doors now, and sets the start.
    pub async fn open_doors(&self, sitting: &PlannedSitting, starts_at: DateTime<Utc>) -> Result<(), Failure> {
        let body = json!({ "doorsAt": time(from_now(Duration::ZERO)), "startsAt": time(starts_at) });
        self.json::<Value>(Method::PATCH, &format!("{ROUTE}/{}", sitting.id), Some(&body)).await?;
        Ok(())
    }

    pub async fn begin(&self, sitting: &PlannedSitting) -> Result<(), Failure> {
        self.json::<Value>(Method::POST, &format!("{ROUTE}/{}/begin", sitting.id), None).await?;
        Ok(())
    }

    /// Shows the results to all.
    pub async fn release(&self, sitting: &PlannedSitting) -> Result<(), Failure> {
        self.json::<Value>(Method::POST, &format!("{ROUTE}/{}/release", sitting.id), None).await?;
        Ok(())
    }

    pub async fn candidates(&self, sitting: &PlannedSitting) -> Result<Vec<ListedCandidate>, Failure> {
        #[derive(Deserialize)]
        struct Listed {
            candidates: Vec<ListedCandidate>,
        }
        Ok(self.json::<Listed>(Method::GET, &format!("{ROUTE}/{}/candidates", sitting.id), None).await?.candidates)
    }

    pub async fn results(&self, sitting: &PlannedSitting) -> Result<Vec<ResultRow>, Failure> {
        #[derive(Deserialize)]
        struct Rows {
            rows: Vec<ResultRow>,
        }
        Ok(self.json::<Rows>(Method::GET, &format!("{ROUTE}/{}/results", sitting.id), None).await?.rows)
    }

    /// When the time of a candidate is up, by the values that are stored.
    pub async fn deadline(&self, sitting: &PlannedSitting, candidate_id: &str) -> Result<Option<String>, Failure> {
        let path = format!("{ROUTE}/{}/candidates/{candidate_id}/explain", sitting.id);
        let explained = self.json::<Value>(Method::GET, &path, None).await?;
        Ok(explained.pointer("/explain/deadline/value").and_then(Value::as_str).map(str::to_owned))
    }

    async fn json<T: DeserializeOwned>(&self, method: Method, path: &str, body: Option<&Value>) -> Result<T, Failure> {
        let body = body.map(|value| HttpBody { content_type: "application/json", bytes: value.to_string().into() });
        Ok(serde_json::from_slice(&self.send(method, path, body).await?.body)?)
    }

    async fn send(&self, method: Method, path: &str, body: Option<HttpBody>) -> Result<HttpAnswer, Failure> {
        let answer = self.server.send(method, path, Some(self.token), body).await;
        let answer = answer.map_err(|code| format!("{path}: {code}"))?;
        if answer.status != 200 {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            return Err(format!("{path} answered {}: {text}", answer.status).into());
        }
        Ok(answer)
    }
}

/// The roster of a school. Every twentieth candidate has a quarter more time, and every fiftieth ten minutes more.
fn roster(candidates: usize) -> String {
    let mut csv = "externalId,name,room,seat,factor,extraMinutes\n".to_owned();
    for number in 0..candidates {
        let room = room_name(number / ROOM_CANDIDATES);
        let seat = number % ROOM_CANDIDATES + 1;
        let factor = if number % 20 == 7 { "125" } else { "" };
        let extra = if number % 50 == 11 { "10" } else { "" };
        // Writing to a `String` cannot fail.
        let _ = writeln!(csv, "load-{number},Candidate {number:05},{room},S{seat},{factor},{extra}");
    }
    csv
}

fn room_name(number: usize) -> String {
    format!("Hall {:02}", number + 1)
}

/// A moment as requests have it.
pub fn time(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roster_fills_one_room_after_another() {
        let csv = roster(ROOM_CANDIDATES + 1);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), ROOM_CANDIDATES + 2);
        assert_eq!(lines[1], "load-0,Candidate 00000,Hall 01,S1,,");
        assert_eq!(lines[8], "load-7,Candidate 00007,Hall 01,S8,125,");
        assert_eq!(lines[12], "load-11,Candidate 00011,Hall 01,S12,,10");
        assert_eq!(lines[ROOM_CANDIDATES + 1], "load-500,Candidate 00500,Hall 02,S1,,");
    }
}
