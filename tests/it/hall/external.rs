//! An external data provider that answers each call as the test tells it to, and records the calls.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::receiver::read_call;
use super::{Call, Hall};

/// What it wants to be sent as `X-API-Key`.
pub const KEY: &str = "key-of-the-external-service";
/// Questions of each grade.
const QUESTIONS: usize = 60;

/// How a call is answered.
#[derive(Clone, Debug)]
pub enum Told {
    /// With a status and JSON.
    Json(u16, Value),
    /// With a status, further header lines and any text.
    Text(u16, &'static str, String),
    /// 200, with a body that ends before its end.
    Half,
    /// Never, while the connection stays open.
    Hang,
    /// Not at all: the connection is closed.
    Cut,
    /// After this much time.
    Late(Duration, Box<Self>),
    /// Like the last field; from this call on, calls of that line are answered like the second field.
    Turning(&'static str, Box<Self>, Box<Self>),
}

impl Told {
    /// `{ "error": … }`.
    pub fn error(status: u16, message: &str) -> Self {
        Self::Json(status, json!({ "error": message }))
    }

    /// `{ "ok": true }`.
    pub fn done() -> Self {
        Self::Json(200, json!({ "ok": true }))
    }

    /// A page, as a proxy shows one.
    pub fn page(status: u16) -> Self {
        Self::Text(status, "content-type: text/html\r\n", "<html>Secret cause</html>".to_owned())
    }
}

#[derive(Default)]
struct Script {
    calls: Vec<Call>,
    next: BTreeMap<String, VecDeque<Told>>,
    told: BTreeMap<String, Told>,
    instead: Option<Told>,
}

/// A server on a free port; it ends when it is dropped.
pub struct External {
    /// Where it listens.
    pub address: SocketAddr,
    script: Arc<Mutex<Script>>,
    task: Option<JoinHandle<()>>,
}

impl External {
    /// With a bank for every grade, nobody, and nothing else.
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut external = Self { address: listener.local_addr().unwrap(), script: Arc::default(), task: None };
        for grade in 1..=10 {
            external
                .on(&format!("GET /v1/questions?grade={grade}"), Told::Json(200, json!({ "questions": bank(grade) })));
            external.on(&format!("GET /v1/edit-log?grade={grade}"), Told::Json(200, json!([])));
        }
        for (path, empty) in [
            ("reviews", json!({})),
            ("edit-log", json!([])),
            ("assignments", json!([])),
            ("manager-assignments", json!([])),
        ] {
            external.on(&format!("GET /v1/{path}"), Told::Json(200, empty));
        }
        external.on("GET /v1/grade-approvals", Told::Json(200, json!([])));
        external.on("POST /v1/edit-log", Told::done());
        external.listen(listener);
        external
    }

    fn listen(&mut self, listener: TcpListener) {
        let script = Arc::clone(&self.script);
        self.task = Some(tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(answer(stream, Arc::clone(&script)));
            }
        }));
    }

    /// Stops listening, and breaks open connections.
    pub async fn close(&mut self) {
        let task = self.task.take().unwrap();
        task.abort();
        let _ = task.await;
    }

    pub async fn reopen(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.listen(listener);
    }

    /// A server whose data is here.
    pub async fn hall(&self) -> Hall {
        self.hall_with(&[]).await
    }

    /// The same with other settings.
    pub async fn hall_with(&self, changes: &[(&str, &str)]) -> Hall {
        let base_url = self.base_url();
        Hall::with(&[&settings(&base_url)[..], changes].concat()).await
    }

    /// A second server of that store, whose data is here too.
    pub async fn beside(&self, hall: &Hall) -> Hall {
        hall.beside_with(&settings(&self.base_url())).await
    }

    /// The same, which only reads.
    pub async fn reading_beside(&self, hall: &Hall) -> Hall {
        let base_url = self.base_url();
        hall.beside_with(&[&settings(&base_url)[..], &[("READ_ONLY", "true")]].concat()).await
    }

    fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Answers calls of that line, such as `GET /v1/reviews`, like this from now on.
    pub fn on(&self, line: &str, told: Told) {
        self.script.lock().unwrap().told.insert(line.to_owned(), told);
    }

    /// Answers the next calls of that line like this, and then as before.
    pub fn then(&self, line: &str, told: impl IntoIterator<Item = Told>) {
        self.script.lock().unwrap().next.entry(line.to_owned()).or_default().extend(told);
    }

    /// Answers every call like this; `None` ends that.
    pub fn always(&self, told: Option<Told>) {
        self.script.lock().unwrap().instead = told;
    }

    /// Someone whom it knows.
    pub fn user(&self, email: &str, role: &str) {
        let user = json!({ "email": email, "name": "Somebody", "image": "", "role": role, "createdAt": "2026-01-05T09:00:00.000Z", "lastLogin": null });
        for method in ["GET", "PATCH"] {
            self.on(&format!("{method} {}", user_path(email)), Told::Json(200, user.clone()));
        }
    }

    /// The recorded calls whose lines begin like this, in order.
    pub fn calls(&self, line: &str) -> Vec<Call> {
        self.script.lock().unwrap().calls.iter().filter(|call| call.line.starts_with(line)).cloned().collect()
    }

    /// Forgets the recorded calls.
    pub fn forget(&self) {
        self.script.lock().unwrap().calls.clear();
    }
}

impl Drop for External {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// With an address in `ADMIN_EMAIL`, so that nobody becomes admin by signing in first.
fn settings(base_url: &str) -> [(&str, &str); 5] {
    [
        ("ADMIN_EMAIL", "nobody-yet@exam.test"),
        ("DATA_PROVIDER", "api"),
        ("EXTERNAL_API_BASE_URL", base_url),
        ("EXTERNAL_API_KEY", KEY),
        ("EXTERNAL_API_TIMEOUT_MS", "1000"),
    ]
}

/// `/v1/users/…`, encoded as the contract says.
pub fn user_path(email: &str) -> String {
    format!("/v1/users/{}", url::form_urlencoded::byte_serialize(email.as_bytes()).collect::<String>())
}

/// A bank with questions of every difficulty.
pub fn bank(grade: u8) -> Vec<Value> {
    (0..QUESTIONS).map(|number| question(&format!("x{grade}-{number:03}"), grade, number)).collect()
}

fn question(id: &str, grade: u8, number: usize) -> Value {
    json!({
        "id": id, "grade": grade, "topic": "Numbers", "subtopic": "Sums", "difficulty": number % 5 + 1, "source": "external",
        "type": "multiple-choice", "question": format!("{number} + 1?"), "options": [number.to_string(), (number + 1).to_string(), "7/8", "none"],
        "answer": "B", "explanation": "Count on.", "image": "",
        "imageDescription": ""
    })
}

async fn answer(mut stream: TcpStream, script: Arc<Mutex<Script>>) {
    while let Some(call) = read_call(&mut stream).await {
        let told = {
            let mut script = script.lock().unwrap();
            let line = call.line.clone();
            script.calls.push(call);
            let next = script.next.get_mut(&line).and_then(VecDeque::pop_front);
            let told = next.or_else(|| script.instead.clone()).or_else(|| script.told.get(&line).cloned());
            match told.unwrap_or_else(|| Told::error(404, "Not found")) {
                Told::Turning(other, later, now) => {
                    script.told.insert(other.to_owned(), *later);
                    *now
                }
                told => told,
            }
        };
        if tell(&mut stream, told).await.is_none() {
            return;
        }
    }
}

async fn tell(stream: &mut TcpStream, mut told: Told) -> Option<()> {
    while let Told::Late(time, later) = told {
        tokio::time::sleep(time).await;
        told = *later;
    }
    let (status, headers, body) = match told {
        Told::Json(status, body) => (status, "content-type: application/json\r\n", body.to_string()),
        Told::Text(status, headers, body) => (status, headers, body),
        Told::Half => {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"questions\":[").await;
            return None;
        }
        Told::Hang => return std::future::pending().await,
        Told::Cut | Told::Late(..) | Told::Turning(..) => return None,
    };
    let head = format!("HTTP/1.1 {status} Told\r\n{headers}content-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(head.as_bytes()).await.ok()
}
