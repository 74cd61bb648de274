//! Posts to an address that anyone may have named: only to public hosts, briefly, and reading little of the answer.

use std::error::Error as StdError;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use domain::time::moment::Moment;
use domain::webhook_target::{TargetPolicy, TargetRefusal, WebhookTarget};
use moka::future::Cache;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use thiserror::Error;

/// For the whole request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Read of an answer, so that its connection can serve again; what it says is not kept.
const ANSWER_BYTES_MAX: usize = 4 * 1_024;
/// Hosts whose connections are kept.
const HOSTS_MAX: u64 = 256;
/// How long a host's connections are kept without use.
const HOST_IDLE: Duration = Duration::from_secs(90);
const USER_AGENT: &str = concat!("ExamHall/", env!("CARGO_PKG_VERSION"));

/// One event to post.
pub struct Post {
    /// As JSON.
    pub body: String,
    /// Beside `Content-Type` and `User-Agent`.
    pub headers: Vec<(&'static str, String)>,
}

/// What the receiver answered.
#[derive(Debug, PartialEq, Eq)]
pub struct ReceiverAnswer {
    /// HTTP status.
    pub status: u16,
    /// When it wants to be asked again.
    pub retry_after: Option<Duration>,
}

/// Why there was no answer.
#[derive(Debug, Error)]
pub enum PostError {
    /// The target may not be reached; trying again changes nothing.
    #[error(transparent)]
    Refused(#[from] TargetRefusal),
    /// Not reached, or not in time.
    #[error("{0}")]
    Failed(String),
}

/// Posts webhooks.
pub struct WebhookClient {
    targets: TargetPolicy,
    clients: Cache<(String, u16, bool), Client>,
}

impl WebhookClient {
    /// Reaches what the policy lets it.
    #[must_use]
    pub fn new(targets: TargetPolicy) -> Self {
        Self { targets, clients: Cache::builder().max_capacity(HOSTS_MAX).time_to_idle(HOST_IDLE).build() }
    }

    /// Posts once.
    ///
    /// # Errors
    /// When the target is refused, or does not answer.
    pub async fn post(&self, url: &str, post: Post, now: Moment) -> Result<ReceiverAnswer, PostError> {
        let target = self.targets.check(url)?;
        let client = self.client_for(&target).await?;
        let mut request = client.post(target.url).header(CONTENT_TYPE, "application/json").body(post.body);
        for (name, value) in post.headers {
            request = request.header(name, value);
        }
        let mut response = request.send().await.map_err(|error| failure(&error))?;
        let answer = ReceiverAnswer { status: response.status().as_u16(), retry_after: retry_after(&response, now) };
        read_a_little(&mut response).await;
        Ok(answer)
    }

    /// A client for one host and port, since a resolver is told the name alone.
    async fn client_for(&self, target: &WebhookTarget) -> Result<Client, PostError> {
        let place = (target.host.clone(), target.port, target.is_trusted);
        let resolver =
            PublicResolver { targets: self.targets.clone(), port: target.port, is_trusted: target.is_trusted };
        let client = async move {
            Client::builder()
                .redirect(Policy::none())
                .no_proxy()
                .timeout(REQUEST_TIMEOUT)
                .user_agent(USER_AGENT)
                .pool_idle_timeout(HOST_IDLE)
                .dns_resolver(Arc::new(resolver))
                .build()
        };
        self.clients.try_get_with(place, client).await.map_err(|error| PostError::Failed(format!("no client: {error}")))
    }
}

/// Resolves names to those of their addresses that may be reached: what was checked is what is connected to.
struct PublicResolver {
    targets: TargetPolicy,
    port: u16,
    is_trusted: bool,
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (targets, port, is_trusted) = (self.targets.clone(), self.port, self.is_trusted);
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), port)).await?.collect();
            let reachable: Vec<SocketAddr> =
                found.into_iter().filter(|address| is_trusted || targets.may_connect(address.ip(), port)).collect();
            if reachable.is_empty() {
                return Err(TargetRefusal::Address.into());
            }
            Ok(Box::new(reachable.into_iter()) as Addrs)
        })
    }
}

/// What failed, without the address: errors of the client name it, and it may hold a secret.
fn failure(error: &reqwest::Error) -> PostError {
    let mut cause: Option<&(dyn StdError + 'static)> = error.source();
    let mut innermost = None;
    while let Some(inner) = cause {
        if let Some(refusal) = inner.downcast_ref::<TargetRefusal>() {
            return PostError::Refused(*refusal);
        }
        innermost = Some(inner);
        cause = inner.source();
    }
    if error.is_timeout() {
        return PostError::Failed("no answer in time".to_owned());
    }
    PostError::Failed(innermost.map_or_else(|| "the request failed".to_owned(), ToString::to_string))
}

fn retry_after(response: &Response, now: Moment) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = DateTime::parse_from_rfc2822(text).ok()?.timestamp_millis();
    u64::try_from(until - now.milliseconds()).ok().map(Duration::from_millis)
}

async fn read_a_little(response: &mut Response) {
    let mut read = 0;
    while let Ok(Some(chunk)) = response.chunk().await {
        read += chunk.len();
        if read >= ANSWER_BYTES_MAX {
            break;
        }
    }
}
