//! A PostgreSQL for one test, so that restarting it disturbs no other test; started by the script that starts the
//! shared one.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::Command;

/// The services of a folder; stopped when dropped.
pub struct OwnServices {
    folder: TempDir,
    /// Address of its database.
    pub database_url: String,
}

impl OwnServices {
    /// Starts them. Their folder is inside that of the shared ones, which stop what an interrupted test has left.
    pub async fn start() -> Self {
        let parent = std::env::var_os("TEST_SERVICES").map_or_else(std::env::temp_dir, PathBuf::from);
        let folder = tempfile::Builder::new().prefix("own-").tempdir_in(parent).unwrap();
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
