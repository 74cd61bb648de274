//! Calls of the external data provider (`assessment.md` 4.5): how many at once, how long, how often, and what is made of
//! an answer. What each of them means is in the file of its resource.

use std::error::Error as StdError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::web::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Method, Response, StatusCode};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use url::Url;
use uuid::Uuid;

use super::call::{Call, Lane};
pub use super::failure::SendOutcome;
use super::failure::{ProviderFailure, message};
use crate::config::ExternalConfig;
use crate::error::Error;
use crate::provider::contract::KEY_HEADER;

/// Calls that are under way at once: about people, …
const CALLS_AT_ONCE: usize = 32;
/// … of banks, …
const BANK_CALLS_AT_ONCE: usize = 4;
/// … for reports, …
const REPORT_CALLS_AT_ONCE: usize = 8;
/// … and to send what is finished.
const SENDING_CALLS_AT_ONCE: usize = 4;
/// Calls that are under way or wait, for each that may be under way; more are refused.
const WAITING_PER_TURN_MAX: usize = 16;
/// Bytes of an answer: a bank of some ten thousand questions.
const ANSWER_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// Bytes of an answer that only says what is wrong.
const REFUSAL_BYTES_MAX: usize = 64 * 1_024;
/// Bytes of the name of a version.
const VERSION_BYTES_MAX: usize = 1_024;
/// Tries of one call, the first one included.
const TRIES_MAX: u32 = 3;
/// Between two tries, by chance.
const PAUSE_MILLISECONDS: std::ops::RangeInclusive<u64> = 50..=200;
/// A connection is kept so long without use.
const IDLE: Duration = Duration::from_secs(90);
/// After a failure nobody is kept waiting for news for so long, when what is here will do.
const RESTS: Duration = Duration::from_secs(2);
const USER_AGENT: &str = concat!("ExamHall/", env!("CARGO_PKG_VERSION"));

/// Calls the external service; clones share their connections.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    http: reqwest::Client,
    base_url: Url,
    key: HeaderValue,
    timeout: Duration,
    banks: Queue,
    reports: Queue,
    sending: Queue,
    people: Queue,
    /// Whether the last call has failed, so that an outage is told once.
    is_away: AtomicBool,
}

/// Calls of one kind.
struct Queue {
    places: Semaphore,
    turns: Semaphore,
    /// When someone has waited in vain.
    tripped_at: Mutex<Option<Instant>>,
}

impl Queue {
    fn of(at_once: usize) -> Self {
        Self {
            places: Semaphore::new(at_once * WAITING_PER_TURN_MAX),
            turns: Semaphore::new(at_once),
            tripped_at: Mutex::default(),
        }
    }

    fn trip(&self, at: Option<Instant>) {
        *self.tripped_at.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }
}

/// An answer of 2xx or 304.
#[derive(Debug)]
pub struct ProviderAnswer {
    /// JSON, or nothing.
    pub body: Bytes,
    /// The name of this version.
    pub version: Option<String>,
    /// Whether it says that what is here is the newest.
    pub is_old: bool,
    /// Of the call.
    pub template: &'static str,
}

impl ProviderAnswer {
    /// What it says.
    ///
    /// # Errors
    /// When it is of another shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ProviderFailure> {
        self.shaped(|value| serde_json::from_value(value).map_err(|_| ProviderFailure::Unreadable))
    }

    /// What it says, as it is understood here.
    ///
    /// # Errors
    /// When it is not.
    pub fn shaped<T>(
        &self,
        understand: impl FnOnce(Value) -> Result<T, ProviderFailure>,
    ) -> Result<T, ProviderFailure> {
        let understood =
            serde_json::from_slice(&self.body).map_err(|_| ProviderFailure::Unreadable).and_then(understand);
        understood.inspect_err(|_| {
            tracing::warn!(
                path = self.template,
                "an answer of the external data provider is not as the contract has it"
            )
        })
    }
}

impl ProviderAnswer {
    /// Whether it says that what was asked for is done: an object without an error, or nothing.
    fn done(&self) -> Result<(), ProviderFailure> {
        if self.body.is_empty() {
            return Ok(());
        }
        let is_done = |value: &Value| {
            value.is_object()
                && value.get("error").is_none()
                && value.get("ok").is_none_or(|ok| *ok == Value::Bool(true))
        };
        self.shaped(|value| if is_done(&value) { Ok(()) } else { Err(ProviderFailure::Unreadable) })
    }

    /// Whether it says so in the words of the contract. A test is never sent again after this.
    fn taken(&self) -> Result<(), ProviderFailure> {
        self.shaped(
            |value| if value.get("ok") == Some(&Value::Bool(true)) { Ok(()) } else { Err(ProviderFailure::Unreadable) },
        )
    }
}

impl Client {
    /// Calls no one yet.
    ///
    /// # Errors
    /// When no client can be made.
    pub fn new(config: &ExternalConfig) -> Result<Self, Error> {
        // The second one in a process finds a provider, which is the same.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .user_agent(USER_AGENT)
            .pool_idle_timeout(IDLE);
        let mut key = HeaderValue::from_bytes(config.key.reveal()).map_err(Error::internal)?;
        key.set_sensitive(true);
        let shared = Shared {
            http: http.build().map_err(|error| Error::internal(error.without_url()))?,
            base_url: config.base_url.clone(),
            key,
            timeout: config.timeout,
            banks: Queue::of(BANK_CALLS_AT_ONCE),
            reports: Queue::of(REPORT_CALLS_AT_ONCE),
            sending: Queue::of(SENDING_CALLS_AT_ONCE),
            people: Queue::of(CALLS_AT_ONCE),
            is_away: AtomicBool::new(false),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// For one call with all its tries.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.shared.timeout
    }

    /// Makes a call, more than once when that is safe and may help, all within the time of one.
    ///
    /// # Errors
    /// See [`ProviderFailure`].
    pub async fn send(&self, call: Call<'_>) -> Result<ProviderAnswer, ProviderFailure> {
        let answer = timeout(self.shared.timeout, self.tries(&call)).await.unwrap_or(Err(ProviderFailure::Slow));
        self.tell(&call, answer.as_ref().err());
        if answer.is_ok() {
            self.queue(call.lane()).trip(None);
        }
        answer
    }

    /// Makes a call that changes something.
    ///
    /// # Errors
    /// See [`ProviderFailure`]; also when the answer says that it was not done.
    pub async fn order(&self, call: Call<'_>) -> Result<(), ProviderFailure> {
        self.send(call).await?.done()
    }

    fn queue(&self, lane: Lane) -> &Queue {
        match lane {
            Lane::Banks => &self.shared.banks,
            Lane::Reports => &self.shared.reports,
            Lane::Sending => &self.shared.sending,
            Lane::People => &self.shared.people,
        }
    }

    /// A finished test, created or replaced.
    pub async fn put_session(&self, session_id: Uuid, json: String) -> SendOutcome {
        let id = session_id.to_string();
        let call = Call::new(Method::PUT, "sessions/{id}", &[&id]).carrying_json(json).quietly();
        self.send(call).await.and_then(|answer| answer.taken()).into()
    }

    /// An edit's entry of the log.
    pub async fn post_edit_log(&self, json: String) -> SendOutcome {
        let call = Call::new(Method::POST, "edit-log", &[]).carrying_json(json).quietly();
        self.order(call).await.into()
    }

    /// A finished test as JSON; `None` when the service has none of that id.
    ///
    /// # Errors
    /// When it can't be had.
    pub async fn session(&self, session_id: Uuid) -> Result<Option<String>, Error> {
        let id = session_id.to_string();
        match self.send(Call::get("sessions/{id}", &[&id])).await {
            Ok(answer) => Ok(Some(String::from_utf8(answer.body.to_vec()).map_err(|_| ProviderFailure::Unreadable)?)),
            Err(failure) if failure.is_unknown() => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Notes that someone has waited for the service in vain, with a call of this kind.
    pub fn trip(&self, lane: Lane) {
        self.queue(lane).trip(Some(Instant::now()));
    }

    /// Whether that was just now, and no such call has gone well since.
    #[must_use]
    pub fn is_tripped(&self, lane: Lane) -> bool {
        self.queue(lane)
            .tripped_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some_and(|at| at.elapsed() < RESTS)
    }

    async fn tries(&self, call: &Call<'_>) -> Result<ProviderAnswer, ProviderFailure> {
        let address = call.address(&self.shared.base_url)?;
        let queue = self.queue(call.lane());
        let _place = queue.places.try_acquire().map_err(|_| ProviderFailure::Busy)?;
        let _turn = queue.turns.acquire().await.map_err(|_| ProviderFailure::Busy)?;
        let mut tries = 1;
        loop {
            match self.try_once(call, address.clone()).await {
                Err(failure) if tries < TRIES_MAX && failure.may_pass(call.is_repeatable) => {
                    sleep(Duration::from_millis(rand::random_range(PAUSE_MILLISECONDS))).await;
                    tries += 1;
                }
                answer => return answer,
            }
        }
    }

    async fn try_once(&self, call: &Call<'_>, address: Url) -> Result<ProviderAnswer, ProviderFailure> {
        let request = self.shared.http.request(call.method.clone(), address);
        let mut request = request
            .header(KEY_HEADER, self.shared.key.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json");
        if let Some(known) = &call.known {
            request = request.header(IF_NONE_MATCH, known);
        }
        if let Some(body) = &call.body {
            request = request.body(body.clone());
        }
        let mut response = request.send().await.map_err(|error| failure(&error))?;
        let status = response.status();
        let is_old = status == StatusCode::NOT_MODIFIED && call.known.is_some();
        let bytes_max = if status.is_success() { ANSWER_BYTES_MAX } else { REFUSAL_BYTES_MAX };
        let body = read(&mut response, bytes_max).await;
        if !status.is_success() && !is_old {
            // What says why is of use when it can be read, and not missed when it can't.
            return Err(ProviderFailure::Status(
                status,
                body.ok().and_then(|body| message(&body)),
                retry_after(&response),
            ));
        }
        let body = body?;
        if !body.is_empty() && serde_json::from_slice::<IgnoredAny>(&body).is_err() {
            return Err(ProviderFailure::Unreadable);
        }
        Ok(ProviderAnswer { body, version: version(&response), is_old, template: call.template })
    }

    /// Logs what failed, without anything of what was sent or answered.
    fn tell(&self, call: &Call<'_>, failure: Option<&ProviderFailure>) {
        let (method, path) = (&call.method, call.template);
        let Some(failure) = failure.filter(|failure| !failure.is_an_answer()) else {
            if self.shared.is_away.swap(false, Ordering::Relaxed) {
                tracing::info!("the external data provider answers again");
            }
            return;
        };
        let status = failure.status();
        let is_first = !matches!(failure, ProviderFailure::Unaddressable | ProviderFailure::Busy)
            && !self.shared.is_away.swap(true, Ordering::Relaxed);
        if is_first {
            tracing::warn!(%method, path, status, %failure, "the external data provider fails; what is here goes on being used");
        } else if call.is_quiet {
            tracing::debug!(%method, path, status, %failure, "a call of the external data provider has failed");
        } else {
            tracing::warn!(%method, path, status, %failure, "a call of the external data provider has failed");
        }
    }
}

/// What failed, without the address: it may name a person.
fn failure(error: &reqwest::Error) -> ProviderFailure {
    let mut cause: Option<&(dyn StdError + 'static)> = error.source();
    let mut innermost = None;
    while let Some(inner) = cause {
        innermost = Some(inner);
        cause = inner.source();
    }
    let reason = innermost.map_or_else(|| "the request failed".to_owned(), ToString::to_string);
    if error.is_connect() { ProviderFailure::NotConnected(reason) } else { ProviderFailure::Broken(reason) }
}

async fn read(response: &mut Response, bytes_max: usize) -> Result<Bytes, ProviderFailure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failure(&error))? {
        if body.len() + chunk.len() > bytes_max {
            return Err(ProviderFailure::Unreadable);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.into())
}

fn retry_after(response: &Response) -> Option<Duration> {
    response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

fn version(response: &Response) -> Option<String> {
    let version = response.headers().get(ETAG)?.to_str().ok()?;
    (version.len() <= VERSION_BYTES_MAX).then(|| version.to_owned())
}
