//! A caller who is not put off: each request is sent until it is answered, whatever becomes of the server meanwhile. So
//! whatever it asks for must be repeatable.

use crate::failure::Failure;
use crate::fleet::RoundRobin;
use crate::server::{HttpAnswer, HttpBody};
use crate::tally::{add, read};
use reqwest::Method;
use serde_json::Value;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long a request is sent again. A restart of Postgres and of a server takes seconds.
const PATIENCE: Duration = Duration::from_secs(120);
/// The pause before it is sent again.
const PAUSE: Duration = Duration::from_millis(50);

pub struct PatientCaller {
    servers: Arc<RoundRobin>,
    sent_again: AtomicU64,
    /// What no server should answer.
    faults: Mutex<Vec<String>>,
}

impl PatientCaller {
    pub fn of(servers: Arc<RoundRobin>) -> Self {
        Self { servers, sent_again: AtomicU64::new(0), faults: Mutex::default() }
    }

    /// Sends a request until a server answers that is neither away nor without its database.
    pub async fn ask(
        &self,
        method: &Method,
        path: &str,
        token: &str,
        body: Option<&Value>,
    ) -> Result<HttpAnswer, Failure> {
        let limit = Instant::now() + PATIENCE;
        while Instant::now() < limit {
            if let Some(answer) = self.ask_once(method, path, token, body).await {
                return Ok(answer);
            }
            add(&self.sent_again, 1);
            sleep(PAUSE).await;
        }
        Err(format!("{method} {path} was not answered within {} s", PATIENCE.as_secs()).into())
    }

    async fn ask_once(&self, method: &Method, path: &str, token: &str, body: Option<&Value>) -> Option<HttpAnswer> {
        let body = body.map(|body| HttpBody { content_type: "application/json", bytes: body.to_string().into() });
        let answer = self.servers.next()?.send(method.clone(), path, Some(token), body).await.ok()?;
        match answer.status {
            502..=504 => None,
            500 => {
                let text = String::from_utf8_lossy(&answer.body).into_owned();
                self.faults.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{method} {path}: 500 {text}"));
                None
            }
            _ => Some(answer),
        }
    }

    /// The JSON of an answer that must be 200.
    pub async fn json(&self, method: &Method, path: &str, token: &str, body: Option<&Value>) -> Result<Value, Failure> {
        let answer = self.ask(method, path, token, body).await?;
        if answer.status != 200 {
            return Err(unexpected(method, path, &answer));
        }
        Ok(serde_json::from_slice(&answer.body)?)
    }

    /// How often a request was sent again.
    pub fn sent_again(&self) -> u64 {
        read(&self.sent_again)
    }

    /// What no server should have answered, since this was last asked.
    pub fn take_faults(&self) -> Vec<String> {
        std::mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An answer that ends what the caller was at.
pub fn unexpected(method: &Method, path: &str, answer: &HttpAnswer) -> Failure {
    format!("{method} {path}: {} {}", answer.status, String::from_utf8_lossy(&answer.body)).into()
}
