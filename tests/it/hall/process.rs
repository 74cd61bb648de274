//! The real binary: its commands, and a server that can be killed.

use std::fs::File;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU16, Ordering};

use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::{Caller, Settings, eventually};

/// Ports for servers: below the range that the kernel uses for outgoing connections, so that a restarted server finds
/// its own still free.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// The program with only these environment variables.
pub fn program(settings: &Settings) -> Command {
    // Whoever runs the tests may ignore signals, and programs inherit that.
    program_by(&["/usr/bin/env", "--default-signal=INT,HUP"], settings)
}

/// The same, run by another program, which is given with its arguments.
pub fn program_by(runner: &[&str], settings: &Settings) -> Command {
    let mut command = Command::new(runner[0]);
    command.args(&runner[1..]).arg(env!("CARGO_BIN_EXE_examhall"));
    command.env_clear().envs(settings).current_dir(std::env::temp_dir()).stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// Runs a command to its end.
pub async fn run(settings: &Settings, arguments: &[&str]) -> Output {
    let output = program(settings).args(arguments).output();
    tokio::time::timeout(super::PATIENCE, output)
        .await
        .unwrap_or_else(|_| panic!("does not end: {arguments:?}"))
        .unwrap()
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
        Self::serve_at(settings, &free_address()).await
    }

    /// The same with a certificate of its own.
    pub async fn serve_encrypted(settings: &Settings) -> Self {
        Self::start(program(settings), &free_address(), "https").await
    }

    /// Starts it at an address, and waits until it is ready.
    pub async fn serve_at(settings: &Settings, address: &str) -> Self {
        Self::serve_by(program(settings), address).await
    }

    /// Starts it by a command that runs the program with the argument that is added, and waits until it is ready.
    pub async fn serve_by(command: Command, address: &str) -> Self {
        Self::start(command, address, "http").await
    }

    async fn start(mut command: Command, address: &str, scheme: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        command.arg("serve").env("BIND", address).current_dir(folder.path()).stdout(Stdio::null());
        let child = command.stderr(File::create(&log).unwrap()).spawn().unwrap();
        let mut process = Self { child, base: format!("{scheme}://{address}"), log, _folder: folder };
        process.wait_until_ready().await;
        process
    }

    async fn wait_until_ready(&mut self) {
        // Whose certificate it is does not matter here.
        let client = client_settings().tls_danger_accept_invalid_certs(true).build().unwrap();
        let url = format!("{}/readyz", self.base);
        eventually("the server is ready", async || {
            assert!(self.child.try_wait().unwrap().is_none(), "the server ended: {}", self.log());
            client.get(&url).send().await.ok().filter(|answer| answer.status().is_success())
        })
        .await;
    }

    /// `http://127.0.0.1:<port>`, or https.
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

    /// SIGKILL; waits for the end.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// SIGSTOP: it stops running, with its connections open. On a busy machine its threads may continue for a moment.
    pub async fn freeze(&self) {
        self.signal("-STOP").await;
        let threads = format!("/proc/{}/task", self.id());
        if std::fs::exists("/proc/self/task").unwrap() {
            eventually("every thread stands still", async || all_stand_still(&threads).then_some(())).await;
        }
    }

    /// SIGCONT: it continues as if no time had passed.
    pub async fn thaw(&self) {
        self.signal("-CONT").await;
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id().unwrap()
    }

    /// Sends a signal and waits for nothing.
    pub async fn signal(&self, signal: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().await.unwrap().success());
    }

    /// SIGTERM; waits for the end.
    pub async fn terminate(self) -> std::process::ExitStatus {
        self.end_by("-TERM").await
    }

    /// Another signal; waits for the end.
    pub async fn end_by(mut self, signal: &str) -> std::process::ExitStatus {
        self.signal(signal).await;
        tokio::time::timeout(super::PATIENCE, self.child.wait()).await.expect("the planned stop does not end").unwrap()
    }
}

/// Reads the third field of each thread's `stat`; the second is a name, which may contain spaces and brackets.
fn all_stand_still(threads: &str) -> bool {
    let stands_still = |thread: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, fields)| fields.trim_start().starts_with('T'))
    };
    std::fs::read_dir(threads).unwrap().all(|thread| stands_still(thread.unwrap()))
}

/// An address on loopback that nobody listens on, and that no other test of this process is given.
pub fn free_address() -> String {
    static NEXT: LazyLock<AtomicU16> = LazyLock::new(|| AtomicU16::new(rand::random_range(PORTS)));
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let port = PORTS.start + number % (PORTS.end - PORTS.start);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return format!("127.0.0.1:{port}");
        }
    }
}

/// A client for a server that may not listen yet.
pub fn http_client() -> reqwest::Client {
    client_settings().build().unwrap()
}

fn client_settings() -> reqwest::ClientBuilder {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy()
}
