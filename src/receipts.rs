//! Receipts: what a student can prove to have handed in, the log of each sitting in which they are, and the keys with
//! which anyone checks both (`docs/receipts.md`, `docs/decisions/0076-receipts.md`).

pub mod check;
pub mod checkpoint;
pub mod key;
pub mod keys;
mod log;
pub mod note;
mod preparing;
pub mod reading;
pub mod signer;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use domain::merkle::TreeHash;
use moka::future::Cache;
use sea_orm::DbErr;
use tokio::sync::Notify;
use url::{Host, Url};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::base::Base;
use crate::clock::Clock;
use crate::config::{Config, Secret};
use crate::database::Database;
use crate::error::Error;
use crate::outgoing::Outbox;
use crate::sittings::Sittings;
use crate::store::receipts::{self, NewReceipt, ReceiptName};
use crate::store::{sitting_logs, version_rows};
use key::{JsonWebKeys, ReceiptKey};
use signer::ReceiptSigner;

/// Logs whose leaves are at hand, for those who fetch proofs: ten thousand may at the same time.
const LOGS_AT_HAND: u64 = 16;
/// How long the leaves of a log stay at hand.
const LOG_KEPT_FOR: Duration = Duration::from_secs(10 * 60);
/// How long the list of keys is cached.
const KEYS_KEPT_FOR: Duration = Duration::from_secs(60);

/// Receipts of finished tests, and the logs of sittings.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(reading::receipt).service(reading::proof).service(checkpoint::checkpoint).service(keys::list);
}

/// What receipts and logs are made of.
pub struct Receipts {
    signer: Arc<ReceiptSigner>,
    /// Of this server, with the port if it is not the usual one: the beginning of the names of its logs.
    host: String,
    /// By the connections of requests: those for the lease must not wait for everyone who reads a receipt.
    database: Database,
    /// For the worker.
    background: Database,
    clock: Clock,
    sittings: Arc<Sittings>,
    outbox: Arc<Outbox>,
    /// Notified when there may be receipts to look after.
    due: Arc<Notify>,
    /// The hashes of leaves, by sitting and size.
    leaves: Cache<(Uuid, u64), Arc<Vec<TreeHash>>>,
    keys: Cache<(), Arc<JsonWebKeys>>,
}

/// Makes the signer of this server.
pub fn signer(config: &Config, secret: &Secret) -> Result<ReceiptSigner, Error> {
    let key = ReceiptKey::new(config.receipt_key.as_ref(), secret)?;
    Ok(ReceiptSigner::new(key, config.server.auth_url.clone()))
}

impl Receipts {
    /// Notes with which key this server signs from now on.
    pub async fn open(
        base: &Base,
        signer: Arc<ReceiptSigner>,
        sittings: &Arc<Sittings>,
        outbox: &Arc<Outbox>,
        due: Arc<Notify>,
    ) -> Result<Self, Error> {
        if !base.database.is_read_only() {
            receipts::know_key(&base.database, &signer.key().public().known(), base.clock.now()).await?;
        }
        Ok(Self {
            signer,
            host: host_of(&base.config.server.auth_url),
            database: base.database.clone(),
            background: base.database.for_background(),
            clock: base.clock.clone(),
            sittings: Arc::clone(sittings),
            outbox: Arc::clone(outbox),
            due,
            leaves: Cache::builder().max_capacity(LOGS_AT_HAND).time_to_live(LOG_KEPT_FOR).build(),
            keys: Cache::builder().max_capacity(1).time_to_live(KEYS_KEPT_FOR).build(),
        })
    }

    /// The receipt of a version of a test. One that is missing is made, and stays as it is from then on. `None` if
    /// there is no such version.
    pub async fn of_version(&self, name: ReceiptName) -> Result<Option<String>, Error> {
        if let Some(stored) = receipts::find(&self.database.read, name).await? {
            return Ok(Some(stored.jws));
        }
        if self.database.is_read_only() {
            return Err(Error::ReadOnly);
        }
        let snapshot = self.database.snapshot().await?;
        let Some(row) = version_rows::find(&snapshot, name.0, name.1).await? else { return Ok(None) };
        let facts = version_rows::find_facts(&snapshot, &row).await?;
        snapshot.commit().await?;
        let signer = Arc::clone(&self.signer);
        // Drawings may be megabytes.
        let making = actix_web::web::block(move || signer.of_row(row, &facts)).await;
        let jws = making.map_err(Error::internal)?.map_err(Error::Internal)?;
        receipts::insert(&self.database.write, &[NewReceipt { name, jws: jws.clone() }]).await?;
        // Another request, or another server, may have been faster.
        let stored = receipts::find(&self.database.read, name).await?;
        Ok(Some(stored.map_or(jws, |stored| stored.jws)))
    }

    /// The hashes of all leaves of a log of that size.
    async fn leaves_of(&self, sitting_id: Uuid, size: u64) -> Result<Arc<Vec<TreeHash>>, Error> {
        let reading = async {
            let leaves = sitting_logs::load_leaves(&self.database.read, sitting_id).await?;
            let count = usize::try_from(size).unwrap_or(usize::MAX);
            let hashes = leaves.into_iter().take(count).map(|leaf| leaf.hash).collect();
            Ok::<_, DbErr>(Arc::new(hashes))
        };
        let found = self.leaves.try_get_with((sitting_id, size), reading).await;
        found.map_err(|error: Arc<DbErr>| Error::internal(error.to_string()))
    }
}

/// The host of a public address, with its port if that is not the usual one.
fn host_of(address: &str) -> String {
    let Ok(url) = Url::parse(address) else { return String::new() };
    let host = url.host().as_ref().map(Host::to_string).unwrap_or_default();
    url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::host_of;

    #[test]
    fn a_host_is_named_as_in_addresses() {
        for (address, host) in [
            ("https://exam.example", "exam.example"),
            ("https://exam.example/hall", "exam.example"),
            ("https://exam.example:8443", "exam.example:8443"),
            ("http://[::1]:8080", "[::1]:8080"),
        ] {
            assert_eq!(host_of(address), host);
        }
    }
}
