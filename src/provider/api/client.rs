//! The calls to the external data provider: how many at once, how long they may take, when they are repeated, and how
//! answers are read. The meaning of each call is in the file of its resource.

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
use tokio::time::timeout;
use url::Url;
use uuid::Uuid;

use super::call::{Call, Lane};
use super::failure::{ProviderFailure, message};
use crate::clock::Clock;
use crate::config::ExternalConfig;
use crate::error::Error;
use crate::outgoing::kind::Judgement;
use crate::provider::contract::KEY_HEADER;
use crate::tls;

/// Calls about people that are in progress at once. Sign-ins and the work of staff come in crowds, and are small.
const CALLS_AT_ONCE: usize = 32;
/// Calls for banks that are in progress at once. Their answers are large, up to [`ANSWER_BYTES_MAX`] each.
const BANK_CALLS_AT_ONCE: usize = 4;
/// Calls for reports that are in progress at once.
const REPORT_CALLS_AT_ONCE: usize = 8;
/// Calls with finished tests and edits that are in progress at once. The sender sends one at a time for each kind.
const SENDING_CALLS_AT_ONCE: usize = 4;
/// Calls in progress or waiting, for each call that may be in progress. More are refused at once: a crowd that waits
/// for a slow service would only grow.
const WAITING_PER_TURN_MAX: usize = 16;
/// Bytes of an answer: enough for a bank of some ten thousand questions.
const ANSWER_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// Bytes of an answer that reports an error. Only its one sentence is read.
const REFUSAL_BYTES_MAX: usize = 64 * 1_024;
/// Bytes of an `ETag`. A longer one is not used, since it has to be kept and sent back.
const VERSION_BYTES_MAX: usize = 1_024;
/// Attempts of one call, including the first. All of them share the time of one call.
const TRIES_MAX: u32 = 3;
/// The pause between two attempts. It is random, so that the callers of a service that has just failed do not all come
/// back at once.
const PAUSE_MILLISECONDS: std::ops::RangeInclusive<u64> = 50..=200;
/// How long an unused connection is kept open.
const IDLE: Duration = Duration::from_secs(90);
/// How long callers with a copy do not wait for the service after a failure.
const RESTS: Duration = Duration::from_secs(2);
const USER_AGENT: &str = concat!("ExamHall/", env!("CARGO_PKG_VERSION"));

/// Makes the calls to the external service. Clones share the connections.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    clock: Clock,
    http: reqwest::Client,
    base_url: Url,
    key: HeaderValue,
    timeout: Duration,
    banks: Queue,
    reports: Queue,
    sending: Queue,
    people: Queue,
    /// Whether the last call failed, so that an outage is logged once.
    is_away: AtomicBool,
}

/// The calls of one lane.
struct Queue {
    places: Semaphore,
    turns: Semaphore,
    /// When a caller last waited without success.
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

/// A successful answer: 2xx or 304.
#[derive(Debug)]
pub struct ProviderAnswer {
    /// JSON, or nothing.
    pub body: Bytes,
    /// The `ETag` of the answer.
    pub version: Option<String>,
    /// Whether the caller's version is still the latest (304).
    pub is_old: bool,
    /// The address of the call, with names in place of ids and e-mail addresses.
    pub template: &'static str,
}

impl ProviderAnswer {
    /// Parses the body.
    ///
    /// # Errors
    /// When the body has another shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ProviderFailure> {
        self.shaped(|value| serde_json::from_value(value).map_err(|_| ProviderFailure::Unreadable))
    }

    /// Parses the body, and reads the JSON with `understand`.
    ///
    /// # Errors
    /// When the body is not JSON, or `understand` rejects it.
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
            );
        })
    }
}

impl ProviderAnswer {
    /// Checks that a change was made: the body is an object without an error, or empty.
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

    /// Checks that a transfer was accepted, which must be said in the exact words of the contract: a finished test is
    /// not sent again after this.
    fn taken(&self) -> Result<(), ProviderFailure> {
        self.shaped(
            |value| if value.get("ok") == Some(&Value::Bool(true)) { Ok(()) } else { Err(ProviderFailure::Unreadable) },
        )
    }
}

impl Client {
    /// Makes no call yet.
    ///
    /// # Errors
    /// When no client can be made.
    pub fn new(config: &ExternalConfig, clock: Clock) -> Result<Self, Error> {
        // When a process installs the crypto provider a second time, the call fails and the first one stays. It is the
        // same.
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = tls::client()
            .map_err(Error::internal)?
            .redirect(Policy::none())
            .no_proxy()
            .user_agent(USER_AGENT)
            .pool_idle_timeout(IDLE);
        let mut key = HeaderValue::from_bytes(config.key.reveal()).map_err(Error::internal)?;
        key.set_sensitive(true);
        let shared = Shared {
            clock,
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

    /// The time for one call with all its attempts.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        self.shared.timeout
    }

    /// Makes a call. It is repeated when that is safe and may help, within the time of a single call.
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
    /// See [`ProviderFailure`]. Also when the answer does not say that the change was made.
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

    /// Sends a finished test, which replaces one of the same id.
    pub async fn put_session(&self, session_id: Uuid, json: String) -> Judgement {
        let id = session_id.to_string();
        let call = Call::new(Method::PUT, "sessions/{id}", &[&id]).carrying_json(json).quietly();
        self.send(call).await.and_then(|answer| answer.taken()).into()
    }

    /// Sends an entry of the edit log.
    pub async fn post_edit_log(&self, json: String) -> Judgement {
        let call = Call::new(Method::POST, "edit-log", &[]).carrying_json(json).quietly();
        self.order(call).await.into()
    }

    /// Fetches a finished test as JSON. `None` when the service has none of that id.
    ///
    /// # Errors
    /// When the service fails or is too slow.
    pub async fn session(&self, session_id: Uuid) -> Result<Option<String>, Error> {
        let id = session_id.to_string();
        match self.send(Call::get("sessions/{id}", &[&id])).await {
            Ok(answer) => Ok(Some(String::from_utf8(answer.body.to_vec()).map_err(|_| ProviderFailure::Unreadable)?)),
            Err(failure) if failure.is_unknown() => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Notes that a caller has waited for a call of this lane without success.
    pub fn trip(&self, lane: Lane) {
        self.queue(lane).trip(Some(Instant::now()));
    }

    /// Whether that happened just now, and no call of this lane has succeeded since.
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
                    self.shared.clock.sleep(Duration::from_millis(rand::random_range(PAUSE_MILLISECONDS))).await;
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
        let body = read_body(&mut response, bytes_max).await;
        if !status.is_success() && !is_old {
            // The body may say why. It is used when it can be read, and not needed when it cannot.
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

    /// Logs a failure, without any data that was sent or received.
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

/// Describes a failure without the address of the call, because that may name a person.
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

async fn read_body(response: &mut Response, bytes_max: usize) -> Result<Bytes, ProviderFailure> {
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
