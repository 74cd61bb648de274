//! Starts, kills and restarts three servers, each a process at its own address.

use crate::failure::Failure;
use crate::output;
use crate::server::Server;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep};

pub const SERVERS: usize = 3;
/// Ports for servers, below those that the kernel gives to outgoing connections: otherwise a student's connection could
/// take the port of a killed server before it restarts.
const PORTS: std::ops::Range<u16> = 20_000..32_000;
/// Longest wait until a server is ready. The first one also creates the tables and the question banks.
const READY_LIMIT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The program and the environment that all servers share.
pub struct ServerProgram {
    pub path: PathBuf,
    pub environment: Vec<(String, String)>,
}

/// The servers. Dropping the fleet kills them.
pub struct Fleet {
    program: ServerProgram,
    processes: Vec<ServerProcess>,
    pub servers: Arc<RoundRobin>,
}

struct ServerProcess {
    bind: String,
    child: Option<Child>,
}

/// Gives the servers in turn, like a load balancer without sticky sessions.
pub struct RoundRobin {
    members: Vec<Server>,
    turn: AtomicUsize,
}

impl RoundRobin {
    /// The next server, whether or not it is running.
    pub fn next(&self) -> Option<&Server> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        self.members.get(turn % self.members.len().max(1))
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }
}

impl Fleet {
    /// Starts the servers one after another, so that only the first one creates the tables.
    pub async fn start(program: ServerProgram) -> Result<Self, Failure> {
        let (mut processes, mut servers) = (Vec::new(), Vec::new());
        for _ in 0..SERVERS {
            let bind = free_address()?;
            servers.push(Server::at(&format!("http://{bind}")).await?);
            processes.push(ServerProcess { bind, child: None });
        }
        let servers = Arc::new(RoundRobin { members: servers, turn: AtomicUsize::new(0) });
        let mut fleet = Self { program, processes, servers };
        for number in 0..SERVERS {
            fleet.restart(number).await?;
        }
        Ok(fleet)
    }

    /// Sends SIGKILL and waits for the process to end.
    pub async fn kill(&mut self, number: usize) -> Result<(), Failure> {
        let child = self.processes.get_mut(number).and_then(|process| process.child.as_mut());
        Ok(child.ok_or("the server does not run")?.kill().await?)
    }

    /// Starts a server at its address and waits until it is ready.
    pub async fn restart(&mut self, number: usize) -> Result<(), Failure> {
        let (Some(process), Some(server)) = (self.processes.get_mut(number), self.servers.members.get(number)) else {
            return Ok(());
        };
        let mut command = Command::new(&self.program.path);
        command
            .arg("serve")
            .env_clear()
            .envs(self.program.environment.iter().map(|(name, value)| (name, value)))
            .env("BIND", &process.bind);
        command.stdin(Stdio::null()).stdout(Stdio::null()).kill_on_drop(true);
        let child =
            command.spawn().map_err(|error| format!("{} cannot be started: {error}", self.program.path.display()))?;
        let child = process.child.insert(child);
        let limit = Instant::now() + READY_LIMIT;
        while !server.is_ready().await {
            if let Some(status) = child.try_wait()? {
                return Err(format!("server {number} ended with {status} instead of getting ready").into());
            }
            if Instant::now() > limit {
                return Err(format!("server {number} was not ready within {} s", READY_LIMIT.as_secs()).into());
            }
            sleep(POLL_INTERVAL).await;
        }
        output::progress(&format!("Server {number} is ready at {}", process.bind));
        Ok(())
    }
}

/// Waits for SIGTERM or SIGINT. The caller then drops the fleet, which kills the servers; a signal alone would leave
/// them running.
pub async fn interrupted() -> Result<(), Failure> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        pressed = tokio::signal::ctrl_c() => Ok(pressed?),
    }
}

fn free_address() -> Result<String, Failure> {
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let port = std::iter::repeat_with(|| fastrand::u16(PORTS)).take(PORTS.len()).find(free).ok_or("no port is free")?;
    Ok(format!("127.0.0.1:{port}"))
}
