//! A server in this process, on a thread with an actix system of its own, so that dropping it can wait until it has
//! ended.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use actix_web::rt::System;
use examhall::app;
use examhall::clock::Clock;
use examhall::config::Config;
use tokio::sync::oneshot;

/// A server that listens; it stops as planned when it is dropped.
pub struct RunningServer {
    /// Where it listens.
    pub address: SocketAddr,
    /// The events that it delivers.
    pub events: Vec<&'static str>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl RunningServer {
    /// Starts it, and waits until it listens.
    pub async fn start(config: Config, clock: Clock) -> Self {
        let (report, started) = oneshot::channel();
        let (stop, stopping) = oneshot::channel();
        let thread = std::thread::spawn(move || System::new().block_on(serve(config, clock, report, stopping)));
        let (address, events) =
            started.await.expect("the server panicked while it started").expect("the server did not start");
        Self { address, events, stop: Some(stop), thread: Some(thread) }
    }

    /// Stops as planned, and waits for the end.
    pub async fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        let thread = self.thread.take().unwrap();
        let joined = tokio::task::spawn_blocking(|| thread.join());
        let ended = tokio::time::timeout(super::PATIENCE, joined).await.expect("the planned stop does not end");
        assert!(ended.unwrap().is_ok(), "the server panicked");
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server panicked");
        }
    }
}

async fn serve(
    config: Config,
    clock: Clock,
    report: oneshot::Sender<Result<(SocketAddr, Vec<&'static str>), String>>,
    stopping: oneshot::Receiver<()>,
) {
    match app::start(config, clock).await {
        Ok(server) => {
            let _ = report.send(Ok((server.address, server.outgoing_events().to_vec())));
            let _ = stopping.await;
            server.stop().await;
        }
        Err(error) => {
            let _ = report.send(Err(error.to_string()));
        }
    }
    System::current().stop();
}
