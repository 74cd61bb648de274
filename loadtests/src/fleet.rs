//! Starts, freezes, kills and restarts servers, each a process at its own address.

use crate::failure::Failure;
use crate::output;
use crate::server::Server;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep, timeout};

pub const SERVERS: usize = 3;
/// Ports for servers, below those that the kernel gives to outgoing connections: otherwise a student's connection could
/// take the port of a killed server before it restarts.
const PORTS: std::ops::Range<u16> = 20_000..32_000;
/// Longest wait until a server is ready. The first one also creates the tables and the question banks.
const READY_LIMIT: Duration = Duration::from_secs(60);
/// Longest wait until a server that refuses to start says why.
const REFUSED_WITHIN: Duration = Duration::from_secs(20);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The secret is 32 bytes in base64. It is made for each run: the servers share it, and nobody else may know it.
const SECRET_ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// The program and the environment that all servers share.
pub struct ServerProgram {
    path: PathBuf,
    environment: Vec<(String, String)>,
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
    pub fn of(members: Vec<Server>) -> Self {
        Self { members, turn: AtomicUsize::new(0) }
    }

    /// All servers, whether or not they are running.
    pub fn members(&self) -> &[Server] {
        &self.members
    }

    /// The next server, whether or not it is running.
    pub fn next(&self) -> Option<&Server> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        self.members.get(turn % self.members.len().max(1))
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }
}

impl ServerProgram {
    /// Servers on one database and one Redis, with a new secret.
    pub fn of(path: &Path, database_url: &str, redis_url: &str) -> Result<Self, Failure> {
        let missing = |_| format!("{} does not exist: cargo build --profile dist -p examhall", path.display());
        let path = path.canonicalize().map_err(missing)?;
        let letters: Vec<char> = SECRET_ALPHABET.chars().collect();
        // 43 characters of base64 hold 258 bits. The last one is `A`, so that the two bits beyond 32 bytes are zero.
        let secret: String = std::iter::repeat_with(|| fastrand::choice(&letters).copied().unwrap_or('A'))
            .take(42)
            .chain("A=".chars())
            .collect();
        let settings = [
            ("DATABASE_URL", database_url),
            ("REDIS_URL", redis_url),
            ("AUTH_URL", "http://exam.localhost"),
            ("AUTH_SECRET", &secret),
            ("TEST_GATE", "none"),
            ("STARTS_PER_ADDRESS", "0"),
            ("WEBHOOK_ALLOW", "127.0.0.1"),
            ("WEBHOOK_HOSTS", "127.0.0.1"),
            ("WEBHOOK_RATE_PER_HOST", "100000"),
            ("LOG", "error"),
        ];
        Ok(Self { path, environment: settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into() })
    }

    /// Limits addresses as a server does by default, and lets this machine name them as a proxy does.
    pub fn limiting_addresses(mut self) -> Self {
        self.environment.retain(|(name, _)| name != "STARTS_PER_ADDRESS");
        self.environment.push(("TRUSTED_PROXIES".to_owned(), "127.0.0.1".to_owned()));
        self
    }

    /// Refuses a database without a synchronous standby.
    pub fn requiring_standby(mut self) -> Self {
        self.environment.push(("REQUIRE_SYNC_STANDBY".to_owned(), "true".to_owned()));
        self
    }

    /// What a server says that ends instead of starting; `None` when it starts.
    pub async fn refusal(&self) -> Result<Option<String>, Failure> {
        let mut command = self.command();
        command.arg("serve").env("BIND", free_address()?).kill_on_drop(true);
        let Ok(ended) = timeout(REFUSED_WITHIN, command.output()).await else { return Ok(None) };
        let ended = ended?;
        let said = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Ok((!ended.status.success()).then_some(said))
    }

    /// Makes an API token of a person.
    async fn token(&self, email: &str, role: &str) -> Result<String, Failure> {
        let made = self.command().args(["token", "create", email, "--role", role]).output().await?;
        if !made.status.success() {
            return Err(format!("no token could be made: {}", String::from_utf8_lossy(&made.stderr)).into());
        }
        Ok(String::from_utf8(made.stdout)?.trim().to_owned())
    }

    /// Makes an API token of an admin.
    pub async fn admin_token(&self) -> Result<String, Failure> {
        self.token("admin@load.test", "admin").await
    }

    /// Brings the schema of the database up to date.
    pub async fn migrate(&self) -> Result<(), Failure> {
        let migrated = self.command().arg("migrate").output().await?;
        if !migrated.status.success() {
            return Err(format!("the upgrade failed: {}", String::from_utf8_lossy(&migrated.stderr)).into());
        }
        Ok(())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null());
        command
    }
}

impl Fleet {
    /// Starts so many servers one after another, so that only the first one creates the tables.
    pub async fn start(program: ServerProgram, count: usize) -> Result<Self, Failure> {
        let (mut processes, mut servers) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let bind = free_address()?;
            servers.push(Server::at(&format!("http://{bind}")).await?);
            processes.push(ServerProcess { bind, child: None });
        }
        let servers = Arc::new(RoundRobin::of(servers));
        let mut fleet = Self { program, processes, servers };
        for number in 0..count {
            fleet.restart(number).await?;
        }
        Ok(fleet)
    }

    /// Sends SIGKILL and waits for the process to end.
    pub async fn kill(&mut self, number: usize) -> Result<(), Failure> {
        let child = self.processes.get_mut(number).and_then(|process| process.child.as_mut());
        Ok(child.ok_or("the server does not run")?.kill().await?)
    }

    /// Sends SIGSTOP: the server stops running, with its connections open, as on a machine that hangs.
    pub async fn freeze(&self, number: usize) -> Result<(), Failure> {
        self.signal(number, "-STOP").await
    }

    /// Sends SIGCONT: the server goes on as if no time had passed.
    pub async fn thaw(&self, number: usize) -> Result<(), Failure> {
        self.signal(number, "-CONT").await
    }

    async fn signal(&self, number: usize, name: &str) -> Result<(), Failure> {
        let child = self.processes.get(number).and_then(|process| process.child.as_ref());
        let id = child.and_then(Child::id).ok_or("the server does not run")?;
        let sent = Command::new("kill").args([name, &id.to_string()]).status().await?;
        if sent.success() { Ok(()) } else { Err(format!("kill {name} ended with {sent}").into()) }
    }

    /// The addresses of the servers, for a load balancer.
    pub fn addresses(&self) -> Vec<String> {
        self.processes.iter().map(|process| process.bind.clone()).collect()
    }

    /// Makes an API token of an admin.
    pub async fn admin_token(&self) -> Result<String, Failure> {
        self.program.admin_token().await
    }

    /// Makes an API token of a person.
    pub async fn token(&self, email: &str, role: &str) -> Result<String, Failure> {
        self.program.token(email, role).await
    }

    /// Has the program compare everything that is stored with what was signed; the error names what differs.
    pub async fn check_receipts(&self) -> Result<Result<(), String>, Failure> {
        let checked = self.program.command().args(["receipts", "check"]).output().await?;
        let printed = [checked.stdout, checked.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(if checked.status.success() { Ok(()) } else { Err(printed.concat()) })
    }

    /// Starts a server at its address and waits until it is ready.
    pub async fn restart(&mut self, number: usize) -> Result<(), Failure> {
        let (Some(process), Some(server)) = (self.processes.get_mut(number), self.servers.members.get(number)) else {
            return Ok(());
        };
        let mut command = self.program.command();
        command.arg("serve").env("BIND", &process.bind).stdout(Stdio::null()).kill_on_drop(true);
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

/// An address on loopback at which nobody listens.
pub fn free_address() -> Result<String, Failure> {
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let port = std::iter::repeat_with(|| fastrand::u16(PORTS)).take(PORTS.len()).find(free).ok_or("no port is free")?;
    Ok(format!("127.0.0.1:{port}"))
}
