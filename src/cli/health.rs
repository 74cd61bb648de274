//! `examhall health`: whether the server of this configuration answers. Apart from `check`, which looks at what a
//! server needs and not at a server.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::CliFailure;
use super::output::print;
use crate::config::Config;

/// Less than the time that container engines give a health check. `/readyz` waits two seconds for the database.
const HEALTH_WITHIN: Duration = Duration::from_secs(4);
/// An answer that `examhall health` reads: one line of JSON with its head.
const HEALTH_BYTES_MAX: u64 = 16 * 1_024;

pub(super) async fn health(config: &Config, ready: bool) -> Result<ExitCode, CliFailure> {
    let path = if ready { "/readyz" } else { "/healthz" };
    let address = own_address(config.server.bind);
    let answer = match timeout(HEALTH_WITHIN, ask(address, path)).await {
        Ok(answer) => answer.map_err(|error| format!("{address} does not answer: {error}"))?,
        Err(_) => return Err(format!("{address} does not answer within {} seconds", HEALTH_WITHIN.as_secs()).into()),
    };
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(|| format!("{address} does not speak HTTP"))?;
    let status = head.split_whitespace().nth(1).unwrap_or_default();
    if status != "200" {
        return Err(format!("{path} answers {status}: {}", body.trim()).into());
    }
    print(body.trim())?;
    Ok(ExitCode::SUCCESS)
}

/// Where a server on this machine answers: one that listens on all addresses does on loopback.
fn own_address(bind: SocketAddr) -> SocketAddr {
    let ip = match bind.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bind.port())
}

/// A plain request: the client for other servers reads the system's certificates first, every few seconds for nothing.
async fn ask(address: SocketAddr, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.take(HEALTH_BYTES_MAX).read_to_end(&mut answer).await?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_asked_on_its_own_machine() {
        for (bind, asked) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:80", "[::1]:80"),
            ("127.0.0.1:8081", "127.0.0.1:8081"),
            ("10.0.0.11:8080", "10.0.0.11:8080"),
        ] {
            assert_eq!(own_address(bind.parse().unwrap()).to_string(), asked);
        }
    }
}
