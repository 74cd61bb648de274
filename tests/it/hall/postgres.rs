//! A PostgreSQL for one test, and a pair of primary and standby, made by PostgreSQL's own programs, so that the test
//! can kill one and promote the other.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use sea_orm::{ConnectionTrait, Database, DbBackend, Statement, TryGetable};
use tempfile::TempDir;

use super::deployed::deployed;
use super::process::free_address;
use super::{eventually, services};

/// What a cluster of a test has beside PostgreSQL's defaults, which keep it durable.
const SETTINGS: &str = "
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = 64MB
";

/// The folder of the server programs, which `scripts/needs` finds.
static PROGRAMS: LazyLock<PathBuf> = LazyLock::new(|| {
    let needs = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/needs");
    let script = format!("source '{}' && postgres_bin", needs.display());
    PathBuf::from(text_of(Command::new("bash").args(["-c", &script])))
});
/// The numbers of the user who runs them: PostgreSQL refuses root. `None`: whoever runs the tests.
static USER: LazyLock<Option<(u32, u32)>> = LazyLock::new(|| {
    let number = |arguments: &[&str]| text_of(Command::new("id").args(arguments)).parse::<u32>().unwrap();
    (number(&["-u"]) == 0).then(|| (number(&["-u", "postgres"]), number(&["-g", "postgres"])))
});

fn text_of(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// One cluster; stopped when it is dropped.
pub struct PostgresServer {
    /// `127.0.0.1:<port>`.
    pub address: String,
    /// Its folder.
    pub data: PathBuf,
}

impl PostgresServer {
    /// Makes a cluster with these settings in a folder of `own_folder`, and starts it.
    pub async fn create(folder: &Path, settings: &str) -> Self {
        let server = Self { address: free_address(), data: folder.join("data") };
        server
            .run("initdb", &["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"])
            .await;
        server.configure(&format!("{SETTINGS}{settings}\nport = {}", server.port()));
        server.start().await;
        server
    }

    /// A standby of this server, which streams from it.
    pub async fn standby(&self, folder: &Path) -> Self {
        let standby = Self { address: free_address(), data: folder.join("standby") };
        let port = format!("--port={}", self.port());
        standby
            .run(
                "pg_basebackup",
                &[
                    "--host=127.0.0.1",
                    &port,
                    "--username=postgres",
                    "--write-recovery-conf",
                    "--checkpoint=fast",
                    "--no-sync",
                ],
            )
            .await;
        standby.configure(&format!("port = {}", standby.port()));
        standby.start().await;
        standby
    }

    pub fn port(&self) -> &str {
        self.address.rsplit_once(':').unwrap().1
    }

    /// Address of a database of it.
    pub fn url(&self) -> String {
        format!("postgres://postgres@{}/postgres", self.address)
    }

    /// Adds lines to its configuration; the last one of a name counts.
    pub fn configure(&self, lines: &str) {
        let path = self.data.join("postgresql.conf");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{lines}\n")).unwrap();
    }

    pub async fn start(&self) {
        let log = format!("--log={}.log", self.data.display());
        self.run("pg_ctl", &["start", "--silent", "--wait", &log]).await;
    }

    /// Stops and starts it; all its connections end.
    pub async fn restart(&self) {
        let log = format!("--log={}.log", self.data.display());
        self.run("pg_ctl", &["restart", "--silent", "--wait", "--mode=fast", &log]).await;
    }

    /// Reads its configuration again.
    pub async fn reload(&self) {
        self.run("pg_ctl", &["reload", "--silent"]).await;
    }

    /// Makes a standby the primary.
    pub async fn promote(&self) {
        self.run("pg_ctl", &["promote", "--silent", "--wait"]).await;
    }

    /// SIGKILL, from which its other processes end by themselves; waits until nothing listens.
    pub async fn kill(&self) {
        let text = fs::read_to_string(self.data.join("postmaster.pid")).unwrap();
        text_of(Command::new("kill").args(["-KILL", text.lines().next().unwrap()]));
        eventually("nothing listens where the primary was", async || {
            tokio::net::TcpStream::connect(&self.address).await.is_err().then_some(())
        })
        .await;
    }

    /// What a query returns in its only row.
    pub async fn value<T: TryGetable>(&self, query: &str) -> T {
        let connection = Database::connect(self.url()).await.unwrap();
        let row = connection.query_one_raw(Statement::from_string(DbBackend::Postgres, query)).await.unwrap().unwrap();
        connection.close().await.unwrap();
        row.try_get_by_index(0).unwrap()
    }

    /// Runs one of its programs to the end.
    async fn run(&self, name: &str, arguments: &[&str]) {
        let mut command = self.command(name);
        command.args(arguments);
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        assert!(output.status.success(), "{name} {arguments:?}: {output:?}");
    }

    /// Runs lines of a shell as the user of PostgreSQL, with what its programs need in the environment.
    pub async fn type_in(&self, lines: &str) -> Output {
        let mut command = as_postgres(Command::new("bash"), self.data.parent().unwrap());
        let (script, port) = (format!("set -eu\n{lines}"), self.port().to_owned());
        command.args(["-c", &script]).env("PGPORT", port).env("PGHOST", "127.0.0.1").env("PGUSER", "postgres");
        command.env("PGDATA", &self.data);
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    }

    fn command(&self, name: &str) -> Command {
        let mut command = as_postgres(Command::new(PROGRAMS.join(name)), self.data.parent().unwrap());
        command.env("PGDATA", &self.data);
        // The one program that does not read the variable.
        if name == "pg_basebackup" {
            command.arg("--pgdata").arg(&self.data);
        }
        command
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        // One that was killed is stopped already. Its data is deleted next, so it need not be written to disk first.
        let _ = self.command("pg_ctl").args(["stop", "--silent", "--wait", "--mode=immediate"]).output();
    }
}

fn as_postgres(mut command: Command, folder: &Path) -> Command {
    let path = format!("{}:/usr/bin:/bin", PROGRAMS.display());
    command.env_clear().env("LC_ALL", "C").env("PATH", path).current_dir(folder).stdin(Stdio::null());
    if let Some((user, group)) = *USER {
        command.uid(user).gid(group);
    }
    command
}

/// A folder that PostgreSQL's user owns, inside that of the shared services.
pub fn own_folder() -> TempDir {
    let folder = services::needed().folder_for("postgres-");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    if let Some((user, group)) = *USER {
        chown(folder.path(), Some(user), Some(group)).unwrap();
    }
    folder
}

/// A primary and its standby.
pub struct PostgresPair {
    pub primary: PostgresServer,
    pub standby: PostgresServer,
    is_promoted: bool,
    // The last field, so that it is removed after they have ended.
    _folder: TempDir,
}

impl PostgresPair {
    /// Starts them. The standby is asynchronous, as PostgreSQL has it by default.
    pub async fn open() -> Self {
        let folder = own_folder();
        let settings = deployed("pgautofailover-node.conf", &[]);
        let primary = PostgresServer::create(folder.path(), &settings).await;
        let standby = primary.standby(folder.path()).await;
        Self { primary, standby, is_promoted: false, _folder: folder }
    }

    /// From now on each commit waits for the standby.
    pub async fn make_synchronous(&self) {
        // On the primary alone: the standby has no standby of its own when it takes its place.
        self.primary.configure("synchronous_standby_names = '*'");
        self.primary.reload().await;
        let count = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'";
        eventually("the standby is synchronous", async || (self.primary.value::<i64>(count).await == 1).then_some(()))
            .await;
    }

    /// From now on no commit waits for the standby.
    pub async fn make_asynchronous(&self) {
        self.primary.configure("synchronous_standby_names = ''");
        self.primary.reload().await;
    }

    /// An address that names both.
    pub fn url(&self) -> String {
        let (primary, standby) = (&self.primary.address, &self.standby.address);
        format!("postgres://postgres@{primary},{standby}/postgres?target_session_attrs=read-write")
    }

    /// The address of the one that is the primary.
    pub fn url_of_primary(&self) -> String {
        if self.is_promoted { self.standby.url() } else { self.primary.url() }
    }

    /// SIGKILL to the primary, and the standby takes its place.
    pub async fn fail_over(&mut self) {
        self.primary.kill().await;
        self.standby.promote().await;
        self.is_promoted = true;
    }
}
