//! A HAProxy of the run's own in front of its servers, configured by the file that the project ships: round robin, with
//! health checks, without sticky sessions.

use crate::failure::Failure;
use crate::server::Server;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

/// Longest wait until it finds a ready server.
const READY_LIMIT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Connections beyond those of candidates: pooled HTTP connections and health checks.
const SPARE_CONNECTIONS: usize = 4_096;

/// A load balancer; killed when it is dropped.
pub struct LoadBalancer {
    pub url: String,
    configuration: PathBuf,
    _child: Child,
}

impl LoadBalancer {
    /// Starts it before these servers, and waits until it finds a ready one.
    pub async fn before(addresses: &[String], shipped: &Path, sockets: usize) -> Result<Self, Failure> {
        let missing = |error| format!("{} cannot be read: {error}", shipped.display());
        let shipped = std::fs::read_to_string(shipped).map_err(missing)?;
        // The port is free again when the listener is dropped, and nothing else asks for one meanwhile.
        let bind = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let text = configuration(&shipped, &bind, addresses, sockets + SPARE_CONNECTIONS)?;
        let path = std::env::temp_dir().join(format!("examhall-load-{}.cfg", uuid::Uuid::new_v4()));
        std::fs::write(&path, text)?;
        let mut command = Command::new("haproxy");
        command.arg("-db").arg("-f").arg(&path);
        command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        let child = command.spawn().map_err(|error| format!("haproxy cannot be started: {error}"))?;
        let url = format!("http://{bind}");
        let balancer = Self { url: url.clone(), configuration: path, _child: child };
        let (server, limit) = (Server::at(&url).await?, Instant::now() + READY_LIMIT);
        while !server.is_ready().await {
            if Instant::now() > limit {
                return Err("haproxy finds no ready server".into());
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(balancer)
    }
}

impl Drop for LoadBalancer {
    fn drop(&mut self) {
        // A file that is left behind in the folder for temporary files does no harm.
        let _ = std::fs::remove_file(&self.configuration);
    }
}

/// The shipped file without TLS, with these servers and room for so many connections.
fn configuration(shipped: &str, bind: &str, addresses: &[String], connections: usize) -> Result<String, Failure> {
    let mut text = shipped.to_owned();
    for (from, to) in [
        ("bind :443 ssl crt /etc/haproxy/exam.pem", format!("bind {bind}")),
        ("maxconn 50000", format!("maxconn {connections}")),
        ("timeout http-request 10s", format!("timeout http-request 10s\n    maxconn {connections}")),
        ("http-request deny if { path,url_dec -m beg /metrics }", String::new()),
    ] {
        if !text.contains(from) {
            return Err(format!("the configuration of HAProxy has no `{from}`").into());
        }
        text = text.replace(from, &to);
    }
    let is_kept = |line: &&str| !line.trim_start().starts_with("server hall");
    let servers = (1..).zip(addresses).map(|(number, address)| format!("    server hall{number} {address}"));
    let lines: Vec<String> = text.lines().filter(is_kept).map(str::to_owned).chain(servers).collect();
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_file_gets_the_servers_of_the_run() {
        let shipped = include_str!("../../deploy/haproxy.cfg");
        let text = configuration(shipped, "127.0.0.1:9", &["127.0.0.1:1".to_owned()], 100).unwrap();
        assert!(text.contains("    bind 127.0.0.1:9\n") && text.ends_with("    server hall1 127.0.0.1:1\n"), "{text}");
        assert!(!text.contains("10.0.0.") && !text.contains("ssl"), "{text}");
        assert!(configuration("global", "127.0.0.1:9", &[], 100).is_err());
    }
}
