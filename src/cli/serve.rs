//! `examhall serve`: runs the server until SIGTERM or SIGINT, and then stops it in order.

use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};

use super::CliFailure;
use crate::app;
use crate::clock::Clock;
use crate::config::Config;

pub(super) async fn serve(config: Config) -> Result<ExitCode, CliFailure> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let server = app::start(config, Clock::system()).await?;
    actix_web::rt::spawn(server.warm_up());
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping");
    server.stop().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}
