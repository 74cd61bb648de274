//! A service in a process of its own, on a free port.

use crate::failure::Failure;
use std::net::{SocketAddr, TcpListener};
use std::process::Stdio;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

/// Longest wait until it takes connections.
const READY_LIMIT: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The service. Dropping it kills it.
pub struct ChildService {
    _child: Child,
    address: SocketAddr,
}

impl ChildService {
    /// Starts a program and waits until it listens on that port.
    pub async fn start(mut command: Command, port: u16) -> Result<Self, Failure> {
        let name = command.as_std().get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().map_err(|error| format!("{name} cannot be started: {error}"))?;
        let (address, limit) = (SocketAddr::from(([127, 0, 0, 1], port)), Instant::now() + READY_LIMIT);
        while TcpStream::connect(address).await.is_err() {
            if let Some(status) = child.try_wait()? {
                return Err(format!("{name} ended with {status}").into());
            }
            if Instant::now() > limit {
                return Err(format!("{name} did not listen within {} s", READY_LIMIT.as_secs()).into());
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(Self { _child: child, address })
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

/// A port on which nobody listens.
pub fn free_port() -> Result<u16, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
