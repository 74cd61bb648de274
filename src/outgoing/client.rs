//! The HTTP client for what leaves the server by itself. Others name the addresses, so it connects only to public
//! hosts, gives up soon, and reads little of the answer.

use std::error::Error as StdError;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use chrono::DateTime;
use domain::time::moment::Moment;
use domain::webhook_target::{TargetPolicy, TargetRefusal, WebhookTarget};
use moka::future::Cache;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, LINK, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response};
use thiserror::Error;

use crate::tls;

/// Limit for the whole request, from the lookup of the name to the answer. Receivers are asked to answer quickly.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Limit for the connection alone, within the limit for the request: a host that is away must not keep its place for
/// longer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Bytes read of an answer. A short answer is read to its end so that the connection can be reused. It is kept until it
/// is known what it means.
const ANSWER_BYTES_MAX: usize = 4 * 1_024;
/// Hosts whose connections are kept.
const HOSTS_MAX: u64 = 256;
/// How long the unused connections of a host are kept.
const HOST_IDLE: Duration = Duration::from_secs(90);
/// How the reason begins where there was no connection, so that nothing was sent.
pub const NO_CONNECTION: &str = "no connection: ";
const USER_AGENT: &str = concat!("ExamHall/", env!("CARGO_PKG_VERSION"));

/// Name and value.
pub type Header = (&'static str, String);

/// What is posted, without the headers that belong to one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub url: String,
    /// The value of `Content-Type`.
    pub media_type: &'static str,
    pub body: String,
}

#[derive(Debug, PartialEq, Eq)]
pub struct ReceiverAnswer {
    pub status: u16,
    /// How long the receiver asks to be left alone.
    pub retry_after: Option<Duration>,
    /// [`ANSWER_BYTES_MAX`] and a little more, depending on how it arrives.
    pub beginning: String,
}

/// What is asked of a server before something is sent to it, such as a token.
#[derive(Clone, Debug)]
pub struct Inquiry<'a> {
    pub method: Method,
    pub url: &'a str,
    pub headers: Vec<Header>,
    pub body: Option<String>,
    /// The longest answer that is read.
    pub bytes_max: usize,
}

/// An answer that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeAnswer {
    pub status: u16,
    /// How long the server asks to be left alone.
    pub retry_after: Option<Duration>,
    /// All `Link` headers, with commas between them.
    pub link: Option<String>,
    pub body: Vec<u8>,
}

/// Why there was no answer.
#[derive(Debug, Error)]
pub enum PostError {
    /// The target may not be reached; a retry would not change that.
    #[error(transparent)]
    Refused(#[from] TargetRefusal),
    /// The receiver could not be reached, or did not answer in time.
    #[error("{0}")]
    Failed(String),
    /// Nothing was sent, for a reason of this server's own.
    #[error("{0}")]
    Unsent(String),
    /// Nothing was sent, and a retry would not change the reason.
    #[error("{0}")]
    Hopeless(String),
}

pub struct OutgoingClient {
    targets: TargetPolicy,
    clients: Cache<(String, u16, bool), Client>,
}

impl OutgoingClient {
    #[must_use]
    pub fn new(targets: TargetPolicy) -> Self {
        Self { targets, clients: Cache::builder().max_capacity(HOSTS_MAX).time_to_idle(HOST_IDLE).build() }
    }

    /// The `host:port` by which attempts are limited; `None` if the target is impossible.
    pub fn host(&self, url: &str) -> Option<String> {
        self.targets.check(url).ok().map(|target| target.place())
    }

    /// Posts once, with these headers in addition to `Content-Type` and `User-Agent`.
    pub async fn post(&self, letter: Letter, headers: Vec<Header>, now: Moment) -> Result<ReceiverAnswer, PostError> {
        let mut response = self.send(letter, headers).await?;
        let (status, retry_after) = (response.status().as_u16(), retry_after(&response, now));
        let beginning = read_a_little(&mut response).await;
        Ok(ReceiverAnswer { status, retry_after, beginning: String::from_utf8_lossy(&beginning).into_owned() })
    }

    /// Asks once, with these headers in addition to `User-Agent`. An answer that is too long counts as none.
    pub async fn ask(&self, inquiry: Inquiry<'_>, now: Moment) -> Result<WholeAnswer, PostError> {
        let target = self.targets.check(inquiry.url)?;
        let client = self.client_for(&target).await?;
        let mut request = client.request(inquiry.method, target.url);
        for (name, value) in inquiry.headers {
            request = request.header(name, value);
        }
        if let Some(body) = inquiry.body {
            request = request.body(body);
        }
        let mut response = request.send().await.map_err(|error| failure(&error))?;
        let (status, retry_after) = (response.status().as_u16(), retry_after(&response, now));
        let links: Vec<&str> = response.headers().get_all(LINK).iter().filter_map(|link| link.to_str().ok()).collect();
        let link = Some(links.join(", ")).filter(|link| !link.is_empty());
        let body = read_whole(&mut response, inquiry.bytes_max).await?;
        Ok(WholeAnswer { status, retry_after, link, body })
    }

    async fn send(&self, letter: Letter, headers: Vec<Header>) -> Result<Response, PostError> {
        let target = self.targets.check(&letter.url)?;
        let client = self.client_for(&target).await?;
        let mut request = client.post(target.url).header(CONTENT_TYPE, letter.media_type).body(letter.body);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        request.send().await.map_err(|error| failure(&error))
    }

    /// A client for one host and port. Each port needs its own, since a resolver gets only the name and the policy also
    /// checks the port.
    async fn client_for(&self, target: &WebhookTarget) -> Result<Client, PostError> {
        let place = (target.host.clone(), target.port, target.is_trusted);
        let resolver =
            PublicResolver { targets: self.targets.clone(), port: target.port, is_trusted: target.is_trusted };
        let client = async move {
            tls::client()
                .map_err(|error| error.to_string())?
                // A redirect would lead to an address that nobody has checked, and a proxy would connect past the
                // resolver.
                .redirect(Policy::none())
                .no_proxy()
                .timeout(REQUEST_TIMEOUT)
                .connect_timeout(CONNECT_TIMEOUT)
                .user_agent(USER_AGENT)
                .pool_idle_timeout(HOST_IDLE)
                .dns_resolver(Arc::new(resolver))
                .build()
                .map_err(|error| error.to_string())
        };
        self.clients.try_get_with(place, client).await.map_err(|error| PostError::Unsent(format!("no client: {error}")))
    }
}

/// Resolves names to the addresses that may be reached, so that the address that was checked is the one that is
/// connected to. If a name were looked up again after its check, the second answer could differ.
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

/// The cause of a failure without the address: reqwest's errors name the address, and it may contain a secret.
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
    let reason = if error.is_timeout() {
        "no answer in time".to_owned()
    } else {
        innermost.map_or_else(|| "the request failed".to_owned(), ToString::to_string)
    };
    PostError::Failed(if error.is_connect() { format!("{NO_CONNECTION}{reason}") } else { reason })
}

fn retry_after(response: &Response, now: Moment) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = DateTime::parse_from_rfc2822(text).ok()?.timestamp_millis();
    u64::try_from(until - now.milliseconds()).ok().map(Duration::from_millis)
}

async fn read_a_little(response: &mut Response) -> Vec<u8> {
    let mut read = Vec::new();
    while read.len() < ANSWER_BYTES_MAX
        && let Ok(Some(chunk)) = response.chunk().await
    {
        read.extend_from_slice(&chunk);
    }
    read
}

async fn read_whole(response: &mut Response, bytes_max: usize) -> Result<Vec<u8>, PostError> {
    let mut read = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failure(&error))? {
        if read.len() + chunk.len() > bytes_max {
            return Err(PostError::Failed("the answer is too long".to_owned()));
        }
        read.extend_from_slice(&chunk);
    }
    Ok(read)
}
