//! A Redis for one test, which can be killed and restarted at the same address.

use std::process::Stdio;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::eventually;
use super::process::free_address;

/// A Redis that keeps nothing on disk; killed when it is dropped.
pub struct RedisServer {
    /// `127.0.0.1:<port>`.
    pub address: String,
    child: Option<Child>,
    folder: TempDir,
}

impl RedisServer {
    /// Starts it on a free port.
    pub async fn open() -> Self {
        let mut redis = Self { address: free_address(), child: None, folder: tempfile::tempdir().unwrap() };
        redis.start().await;
        redis
    }

    /// Starts it, empty, and waits until it answers.
    pub async fn start(&mut self) {
        let (host, port) = self.address.rsplit_once(':').unwrap();
        let mut command = Command::new("redis-server");
        command
            .args(["--port", port, "--bind", host, "--save", "", "--appendonly", "no", "--dir"])
            .arg(self.folder.path());
        // An output that it kept open would hold up whoever reads that of the tests.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        self.child = Some(command.spawn().expect("redis-server is needed for this test: scripts/test installs it"));
        eventually("Redis answers", async || self.answers().await.then_some(())).await;
    }

    /// SIGKILL; waits for the end.
    pub async fn kill(&mut self) {
        self.child.take().unwrap().kill().await.unwrap();
    }

    async fn answers(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(&self.address).await else { return false };
        let mut answer = [0; 7];
        stream.write_all(b"PING\r\n").await.is_ok()
            && stream.read_exact(&mut answer).await.is_ok()
            && &answer == b"+PONG\r\n"
    }
}
