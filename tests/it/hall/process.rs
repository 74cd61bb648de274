//! The real binary: its commands, and a server that can be killed.

use std::fs::File;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::{Caller, Settings, eventually};

/// The program with these environment variables and no others.
fn examhall(settings: &Settings) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_examhall"));
    command.env_clear().envs(settings).current_dir(std::env::temp_dir()).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// A command, to its end.
pub async fn run(settings: &Settings, arguments: &[&str]) -> Output {
    let output = examhall(settings).args(arguments).output();
    tokio::time::timeout(super::PATIENCE, output).await.unwrap_or_else(|_| panic!("does not end: {arguments:?}")).unwrap()
}

/// `examhall serve` as a process of its own; killed when it is dropped.
pub struct Process {
    child: Child,
    base: String,
    log: PathBuf,
    _folder: TempDir,
}

impl Process {
    /// Starts it on a free port, and waits until it is ready.
    pub async fn serve(settings: &Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let mut command = examhall(settings);
        command.arg("serve").env("BIND", &address).current_dir(folder.path()).stdout(Stdio::null());
        let child = command.stderr(File::create(&log).unwrap()).spawn().unwrap();
        let mut process = Self { child, base: format!("http://{address}"), log, _folder: folder };
        process.wait_until_ready().await;
        process
    }

    async fn wait_until_ready(&mut self) {
        let client = reqwest_without_panic();
        let url = format!("{}/readyz", self.base);
        eventually("the server is ready", async || {
            assert!(self.child.try_wait().unwrap().is_none(), "the server ended: {}", self.log());
            client.get(&url).send().await.ok().filter(|answer| answer.status().is_success())
        })
        .await;
    }

    /// `http://127.0.0.1:<port>`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Someone without a token.
    pub fn anonymous(&self) -> Caller {
        Caller::new(&self.base, None)
    }

    /// What it wrote to standard error.
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// SIGKILL, waited for.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// SIGTERM, waited for.
    pub async fn terminate(mut self) -> std::process::ExitStatus {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
        tokio::time::timeout(super::PATIENCE, self.child.wait()).await.expect("the planned stop does not end").unwrap()
    }
}

/// A client for a server that may not listen yet.
fn reqwest_without_panic() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}
