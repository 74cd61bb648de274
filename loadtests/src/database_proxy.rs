//! A HAProxy of the run's own before its database, configured by the file that the project ships.

use crate::failover_database::SYSTEM_PATH;
use crate::failure::Failure;
use crate::fleet::free_address;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::{Child, Command};

/// The address of the shipped file, and the hosts in it.
const SHIPPED_BIND: &str = "127.0.0.1:5433";
const SHIPPED_HOSTS: [&str; 2] = ["10.0.0.21:5432", "10.0.0.22:5432"];
/// Where the part for Redis begins, which is another service on another port.
const REDIS_PART: &str = "\nlisten redis\n";

/// A proxy that leads to whichever host takes writes; killed when it is dropped.
pub struct DatabaseProxy {
    pub address: String,
    configuration: PathBuf,
    _child: Child,
}

impl DatabaseProxy {
    /// Starts it before these hosts.
    pub fn before(hosts: &[String; 2], shipped: &Path) -> Result<Self, Failure> {
        let missing = |error| format!("{} cannot be read: {error}", shipped.display());
        let shipped = std::fs::read_to_string(shipped).map_err(missing)?;
        let address = free_address()?;
        let text = configuration(&shipped, &address, hosts)?;
        let path = std::env::temp_dir().join(format!("examhall-database-{}.cfg", uuid::Uuid::new_v4()));
        std::fs::write(&path, text)?;
        let mut command = Command::new("haproxy");
        command.arg("-db").arg("-f").arg(&path).env("PATH", SYSTEM_PATH);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let child = command.spawn().map_err(|error| format!("haproxy cannot be started: {error}"))?;
        Ok(Self { address, configuration: path, _child: child })
    }

    /// The address for servers, with one host.
    pub fn url(&self) -> String {
        format!("postgres://exam@{}/exam", self.address)
    }
}

impl Drop for DatabaseProxy {
    fn drop(&mut self) {
        // A file that is left behind in the folder for temporary files does no harm.
        let _ = std::fs::remove_file(&self.configuration);
    }
}

/// The shipped file for these hosts, without its part for Redis.
fn configuration(shipped: &str, bind: &str, hosts: &[String; 2]) -> Result<String, Failure> {
    let (text, _) = shipped.split_once(REDIS_PART).ok_or("the configuration of HAProxy has no part for Redis")?;
    let mut text = format!("{text}\n");
    let ([shipped_first, shipped_second], [first, second]) = (SHIPPED_HOSTS, hosts);
    for (from, to) in [(SHIPPED_BIND, bind), (shipped_first, first), (shipped_second, second)] {
        if !text.contains(from) {
            return Err(format!("the configuration of HAProxy has no `{from}`").into());
        }
        text = text.replace(from, to);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_file_gets_the_hosts_of_the_run() {
        let shipped = include_str!("../../deploy/haproxy-database.cfg");
        let hosts = ["198.18.1.3:5432".to_owned(), "198.18.1.4:5432".to_owned()];
        let text = configuration(shipped, "127.0.0.1:9", &hosts).unwrap();
        assert!(text.contains("    bind 127.0.0.1:9\n"), "{text}");
        assert!(text.contains("server db1 198.18.1.3:5432\n    server db2 198.18.1.4:5432\n"), "{text}");
        // Nothing leads elsewhere.
        assert!(!text.contains("server redis") && !text.contains("server db1 10."), "{text}");
        assert!(configuration("global", "127.0.0.1:9", &hosts).is_err());
    }
}
