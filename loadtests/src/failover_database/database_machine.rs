//! One machine of the database: a folder, the processes of `pg_autoctl` and Postgres in it, and, with root, a network
//! of its own. It can die, hang, and be cut off as a whole, and come back.

use super::SYSTEM_PATH;
use super::machine_processes::{named, of_folder, signal};
use super::namespaces::NetworkPlug;
use crate::failure::Failure;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

/// Longest time for one command, such as the copy of a new database.
const COMMAND_LIMIT: Duration = Duration::from_secs(120);
/// How often processes are looked for that were told to end, and how long it takes each time.
const END_TRIES: u32 = 200;
const END_INTERVAL: Duration = Duration::from_millis(25);
const AUTOCTL: &str = "pg_autoctl";

/// Where a machine lives.
pub struct MachineSite {
    pub folder: PathBuf,
    pub log: PathBuf,
    /// The folder of Postgres' programs.
    pub programs: PathBuf,
    /// Postgres refuses root, so everything runs as the user `postgres`.
    pub is_root: bool,
    /// `None` where machines share loopback.
    pub plug: Option<NetworkPlug>,
}

/// Dropping it ends all of its processes.
pub struct DatabaseMachine {
    name: &'static str,
    host: String,
    port: u16,
    site: MachineSite,
    running: Option<Child>,
}

impl DatabaseMachine {
    /// A machine on which nothing runs yet.
    pub fn at(name: &'static str, host: String, port: u16, site: MachineSite) -> Result<Self, Failure> {
        std::fs::create_dir(&site.folder)?;
        // Whoever can reach the socket is let in.
        std::fs::set_permissions(&site.folder, std::fs::Permissions::from_mode(0o700))?;
        if site.is_root {
            let given = std::process::Command::new("chown").arg("postgres:postgres").arg(&site.folder).output()?;
            if !given.status.success() {
                return Err("there is no user postgres to run the database".into());
            }
        }
        Ok(Self { name, host, port, site, running: None })
    }

    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// Makes what this machine is to be: `monitor`, or `postgres` and its options.
    pub async fn create(&self, kind: &[&str]) -> Result<(), Failure> {
        let port = self.port.to_string();
        let place = ["--hostname", &self.host, "--pgport", &port, "--auth", "trust", "--ssl-self-signed"];
        self.run(AUTOCTL, &[&["create"][..], kind, &place].concat()).await?;
        Ok(())
    }

    /// Adds to a file of the database.
    pub fn append(&self, file: &str, text: &str) -> Result<(), Failure> {
        let mut file = OpenOptions::new().append(true).open(self.site.folder.join("data").join(file))?;
        Ok(file.write_all(text.as_bytes())?)
    }

    /// Runs a program on this machine and returns what it prints.
    pub async fn run(&self, program: &str, arguments: &[&str]) -> Result<String, Failure> {
        let mut command = self.command(program);
        command.args(arguments).kill_on_drop(true);
        let words = || format!("{program} {} on {}", arguments.join(" "), self.name);
        let ran = timeout(COMMAND_LIMIT, command.output()).await;
        let ran = ran.map_err(|_| format!("{} takes too long", words()))?;
        let ran = ran.map_err(|error| format!("{}: {error}", words()))?;
        if !ran.status.success() {
            return Err(format!("{}: {}", words(), String::from_utf8_lossy(&ran.stderr).trim()).into());
        }
        Ok(String::from_utf8(ran.stdout)?.trim().to_owned())
    }

    /// Carries out a statement as the database's owner and returns its first value.
    pub async fn ask(&self, statement: &str) -> Result<String, Failure> {
        let (port, statement) = (format!("--port={}", self.port), format!("--command={statement}"));
        let quiet = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"];
        self.run("psql", &[&quiet[..], &["--dbname=exam", &port, &statement]].concat()).await
    }

    /// Starts it, as the service of systemd in `deploy/` does.
    pub fn start(&mut self) -> Result<(), Failure> {
        let log: File = OpenOptions::new().create(true).append(true).open(&self.site.log)?;
        let mut command = self.command(AUTOCTL);
        // Ctrl-C ends the scenario, which ends the machine.
        command.arg("run").stdout(log.try_clone()?).stderr(log).process_group(0);
        self.running = Some(command.spawn().map_err(|error| format!("{AUTOCTL} cannot be started: {error}"))?);
        Ok(())
    }

    /// The power goes: nobody is told where there is a network of its own; elsewhere connections are closed.
    pub async fn kill(&mut self) -> Result<(), Failure> {
        if let Some(plug) = &self.site.plug {
            plug.pull()?;
        }
        let mut has_found = false;
        for _ in 0..END_TRIES {
            let ids = of_folder(&self.site.folder);
            if ids.is_empty() && has_found {
                if let Some(mut child) = self.running.take() {
                    child.wait().await?;
                }
                return Ok(());
            }
            has_found |= !ids.is_empty();
            signal("-KILL", &ids);
            sleep(END_INTERVAL).await;
        }
        Err(format!("the processes of machine {} cannot be found or ended", self.name).into())
    }

    /// The machine starts again after `kill`, with its disk as it was.
    pub fn come_back(&mut self) -> Result<(), Failure> {
        self.put_in_plug()?;
        self.start()
    }

    /// Every process stands still, with its connections open.
    pub async fn freeze(&self) {
        // Twice, for those that were begun meanwhile by others that did not stand still yet.
        for _ in 0..2 {
            signal("-STOP", &of_folder(&self.site.folder));
            sleep(END_INTERVAL).await;
        }
    }

    /// Every process goes on, as if no time had passed.
    pub fn thaw(&self) {
        signal("-CONT", &of_folder(&self.site.folder));
    }

    /// The network is gone, and everything runs.
    pub fn cut(&self) -> Result<(), Failure> {
        self.site.plug.as_ref().ok_or("only a machine with a network of its own can be cut off")?.pull()
    }

    pub fn put_in_plug(&self) -> Result<(), Failure> {
        self.site.plug.as_ref().map_or(Ok(()), NetworkPlug::put_in)
    }

    /// Ends Postgres alone, without letting it finish anything.
    pub fn kill_postgres(&self) -> Result<(), Failure> {
        let id = self.postmaster().ok_or("Postgres does not run on this machine")?;
        signal("-KILL", &[id]);
        Ok(())
    }

    /// Lets the standby have nothing more, while this machine goes on without noticing.
    pub fn hold_back_log(&self) {
        signal("-STOP", &named(&self.site.folder, "walsender"));
    }

    fn postmaster(&self) -> Option<u32> {
        let text = std::fs::read_to_string(self.site.folder.join("data/postmaster.pid")).ok()?;
        let id = text.lines().next()?.trim().parse().ok()?;
        // The file of a killed one may name whoever has its number by now.
        of_folder(&self.site.folder).contains(&id).then_some(id)
    }

    fn command(&self, program: &str) -> Command {
        let mut words = Vec::new();
        if let Some(plug) = &self.site.plug {
            words.extend(["ip", "netns", "exec", &plug.namespace]);
        }
        if self.site.is_root {
            words.extend(["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]);
        }
        words.push(program);
        let mut command = Command::new(words.remove(0));
        let folder = &self.site.folder;
        command.args(words).env_clear().current_dir(folder).stdin(Stdio::null());
        command.env("PATH", format!("{}:{SYSTEM_PATH}", self.site.programs.display()));
        command.env("LC_ALL", "C.UTF-8").env("PGDATA", folder.join("data"));
        // Its files and sockets are in no place that it would share with the others.
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "PGHOST", "PG_REGRESS_SOCK_DIR"] {
            command.env(name, folder);
        }
        command
    }

    /// Ends Postgres so that it leaves no shared memory behind, if it can.
    fn end(&self) {
        signal("-KILL", &named(&self.site.folder, AUTOCTL));
        self.thaw();
        signal("-QUIT", self.postmaster().as_slice());
        for attempt in 0..END_TRIES {
            let ids = of_folder(&self.site.folder);
            if ids.is_empty() {
                return;
            }
            if attempt > END_TRIES / 2 {
                signal("-KILL", &ids);
            }
            std::thread::sleep(END_INTERVAL);
        }
    }
}

impl Drop for DatabaseMachine {
    fn drop(&mut self) {
        self.end();
    }
}
