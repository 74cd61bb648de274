//! Options of each connection's socket, and the number of connections.

use std::time::Duration;

use actix_web::rt::net::TcpStream;
use socket2::{SockRef, TcpKeepalive};

/// How long a peer may acknowledge nothing before the kernel closes its connection. The socket's actor can't do that
/// itself, since it is blocked meanwhile.
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);
/// How long a connection may be silent before the kernel probes it, and then again at the interval below.
const KEEPALIVE_AFTER: Duration = Duration::from_secs(60);
const KEEPALIVE_EVERY: Duration = Duration::from_secs(10);
/// File descriptors kept free for the database, Redis, webhooks and files.
const DESCRIPTORS_RESERVED: u64 = 1_000;
/// Connections when the operating system names no limit.
const CONNECTIONS_DEFAULT: u64 = 10_000;

/// Connections waiting to be accepted.
pub const BACKLOG: u32 = 4_096;

/// Sets the options of a connection that was just accepted.
pub fn prepare(connection: &TcpStream) {
    if let Err(error) = set_options(connection) {
        tracing::debug!(%error, "a connection's options could not be set");
    }
}

fn set_options(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE_AFTER).with_interval(KEEPALIVE_EVERY))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED_MAX))?;
    Ok(())
}

/// Raises the limit of open files as far as the system allows, and shares the connections among `workers`.
#[must_use]
pub fn connections_per_worker(workers: usize) -> usize {
    let descriptors = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(CONNECTIONS_DEFAULT);
    let connections = descriptors.saturating_sub(DESCRIPTORS_RESERVED).max(DESCRIPTORS_RESERVED / 2);
    usize::try_from(connections).unwrap_or(usize::MAX) / workers.max(1)
}
