//! A real HAProxy in front of the servers, configured by `deploy/haproxy.cfg`: round robin, without sticky sessions.

use std::fmt::Write;
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::deployed::deployed;
use super::eventually;
use super::process::{free_address, http_client};

/// A load balancer; killed when it is dropped.
pub struct Balancer {
    base: String,
    _child: Child,
    _folder: TempDir,
}

impl Balancer {
    /// Starts it before these servers, and waits until it finds a ready one.
    pub async fn before(servers: &[String]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = free_address();
        let path = folder.path().join("haproxy.cfg");
        std::fs::write(&path, configuration(&address, servers)).unwrap();
        let mut command = Command::new("haproxy");
        command
            .arg("-db")
            .arg("-f")
            .arg(&path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        let child = command.spawn().expect("haproxy is needed for this test: scripts/test installs it");
        let balancer = Self { base: format!("http://{address}"), _child: child, _folder: folder };
        let url = format!("{}/readyz", balancer.base);
        let client = http_client();
        eventually("HAProxy finds a server", async || {
            client.get(&url).send().await.ok().filter(|answer| answer.status().is_success())
        })
        .await;
        balancer
    }

    /// `http://127.0.0.1:<port>`.
    pub fn base(&self) -> &str {
        &self.base
    }
}

/// The file of `deploy/`, without TLS, with these servers and quicker health checks.
fn configuration(address: &str, servers: &[String]) -> String {
    let bind = format!("bind {address}");
    let text = deployed(
        "haproxy.cfg",
        &[
            ("bind :443 ssl crt /etc/haproxy/exam.pem", bind.as_str()),
            ("timeout check 1s", "timeout check 500ms"),
            ("check inter 1s", "check inter 500ms"),
            ("maxconn 50000", "maxconn 4000"),
        ],
    );
    let of_others = |line: &&str| !line.trim_start().starts_with("server hall");
    let mut text = text.lines().filter(of_others).collect::<Vec<_>>().join("\n") + "\n";
    for (number, server) in servers.iter().enumerate() {
        writeln!(text, "    server hall{number} {server}").unwrap();
    }
    text
}
