//! A client of the server under load: addresses, source ports, sockets and HTTP requests. What the frames say is in
//! `frames`.

use crate::failure::Failure;
use crate::ledger::StoredAttempt;
use crate::socket::{ProctorSocket, Socket, open_proctor_socket};
use reqwest::{Method, Url};
use serde::Deserialize;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::http::Uri;

/// Seats on one loopback source address, below the 28,232 ephemeral ports that Linux gives to one.
const SEATS_PER_ADDRESS: usize = 25_000;
/// HTTP connections that are kept open, and requests that are made at once.
pub const HTTP_CONNECTIONS_MAX: usize = 64;
/// Longest wait for the answer to one HTTP request: a dry run over all tests of a grade may take the server a minute.
const HTTP_LIMIT: Duration = Duration::from_secs(90);
/// Longest wait for the answer to one readiness probe: short, since a server that is starting is asked again.
const READY_LIMIT: Duration = Duration::from_secs(1);

/// The server's answer to an import.
#[derive(Deserialize)]
pub struct ImportResult {
    pub added: u64,
    pub updated: u64,
    pub errors: Vec<String>,
}

/// What an HTTP request got, whatever its status.
pub struct HttpAnswer {
    pub status: u16,
    pub body: Vec<u8>,
}

/// The body of a request, and what it says that it is.
pub struct HttpBody {
    pub content_type: &'static str,
    pub bytes: Vec<u8>,
}

pub struct Server {
    url: Url,
    address: SocketAddr,
    socket_uri: Uri,
    proctor_uri: Uri,
    http: reqwest::Client,
}

impl Server {
    /// Resolves the address, without checking that a server listens there.
    pub async fn at(address: &str) -> Result<Self, Failure> {
        let url = Url::parse(address)?;
        let (Some(host), Some(port), "http") = (url.host_str(), url.port_or_known_default(), url.scheme()) else {
            return Err(
                format!("{address} is not an address like http://127.0.0.1:8080; the generator speaks no TLS").into()
            );
        };
        let name = format!("{host}:{port}");
        let address = tokio::net::lookup_host(&name).await?.next().ok_or("the server's name has no address")?;
        let socket_uri = format!("ws://{name}/api/live").parse()?;
        let proctor_uri = format!("ws://{name}/api/live/proctor").parse()?;
        Ok(Self { url, address, socket_uri, proctor_uri, http: http_client()? })
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Opens the student socket of seat `number`. An error is a code to count.
    pub async fn connect(&self, number: usize) -> Result<Socket, String> {
        let stream = self.stream(number).await.map_err(|error| format!("connect: {}", error.kind()))?;
        Socket::open(stream, self.socket_uri.clone()).await
    }

    pub async fn proctor(&self, token: &str) -> Result<ProctorSocket, Failure> {
        let stream = self.stream(0).await?;
        Ok(open_proctor_socket(stream, self.proctor_uri.clone(), token).await?)
    }

    pub async fn is_ready(&self) -> bool {
        let Ok(url) = self.url.join("/readyz") else { return false };
        self.http.get(url).timeout(READY_LIMIT).send().await.is_ok_and(|answer| answer.status().is_success())
    }

    /// Reads what the server stores of an attempt. An error is a code to count.
    pub async fn stored_attempt(&self, session_id: &str, token: &str) -> Result<StoredAttempt, String> {
        let url = self.url.join(&format!("/api/live/{session_id}")).map_err(|_| "check: session id".to_owned())?;
        let asked = self.http.get(url).bearer_auth(token).send().await;
        let answer = asked.map_err(|_| "check: no answer".to_owned())?;
        if !answer.status().is_success() {
            return Err(format!("check: http {}", answer.status().as_u16()));
        }
        answer.json().await.map_err(|_| "check: unreadable answer".to_owned())
    }

    /// Sends a request, with a bearer token if there is one. An error is a code to count.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<HttpBody>,
    ) -> Result<HttpAnswer, String> {
        let url = self.url.join(path).map_err(|_| "http: address".to_owned())?;
        let mut asked = self.http.request(method, url);
        if let Some(token) = token {
            asked = asked.bearer_auth(token);
        }
        if let Some(HttpBody { content_type, bytes }) = body {
            asked = asked.header("content-type", content_type).body(bytes);
        }
        let answer = asked.send().await.map_err(|_| "http: no answer".to_owned())?;
        let status = answer.status().as_u16();
        let body = answer.bytes().await.map_err(|_| "http: broken answer".to_owned())?.to_vec();
        Ok(HttpAnswer { status, body })
    }

    /// Requests a path with an API token.
    pub async fn get(&self, path: &str, token: &str) -> Result<serde_json::Value, Failure> {
        let answer = self.http.get(self.url.join(path)?).bearer_auth(token).send().await?;
        let status = answer.status().as_u16();
        if status != 200 {
            return Err(format!("{path} answered {status}").into());
        }
        Ok(answer.json().await?)
    }

    /// Requests a path without credentials.
    pub async fn get_public(&self, path: &str) -> Result<serde_json::Value, Failure> {
        let answer = self.http.get(self.url.join(path)?).send().await?;
        let status = answer.status().as_u16();
        if status != 200 {
            return Err(format!("{path} answered {status}").into());
        }
        Ok(answer.json().await?)
    }

    /// Imports a workbook of questions.
    pub async fn import(&self, token: &str, file: &[u8]) -> Result<ImportResult, Failure> {
        let head = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"questions.xlsx\"\r\n\r\n";
        let body = [head.as_bytes(), file, b"\r\n--edge--\r\n"].concat();
        let asked = self
            .http
            .post(self.url.join("/api/admin/import")?)
            .bearer_auth(token)
            .header("content-type", "multipart/form-data; boundary=edge");
        let answer = asked.body(body).send().await?;
        if !answer.status().is_success() {
            return Err(format!("the import answered {}: {}", answer.status(), answer.text().await?).into());
        }
        Ok(answer.json().await?)
    }

    /// Submits a finished test with `POST /api/sessions` and returns its id.
    pub async fn create_session(&self, test: &serde_json::Value) -> Result<String, Failure> {
        let answer = self.http.post(self.url.join("/api/sessions")?).json(test).send().await?.error_for_status()?;
        let created: serde_json::Value = answer.json().await?;
        Ok(created.get("sessionId").and_then(serde_json::Value::as_str).ok_or("the session has no id")?.to_owned())
    }

    /// Requests a session's report and returns its size.
    pub async fn report_bytes(&self, session_id: &str) -> Result<usize, Failure> {
        let answer =
            self.http.get(self.url.join(&format!("/api/report/{session_id}/pdf"))?).send().await?.error_for_status()?;
        Ok(answer.bytes().await?.len())
    }

    /// Requests a session's report, reads it to its end and returns the status.
    pub async fn report_status(&self, session_id: &str) -> Result<u16, Failure> {
        let answer = self.http.get(self.url.join(&format!("/api/report/{session_id}/pdf"))?).send().await?;
        let status = answer.status().as_u16();
        answer.bytes().await?;
        Ok(status)
    }

    /// The text of `/metrics`; `None` when the server does not give it to this machine.
    pub async fn metrics(&self) -> Option<String> {
        let answer = self.http.get(self.url.join("/metrics").ok()?).send().await.ok()?;
        answer.error_for_status().ok()?.text().await.ok()
    }

    async fn stream(&self, number: usize) -> std::io::Result<TcpStream> {
        let socket = if self.address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        if let Some(source) = source_address(self.address.ip(), number) {
            socket.bind(SocketAddr::new(source, 0))?;
        }
        socket.set_nodelay(true)?;
        socket.connect(self.address).await
    }
}

/// The source address of a seat for which the addresses before it have no ports left. Only loopback has further
/// addresses.
fn source_address(server: IpAddr, number: usize) -> Option<IpAddr> {
    let block = u8::try_from(number / SEATS_PER_ADDRESS).ok().filter(|&block| block > 0)?;
    let last = block.checked_add(1)?;
    matches!(server, IpAddr::V4(address) if address.is_loopback()).then_some(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)))
}

fn http_client() -> Result<reqwest::Client, Failure> {
    // The client needs a TLS provider even though every address is plain HTTP. Installing it a second time does no
    // harm.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().no_proxy().tcp_nodelay(true).timeout(HTTP_LIMIT);
    Ok(builder.pool_max_idle_per_host(HTTP_CONNECTIONS_MAX).build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_seats_beyond_the_ports_of_one_address_take_another() {
        let loopback = IpAddr::from([127, 0, 0, 1]);
        assert_eq!(source_address(loopback, 24_999), None);
        assert_eq!(source_address(loopback, 25_000), Some(IpAddr::from([127, 0, 0, 2])));
        assert_eq!(source_address(loopback, 99_999), Some(IpAddr::from([127, 0, 0, 4])));
        assert_eq!(source_address(IpAddr::from([10, 0, 0, 1]), 25_000), None);
    }
}
