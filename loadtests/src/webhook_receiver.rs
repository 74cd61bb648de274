//! A receiver of webhooks that collects the events in the order in which they come: a killed server may send an event
//! more than once, but always under the same id.

use crate::failure::Failure;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Longest body that is read. A webhook has a few kilobytes; the limit keeps a wrong header from reserving all memory.
const BODY_BYTES_MAX: usize = 1_048_576;

type Events = Arc<Mutex<Vec<ReceivedEvent>>>;

/// Stands for a school's LMS, on loopback. Dropping it stops it.
pub struct WebhookReceiver {
    address: SocketAddr,
    events: Events,
    task: JoinHandle<()>,
}

/// An event as it came.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceivedEvent {
    /// The id under which it was sent.
    #[serde(skip)]
    pub id: String,
    #[serde(rename = "event")]
    pub kind: String,
    /// Not of events of sittings.
    pub session_id: Option<String>,
    pub version: Option<u32>,
    pub sitting_id: Option<String>,
    pub checkpoint: Option<String>,
}

impl WebhookReceiver {
    pub async fn open() -> Result<Self, Failure> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let (address, events) = (listener.local_addr()?, Events::default());
        let shared = Arc::clone(&events);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let events = Arc::clone(&shared);
                // A request that cannot be read gets no answer, so the server sends it again.
                tokio::spawn(async move { take(stream, &events).await.ok() });
            }
        });
        Ok(Self { address, events, task })
    }

    /// The address to give to the server.
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// The event ids received for each session.
    pub fn events(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut ids = BTreeMap::<String, BTreeSet<String>>::new();
        for event in self.received() {
            if let Some(session_id) = event.session_id {
                ids.entry(session_id).or_default().insert(event.id);
            }
        }
        ids
    }

    /// Everything that has come, in its order.
    pub fn received(&self) -> Vec<ReceivedEvent> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for WebhookReceiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn take(stream: TcpStream, events: &Events) -> Result<(), Failure> {
    let mut stream = BufReader::new(stream);
    let (mut id, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            if line.trim_end().is_empty() { break } else { continue }
        };
        match name.to_ascii_lowercase().as_str() {
            "webhook-id" => value.trim().clone_into(&mut id),
            "content-length" => length = value.trim().parse::<usize>()?.min(BODY_BYTES_MAX),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let event = ReceivedEvent { id, ..serde_json::from_slice(&body)? };
    events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await?;
    Ok(())
}
