//! Options of the database and of Redis.

use domain::school::PageLanguage;

use super::Hidden;

#[derive(Clone, Debug)]
pub struct StoreConfig {
    /// `sqlite://…` or `postgres://…`, which may name several hosts.
    pub database_url: Hidden,
    /// Connections to Postgres, not counting those of the journal.
    pub database_connections: u32,
    /// Whether a Postgres is refused whose commits wait for no standby.
    pub require_sync_standby: bool,
    /// `redis://…`.
    pub redis_url: Option<Hidden>,
    /// Prefix of all keys and channels, so that several installations can share one Redis.
    pub redis_prefix: String,
    /// The language in which an empty database gets the sample bank; `None`: it gets none.
    pub sample_bank: Option<PageLanguage>,
}
