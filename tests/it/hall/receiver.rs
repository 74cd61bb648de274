//! An LMS that receives webhooks: it records what arrives, and answers as the test tells it to.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::{Hall, eventually};

/// A request that arrived.
#[derive(Clone, Debug)]
pub struct Call {
    /// Such as `POST /hook`.
    pub line: String,
    /// By lower-case name.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// How a request is answered.
#[derive(Clone, Debug)]
pub enum Reply {
    /// With a status and header lines.
    Status(u16, String),
    /// With 200, after this time.
    After(Duration),
    /// Never, while the connection stays open.
    Hang,
    /// 200, with a body that has no end.
    Endless,
}

/// A server on a free port; it ends when it is dropped.
pub struct Receiver {
    /// Where it listens.
    pub address: SocketAddr,
    record: Arc<Mutex<Record>>,
    task: JoinHandle<()>,
}

struct Record {
    calls: Vec<Call>,
    next: VecDeque<Reply>,
    otherwise: Reply,
    /// Requests that wait for their answer now, and the most of them so far.
    open: usize,
    most_open: usize,
}

impl Reply {
    /// A status without more.
    pub fn status(status: u16) -> Self {
        Self::Status(status, String::new())
    }
}

impl Call {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn is_of_sitting(&self) -> bool {
        serde_json::from_slice::<Value>(&self.body).is_ok_and(|body| body["event"] == "sitting.ended")
    }

    /// A header that must be there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no header {name}: {:?}", self.headers))
    }
}

impl Receiver {
    /// Answers 200.
    pub async fn open() -> Self {
        Self::answering(Reply::status(200)).await
    }

    /// Answers each request like this.
    pub async fn answering(otherwise: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let record = Record { calls: Vec::new(), next: VecDeque::new(), otherwise, open: 0, most_open: 0 };
        let record = Arc::new(Mutex::new(record));
        let (address, shared) = (listener.local_addr().unwrap(), record.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, shared.clone()));
            }
        });
        Self { address, record, task }
    }

    /// Answers the next requests like this, in this order.
    pub fn then(&self, replies: impl IntoIterator<Item = Reply>) {
        self.record.lock().unwrap().next.extend(replies);
    }

    /// From now on answers like this.
    pub fn always(&self, reply: Reply) {
        self.record.lock().unwrap().otherwise = reply;
    }

    /// A link to it.
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// What has arrived of tests, in its order. The end of a sitting is told when its log begins, at any moment
    /// between.
    pub fn calls(&self) -> Vec<Call> {
        self.everything().into_iter().filter(|call| !call.is_of_sitting()).collect()
    }

    /// What has arrived of the ends of sittings.
    pub fn sitting_events(&self) -> Vec<Call> {
        self.everything().into_iter().filter(Call::is_of_sitting).collect()
    }

    /// All that has arrived.
    pub fn everything(&self) -> Vec<Call> {
        self.record.lock().unwrap().calls.clone()
    }

    /// How many requests have waited for their answers at the same time.
    pub fn most_open(&self) -> usize {
        self.record.lock().unwrap().most_open
    }

    /// Waits until this many requests have arrived.
    pub async fn wait_for(&self, count: usize) -> Vec<Call> {
        eventually(&format!("{count} webhooks"), async || Some(self.calls()).filter(|calls| calls.len() >= count)).await
    }

    /// Lets a server look for what is due, by two deliveries to somebody else: what was due before has been sent by
    /// then.
    pub async fn let_others_be_told(hall: &Hall) {
        let other = Self::open().await;
        for arrived in 1..=2 {
            let start = json!({ "grade": 5, "questionCount": 10, "webhookUrl": other.url() });
            hall.sit(start).await.submit().await;
            other.wait_for(arrived).await;
        }
    }

    /// Asserts that this many requests have arrived, and that no further one is due.
    pub async fn expect_only(&self, hall: &Hall, count: usize) {
        Self::let_others_be_told(hall).await;
        assert_eq!(self.calls().len(), count, "{:?}", self.calls());
    }

    /// Asserts that no more than this many requests arrive within a time, where no clock can be moved.
    pub async fn expect_no_more_than(&self, count: usize, time: Duration) {
        tokio::time::sleep(time).await;
        assert_eq!(self.calls().len(), count, "{:?}", self.calls());
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(mut stream: TcpStream, record: Arc<Mutex<Record>>) {
    let Some(call) = read_call(&mut stream).await else { return };
    let reply = {
        let mut record = record.lock().unwrap();
        record.calls.push(call);
        record.open += 1;
        record.most_open = record.most_open.max(record.open);
        record.next.pop_front().unwrap_or_else(|| record.otherwise.clone())
    };
    reply_with(&mut stream, reply).await;
    record.lock().unwrap().open -= 1;
}

async fn reply_with(stream: &mut TcpStream, reply: Reply) {
    match reply {
        Reply::Status(status, headers) => {
            let head = format!("HTTP/1.1 {status} Told\r\n{headers}content-length: 2\r\nconnection: close\r\n\r\nok");
            let _ = stream.write_all(head.as_bytes()).await;
        }
        Reply::After(time) => {
            tokio::time::sleep(time).await;
            let _ = stream.write_all(b"HTTP/1.1 200 Told\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok").await;
        }
        Reply::Hang => while read_more(stream, &mut Vec::new()).await.is_some() {},
        Reply::Endless => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n").await;
            while stream.write_all(&[b'x'; 1024]).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

/// A request, read to its end.
pub(super) async fn read_call(stream: &mut TcpStream) -> Option<Call> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        read_more(stream, &mut bytes).await?;
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).ok()?;
    let mut lines = head.split("\r\n");
    let line = lines.next()?.trim_end_matches(" HTTP/1.1").to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let length: usize = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    while bytes.len() < head_end + 4 + length {
        read_more(stream, &mut bytes).await?;
    }
    Some(Call { line, headers, body: bytes[head_end + 4..].to_vec() })
}

async fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut chunk = [0; 4096];
    let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
    bytes.extend_from_slice(&chunk[..count]);
    Some(())
}
