//! What is set on each connection's socket, and how many there may be.

use std::any::Any;
use std::time::Duration;

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use socket2::{SockRef, TcpKeepalive};

/// A peer that takes nothing of what was sent for so long is let go by the kernel: its socket actor stands still
/// meanwhile and could not do it itself.
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);
/// A silent connection is asked whether it lives after this time, and then so often.
const KEEPALIVE_AFTER: Duration = Duration::from_secs(60);
const KEEPALIVE_EVERY: Duration = Duration::from_secs(10);
/// File descriptors left for the database, Redis, webhooks and files.
const DESCRIPTORS_RESERVED: u64 = 1_000;
/// Connections when the system does not tell its limit.
const CONNECTIONS_DEFAULT: u64 = 10_000;

/// Connections waiting to be accepted.
pub const BACKLOG: u32 = 4_096;

/// To be called for each accepted connection.
pub fn on_connect(connection: &dyn Any, _: &mut Extensions) {
    if let Some(stream) = connection.downcast_ref::<TcpStream>()
        && let Err(error) = prepare(stream)
    {
        tracing::debug!(%error, "a connection's options could not be set");
    }
}

fn prepare(stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE_AFTER).with_interval(KEEPALIVE_EVERY))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED_MAX))?;
    Ok(())
}

/// Raises the limit of open files as far as the system lets it; connections that each of `workers` may have.
#[must_use]
pub fn connections_per_worker(workers: usize) -> usize {
    let descriptors = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(CONNECTIONS_DEFAULT);
    let connections = descriptors.saturating_sub(DESCRIPTORS_RESERVED).max(DESCRIPTORS_RESERVED / 2);
    usize::try_from(connections).unwrap_or(usize::MAX) / workers.max(1)
}
