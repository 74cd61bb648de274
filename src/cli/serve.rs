//! `examhall serve`: runs the server until SIGTERM, SIGINT or SIGHUP, and then stops it in order. With a certificate of
//! its own SIGHUP ends nothing: it has the certificate read again, as programs that renew certificates expect.

use std::process::ExitCode;

use tokio::signal::unix::SignalKind;

use super::CliFailure;
use super::signals::EndSignals;
use crate::app;
use crate::clock::Clock;
use crate::config::Config;

pub(super) async fn serve(config: Config) -> Result<ExitCode, CliFailure> {
    let mut signals = EndSignals::listen()?;
    let server = app::start(config, Clock::system()).await?;
    actix_web::rt::spawn(server.warm_up());
    loop {
        let is_hang_up = signals.received().await == SignalKind::hangup();
        if !(is_hang_up && server.reload_certificate()) {
            break;
        }
    }
    tracing::info!("stopping");
    server.stop().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}
