//! `examhall serve`: runs the server until SIGTERM, SIGINT or SIGHUP, and then stops it in order.

use std::process::ExitCode;

use super::CliFailure;
use super::signals::EndSignals;
use crate::app;
use crate::clock::Clock;
use crate::config::Config;

pub(super) async fn serve(config: Config) -> Result<ExitCode, CliFailure> {
    let mut signals = EndSignals::listen()?;
    let server = app::start(config, Clock::system()).await?;
    actix_web::rt::spawn(server.warm_up());
    signals.received().await;
    tracing::info!("stopping");
    server.stop().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}
