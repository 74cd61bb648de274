//! HTTP clients and the answers they get.

use std::io::Read;
use std::sync::OnceLock;

use reqwest::header::HeaderMap;
use reqwest::{Client, ClientBuilder, Method, RequestBuilder};
use serde_json::Value;

/// A client with or without a token.
#[derive(Clone)]
pub struct Caller {
    base: String,
    token: Option<String>,
    client: Client,
}

/// An answer, read to its end and not decoded.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The bytes as they were sent.
    pub body: Vec<u8>,
}

impl Caller {
    /// Calls the server at `base`.
    pub fn new(base: &str, token: Option<&str>) -> Self {
        Self { base: base.to_owned(), token: token.map(str::to_owned), client: client() }
    }

    /// Calls the server at `base` over TLS, and believes this certificate alone.
    pub fn believing(base: &str, certificate: &str) -> Self {
        let believed = reqwest::Certificate::from_pem(certificate.as_bytes()).unwrap();
        let client = settings().tls_certs_only([believed]).build().unwrap();
        Self { base: base.to_owned(), token: None, client }
    }

    /// A request to be added to.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        Answer::to(self.request(Method::GET, path)).await
    }

    /// GET with one more header.
    pub async fn get_with(&self, path: &str, name: &str, value: &str) -> Answer {
        Answer::to(self.request(Method::GET, path).header(name, value)).await
    }

    pub async fn post_json(&self, path: &str, body: &Value) -> Answer {
        Answer::to(self.request(Method::POST, path).json(body)).await
    }

    /// POST of any text as JSON.
    pub async fn post_text(&self, path: &str, body: impl Into<String>) -> Answer {
        Answer::to(self.request(Method::POST, path).header("content-type", "application/json").body(body.into())).await
    }
}

impl Answer {
    /// The answer to a request.
    pub async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, body: response.bytes().await.unwrap().to_vec() }
    }

    /// The status of the answer to a request whose body the server does not want. `None` when the server has broken off
    /// the connection before all of the body was sent, as it may.
    pub async fn status_unless_cut(request: RequestBuilder) -> Option<u16> {
        match request.send().await {
            Ok(answer) => Some(answer.status().as_u16()),
            Err(error) => {
                assert!(error.is_request() && !error.is_connect() && !error.is_timeout(), "{error:?}");
                None
            }
        }
    }

    /// The status of the answer to a request; `None` when there is no connection.
    pub async fn status_if_connected(request: RequestBuilder) -> Option<u16> {
        request.send().await.ok().map(|answer| answer.status().as_u16())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{} is not JSON ({error}): {}", self.status, self.text()))
    }

    /// The body without its compression.
    pub fn decoded(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.header("content-encoding") {
            "gzip" => flate2::read::GzDecoder::new(&self.body[..]).read_to_end(&mut bytes),
            "br" => brotli::Decompressor::new(&self.body[..], 4096).read_to_end(&mut bytes),
            other => panic!("encoding {other}"),
        }
        .unwrap();
        bytes
    }

    /// A header, or the empty text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Asserts the status and the whole body of an error.
    #[track_caller]
    pub fn assert_error(&self, status: u16, message: &str) {
        assert_eq!((self.status, self.text()), (status, serde_json::json!({ "error": message }).to_string()));
        assert!(self.header("content-type").starts_with("application/json"), "{}", self.header("content-type"));
    }

    /// Asserts the status and the whole body of an error of a live exam.
    #[track_caller]
    pub fn assert_fault(&self, status: u16, message: &str, code: &str) {
        assert_eq!((self.status, self.json()), (status, serde_json::json!({ "error": message, "code": code })));
        assert!(self.header("content-type").starts_with("application/json"), "{}", self.header("content-type"));
    }

    /// Asserts the status and that the body is an error with some sentence, and of a live exam with its code.
    #[track_caller]
    pub fn assert_some_error(&self, status: u16) {
        assert_eq!(self.status, status, "{}", self.text());
        let body = self.json();
        let message = body["error"].as_str().unwrap_or_default();
        let names = 1 + usize::from(body["code"].is_string());
        assert!(body.as_object().unwrap().len() == names && !message.is_empty(), "{body}");
        assert_tells_nothing(message);
    }
}

/// Asserts that a message reveals no cause, path or SQL.
#[track_caller]
pub fn assert_tells_nothing(message: &str) {
    for word in ["SELECT", "INSERT", "sqlx", "sqlite", "postgres", "src/", "line ", "serde", "panicked", "::"] {
        assert!(!message.contains(word), "{message}");
    }
}

/// A client that follows no redirects, uses no proxy and decodes nothing.
fn client() -> Client {
    // Reading the system's certificates would take longer than most tests, which speak to no server with one.
    settings().tls_certs_only([]).build().unwrap()
}

fn settings() -> ClientBuilder {
    static PROVIDER: OnceLock<()> = OnceLock::new();
    PROVIDER.get_or_init(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let builder = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    builder.timeout(super::PATIENCE * 3)
}
