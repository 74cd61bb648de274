//! `examhall serve`: runs the server until SIGTERM, SIGINT or SIGHUP, and then stops it in order.

use std::process::ExitCode;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::CliFailure;
use crate::app;
use crate::clock::Clock;
use crate::config::Config;

pub(super) async fn serve(config: Config) -> Result<ExitCode, CliFailure> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    // A terminal that is closed sends it. Whoever started the server with `nohup` wants it to go on.
    let mut hang_up = if ignores_hang_up() { None } else { Some(signal(SignalKind::hangup())?) };
    let server = app::start(config, Clock::system()).await?;
    actix_web::rt::spawn(server.warm_up());
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        () = received(hang_up.as_mut()) => {}
    }
    tracing::info!("stopping");
    server.stop().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

async fn received(signal: Option<&mut Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether the process was started with SIGHUP ignored. Unknown, and so false, on a system without `/proc`.
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    ignored & 1 << (SignalKind::hangup().as_raw_value() - 1) != 0
}
