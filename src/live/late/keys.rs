//! The key for which students' pages encrypt files with late work: made once, kept in the database under a key that is
//! derived from the service's secret, and the same on all servers (`docs/decisions/0072-late-work.md`).

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rsa::pkcs8::{DecodePrivateKey, EncodePrivateKey, EncodePublicKey};
use rsa::rand_core::OsRng;
use rsa::sha2::Sha256;
use rsa::{Oaep, RsaPrivateKey};
use sha2::{Digest, Sha256 as Digest256};

use super::sealed_file::{open, seal};
use crate::auth::token;
use crate::clock::Clock;
use crate::config::Secret;
use crate::database::Database;
use crate::error::Error;
use crate::live::store::late_files::{self, StoredLateKey};

/// The label under which the key of the keys is derived from the service's secret.
const LABEL: &[u8] = b"late work files v1";
/// Bits of an RSA key. The files are read within days, by the school itself.
const KEY_BITS: usize = 2_048;
/// Keys that are tried: a new one is made only when the service's secret has changed.
const KEYS_MAX: usize = 16;
/// The pause before a key that could not be had is asked for again.
const AGAIN: Duration = Duration::from_secs(5);

/// A process makes one key at most, whichever databases it serves: making one takes a core for a good part of a second.
static MADE: OnceLock<Option<RsaPrivateKey>> = OnceLock::new();

fn made() -> Option<RsaPrivateKey> {
    let make = || {
        let made = RsaPrivateKey::new(&mut OsRng, KEY_BITS);
        made.inspect_err(|error| tracing::error!(%error, "no key for late work can be made")).ok()
    };
    MADE.get_or_init(make).clone()
}

/// The keys of this installation.
pub struct LateKeys {
    database: Database,
    clock: Clock,
    sealing: [u8; 32],
    known: ArcSwapOption<KnownKeys>,
}

struct KnownKeys {
    /// Of the newest key: what students are given.
    public: Arc<str>,
    /// By what files call them.
    private: BTreeMap<String, RsaPrivateKey>,
}

impl LateKeys {
    #[must_use]
    pub fn new(secret: &Secret, database: Database, clock: Clock) -> Self {
        let sealing = token::derive(secret.reveal(), LABEL);
        Self { database, clock, sealing, known: ArcSwapOption::empty() }
    }

    /// The public key as students get it (SPKI in base64); `None` until it has been made or read.
    #[must_use]
    pub fn public(&self) -> Option<Arc<str>> {
        self.known.load().as_ref().map(|known| Arc::clone(&known.public))
    }

    /// Reads the key, if there is one that need not be made first: students who come at once get it then too.
    pub async fn prepare_at_hand(&self) -> Result<(), Error> {
        if MADE.get().is_some() { self.load_or_make().await } else { self.load().await.map(drop) }
    }

    /// Reads the key, or makes it where there is none. Tries until that succeeds, and does not hold up the start.
    pub async fn prepare(&self) {
        while self.public().is_none() {
            match self.load_or_make().await {
                Ok(()) => {}
                Err(error) => {
                    tracing::warn!(%error, "the key for late work cannot be had; trying again");
                    self.clock.sleep(AGAIN).await;
                }
            }
        }
    }

    /// Unwraps the key of a file, in the same time whether or not that succeeds, but for what blinding hides. `None` if
    /// no server of this installation has had a key of that name; the inner one if the file has no key in it.
    #[must_use]
    pub fn unwrap(&self, key_name: &str, wrapped: &[u8]) -> Option<Option<[u8; 32]>> {
        let known = self.known.load_full()?;
        let private = known.private.get(key_name)?;
        let unwrapped = private.decrypt_blinded(&mut OsRng, Oaep::new::<Sha256>(), wrapped);
        Some(unwrapped.ok().and_then(|key| <[u8; 32]>::try_from(key).ok()))
    }

    async fn load_or_make(&self) -> Result<(), Error> {
        if self.load().await? {
            return Ok(());
        }
        // Of two servers that begin at once, each makes one, and the first that is stored counts for both.
        let Some(made) = tokio::task::spawn_blocking(made).await.map_err(Error::internal)? else {
            return Err(Error::internal("no key was made"));
        };
        let last = late_files::find_late_keys(&self.database).await?.first().map_or(0, |key| key.id);
        let private = made.to_pkcs8_der().map_err(Error::internal)?;
        let key = StoredLateKey {
            id: last.saturating_add(1),
            public_key: public_der(&made)?,
            sealed_key: seal(&self.sealing, LABEL, private.as_bytes()).map_err(Error::internal)?,
            made_at: self.clock.now(),
        };
        late_files::insert_late_key(&self.database, key).await?;
        if self.load().await? { Ok(()) } else { Err(Error::internal("the key that was made cannot be read")) }
    }

    /// Reads the keys that can be opened; false if there is none.
    async fn load(&self) -> Result<bool, Error> {
        let mut known: Option<KnownKeys> = None;
        for row in late_files::find_late_keys(&self.database).await?.into_iter().take(KEYS_MAX) {
            // Made under another secret: files for it are those of another server.
            let Some(der) = open(&self.sealing, LABEL, &row.sealed_key) else { continue };
            let private = RsaPrivateKey::from_pkcs8_der(&der).map_err(Error::internal)?;
            let name = key_name(&row.public_key);
            let first = || KnownKeys { public: STANDARD.encode(&row.public_key).into(), private: BTreeMap::new() };
            known.get_or_insert_with(first).private.insert(name, private);
        }
        let is_there = known.is_some();
        if is_there {
            self.known.store(known.map(Arc::new));
        }
        Ok(is_there)
    }
}

fn public_der(private: &RsaPrivateKey) -> Result<Vec<u8>, Error> {
    Ok(private.to_public_key().to_public_key_der().map_err(Error::internal)?.into_vec())
}

/// What files call a key: the SHA-256 of its DER, in base64 as in addresses.
#[must_use]
pub fn key_name(public_der: &[u8]) -> String {
    token::encode(&Digest256::digest(public_der))
}
