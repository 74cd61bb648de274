//! The address of the database: how it is read, and whether anything answers there.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use sea_orm::sqlx::postgres::{PgConnectOptions, PgConnection};
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::sqlx::{self, ConnectOptions};
use url::Url;

use super::{ACQUIRE_TIMEOUT, OpenError, hosts};
use crate::clock::Clock;

/// How long a server that starts at the same time as Postgres waits before it tries to connect again.
pub(super) const CONNECT_AGAIN: Duration = Duration::from_millis(200);
/// Postgres' code while it starts.
const STARTING_UP: &str = "57P03";
/// Postgres soon drops a connection that the network has lost, and with it the locks that the connection holds.
pub(super) const POSTGRES_SETTINGS: [(&str, &str); 4] = [
    ("idle_in_transaction_session_timeout", "20s"),
    ("tcp_keepalives_idle", "20"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
];
/// The parameters of an address that the driver knows.
const POSTGRES_PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

pub(super) fn is_sqlite(url: &str) -> bool {
    url.starts_with("sqlite:")
}

pub(super) fn sqlite_options(url: &str) -> Result<SqliteConnectOptions, sqlx::Error> {
    Ok(SqliteConnectOptions::from_str(url)?.disable_statement_logging())
}

/// The options of each host of the address, in its order.
pub(super) fn postgres_options(url: &str) -> Result<Vec<PgConnectOptions>, OpenError> {
    hosts::each(url)?.iter().map(|url| options_of_host(url)).collect()
}

fn options_of_host(url: &str) -> Result<PgConnectOptions, OpenError> {
    // The driver would ignore a name that it does not know, such as a misspelt `sslmode`.
    let parameters = Url::parse(url).map(|url| url.query_pairs().into_owned().collect::<Vec<_>>()).unwrap_or_default();
    let is_known = |name: &str| name.starts_with("options[") || POSTGRES_PARAMETERS.contains(&name);
    if let Some((name, _)) = parameters.into_iter().find(|(name, _)| !is_known(name)) {
        return Err(OpenError::Parameter(name));
    }
    let options = PgConnectOptions::from_str(url)?.application_name("examhall").options(POSTGRES_SETTINGS);
    Ok(options.disable_statement_logging())
}

/// The file of the SQLite database at `url`; `None` for Postgres, and for an address that nothing can be read from.
#[must_use]
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let options = Some(url).filter(|url| is_sqlite(url)).and_then(|url| sqlite_options(url).ok());
    options.map(|options| options.get_filename().to_owned())
}

/// How a host is called in sentences.
pub(super) fn place_of(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}

/// Connects once, because a pool that cannot connect would say only that it has waited in vain. For as long as
/// `patience`, it waits for a Postgres that is about to start.
pub(super) async fn reach(options: &PgConnectOptions, patience: Duration) -> Result<PgConnection, OpenError> {
    let begun = Instant::now();
    let place = place_of(options);
    loop {
        let failure = match tokio::time::timeout(ACQUIRE_TIMEOUT, options.connect()).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(sqlx::Error::Io(error))) if error.kind() == ErrorKind::ConnectionRefused => {
                OpenError::Refused(place.clone())
            }
            Ok(Err(sqlx::Error::Database(error))) if error.code().is_some_and(|code| code == STARTING_UP) => {
                OpenError::Connect(sqlx::Error::Database(error))
            }
            Ok(Err(error)) => return Err(error.into()),
            Err(_) => return Err(OpenError::NoAnswer(place)),
        };
        if begun.elapsed() >= patience {
            return Err(failure);
        }
        // Of a server that has no database yet, nobody moves the clock.
        Clock::system().sleep(CONNECT_AGAIN).await;
    }
}
