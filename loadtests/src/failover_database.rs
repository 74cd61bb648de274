//! A Postgres of a scenario's own that survives the death of a machine: a monitor of pg_auto_failover and two nodes,
//! made as `docs/database.md` says, with the settings of `deploy/`. Dropping it stops everything and removes the data.

mod database_machine;
mod machine_processes;
mod namespaces;
mod node_state;

use crate::failure::Failure;
use crate::fleet::free_address;
pub use database_machine::DatabaseMachine;
use database_machine::MachineSite;
use namespaces::Namespaces;
use node_state::NodeState;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// Where programs are that are not Postgres'. Some are in folders that are only in root's `PATH`.
pub const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// Longest time in which the two nodes must be a pair after they were made.
const MADE_WITHIN: Duration = Duration::from_secs(90);
/// Longest wait until a monitor or a node that was just started can be asked.
const ANSWERS_WITHIN: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// How it is done by hand: `timeout.network_partition_timeout` of a node, which must be shorter than
/// `primary_demote_timeout` of the monitor.
const PARTITION_SECONDS: &str = "5";
/// Three clusters share this machine; `pg_autoctl` would give a quarter of its memory to each.
const SHARED_BUFFERS: &str = "shared_buffers = '256MB'\n";
/// Whether a second machine has what is committed.
const IS_PROTECTED: &str = "SELECT count(*) > 0 FROM pg_stat_replication \
    WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')";
const HAS_NO_SYNC_STANDBY: &str = "SELECT current_setting('synchronous_standby_names') = ''";
/// Finds the programs as the scripts do, installs missing ones, and prints the folder of Postgres' programs.
const NEEDS: &str = "set -euo pipefail; source scripts/needs; need_programs \"$@\"; failover_postgres_bin";

/// How the machines are made.
pub struct FailoverPlan<'a> {
    /// The folder with the settings that the project ships.
    pub deploy: &'a Path,
    /// All machines share this machine's loopback although there could be a namespace for each.
    pub is_loopback: bool,
    /// A folder for the logs of machines, which else go with the data.
    pub logs: Option<&'a Path>,
    /// Programs beside those of Postgres.
    pub programs: &'a [&'a str],
}

// Fields are dropped in this order: machines end before their network and their data go.
pub struct FailoverDatabase {
    monitor: DatabaseMachine,
    nodes: [DatabaseMachine; 2],
    namespaces: Option<Namespaces>,
    is_asynchronous: bool,
    _folder: DataFolder,
}

/// Dropping it removes it.
struct DataFolder(PathBuf);

impl FailoverDatabase {
    /// Makes the machines and waits until they are a pair with a synchronous standby; the working folder must be that
    /// of the repository.
    pub async fn start(plan: &FailoverPlan<'_>) -> Result<Self, Failure> {
        let is_root = std::fs::metadata("/proc/self")?.uid() == 0;
        let has_namespaces = is_root && !plan.is_loopback;
        let programs = postgres_programs(plan.programs, is_root, has_namespaces).await?;
        let folder = DataFolder::make()?;
        let names = ["monitor", "a", "b"];
        let namespaces = if has_namespaces { Some(Namespaces::make(&names)?) } else { None };
        let mut machines = Vec::new();
        for name in names {
            let (host, port, plug) = match &namespaces {
                Some(namespaces) => (namespaces.address(name)?, 5432, Some(namespaces.plug(name))),
                None => ("127.0.0.1".to_owned(), free_port()?, None),
            };
            let log = plan.logs.unwrap_or(&folder.0).join(format!("{name}.log"));
            let site = MachineSite { folder: folder.0.join(name), log, programs: programs.clone(), is_root, plug };
            machines.push(DatabaseMachine::at(name, host, port, site)?);
        }
        let [monitor, first, second] =
            <[DatabaseMachine; 3]>::try_from(machines).map_err(|_| "there must be three machines")?;
        let nodes = [first, second];
        let mut database = Self { monitor, nodes, namespaces, is_asynchronous: false, _folder: folder };
        database.make_monitor(plan.deploy).await?;
        for place in 0..database.nodes.len() {
            database.make_node(place, plan.deploy).await?;
        }
        database.wait_until_whole(MADE_WITHIN).await?;
        database.let_servers_in().await?;
        Ok(database)
    }

    /// Whether each machine has a network of its own, so that it can be cut off.
    pub const fn has_namespaces(&self) -> bool {
        self.namespaces.is_some()
    }

    /// The two nodes, as host and port.
    pub fn addresses(&self) -> [String; 2] {
        self.nodes.each_ref().map(DatabaseMachine::address)
    }

    /// The address for servers, with both hosts.
    pub fn url(&self) -> String {
        format!("postgres://exam@{}/exam?target_session_attrs=read-write", self.addresses().join(","))
    }

    pub const fn monitor(&mut self) -> &mut DatabaseMachine {
        &mut self.monitor
    }

    pub fn node(&mut self, place: usize) -> Result<&mut DatabaseMachine, Failure> {
        Ok(self.nodes.get_mut(place).ok_or("there are two nodes")?)
    }

    /// The node that takes writes while the pair is whole.
    pub async fn primary(&self) -> Result<usize, Failure> {
        let states = self.states().await?;
        let primary = states.iter().find(|state| state.is_primary()).ok_or("no node is the primary")?;
        let place = self.nodes.iter().position(|node| node.name() == primary.name);
        Ok(place.ok_or("the primary is none of the nodes")?)
    }

    /// The address of the primary alone.
    pub async fn primary_url(&self) -> Result<String, Failure> {
        let node = self.nodes.get(self.primary().await?).ok_or("there are two nodes")?;
        Ok(format!("postgres://exam@{}/exam", node.address()))
    }

    /// A planned change of the primary.
    pub async fn switch(&self) -> Result<(), Failure> {
        self.monitor.run("pg_autoctl", &["perform", "switchover"]).await?;
        Ok(())
    }

    /// Lets commits wait for no standby, as whoever chooses speed does.
    pub async fn make_asynchronous(&mut self) -> Result<(), Failure> {
        let primary = self.primary().await?;
        for node in &self.nodes {
            // The command of version 2.0 does it and then ends with an error. Whether it was done is asked below.
            let _ = node.run("pg_autoctl", &["set", "node", "replication-quorum", "false"]).await;
        }
        self.is_asynchronous = true;
        let (limit, node) = (Instant::now() + ANSWERS_WITHIN, self.node(primary)?);
        while node.ask(HAS_NO_SYNC_STANDBY).await.ok().as_deref() != Some("t") {
            if Instant::now() > limit {
                return Err("the standby did not become asynchronous".into());
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Waits until there are a primary and a standby that has everything again. Returns how long that took.
    pub async fn wait_until_whole(&self, limit: Duration) -> Result<Duration, Failure> {
        let begun = Instant::now();
        let mut last = String::new();
        while begun.elapsed() < limit {
            match self.states().await {
                Ok(states) if node_state::are_whole(&states) && self.is_protected().await => {
                    return Ok(begun.elapsed());
                }
                Ok(states) => last = node_state::in_words(&states),
                Err(failure) => last = failure.to_string(),
            }
            sleep(POLL_INTERVAL).await;
        }
        Err(format!("the database was not whole again within {} s: {last}", limit.as_secs()).into())
    }

    async fn is_protected(&self) -> bool {
        if self.is_asynchronous {
            return true;
        }
        let Ok(primary) = self.primary().await else { return false };
        let Some(node) = self.nodes.get(primary) else { return false };
        node.ask(IS_PROTECTED).await.is_ok_and(|answer| answer == "t")
    }

    async fn is_settled(&self, place: usize) -> bool {
        let name = self.nodes.get(place).map(DatabaseMachine::name);
        let is_it = |state: &NodeState| Some(state.name.as_str()) == name && state.is_settled();
        self.states().await.is_ok_and(|states| states.iter().any(is_it))
    }

    async fn states(&self) -> Result<Vec<NodeState>, Failure> {
        Ok(serde_json::from_str(&self.monitor.run("pg_autoctl", &["show", "state", "--json"]).await?)?)
    }

    async fn make_monitor(&mut self, deploy: &Path) -> Result<(), Failure> {
        self.monitor.create(&["monitor"]).await?;
        self.monitor.append("postgresql.conf", &read(&deploy.join("pgautofailover-monitor.conf"))?)?;
        self.monitor.append("postgresql.conf", SHARED_BUFFERS)?;
        self.listen_within_limits(None).await?;
        self.monitor.start()?;
        let limit = Instant::now() + ANSWERS_WITHIN;
        while let Err(failure) = self.states().await {
            if Instant::now() > limit {
                return Err(format!("the monitor does not answer: {failure}").into());
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    async fn make_node(&mut self, place: usize, deploy: &Path) -> Result<(), Failure> {
        let monitor = format!("postgres://autoctl_node@{}/pg_auto_failover?sslmode=require", self.monitor.address());
        let client_network = self.namespaces.as_ref().map(Namespaces::network);
        let node = self.node(place)?;
        node.create(&[
            "postgres",
            "--name",
            node.name(),
            "--username",
            "exam",
            "--dbname",
            "exam",
            "--monitor",
            &monitor,
        ])
        .await?;
        node.run("pg_autoctl", &["config", "set", "timeout.network_partition_timeout", PARTITION_SECONDS]).await?;
        node.append("postgresql.conf", &read(&deploy.join("pgautofailover-node.conf"))?)?;
        node.append("postgresql.conf", SHARED_BUFFERS)?;
        if let Some(network) = client_network {
            node.append("pg_hba.conf", &format!("host all all {network} trust\n"))?;
        }
        self.listen_within_limits(Some(place)).await?;
        self.node(place)?.start()?;
        // The first one must take writes before the second one can copy it.
        let limit = Instant::now() + ANSWERS_WITHIN;
        while !self.is_settled(place).await {
            if Instant::now() > limit {
                return Err("a new node does not get ready".into());
            }
            sleep(POLL_INTERVAL).await;
        }
        Ok(())
    }

    /// Where machines share loopback, nobody else is listened to; `None` is the monitor.
    async fn listen_within_limits(&self, place: Option<usize>) -> Result<(), Failure> {
        if self.has_namespaces() {
            return Ok(());
        }
        let machine = place.and_then(|place| self.nodes.get(place)).unwrap_or(&self.monitor);
        machine.run("pg_autoctl", &["config", "set", "postgresql.listen_addresses", "127.0.0.1"]).await?;
        Ok(())
    }

    /// What servers and HAProxy need beside their addresses.
    async fn let_servers_in(&mut self) -> Result<(), Failure> {
        let primary = self.primary().await?;
        let node = self.node(primary)?;
        for statement in ["GRANT pg_read_all_stats TO exam", "CREATE ROLE haproxy_check LOGIN"] {
            node.ask(statement).await?;
        }
        Ok(())
    }
}

impl DataFolder {
    fn make() -> Result<Self, Failure> {
        // Short, since sockets are made in it and their paths have a hundred characters at most.
        let id: String = Uuid::new_v4().simple().to_string().chars().take(8).collect();
        let folder = Self(std::env::temp_dir().join(format!("exh-{id}")));
        std::fs::create_dir(&folder.0)?;
        // The user `postgres` must be able to enter it.
        std::fs::set_permissions(&folder.0, std::fs::Permissions::from_mode(0o755))?;
        Ok(folder)
    }
}

impl Drop for DataFolder {
    fn drop(&mut self) {
        // What can't be removed stays in the system's folder for such files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Makes sure that everything is installed. Returns the folder of Postgres' programs.
async fn postgres_programs(others: &[&str], is_root: bool, has_namespaces: bool) -> Result<PathBuf, Failure> {
    let mut needed = vec!["pg_autoctl"];
    needed.extend(is_root.then_some("setpriv"));
    needed.extend(has_namespaces.then_some("ip"));
    needed.extend(others);
    let mut command = Command::new("bash");
    command.args(["-c", NEEDS, "needs"]).args(needed).stdin(Stdio::null()).kill_on_drop(true);
    let found = command.output().await.map_err(|error| format!("bash cannot be started: {error}"))?;
    if !found.status.success() {
        let reason = String::from_utf8_lossy(&found.stderr).trim().to_owned();
        return Err(format!("scripts/needs, to be called from the folder of the repository, fails: {reason}").into());
    }
    Ok(PathBuf::from(String::from_utf8(found.stdout)?.trim()))
}

fn free_port() -> Result<u16, Failure> {
    let address = free_address()?;
    let (_, port) = address.rsplit_once(':').ok_or("an address without a port")?;
    Ok(port.parse()?)
}

fn read(path: &Path) -> Result<String, Failure> {
    Ok(std::fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?)
}
