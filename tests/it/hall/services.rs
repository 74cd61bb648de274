//! The PostgreSQL and the Redis of the tests, which `scripts/services` starts: those that all tests share, and one for
//! a single test, so that restarting it disturbs no other test.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

use tempfile::TempDir;
use tokio::process::Command;

/// What the tests share, as the variables say that `scripts/services start` prints.
pub struct Services {
    /// `TEST_DATABASE_URL`.
    pub database_url: String,
    /// `TEST_REDIS_URL`.
    pub redis_url: String,
    /// `TEST_SERVICES`.
    folder: PathBuf,
}

impl Services {
    /// A folder for what one test starts, inside that of the services, which is removed with it.
    pub fn folder_for(&self, prefix: &str) -> TempDir {
        tempfile::Builder::new().prefix(prefix).tempdir_in(&self.folder).unwrap()
    }
}

/// The services, or `None` where the tests run on SQLite and without Redis.
///
/// # Panics
/// When only some of the variables are set, or none of them although `TEST_REQUIRE_SERVICES` is: a misspelt name would
/// otherwise let tests pass without what they are about.
pub fn find() -> Option<&'static Services> {
    static FOUND: OnceLock<Option<Services>> = OnceLock::new();
    FOUND
        .get_or_init(|| {
            const NAMES: [&str; 3] = ["TEST_DATABASE_URL", "TEST_REDIS_URL", "TEST_SERVICES"];
            let values = NAMES.map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
            if values.iter().all(Option::is_none) && std::env::var_os("TEST_REQUIRE_SERVICES").is_none() {
                return None;
            }
            let missing: Vec<&str> =
                NAMES.iter().zip(&values).filter(|(_, value)| value.is_none()).map(|(name, _)| *name).collect();
            assert!(missing.is_empty(), "{} not set: {START}", missing.join(" and "));
            let [database_url, redis_url, folder] = values.map(Option::unwrap);
            Some(Services { database_url, redis_url, folder: folder.into() })
        })
        .as_ref()
}

/// What is to be done when a test has no services.
const START: &str = "run eval \"$(scripts/services start)\" first";

/// The services, for a test that is about them.
///
/// # Panics
/// When there are none.
pub fn needed() -> &'static Services {
    find().unwrap_or_else(|| panic!("this test needs PostgreSQL and Redis: {START}, or leave out several_servers::"))
}

/// The services of a folder; stopped when dropped.
pub struct OwnServices {
    folder: TempDir,
    /// Address of its database.
    pub database_url: String,
}

impl OwnServices {
    /// Starts them. Their folder is inside that of the shared ones, which stop what an interrupted test has left.
    pub async fn start() -> Self {
        let folder = needed().folder_for("own-");
        let mut command = Command::new(script());
        command.arg("start").arg(folder.path()).stdin(Stdio::null()).stderr(Stdio::inherit());
        let output = command.output().await.unwrap();
        assert!(output.status.success(), "scripts/services: {}", output.status);
        let environment = String::from_utf8(output.stdout).unwrap();
        let database_url =
            environment.lines().find_map(|line| line.strip_prefix("export TEST_DATABASE_URL=")).unwrap().to_owned();
        Self { folder, database_url }
    }

    /// Restarts PostgreSQL, `fast` or `immediate`: the first ends transactions, the second is a crash.
    pub async fn restart_postgres(&self, mode: &str) {
        let mut command = Command::new(script());
        let status = command
            .arg("restart-postgres")
            .arg(self.folder.path())
            .arg(mode)
            .stdin(Stdio::null())
            .status()
            .await
            .unwrap();
        assert!(status.success(), "scripts/services: {status}");
    }
}

impl Drop for OwnServices {
    fn drop(&mut self) {
        // A failure does no harm: the shared services stop what stays.
        let _ = std::process::Command::new(script()).arg("stop").arg(self.folder.path()).stdin(Stdio::null()).status();
    }
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/services")
}
