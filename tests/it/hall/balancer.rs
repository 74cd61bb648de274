//! A real HAProxy in front of the servers, as `docs/operations.md` configures it: round robin, without sticky sessions.

use std::fmt::Write;
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::eventually;
use super::process::{free_address, http_client};

/// The timeouts are those of `docs/operations.md`, with quicker health checks.
const CONFIGURATION: &str = "
global
    maxconn 4000
defaults
    mode http
    timeout connect 1s
    timeout client 60s
    timeout server 60s
    timeout tunnel 1h
    timeout check 500ms
    option redispatch
    retries 3
";

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

fn configuration(address: &str, servers: &[String]) -> String {
    let mut text = format!(
        "{CONFIGURATION}frontend hall\n    bind {address}\n    default_backend servers\n\
         backend servers\n    balance roundrobin\n    option httpchk GET /readyz\n    default-server check inter 500ms fall 2 rise 1\n"
    );
    for (number, server) in servers.iter().enumerate() {
        writeln!(text, "    server hall{number} {server}").unwrap();
    }
    text
}
