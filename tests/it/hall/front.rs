//! A faulty data provider: it forwards calls to a real one and changes the answers.

use std::sync::Arc;

use reqwest::Method;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::process::http_client;
use super::receiver::{Call, read_call};

/// An answer on its way.
#[derive(Clone, Debug)]
pub struct Passed {
    /// The status; 0 for an answer that never comes.
    pub status: u16,
    /// `Content-Type`.
    pub kind: String,
    pub body: Vec<u8>,
}

impl Passed {
    /// Another answer, as JSON.
    pub fn json(status: u16, body: &str) -> Self {
        Self { status, kind: "application/json".to_owned(), body: body.into() }
    }
}

/// Changes the answer to a call.
pub type Change = fn(&Call, Passed) -> Passed;

/// A server on a free port; it ends when it is dropped.
pub struct Front {
    /// `http://127.0.0.1:<port>`.
    pub base: String,
    task: JoinHandle<()>,
}

impl Front {
    /// Before the server at that base.
    pub async fn before(base: &str, change: Change) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (behind, client) = (Arc::new(base.to_owned()), http_client());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(pass(stream, behind.clone(), client.clone(), change));
            }
        });
        Self { base: format!("http://{address}"), task }
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(mut stream: TcpStream, behind: Arc<String>, client: reqwest::Client, change: Change) {
    let Some(call) = read_call(&mut stream).await else { return };
    let (method, path) = call.line.split_once(' ').unwrap();
    let mut request = client
        .request(Method::from_bytes(method.as_bytes()).unwrap(), format!("{behind}{path}"))
        .body(call.body.clone());
    for name in ["x-api-key", "content-type", "if-none-match"] {
        if let Some(value) = call.headers.get(name) {
            request = request.header(name, value);
        }
    }
    let answer = request.send().await.unwrap();
    let kind = answer.headers().get("content-type").map_or(String::new(), |kind| kind.to_str().unwrap().to_owned());
    let told = Passed { status: answer.status().as_u16(), kind, body: answer.bytes().await.unwrap().to_vec() };
    let Passed { status, kind, body } = change(&call, told);
    if status == 0 {
        std::future::pending::<()>().await;
    }
    let head = format!(
        "HTTP/1.1 {status} Told\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(&[head.as_bytes(), &body].concat()).await;
}
