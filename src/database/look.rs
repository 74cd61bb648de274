//! Looks at a database as a start does, without making or changing anything.

use std::time::Duration;

use migration::Migrator;
use migration::sea_orm_migration::MigratorTrait;
use sea_orm::sqlx::Connection;
use sea_orm::{SqlxPostgresConnector, SqlxSqliteConnector};

use super::address::{is_sqlite, reach, sqlite_options};
use super::durability::{inspect, protection};
use super::primary::DatabaseHosts;
use super::{BUSY_TIMEOUT, Database, OpenError, pool};

/// What a start would find.
#[derive(Clone, Debug)]
pub struct Look {
    /// The host that takes writes, where the address names several.
    pub primary: Option<String>,
    /// The number of steps by which the schema is behind.
    pub pending: usize,
    /// Whether connections have the limits that the server asks for.
    pub keeps_settings: bool,
}

impl Database {
    /// Looks at the database at `url` as a start does, but makes and changes nothing, and does not wait for one that is
    /// about to start. `None` when its SQLite file does not exist yet.
    pub async fn look(url: &str, requires_standby: bool) -> Result<Option<Look>, OpenError> {
        let (mut keeps_settings, mut primary) = (true, None);
        let connection = if is_sqlite(url) {
            let options = sqlite_options(url)?.busy_timeout(BUSY_TIMEOUT);
            if !options.get_filename().exists() {
                return Ok(None);
            }
            let pool = pool::sqlite(1).connect_with(options).await?;
            SqlxSqliteConnector::from_sqlx_sqlite_pool(pool)
        } else {
            let mut hosts = DatabaseHosts::of(url)?;
            let options = hosts.find(Duration::ZERO).await?;
            let mut trial = reach(&options, Duration::ZERO).await?;
            keeps_settings = inspect(&mut trial).await?;
            trial.close().await?;
            let pool = pool::postgres(1, true, hosts.primary()).connect_with(options).await?;
            if requires_standby {
                protection(&pool).await??;
            }
            primary = hosts.are_several().then(|| hosts.place());
            SqlxPostgresConnector::from_sqlx_postgres_pool(pool)
        };
        let pending = Migrator::get_pending_migrations_read_only(&connection).await?.len();
        connection.close().await?;
        Ok(Some(Look { primary, pending, keeps_settings }))
    }
}
